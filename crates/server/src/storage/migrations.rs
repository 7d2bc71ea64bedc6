//! The migrations of both databases.
//!
//! They are listed here instead of by `sqlx::migrate!`: the macros of sqlx contain its drivers, so that all of sqlx and
//! `SQLite` would be compiled twice.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// Files of a folder, each with its name.
macro_rules! files {
    ($folder:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../", $folder, "/", $name, ".sql")))),*]
    };
}

type MigrationFiles = &'static [(&'static str, &'static str)];

const BOTH_DATABASES: MigrationFiles = files![
    "migrations":
    "0001_tables",
    "0002_nodes",
    "0010_idle",
    "0020_moderation",
    "0030_daily_deals",
    "0031_packed_logs",
    "0040_people",
    "0041_calls",
    "0042_history",
    "0043_pairing",
    "0044_passkeys",
    "0046_time_zones",
    "0050_archived_tables",
    "0051_kept_deals",
    "0052_hidden_tables",
    "0053_openers",
];

const POSTGRES_ONLY: MigrationFiles = files![
    "migrations-postgres":
    "1001_hot_updates",
    "1002_partitioned_entries",
];

/// The migrations of both databases.
pub fn migrations() -> Migrator {
    migrator(BOTH_DATABASES)
}

/// The migrations for `PostgreSQL` alone. They come after those of both databases.
pub fn postgres_migrations() -> Migrator {
    migrator(POSTGRES_ONLY)
}

fn migrator(files: MigrationFiles) -> Migrator {
    let migrations = files.iter().map(|&(name, sql)| {
        let (version, description) = name.split_once('_').expect("a number and a description");
        Migration::new(
            version.parse().expect("a number"),
            description.replace('_', " ").into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    // The migrations for `PostgreSQL` alone are recorded in the same table.
    migrator.set_ignore_missing(true);
    migrator
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[tokio::test]
    async fn every_file_is_listed_and_is_what_sqlx_makes_of_it() {
        let facts = |migrator: &Migrator| -> Vec<_> {
            let facts = |m: &Migration| {
                let text = (m.description.to_string(), m.checksum.to_vec());
                (m.version, format!("{:?}", m.migration_type), text, m.no_tx)
            };
            migrator.iter().map(facts).collect()
        };
        for (folder, listed) in [
            ("migrations", migrations()),
            ("migrations-postgres", postgres_migrations()),
        ] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            let read = Migrator::new(folder).await.unwrap();
            assert_eq!(facts(&listed), facts(&read));
        }
    }
}
