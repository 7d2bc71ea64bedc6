//! Identity of people at a table, and the commands of hosts.

use towers_rules::Seat;
use towers_table::{AnyEvent, Command, PassAhead, PersonId, ServerMessage, Stage, TableEvent};

use super::client::{Client, sit};
use super::player::gather;
use super::process::{Data, Process, create};

fn chat(text: &str) -> Command {
    Command::Chat { text: text.into() }
}

#[tokio::test]
async fn a_second_ann_is_refused_in_whatever_alphabet() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":4}"#, 1).await;
    clients[0].ok(Command::Remove { seat: Seat(1) }).await;
    let mut eve = Client::connect(process.port, &table, None).await;
    // Cyrillic, upper case, mathematical letters, an invisible character.
    for name in [
        "Ann",
        "Аnn",
        "ANN",
        "АNN",
        "𝐀𝐧𝐧",
        "A\u{ad}nn",
        "A\u{200d}nn",
        "An\u{34f}n",
    ] {
        let refused = eve.ask(sit(name)).await.expect_err(name);
        assert_eq!(refused.code, "name_taken", "{name:?}");
    }
    let marks = format!("E{}ve", "\u{301}".repeat(12));
    eve.ok(sit(&marks)).await;
    eve.ok(chat("o\u{302}\u{302}\u{302}\u{302}\u{200c}k")).await;
    let view = clients[0].view().await;
    assert_eq!(view.chat.last().unwrap().name, "E\u{301}\u{301}ve");
    assert_eq!(view.chat.last().unwrap().text, "o\u{302}\u{302}k");
}

#[tokio::test]
async fn an_agreement_needs_those_who_are_absent_and_lapses_with_a_move() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--away-after", "0.2"]);
    let (_, mut clients) = gather(process.port, r#"{"seats":3,"start":{"seat":0}}"#, 3).await;
    clients[0].ok(Command::Start).await;
    clients[1].ok(Command::End { agree: true }).await;
    let game = clients[0].view().await.game.unwrap();
    let act = Command::Act {
        action: game.legal[0],
        decision: None,
    };
    clients[0].ok(act).await;
    let wishes = |view: &towers_table::TableView| view.seats.iter().any(|seat| seat.wants_end);
    assert!(!wishes(&clients[0].view().await), "a move was made");
    let mut gone = clients.pop().unwrap();
    gone.socket.close(None).await.unwrap();
    while !clients[0].view().await.seats[2].away {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    for client in &mut clients {
        client.ok(Command::End { agree: true }).await;
    }
    assert_eq!(clients[0].view().await.stage, Stage::Playing);
}

#[tokio::test]
async fn the_host_mutes_and_hands_the_role_on_and_it_comes_back() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":2}"#, 2).await;
    let (ann, ben) = (PersonId(0), PersonId(1));
    let mute = |muted| Command::Mute { person: ben, muted };
    assert_eq!(
        clients[1].ask(mute(true)).await.unwrap_err().code,
        "not_host"
    );
    clients[0].ok(mute(true)).await;
    assert_eq!(clients[1].ask(chat("hm")).await.unwrap_err().code, "muted");
    clients[0].ok(mute(false)).await;
    clients[1].ok(chat("hello")).await;
    clients[0].ok(Command::Start).await;
    clients[0].ok(Command::Leave).await;
    assert_eq!(clients[1].view().await.host, Some(ben));
    // She reconnects and takes her seat back.
    let token = clients[0].token.clone();
    let mut back = Client::connect(process.port, &table, Some(&token)).await;
    back.ask(Command::Back).await.unwrap();
    assert_eq!(back.view().await.host, Some(ann));
    back.ok(Command::HandOver { person: ben }).await;
    let view = clients[1].view().await;
    assert_eq!((view.host, view.you.host), (Some(ben), true));
}

#[tokio::test]
async fn a_host_who_was_replaced_while_gone_is_host_again_on_return() {
    let data = Data::new();
    let args = ["--host-after", "0.3", "--away-after", "600"];
    let process = Process::start_quick_with(&data.path(), &args);
    let (table, mut clients) = gather(process.port, r#"{"seats":2,"start":{"seat":0}}"#, 2).await;
    let mut ben = clients.pop().unwrap();
    let mut ann = clients.pop().unwrap();
    let token = ann.token.clone();
    let host = async |client: &mut Client, wanted: PersonId| {
        let is_host = |event: &AnyEvent| match event {
            AnyEvent::Table(TableEvent::HostIs { person }) => *person == Some(wanted),
            _ => false,
        };
        client
            .until(|message| match message {
                ServerMessage::Happened(update) => {
                    update.seen.events.iter().any(is_host).then_some(())
                }
                _ => None,
            })
            .await;
    };
    // Before a game, and during one.
    for starts in [true, false] {
        ann.socket.close(None).await.unwrap();
        host(&mut ben, PersonId(1)).await;
        ann = Client::connect(process.port, &table, Some(&token)).await;
        host(&mut ben, PersonId(0)).await;
        assert!(ann.view().await.you.host);
        if starts {
            ann.ok(Command::Start).await;
        }
    }
}

#[tokio::test]
async fn nobody_else_is_sent_anything_when_somebody_passes_ahead() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, mut clients) = gather(process.port, r#"{"seats":3,"start":{"seat":0}}"#, 3).await;
    clients[0].ok(Command::Start).await;
    let mut ben = clients.remove(1);
    clients.push(Client::connect(process.port, &table, None).await);
    let mut before = Vec::new();
    for client in &mut clients {
        let view = client.view().await;
        before.push((view, client.received.len()));
    }
    let own = ben.view().await.number;
    let until = Some(PassAhead::Recalled);
    ben.ok(Command::PassAhead { until }).await;
    ben.ok(Command::Stops { everywhere: true }).await;
    let view = ben.view().await;
    assert_eq!((view.number, view.you.pass_ahead), (own + 2, until));
    for (client, (view, received)) in clients.iter_mut().zip(&before) {
        assert_eq!(client.view().await, *view, "not even the number changes");
        assert_eq!(client.received.len(), received + 1, "the view alone");
    }
    // A reconnecting client learns nothing either.
    let (token, seen) = (clients[0].token.clone(), before[0].0.number);
    let again = Client::try_connect(process.port, &table, Some(&token), Some(seen)).await;
    let mut again = again.unwrap();
    assert_eq!(again.view().await, before[0].0);
    // The next event has the next number for everybody.
    let act = Command::Act {
        action: before[0].0.game.as_ref().unwrap().legal[0],
        decision: None,
    };
    clients[0].ok(act).await;
    for (client, (view, _)) in clients.iter_mut().zip(&before) {
        assert_eq!(client.view().await.number, view.number + 1);
    }
    assert_eq!(ben.view().await.number, own + 3);
}

#[tokio::test]
async fn banned_people_stay_out() {
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    let (table, token) = create(process.port, "Ann", r#"{"seats":3}"#).await;
    let from = |address: &'static str, token: Option<String>| {
        let table = table.clone();
        async move {
            let token = token.as_deref();
            Client::connect_from(process.port, &table, token, Some(address)).await
        }
    };
    let mut ann = from("203.0.113.1", Some(token)).await;
    ann.ok(sit("Ann")).await;
    let mut ben = from("203.0.113.2", None).await;
    ben.ok(sit("Ben")).await;
    let mut cy = from("203.0.113.3", None).await;
    cy.ok(sit("Cy")).await;
    ann.ok(Command::Ban { seat: Seat(1) }).await;
    assert_eq!(ben.ask(sit("Benny")).await.unwrap_err().code, "removed");
    // The ban applies to another token from the same address, and to the same token from another address.
    let mut fresh = from("203.0.113.2", None).await;
    assert_eq!(fresh.ask(sit("Bob")).await.unwrap_err().code, "removed");
    let mut moved = from("203.0.113.9", Some(ben.token.clone())).await;
    assert_eq!(moved.ask(sit("Bob")).await.unwrap_err().code, "removed");
    // Others can still join.
    let mut di = from("203.0.113.4", None).await;
    di.ok(sit("Di")).await;
}
