//! Mistakes about spells that are easy to make, with a test for each.

use crate::common::*;
use towers_rules::{EndReason, Event, State};

#[test]
fn nudge_never_burns_flasks_for_nothing() {
    // A wizard stands in sight on every space but the castle's.
    let mut table = Scenario::of("byrgo")
        .with("spells=NC flasks=b:0/4/0")
        .rest_at(15);
    for (space, wizard) in (1..16).zip("bbbyyyrrrgggooo".chars()) {
        if space < 15 {
            table = table.at(space, &wizard.to_string());
        }
    }
    let mut text = table.text();
    // The stack on 15 carries the last one.
    text = text.replace("ABCDEFGHI", "ABCDEFGHIo");
    let state = text.parse::<State>().expect("a position");
    assert!(legal_like(&state, "NC").is_empty());
    assert_eq!(refused(&state, "NC:+").clause(), "R10.6");
    assert_eq!(refused(&state, "NC:-").clause(), "R10.6");
    // With one free space there is a way in both directions.
    let free = text
        .replacen("/b/", "/-/", 1)
        .parse::<State>()
        .expect("a position");
    for direction in ["NC:+", "NC:-"] {
        let mut nudged = free;
        play(&mut nudged, direction);
        assert_eq!(castle(&nudged), 1, "{direction}");
    }
}

#[test]
fn free_finds_only_the_level_directly_beneath() {
    let table = Scenario::of("by")
        .at(3, "bAyBC")
        .at(9, "by")
        .with("spells=FW flasks=b:0/6/0");
    for (cast, after) in [("FW:C", "bAyBC"), ("FW:B", "bAyBC"), ("FW:A", "AyBCb")] {
        let mut state = table.state();
        play(&mut state, cast);
        assert_eq!(
            (field(&state, 3).as_str(), flasks(&state, 'b')),
            (after, [0, 4, 2]),
            "{cast}"
        );
    }
}

#[test]
fn free_under_the_castle_brings_home() {
    let mut state = Scenario::of("by")
        .at(3, "bbAB*")
        .at(9, "by")
        .hand('b', "w1,w2,w3")
        .with("spells=FW flasks=b:0/6/0")
        .state();
    let events = play(&mut state, "FW:A");
    assert_eq!((home(&state, 'b'), field(&state, 3)), (3, "bAB".into()));
    assert_eq!((castle_moves(&events), castle(&state)), (1, 4));
    assert_eq!(turn_of(&state), 'y', "and the turn is over");
}

#[test]
fn all_wizards_home_and_nobody_finished_ends_the_game() {
    let mut state = Scenario::of("byr")
        .at(15, "r")
        .hand('r', "w1,w2,w3")
        .with("active=r flasks=b:1/4/0;y:1/4/0;r:3/2/0")
        .state();
    let events = play(&mut state, "w1:w15");
    assert!(matches!(events.last(), Some(Event::Over { .. })));
    assert_eq!(
        (state.outcome().map(|o| o.why), winners(&state)),
        (Some(EndReason::Stuck), "by".into())
    );
}
