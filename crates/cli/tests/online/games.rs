//! Whole games over sockets, in every mode.

use towers_table::{Command, Ending, ServerMessage, Update};

use super::client::Client;
use super::player::{TestRandom, choose, gather, play_together};
use super::process::{Data, Process, http, verified_record};

/// Every mode: settings, and the number of people; bots take the other seats.
pub const MODES: [(&str, usize); 10] = [
    (r#"{"seats":2,"options":{"max_rounds":40}}"#, 2),
    (
        r#"{"seats":2,"options":{"max_rounds":12,"reactions":true},"spells":{"random":5}}"#,
        2,
    ),
    (r#"{"seats":4,"options":{"max_rounds":10,"teams":true}}"#, 4),
    (
        r#"{"seats":4,"preset":"abacus-1","options":{"max_rounds":8,"teams":true,"reactions":true},"spells":{"chosen":["AW","FW","PB","SW"]}}"#,
        2,
    ),
    (r#"{"seats":6,"options":{"max_rounds":8}}"#, 3),
    (r#"{"seats":6,"options":{"max_rounds":6,"teams":true}}"#, 6),
    (
        r#"{"seats":3,"preset":"oya","options":{"max_rounds":8,"reactions":true,"memory":"strict"},"spells":{"random":8}}"#,
        1,
    ),
    (r#"{"options":{"mode":"solo"}}"#, 1),
    (r#"{"seats":3,"options":{"mode":"coop"}}"#, 3),
    (
        r#"{"seats":2,"preset":"oya","options":{"mode":"coop","coop_hands":"private"},"spells":{"random":3}}"#,
        1,
    ),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_every_mode_are_played_to_their_end_and_verify() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let port = process.port;
    for (i, (settings, people)) in MODES.iter().enumerate() {
        let (table, mut clients) = gather(port, settings, *people).await;
        clients[0].ok(Command::Start).await;
        let commitment = clients[0].view().await.commitment.unwrap();
        let early = http(port, "GET", &format!("/api/tables/{table}/record"), &[], "").await;
        assert_eq!(early.status, 409, "no record while the game is on");
        let mut clients = play_together(clients, 100 * i as u64).await;
        let record = verified_record(port, &table).await;
        let last = record.entries.last().unwrap();
        assert!(matches!(last.over, Some(Ending::Played(_))), "{settings}");
        let view = clients[0].view().await;
        assert_eq!(view.secret.map(|s| s.commitment()), Some(commitment));
    }
    assert!(process.stop(), "it stops in an orderly way");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rematch_begins_when_all_want_it() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":3,"options":{"max_rounds":2}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    clients[0].ok(Command::Start).await;
    let mut clients = play_together(clients, 1).await;
    clients[0].ok(Command::Rematch).await;
    clients[1].ok(Command::Rematch).await;
    let begun = clients[0]
        .until(|message| match message {
            ServerMessage::Happened(Update { seen, .. }) => {
                seen.events.iter().find_map(|e| match e {
                    towers_table::AnyEvent::Table(towers_table::TableEvent::Started {
                        game,
                        ..
                    }) => Some(*game),
                    _ => None,
                })
            }
            _ => None,
        })
        .await;
    assert_eq!(begun, 2);
    play_together(clients, 2).await;
    let record = verified_record(process.port, &table).await;
    assert_eq!(
        record.entries.iter().filter(|e| e.over.is_some()).count(),
        2
    );
}

#[tokio::test]
async fn a_game_can_be_ended_by_agreement() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":2}"#, 2).await;
    clients[0].ok(Command::Start).await;
    clients[0].ok(Command::End { agree: true }).await;
    clients[1].ok(Command::End { agree: true }).await;
    let record = verified_record(process.port, &table).await;
    assert_eq!(record.entries.last().unwrap().over, Some(Ending::Agreed));
}

#[tokio::test]
async fn everybody_gets_one_frame_for_an_action() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":4,"options":{"max_rounds":40}}"#;
    let (table, mut clients) = gather(process.port, settings, 4).await;
    let spectator = Client::connect(process.port, &table, None).await;
    clients.push(spectator);
    clients[0].ok(Command::Start).await;
    // Everything before this answer belongs to the beginning.
    for client in &mut clients {
        client.view().await;
    }
    let frames = |clients: &[Client]| clients.iter().map(|c| c.received.len()).collect::<Vec<_>>();
    let before = frames(&clients);
    let mut dice = TestRandom(5);
    let actions = 30;
    for _ in 0..actions {
        let to_act = clients.iter().enumerate().find_map(|(i, client)| {
            let (decision, action) = choose(client.game()?, &mut dice)?;
            Some((i, decision, action))
        });
        let (actor, decision, action) = to_act.expect("the game goes on");
        let decision = Some(decision);
        clients[actor].ok(Command::Act { action, decision }).await;
        for (i, client) in clients.iter_mut().enumerate() {
            if i != actor {
                client.next().await.unwrap();
            }
        }
    }
    // Whatever else was sent comes before this answer.
    for client in &mut clients {
        client.view().await;
    }
    let more = |(before, after): (usize, usize)| after - before;
    let sent: Vec<usize> = before.into_iter().zip(frames(&clients)).map(more).collect();
    assert_eq!(sent, [actions + 1; 5]);
}
