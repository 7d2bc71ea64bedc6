//! Everything sent to a seat during whole games is searched for information hidden from it: other hands, the order of
//! the draw pile, the seed, and in strict mode imprisoned wizards.
//!
//! The check does not depend on how the server hides information: it examines the text of every message and requires a
//! reason for every card in it.

use serde_json::Value;
use towers_rules::{Card, Memory};
use towers_table::{Command, Record};

use super::client::Client;
use super::player::{gather, play_together};
use super::process::{Data, Process, verified_record};

const VARIANTS: [&str; 12] = [
    r#"{"seats":2,"options":{"max_rounds":8}}"#,
    r#"{"seats":2,"options":{"max_rounds":8,"memory":"strict"},"spells":{"chosen":["AW","AT","SW","HW","HT","NC","PB","FW"]}}"#,
    r#"{"seats":3,"options":{"max_rounds":6,"reactions":true}}"#,
    r#"{"seats":3,"preset":"abacus-1","options":{"max_rounds":6,"reactions":true,"memory":"strict"},"spells":{"random":8}}"#,
    r#"{"seats":4,"options":{"max_rounds":6,"teams":true}}"#,
    r#"{"seats":4,"preset":"abacus-1","options":{"max_rounds":6,"teams":true,"reactions":true},"spells":{"random":6}}"#,
    r#"{"seats":5,"preset":"oya","options":{"max_rounds":5,"memory":"strict"}}"#,
    r#"{"seats":6,"preset":"abacus-2","options":{"max_rounds":5,"teams":true,"memory":"strict"}}"#,
    r#"{"options":{"mode":"solo"}}"#,
    r#"{"preset":"oya","options":{"mode":"solo","memory":"strict"},"spells":{"random":3}}"#,
    r#"{"seats":3,"options":{"mode":"coop"}}"#,
    r#"{"seats":3,"preset":"oya","options":{"mode":"coop","coop_hands":"private","memory":"strict"},"spells":{"random":3}}"#,
];

/// The checker of one viewer's messages, with what that viewer may know.
struct LeakChecker {
    seat: Option<u64>,
    partner: Option<u64>,
    shared_hand: bool,
    strict: bool,
    over: bool,
    /// The active player, as last sent.
    active: Value,
    cards: usize,
}

impl LeakChecker {
    fn is_team(&self, seat: &Value) -> bool {
        let seat = seat.as_u64();
        seat.is_some() && (seat == self.seat || seat == self.partner)
    }

    fn message(&mut self, text: &str) {
        let value: Value = serde_json::from_str(text).unwrap();
        if value["stage"] == "over" {
            self.over = true;
        }
        if text.contains("\"event\":\"game_over\"") {
            self.over = true;
        }
        assert!(
            value.get("key").is_none() && !text.contains("\"key\""),
            "{text}"
        );
        let secret = value["type"] != "welcome" && value.get("token").is_some();
        assert!(!secret, "{text}");
        assert!(self.over || value["seed"].is_null(), "{text}");
        self.walk(&value, &mut Vec::new(), text);
    }

    fn walk<'a>(&mut self, value: &'a Value, path: &mut Vec<&'a str>, text: &str) {
        match value {
            Value::Object(map) => {
                self.object(value, path, text);
                for (key, inner) in map {
                    path.push(key);
                    self.walk(inner, path, text);
                    path.pop();
                }
            }
            Value::Array(list) => {
                for inner in list {
                    self.walk(inner, path, text);
                }
            }
            Value::String(word) if Card::from_text(word).is_some() => {
                self.cards += 1;
                let known = match path.last().copied() {
                    // Events and hands are examined as a whole.
                    Some("card" | "hand" | "offered") => true,
                    Some("discard") => true,
                    // Changes of the discard pile.
                    Some("insert" | "all") => path.contains(&"discard"),
                    // Legal actions concern the viewer's own cards: checked below.
                    Some("legal" | "optional") => self.seat.is_some(),
                    // A move is written like a card: `w3` may be a wizard on space 3.
                    Some("what") => true,
                    _ => false,
                };
                assert!(known, "a card at {path:?} in {text}");
            }
            _ => {}
        }
    }

    fn object(&mut self, value: &Value, path: &[&str], text: &str) {
        let card_shown = |key: &str| !value[key].is_null();
        match value["event"].as_str() {
            Some("drew") if card_shown("card") => {
                let own = self.shared_hand || value["seat"].as_u64() == self.seat;
                assert!(own && (self.seat.is_some() || self.shared_hand), "{text}");
            }
            Some("offered") if card_shown("card") => {
                assert!(self.is_team(&value["seat"]), "{text}");
            }
            Some("handed_over") if card_shown("card") => {
                assert!(self.is_team(&value["from"]), "{text}");
            }
            Some("game_over") => assert!(self.over),
            Some("pass_ahead_is") => {
                assert_eq!(value["seat"].as_u64(), self.seat, "{text}");
            }
            _ => {}
        }
        if value.get("seed").is_some_and(|seed| !seed.is_null()) {
            assert!(self.over, "{text}");
        }
        if path.last() == Some(&"turn") {
            if let Some(active) = value.get("active") {
                self.active = active.clone();
            }
            if card_shown("offered") {
                assert!(self.is_team(&self.active), "{text}");
            }
        }
        if value.get("hand").is_some_and(|hand| !hand.is_null()) {
            assert!(self.seat.is_some() || self.shared_hand, "{text}");
        }
        // In strict mode only the top of a space is shown.
        if let (true, Some(spaces)) = (self.strict, value["spaces"].as_array()) {
            for space in spaces.iter().filter_map(Value::as_array) {
                // A space that changed comes with its number.
                let levels = match &space[..] {
                    [Value::Number(_), Value::Array(levels)] => levels,
                    _ => space,
                };
                for (i, level) in levels.iter().enumerate() {
                    let top = i + 1 == levels.len();
                    assert_eq!(level["wizards"].is_null(), !top, "{text}");
                }
            }
        }
    }
}

/// The hands shown to their owners are the true ones, according to the replayed record. Returns how many were checked.
fn hands_are_true(client: &Client, seat: Option<u64>, record: &Record) -> usize {
    let mut checked = 0;
    let mut hands = vec![None; record.entries.len() + 1];
    let mut table = towers_table::Table::create(&record.header).unwrap();
    for entry in &record.entries {
        table.replay(entry).unwrap();
        hands[entry.number as usize] = table.state().map(|state| {
            let seats = state
                .seats()
                .map(|s| state.hand(s).iter().collect::<Vec<_>>());
            seats.collect::<Vec<_>>()
        });
    }
    for text in &client.received {
        let value: Value = serde_json::from_str(text).unwrap();
        for told in [&value, &value["happened"]] {
            for table in [told, &told["changed"], &told["view"]] {
                let hand = &table["game"]["view"]["hand"];
                if let (Some(number), false) = (told["number"].as_u64(), hand.is_null()) {
                    let cards: Vec<Card> = serde_json::from_value(hand.clone()).unwrap();
                    let truth = hands[number as usize].as_ref().unwrap();
                    let own = &truth[seat.unwrap_or(0) as usize];
                    assert_eq!(&cards, own, "{text}");
                    checked += 1;
                }
            }
        }
    }
    checked
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_seat_is_ever_sent_what_it_may_not_know() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (mut cards, mut hands) = (0, 0);
    for (i, settings) in VARIANTS.iter().enumerate() {
        let parsed: towers_table::Settings = serde_json::from_str(settings).unwrap();
        let seats = usize::from(parsed.seats);
        let (table, mut clients) = gather(process.port, settings, seats).await;
        clients.push(Client::connect(process.port, &table, None).await);
        clients[0].ok(Command::Start).await;
        let clients = play_together(clients, i as u64 * 31 + 5).await;
        let record = verified_record(process.port, &table).await;
        for (j, client) in clients.iter().enumerate() {
            let seat = (j < seats).then_some(j as u64);
            let half = seats as u64 / 2;
            let mut looker = LeakChecker {
                seat,
                partner: seat
                    .filter(|_| parsed.options.teams)
                    .map(|s| (s + half) % seats as u64),
                shared_hand: parsed.options.mode == towers_rules::Mode::Coop
                    && parsed.options.coop_hands == towers_rules::CoopHands::Shared,
                strict: parsed.options.memory == Memory::Strict,
                over: false,
                active: Value::Null,
                cards: 0,
            };
            for text in &client.received {
                looker.message(text);
            }
            hands += hands_are_true(client, seat, &record);
            cards += looker.cards;
        }
    }
    assert!(cards > 10_000, "there were cards to look at: {cards}");
    assert!(hands > 500, "there were hands to compare: {hands}");
}
