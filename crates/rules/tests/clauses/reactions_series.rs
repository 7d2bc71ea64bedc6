//! §13: series of casts, and the declared move.

use super::reactions::{at, edition, rich_red, window};
use crate::common::*;
use towers_rules::{Event, Phase, Preset};

#[test]
fn r13_5_the_claimed_spell_again_and_again() {
    let mut state = rich_red("AW,AT").at(3, "b").at(5, "A").at(9, "yr").state();
    play_all(&mut state, &["w1:w3", "before AT:A"]);
    assert!(
        legal(&state)
            .iter()
            .all(|a| a.starts_with("AT") || a == "done")
    );
    assert_eq!(refused(&state, "AW:9y").clause(), "R13.5");
    play_all(&mut state, &["AT:B", "AT:A", "AT:A"]);
    assert_eq!(
        (flasks(&state, 'r'), state.phase()),
        ([0, 1, 4], Phase::Before)
    );
    play(&mut state, "AT:A");
    assert_eq!(
        (flasks(&state, 'r'), state.phase()),
        ([0, 0, 5], Phase::Turn),
        "no flask is left"
    );
    assert_eq!(field(&state, 4), "b", "the declared move was made");
}

#[test]
fn r13_5_also_outside_the_window_of_the_declaration() {
    let mut state = edition(Preset::Capstone, "AW,AT", "b:1/4/0")
        .at(3, "b")
        .at(9, "yr")
        .with("phase=opening")
        .state();
    play(&mut state, "AT:A");
    assert_eq!(at(&state), (Phase::Cast, 'b'));
    assert!(
        legal(&state)
            .iter()
            .all(|a| a.starts_with("AT") || a == "done")
    );
    assert_eq!(refused(&state, "AW:9y").clause(), "R13.5");
    assert_eq!(refused(&state, "pass").clause(), "R19");
    assert_eq!(refused(&state, "w1:w3").clause(), "R19");
    play_all(&mut state, &["AT:I", "AT:H", "AT:G"]);
    assert_eq!(
        (at(&state), flasks(&state, 'b')),
        ((Phase::Turn, 'b'), [1, 0, 4])
    );
}

#[test]
fn r13_5_a_flask_filled_by_a_series_does_not_pay_for_its_repeats() {
    // Tower A covers yellow: red has a full flask again, but the series is over.
    let table = |flasks: &str| window("AT", flasks).at(3, "A").at(5, "y").at(9, "br");
    let mut one = table("r:4/1/0").state();
    let events = play_all(&mut one, &["w1:w9", "before AT:A"]);
    assert_eq!(filled(&events), [seat(&one, 'r')]);
    assert_eq!(
        (at(&one), flasks(&one, 'r')),
        ((Phase::Turn, 'b'), [3, 1, 1])
    );
    let mut two = table("r:3/2/0").state();
    play_all(&mut two, &["w1:w9", "before AT:A"]);
    assert_eq!(
        (at(&two), flasks(&two, 'r'), two.turn().budget),
        ((Phase::Before, 'r'), [2, 2, 1], 1)
    );
    play(&mut two, "AT:A");
    assert_eq!(
        (at(&two), flasks(&two, 'r')),
        ((Phase::Turn, 'b'), [2, 1, 2])
    );
    // The same in an after series and in one between the windows.
    let mut after = table("r:4/1/0").state();
    play_all(&mut after, &["w1:w9", "after AT", "AT:A"]);
    assert_eq!(
        (at(&after), flasks(&after, 'r')),
        ((Phase::Turn, 'b'), [3, 1, 1])
    );
    let mut own = edition(Preset::Abacus2, "AT", "b:4/1/0")
        .at(3, "A")
        .at(5, "y")
        .at(9, "br")
        .state();
    play(&mut own, "AT:A");
    assert_eq!(
        (at(&own), flasks(&own, 'b')),
        ((Phase::Turn, 'b'), [3, 1, 1])
    );
    assert_eq!(
        refused(&own, "AT:A").clause(),
        "R13.3",
        "the right is used, too"
    );
}

#[test]
fn r13_5_a_flask_just_filled_pays_in_a_later_window() {
    // Blue's own tower move fills the flask that pays in the closing window.
    let mut state = edition(Preset::Capstone, "AT", "r:5/0/0")
        .at(3, "A")
        .at(5, "y")
        .at(9, "br")
        .state();
    play(&mut state, "t2:tA");
    assert_eq!(
        (at(&state), flasks(&state, 'b')),
        ((Phase::Closing, 'b'), [4, 1, 0])
    );
    play(&mut state, "AT:A");
    assert_eq!(
        (field(&state, 7), flasks(&state, 'b')),
        ("A".into(), [4, 0, 1])
    );
    // The flask that red's spell before the move filled pays for Free a Wizard after it.
    let mut free = edition(Preset::Abacus1, "AT,FW", "r:4/1/0")
        .at(3, "A")
        .at(5, "r")
        .at(9, "byr")
        .state();
    play_all(&mut free, &["w1:w9", "before AT:A"]);
    assert_eq!(
        (at(&free), flasks(&free, 'r')),
        ((Phase::Closing, 'r'), [3, 1, 1])
    );
    play(&mut free, "FW:A");
    assert_eq!(field(&free, 5), "Ar");
}

#[test]
fn r13_6_the_declared_move_is_left_out_if_it_has_become_illegal() {
    let prevented = |state: &mut towers_rules::State, casts: &[&str]| {
        let events = play_all(state, casts);
        assert!(events.contains(&Event::Prevented {
            seat: seat(state, 'b')
        }));
        assert_eq!(
            (state.phase(), turn_of(state)),
            (Phase::Turn, 'b'),
            "the action is finished"
        );
        assert_eq!(state.actions_used(), 1);
    };
    let mut imprisoned = rich_red("AT").at(1, "A").at(3, "b").at(9, "yr").state();
    prevented(&mut imprisoned, &["w1:w3", "before AT:A", "done"]);
    assert_eq!(field(&imprisoned, 3), "bA");
    let five = Scenario::of("byrgo")
        .hand('b', "w1,w2,t2")
        .with("reactions spell_right=shared spell_time=declared spells=AW flasks=r:0/4/0");
    let mut no_room = five.at(3, "by").at(4, "yrrgg").at(9, "o").state();
    prevented(&mut no_room, &["w1:w3", "before AW:3y", "done"]);
    assert_eq!(field(&no_room, 4), "yyrrgg");
    // The castle is nudged from 0 to 1, over to 2 and on to 3, where tower B wants to go.
    let mut castle = window("NC", "r:0/4/1")
        .at(1, "B")
        .at(2, "b")
        .at(9, "yr")
        .state();
    prevented(&mut castle, &["t2:tB", "before NC:+", "NC:+"]);
}

#[test]
fn r13_6_after_casts_and_the_closing_window_still_follow() {
    // Yellow imprisons the declared wizard; red casts when the action is closed.
    let mut state = edition(Preset::Capstone, "AT", "y:4/1/0;r:4/1/0")
        .at(1, "A")
        .at(3, "b")
        .at(9, "yr")
        .state();
    let events = play_all(&mut state, &["w1:w3", "before AT:A", "pass"]);
    assert!(events.contains(&Event::Prevented {
        seat: seat(&state, 'b')
    }));
    assert_eq!(
        (at(&state), field(&state, 3)),
        ((Phase::Closing, 'r'), "bA".into())
    );
    play(&mut state, "AT:A");
    assert_eq!((field(&state, 3), state.actions_used()), ("b".into(), 1));
    // Yellow claims a spell for after the move; then red frees the wizard that takes the last room.
    let mut claimed = edition(Preset::Abacus1, "NC,FW", "y:3/2/0;r:4/1/0")
        .at(3, "b")
        .at(4, "rAyyyrr")
        .at(9, "yr")
        .state();
    let events = play_all(&mut claimed, &["w1:w3", "after NC", "before FW:A"]);
    assert!(events.iter().any(|e| matches!(e, Event::Prevented { .. })));
    assert_eq!(
        (at(&claimed), field(&claimed, 4)),
        ((Phase::After, 'y'), "Ayyyrrr".into())
    );
    play(&mut claimed, "NC:+");
    assert_eq!(castle(&claimed), 1);
}

#[test]
fn r13_6_the_move_starts_where_the_declared_piece_is_by_now() {
    let mut wizard = rich_red("AW").at(3, "b").at(9, "yr").state();
    play_all(&mut wizard, &["w2:w3", "before AW:3b", "done"]);
    assert_eq!(field(&wizard, 6), "b");
    let mut tower = rich_red("AT").at(3, "A").at(9, "byr").state();
    play_all(&mut tower, &["t2:tA", "before AT:A", "done"]);
    assert_eq!(field(&tower, 7), "A");
    let mut carried = rich_red("AT").at(3, "Ab").at(9, "yr").state();
    play_all(&mut carried, &["w1:w3", "before AT:A", "done"]);
    assert_eq!(
        (field(&carried, 5), field(&carried, 6)),
        ("A".into(), "b".into()),
        "with its tower"
    );
    // The declared wizard was brought home by another: there is nothing left to move.
    let mut home_already = rich_red("AW").at(15, "b").at(9, "byr").state();
    let events = play_all(&mut home_already, &["w2:w15", "before AW:15b", "done"]);
    assert_eq!(home(&home_already, 'b'), 3);
    assert!(
        events
            .iter()
            .filter(|e| matches!(e, Event::WizardMoved { .. }))
            .count()
            == 1
    );
}

#[test]
fn r13_7_a_completed_move_stands() {
    let mut state = rich_red("HT").at(3, "A").at(5, "y").at(9, "br").state();
    play_all(&mut state, &["t2:tA", "after HT", "HT:A", "done"]);
    assert_eq!(
        (field(&state, 3), field(&state, 5)),
        ("A".into(), "y".into())
    );
    assert_eq!(
        (flasks(&state, 'b'), state.actions_used()),
        ([4, 1, 0], 1),
        "flask and action stay used"
    );
}
