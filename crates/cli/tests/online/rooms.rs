//! Joining and leaving: links, tokens, devices, spectators, removal, reconnecting, restarts.

use towers_table::{Command, PassAhead, ServerMessage, Stage, Taken, Update};

use super::client::{Client, Closed, PATIENCE, bot, sit};
use super::player::{TestRandom, choose, gather, play_together};
use super::process::{Data, Process, create, http, verified_record};

#[tokio::test]
async fn public_tables_are_listed_and_private_ones_are_not() {
    let data = Data::new();
    let process = Process::start(&data.path());
    create(process.port, "Ann", r#"{"title":"hidden"}"#).await;
    let (open, _) = create(
        process.port,
        "Zoë",
        r#"{"title":"open to all","public":true}"#,
    )
    .await;
    let list = http(process.port, "GET", "/api/tables", &[], "").await;
    assert!(list.body.contains("open to all") && list.body.contains(&open));
    assert!(!list.body.contains("hidden"));
    let one = http(process.port, "GET", &format!("/api/tables/{open}"), &[], "").await;
    assert!(one.body.contains(r#""stage":"lobby""#), "{}", one.body);
    let none = http(
        process.port,
        "GET",
        "/api/tables/00000000000000000000",
        &[],
        "",
    )
    .await;
    assert_eq!(none.status, 404);
}

#[tokio::test]
async fn the_host_removes_a_player_and_the_token_is_worth_nothing_then() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":3}"#, 2).await;
    let mut ben = clients.pop().unwrap();
    let mut ann = clients.pop().unwrap();
    let why = ben
        .ask(Command::Remove {
            seat: towers_rules::Seat(0),
        })
        .await;
    assert_eq!(why.unwrap_err().code, "not_host");
    ann.ok(Command::Remove {
        seat: towers_rules::Seat(1),
    })
    .await;
    let you = ben
        .until(|m| match m {
            ServerMessage::View { view, .. } => Some(view.you),
            _ => None,
        })
        .await;
    assert_eq!((you.person, you.seat), (None, None));
    let mut again = Client::connect(process.port, &table, Some(&ben.token)).await;
    assert_eq!(again.view().await.you.person, None);
    again.ok(sit("Ben the second")).await;
    assert!(matches!(
        ann.view().await.seats[1].taken,
        Taken::Person { .. }
    ));
}

#[tokio::test]
async fn one_person_on_two_devices_is_one_person() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":2,"start":{"seat":0}}"#;
    let (table, mut clients) = gather(process.port, settings, 1).await;
    let mut desk = clients.pop().unwrap();
    let mut phone = Client::connect(process.port, &table, Some(&desk.token)).await;
    desk.ok(Command::Start).await;
    // A view that was already sent may be older than the start.
    let a = loop {
        let view = phone.view().await;
        if view.game.is_some() {
            break view;
        }
    };
    let b = desk.view().await;
    assert_eq!((a.you, &a.game), (b.you, &b.game));
    let game = a.game.unwrap();
    assert_eq!(game.view.hand.as_ref().unwrap().len(), 3);
    // Both may act, each sees the other's action, and nothing is applied twice.
    let (decision, action) = choose(&game, &mut TestRandom(3)).unwrap();
    let act = || Command::Act {
        action,
        decision: Some(decision),
    };
    let number = phone.ok(act()).await;
    assert_eq!(desk.ask(act()).await.unwrap_err().code, "stale");
    assert!(desk.seen >= number);
}

#[tokio::test]
async fn spectators_come_by_the_same_link_and_see_no_hands() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":2}"#, 2).await;
    clients[0].ok(Command::Start).await;
    let mut visitor = Client::connect(process.port, &table, None).await;
    let view = visitor.view().await;
    assert_eq!(view.game.unwrap().view.hand, None);
    assert_eq!(view.seed, None);
    let refused = visitor
        .ask(Command::Chat {
            text: "look!".into(),
        })
        .await;
    assert_eq!(refused.unwrap_err().code, "not_seated");
    let watching = clients[0]
        .until(|m| match m {
            ServerMessage::Presence { watching: 1, seats } => Some(seats.clone()),
            _ => None,
        })
        .await;
    assert_eq!(watching, [true, true]);
}

#[tokio::test]
async fn a_wrong_link_is_answered_clearly() {
    let data = Data::new();
    let process = Process::start(&data.path());
    for table in ["00000000000000000000", "x", "..%2f..%2fetc"] {
        let client = Client::try_connect(process.port, table, None, None).await;
        match client {
            Ok(mut client) => match client.next().await {
                Err(Closed::With(4004, _)) => {}
                other => panic!("{other:?}"),
            },
            Err(why) => assert!(why.contains("404"), "{why}"),
        }
    }
}

#[tokio::test]
async fn reconnecting_during_a_window_resumes_there() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":2,"options":{"reactions":true,"costs":{"AW":1}},"reaction_seconds":3000,"spells":{"chosen":["AW","AT","HT","HW"]}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    clients[0].ok(Command::Start).await;
    let mut dice = TestRandom(5);
    // Everybody acts in turn until somebody is asked in a window.
    let asked = 'play: loop {
        for (i, client) in clients.iter_mut().enumerate() {
            let view = client.view().await;
            if view.stage == Stage::Over {
                // Only the host can start the next game.
                if i == 0 {
                    client.ok(Command::Start).await;
                }
                continue;
            }
            let game = view.game.unwrap();
            if game.legal.is_empty() {
                continue;
            }
            if game.view.turn.phase == towers_rules::Phase::Window {
                break 'play i;
            }
            let (decision, action) = choose(&game, &mut dice).unwrap();
            client
                .ok(Command::Act {
                    action,
                    decision: Some(decision),
                })
                .await;
        }
    };
    let (token, seen) = (clients[asked].token.clone(), clients[asked].seen);
    clients[asked].socket.close(None).await.unwrap();
    let other = 1 - asked;
    clients[other]
        .ok(Command::Chat {
            text: "are you there?".into(),
        })
        .await;
    let mut back = Client::try_connect(process.port, &table, Some(&token), Some(seen))
        .await
        .unwrap();
    let missed = back
        .until(|m| match m {
            ServerMessage::Happened(Update { seen, .. }) => Some(seen.number),
            ServerMessage::View { .. } => panic!("the rest is enough"),
            _ => None,
        })
        .await;
    assert_eq!(missed, seen + 1);
    let view = back.view().await;
    assert_eq!(
        view.game.unwrap().view.turn.phase,
        towers_rules::Phase::Window
    );
    back.ok(Command::PassAhead {
        until: Some(PassAhead::Turn),
    })
    .await;
    clients[asked] = back;
    for client in &mut clients {
        client.ask(Command::End { agree: true }).await.unwrap();
    }
    verified_record(process.port, &table).await;
}

/// Who has missed nothing is told the open decision all the same, without asking.
#[tokio::test]
async fn the_open_decision_comes_after_every_welcome() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings = r#"{"seats":2,"start":{"seat":0}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    clients[0].ok(Command::Start).await;
    let view = clients[0].view().await;
    let legal = view.game.unwrap().legal;
    assert!(!legal.is_empty());
    let token = clients[0].token.clone();
    for seen in [Some(view.number), None, Some(0)] {
        let again = Client::try_connect(process.port, &table, Some(&token), seen).await;
        let mut again = again.unwrap();
        let welcome = again.next().await.unwrap();
        assert!(
            matches!(welcome, ServerMessage::Welcome { .. }),
            "{welcome:?}"
        );
        // The rest of what was missed, or a view: the client's game is up to date with the last of it.
        let offered = loop {
            match again.next().await.unwrap() {
                ServerMessage::View { view, .. } => break view.game.unwrap().legal,
                ServerMessage::Happened(_) if again.seen == view.number => {
                    break again.view().await.game.unwrap().legal;
                }
                ServerMessage::Happened(_) => {}
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(offered, legal, "after {seen:?}");
        if seen == Some(view.number) {
            let is_view = again.received[1].contains(r#""type":"view""#);
            assert!(is_view, "{:?}", again.received);
        }
    }
}

#[tokio::test]
async fn an_orderly_stop_says_good_bye_and_all_is_there_afterwards() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":3}"#, 2).await;
    clients[0].ok(Command::Start).await;
    let before = clients[0].view().await;
    let said = tokio::spawn({
        let mut ben = clients.pop().unwrap();
        async move {
            let goodbye = ben
                .until(|m| {
                    matches!(
                        m,
                        ServerMessage::Goodbye {
                            retry_after: 500..1500
                        }
                    )
                    .then_some(())
                })
                .await;
            (goodbye, ben.next().await, ben.token)
        }
    });
    assert!(process.stop());
    let ((), end, token) = tokio::time::timeout(PATIENCE, said).await.unwrap().unwrap();
    assert!(matches!(end, Err(Closed::With(1012, _))), "{end:?}");
    let process = Process::start(&data.path());
    let mut ann = Client::connect(process.port, &table, Some(&clients[0].token)).await;
    let after = ann.view().await;
    assert!(after.number >= before.number);
    assert_eq!(
        (after.you, after.commitment),
        (before.you, before.commitment)
    );
    let ben = Client::connect(process.port, &table, Some(&token)).await;
    play_together(vec![ann, ben], 4).await;
    verified_record(process.port, &table).await;
}

#[tokio::test]
async fn a_table_out_of_memory_is_not_lost() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--unload-after", "0.2"]);
    let (table, token) = create(process.port, "Ann", "{}").await;
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    ann.ok(sit("Ann")).await;
    ann.ok(bot()).await;
    let number = ann.view().await.number;
    ann.socket.close(None).await.unwrap();
    let in_memory = || async {
        let metrics = http(process.port, "GET", "/metrics", &[], "").await.body;
        !metrics.contains("towers_tables_in_memory 0")
    };
    while in_memory().await {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    let view = ann.view().await;
    assert_eq!((view.number, view.you.host), (number, true));
}

#[tokio::test]
async fn a_table_that_was_put_away_is_found_again_by_its_people() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (table, token) = create(process.port, "Ann", r#"{"public":true}"#).await;
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    ann.ok(sit("Ann")).await;
    let number = ann.view().await.number;
    assert!(process.stop());
    let process = Process::start_quick_with(&data.path(), &["--archive-after", "0"]);
    let listed = || async {
        let lobby = http(process.port, "GET", "/api/tables", &[], "").await;
        lobby.body.contains(&table)
    };
    while listed().await {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let visitor = Client::connect(process.port, &table, None).await;
    assert!(!listed().await, "who only looks does not bring it back");
    drop(visitor);
    let mut ann = Client::connect(process.port, &table, Some(&token)).await;
    assert_eq!(ann.view().await.number, number);
    assert!(listed().await);
}
