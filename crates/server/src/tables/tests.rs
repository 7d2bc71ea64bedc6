//! A table's task with bots that can be foreseen.

use std::sync::Arc;
use std::time::Duration;

use rules::{Action, Seat};
use table::{BotLevel, ClientMessage, Command, Settings};
use tokio::sync::mpsc;

use super::{Join, Outgoing, Registry, Shared, ToTable, now};
use crate::bots::{Mind, Pool, Question, Thinker};
use crate::config::Config;
use crate::storage::Sqlite;

/// Bots that offer whatever they can.
struct Generous;

impl Thinker for Generous {
    fn mind(&self, _: BotLevel, _: Seat, _: u64) -> Box<dyn Mind> {
        Box::new(Generous)
    }
}

impl Mind for Generous {
    fn think(&mut self, question: &Question, _: Duration) -> Option<Action> {
        question.legal.first().copied()
    }
}

#[tokio::test]
async fn a_bot_offers_its_partner_something_before_that_one_acts() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Sqlite::open(&folder.path().join("t.db")).await.unwrap();
    let mut config = Config::default();
    config.bots.pause = Duration::ZERO;
    let metrics = Arc::default();
    let registry = Registry::new(Arc::new(Shared {
        bots: Pool::new(
            Arc::new(Generous),
            config.bots.clone(),
            Arc::clone(&metrics),
        ),
        storage: Arc::new(storage),
        metrics,
        boot: now(),
        config,
    }));
    let settings = r#"{"seats":4,"options":{"teams":true},"start":{"seat":0}}"#;
    let settings: Settings = serde_json::from_str(settings).unwrap();
    let opened = registry.create(settings, "Ann").await.unwrap();
    let mailbox = registry.open(&opened.table).await.unwrap().unwrap();
    let (out, mut told) = mpsc::channel(100);
    let join = Join {
        client: 1,
        token: Some(opened.token),
        seen: None,
        out,
    };
    assert!(mailbox.send(ToTable::Join(join)).await.is_ok());
    let level = BotLevel::Adept;
    let add = || Command::AddBot { seat: None, level };
    let sit = Command::Sit {
        name: None,
        seat: None,
        colour: None,
        key: String::new(),
    };
    for command in [sit, add(), add(), add(), Command::Start] {
        let message = ClientMessage::Do { id: 1, command };
        let say = ToTable::Say { client: 1, message };
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
