//! Messages survive a round trip through JSON.

use super::{Club, variants};
use crate::{ClientMessage, Command, Rejection, ServerMessage, Settings, TableView, Update};

#[test]
fn views_and_events_survive_the_wire() {
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
                let message = ServerMessage::Happened(Update {
                    now: 5,
                    seen: club.table.seen(person).unwrap(),
                });
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
    for (text, reason) in [
        (
            r#"{"type":"do","id":-1,"do":{"command":"start"}}"#,
            "integer `-1`",
        ),
        (
            r#"{"type":"do","id":1,"do":{"command":"act","action":"w9:w5"}}"#,
            "w9",
        ),
        (
            r#"{"type":"do","id":1,"do":{"command":"act","action":"end","x":1}}"#,
            "unknown field `x`",
        ),
        (r#"{"type":"hello","sean":1}"#, "unknown field `sean`"),
        (r#"{"type":"fly"}"#, "unknown variant `fly`"),
        ("", "EOF"),
        ("7", "integer `7`"),
        ("null", "null"),
        ("{}", "missing field `type`"),
        (r#"{"type":7}"#, "integer `7`"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn messages_without_fields_are_strict_too() {
    let read = |text: &str| serde_json::from_str::<ClientMessage>(text);
    assert_eq!(read(r#"{"type":"view"}"#).unwrap(), ClientMessage::View);
    let error = read(r#"{"type":"view","x":1}"#).unwrap_err().to_string();
    assert!(error.contains("unknown field `x`"), "{error}");
    let read = |text: &str| serde_json::from_str::<Command>(text);
    for name in ["leave", "start", "back", "rematch", "tick", "reopen"] {
        assert!(
            read(&format!(r#"{{"command":"{name}"}}"#)).is_ok(),
            "{name}"
        );
        assert!(
            read(&format!(r#"{{"command":"{name}","x":1}}"#)).is_err(),
            "{name}"
        );
    }
}

#[test]
fn numbers_are_read_up_to_their_limits_and_not_rounded() {
    for id in [0, u64::from(u32::MAX), i64::MAX as u64 + 1, u64::MAX] {
        let text = format!(r#"{{"number":{id},"id":{id},"type":"accepted"}}"#);
        let message = ServerMessage::Accepted {
            id,
            number: id,
            happened: None,
        };
        assert_eq!(
            serde_json::from_str::<ServerMessage>(&text).unwrap(),
            message
        );
        let text = format!(r#"{{"do":{{"command":"start"}},"id":{id},"type":"do"}}"#);
        let command = Command::Start;
        let message = ClientMessage::Do { id, command };
        assert_eq!(
            serde_json::from_str::<ClientMessage>(&text).unwrap(),
            message
        );
    }
    for id in ["18446744073709551616", "-1", "1.0", "1e3", r#""1""#] {
        let text = format!(r#"{{"type":"accepted","id":{id},"number":1}}"#);
        assert!(
            serde_json::from_str::<ServerMessage>(&text).is_err(),
            "{id}"
        );
    }
}

#[test]
fn clients_ignore_what_a_newer_server_adds() {
    let text = r#"{"type":"goodbye","retry_after":1000,"news":{"a":[1]}}"#;
    let message: ServerMessage = serde_json::from_str(text).unwrap();
    assert_eq!(message, ServerMessage::Goodbye { retry_after: 1000 });
    let text =
        r#"{"type":"rejected","id":3,"code":"full","message":"all seats are taken","news":1}"#;
    let message: ServerMessage = serde_json::from_str(text).unwrap();
    let why = Rejection::Full.refusal();
    assert_eq!(message, ServerMessage::Rejected { id: 3, why });
}

#[test]
fn deep_nesting_is_refused() {
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let message = format!(r#"{{"x":{deep},"type":"view"}}"#);
    let settings = format!(r#"{{"clock":{{"x":{deep},"kind":"none"}}}}"#);
    for error in [
        serde_json::from_str::<ClientMessage>(&message).unwrap_err(),
        serde_json::from_str::<ServerMessage>(&message).unwrap_err(),
        serde_json::from_str::<Settings>(&settings).unwrap_err(),
    ] {
        let error = error.to_string();
        assert!(error.contains("recursion limit"), "{error}");
    }
}
