//! A consistent copy of all data while a server runs.

use std::path::Path;

use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::storage::StorageError;

/// Copies the database of a data folder to a new file. A server may write at the same time: the copy is a consistent
/// snapshot.
pub async fn backup(data: &Path, to: &Path) -> Result<(), StorageError> {
    let failed = |why: &dyn std::fmt::Display| StorageError::Failed(why.to_string());
    if to.exists() {
        return Err(failed(&format!("{} exists already", to.display())));
    }
    // SQLite fills an empty file and keeps its permissions.
    crate::private::open_file(to).map_err(|why| failed(&why))?;
    let options = SqliteConnectOptions::new()
        .filename(data.join("towers.db"))
        .create_if_missing(false);
    let mut from = SqliteConnection::connect_with(&options).await?;
    let target = to
        .to_str()
        .ok_or_else(|| failed(&"the file's name is not valid Unicode"))?;
    sqlx::query("VACUUM INTO $1")
        .bind(target)
        .execute(&mut from)
        .await?;
    from.close().await?;
    let copy = std::fs::File::open(to).map_err(|why| failed(&why))?;
    copy.sync_all().map_err(|why| failed(&why))
}
