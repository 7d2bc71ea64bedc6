//! A client that continues to play through failures of servers, and remembers what was acknowledged.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::timeout;
use towers_rules::Action;
use towers_table::{Command, GameView, Record, ServerMessage, Stage};

use super::client::{Client, PATIENCE};
use super::player::{TestRandom, choose, gather};

/// Tables of different kinds: settings, and the number of people.
pub const TABLES: [(&str, usize); 4] = [
    (r#"{"seats":2,"options":{"max_rounds":25}}"#, 2),
    (r#"{"seats":4,"options":{"max_rounds":10,"teams":true}}"#, 3),
    (
        r#"{"seats":3,"options":{"max_rounds":10,"reactions":true},"spells":{"random":6}}"#,
        2,
    ),
    (r#"{"options":{"mode":"solo"}}"#, 1),
];

/// How long a client waits for a message before it tests its connection.
const SILENCE: Duration = Duration::from_secs(55);

/// An action that a server acknowledged.
pub struct Acknowledged {
    number: u64,
    person: towers_table::PersonId,
    action: Action,
    decision: u64,
}

/// A person who continues to play through failures.
pub struct PersistentPlayer {
    pub table: String,
    token: String,
    host: bool,
    /// The ports of the servers, including dead ones.
    ports: watch::Receiver<Vec<u16>>,
    /// The index of the next one to try.
    next: usize,
    /// For the host: start no more games.
    finish: Arc<AtomicBool>,
    /// For the others: the host has finished.
    closed: Arc<AtomicBool>,
    dice: TestRandom,
    seen: u64,
    pub acknowledged: Vec<Acknowledged>,
    pub reconnects: u64,
    /// The longest time from losing a connection to being welcomed again.
    pub away: Duration,
    /// The delays of events.
    pub waits: Waits,
    last_kill: Arc<Mutex<Instant>>,
    /// The number of actions of everybody that were acknowledged.
    actions: Arc<AtomicU64>,
}

/// The delays of events during games.
#[derive(Clone, Copy, Default)]
pub struct Waits {
    pub events: u64,
    /// The longest delay between two events.
    pub longest: Duration,
    /// The longest delay after a kill without another kill in between.
    pub after_a_kill: Duration,
    /// The number of delays of more than two seconds after a kill.
    pub late: u64,
    /// The last event, and its time.
    last: Option<(u64, Instant)>,
}

impl Waits {
    /// Records an event of a game, or the view after reconnecting.
    fn record(&mut self, number: u64, over: bool, last_kill: Instant) {
        if let Some((last, when)) = self.last {
            if number == last {
                return;
            }
            let after_a_kill = when.max(last_kill).elapsed();
            self.events += 1;
            self.longest = self.longest.max(when.elapsed());
            self.after_a_kill = self.after_a_kill.max(after_a_kill);
            self.late += u64::from(after_a_kill > Duration::from_secs(2));
        }
        self.last = (!over).then(|| (number, Instant::now()));
    }

    /// Combines the delays of all people.
    pub fn of(people: &[PersistentPlayer]) -> Waits {
        let mut all = Waits::default();
        for waits in people.iter().map(|person| person.waits) {
            all.events += waits.events;
            all.late += waits.late;
            all.longest = all.longest.max(waits.longest);
            all.after_a_kill = all.after_a_kill.max(waits.after_a_kill);
        }
        all
    }
}

impl PersistentPlayer {
    /// Plays games until told to finish; the last one is played to its end.
    async fn play(mut self) -> PersistentPlayer {
        let mut lost: Option<Instant> = None;
        loop {
            let ports = self.ports.borrow_and_update().clone();
            let port = ports[self.next % ports.len()];
            let client = Client::try_connect(port, &self.table, Some(&self.token), Some(self.seen));
            if let Ok(Ok(client)) = timeout(Duration::from_secs(30), client).await {
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

    /// Returns `true` when the last game is over, `false` when the connection is lost.
    async fn play_while_connected(
        &mut self,
        mut client: Client,
        lost: &mut Option<Instant>,
    ) -> bool {
        let mut sent: HashMap<u64, (u64, Action)> = HashMap::new();
        let mut person = None;
        let mut resting = false;
        // The missed events may not contain the open decision, so request a view.
        let _ = client.say(&towers_table::ClientMessage::View).await;
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
            // Numbers increase by one, even across connections: `Client::next` checks that.
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
                ServerMessage::Happened(update) if update.seen.changes_game() => {
                    over = client.game().is_some_and(|g| g.waiting.is_none());
                    game = client.game().cloned().map(Box::new);
                }
                ServerMessage::Accepted { id, number, .. } => {
                    if let (Some((decision, action)), Some(person)) = (sent.remove(&id), person) {
                        self.actions.fetch_add(1, Ordering::Relaxed);
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
                        let _ = client.say(&towers_table::ClientMessage::View).await;
                    }
                }
                _ => {}
            }
            if game.is_some() {
                let last_kill = *self.last_kill.lock().expect("nobody panics with it");
                self.waits.record(self.seen, over, last_kill);
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

/// People at tables of every kind who continue to play through failures.
pub struct Crowd {
    people: Vec<tokio::task::JoinHandle<PersistentPlayer>>,
    pub tables: Vec<String>,
    /// The tokens of the people at each table, the host's first.
    pub tokens: Vec<(String, Vec<String>)>,
    finish: Arc<AtomicBool>,
    last_kill: Arc<Mutex<Instant>>,
    actions: Arc<AtomicU64>,
}

impl Crowd {
    /// Seats them, each connected to a different server as far as possible.
    pub async fn gather(ports: &watch::Receiver<Vec<u16>>) -> Crowd {
        let finish = Arc::new(AtomicBool::new(false));
        let last_kill = Arc::new(Mutex::new(Instant::now()));
        let actions = Arc::new(AtomicU64::new(0));
        let (mut people, mut tables, mut tokens) = (Vec::new(), Vec::new(), Vec::new());
        let first = ports.borrow()[0];
        for (i, (settings, seated)) in TABLES.iter().enumerate() {
            let (table, mut clients) = gather(first, settings, *seated).await;
            clients[0].ok(Command::Start).await;
            let secrets = clients.iter().map(|c| c.token.clone()).collect();
            tokens.push((table.clone(), secrets));
            let closed = Arc::new(AtomicBool::new(false));
            for (j, client) in clients.into_iter().enumerate() {
                let person = PersistentPlayer {
                    table: table.clone(),
                    token: client.token.clone(),
                    host: j == 0,
                    ports: ports.clone(),
                    next: j,
                    finish: Arc::clone(&finish),
                    closed: Arc::clone(&closed),
                    dice: TestRandom((i * 10 + j) as u64 + 1),
                    seen: client.seen,
                    acknowledged: Vec::new(),
                    reconnects: 0,
                    away: Duration::ZERO,
                    waits: Waits::default(),
                    last_kill: Arc::clone(&last_kill),
                    actions: Arc::clone(&actions),
                };
                people.push(tokio::spawn(person.play()));
            }
            tables.push(table);
        }
        Crowd {
            people,
            tables,
            tokens,
            finish,
            last_kill,
            actions,
        }
    }

    /// Waits until this many more actions were acknowledged.
    pub async fn wait_for_actions(&self, count: u64) {
        let wanted = self.actions.load(Ordering::Relaxed) + count;
        let playing = async {
            while self.actions.load(Ordering::Relaxed) < wanted {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let played = timeout(PATIENCE, playing).await;
        played.unwrap_or_else(|_| panic!("fewer than {count} actions"));
    }

    /// Records that a server or the database was killed.
    pub fn note_kill(&self) {
        *self.last_kill.lock().expect("nobody panics with it") = Instant::now();
    }

    /// Stops everybody immediately, so that they cannot reconnect to a later server with the same port.
    pub async fn dismiss(self) {
        for person in self.people {
            person.abort();
            let _ = person.await;
        }
    }

    /// Lets everybody finish their game.
    pub async fn finish(self) -> Vec<PersistentPlayer> {
        self.finish.store(true, Ordering::Relaxed);
        let mut all = Vec::new();
        for person in self.people {
            let done = timeout(Duration::from_secs(300), person).await;
            all.push(done.expect("every game can be finished").unwrap());
        }
        all
    }
}

/// Checks that no acknowledged action is missing in a record or occurs twice. Returns the number of acknowledged
/// actions.
pub fn check(record: &Record, table: &str, people: &[PersistentPlayer]) -> u64 {
    let mut acknowledged = 0;
    for person in people.iter().filter(|t| t.table == table) {
        for ack in &person.acknowledged {
            let entry = &record.entries[ack.number as usize - 1];
            assert_eq!(entry.by, towers_table::Who::Person(ack.person));
            let act = Command::Act {
                action: ack.action,
                decision: Some(ack.decision),
            };
            assert_eq!(entry.command, act, "what was acknowledged is there");
            acknowledged += 1;
        }
    }
    // No decision was answered twice, in any game.
    // A partner's gift (R12.3) does not count as an answer: the decision may stay open with its number.
    let mut answered = None;
    let mut given = None;
    for entry in &record.entries {
        if entry.seed.is_some() {
            (answered, given) = (None, None);
        }
        if let Command::Act { decision, action } = entry.command {
            let is_after_gift = decision == answered && given.is_some_and(|by| by != entry.by);
            assert!(
                decision > answered || is_after_gift,
                "{decision:?} after {answered:?}"
            );
            answered = decision;
            given = matches!(action, Action::Give(_)).then_some(entry.by);
        }
    }
    acknowledged
}
