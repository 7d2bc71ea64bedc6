//! The examples in `docs/protocol.md` are valid and complete.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use towers_table::{
    AnyEvent, ClientMessage, Command, FinishedDeal, Invitations, Listing, NewReport, OpenTable,
    OpenedTable, ReceivedInvitation, Refusal, ServerMessage, Settings, Summary,
};

const PROTOCOL: &str = include_str!("../../../docs/protocol.md");

/// All examples, each with its kind and as one line: blocks begin with, for instance,
/// ```` ```json client ````.
fn all_examples() -> Vec<(&'static str, String)> {
    let mut examples = Vec::new();
    let mut blocks = PROTOCOL.split("\n```json");
    blocks.next();
    for block in blocks {
        let (kind, rest) = block.split_once('\n').unwrap();
        let text = rest.split("\n```").next().unwrap();
        let (kind, mut from) = (kind.trim(), 0);
        if text.contains('…') {
            continue; // shortened
        }
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        while let Some(value) = values.next() {
            value.unwrap_or_else(|why| panic!("{why} in {text}"));
            examples.push((kind, on_one_line(&text[from..values.byte_offset()])));
            from = values.byte_offset();
        }
    }
    examples
}

/// JSON without insignificant white space.
fn on_one_line(json: &str) -> String {
    let (mut in_text, mut escaped) = (false, false);
    let keep = |c: &char| {
        let is_part = in_text || !c.is_whitespace();
        in_text ^= *c == '"' && !escaped;
        escaped = in_text && *c == '\\' && !escaped;
        is_part
    };
    json.chars().filter(keep).collect()
}

/// All examples of a kind.
fn examples(kind: &str) -> Vec<String> {
    let all = all_examples().into_iter();
    let lines: Vec<_> = all.filter(|(k, _)| *k == kind).map(|(_, l)| l).collect();
    assert!(!lines.is_empty(), "there are examples of {kind}");
    lines
}

fn read<T: DeserializeOwned>(line: &str) -> T {
    serde_json::from_str(line).unwrap_or_else(|why| panic!("{why} in {line}"))
}

/// Parses an example and checks that it serializes to the same text.
fn same<T: DeserializeOwned + Serialize>(line: &str) {
    assert_eq!(serde_json::to_string(&read::<T>(line)).unwrap(), line);
}

/// All kinds of a tagged type, taken from the error for an unknown kind.
fn kinds<T: DeserializeOwned>(tag: &str) -> BTreeSet<String> {
    let Err(why) = serde_json::from_str::<T>(&format!(r#"{{"{tag}":"-"}}"#)) else {
        panic!("there is no such kind");
    };
    let why = why.to_string();
    let names = why.split('`').skip(3).step_by(2);
    let names: BTreeSet<String> = names.map(Into::into).collect();
    assert!(names.len() > 2, "{why}");
    names
}

/// The kinds that occur in the examples of a kind of block.
fn documented(block: &str, tag: &str) -> BTreeSet<String> {
    let kind = |line: String| read::<Value>(&line)[tag].as_str().unwrap().to_string();
    examples(block).into_iter().map(kind).collect()
}

#[test]
fn every_example_is_read_and_written_to_the_letter() {
    for (kind, line) in all_examples() {
        let line = line.as_str();
        match kind {
            "client" => same::<ClientMessage>(line),
            "server" => same::<ServerMessage>(line),
            // Settings are serialized in full.
            "command" if line.contains("configure") => drop(read::<Command>(line)),
            "command" => same::<Command>(line),
            "event" if line.contains("configured") => drop(read::<AnyEvent>(line)),
            "event" => same::<AnyEvent>(line),
            "settings" => read::<Settings>(line).check().unwrap(),
            "problem" => same::<Refusal>(line),
            // The order of keys in a summary is not defined.
            "" => {
                let value = serde_json::to_value(read::<Summary>(line)).unwrap();
                assert_eq!(value, read::<Value>(line));
            }
            // The record is tested as a whole below, notifications in the crate `server`.
            "record" | "push" | "preferences" | "webhook_settings" | "webhook" => {}
            _ => panic!("nobody reads examples of {kind}"),
        }
    }
}

#[test]
fn every_message_command_and_event_has_an_example() {
    assert_eq!(documented("client", "type"), kinds::<ClientMessage>("type"));
    assert_eq!(documented("server", "type"), kinds::<ServerMessage>("type"));
    let mut events = kinds::<towers_rules::Event>("event");
    events.extend(kinds::<towers_table::TableEvent>("event"));
    assert_eq!(documented("event", "event"), events);
    let mut commands = kinds::<Command>("command");
    // Only the server itself may send these.
    for own in ["tick", "away", "reopen", "new_host"] {
        assert!(commands.remove(own));
    }
    assert_eq!(documented("command", "command"), commands);
}

#[test]
fn every_close_code_is_in_the_document() {
    for code in towers_table::CloseCode::ALL {
        let row = format!("\n| {} |", code.number());
        assert!(PROTOCOL.contains(&row), "{code:?} is missing");
    }
    let version = format!(r#""protocol": {}"#, towers_table::PROTOCOL);
    assert!(PROTOCOL.contains(&version));
}

#[test]
fn messages_go_in_one_direction_only() {
    for line in examples("client") {
        assert!(
            serde_json::from_str::<ServerMessage>(&line).is_err(),
            "{line}"
        );
    }
    for line in examples("server") {
        assert!(
            serde_json::from_str::<ClientMessage>(&line).is_err(),
            "{line}"
        );
    }
}

#[test]
fn settings_survive_being_written() {
    for line in examples("settings") {
        let settings: Settings = read(&line);
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(read::<Settings>(&text), settings);
        assert_eq!(
            serde_json::to_string(&read::<Settings>(&text)).unwrap(),
            text
        );
    }
}

#[test]
fn the_record_in_the_document_verifies() {
    let text = examples("record").join("\n");
    towers_table::verify_text(&text).unwrap_or_else(|why| panic!("{why}"));
    let record = towers_table::Record::from_text(&text).unwrap();
    assert_eq!(record.to_text().trim_end(), text);
}

#[test]
fn every_way_to_be_refused_is_in_the_document() {
    for code in towers_table::ErrorCode::ALL {
        assert!(PROTOCOL.contains(&format!("`{code}`")), "{code} is missing");
    }
}

#[test]
fn the_document_names_the_limits_of_texts() {
    use towers_table::{CHAT_CHARS, NAME_CHARS, REPORT_CHARS};
    for limit in [
        format!("a name has 1 to {NAME_CHARS} characters and a chat message 1 to {CHAT_CHARS}"),
        format!("with 1 to {REPORT_CHARS} characters"),
    ] {
        assert!(PROTOCOL.contains(&limit), "{limit}");
    }
}

#[test]
fn an_opened_table_is_written_as_in_the_document() {
    let example = r#"{"table":"3k9x…","token":"5e88…","path":"/t/3k9x…"}"#;
    assert!(PROTOCOL.contains(example));
    same::<OpenedTable>(example);
}

#[test]
fn lists_reports_and_results_are_read_and_written_to_the_letter() {
    let summaries = examples("");
    let [summary] = &summaries[..] else {
        panic!("there is one summary: {summaries:?}");
    };
    let listing: Listing = read(&format!(r#"{{"tables":[{summary}]}}"#));
    assert_eq!(listing.tables, [read::<Summary>(summary)]);
    same::<NewReport>(r#"{"reason":"rude names"}"#);
    same::<FinishedDeal>(r#"{"day":"2026-11-15","record":"…"}"#);
    let invitation = r#"{"at":1,"name":"Ann","path":"/t/x","person":"p","table":"x"}"#;
    same::<ReceivedInvitation>(invitation);
    same::<Invitations>(&format!(r#"{{"invitations":[{invitation}]}}"#));
}

#[test]
fn requests_have_no_unknown_fields_and_settings_are_optional() {
    let open: OpenTable = read(r#"{"name":"Ann"}"#);
    assert_eq!(open.settings, Settings::default());
    assert!(serde_json::from_str::<OpenTable>(r#"{"name":"Ann","title":"x"}"#).is_err());
    assert!(serde_json::from_str::<NewReport>(r#"{"reason":"x","by":"y"}"#).is_err());
    assert!(serde_json::from_str::<FinishedDeal>(r#"{"day":"","record":"","x":1}"#).is_err());
}

#[test]
fn summaries_of_earlier_servers_are_read() {
    let text = r#"{"at":1794782953629,"clock":{"kind":"none"},"mode":"versus","number":4,"preset":"capstone","reactions":false,"seats":[{"colour":"b","kind":"person","name":"Ann"},{"colour":"r","kind":"open"}],"stage":"playing","table":"cw78kngv6zz37g62jehf","teams":false,"title":"Friday","waiting":{"deadline":null,"seat":0,"since":1794782953629}}"#;
    let summary: Summary = read(text);
    assert!(!summary.public && !summary.full && summary.rules.is_none());
    let ann = Some(towers_rules::Seat(0));
    assert!(summary.waits_for(ann) && !summary.waits_for(None));
    assert_eq!(summary.open_seats(), 1);
}
