//! A database of an earlier version, with a running game and quiet hours, is migrated, and the game goes on.

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor};

use super::{Evening, Player, Site};
use crate::storage::{SqliteStorage, migrations, postgres_migrations};

/// The last version in which a person had a distance from UTC instead of a time zone.
const EARLIER: i64 = 45;
/// The names of migrations for `PostgreSQL` alone begin with this number.
const POSTGRES_ONLY: i64 = 1000;

/// Distances from UTC in minutes, and the time zones that become of them. Their names count the other way round.
const ZONES: [(i64, &str); 3] = [(120, "Etc/GMT-2"), (-210, "Etc/GMT+3"), (0, "Etc/GMT-0")];

fn earlier() -> sqlx::migrate::Migrator {
    let mut migrations = migrations();
    let all = migrations.migrations.iter();
    let all = all.filter(|m| m.version <= EARLIER || m.version > POSTGRES_ONLY);
    migrations.migrations = all.cloned().collect();
    migrations
}

/// A game of two with its tokens, as statements for a database of the earlier version.
async fn running_game() -> (Evening, Vec<String>) {
    let site = Site::start(None).await;
    let mut evening = Evening::new(&site, json!({ "kind": "none" })).await;
    evening.start();
    let text = |text: String| format!("'{}'", text.replace('\'', "''"));
    let mut all = Vec::new();
    for row in site.query("SELECT id, header, summary FROM tables").await {
        let [id, header, summary] = [0, 1, 2].map(|column| text(row.text(column).unwrap()));
        all.push(format!(
            "INSERT INTO tables (id, header, created, stage, listed, summary, visited) \
             VALUES ({id}, {header}, 5, 'playing', FALSE, {summary}, 5)"
        ));
    }
    for row in site
        .query("SELECT table_id, number, line FROM entries")
        .await
    {
        let [id, line] = [0, 2].map(|column| text(row.text(column).unwrap()));
        let number = row.number(1).unwrap();
        all.push(format!(
            "INSERT INTO entries VALUES ({id}, {number}, {line})"
        ));
    }
    // People without a device are deleted a while after they were created.
    let now = site.shared.clock.now();
    for (offset, zone) in ZONES {
        all.push(format!(
            "INSERT INTO people (id, name, created, guarded) VALUES ('{zone}', '', {now}, FALSE)"
        ));
        all.push(format!(
            "INSERT INTO call_settings VALUES ('{zone}', 'en', 60, 120, {offset}, NULL)"
        ));
    }
    site.stop().await;
    (evening, all)
}

/// The settings are kept, and both players act at the table as before.
async fn continues(site: Site, evening: &Evening) {
    for (_, zone) in ZONES {
        let (settings, _) = site.store().settings(zone).await.unwrap();
        assert_eq!(settings.zone.iana_name(), Some(zone));
        assert!(settings.quiet.is_some());
    }
    let mut ben = Player::connect(&site, &evening.table, &evening.ben_token);
    let before = ben.view().number;
    ben.finish_turn();
    assert!(ben.view().number > before, "Ben has played");
    let mut ann = Player::connect(&site, &evening.table, &evening.ann_token);
    ann.finish_turn();
    assert!(
        !ben.view().game.unwrap().legal.is_empty(),
        "it is his turn again"
    );
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_of_an_earlier_database_goes_on_with_time_zones() {
    let (evening, statements) = running_game().await;
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteStorage::options(&folder.path().join("towers.db"));
    let mut old = sqlx::SqliteConnection::connect_with(&options)
        .await
        .unwrap();
    earlier().run(&mut old).await.unwrap();
    for statement in statements.clone() {
        old.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    old.close().await.unwrap();
    continues(Site::start_in(folder, None, |_| {}).await, &evening).await;

    let server = towers_test_support::Postgres::start().unwrap();
    let mut old = sqlx::PgConnection::connect(&server.url()).await.unwrap();
    earlier().run(&mut old).await.unwrap();
    postgres_migrations().run(&mut old).await.unwrap();
    for statement in statements {
        old.execute(AssertSqlSafe(statement)).await.unwrap();
    }
    old.close().await.unwrap();
    continues(Site::start(Some(server.url())).await, &evening).await;
}
