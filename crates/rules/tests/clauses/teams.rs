//! §12: teams. Blue and red are partners, and so are yellow and green. Exchanges (R12.2) and gifts (R12.3) have their own files.

use crate::common::*;
use towers_rules::{Actor, EndReason, State};

pub(crate) fn teams() -> Scenario {
    Scenario::of("byrg")
        .hand('b', "w1,w2,w3")
        .hand('r', "t1,t2,t3")
        .with("teams")
}

/// Every wizard on a space of its own.
pub(crate) fn out() -> Scenario {
    teams().at(3, "b").at(5, "r").at(7, "y").at(9, "g")
}

#[test]
fn r12_1_partners_face_each_other() {
    let four = out().state();
    let partner = |state: &State, c: char| {
        let partner = state.partner(seat(state, c)).expect("in teams");
        state.colour(partner).letter()
    };
    assert_eq!(
        ['b', 'y', 'r', 'g'].map(|c| partner(&four, c)),
        ['r', 'g', 'b', 'y']
    );
    let six = Scenario::of("byrgop").at(3, "byrgop").with("teams").state();
    assert_eq!(
        "byrgop"
            .chars()
            .map(|c| partner(&six, c))
            .collect::<String>(),
        "gopbyr"
    );
    let alone = Scenario::of("byrg").at(3, "byrg").state();
    assert_eq!(alone.partner(towers_rules::Seat(0)), None);
    assert_eq!(refused(&alone, "ask").clause(), "R12.1");
}

#[test]
fn r12_4_with_all_wizards_home_you_move_your_partners() {
    let mut state = teams()
        .at(5, "rr")
        .at(9, "yg")
        .with("spells=PB flasks=b:3/2/0")
        .state();
    assert_eq!(legal_like(&state, "w1:"), ["w1:w5", "w1:w5+"]);
    assert_eq!(state.moves_wizards_of(seat(&state, 'b')), seat(&state, 'r'));
    play(&mut state, "w1:w5+");
    assert_eq!(
        (field(&state, 6), flasks(&state, 'b')),
        ("rr".into(), [3, 0, 2])
    );
    assert_eq!(legal_like(&out().state(), "w1:"), ["w1:w3"], "not before");
}

#[test]
fn r12_5_imprisoning_fills_the_partners_flask_if_you_have_no_empty_one() {
    let table = teams()
        .at(3, "bA")
        .at(5, "y")
        .at(9, "g")
        .at(11, "r")
        .hand('b', "t2,w2,w3");
    let mut state = table.clone().with("flasks=b:0/5/0").state();
    let events = play(&mut state, "t2:tA");
    assert_eq!(filled(&events), [seat(&state, 'r')]);
    assert_eq!(
        (flasks(&state, 'b'), flasks(&state, 'r')),
        ([0, 5, 0], [4, 1, 0])
    );
    let mut own = table.clone().with("flasks=b:1/4/0").state();
    play(&mut own, "t2:tA");
    assert_eq!(
        (flasks(&own, 'b'), flasks(&own, 'r')),
        ([0, 5, 0], [5, 0, 0])
    );
    let mut neither = table.with("flasks=b:0/5/0;r:0/5/0").state();
    assert!(filled(&play(&mut neither, "t2:tA")).is_empty());
}

#[test]
fn r12_6_free_a_wizard_of_yours_or_your_partners() {
    let table = teams().with("spells=FW flasks=b:3/2/0").at(9, "byrg");
    let free = |prisoners: &str, cast: &str| {
        let mut state = table.clone().at(3, &format!("{prisoners}A")).state();
        play(&mut state, cast);
        field(&state, 3)
    };
    assert_eq!(free("byr", "FW:A,b"), "yrAb");
    assert_eq!(free("byr", "FW:A,r"), "byAr");
    assert_eq!(free("yr", "FW:A,b"), "yAr", "only the other is there");
    assert_eq!(free("by", "FW:A,r"), "yAb");
    assert_eq!(free("yg", "FW:A,b"), "ygA", "nobody is freed");
    let state = table.at(3, "brA").state();
    assert_eq!(legal_like(&state, "FW:A"), ["FW:A,b", "FW:A,r"]);
    assert_eq!(refused(&state, "FW:A").clause(), "R12.6");
    assert_eq!(refused(&state, "FW:A,y").clause(), "R12.6");
    let alone = Scenario::of("by")
        .at(3, "bA")
        .at(9, "y")
        .with("spells=FW flasks=b:4/2/0")
        .state();
    assert_eq!(refused(&alone, "FW:A,b").clause(), "R12.6");
}

#[test]
fn r12_7_a_team_has_finished_when_both_have() {
    let b = towers_rules::Seat(0);
    let finished = |table: Scenario| table.state().has_finished(b);
    let rivals = || teams().at(9, "yg");
    assert!(finished(rivals().with("flasks=b:0/5/0;r:0/3/2")));
    assert!(!finished(rivals().with("flasks=b:0/5/0;r:1/4/0")));
    assert!(!finished(
        rivals().at(3, "r").with("flasks=b:0/5/0;r:0/5/0")
    ));
    let both = rivals().with("flasks=b:0/5/0;r:0/5/0").state();
    assert!(both.has_finished(seat(&both, 'r')) && both.is_final());
}

/// Blue's team finishes in blue's turn, and yellow's in yellow's.
fn race(keys: &str) -> State {
    let mut state = Scenario::of("byrg")
        .at(15, "b")
        .at(3, "y")
        .at(9, "g")
        .hand('b', "w1,w2,w3")
        .hand('y', "w1,w2,w3")
        .with(&format!("teams refresh_tower=may {keys}"))
        .state();
    play(&mut state, "w1:w15");
    settle(&mut state);
    state
}

#[test]
fn r12_8_the_round_is_completed_and_full_flasks_of_both_decide() {
    // Yellow comes home in the same round, but green is still out.
    let mut state = race("flasks=b:0/1/4;r:0/2/3;y:0/2/3;g:0/2/3");
    assert_eq!((turn_of(&state), castle(&state)), ('y', 4));
    play(&mut state, "w1:w3");
    settle(&mut state);
    for _ in 0..2 {
        play(&mut state, "refresh:-");
        settle(&mut state);
    }
    let outcome = state.outcome().expect("the round is over");
    assert_eq!(
        (outcome.why, winners(&state)),
        (EndReason::Finished, "br".into()),
        "green is still out"
    );
}

#[test]
fn r12_8_the_team_with_more_full_flasks_wins_and_ties_are_shared() {
    let end = |flasks: &str| {
        let mut state = Scenario::of("byrgop")
            .at(9, "r")
            .with(&format!("teams refresh_tower=may active=p flasks={flasks}"))
            .state();
        play(&mut state, "refresh:-");
        settle(&mut state);
        winners(&state)
    };
    let four = "b:0/4/0;g:0/0/4";
    assert_eq!(end(&format!("{four};y:0/3/1;o:0/2/2")), "yo");
    assert_eq!(end(&format!("{four};y:0/3/1;o:0/1/3")), "bygo");
    assert_eq!(end(&format!("{four};y:0/3/1;o:0/0/4")), "bg");
}

#[test]
fn r12_8_with_at_once_the_game_is_over_when_a_team_has_finished() {
    let state = race("team_end=at_once flasks=b:0/1/4;r:0/2/3");
    assert_eq!(state.actor(), Actor::Nobody);
    assert_eq!(
        (winners(&state), state.outcome().map(|o| o.why)),
        ("br".into(), Some(EndReason::Finished))
    );
    let flask = |keys: &str| {
        let mut state = Scenario::of("byrg")
            .at(3, "A")
            .at(5, "y")
            .at(9, "g")
            .hand('b', "t2,w2,w3")
            .with(&format!("teams {keys}"))
            .state();
        play(&mut state, "t2:tA");
        state
    };
    assert_eq!(
        flask("team_end=at_once flasks=b:0/5/0;r:1/4/0").actor(),
        Actor::Nobody,
        "by a flask"
    );
    assert_eq!(
        turn_of(&flask("flasks=b:0/5/0;r:1/4/0")),
        'b',
        "the round goes on"
    );
}
