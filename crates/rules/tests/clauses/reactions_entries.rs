//! §13, continued: riders, entries, the declared wizard, the second window.

use super::reactions::{rich_red, table, window};
use crate::common::*;
use rules::{Actor, Phase};

#[test]
fn r13_8_piggyback_is_claimed_with_the_move_of_a_wizard() {
    let table = rich_red("PB").at(3, "brr").at(9, "y");
    let mut state = table.state();
    play(&mut state, "w1:w3");
    assert_eq!(legal(&state), ["pass", "with PB"]);
    play(&mut state, "with PB");
    assert_eq!(
        (flasks(&state, 'r'), state.phase(), field(&state, 3)),
        ([0, 3, 2], Phase::With, "brr".into())
    );
    let mut one = state;
    play(&mut one, "done");
    assert_eq!((field(&one, 3), field(&one, 4)), ("r".into(), "br".into()));
    play(&mut state, "PB");
    assert_eq!(
        (field(&state, 4), flasks(&state, 'r')),
        ("brr".into(), [0, 1, 4]),
        "no third rider, so they go"
    );
    let mut tower = table.state();
    play(&mut tower, "t2:tA");
    assert_eq!(tower.phase(), Phase::Turn, "not with a tower's move");
    let mut elsewhere = rich_red("PB").at(3, "b").at(9, "yr").state();
    play(&mut elsewhere, "w1:w3");
    assert_eq!(elsewhere.phase(), Phase::Turn, "red has nobody there");
    let mut own = window("PB", "b:0/5/0").at(3, "b").at(9, "yr").state();
    play(&mut own, "w1:w3");
    assert_eq!(
        own.phase(),
        Phase::Turn,
        "the declared wizard itself is no rider"
    );
}

#[test]
fn r13_8_riders_come_home_in_one_entry_event_and_need_room() {
    let mut state = rich_red("PB").at(15, "bbrr").at(9, "y").state();
    let events = play_all(&mut state, &["w1:w15", "with PB", "PB"]);
    assert_eq!(
        (home(&state, 'b'), home(&state, 'r'), castle_moves(&events)),
        (3, 4, 1)
    );
    let five = Table::of("byrgo")
        .hand('b', "w1,w2,t2")
        .with("reactions spells=PB flasks=r:0/4/0");
    let mut tight = five.clone().at(3, "brr").at(4, "yygg").at(9, "o").state();
    play_all(&mut tight, &["w1:w3", "with PB"]);
    assert_eq!(field(&tight, 4), "byyrgg", "room for one rider only");
    let mut full = five.at(3, "brr").at(4, "yyggo").at(9, "o").state();
    play(&mut full, "w1:w3");
    assert_eq!(
        field(&full, 4),
        "byyggo",
        "nobody could ride, nobody was asked"
    );
}

#[test]
fn r13_9_an_entry_by_the_active_players_move_ends_the_turn_after_the_after_spell() {
    let mut state = rich_red("AT").at(15, "b").at(9, "byr").state();
    play_all(&mut state, &["w1:w15", "after AT"]);
    assert_eq!((turn_of(&state), state.phase()), ('r', Phase::After));
    play_all(&mut state, &["AT:A", "done"]);
    assert_eq!(
        state.actor(),
        Actor::Chance,
        "blue's turn is over after one card"
    );
}

#[test]
fn r13_9_an_entry_by_the_active_players_before_spell_drops_the_move() {
    let mut state = window("AW", "b:0/5/0")
        .at(15, "y")
        .at(3, "b")
        .at(9, "r")
        .state();
    play_all(&mut state, &["w1:w3", "before AW:15y"]);
    assert_eq!(
        (state.actor(), field(&state, 3)),
        (Actor::Chance, "b".into())
    );
    assert_eq!(flasks(&state, 'b'), [0, 3, 2], "and is not repeated");
    let mut after = window("AW", "b:0/5/0")
        .at(15, "y")
        .at(3, "b")
        .at(9, "r")
        .state();
    play_all(&mut after, &["w1:w3", "after AW", "AW:15y"]);
    assert_eq!(
        (after.actor(), flasks(&after, 'b')),
        (Actor::Chance, [0, 3, 2])
    );
}

#[test]
fn r13_9_an_entry_by_the_spell_of_another_ends_nothing() {
    let mut state = rich_red("AW").at(15, "y").at(5, "b").at(9, "r").state();
    play_all(&mut state, &["w1:w5", "before AW:15y"]);
    assert_eq!(
        (turn_of(&state), state.phase(), home(&state, 'y')),
        ('r', Phase::Before, 4)
    );
    play(&mut state, "AW:9r");
    assert_eq!(
        (field(&state, 6), turn_of(&state), state.phase()),
        ("b".into(), 'b', Phase::Turn)
    );
    let mut after = rich_red("AW").at(15, "y").at(5, "b").at(9, "r").state();
    play_all(&mut after, &["w1:w5", "after AW", "AW:15y"]);
    assert_eq!(
        (turn_of(&after), after.phase()),
        ('r', Phase::After),
        "may go on casting"
    );
}

#[test]
fn r13_10_a_spell_says_whether_the_declared_wizard_is_meant() {
    let table = rich_red("AW,HW").at(3, "bb").at(6, "bb").at(9, "yr");
    let mut state = table.state();
    play(&mut state, "w2:w3");
    assert_eq!(
        legal_like(&state, "before AW:3"),
        ["before AW:3b", "before AW:3b!"]
    );
    assert_eq!(legal_like(&state, "before AW:6"), ["before AW:6b"]);
    assert_eq!(refused(&state, "before AW:6b!").clause(), "R13.10");
    let mut meant = state;
    play_all(&mut meant, &["before AW:3b!", "done"]);
    assert_eq!(
        (field(&meant, 3), field(&meant, 4), field(&meant, 6)),
        ("b".into(), "-".into(), "bbb".into())
    );
    play(&mut state, "before AW:3b");
    assert_eq!(
        legal_like(&state, "AW:3"),
        ["AW:3b"],
        "alone by now, so it need not be said"
    );
    play(&mut state, "AW:3b");
    assert_eq!(
        (field(&state, 4), field(&state, 6)),
        ("b".into(), "bbb".into()),
        "the declared one went on"
    );
}

fn any_time(flasks: &str) -> Table {
    window("AT,FW", flasks).with("free_any_time costs=FW:1")
}

#[test]
fn r13_11_a_second_window_for_free_a_wizard() {
    let mut state = any_time("b:4/1/0;r:3/2/0")
        .at(3, "b")
        .at(7, "yrB")
        .at(9, "r")
        .state();
    play_all(&mut state, &["w1:w3", "pass", "pass"]);
    assert_eq!(
        (turn_of(&state), state.phase()),
        ('b', Phase::Free),
        "the same order"
    );
    assert!(
        legal(&state)
            .iter()
            .all(|a| a.starts_with("FW") || a == "pass")
    );
    assert_eq!(refused(&state, "AT:A").clause(), "R13.5");
    play(&mut state, "pass");
    assert_eq!(turn_of(&state), 'r');
    play(&mut state, "FW:B");
    assert_eq!(
        (field(&state, 7), turn_of(&state), state.phase()),
        ("yBr".into(), 'b', Phase::Turn),
        "once each"
    );
    let mut without = window("AT,FW", "b:4/1/0").at(3, "b").at(9, "yr").state();
    play_all(&mut without, &["w1:w3", "pass"]);
    assert_eq!(without.phase(), Phase::Turn, "only with that option");
}

#[test]
fn r13_11_earlier_casts_do_not_matter_and_a_turn_that_ended_has_it_too() {
    let mut state = any_time("r:1/4/0")
        .at(15, "b")
        .at(7, "yrB")
        .at(9, "br")
        .state();
    play_all(&mut state, &["w1:w15", "after FW", "FW:B", "done"]);
    assert_eq!(
        (turn_of(&state), state.phase()),
        ('r', Phase::Free),
        "blue has come home"
    );
    play(&mut state, "FW:B");
    assert_eq!(state.actor(), Actor::Chance);
}

#[test]
fn r13_11_an_entry_by_the_active_players_fw_ends_the_turn_after_the_others() {
    let table = any_time("b:4/1/0;r:4/1/0")
        .at(0, "bB*")
        .at(3, "b")
        .at(9, "yr");
    let mut state = table.state();
    play_all(&mut state, &["w1:w3", "pass", "pass", "FW:B"]);
    assert_eq!(
        (home(&state, 'b'), turn_of(&state), state.phase()),
        (3, 'r', Phase::Free)
    );
    play(&mut state, "pass");
    assert_eq!(
        state.actor(),
        Actor::Chance,
        "one card was played, the turn is over"
    );
}

#[test]
fn r13_12_the_turn_ends_by_itself_after_the_second_action() {
    let mut state = table("AT")
        .at(3, "b")
        .at(9, "yr")
        .with("flasks=b:0/5/0")
        .state();
    play_all(&mut state, &["w1:w3", "pass", "w2:w4", "pass"]);
    assert_eq!(
        state.actor(),
        Actor::Chance,
        "though blue could pay for a spell"
    );
}
