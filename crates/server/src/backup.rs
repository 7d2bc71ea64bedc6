//! A consistent copy of all data while a server runs.

use std::path::{Path, PathBuf};

use sqlx::Connection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::storage::StorageError;

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Nothing is overwritten.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// The copy cannot be written.
    #[error("{}: {why}", file.display())]
    File { file: PathBuf, why: String },
    /// The database cannot be read, or the copy cannot be filled.
    #[error("{0}")]
    Storage(#[from] StorageError),
}

/// Copies the database of a data folder to a new file. A server may write at the same time: the copy is a consistent
/// snapshot.
pub async fn backup(data: &Path, to: &Path) -> Result<(), BackupError> {
    let failed = |why: &dyn std::fmt::Display| BackupError::File {
        file: to.to_path_buf(),
        why: why.to_string(),
    };
    if to.exists() {
        return Err(BackupError::Exists(to.to_path_buf()));
    }
    // SQLite fills an empty file and keeps its permissions.
    crate::private::open_file(to).map_err(|why| failed(&why))?;
    let options = SqliteConnectOptions::new()
        .filename(data.join("towers.db"))
        .create_if_missing(false);
    let open = SqliteConnection::connect_with(&options).await;
    let mut from = open.map_err(StorageError::from)?;
    let target = to
        .to_str()
        .ok_or_else(|| failed(&"the name is not valid Unicode"))?;
    sqlx::query("VACUUM INTO $1")
        .bind(target)
        .execute(&mut from)
        .await
        .map_err(StorageError::from)?;
    from.close().await.map_err(StorageError::from)?;
    let copy = std::fs::File::open(to).map_err(|why| failed(&why))?;
    copy.sync_all().map_err(|why| failed(&why))
}
