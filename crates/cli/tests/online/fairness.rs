//! The dice are derived from the server's secret and a number from every person's device, and every device can verify
//! that.

use std::time::{Duration, Instant};

use towers_rules::Seat;
use towers_table::{
    Command, Digest, Hex, REVEAL_TIME, Record, Seed, ServerMessage, Stage, TableView,
    commitment_to_number, seed_of_game, verify,
};

use super::client::{Client, sit};
use super::player::{gather, play_together};
use super::process::{Data, Process, create, http, towers, verified_record};

const SETTINGS: &str = r#"{"seats":2,"options":{"max_rounds":3}}"#;

fn number(byte: u8) -> Seed {
    Hex([byte; 32])
}

fn commit(byte: u8) -> Command {
    Command::Commit {
        commitment: commitment_to_number(&number(byte)),
    }
}

fn reveal(byte: u8) -> Command {
    Command::Reveal {
        number: number(byte),
    }
}

/// Polls the table until a condition holds.
async fn wait(client: &mut Client, mut holds: impl FnMut(&TableView) -> bool) -> TableView {
    loop {
        let view = client.view().await;
        if holds(&view) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Lets all devices commit, starts the game, and lets all devices reveal. Returns the server's commitment.
async fn start_together(clients: &mut [Client], start: &[Command]) -> Digest {
    for (byte, client) in (1..).zip(clients.iter_mut()) {
        client.ok(commit(byte)).await;
    }
    let promised = clients[0].view().await.next_commitment.unwrap();
    for (client, command) in clients.iter_mut().zip(start) {
        client.ok(command.clone()).await;
    }
    for (byte, client) in (1..).zip(clients.iter_mut()) {
        client.ok(reveal(byte)).await;
    }
    promised
}

/// Runs `towers verify` with a commitment noted before the game.
fn verify_with(record: &Record, commitment: Digest) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.jsonl");
    std::fs::write(&file, record.to_text()).unwrap();
    let output = towers()
        .arg("verify")
        .arg(&file)
        .args(["--commitment", &commitment.to_string()])
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_device_contributes_to_the_dice_and_can_check_them() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, SETTINGS, 2).await;
    let first = start_together(&mut clients, &[Command::Start]).await;
    let view = wait(&mut clients[0], |view| view.stage == Stage::Playing).await;
    assert_eq!(view.commitment, Some(first));
    assert_eq!(
        (view.secret, view.seed, view.next_commitment),
        (None, None, None)
    );
    let mut clients = play_together(clients, 1).await;
    let over = clients[0].view().await;
    let secret = over.secret.unwrap();
    assert_eq!(secret.commitment(), first);
    assert_eq!(over.seed, Some(seed_of_game(&secret, &over.devices)));
    let numbers: Vec<_> = over.devices.iter().map(|device| device.number).collect();
    assert_eq!(numbers, [Some(number(1)), Some(number(2))]);
    // In the next game, the revealed secret is the commitment, and the devices give new numbers.
    let rematch = [Command::Rematch, Command::Rematch];
    let second = start_together(&mut clients, &rematch).await;
    assert_eq!(second, secret);
    play_together(clients, 2).await;
    let record = verified_record(process.port, &table).await;
    assert!(!record.to_text().contains(&table), "the link is private");
    for (game, commitment) in [(1, first), (2, second)] {
        let (code, said) = verify_with(&record, commitment);
        assert_eq!(code, Some(0), "{said}");
        let expected = format!("game {game}: has the commitment that was noted");
        assert!(said.contains(&expected), "{said}");
        assert!(said.contains("the numbers of 2 devices"), "{said}");
    }
    let (code, said) = verify_with(&record, number(9));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("not the record of the game"), "{said}");
}

#[tokio::test]
async fn a_silent_device_is_left_out_and_named_within_seconds() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, SETTINGS, 2).await;
    clients[0].ok(commit(1)).await;
    clients[1].ok(commit(2)).await;
    clients[0].ok(Command::Start).await;
    clients[0].ok(reveal(1)).await;
    let begun = Instant::now();
    let draw = clients[1].view().await.draw.unwrap();
    assert_eq!(draw.awaited, [Seat(1)]);
    // Commitments are fixed during the draw, and a wrong number is refused.
    assert_eq!(
        clients[1].ask(reveal(3)).await.unwrap_err().code,
        "wrong_number"
    );
    assert_eq!(clients[1].ask(commit(3)).await.unwrap_err().code, "game_on");
    let view = wait(&mut clients[1], |view| view.stage == Stage::Playing).await;
    let waited = begun.elapsed().as_millis() as u64;
    // The additional time is for slow machines.
    assert!(waited < REVEAL_TIME + 10_000, "{waited} ms");
    let numbers: Vec<_> = view.devices.iter().map(|device| device.number).collect();
    assert_eq!(numbers, [Some(number(1)), None]);
    assert_eq!(clients[1].ask(reveal(2)).await.unwrap_err().code, "no_draw");
    play_together(clients, 3).await;
    let record = verified_record(process.port, &table).await;
    let (_, said) = verify_with(&record, view.commitment.unwrap());
    assert!(said.contains("left out: seat 1"), "{said}");
}

#[tokio::test]
async fn a_server_that_dies_during_the_draw_goes_on_with_it() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, SETTINGS, 2).await;
    clients[0].ok(commit(1)).await;
    clients[1].ok(commit(2)).await;
    let promised = clients[0].view().await.next_commitment;
    clients[0].ok(Command::Start).await;
    clients[0].ok(reveal(1)).await;
    process.kill();
    let process = Process::start(&data.path());
    let mut again = Vec::new();
    for client in &clients {
        again.push(Client::connect(process.port, &table, Some(&client.token)).await);
    }
    // The revealed number was stored, and the other device gets the full time again.
    assert_eq!(again[1].view().await.draw.unwrap().awaited, [Seat(1)]);
    again[1].ok(reveal(2)).await;
    let view = wait(&mut again[0], |view| view.stage == Stage::Playing).await;
    assert_eq!(view.commitment, promised);
    assert!(view.devices.iter().all(|device| device.number.is_some()));
    play_together(again, 4).await;
    verified_record(process.port, &table).await;
}

#[tokio::test]
async fn a_table_in_a_draw_is_looked_after_though_nobody_comes_back() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, SETTINGS, 2).await;
    clients[0].ok(commit(1)).await;
    clients[0].ok(Command::Start).await;
    process.kill();
    drop(clients);
    let process = Process::start(&data.path());
    let path = format!("/api/tables/{table}");
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let summary = http(process.port, "GET", &path, &[], "").await.body;
        if summary.contains(r#""stage":"playing""#) {
            break;
        }
        assert!(Instant::now() < patience, "{summary}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_server_ends_the_draw_of_one_that_died() {
    let postgres = towers_test_support::Postgres::start().unwrap_or_else(|why| panic!("{why}"));
    let start = || {
        let data = Data::new();
        Process::start_quick_with(&data.path(), &["--database-url", &postgres.url()])
    };
    let (mut a, b) = (start(), start());
    let (table, token) = create(a.port, "Ann", SETTINGS).await;
    let mut ann = Client::connect(a.port, &table, Some(&token)).await;
    ann.ok(sit("Ann")).await;
    let mut ben = Client::connect(b.port, &table, None).await;
    ben.ok(sit("Ben")).await;
    ann.ok(commit(1)).await;
    ben.ok(commit(2)).await;
    let promised = ben.view().await.next_commitment;
    ann.ok(Command::Start).await;
    ben.until(|message| match message {
        ServerMessage::Happened(update) => update.seen.events.iter().find_map(|event| {
            let event = serde_json::to_value(event).ok()?;
            (event["event"] == "drawing").then_some(())
        }),
        _ => None,
    })
    .await;
    a.kill();
    ben.ok(reveal(2)).await;
    let view = wait(&mut ben, |view| view.stage == Stage::Playing).await;
    assert_eq!(view.commitment, promised);
    let numbers: Vec<_> = view.devices.iter().map(|device| device.number).collect();
    assert_eq!(numbers, [None, Some(number(2))]);
    let ann = Client::connect(b.port, &table, Some(&token)).await;
    play_together(vec![ann, ben], 5).await;
    let record = verified_record(b.port, &table).await;
    assert_eq!(
        verify(&record).unwrap().game_of(&promised.unwrap()),
        Some(1)
    );
}
