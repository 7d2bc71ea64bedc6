//! The write-ahead log of an `SQLite` file: emptied after deletions, because it still contains what was deleted, and when
//! the file is closed.

use std::time::Duration;

use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection, Row};

use super::StorageError;

/// How long a statement waits for other programs.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Moves the write-ahead log into the file and empties it. Returns whether no reader prevented it.
async fn end_log(writer: &mut SqliteConnection) -> Result<bool, StorageError> {
    let query = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)");
    let row = query.fetch_one(writer).await?;
    let busy: i64 = row.try_get(0)?;
    Ok(busy == 0)
}

/// Ends the write-ahead log without waiting for readers, since all writes wait meanwhile.
pub async fn try_end_log(writer: &mut SqliteConnection) -> Result<bool, StorageError> {
    sqlx::query("PRAGMA busy_timeout = 50")
        .execute(&mut *writer)
        .await?;
    let ended = end_log(writer).await;
    let restore = format!("PRAGMA busy_timeout = {}", BUSY_TIMEOUT.as_millis());
    sqlx::query(AssertSqlSafe(restore)).execute(writer).await?;
    ended
}

/// Moves the write-ahead log into the file and ends it, so that a copy of the one file is complete.
pub async fn close(mut writer: SqliteConnection) -> Result<(), StorageError> {
    let is_ended = end_log(&mut writer).await?;
    writer.close().await?;
    if is_ended {
        return Ok(());
    }
    let why = "another program reads the database, so towers.db-wal is still part of it";
    Err(StorageError::Failed(why.into()))
}
