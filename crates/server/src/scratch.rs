//! A temporary schema in a `PostgreSQL` database, for measurements.

use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection, Executor, Row};

use crate::secrets;
use crate::storage::StorageError;

/// The prefix of these schemas' names.
const PREFIX: &str = "towers_load_";

/// A temporary schema. Its user holds a lock as long as it lives, so that a later run can identify schemas left behind
/// by a killed process.
pub struct Scratch {
    connection: PgConnection,
    name: String,
    url: String,
}

impl Scratch {
    /// Creates a schema, and removes those left behind by others.
    pub async fn create(url: &str) -> Result<Scratch, StorageError> {
        let options = PgConnectOptions::from_str(url)?.application_name("towers load");
        let mut connection = PgConnection::connect_with(&options).await?;
        remove_leftovers(&mut connection).await?;
        let name = format!("{PREFIX}{}", secrets::table_id());
        let lock = sqlx::query("SELECT pg_advisory_lock(hashtext($1))").bind(&name);
        lock.execute(&mut connection).await?;
        let create = AssertSqlSafe(format!("CREATE SCHEMA {name}"));
        connection.execute(create).await?;
        let sign = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{sign}options[search_path]={name}");
        Ok(Scratch {
            connection,
            name,
            url,
        })
    }

    /// The address of the database with this schema as the search path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Removes the schema with everything in it.
    pub async fn remove(mut self) -> Result<(), StorageError> {
        remove(&mut self.connection, &self.name).await?;
        Ok(self.connection.close().await?)
    }
}

async fn remove(connection: &mut PgConnection, name: &str) -> Result<(), StorageError> {
    // The name is generated: a fixed prefix, letters and digits.
    let drop = AssertSqlSafe(format!("DROP SCHEMA IF EXISTS {name} CASCADE"));
    connection.execute(drop).await?;
    Ok(())
}

async fn remove_leftovers(connection: &mut PgConnection) -> Result<(), StorageError> {
    let query = "SELECT nspname::text FROM pg_namespace WHERE nspname ~ $1";
    let pattern = format!("^{PREFIX}[0-9a-z]+$");
    let rows = sqlx::query(query).bind(pattern);
    for row in rows.fetch_all(&mut *connection).await? {
        let name: String = row.try_get(0)?;
        let unused = sqlx::query("SELECT pg_try_advisory_lock(hashtext($1))").bind(&name);
        if unused.fetch_one(&mut *connection).await?.try_get(0)? {
            remove(connection, &name).await?;
            let unlock = sqlx::query("SELECT pg_advisory_unlock(hashtext($1))").bind(&name);
            unlock.execute(&mut *connection).await?;
        }
    }
    Ok(())
}
