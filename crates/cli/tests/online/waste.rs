//! Protection of the disk: commands without effect are not stored, commands other than moves have a budget, the last
//! space is reserved for games, and old tables are deleted.

use std::time::{Duration, Instant};

use sqlx::{Connection, Row, SqliteConnection};
use towers_table::{BotLevel, Command, Refusal, Settings};

use super::client::{Client, PATIENCE, bot, sit};
use super::player::{TestRandom, choose, gather, play_on};
use super::process::{Data, Process, create, create_from, http, towers};

fn ready(ready: bool) -> Command {
    Command::Ready { ready }
}

#[tokio::test]
async fn a_command_that_changes_nothing_is_accepted_and_not_stored() {
    let data = Data::new();
    let process = Process::start(&data.path());
    // Ann is the starting player: a bot would move while entries are counted.
    let settings = r#"{"seats":3,"title":"ours","start":{"seat":0}}"#;
    let (table, token) = create(process.port, "Ann", settings).await;
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    ann.ok(sit("Ann")).await;
    let mut ben = Client::connect(process.port, &table, None).await;
    ben.ok(sit("Ben")).await;
    ann.ok(bot()).await;
    let number = ann.ok(ready(true)).await;
    let settings: Box<Settings> = Box::new(serde_json::from_str(settings).unwrap());
    let again = Command::AddBot {
        seat: Some(towers_rules::Seat(2)),
        level: BotLevel::Novice,
    };
    for _ in 0..20 {
        for command in [
            ready(true),
            again.clone(),
            Command::Configure {
                settings: settings.clone(),
            },
        ] {
            assert_eq!(ann.ok(command.clone()).await, number, "{command:?}");
        }
        assert_eq!(ben.ok(sit("Ben")).await, number);
    }
    assert_eq!(ann.ok(ready(false)).await, number + 1);
    ann.ok(Command::Start).await;
    let pass = Command::Stops { everywhere: true };
    let number = ben.ok(pass.clone()).await;
    let end = Command::End { agree: true };
    let number = number.max(ben.ok(end.clone()).await);
    for _ in 0..20 {
        assert_eq!(ben.ok(pass.clone()).await, number);
        assert_eq!(ben.ok(end.clone()).await, number);
    }
}

async fn toggle_until_refused(client: &mut Client) -> (u32, Refusal) {
    let mut stored = 0;
    loop {
        match client.ask(ready(stored % 2 == 0)).await {
            Ok(_) => stored += 1,
            Err(why) => return (stored, why),
        }
        assert!(stored < 500, "there is no end to it");
    }
}

#[tokio::test]
async fn an_address_has_a_budget_for_everything_but_moves_and_connecting_again_gives_no_more() {
    let data = Data::new();
    let args = ["--entries-per-address", "60"];
    let process = Process::start_quick_with(&data.path(), &args);
    let (table, mut clients) = gather(process.port, r#"{"seats":2}"#, 1).await;
    let (_, why) = toggle_until_refused(&mut clients[0]).await;
    assert_eq!(why.code, "too_fast");
    // On another connection, and at another table.
    let mut again = Client::connect(process.port, &table, Some(&clients[0].token)).await;
    assert!(toggle_until_refused(&mut again).await.0 <= 1);
    let (other, token) = create(process.port, "Ann", "{}").await;
    let mut ann = Client::connect(process.port, &other, Some(&token)).await;
    assert_eq!(ann.ask(sit("Ann")).await.unwrap_err().code, "too_fast");
}

#[tokio::test]
async fn a_table_has_a_budget_for_everything_but_moves() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--entries-per-table", "60"]);
    let settings = r#"{"seats":2,"options":{"max_rounds":2}}"#;
    let (_, mut clients) = gather(process.port, settings, 1).await;
    let (_, mut others) = gather(process.port, settings, 1).await;
    let mut ann = clients.pop().unwrap();
    ann.ok(Command::Start).await;
    let mut number = 0;
    while let Ok(next) = ann
        .ask(Command::Stops {
            everywhere: number % 2 == 0,
        })
        .await
    {
        assert!(next < 5000, "there is no end to it");
        number += 1;
    }
    // The game continues to its end.
    play_on(ann, 3).await;
    // Other tables have their own budget.
    assert!(toggle_until_refused(&mut others[0]).await.0 > 20);
}

#[tokio::test]
async fn one_address_cannot_use_up_the_budget_of_a_table() {
    let data = Data::new();
    let args = ["--entries-per-table", "60", "--trust-proxy"];
    let process = Process::start_quick_with(&data.path(), &args);
    let (port, ours, theirs) = (process.port, "10.0.0.1", "10.0.0.2");
    let header = format!("X-Forwarded-For: {ours}");
    let (table, token) = create_from(port, "Ann", r#"{"seats":3}"#, &[&header]).await;
    // A stranger comes, leaves, and comes back as somebody else.
    let mut refused = false;
    for i in 0..100 {
        let mut eve = Client::connect_from(port, &table, None, Some(theirs)).await;
        let sat = eve.ask(sit(&format!("Eve {i}"))).await;
        let left = eve.ask(Command::Leave).await;
        refused = sat.is_err() || left.is_err();
        if refused {
            break;
        }
    }
    assert!(refused, "there is no limit");
    let mut ann = Client::connect_from(port, &table, Some(&token), Some(ours)).await;
    ann.ok(sit("Ann")).await;
    while ann.ask(bot()).await.is_ok() {}
    ann.ok(Command::Start).await;
}

#[tokio::test]
async fn with_little_disk_space_games_go_on_and_nothing_new_begins() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, clients) = gather(process.port, r#"{"seats":2,"start":{"seat":0}}"#, 1).await;
    let token = clients[0].token.clone();
    assert!(process.stop());
    // More than any disk has.
    let args = ["--min-free-space", "1000000000000"];
    let process = Process::start_quick_with(&data.path(), &args);
    let port = process.port;
    let opened = http(port, "POST", "/api/tables", &[], r#"{"name":"Cy"}"#).await;
    assert_eq!(opened.status, 503, "{}", opened.body);
    assert!(opened.body.contains("disk_low"), "{}", opened.body);
    let mut ann = Client::connect(port, &table, Some(&token)).await;
    let settings: Settings = serde_json::from_str(r#"{"seats":2,"title":"new"}"#).unwrap();
    let settings = Box::new(settings);
    let refused = ann.ask(Command::Configure { settings }).await;
    assert_eq!(refused.unwrap_err().code, "disk_low");
    ann.ok(Command::Start).await;
    let game = ann.view().await.game.unwrap();
    let (decision, action) = choose(&game, &mut TestRandom(1)).unwrap();
    let decision = Some(decision);
    ann.ok(Command::Act { action, decision }).await;
    let health = http(port, "GET", "/health/ready", &[], "").await;
    assert_eq!(health.status, 200);
    assert!(health.body.contains("little disk space"), "{}", health.body);
    let metrics = http(port, "GET", "/metrics", &[], "").await.body;
    assert!(metrics.contains("\ntowers_disk_low 1\n"), "{metrics}");
    assert!(
        !metrics.contains("\ntowers_disk_free_bytes 0\n"),
        "{metrics}"
    );
}

#[tokio::test]
async fn tables_that_nobody_visits_are_deleted_for_good_if_the_operator_wants_it() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    for _ in 0..3 {
        gather(process.port, r#"{"seats":2}"#, 1).await;
    }
    let (table, _) = create(process.port, "Ann", "{}").await;
    assert!(process.stop());
    let prune = |args: &[&str]| {
        let mut program = towers();
        program.args(["admin", "prune", "--data"]).arg(data.path());
        let output = program.args(args).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(prune(&["--delete-after", "1", "--dry-run"]).starts_with("0 tables would be"));
    let soon = ["--delete-after", "0.0000001", "--dry-run"];
    let begun = Instant::now();
    while !prune(&soon).starts_with("4 tables would be") {
        assert!(begun.elapsed() < PATIENCE, "{}", prune(&soon));
    }
    assert!(
        prune(&soon).starts_with("4 tables would be"),
        "nothing was deleted"
    );
    let process = Process::start_quick_with(&data.path(), &["--delete-after", "0.0000001"]);
    let path = format!("/api/tables/{table}");
    while http(process.port, "GET", &path, &[], "").await.status != 404 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    drop(process);
    assert!(prune(&soon).starts_with("0 tables would be"));
    let file = format!("sqlite://{}", data.path().join("towers.db").display());
    let mut db = SqliteConnection::connect(&file).await.unwrap();
    for name in ["tables", "entries", "leases"] {
        let query = format!("SELECT COUNT(*) FROM {name}");
        let row = sqlx::query(sqlx::AssertSqlSafe(query))
            .fetch_one(&mut db)
            .await
            .unwrap();
        assert_eq!(row.get::<i64, _>(0), 0, "{name}");
    }
}
