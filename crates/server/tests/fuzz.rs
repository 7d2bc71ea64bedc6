//! A short and fixed run of the fuzz targets' bodies (`cargo xtask fuzz` runs them at length).

mod fuzz_bodies;

use std::collections::BTreeSet;

use fuzz_bodies::host::FuzzServer;
use fuzz_bodies::{messages, online, session};
use serde_json::Value;
use towers_table::Command;

/// Deterministic pseudo-random numbers.
struct XorShift(u64);

impl XorShift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 20) as usize % n.max(1)
    }
}

/// The kinds of commands that occurred: a session with many kinds is more useful than a long one.
fn kinds<'a>(commands: impl Iterator<Item = &'a Command>) -> BTreeSet<String> {
    let name = |command: &Command| {
        let json = serde_json::to_value(command).expect("commands are plain data");
        json["command"].as_str().expect("it has a name").to_string()
    };
    commands.map(name).collect()
}

#[test]
fn sessions_with_valid_and_invalid_commands_agree_with_the_model() {
    let mut dice = XorShift(0x9E37_79B9_7F4A_7C15);
    let mut entries = Vec::new();
    for _ in 0..120 {
        let length = 50 + dice.below(1500);
        let bytes: Vec<u8> = (0..length).map(|_| dice.next() as u8).collect();
        entries.extend(session::play(&bytes));
    }
    // Sessions are diverse: every kind of command is accepted, and games end.
    let kinds = kinds(entries.iter().map(|entry| &entry.command));
    assert_eq!(kinds.len(), 24, "{kinds:?}");
    assert!(entries.iter().any(|entry| entry.over.is_some()));
}

#[test]
fn what_a_server_sends_to_reconnecting_people_agrees_with_the_model() {
    let host = FuzzServer::start();
    let mut dice = XorShift(7);
    let (mut accepted, mut came_back, mut records) = (Vec::new(), 0, 0);
    // Kinds of tables, and the number of people; two reconnect.
    for opening in [[7, 2], [1, 1], [3, 2], [9, 3]] {
        let rest = 60 + dice.below(60);
        let mut bytes = opening.to_vec();
        bytes.extend((0..rest).map(|_| dice.next() as u8));
        let done = online::play(&host, &bytes);
        accepted.extend(done.accepted);
        came_back += done.came_back;
        records += u32::from(done.record);
    }
    let kinds = kinds(accepted.iter());
    for needed in ["start", "act", "chat", "leave", "back", "end", "rematch"] {
        assert!(kinds.contains(needed), "{needed} in {kinds:?}");
    }
    assert!(came_back >= 4 && records > 0, "{came_back} {records}");
}

#[test]
fn mutated_messages_are_parsed_or_refused() {
    let protocol = include_str!("../../../docs/protocol.md");
    let examples: Vec<String> = protocol
        .split("```json")
        .skip(1)
        .filter_map(|block| block.split("```").next()?.split_once('\n'))
        .flat_map(|(_, json)| serde_json::Deserializer::from_str(json).into_iter::<Value>())
        .filter_map(|example| Some(example.ok()?.to_string()))
        .collect();
    assert!(examples.len() > 100);
    let mut dice = XorShift(1);
    for _ in 0..20_000 {
        let mut bytes = examples[dice.below(examples.len())].as_bytes().to_vec();
        for _ in 0..dice.below(4) {
            let at = dice.below(bytes.len());
            match dice.below(4) {
                0 => bytes[at] = dice.next() as u8,
                1 => bytes.truncate(at),
                2 => bytes[at] = b"{}[]\",:0-9eE\\"[dice.below(13)],
                _ => {
                    let other = examples[dice.below(examples.len())].as_bytes();
                    let from = dice.below(other.len());
                    let to = (from + 30).min(other.len());
                    bytes.splice(at..at, other[from..to].iter().copied());
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        messages::read(&bytes);
    }
}
