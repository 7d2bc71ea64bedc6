//! A person who plays on whatever happens to the servers, and remembers what was acknowledged.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rules::Action;
use table::{Command, GameView, Record, ServerMessage, Stage};
use tokio::sync::watch;
use tokio::time::timeout;

use super::client::Client;
use super::player::{Dice, choose, gather};

/// Tables of different kinds: settings, and how many people sit there.
pub const TABLES: [(&str, usize); 4] = [
    (r#"{"seats":2,"options":{"max_rounds":25}}"#, 2),
    (r#"{"seats":4,"options":{"max_rounds":10,"teams":true}}"#, 3),
    (
        r#"{"seats":3,"options":{"max_rounds":10,"reactions":true},"spells":{"random":6}}"#,
        2,
    ),
    (r#"{"options":{"mode":"solo"}}"#, 1),
];

/// How long a message may take before somebody looks whether there is still a connection.
const SILENCE: Duration = Duration::from_secs(25);

/// An action that a server said it has stored.
pub struct Acknowledged {
    number: u64,
    person: table::PersonId,
    action: Action,
    decision: u64,
}

/// A person who plays whatever happens to the servers.
pub struct Tough {
    pub table: String,
    token: String,
    host: bool,
    /// Where servers are; dead ones, too.
    ports: watch::Receiver<Vec<u16>>,
    /// Which of them to try next.
    next: usize,
    /// For the host: no new games any more.
    finish: Arc<AtomicBool>,
    /// For the others: the host is done.
    closed: Arc<AtomicBool>,
    dice: Dice,
    seen: u64,
    pub acknowledged: Vec<Acknowledged>,
    pub reconnects: u64,
    /// The longest it took from losing a connection to being welcome at another one.
    pub away: Duration,
    /// How long news let wait for themselves.
    pub waits: Waits,
    /// When somebody was last killed.
    blow: Arc<Mutex<Instant>>,
}

/// How long news of a game let wait for themselves while it went on.
#[derive(Clone, Copy, Default)]
pub struct Waits {
    /// How many news there were.
    pub news: u64,
    /// The longest from one to the next.
    pub longest: Duration,
    /// The longest from a kill to the next, where there was no other kill in between.
    pub after_a_kill: Duration,
    /// How many took more than two seconds after a kill.
    pub late: u64,
    /// The last of them, and when it came.
    last: Option<(u64, Instant)>,
}

impl Waits {
    /// Something happened in a game, or somebody who came back is told where it stands.
    fn hear(&mut self, number: u64, over: bool, blow: Instant) {
        if let Some((last, when)) = self.last {
            if number == last {
                return;
            }
            let after_a_kill = when.max(blow).elapsed();
            self.news += 1;
            self.longest = self.longest.max(when.elapsed());
            self.after_a_kill = self.after_a_kill.max(after_a_kill);
            self.late += u64::from(after_a_kill > Duration::from_secs(2));
        }
        self.last = (!over).then(|| (number, Instant::now()));
    }

    /// All waits together.
    pub fn of(people: &[Tough]) -> Waits {
        let mut all = Waits::default();
        for waits in people.iter().map(|tough| tough.waits) {
            all.news += waits.news;
            all.late += waits.late;
            all.longest = all.longest.max(waits.longest);
            all.after_a_kill = all.after_a_kill.max(waits.after_a_kill);
        }
        all
    }
}

impl Tough {
    /// Plays game after game until told to finish, and then the last one to its end.
    async fn play(mut self) -> Tough {
        let mut lost: Option<Instant> = None;
        loop {
            let ports = self.ports.borrow_and_update().clone();
            let port = ports[self.next % ports.len()];
            let client = Client::try_connect(port, &self.table, Some(&self.token), Some(self.seen));
            if let Ok(Ok(client)) = timeout(Duration::from_secs(10), client).await {
                if self.play_while_connected(client, &mut lost).await {
                    return self;
                }
                lost = lost.or_else(|| Some(Instant::now()));
                self.reconnects += 1;
            }
            self.next += 1;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    fn is_back(&mut self, lost: &mut Option<Instant>) {
        if let Some(since) = lost.take() {
            self.away = self.away.max(since.elapsed());
        }
    }

    /// True when the last game is over, false when the connection is gone.
    async fn play_while_connected(
        &mut self,
        mut client: Client,
        lost: &mut Option<Instant>,
    ) -> bool {
        let mut sent: HashMap<u64, (u64, Action)> = HashMap::new();
        let mut person = None;
        let mut resting = false;
        // Whatever was missed may end with nothing to do: the view says what is open.
        let _ = client.say(&table::ClientMessage::View).await;
        loop {
            if resting && !self.host && self.closed.load(Ordering::Relaxed) {
                return true;
            }
            let patience = if resting {
                Duration::from_millis(100)
            } else {
                SILENCE
            };
            let message = match timeout(patience, client.next()).await {
                Ok(message) => message,
                Err(_) if resting => continue,
                Err(late) => panic!("nothing happens any more at {}: {late}", self.table),
            };
            let Ok(message) = message else {
                return false;
            };
            // Numbers go up by one, also across connections: `Client::next` has checked it.
            assert!(client.seen >= self.seen, "what was seen cannot be undone");
            self.seen = client.seen;
            let mut game: Option<Box<GameView>> = None;
            let mut over = false;
            match message {
                ServerMessage::Welcome { you, .. } => {
                    person = you.person;
                    self.is_back(lost);
                }
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
                    let later = ["not_stored", "busy"].contains(&why.code.as_str());
                    assert!(later || harmless.contains(&why.code.as_str()), "{why:?}");
                    if later {
                        let _ = client.say(&table::ClientMessage::View).await;
                    }
                }
                _ => {}
            }
            if game.is_some() {
                let blow = *self.blow.lock().expect("nobody panics with it");
                self.waits.hear(self.seen, over, blow);
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

/// People at tables of every kind who play on whatever happens.
pub struct Crowd {
    people: Vec<tokio::task::JoinHandle<Tough>>,
    pub tables: Vec<String>,
    /// The tokens of the people at each table, the host's first.
    pub tokens: Vec<(String, Vec<String>)>,
    finish: Arc<AtomicBool>,
    blow: Arc<Mutex<Instant>>,
}

impl Crowd {
    /// Seats them. Each goes to a server of their own, as far as there are enough.
    pub async fn gather(ports: &watch::Receiver<Vec<u16>>) -> Crowd {
        let finish = Arc::new(AtomicBool::new(false));
        let blow = Arc::new(Mutex::new(Instant::now()));
        let (mut people, mut tables, mut tokens) = (Vec::new(), Vec::new(), Vec::new());
        let first = ports.borrow()[0];
        for (i, (settings, seated)) in TABLES.iter().enumerate() {
            let (table, mut clients) = gather(first, settings, *seated).await;
            clients[0].ok(Command::Start).await;
            let secrets = clients.iter().map(|c| c.token.clone()).collect();
            tokens.push((table.clone(), secrets));
            let closed = Arc::new(AtomicBool::new(false));
            for (j, client) in clients.into_iter().enumerate() {
                let tough = Tough {
                    table: table.clone(),
                    token: client.token.clone(),
                    host: j == 0,
                    ports: ports.clone(),
                    next: j,
                    finish: Arc::clone(&finish),
                    closed: Arc::clone(&closed),
                    dice: Dice((i * 10 + j) as u64 + 1),
                    seen: client.seen,
                    acknowledged: Vec::new(),
                    reconnects: 0,
                    away: Duration::ZERO,
                    waits: Waits::default(),
                    blow: Arc::clone(&blow),
                };
                people.push(tokio::spawn(tough.play()));
            }
            tables.push(table);
        }
        Crowd {
            people,
            tables,
            tokens,
            finish,
            blow,
        }
    }

    /// A server or the database was killed: from now on people wait for others to go on.
    pub fn blow(&self) {
        *self.blow.lock().expect("nobody panics with it") = Instant::now();
    }

    /// Lets everybody finish their game.
    pub async fn finish(self) -> Vec<Tough> {
        self.finish.store(true, Ordering::Relaxed);
        let mut all = Vec::new();
        for person in self.people {
            let done = timeout(Duration::from_secs(90), person).await;
            all.push(done.expect("every game can be finished").unwrap());
        }
        all
    }
}

/// Nothing that was acknowledged to anybody is missing in a record, and nothing is there twice.
/// Says how much was acknowledged.
pub fn check(record: &Record, people: &[Tough]) -> u64 {
    let mut acknowledged = 0;
    for tough in people.iter().filter(|t| t.table == record.header.table) {
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
    acknowledged
}
