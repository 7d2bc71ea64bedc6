//! People find each other.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::client::TestPerson;
use super::{OnlineServer, until};
use crate::storage::{Statement, Storage};

const PATH: &str = "/api/pairing";

fn wish(person: &TestPerson, players: u8, kind: &str) -> Value {
    json!({ "name": person.name, "players": [players], "kind": kind, "pace": "quick" })
}

/// The table of people who are paired; each has a seat there.
fn table_of(people: &[TestPerson], answers: &[Value]) -> Value {
    for (person, answer) in people.iter().zip(answers) {
        assert_eq!(answer["status"], "paired", "{answer}");
        assert_eq!(answer["table"], answers[0]["table"]);
        let view = person.join(answer["table"].as_str().unwrap()).view();
        assert!(view["you"]["seat"].is_u64(), "{}", view["you"]);
    }
    let table = answers[0]["table"].as_str().unwrap();
    people[0].get(&format!("/api/tables/{table}"))
}

fn wait_together(people: &[TestPerson], kind: &str) -> Vec<Value> {
    let wish = |person| wish(person, people.len() as u8, kind);
    let threads: Vec<_> = people
        .iter()
        .map(|person| person.post_later(PATH, wish(person)))
        .collect();
    threads.into_iter().map(|t| t.join().unwrap()).collect()
}

fn people_find_each_other(ports: [u16; 2], storage: &dyn Storage, runtime: &Runtime) {
    let person = |i: usize, name| TestPerson::new(ports[i % 2], name);
    let two = [person(0, "Ann"), person(1, "Ben")];
    let table = table_of(&two, &wait_together(&two, "versus"));
    assert_eq!(table["clock"]["seconds"], 300);
    // Two people with the same name are told apart.
    let four = [
        person(0, "Cem"),
        person(1, "Dan"),
        person(0, "Eva"),
        person(1, "Eva"),
    ];
    let table = table_of(&four, &wait_together(&four, "teams"));
    assert_eq!(
        (&table["teams"], &table["full"]),
        (&json!(true), &json!(true))
    );
    // Bots take the open seats of those who accept them.
    let ann = &two[0];
    let mut with_bots = wish(ann, 3, "versus");
    with_bots["bots"] = true.into();
    let answer = ann.post(PATH, &with_bots);
    let table = table_of(&two[..1], &[answer]);
    assert_eq!(table["seats"][2]["level"], "adept");
    // Another device of the same person takes over; nobody plays alone.
    let first = ann.post_later(PATH, wish(ann, 2, "versus"));
    let waiting = || {
        let query = Statement::new("SELECT person_id FROM waiting_people");
        runtime.block_on(storage.query(query)).unwrap().len()
    };
    until("Ann waits", || waiting() == 1);
    let second = ann.post_later(PATH, wish(ann, 2, "versus"));
    assert_eq!(first.join().unwrap()["status"], "elsewhere");
    let ben = &two[1];
    let answer = ben.post(PATH, &wish(ben, 2, "versus"));
    assert_eq!(answer["table"], second.join().unwrap()["table"]);
    assert_eq!(waiting(), 0);
    // Somebody who closes the page no longer waits.
    ann.post_and_go(PATH, &wish(ann, 5, "versus"), || {
        until("Ann waits", || waiting() == 1);
    });
    until("Ann has gone", || waiting() == 0);
    let (status, _) = ann.ask("POST", PATH, &wish(ann, 3, "teams"));
    assert_eq!(status, 422, "three cannot play in teams");
    let nobody = ann.ask("POST", PATH, &json!({ "name": "", "players": [2] }));
    assert_eq!(nobody.0, 422);
    // Nobody comes: the answer says so in time, and waiting continues with the next request.
    let answer = ann.post(PATH, &wish(ann, 6, "versus"));
    assert_eq!(
        (&answer["status"], &answer["offers_bots"]),
        (&json!("waiting"), &json!(false))
    );
}

#[test]
fn people_at_one_server_find_each_other() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = OnlineServer::start(&runtime, folder.path(), None);
    let file = folder.path().join("towers.db");
    let storage = runtime.block_on(crate::storage::SqliteStorage::open(&file));
    people_find_each_other([server.port; 2], &storage.unwrap(), &runtime);
    server.stop(&runtime);
}

#[test]
fn people_at_two_servers_find_each_other() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let database = towers_test_support::Postgres::start().unwrap();
    let start = || OnlineServer::start(&runtime, folder.path(), Some(&database.url()));
    let (one, other) = (start(), start());
    let storage = runtime.block_on(crate::storage::tests::postgres(&database.url()));
    people_find_each_other([one.port, other.port], &*storage, &runtime);
    one.stop(&runtime);
    other.stop(&runtime);
}

#[test]
fn a_wish_cannot_keep_the_server_busy() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = OnlineServer::start(&runtime, folder.path(), None);
    let ann = TestPerson::new(server.port, "Ann");
    // Millions of games, each of which was checked, and compared with those of all others, several times a second.
    let mut many = wish(&ann, 2, "versus");
    many["players"] = json!([2].repeat(3000));
    many["editions"] = json!(["oya"].repeat(900));
    let begun = Instant::now();
    let (status, why) = ann.ask("POST", PATH, &many);
    assert_eq!(status, 422, "{why}");
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    server.stop(&runtime);
}

/// Tables of an address are counted, whichever way they are opened.
fn pairing_has_the_budget_of_new_tables(database: Option<&str>) {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let change = |config: &mut crate::Config| config.limits.tables_per_address = 3;
    let server = OnlineServer::start_with(&runtime, folder.path(), database, change);
    let people = [
        TestPerson::new(server.port, "Ann"),
        TestPerson::new(server.port, "Ben"),
    ];
    let with_bots = |person| {
        let mut wish = wish(person, 3, "versus");
        wish["bots"] = true.into();
        wish
    };
    for person in [&people[0], &people[1], &people[0]] {
        assert_eq!(person.post(PATH, &with_bots(person))["status"], "paired");
    }
    for person in &people {
        let (status, why) = person.ask("POST", PATH, &with_bots(person));
        assert_eq!(status, 429, "{why}");
    }
    server.stop(&runtime);
}

#[test]
fn pairing_has_the_budget_of_new_tables_with_sqlite() {
    pairing_has_the_budget_of_new_tables(None);
}

#[test]
fn pairing_has_the_budget_of_new_tables_with_postgresql() {
    let database = towers_test_support::Postgres::start().unwrap();
    pairing_has_the_budget_of_new_tables(Some(&database.url()));
}

#[test]
fn nobody_is_paired_while_there_is_little_disk_space() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let change = |config: &mut crate::Config| config.min_free_space = u64::MAX;
    let server = OnlineServer::start_with(&runtime, folder.path(), None, change);
    let ann = TestPerson::new(server.port, "Ann");
    let (status, why) = ann.ask("POST", PATH, &wish(&ann, 2, "versus"));
    assert_eq!((status, &why["code"]), (503, &json!("disk_low")), "{why}");
    server.stop(&runtime);
}
