//! Deleting old tables on request, even while a server runs.

use std::sync::Arc;
use std::time::Duration;

use crate::config::Config;
use crate::failure::ServeError;
use crate::postgres::Database;
use crate::storage::{PostgresStorage, SqliteStorage, Storage, StorageError};
use crate::tables::now;

/// The storage of a server that may be running.
async fn open(config: &Config) -> Result<Arc<dyn Storage>, ServeError> {
    if let Some(url) = &config.database {
        let database = Database::open(url, config.database_connections).await;
        let database = database.map_err(ServeError::DatabaseServer)?;
        return Ok(Arc::new(PostgresStorage::new(
            &database,
            "",
            &Arc::default(),
        )));
    }
    let file = config.data.join("towers.db");
    let opened = if file.exists() {
        SqliteStorage::open(&file).await
    } else {
        Err(StorageError::Failed("no such file".into()))
    };
    Ok(Arc::new(
        opened.map_err(|why| ServeError::Database { file, why })?,
    ))
}

/// Deletes tables without a visit for this long, or only counts them.
pub async fn prune(config: &Config, age: Duration, dry_run: bool) -> Result<u64, ServeError> {
    let storage = open(config).await?;
    let before = now().saturating_sub(age.as_millis() as u64);
    let pruning = async {
        let expired = storage.expired(before, u32::MAX >> 1).await?;
        let mut count = 0;
        for table in &expired {
            count += u64::from(dry_run || storage.delete(table).await?);
        }
        Ok(count)
    };
    let pruned = pruning.await;
    let closed = storage.close().await;
    pruned
        .and_then(|count| closed.map(|()| count))
        .map_err(ServeError::Prune)
}
