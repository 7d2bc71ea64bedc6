//! An evening of rated games, and the deal of the day.

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use towers_table::DailyDeals;

use super::client::{TestPerson, TestSocket};
use super::{OnlineServer, until};
use crate::storage::{SqliteStorage, Statement, Storage};

/// Opens a rated table; everybody sits down, and a bot, too.
fn gather(people: &[&TestPerson]) -> (String, Vec<TestSocket>) {
    let settings = json!({
        "seats": people.len() + 1,
        "rated": true,
        "options": { "max_rounds": 60 },
    });
    let new = json!({ "name": people[0].name, "settings": settings });
    let created = people[0].post("/api/tables", &new);
    let table = created["table"].as_str().unwrap().to_string();
    let mut sockets: Vec<TestSocket> = Vec::new();
    for (i, person) in people.iter().enumerate() {
        let mut socket = if i == 0 {
            person.join_with(&table, created["token"].as_str())
        } else {
            person.join(&table)
        };
        socket.command(&json!({ "command": "sit", "name": person.name }));
        sockets.push(socket);
    }
    sockets[0].command(&json!({ "command": "add_bot", "level": "novice" }));
    (table, sockets)
}

fn play(sockets: Vec<TestSocket>, game: u64) -> Vec<TestSocket> {
    let threads = sockets.into_iter().map(|socket| socket.play(game));
    let threads: Vec<_> = threads.collect();
    threads.into_iter().map(|t| t.join().unwrap()).collect()
}

fn games(person: &TestPerson) -> Vec<Value> {
    let games = person.get("/api/person/games?most=100");
    games["games"].as_array().unwrap().clone()
}

/// Four rated games at one table, with people at two servers if there are two.
fn evening(ann: &TestPerson, ben: &TestPerson) -> String {
    let (table, mut sockets) = gather(&[ann, ben]);
    sockets[0].command(&json!({ "command": "start" }));
    for game in 1..=4 {
        sockets = play(sockets, game);
        if game < 4 {
            for socket in &mut sockets {
                socket.command(&json!({ "command": "rematch" }));
            }
        }
    }
    until("all games are in the list", || games(ann).len() == 4);
    let list = games(ben);
    assert_eq!(list.len(), 4);
    let first = &list[0];
    assert_eq!(
        (first["game"].as_u64(), &first["rated"]),
        (Some(4), &json!(true))
    );
    assert_eq!(first["seats"][0]["name"], "Ann");
    assert_eq!(first["seats"][1]["you"], true);
    assert_eq!(first["seats"][2]["bot"], "novice");
    assert_eq!(first["path"], format!("/t/{table}"));
    let totals = ann.get("/api/person/totals");
    assert_eq!(totals["all"]["games"], 4);
    assert_eq!(totals["modes"]["versus"]["games"], 4);
    assert_eq!(totals["ratings"]["versus"]["games"], 4);
    assert!(totals["ratings"]["versus"]["uncertainty"].as_i64().unwrap() < 1000);
    assert_eq!(totals["bots"]["novice"]["games"], 4);
    let opponents = totals["opponents"].as_object().unwrap();
    let (reference, of_ben) = opponents.iter().next().unwrap();
    assert_eq!(of_ben["name"], "Ben");
    assert_eq!(
        ann.get("/api/ratings")["bots"]["versus"]["novice"]["games"],
        4
    );
    // The circle of the evening.
    let circle = ann.post("/api/circles", &json!({ "name": "Friday" }));
    let path = format!("/api/circles/{}", circle["circle"].as_str().unwrap());
    let (status, _) = ben.ask("GET", &path, &Value::Null);
    assert_eq!(status, 404, "Ben is not in it");
    ann.post(&format!("{path}/invite"), &json!({ "person": reference }));
    assert_eq!(ben.get("/api/circles")["circles"][0]["accepted"], false);
    ben.post(&format!("{path}/accept"), &Value::Null);
    let standings = ben.get(&path);
    assert_eq!(standings["games"], 4);
    let members = standings["members"].as_array().unwrap();
    let of = |field: &str| {
        members
            .iter()
            .map(|m| m[field].as_f64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("games"), [4.0, 4.0]);
    let points = of("points");
    assert!(
        points[0] >= points[1] && points.iter().sum::<f64>() >= 4.0,
        "{points:?}"
    );
    let pair = &standings["pairs"][0];
    let all = ["first_ahead", "second_ahead", "tied"].map(|f| pair[f].as_u64().unwrap());
    assert_eq!(all.iter().sum::<u64>(), 4);
    let tomorrow = ben.get(&format!("{path}?since=9999999999999"));
    assert_eq!(tomorrow["games"], 0);
    // References of one person are not valid for another.
    let (status, _) = ben.ask(
        "POST",
        &format!("{path}/invite"),
        &json!({ "person": reference }),
    );
    assert_eq!(status, 403);
    // Ann invites Ben to a table again.
    let invite = json!({ "person": reference, "table": table });
    ann.post("/api/person/invite", &invite);
    let invitations = ben.get("/api/person/invitations");
    assert_eq!(invitations["invitations"][0]["name"], "Ann");
    ben.post(
        "/api/person/invitations/dismiss",
        &json!({ "table": table }),
    );
    assert_eq!(ben.get("/api/person/invitations")["invitations"], json!([]));
    one_tap(ann, ben, reference, &path);
    // A circle of a table invites everybody who played there.
    let new = json!({ "name": "Saturday", "table": table });
    let circle = ann.post("/api/circles", &new);
    assert_eq!(
        ben.get("/api/circles")["circles"].as_array().unwrap().len(),
        2
    );
    assert_eq!(
        circle["path"].as_str().unwrap().rsplit('/').next(),
        circle["circle"].as_str()
    );
    table
}

/// New tables with former opponents, opened by one request.
fn one_tap(ann: &TestPerson, ben: &TestPerson, ben_for_ann: &str, circle: &str) {
    let play = format!("{circle}/play");
    for (path, body) in [
        ("/api/person/invite", json!({ "person": ben_for_ann })),
        (play.as_str(), Value::Null),
    ] {
        let opened = ann.post(path, &body);
        let table = opened["table"].as_str().unwrap();
        let view = ann.join(table).view();
        assert_eq!(view["you"]["seat"], 0, "Ann has a seat at once");
        assert_eq!(view["settings"]["rated"], true, "like the last game");
        let invitations = ben.get("/api/person/invitations");
        assert_eq!(invitations["invitations"][0]["table"], table);
        // Sitting down answers the invitation.
        let mut socket = ben.join(table);
        socket.command(&json!({ "command": "sit", "name": "Ben" }));
        let answered = || ben.get("/api/person/invitations")["invitations"] == json!([]);
        until("the invitation is answered", answered);
    }
}

#[test]
fn an_evening_of_rated_games_has_standings_and_survives_a_crash() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = OnlineServer::start(&runtime, folder.path(), None);
    let mut ann = TestPerson::new(server.port, "Ann");
    let ben = TestPerson::new(server.port, "Ben");
    let table = evening(&ann, &ben);
    server.stop(&runtime);
    // As if the server had died between the last entry and the result.
    runtime.block_on(async {
        let storage = SqliteStorage::open(&folder.path().join("towers.db"))
            .await
            .unwrap();
        let delete = Statement::new("DELETE FROM results WHERE game = 4");
        storage.transact(vec![delete]).await.unwrap();
        storage.close().await.unwrap();
    });
    let server = OnlineServer::start(&runtime, folder.path(), None);
    ann.port = server.port;
    assert_eq!(games(&ann).len(), 3);
    ann.join(&table);
    until("the result is stored", || games(&ann).len() == 4);
    server.stop(&runtime);
}

#[test]
fn an_evening_is_played_at_two_servers() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let database = towers_test_support::Postgres::start().unwrap();
    let start = || OnlineServer::start(&runtime, folder.path(), Some(&database.url()));
    let (one, other) = (start(), start());
    let ann = TestPerson::new(one.port, "Ann");
    let ben = TestPerson::new(other.port, "Ben");
    evening(&ann, &ben);
    one.stop(&runtime);
    other.stop(&runtime);
}

#[test]
fn the_board_of_the_day_refuses_forged_records() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let server = OnlineServer::start(&runtime, folder.path(), None);
    let ann = TestPerson::new(server.port, "Ann");
    let deals: DailyDeals = serde_json::from_value(ann.get("/api/daily")).unwrap();
    let day = &deals.today.day;
    let record = crate::history::deal_record(&deals.today.seed);
    let send = |text: String| {
        let body = json!({ "day": day, "record": text });
        ann.ask("POST", "/api/daily/results", &body)
    };
    let wish = |keeps_deals: bool, statistics: bool| {
        let wishes = json!({ "keeps_deals": keeps_deals, "statistics": statistics });
        ann.post("/api/person/scores", &wishes);
        assert_eq!(ann.get("/api/person/scores"), wishes);
    };
    // Nothing is kept of people who have not asked for it, also when a device sends it.
    assert_eq!(send(record.to_text()).0, 403);
    assert_eq!(ann.get("/api/daily/board")["yours"], Value::Null);
    wish(true, false);
    let mut forged = record.clone();
    forged.entries.truncate(forged.entries.len() - 3);
    let (status, why) = send(forged.to_text());
    assert_eq!(status, 422, "{why}");
    let other = crate::history::deal_record(&towers_table::Hex([7; 32]));
    assert_eq!(send(other.to_text()).0, 422);
    assert_eq!(send("nonsense".into()).0, 422);
    let (status, answer) = send(record.to_text());
    assert_eq!(status, 200, "{answer}");
    let board = || ann.get("/api/daily/board");
    assert_eq!(board()["people"], 0);
    assert_eq!(board()["yours"], answer["best"]);
    // One's own records do not depend on the board that everybody sees.
    assert_eq!(ann.get("/api/person/totals")["daily"]["days"], 1);
    wish(true, true);
    assert_eq!(board()["people"], 1);
    let tomorrow = json!({ "day": deals.tomorrow.day, "record": record.to_text() });
    assert_eq!(ann.ask("POST", "/api/daily/results", &tomorrow).0, 422);
    server.stop(&runtime);
}

#[test]
fn what_reads_many_rows_has_a_budget_of_its_own() {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let change = |config: &mut crate::Config| config.limits.messages_per_second = 2;
    let server = OnlineServer::start_with(&runtime, folder.path(), None, change);
    let ann = TestPerson::new(server.port, "Ann");
    let ask = |path: &str| ann.ask("GET", path, &Value::Null).0;
    for _ in 0..6 {
        assert_eq!(ask("/api/person/totals"), 200);
    }
    let replay = "/me/games/3k9x7m2qh5v8w0abcdef/1";
    for path in ["/api/person/companions", "/me/games", "/scores", replay] {
        assert_eq!(ask(path), 429, "{path}");
    }
    assert_eq!(ask("/api/ratings"), 200);
    server.stop(&runtime);
}
