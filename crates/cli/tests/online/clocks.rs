//! Clocks that run out in real time, and returning players.

use towers_rules::{Phase, Seat};
use towers_table::{AnyEvent, BotLevel, Command, ServerMessage, StandInReason, TableEvent, Update};

use super::client::Client;
use super::player::{TestRandom, choose, gather, play_on};
use super::process::{Data, Process, verified_record};

/// Waits for a table event.
async fn wait_for_event<T>(
    client: &mut Client,
    mut pick: impl FnMut(&TableEvent) -> Option<T>,
) -> T {
    client
        .until(|message| match message {
            ServerMessage::Happened(Update { seen, .. }) => {
                seen.events.iter().find_map(|e| match e {
                    AnyEvent::Table(event) => pick(event),
                    AnyEvent::Game(_) => None,
                })
            }
            _ => None,
        })
        .await
}

#[tokio::test]
async fn when_time_runs_out_a_bot_plays_on_until_the_person_is_back() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":2,"start":{"seat":0},"clock":{"kind":"move","seconds":5},"stand_in":"novice","options":{"max_rounds":3}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    let ben = clients.pop().unwrap();
    let mut ann = clients.pop().unwrap();
    ann.ok(Command::Start).await;
    let ben = tokio::spawn(play_on(ben, 7));
    // Ann does nothing.
    let (level, why) = wait_for_event(&mut ann, |e| match e {
        TableEvent::StoodIn { level, why, .. } => Some((*level, *why)),
        _ => None,
    })
    .await;
    assert_eq!((level, why), (BotLevel::Novice, StandInReason::TimeUp));
    let played = ann
        .until(|m| match m {
            ServerMessage::Happened(Update { seen, .. }) => {
                matches!(seen.by, Some(towers_table::Who::Bot(_))).then_some(())
            }
            _ => None,
        })
        .await;
    let () = played;
    // The game may be over before she returns, because bots are quick.
    let back = ann.ask(Command::Back).await;
    if back.is_ok() {
        let ann = play_on(ann, 9).await;
        drop(ann);
    }
    ben.await.unwrap();
    verified_record(process.port, &table).await;
}

#[tokio::test]
async fn a_disconnected_player_is_away_can_be_replaced_and_comes_back() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--away-after", "0.3"]);
    let settings = r#"{"seats":2,"start":{"seat":0}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    let mut ben = clients.pop().unwrap();
    let mut ann = clients.pop().unwrap();
    ann.ok(Command::Start).await;
    let token = ben.token.clone();
    ben.socket.close(None).await.unwrap();
    wait_for_event(&mut ann, |e| {
        matches!(e, TableEvent::WentAway { .. }).then_some(())
    })
    .await;
    ann.ok(Command::Replace {
        seat: Seat(1),
        level: None,
    })
    .await;
    let mut ben = Client::connect(process.port, &table, Some(&token)).await;
    assert!(ben.view().await.seats[1].stand_in.is_some());
    ben.ok(Command::Back).await;
    assert!(ben.view().await.seats[1].stand_in.is_none());
    // Away again, and reconnected before a bot took over: the server marks him as back.
    ben.socket.close(None).await.unwrap();
    wait_for_event(&mut ann, |e| {
        matches!(e, TableEvent::WentAway { .. }).then_some(())
    })
    .await;
    let _ben = Client::connect(process.port, &table, Some(&token)).await;
    wait_for_event(&mut ann, |e| {
        matches!(e, TableEvent::CameBack { .. }).then_some(())
    })
    .await;
}

/// R13.3: the table passes for a player who is disconnected, even if it has no limit of any kind.
#[tokio::test]
async fn absent_players_are_passed_for_without_any_limit() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--away-after", "0.3"]);
    // Cheap spells, so that players are asked soon.
    let settings = r#"{"seats":3,"start":{"seat":0},"clock":{"kind":"none"},"reaction_seconds":null,
        "spells":{"chosen":["AW","AT"]},"options":{"reactions":true,"max_rounds":8,"costs":{"AW":1}}}"#;
    let (table, mut clients) = gather(process.port, settings, 3).await;
    clients[0].ok(Command::Start).await;
    // All play at random until Cy is asked in somebody's window.
    let mut dice = TestRandom(5);
    let asked = loop {
        let view = clients[0].view().await;
        let game = view.game.expect("the game is on");
        let waiting = game.waiting.expect("somebody decides");
        let client = &mut clients[waiting.seat.index()];
        let view = client.view().await;
        let game = view.game.expect("the game is on");
        if waiting.seat == Seat(2) && game.view.turn.phase == Phase::Window {
            break waiting;
        }
        let (decision, action) = choose(&game, &mut dice).expect("there is a choice");
        let act = Command::Act {
            action,
            decision: Some(decision),
        };
        client.ok(act).await;
    };
    assert_eq!(asked.deadline, None);
    let mut cy = clients.pop().expect("three play");
    cy.socket.close(None).await.expect("it was open");
    let passed = wait_for_event(&mut clients[0], |e| match e {
        TableEvent::PassedFor { seat } => Some(*seat),
        _ => None,
    })
    .await;
    assert_eq!(passed, Seat(2));
    // A bot plays on for Cy, so that the game ends and its record can be verified.
    let seat = Seat(2);
    clients[0].ok(Command::Replace { seat, level: None }).await;
    super::player::play_together(clients, 3).await;
    verified_record(process.port, &table).await;
}

#[tokio::test]
async fn a_leaver_is_played_for_to_the_end() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":3,"options":{"max_rounds":3}}"#;
    let (table, mut clients) = gather(process.port, settings, 3).await;
    clients[0].ok(Command::Start).await;
    clients[2].ok(Command::Leave).await;
    clients.truncate(2);
    super::player::play_together(clients, 3).await;
    verified_record(process.port, &table).await;
}

#[tokio::test]
async fn a_player_who_returns_in_time_gets_the_full_time_at_the_next_absence() {
    let data = Data::new();
    // Enough for a slow machine to reconnect in time.
    let process = Process::start_quick_with(&data.path(), &["--away-after", "6"]);
    let (table, mut clients) = gather(process.port, r#"{"seats":2}"#, 2).await;
    clients[0].ok(Command::Start).await;
    let ben = clients.pop().unwrap();
    let token = ben.token.clone();
    drop(ben);
    let pause = |millis| tokio::time::sleep(std::time::Duration::from_millis(millis));
    pause(300).await;
    let ben = Client::connect(process.port, &table, Some(&token)).await;
    pause(6500).await;
    drop(ben);
    pause(300).await;
    let view = clients[0].view().await;
    assert!(view.seats.iter().all(|seat| !seat.away), "{:?}", view.seats);
    wait_for_event(&mut clients[0], |e| {
        matches!(e, TableEvent::WentAway { .. }).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_host_who_is_gone_is_replaced_before_a_game_and_can_be_played_for_at_once() {
    let data = Data::new();
    // Nobody counts as away during this test: replacing the host does not depend on it.
    let args = ["--host-after", "0.3", "--away-after", "600"];
    let process = Process::start_quick_with(&data.path(), &args);
    let (_, mut clients) = gather(process.port, r#"{"seats":2,"start":{"seat":0}}"#, 2).await;
    let mut ben = clients.pop().unwrap();
    let mut ann = clients.pop().unwrap();
    ann.socket.close(None).await.unwrap();
    let host = wait_for_event(&mut ben, |e| match e {
        TableEvent::HostIs { person } => Some(*person),
        _ => None,
    })
    .await;
    assert_eq!(host, Some(towers_table::PersonId(1)));
    assert!(ben.view().await.you.host);
    ben.ok(Command::Start).await;
    ben.ok(Command::Replace {
        seat: Seat(0),
        level: None,
    })
    .await;
    assert!(ben.view().await.seats[0].stand_in.is_some());
}
