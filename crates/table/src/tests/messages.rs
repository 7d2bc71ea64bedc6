//! Messages are read as they are written.

use super::{Club, variants};
use crate::{ClientMessage, ServerMessage, TableView};

#[test]
fn views_and_happenings_survive_the_wire() {
    for (i, settings) in variants().into_iter().enumerate().step_by(3) {
        let mut club = Club::playing(settings, i as u64);
        for _ in 0..30 {
            if club.table.waiting_for().is_none() {
                break;
            }
            club.act_somehow();
            for person in [None, Some(crate::PersonId(0))] {
                let view = club.table.view(person);
                let text = serde_json::to_string(&view).unwrap();
                assert_eq!(serde_json::from_str::<TableView>(&text).unwrap(), view);
                let message = ServerMessage::Happened {
                    now: 5,
                    seen: club.table.seen(person).unwrap(),
                };
                let text = serde_json::to_string(&message).unwrap();
                let back: ServerMessage = serde_json::from_str(&text).unwrap();
                assert_eq!(back, message);
            }
        }
    }
}

#[test]
fn client_messages_are_strict() {
    let read = |text: &str| serde_json::from_str::<ClientMessage>(text);
    assert!(read(r#"{"type":"hello"}"#).is_ok());
    assert!(read(r#"{"type":"do","id":1,"do":{"command":"act","action":"w3:w5"}}"#).is_ok());
    assert!(read(r#"{"type":"do","id":1,"do":{"command":"start"}}"#).is_ok());
    assert!(read(r#"{"type":"do","id":-1,"do":{"command":"start"}}"#).is_err());
    assert!(read(r#"{"type":"do","id":1,"do":{"command":"act","action":"w9:w5"}}"#).is_err());
    assert!(read(r#"{"type":"do","id":1,"do":{"command":"act","action":"end","x":1}}"#).is_err());
    assert!(read(r#"{"type":"hello","sean":1}"#).is_err());
    assert!(read(r#"{"type":"fly"}"#).is_err());
}
