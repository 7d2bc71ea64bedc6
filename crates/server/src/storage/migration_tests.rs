//! Databases of earlier versions, with rows in what later migrations change.

use std::path::Path;
use std::sync::Arc;

use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use towers_table::{Command, Record, Settings};

use super::tests::record;
use super::{SqliteStorage, migrations, postgres_migrations};
use crate::calls::CallStore;
use crate::config::Config;
use crate::secrets;
use crate::tables::tests::Participant;
use crate::{Server, thinker};

const TOKEN: &str = "the-token-of-the-host-as-it-was-long-ago";
/// The number of running games: enough that every partition of the log gets rows.
const GAMES: usize = 40;

/// The migrations that satisfy a condition on their number. Those above 1000 are for `PostgreSQL` alone.
fn only(mut migrations: Migrator, is_wanted: impl Fn(i64) -> bool) -> Migrator {
    let all = migrations.migrations.iter();
    migrations.migrations = all.filter(|m| is_wanted(m.version)).cloned().collect();
    migrations
}

fn game(i: usize) -> Record {
    let table = format!("{i:0>20}");
    let mut record = record(&table, 3);
    record.header.key = secrets::key(&table, TOKEN);
    record
}

/// Statements for either database that insert the games, as an earlier version did.
fn running_games() -> Vec<String> {
    let text = |text: String| format!("'{}'", text.replace('\'', "''"));
    let mut all = Vec::new();
    for record in (0..GAMES).map(game) {
        let (table, header) = (&record.header.table, text(record.header.to_line()));
        all.push(format!(
            "INSERT INTO tables (id, header, created, stage, listed, summary, visited) \
             VALUES ('{table}', {header}, 5, 'lobby', FALSE, '{{}}', 5)"
        ));
        for entry in &record.entries {
            let line = text(entry.to_line());
            let number = entry.number;
            all.push(format!(
                "INSERT INTO entries VALUES ('{table}', {number}, {line})"
            ));
        }
    }
    all
}

/// Statements that insert people with quiet hours at these distances from UTC.
fn quiet_people(offsets: &[(&str, i32)]) -> Vec<String> {
    let mut all = Vec::new();
    for (person, offset) in offsets {
        all.push(format!(
            "INSERT INTO people (id, name, created, guarded) VALUES ('{person}', '', 5, FALSE)"
        ));
        all.push(format!(
            "INSERT INTO call_settings (person_id, language, quiet_from, quiet_to, utc_offset) \
             VALUES ('{person}', 'de', 60, 420, {offset})"
        ));
    }
    all
}

/// Makes a database with these migrations and rows.
async fn old_sqlite(folder: &Path, base: Migrator, rows: &[String]) {
    let options = SqliteStorage::options(&folder.join("towers.db"));
    let mut old = SqliteConnection::connect_with(&options).await.unwrap();
    base.run(&mut old).await.unwrap();
    for row in rows {
        old.execute(AssertSqlSafe(row.clone())).await.unwrap();
    }
    old.close().await.unwrap();
}

async fn old_postgres(url: &str, base: Migrator, own: Migrator, rows: &[String]) {
    let mut old = PgConnection::connect(url).await.unwrap();
    base.run(&mut old).await.unwrap();
    own.run(&mut old).await.unwrap();
    for row in rows {
        old.execute(AssertSqlSafe(row.clone())).await.unwrap();
    }
    old.close().await.unwrap();
}

/// The server of this version on an older database.
async fn open(folder: &Path, database: Option<String>) -> Server {
    let config = Config {
        listen: ([127, 0, 0, 1], 0).into(),
        data: folder.into(),
        database,
        ..Config::default()
    };
    Server::open(config, thinker()).await.unwrap()
}

/// Every game of an earlier version is there, its host returns and goes on, and becomes a person.
async fn continues(folder: &Path, database: Option<String>) {
    let server = open(folder, database).await;
    let registry = Arc::clone(&server.app.registry);
    let shared = registry.shared();
    let key = towers_table::Digest::digest(&[b"device"]);
    let ann = shared.people.sign_in(&key, "").await.unwrap();
    for record in (0..GAMES).map(game) {
        let table = &record.header.table;
        let stored = shared.storage.load(table).await.unwrap().unwrap();
        assert_eq!(stored.record, record);
        let mut host = Participant::join(&registry, table, Some(TOKEN.into())).await;
        let command = Command::Configure {
            settings: Box::new(Settings {
                title: "Later".into(),
                ..Settings::default()
            }),
        };
        assert_eq!(host.ask(command).await, Ok(4), "only the host may do that");
        let stored = shared.storage.load(table).await.unwrap().unwrap();
        assert_eq!(stored.record.entries.len(), 4);
        let (key, person) = (&record.header.key, &ann.person.person);
        shared.people.link(table, key, person, None).await.unwrap();
    }
    let tables = shared.people.tables_of(&ann.person.person).await.unwrap();
    assert_eq!(tables.len(), GAMES);
    registry.stop().await;
}

#[tokio::test]
async fn running_games_of_a_version_without_people_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let base = || only(migrations(), |version| version < 40);
    old_sqlite(folder.path(), base(), &running_games()).await;
    continues(folder.path(), None).await;
    // In PostgreSQL the log was divided into partitions later: before and after that.
    for last in [1001, 1002] {
        let server = towers_test_support::Postgres::start().unwrap();
        let own = only(postgres_migrations(), |version| version <= last);
        old_postgres(&server.url(), base(), own, &running_games()).await;
        continues(folder.path(), Some(server.url())).await;
        let count = server.query("SELECT count(*) FROM entries").unwrap();
        assert_eq!(count, (GAMES * 4).to_string());
        let partitions = "SELECT count(DISTINCT tableoid) FROM entries";
        assert_eq!(server.query(partitions).unwrap(), "8");
        let old = "SELECT count(*) FROM pg_class WHERE relname LIKE 'entries_whole%'";
        assert_eq!(server.query(old).unwrap(), "0");
    }
}

/// Quiet hours were at a fixed distance from UTC. The names of such zones count in the other direction.
#[tokio::test]
async fn quiet_hours_of_an_earlier_version_stay_where_they_were() {
    let people = [("a", 120), ("b", -210), ("c", 0), ("d", 330), ("e", -720)];
    let hours = [2, -3, 0, 5, -12];
    let folder = tempfile::tempdir().unwrap();
    let server = towers_test_support::Postgres::start().unwrap();
    let base = || only(migrations(), |version| version < 46);
    let rows = quiet_people(&people);
    old_sqlite(folder.path(), base(), &rows).await;
    let own = only(postgres_migrations(), |_| true);
    old_postgres(&server.url(), base(), own, &rows).await;
    for database in [None, Some(server.url())] {
        let server = open(folder.path(), database).await;
        let shared = server.app.registry.shared();
        for ((person, _), hours) in people.iter().zip(hours) {
            let (settings, _) = CallStore::of(shared).settings(person).await.unwrap();
            let quiet = settings.quiet.unwrap();
            assert_eq!((quiet.from, quiet.to), (60, 420));
            let offset = settings.zone.to_offset(jiff::Timestamp::UNIX_EPOCH);
            assert_eq!(offset, jiff::tz::offset(hours), "{person}");
        }
    }
}
