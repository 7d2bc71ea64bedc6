//! Records of version 1, written by an earlier program, with fewer rules fields and other rules for reactions.

use towers_table::{Record, Stage, verify_text};

const REPLAYED: [(&str, &str, Stage); 4] = [
    (
        "versus",
        include_str!("records/versus-2.jsonl"),
        Stage::Over,
    ),
    (
        "teams",
        include_str!("records/teams-4.jsonl"),
        Stage::Playing,
    ),
    (
        "reactions",
        include_str!("records/reactions-3.jsonl"),
        Stage::Over,
    ),
    ("solo", include_str!("records/solo.jsonl"), Stage::Over),
];

#[test]
fn old_records_replay_to_their_last_entry_with_the_rules_of_then() {
    for (name, text, stage) in REPLAYED {
        let record = Record::from_text(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let table = record.rebuild().unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(table.stage(), stage, "{name}");
        let options = table.settings().options;
        assert_eq!(
            options.refresh_tower,
            towers_rules::RefreshTower::May,
            "{name}"
        );
        assert_eq!(
            options.spell_right,
            towers_rules::SpellRight::Shared,
            "{name}"
        );
        assert_eq!(
            options.spell_time,
            towers_rules::SpellTime::Declared,
            "{name}"
        );
    }
}

#[test]
fn old_records_keep_their_checksums() {
    for (name, text, _) in REPLAYED {
        let verified = verify_text(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(verified.games.len(), 1, "{name}");
        // A modified time no longer matches the checksum.
        let forged = text.replacen("\"at\":1760000001800", "\"at\":1760000001801", 1);
        assert_ne!(forged, text, "{name}");
        let error = verify_text(&forged).unwrap_err().to_string();
        assert!(
            error.contains("the checksum of what is written there"),
            "{name}: {error}"
        );
    }
}

#[test]
fn records_of_version_2_are_verified_as_before() {
    let text = include_str!("records/agreed-2-v2.jsonl");
    let record = Record::from_text(text).expect("a record");
    assert_eq!(record.header.record, 2);
    let verified = verify_text(text).expect("it is whole");
    let game = &verified.games[0];
    assert_eq!((game.secret, game.devices.len()), (None, 0));
    assert_eq!(game.commitment, game.seed.commitment());
    // Its checksums include the table's id, so publishing keeps it.
    let published = record.published().expect("its game is over").to_text();
    assert_eq!(published, text);
    // The rebuilt table continues in that version.
    let mut table = record.rebuild().expect("a table");
    let seed = towers_table::Hex([1; 32]);
    let host = towers_table::Who::Person(towers_table::PersonId(0));
    let rematch = table.submit(0, host, towers_table::Command::Rematch, &seed);
    assert_eq!(rematch.expect("a game").seed, Some(seed));
}

#[test]
fn a_table_of_an_earlier_version_goes_on_and_stays_verifiable() {
    let mut record = Record::from_text(REPLAYED[1].1).expect("a record");
    let mut table = record.rebuild().expect("a table");
    let waiting = table.waiting_for().expect("the game is on");
    let action = table.legal(waiting.seat)[0];
    let by = match waiting.by {
        towers_table::Decider::Person(person) => towers_table::Who::Person(person),
        towers_table::Decider::Bot(_) => towers_table::Who::Bot(waiting.seat),
    };
    let act = towers_table::Command::Act {
        action,
        decision: None,
    };
    let entry = table.submit(0, by, act, &towers_table::Hex([1; 32]));
    record.entries.push(entry.expect("a legal action"));
    verify_text(&record.to_text()).expect("the record is whole");
}

#[test]
fn a_record_whose_rules_are_gone_says_that_an_earlier_version_wrote_it() {
    for text in [
        // A second window for Free a Wizard after each action.
        include_str!("records/free-any-time.jsonl"),
        // A flask filled by a spell paid for casting it again (R13.5).
        include_str!("records/filled-in-series.jsonl"),
    ] {
        let record = Record::from_text(text).expect("it can be read");
        let error = record.rebuild().expect_err("the rules are others now");
        assert!(error.earlier);
        assert!(error.to_string().contains("An earlier version"), "{error}");
        assert_eq!(record.to_text().lines().count(), text.lines().count());
    }
}
