//! §13: who is asked, claims, and casts before and after the move (R13.3, R13.4). Blue is active unless a test says otherwise.

use super::reactions::{at, edition, rich_red, table};
use crate::common::*;
use towers_rules::{Actor, Event, Phase, Preset, Timing};

#[test]
fn r13_3_clockwise_from_the_active_player_skipping_those_who_cannot_cast() {
    let mut state = table("AT")
        .at(3, "b")
        .at(9, "yr")
        .with("active=y flasks=b:4/1/0;r:4/1/0")
        .hand('y', "w1,w2,w3")
        .state();
    play(&mut state, "w1:w9");
    assert_eq!(turn_of(&state), 'r', "yellow has no flask to pay with");
    play(&mut state, "pass");
    assert_eq!(turn_of(&state), 'b');
    let events = play(&mut state, "pass");
    assert!(matches!(
        events[..],
        [Event::Passed { .. }, Event::WizardMoved { .. }]
    ));
    let mut nobody = table("AT").at(3, "b").at(9, "yr").state();
    play(&mut nobody, "w1:w3");
    assert_eq!(
        (turn_of(&nobody), field(&nobody, 4)),
        ('b', "b".into()),
        "no window at all"
    );
}

#[test]
fn r13_3_the_first_claim_closes_the_window() {
    let mut state = table("AT,HT")
        .at(3, "b")
        .at(9, "yr")
        .with("flasks=b:4/1/0;y:4/1/0;r:4/1/0")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(turn_of(&state), 'b', "the active player is asked first");
    play(&mut state, "pass");
    assert_eq!(turn_of(&state), 'y');
    let events = play(&mut state, "before HT:A");
    assert!(matches!(
        events[0],
        Event::Claimed {
            when: Timing::Before,
            ..
        }
    ));
    assert_eq!(
        (turn_of(&state), state.phase()),
        ('b', Phase::Turn),
        "one flask, one cast; red is not asked"
    );
}

#[test]
fn r13_3_castable_is_judged_before_the_move() {
    // Only after blue's tower has moved would there be two stacks to swap.
    let mut state = rich_red("SW").at(3, "b").at(9, "yr").state();
    play(&mut state, "t2:tI");
    assert_eq!(
        (state.phase(), turn_of(&state)),
        (Phase::Turn, 'b'),
        "red was not asked"
    );
    assert_eq!(field(&state, 12), "I");
    // And the other way round: castable now, so it can be claimed for afterwards.
    let mut now = rich_red("SW").at(12, "A").at(3, "b").at(9, "yr").state();
    play(&mut now, "t2:tB");
    assert_eq!(legal_like(&now, "after"), ["after SW"]);
}

#[test]
fn r13_3_with_each_castable_is_judged_when_a_player_is_asked() {
    // Red can pay for a swap only, and there is one stack until yellow makes a second.
    let mut state = edition(Preset::Capstone, "AT,SW", "y:2/3/0;r:4/1/0")
        .at(3, "b")
        .at(9, "yr")
        .with("costs=AT:3")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(at(&state), (Phase::Window, 'y'));
    let mut passed = state;
    play(&mut passed, "pass");
    assert_eq!(at(&passed), (Phase::Closing, 'y'), "red was not asked");
    play(&mut state, "before AT:I");
    assert_eq!(at(&state), (Phase::Window, 'r'));
    assert_eq!(legal(&state), ["before SW:10,12", "pass"]);
}

#[test]
fn r13_3_each_player_is_asked_once_in_a_window() {
    let mut state = edition(Preset::Capstone, "AT", "b:4/1/0;y:4/1/0;r:4/1/0")
        .at(3, "b")
        .at(9, "yr")
        .with("active=y phase=opening")
        .hand('y', "w1,w2,w3")
        .state();
    for asked in ['y', 'r', 'b'] {
        assert_eq!(
            at(&state),
            (Phase::Opening, asked),
            "clockwise from the active player"
        );
        play(&mut state, "pass");
    }
    play(&mut state, "w1:w9");
    for asked in ['y', 'r'] {
        assert_eq!(at(&state), (Phase::Window, asked));
        play(&mut state, "pass");
    }
    play(&mut state, "before AT:A");
    assert_eq!(
        (at(&state), field(&state, 10).as_str()),
        ((Phase::Closing, 'y'), "y"),
        "those who passed are not asked again before the move"
    );
    play(&mut state, "pass");
    assert_eq!(at(&state), (Phase::Closing, 'r'));
    play(&mut state, "pass");
    assert_eq!(
        at(&state),
        (Phase::Opening, 'y'),
        "blue has cast in this action"
    );
}

#[test]
fn r13_3_with_shared_the_first_cast_ends_the_window_whichever_it_is() {
    for (phase, casts) in [
        ("opening", &["AT:A"][..]),
        ("turn", &["w1:w3", "before AT:A"]),
    ] {
        let mut state = edition(Preset::Abacus1, "AT", "b:4/1/0;y:4/1/0;r:4/1/0")
            .at(3, "b")
            .at(9, "yr")
            .with(&format!("phase={phase}"))
            .state();
        play_all(&mut state, casts);
        assert_eq!(turn_of(&state), if phase == "opening" { 'b' } else { 'y' });
    }
    let mut closing = edition(Preset::Abacus1, "AT", "y:4/1/0;r:4/1/0")
        .at(3, "b")
        .at(9, "yr")
        .state();
    play_all(&mut closing, &["w1:w3", "pass", "pass"]);
    assert_eq!(at(&closing), (Phase::Closing, 'y'));
    play(&mut closing, "AT:A");
    assert_eq!(
        at(&closing),
        (Phase::Opening, 'r'),
        "the next action; red was not asked in this"
    );
    assert_eq!(closing.actions_used(), 1);
}

#[test]
fn r13_4_before_is_cast_straight_away_and_after_waits_for_the_move() {
    let table = rich_red("AW").at(3, "b").at(9, "yr");
    let mut before = table.state();
    play_all(&mut before, &["w1:w3", "before AW:9y"]);
    assert_eq!(
        (field(&before, 10).contains('y'), field(&before, 3)),
        (true, "b".into())
    );
    assert_eq!((before.phase(), turn_of(&before)), (Phase::Before, 'r'));
    let mut after = table.state();
    play_all(&mut after, &["w1:w3", "after AW"]);
    assert_eq!(
        (field(&after, 4), after.phase(), turn_of(&after)),
        ("b".into(), Phase::After, 'r')
    );
    assert_eq!(flasks(&after, 'r'), [0, 5, 0], "not yet paid");
    assert_eq!(
        refused(&after, "done").clause(),
        "R13.4",
        "at least one cast"
    );
    play(&mut after, "AW:4b");
    assert_eq!(
        (field(&after, 5), flasks(&after, 'r')),
        ("b".into(), [0, 3, 2])
    );
    play(&mut after, "done");
    assert_eq!((turn_of(&after), after.phase()), ('b', Phase::Turn));
}

#[test]
fn r13_4_nothing_is_paid_if_it_is_castable_no_more() {
    // The only visible wizard goes home by the declared move, so Advance a Wizard has no target.
    let mut state = rich_red("AW").at(15, "b").at(9, "yrA").state();
    play_all(&mut state, &["w1:w15", "after AW"]);
    assert_eq!(home(&state, 'b'), 4);
    assert_eq!(
        (state.actor(), flasks(&state, 'r')),
        (Actor::Chance, [0, 5, 0])
    );
}

#[test]
fn r13_4_with_each_nothing_is_claimed_and_the_closing_window_is_there_for_it() {
    let mut state = edition(Preset::Capstone, "AW", "r:0/5/0")
        .at(3, "b")
        .at(9, "yr")
        .state();
    play(&mut state, "w1:w3");
    assert!(legal_like(&state, "after").is_empty());
    assert_eq!(refused(&state, "after AW").clause(), "R13.4");
    assert_eq!(
        refused(&state, "AW:3b").clause(),
        "R19",
        "in this window one says when"
    );
    play(&mut state, "pass");
    assert_eq!(
        (at(&state), field(&state, 4)),
        ((Phase::Closing, 'r'), "b".into())
    );
    assert_eq!(refused(&state, "before AW:4b").clause(), "R19");
    play_all(&mut state, &["AW:4b", "done"]);
    assert_eq!(field(&state, 5), "b");
}

#[test]
fn r13_4_an_after_claim_of_the_active_player_comes_before_all_others() {
    let mut state = edition(Preset::Abacus1, "AT", "b:0/5/0;y:0/5/0;r:0/5/0")
        .at(3, "b")
        .at(9, "yr")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(at(&state), (Phase::Window, 'b'), "asked first");
    let events = play(&mut state, "after AT");
    assert!(matches!(
        events[..],
        [
            Event::Claimed {
                when: Timing::After,
                ..
            },
            Event::WizardMoved { .. }
        ]
    ));
    assert_eq!(at(&state), (Phase::After, 'b'), "nobody else is asked");
    play_all(&mut state, &["AT:A", "done"]);
    assert_eq!(
        at(&state),
        (Phase::Opening, 'b'),
        "nor in the closing window"
    );
    assert_eq!(
        (flasks(&state, 'y'), flasks(&state, 'r')),
        ([0, 5, 0], [0, 5, 0])
    );
}

#[test]
fn r13_4_in_opening_and_closing_windows_one_casts_at_once() {
    let mut state = edition(Preset::Capstone, "AT", "b:0/5/0;r:0/5/0")
        .at(3, "b")
        .at(9, "yr")
        .with("phase=opening")
        .state();
    let events = play(&mut state, "AT:A");
    assert!(matches!(events[0], Event::SpellCast { .. }), "{events:?}");
    assert_eq!(at(&state), (Phase::Cast, 'b'));
    play(&mut state, "done");
    assert_eq!(at(&state), (Phase::Opening, 'r'), "the window goes on");
    play_all(&mut state, &["pass", "w1:w3", "pass"]);
    assert_eq!(at(&state), (Phase::Closing, 'r'));
    play_all(&mut state, &["AT:H", "AT:G"]);
    assert_eq!(at(&state), (Phase::Cast, 'r'));
    play(&mut state, "done");
    assert_eq!(
        (at(&state), state.actions_used()),
        ((Phase::Opening, 'b'), 1)
    );
}

#[test]
fn r13_4_a_claim_that_lapses_uses_the_right_all_the_same() {
    let mut state = edition(Preset::Abacus1, "AW", "y:0/5/0;r:0/5/0")
        .at(15, "b")
        .at(9, "byrA")
        .state();
    play_all(&mut state, &["w1:w15", "after AW"]);
    assert_eq!(home(&state, 'b'), 3);
    assert_eq!(
        (state.actor(), flasks(&state, 'y'), flasks(&state, 'r')),
        (Actor::Chance, [0, 5, 0], [0, 5, 0]),
        "red is not asked in a closing window"
    );
}
