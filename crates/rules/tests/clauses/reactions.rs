//! §13: reactions. Blue is active unless a test says otherwise.

use crate::common::*;
use rules::{Actor, Event, Phase, Timing};

/// Three players; red can pay for everything, yellow for nothing.
pub fn table(spells: &str) -> Table {
    Table::of("byr")
        .hand('b', "w1,w2,t2")
        .with(&format!("reactions spells={spells}"))
}

pub fn rich_red(spells: &str) -> Table {
    table(spells).with("flasks=r:0/5/0")
}

/// The same with flasks of one's choice.
pub fn window(spells: &str, flasks: &str) -> Table {
    table(spells).with(&format!("flasks={flasks}"))
}

#[test]
fn r13_1_spells_only_in_windows_and_one_for_each_action() {
    let mut state = table("AT")
        .at(3, "b")
        .at(9, "yr")
        .with("flasks=b:0/5/0;r:0/5/0")
        .state();
    assert_eq!(refused(&state, "AT:A").clause(), "R13.1");
    assert!(legal_like(&state, "AT").is_empty());
    play(&mut state, "w1:w3");
    play(&mut state, "before AT:A");
    play(&mut state, "done");
    assert_eq!(
        (state.phase(), turn_of(&state)),
        (Phase::Turn, 'b'),
        "red is not asked any more"
    );
    assert_eq!(field(&state, 4), "b");
    play(&mut state, "w2:w4");
    assert_eq!(state.phase(), Phase::Window, "one for each action");
    let pair = table("PB")
        .at(3, "bb")
        .at(9, "yr")
        .with("flasks=b:0/5/0")
        .state();
    assert_eq!(refused(&pair, "w1:w3+").clause(), "R13.1");
}

#[test]
fn r13_2_the_action_is_declared_and_the_card_discarded_before_anything_moves() {
    let mut state = rich_red("AT").at(3, "b").at(9, "yr").state();
    let events = play(&mut state, "w1:w3");
    assert!(matches!(
        events[..],
        [Event::Played { .. }, Event::Declared { steps: 1, .. }]
    ));
    assert_eq!(
        (field(&state, 3), hand(&state, 'b')),
        ("b".into(), "t2,w2".into())
    );
    let mut refresh = rich_red("AT").at(3, "b").at(5, "A").at(9, "yr").state();
    play(&mut refresh, "refresh:tA");
    assert_eq!(
        (hand(&refresh, 'b').as_str(), field(&refresh, 5).as_str()),
        ("", "A")
    );
    play(&mut refresh, "pass");
    assert_eq!(field(&refresh, 6), "A");
}

#[test]
fn r13_2_a_declared_no_legal_move_remains_so() {
    let mut state = rich_red("AT").at(3, "bA").at(9, "yr").state();
    play(&mut state, "w1:-");
    play(&mut state, "before AT:A");
    let events = play(&mut state, "done");
    assert!(events.contains(&Event::NothingMoved {
        seat: seat(&state, 'b')
    }));
    assert_eq!(field(&state, 3), "b", "free to go by now, but it stays");
}

#[test]
fn r13_3_clockwise_from_the_active_player_and_who_cannot_cast_is_skipped() {
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
fn r13_3_what_is_castable_is_judged_before_the_move() {
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
fn r13_6_the_declared_move_is_left_out_if_it_has_become_illegal() {
    let prevented = |state: &mut rules::State, casts: &[&str]| {
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
    let five = Table::of("byrgo")
        .hand('b', "w1,w2,t2")
        .with("reactions spells=AW flasks=r:0/4/0");
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
