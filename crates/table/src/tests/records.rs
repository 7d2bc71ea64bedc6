//! A record rebuilds its table, verifies, and shows where it was modified.

use super::{ANN, Club, variants};
use crate::{Command, Difference, Hex, Record, Settings, Stage, verify, verify_text};

fn played(seed: u64) -> Club {
    let mut settings = Settings::default();
    settings.options.max_rounds = Some(6);
    let mut club = Club::seated(settings);
    club.ok(
        ANN,
        Command::Chat {
            text: "a secret between us".into(),
        },
    );
    club.ok(ANN, Command::Start);
    for _ in 0..seed {
        club.pick(2);
    }
    club.play_to_the_end();
    club
}

#[test]
fn a_table_is_rebuilt_from_its_record_at_every_point() {
    for (i, settings) in variants().into_iter().enumerate() {
        let mut club = Club::playing(settings, i as u64);
        while club.table.stage() == Stage::Playing {
            club.act_somehow();
            if club.pick(20) == 0 {
                let text = club.record.to_text();
                let rebuilt = Record::from_text(&text).unwrap().rebuild().unwrap();
                for person in [None, Some(crate::PersonId(0))] {
                    assert_eq!(rebuilt.view(person), club.table.view(person));
                    let number = club.table.number().saturating_sub(5);
                    assert_eq!(
                        rebuilt.since(person, number),
                        club.table.since(person, number)
                    );
                }
            }
        }
        let verified = verify(&club.record).unwrap();
        assert_eq!(verified.entries, club.table.number());
        assert_eq!(verified.games.len(), 1);
        assert!(verified.games[0].outcomes > 0 && verified.games[0].ending.is_some());
    }
}

#[test]
fn published_records_have_no_secrets_and_still_verify() {
    let club = played(1);
    let published = club.record.published().unwrap();
    let text = published.to_text();
    assert!(!text.contains("secret between us") && !text.contains("key of"));
    assert_eq!(verify_text(&text).unwrap(), verify(&club.record).unwrap());
    let mut going_on = Club::playing(Settings::default(), 1);
    going_on.act_somehow();
    assert_eq!(going_on.record.published(), None);
}

#[test]
fn a_record_without_the_running_game_is_published() {
    let mut club = played(2);
    let first = club.record.entries.len();
    club.ok(ANN, Command::Ready { ready: true });
    club.ok(ANN, Command::Start);
    club.act_somehow();
    let published = club.record.published().unwrap();
    assert_eq!(published.entries.len(), first + 1);
    club.play_to_the_end();
    let published = club.record.published().unwrap();
    assert_eq!(published.entries.len(), club.record.entries.len());
    assert_eq!(verify(&published).unwrap().games.len(), 2);
}

/// Modifies a record and checks that verification reports the right entry.
fn tamper(change: impl Fn(&mut Record) -> u64) {
    let mut record = played(3).record;
    let number = change(&mut record);
    match verify(&record) {
        Err(Difference::Field {
            number: found,
            field,
            expected,
            found: is,
        }) => {
            assert_eq!(found, number, "{field}");
            assert_ne!(expected, is);
        }
        Err(Difference::Refused { number: found, .. }) => assert_eq!(found, number),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_change_is_found_where_it_was_made() {
    let begin = |r: &Record| r.entries.iter().position(|e| e.seed.is_some()).unwrap();
    tamper(|r| {
        let i = begin(r);
        r.entries[i].seed = Some(Hex([9; 32]));
        r.entries[i].number
    });
    tamper(|r| {
        let i = begin(r);
        r.entries[i].seed = Some(Hex([9; 32]));
        r.entries[i].commitment = Some(Hex::<32>([9; 32]).commitment());
        r.entries[i].number
    });
    tamper(|r| {
        let i = begin(r);
        r.entries[i].chance.swap(0, 5);
        r.entries[i].number
    });
    tamper(|r| {
        let last = r.entries.last_mut().unwrap();
        last.over = None;
        last.number
    });
    tamper(|r| {
        let i = r.entries.len() / 2;
        r.entries.remove(i);
        i as u64 + 1
    });
    tamper(|r| {
        let i = r.entries.len() / 2;
        r.entries[i].at += 1;
        r.entries[i].number
    });
    // Another action of the same player is detected at least by the checksum.
    let record = played(3).record;
    let mut changed = 0;
    for i in begin(&record) + 1..record.entries.len() {
        let mut table = Record {
            header: record.header.clone(),
            entries: record.entries[..i].to_vec(),
        }
        .rebuild()
        .unwrap();
        let list = table.state().unwrap().legal_actions();
        for action in &list {
            let command = Command::Act {
                action,
                decision: None,
            };
            let mut record = record.clone();
            if record.entries[i].command != command {
                record.entries[i].command = command;
                match verify(&record) {
                    Err(Difference::Field { number, .. }) => assert_eq!(number, i as u64 + 1),
                    other => panic!("{other:?}"),
                }
                changed += 1;
                break;
            }
        }
        table.replay(&record.entries[i]).unwrap();
    }
    assert!(changed > 20, "{changed} actions");
}

#[test]
fn malformed_records_are_refused_with_the_line() {
    for text in ["", "{}", "no", "{\"record\":9}"] {
        assert!(matches!(verify_text(text), Err(Difference::Unreadable(_))));
    }
    let text = played(1).record.to_text();
    let cut = &text[..text.len() - 30];
    match verify_text(cut) {
        Err(Difference::Unreadable(why)) => assert_eq!(why.line, text.lines().count()),
        other => panic!("{other:?}"),
    }
}
