//! The server is killed again and again while people play: nothing acknowledged is lost, nothing
//! happens twice, every game can be finished, every record verifies.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rules::Action;
use table::{Command, GameView, ServerMessage, Stage};
use tokio::sync::watch;
use tokio::time::timeout;

use super::client::Client;
use super::player::{Dice, choose, gather};
use super::process::{Data, Process, verified_record};

/// How often the server is killed, unless `TOWERS_TEST_KILLS` says otherwise.
const KILLS: u64 = 50;

const TABLES: [(&str, usize); 4] = [
    (r#"{"seats":2,"options":{"max_rounds":25}}"#, 2),
    (r#"{"seats":4,"options":{"max_rounds":10,"teams":true}}"#, 3),
    (
        r#"{"seats":3,"options":{"max_rounds":10,"reactions":true},"spells":{"random":6}}"#,
        2,
    ),
    (r#"{"options":{"mode":"solo"}}"#, 1),
];

/// An action that the server said it has stored.
struct Acknowledged {
    number: u64,
    person: table::PersonId,
    action: Action,
    decision: u64,
}

/// A person who plays whatever happens to the server.
struct Tough {
    table: String,
    token: String,
    host: bool,
    port: watch::Receiver<u16>,
    /// For the host: no new games any more.
    finish: Arc<AtomicBool>,
    /// For the others: the host is done.
    closed: Arc<AtomicBool>,
    dice: Dice,
    seen: u64,
    acknowledged: Vec<Acknowledged>,
    reconnects: u64,
}

impl Tough {
    /// Plays game after game until told to finish, and then the last one to its end.
    async fn play(mut self) -> Tough {
        loop {
            let port = *self.port.borrow_and_update();
            let client = Client::try_connect(port, &self.table, Some(&self.token), Some(self.seen));
            if let Ok(client) = client.await
                && self.play_while_connected(client).await
            {
                return self;
            }
            self.reconnects += 1;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// True when the last game is over, false when the connection is gone.
    async fn play_while_connected(&mut self, mut client: Client) -> bool {
        let mut sent: HashMap<u64, (u64, Action)> = HashMap::new();
        let mut person = None;
        let mut resting = false;
        // Whatever was missed may end with nothing to do: the view says what is open.
        let _ = client.say(&table::ClientMessage::View).await;
        loop {
            if resting && !self.host && self.closed.load(Ordering::Relaxed) {
                return true;
            }
            let message = if resting {
                match timeout(Duration::from_millis(100), client.next()).await {
                    Ok(message) => message,
                    Err(_) => continue,
                }
            } else {
                client.next().await
            };
            let Ok(message) = message else {
                return false;
            };
            // Numbers go up by one, also across connections: `Client::next` has checked it.
            self.seen = client.seen;
            let mut game: Option<Box<GameView>> = None;
            let mut over = false;
            match message {
                ServerMessage::Welcome { you, .. } => person = you.person,
                ServerMessage::View { view, .. } => {
                    over = view.stage == Stage::Over;
                    game = view.game;
                }
                ServerMessage::Happened { seen, .. } => {
                    over = seen.game.as_ref().is_some_and(|g| g.waiting.is_none());
                    game = seen.game;
                }
                ServerMessage::Accepted { id, number } => {
                    if let (Some((decision, action)), Some(person)) = (sent.remove(&id), person) {
                        self.acknowledged.push(Acknowledged {
                            number,
                            person,
                            action,
                            decision,
                        });
                    }
                }
                ServerMessage::Rejected { why, .. } => {
                    let harmless = ["stale", "illegal", "not_over", "game_on", "no_game"];
                    assert!(harmless.contains(&why.code.as_str()), "{why:?}");
                }
                _ => {}
            }
            resting = over || (resting && game.is_none());
            if over && self.host {
                if self.finish.load(Ordering::Relaxed) {
                    self.closed.store(true, Ordering::Relaxed);
                    return true;
                }
                if client.send(Command::Start).await.is_err() {
                    return false;
                }
            }
            if over {
                continue;
            }
            if let Some((decision, action)) = game.and_then(|g| choose(&g, &mut self.dice)) {
                let act = Command::Act {
                    action,
                    decision: Some(decision),
                };
                match client.send(act).await {
                    Ok(id) => sent.insert(id, (decision, action)),
                    Err(_) => return false,
                };
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_the_server_is_killed() {
    let kills = std::env::var("TOWERS_TEST_KILLS");
    let kills = kills.map_or(KILLS, |n| n.parse().expect("a number of kills"));
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let (tell_port, port) = watch::channel(process.port);
    let finish = Arc::new(AtomicBool::new(false));
    let mut people = Vec::new();
    let mut tables = Vec::new();
    for (i, (settings, seated)) in TABLES.iter().enumerate() {
        let (table, mut clients) = gather(process.port, settings, *seated).await;
        clients[0].ok(Command::Start).await;
        let closed = Arc::new(AtomicBool::new(false));
        for (j, client) in clients.into_iter().enumerate() {
            let tough = Tough {
                table: table.clone(),
                token: client.token.clone(),
                host: j == 0,
                port: port.clone(),
                finish: Arc::clone(&finish),
                closed: Arc::clone(&closed),
                dice: Dice((i * 10 + j) as u64 + 1),
                seen: client.seen,
                acknowledged: Vec::new(),
                reconnects: 0,
            };
            people.push(tokio::spawn(tough.play()));
        }
        tables.push(table);
    }
    let mut dice = Dice(99);
    for _ in 0..kills {
        tokio::time::sleep(Duration::from_millis(20 + dice.below(120) as u64)).await;
        process.kill();
        process = Process::start(&data.path());
        tell_port.send(process.port).unwrap();
    }
    finish.store(true, Ordering::Relaxed);
    let mut all = Vec::new();
    for person in people {
        let done = timeout(Duration::from_secs(60), person).await;
        all.push(done.expect("every game can be finished").unwrap());
    }
    let (mut acknowledged, mut games) = (0_u64, 0);
    for table in &tables {
        let record = verified_record(process.port, table).await;
        games += record.entries.iter().filter(|e| e.over.is_some()).count();
        for tough in all.iter().filter(|t| t.table == *table) {
            assert!(tough.reconnects > 0, "the kills were noticed");
            for ack in &tough.acknowledged {
                let entry = &record.entries[ack.number as usize - 1];
                assert_eq!(entry.by, table::Who::Person(ack.person));
                let act = Command::Act {
                    action: ack.action,
                    decision: Some(ack.decision),
                };
                assert_eq!(entry.command, act, "what was acknowledged is there");
                acknowledged += 1;
            }
        }
        // No decision was answered twice, in any game.
        let mut answered = None;
        for entry in &record.entries {
            if entry.seed.is_some() {
                answered = None;
            }
            if let Command::Act { decision, .. } = entry.command {
                assert!(decision > answered, "{decision:?} after {answered:?}");
                answered = decision;
            }
        }
    }
    assert!(acknowledged > kills, "people did play: {acknowledged}");
    println!("{kills} kills, {acknowledged} acknowledged actions, {games} games");
}
