//! The examples in `docs/protocol.md` are what the program understands, and nothing is left out.

use std::collections::BTreeSet;

use serde_json::Value;
use table::{ClientMessage, Command, Event, Refusal, ServerMessage, Settings};

const PROTOCOL: &str = include_str!("../../../../docs/protocol.md");

/// The lines of all examples of a kind: blocks that begin with, for instance, ```` ```json client ````.
fn examples(kind: &str) -> Vec<&'static str> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in PROTOCOL.lines() {
        if let Some(info) = line.strip_prefix("```") {
            inside = info == format!("json {kind}");
        } else if inside {
            lines.push(line);
        }
    }
    assert!(!lines.is_empty(), "there are examples of {kind}");
    lines
}

/// Reads an example and writes it again: nothing of it may be lost.
fn same<T: serde::de::DeserializeOwned + serde::Serialize>(line: &str) -> T {
    let read: T = serde_json::from_str(line).unwrap_or_else(|why| panic!("{why} in {line}"));
    let written = serde_json::to_value(&read).unwrap();
    let given: Value = serde_json::from_str(line).unwrap();
    within(&given, &written, line);
    read
}

/// Whether everything that is given is there again; what may be left out may be added.
fn within(given: &Value, written: &Value, line: &str) {
    match (given, written) {
        (Value::Object(given), Value::Object(written)) => {
            for (key, value) in given {
                let again = written.get(key);
                within(value, again.unwrap_or(&Value::Null), line);
            }
        }
        _ => assert_eq!(given, written, "in {line}"),
    }
}

#[test]
fn every_example_is_understood() {
    let (mut clients, mut servers) = (BTreeSet::new(), BTreeSet::new());
    let mut commands = BTreeSet::new();
    let kind = |line: &str, key: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        value[key].as_str().unwrap().to_string()
    };
    for line in examples("client") {
        same::<ClientMessage>(line);
        clients.insert(kind(line, "type"));
    }
    for line in examples("server") {
        same::<ServerMessage>(line);
        servers.insert(kind(line, "type"));
    }
    for line in examples("command") {
        same::<Command>(line);
        commands.insert(kind(line, "command"));
    }
    for line in examples("event") {
        same::<Event>(line);
    }
    for line in examples("settings") {
        let settings: Settings = serde_json::from_str(line).unwrap();
        settings.check().unwrap();
    }
    for line in examples("problem") {
        same::<Refusal>(line);
    }
    assert_eq!(clients.len(), 3, "{clients:?}");
    assert_eq!(servers.len(), 8, "{servers:?}");
    // All but what only the server itself may say.
    assert_eq!(commands.len(), 15, "{commands:?}");
}

#[test]
fn the_record_in_the_document_verifies() {
    let text = examples("record").join("\n");
    table::verify_text(&text).unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn every_way_to_be_refused_is_in_the_document() {
    for code in [
        "not_host",
        "not_seated",
        "not_for_players",
        "unknown_person",
        "game_on",
        "no_game",
        "not_over",
        "no_such_seat",
        "seat_taken",
        "full",
        "open_seats",
        "colour_taken",
        "seat_in_use",
        "nobody_there",
        "name_needed",
        "name_taken",
        "bad_text",
        "bad_settings",
        "illegal",
        "stale",
        "bot_plays",
        "no_bot",
        "not_away",
        "not_gone",
        "silence",
        "too_fast",
        "not_due",
        "worn_out",
        "not_stored",
        "busy",
        "bad_message",
        "too_many",
        "no_table",
    ] {
        assert!(PROTOCOL.contains(&format!("`{code}`")), "{code} is missing");
    }
}
