//! A table's task with deterministic bots.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use towers_rules::{Action, Seat};
use towers_table::{BotLevel, ClientMessage, Command, Refusal, ServerMessage, Settings};

use super::faulty::Faulty;
use super::{Join, Outgoing, Registry, Shared, TableMessage};
use crate::bots::{BotQuestion, Mind, Pool, Thinker};
use crate::clock::{SteadyClock, clock};
use crate::cluster::{Alone, Cluster, Nodes};
use crate::config::Config;
use crate::disk::Disk;
use crate::limits::Budgets;
use crate::people::{People, SeatKeys, ServerKeys};
use crate::postgres::Database;
use crate::storage::{PostgresStorage, SqliteStorage, Storage};

const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Bots that make every offer they can.
struct Generous;

impl Thinker for Generous {
    fn mind(&self, _: BotLevel, _: Seat, _: u64) -> Box<dyn Mind> {
        Box::new(Generous)
    }
}

impl Mind for Generous {
    fn think(&mut self, question: &BotQuestion, _: Duration) -> Option<Action> {
        question.legal.first().copied()
    }
}

fn registry(storage: Arc<dyn Storage>, cluster: Arc<dyn Cluster>) -> Arc<Registry> {
    registry_with(storage, cluster, Arc::new(Generous), clock())
}

fn registry_with(
    storage: Arc<dyn Storage>,
    cluster: Arc<dyn Cluster>,
    thinker: Arc<dyn Thinker>,
    clock: SteadyClock,
) -> Arc<Registry> {
    let mut config = Config::default();
    config.bots.pause = Duration::ZERO;
    let metrics = Arc::default();
    Registry::new(Arc::new(Shared {
        rewrites: AtomicU64::default(),
        bots: Pool::new(thinker, config.bots.clone(), Arc::clone(&metrics)),
        cluster,
        metrics,
        boot: clock.now(),
        phase: 0,
        budgets: Budgets::new(&config.limits),
        disk: Disk::new(None, 0),
        clock,
        bans: crate::bans::Bans::default(),
        daily: crate::daily::Daily::default(),
        boards: crate::history::Boards::default(),
        readiness: crate::readiness::Readiness::default(),
        compared: tokio::sync::Mutex::default(),
        calls: crate::calls::Calls::random().0,
        people: People::new(Arc::clone(&storage), clock, ServerKeys::random()),
        storage,
        config,
    }))
}

fn sit(name: &str) -> Command {
    Command::Sit {
        name: Some(name.into()),
        seat: None,
        colour: None,
        key: String::new(),
        program: false,
    }
}

/// A person at a table.
pub struct Participant {
    mailbox: mpsc::Sender<TableMessage>,
    told: mpsc::Receiver<Outgoing>,
}

impl Participant {
    pub async fn join(registry: &Arc<Registry>, table: &str, token: Option<String>) -> Participant {
        let mailbox = registry.open(table).await.unwrap().unwrap();
        let (out, told) = mpsc::channel(1000);
        let join = Join {
            client: 1,
            address: ADDRESS,
            token,
            person: None,
            keys: SeatKeys::default(),
            seen: None,
            out,
        };
        assert!(mailbox.send(TableMessage::Join(join)).await.is_ok());
        Participant { mailbox, told }
    }

    pub async fn ask(&mut self, command: Command) -> Result<u64, Refusal> {
        let message = ClientMessage::Do { id: 7, command };
        let say = TableMessage::Command { client: 1, message };
        assert!(self.mailbox.send(say).await.is_ok());
        loop {
            let Some(Outgoing::Text(text)) = self.told.recv().await else {
                panic!("the table goes on");
            };
            match serde_json::from_str(&text).unwrap() {
                ServerMessage::Accepted { number, .. } => return Ok(number),
                ServerMessage::Rejected { why, .. } => return Err(why),
                _ => {}
            }
        }
    }
}

/// A late notification does not cause a wrong refusal: the server reads the log first.
#[tokio::test]
async fn a_server_reads_missing_entries_before_it_refuses() {
    let server = towers_test_support::Postgres::start().unwrap();
    let database = Database::open(&server.url(), 8).await.unwrap();
    let open = async |node: &str| {
        let nodes = Nodes::join(&database, node, &Arc::default()).await;
        let storage = PostgresStorage::new(&database, node, &Arc::default());
        registry(Arc::new(storage), Arc::new(nodes.unwrap()))
    };
    // No events are forwarded, so neither server receives notifications.
    let (a, b) = (open("a").await, open("b").await);
    let settings: Settings = serde_json::from_str(r#"{"seats":2}"#).unwrap();
    let opened = a.create(settings, "Ann", None).await.unwrap();
    let mut ann = Participant::join(&a, &opened.table, Some(opened.token)).await;
    ann.ask(sit("Ann")).await.unwrap();
    let mut ben = Participant::join(&b, &opened.table, None).await;
    ben.ask(sit("Ben")).await.unwrap();
    assert_eq!(ann.ask(Command::Start).await.unwrap(), 3);
    // A command that is really illegal is still refused.
    assert_eq!(ben.ask(Command::Start).await.unwrap_err().code, "not_host");
}

#[tokio::test]
async fn a_bot_offers_its_partner_something_before_that_one_acts() {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    let storage = Arc::new(storage);
    let registry = registry(storage.clone(), Arc::new(Alone::new(storage)));
    let settings = r#"{"seats":4,"options":{"teams":true},"start":{"seat":0}}"#;
    let settings: Settings = serde_json::from_str(settings).unwrap();
    let opened = registry.create(settings, "Ann", None).await.unwrap();
    let mailbox = registry.open(&opened.table).await.unwrap().unwrap();
    let (out, mut told) = mpsc::channel(100);
    let join = Join {
        client: 1,
        address: ADDRESS,
        token: Some(opened.token),
        person: None,
        keys: SeatKeys::default(),
        seen: None,
        out,
    };
    assert!(mailbox.send(TableMessage::Join(join)).await.is_ok());
    let level = BotLevel::Adept;
    let add = || Command::AddBot { seat: None, level };
    let sit = Command::Sit {
        name: None,
        seat: None,
        colour: None,
        key: String::new(),
        program: false,
    };
    for command in [sit, add(), add(), add(), Command::Start] {
        let message = ClientMessage::Do { id: 1, command };
        let say = TableMessage::Command { client: 1, message };
        assert!(mailbox.send(say).await.is_ok());
    }
    // Ann, on seat 0, does nothing; her partner sits opposite (R12.1).
    loop {
        let Some(Outgoing::Text(text)) = told.recv().await else {
            panic!("the table goes on");
        };
        if text.contains(r#""by":{"bot":2}"#) {
            break;
        }
        assert!(!text.contains(r#""by":{"bot":1}"#) && !text.contains(r#""by":{"bot":3}"#));
    }
    registry.stop().await;
}

#[tokio::test]
async fn a_table_whose_task_panics_is_loaded_again_and_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    let sqlite = Arc::new(sqlite);
    let faulty = Arc::new(Faulty {
        storage: Arc::clone(&sqlite),
        is_armed: AtomicBool::new(false),
    });
    let registry = registry(faulty.clone(), Arc::new(Alone::new(sqlite)));
    let settings: Settings = serde_json::from_str(r#"{"seats":2}"#).unwrap();
    let opened = registry
        .create(settings.clone(), "Ann", None)
        .await
        .unwrap();
    let other = registry.create(settings, "Cy", None).await.unwrap();
    let mut cy = Participant::join(&registry, &other.table, Some(other.token)).await;
    cy.ask(sit("Cy")).await.unwrap();
    let mut ann = Participant::join(&registry, &opened.table, Some(opened.token.clone())).await;
    let ready = |ready| Command::Ready { ready };
    let mut number = ann.ask(sit("Ann")).await.unwrap();
    for round in 0..3 {
        number = ann.ask(ready(round % 2 == 0)).await.unwrap();
        faulty.is_armed.store(true, Ordering::Relaxed);
        let message = ClientMessage::Do {
            id: 8,
            command: ready(round % 2 != 0),
        };
        let send = TableMessage::Command { client: 1, message };
        assert!(ann.mailbox.send(send).await.is_ok());
        // The connection ends without an acknowledgement.
        while let Some(outgoing) = ann.told.recv().await {
            let Outgoing::Text(text) = outgoing else {
                break;
            };
            assert!(!text.contains(r#""id":8"#), "{text}");
        }
        ann = Participant::join(&registry, &opened.table, Some(opened.token.clone())).await;
        let after = ann.ask(ready(round % 2 == 0)).await.unwrap();
        assert_eq!(
            after,
            number + 2,
            "what was stored is there, and nothing else"
        );
        // Others are not affected.
        assert!(cy.ask(ready(round % 2 == 0)).await.is_ok());
    }
    let metrics = registry.shared().metrics.text();
    assert!(metrics.contains("\ntowers_panics_total 3\n"), "{metrics}");
    assert!(
        metrics.contains("\ntowers_tables_in_memory 2\n"),
        "{metrics}"
    );
    assert!(number > 0);
    registry.stop().await;
}

/// Bots that fail.
struct Clumsy;

impl Thinker for Clumsy {
    fn mind(&self, _: BotLevel, _: Seat, _: u64) -> Box<dyn Mind> {
        Box::new(Clumsy)
    }
}

impl Mind for Clumsy {
    fn think(&mut self, _: &BotQuestion, _: Duration) -> Option<Action> {
        panic!("a fault on purpose")
    }
}

#[tokio::test]
async fn a_bot_that_panics_is_played_for_and_the_game_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    let storage = Arc::new(storage);
    let cluster = Arc::new(Alone::new(Arc::clone(&storage)));
    let registry = registry_with(storage, cluster, Arc::new(Clumsy), clock());
    let settings: Settings = serde_json::from_str(r#"{"seats":2,"start":{"seat":1}}"#).unwrap();
    let opened = registry.create(settings, "Ann", None).await.unwrap();
    let mut ann = Participant::join(&registry, &opened.table, Some(opened.token)).await;
    ann.ask(sit("Ann")).await.unwrap();
    let level = BotLevel::Novice;
    ann.ask(Command::AddBot { seat: None, level })
        .await
        .unwrap();
    ann.ask(Command::Start).await.unwrap();
    while let Some(Outgoing::Text(text)) = ann.told.recv().await {
        if text.contains(r#""by":{"bot":1}"#) {
            return registry.stop().await;
        }
    }
    panic!("the bot's turn is over");
}

/// The time that the open decision has left, as sent to a client.
async fn time_left(person: &mut Participant) -> i64 {
    let message = ClientMessage::View;
    let ask = TableMessage::Command { client: 1, message };
    assert!(person.mailbox.send(ask).await.is_ok());
    loop {
        let Some(Outgoing::Text(text)) = person.told.recv().await else {
            panic!("the table goes on");
        };
        if let ServerMessage::View { now, view } = serde_json::from_str(&text).unwrap()
            && let Some(waiting) = view.game.and_then(|game| game.waiting)
        {
            let deadline = waiting.deadline.expect("there is a clock");
            return deadline.cast_signed() - now.cast_signed();
        }
    }
}

#[tokio::test]
async fn a_jump_of_the_clock_by_a_day_changes_no_deadline_by_more_than_a_second() {
    const DAY: u64 = 24 * 3600 * 1000;
    let folder = tempfile::tempdir().unwrap();
    let storage = SqliteStorage::open(&folder.path().join("t.db"))
        .await
        .unwrap();
    let storage = Arc::new(storage);
    let open = |clock: SteadyClock| {
        let cluster = Arc::new(Alone::new(Arc::clone(&storage)));
        registry_with(storage.clone(), cluster, Arc::new(Generous), clock)
    };
    let start = 100 * DAY;
    let first = open(SteadyClock::starting_at(start));
    let settings = r#"{"seats":2,"start":{"seat":0},"clock":{"kind":"move","seconds":3600}}"#;
    let settings: Settings = serde_json::from_str(settings).unwrap();
    let opened = first.create(settings, "Ann", None).await.unwrap();
    let join = async |registry: &Arc<Registry>| {
        Participant::join(registry, &opened.table, Some(opened.token.clone())).await
    };
    let mut ann = join(&first).await;
    ann.ask(sit("Ann")).await.unwrap();
    let level = BotLevel::Novice;
    ann.ask(Command::AddBot { seat: None, level })
        .await
        .unwrap();
    ann.ask(Command::Start).await.unwrap();
    let before = time_left(&mut ann).await;
    assert!((3_590_000..=3_600_000).contains(&before), "{before}");
    first.stop().await;
    // The clock of the next server is a day behind.
    let second = open(SteadyClock::starting_at(start - DAY));
    let mut ann = join(&second).await;
    let after = time_left(&mut ann).await;
    assert!((before - after).abs() < 1000, "{before} became {after}");
    let wake = async || storage.due(start - DAY + 3_601_000, 9).await.unwrap();
    ann.ask(Command::Stops { everywhere: true }).await.unwrap();
    assert_eq!(wake().await.len(), 1, "it is woken up in time");
    second.stop().await;
    // The clock of the third server is a day ahead. No server was running, so the decision's clock restarts.
    let third = open(SteadyClock::starting_at(start + DAY));
    let mut ann = join(&third).await;
    let mut last = time_left(&mut ann).await;
    for _ in 0..200 {
        if last > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
        last = time_left(&mut ann).await;
    }
    assert!((before - last).abs() < 1500, "{before} became {last}");
    third.stop().await;
}
