//! After a deletion nothing of the person is in the database: every column of every table is read.

use std::path::Path;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor, Row};
use towers_table::Command;

use super::OWNED;
use super::socket_tests::{LOOKUP, link};
use super::test_browser::{TestBrowser, TestServer};

/// Names of columns that identify the owner of a row.
const OWNERS: [&str; 4] = ["person_id", "device_id", "inviter", "key"];

/// Every value of every column of every table, as text; each column once without one.
async fn dump(url: &str) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(file) = url.strip_prefix("sqlite:") {
        let options = crate::storage::SqliteStorage::options(Path::new(file));
        let mut db = sqlx::SqliteConnection::connect_with(&options)
            .await
            .unwrap();
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table'";
        for table in db.fetch_all(tables).await.unwrap() {
            let table: String = table.get(0);
            let columns = format!("SELECT name FROM pragma_table_info('{table}')");
            for column in db.fetch_all(AssertSqlSafe(columns)).await.unwrap() {
                let column: String = column.get(0);
                all.push(format!("{table}.{column}: "));
                let values = format!("SELECT CAST(\"{column}\" AS BLOB) FROM \"{table}\"");
                for value in db.fetch_all(AssertSqlSafe(values)).await.unwrap() {
                    let value: Option<Vec<u8>> = value.get(0);
                    let value = value.unwrap_or_default();
                    let value = String::from_utf8_lossy(&value);
                    all.push(format!("{table}.{column}: {value}"));
                }
            }
        }
    } else {
        let mut db = sqlx::PgConnection::connect(url).await.unwrap();
        let columns = "SELECT table_name::text, column_name::text FROM information_schema.columns \
                       WHERE table_schema = 'public'";
        for row in db.fetch_all(columns).await.unwrap() {
            let (table, column): (String, String) = (row.get(0), row.get(1));
            all.push(format!("{table}.{column}: "));
            let values = format!("SELECT \"{column}\"::text FROM \"{table}\"");
            for value in db.fetch_all(AssertSqlSafe(values)).await.unwrap() {
                let value: Option<String> = value.get(0);
                all.push(format!("{table}.{column}: {}", value.unwrap_or_default()));
            }
        }
    }
    all
}

pub(super) fn find(url: &str, words: &[String]) -> Vec<String> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut all = runtime.block_on(dump(url));
    all.retain(|value| words.iter().any(|word| value.contains(word)));
    all
}

/// Executes statements while the server runs.
async fn execute(url: &str, statements: &[String]) {
    if let Some(file) = url.strip_prefix("sqlite:") {
        let options = crate::storage::SqliteStorage::options(Path::new(file));
        let db = sqlx::SqliteConnection::connect_with(&options).await;
        let mut db = db.unwrap();
        for statement in statements {
            db.execute(AssertSqlSafe(statement.clone())).await.unwrap();
        }
    } else {
        let mut db = sqlx::PgConnection::connect(url).await.unwrap();
        for statement in statements {
            db.execute(AssertSqlSafe(statement.clone())).await.unwrap();
        }
    }
}

/// Rows of a person in all tables that belong to notifications, history, pairing and passkeys.
fn rows(person: &str, other: &str, device: &str, table: &str, key: &str) -> Vec<String> {
    let late = 9_000_000_000_000_000_u64;
    [
        format!("INSERT INTO person_passkeys VALUES ('k', '{person}', 's', 'p', -7, 0, 'Wilhelmine', 1, 1)"),
        format!("INSERT INTO push_subscriptions VALUES ('s', '{device}', 'sealed', 1)"),
        format!("INSERT INTO muted_tables VALUES ('{table}', '{key}')"),
        format!(
            "INSERT INTO open_calls VALUES ('{table}', '{key}', 1, 1, 1, NULL, 't', '[]', NULL, NULL, TRUE)"
        ),
        format!("INSERT INTO webhooks VALUES ('{table}', 's', 'json', 'de', 'o', 0, 0, '{key}')"),
        format!(
            "INSERT INTO results (table_id, game, seat, ended, mode, teams, preset, as_printed, players, rated, \
             agreed, person_id, name, place, won, gain) VALUES ('{table}', 9, 0, 1, 'versus', FALSE, 'capstone', \
             TRUE, 2, TRUE, FALSE, '{person}', 'Wilhelmine', 1, TRUE, 5)"
        ),
        format!(
            "INSERT INTO ratings VALUES ('versus', 'person {person}', '{person}', 1, 1, 1)"
        ),
        format!("INSERT INTO daily_results VALUES ('2026-11-18', '{person}', TRUE, 20, 1)"),
        "INSERT INTO circles VALUES ('alone', 'Wilhelmine and nobody', 1), ('both', 'Both', 1)".into(),
        format!(
            "INSERT INTO circles_people VALUES ('alone', '{person}', 'Wilhelmine', TRUE, 1), \
             ('both', '{person}', 'Wilhelmine', TRUE, 1), ('both', '{other}', 'Ben', TRUE, 1), \
             ('alone', '{other}', 'Ben', FALSE, 1)"
        ),
        format!(
            "INSERT INTO waiting_people VALUES ('{person}', 'Wilhelmine', 'x', FALSE, {late}, {late}, 'r', NULL)"
        ),
        format!(
            "INSERT INTO invitations VALUES ('{table}', '{other}', '{person}', 'Wilhelmine', {late}), \
             ('{table}', '{person}', '{other}', 'Ben', {late})"
        ),
    ]
    .into()
}

/// Names, messages and commands at tables are in the export, and nothing of others.
fn exports_what_was_said(at_tables: &Value, table: &str, second: &str) {
    let at = |id: &str| {
        let all = at_tables.as_array().unwrap().iter();
        let found: Vec<&Value> = all.filter(|part| part["table"] == id).collect();
        assert_eq!(found.len(), 1, "{at_tables}");
        found[0]
    };
    for id in [table, second] {
        assert_eq!(at(id)["names"], json!(["Wilhelmine"]));
    }
    let said = |part: &Value| -> Vec<Value> {
        let entries = part["entries"].as_array().unwrap().iter();
        let chat = entries.filter(|entry| entry["do"]["command"] == "chat");
        chat.map(|entry| entry["do"]["text"].clone()).collect()
    };
    assert_eq!(said(at(table)), ["the secret of Wilhelmine"]);
    let commands = at(table)["entries"].as_array().unwrap().iter();
    let commands: Vec<&str> = commands
        .map(|entry| entry["do"]["command"].as_str().unwrap())
        .collect();
    assert!(
        commands.contains(&"sit") && commands.contains(&"start"),
        "{commands:?}"
    );
    let text = at_tables.to_string();
    for hidden in [
        "a word of another person",
        "Ben",
        "seed",
        "secret\"",
        "\"key\"",
    ] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
}

fn deletion_leaves_nothing(server: &TestServer, url: &str) {
    let (mut ann, mut laptop) = (TestBrowser::signed_in(server), TestBrowser::new(server));
    let (table, token) = ann.create_table("Wilhelmine");
    let mut host = ann.join(&table, Some(&token));
    host.sit("Wilhelmine").unwrap();
    host.chat("the secret of Wilhelmine").unwrap();
    link(&mut ann, &mut laptop);
    assert_eq!(
        ann.post("/api/person/name", &json!({ "name": "Wilhelmine" }))
            .status,
        200
    );
    ann.post("/api/person/recovery", &Value::Null);
    let body = json!({ "lookup": LOOKUP, "bundle": "b" });
    ann.post("/api/person/links", &body);
    let mut ben = TestBrowser::signed_in(server);
    let mut bens = ben.join(&table, None);
    bens.sit("Ben").unwrap();
    bens.chat("a word of another person").unwrap();
    host.ask(Command::Start).unwrap();
    let (second, _) = ben.create_table("Ben");
    laptop.join(&second, None).sit("Wilhelmine").unwrap();
    ann.wait_for_tables(2);
    let calendar = ann.post("/api/person/calendar", &json!({}));
    assert_eq!(calendar.status, 201, "{calendar:?}");
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let early = ann.get("/api/person/export").body;
    let me = text(&early["person"][0]["id"]);
    let device = text(&early["devices"][0]["id"]);
    let bens_id = text(&ben.get("/api/person/export").body["person"][0]["id"]);
    let laptops_token = laptop.join(&second, None).token.unwrap();
    let second_key = crate::secrets::key(&second, &laptops_token);
    let mut filled = rows(&me, &bens_id, &device, &second, &second_key);
    // What others receive about the person.
    let bens_key = crate::secrets::key(&table, &ben.join(&table, None).token.unwrap());
    filled.push(format!(
        "INSERT INTO open_calls VALUES ('{table}', '{bens_key}', 1, 9, 1, NULL, 't', '[\"Wilhelmine\"]', NULL, \
         NULL, TRUE) ON CONFLICT DO NOTHING"
    ));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(execute(url, &filled));
    let exported = ann.get("/api/person/export");
    assert_eq!(exported.status, 200);
    let export = &exported.body;
    for owned in OWNED {
        let rows = export[owned.name].as_array().unwrap();
        assert!(!rows.is_empty(), "the export has no {}", owned.name);
    }
    assert_eq!(export["person"][0]["name"], "Wilhelmine");
    assert_eq!(export["devices"].as_array().unwrap().len(), 2);
    assert_eq!(export["tables"].as_array().unwrap().len(), 2);
    exports_what_was_said(&export["at_tables"], &table, &second);
    let mut words = vec!["Wilhelmine".to_string(), me];
    for device in export["devices"].as_array().unwrap() {
        words.push(text(&device["id"]));
    }
    words.push(crate::secrets::key(&table, &token));
    words.push(second_key);
    for browser in [&ann, &laptop] {
        let hash = super::identity::cookie_hash(browser.cookie.as_deref().unwrap());
        words.push(hash);
        let proof = browser.device.prove("session", "");
        words.push(proof.public_key);
    }
    let found = find(url, &words);
    // A new table is added to `rows` here.
    let all = runtime.block_on(dump(url));
    let columns = all.iter().filter_map(|value| value.split_once(": "));
    let mut checked = 0;
    for (column, _) in columns {
        let (_, name) = column.split_once('.').unwrap();
        if OWNERS.contains(&name) {
            let start = format!("{column}: ");
            let is_there = found.iter().any(|value| value.starts_with(&start));
            assert!(is_there, "the test has nothing in {column}");
            checked += 1;
        }
    }
    assert!(checked > 10, "{checked} values");
    let reply = ann.post("/api/person/delete", &Value::Null);
    assert_eq!(reply.status, 204, "{reply:?}");
    // Nor is anything left where nothing is stored any more.
    if let Some(file) = url.strip_prefix("sqlite:") {
        for file in [file.to_string(), format!("{file}-wal")] {
            let bytes = std::fs::read(&file).unwrap();
            for word in &words {
                let mut parts = bytes.windows(word.len());
                let is_left = parts.any(|part| part == word.as_bytes());
                assert!(!is_left, "{file} still contains {word}");
            }
        }
    }
    assert_eq!(find(url, &words), Vec::<String>::new());
    assert_eq!(ann.cookie, None);
    assert_eq!(laptop.get("/api/person").status, 401);
    assert_eq!(host.wait_for_close(), 1012);
    assert!(!ann.join(&table, Some(&token)).is_known());
    // The others play on, and the record is still valid.
    assert!(ben.join(&table, None).has_seat());
    let summary = ben.get(&format!("/api/tables/{table}")).body.to_string();
    assert!(
        summary.contains("Somebody") && summary.contains("Ben"),
        "{summary}"
    );
}

#[test]
fn deletion_leaves_nothing_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path(), None);
    let file = folder.path().join("towers.db");
    deletion_leaves_nothing(&server, &format!("sqlite:{}", file.display()));
}

#[test]
fn deletion_leaves_nothing_in_postgresql() {
    let folder = tempfile::tempdir().unwrap();
    let database = towers_test_support::Postgres::start().unwrap();
    let server = TestServer::start(folder.path(), Some(database.url()));
    deletion_leaves_nothing(&server, &database.url());
}
