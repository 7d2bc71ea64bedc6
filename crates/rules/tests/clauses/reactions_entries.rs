//! §13: riders, entries, the declared wizard.

use super::reactions::{at, edition, rich_red, window};
use crate::common::*;
use towers_rules::{Actor, Event, Phase, Preset};

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
    let five = Scenario::of("byrgo")
        .hand('b', "w1,w2,t2")
        .with("reactions spell_right=shared spell_time=declared spells=PB flasks=r:0/4/0");
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

/// Everyone can pay for three riders.
fn riders(spells: &str) -> Scenario {
    edition(Preset::Capstone, spells, "b:2/3/0;y:2/3/0;r:2/3/0").with("costs=PB:1")
}

#[test]
fn r13_8_with_each_several_players_ride() {
    let mut state = riders("PB").at(3, "bbyrr").at(9, "y").state();
    play(&mut state, "w1:w3");
    assert_eq!(
        at(&state),
        (Phase::Window, 'b'),
        "blue has a second one there"
    );
    play(&mut state, "with PB");
    assert_eq!(at(&state), (Phase::Window, 'y'), "there is no third");
    play(&mut state, "with PB");
    assert_eq!(at(&state), (Phase::Window, 'r'));
    play(&mut state, "with PB");
    assert_eq!(
        at(&state),
        (Phase::With, 'r'),
        "red may take a second one along"
    );
    assert_eq!(state.turn().riders.to_string(), "byr");
    play(&mut state, "done");
    assert_eq!(
        (field(&state, 3), field(&state, 4)),
        ("r".into(), "bbyr".into())
    );
    for colour in ['b', 'y', 'r'] {
        assert_eq!(flasks(&state, colour), [2, 2, 1]);
    }
    let mut home_together = riders("PB").at(15, "byr").at(9, "byr").state();
    let events = play_all(&mut home_together, &["w1:w15", "with PB", "with PB"]);
    let home = ['b', 'y', 'r'].map(|c| home(&home_together, c));
    assert_eq!(
        (home, castle_moves(&events)),
        ([3, 3, 3], 1),
        "one entry event"
    );
}

#[test]
fn r13_8_with_shared_only_the_first_rides() {
    let mut state = window("PB", "y:1/4/0;r:1/4/0")
        .at(3, "byr")
        .at(9, "yr")
        .state();
    play_all(&mut state, &["w1:w3", "with PB"]);
    assert_eq!(
        (field(&state, 3), field(&state, 4)),
        ("r".into(), "by".into())
    );
    assert_eq!(at(&state), (Phase::Turn, 'b'));
}

#[test]
fn r13_8_a_rider_who_was_moved_off_stays_behind() {
    let mut state = riders("AW,PB").at(3, "byr").at(9, "yr").state();
    play_all(&mut state, &["w2:w3", "pass", "with PB", "before AW:3y"]);
    assert_eq!(
        (field(&state, 3), field(&state, 4), field(&state, 5)),
        ("r".into(), "y".into(), "b".into())
    );
    assert_eq!(flasks(&state, 'y'), [2, 2, 1], "paid all the same");
    // Or the declared wizard is moved away from its rider.
    let mut parted = riders("AW,PB").at(3, "byr").at(9, "yr").state();
    play_all(&mut parted, &["w2:w3", "pass", "with PB", "before AW:3b"]);
    assert_eq!(
        (field(&parted, 3), field(&parted, 6)),
        ("yr".into(), "b".into())
    );
    // Of two of a colour, one that is left rides for the one that was paid for.
    let mut alike = riders("AW,PB").at(3, "byyr").at(9, "yr").state();
    play_all(
        &mut alike,
        &["w2:w3", "pass", "with PB", "done", "before AW:3y"],
    );
    assert_eq!(
        (field(&alike, 3), field(&alike, 4), field(&alike, 5)),
        ("r".into(), "y".into(), "by".into())
    );
    // A tower carries them all.
    let mut carried = riders("AT,PB").at(3, "Aby").at(9, "yr").state();
    play_all(
        &mut carried,
        &["w1:w3", "pass", "with PB", "before AT:A", "done"],
    );
    assert_eq!(
        (field(&carried, 5), field(&carried, 6)),
        ("A".into(), "by".into())
    );
}

#[test]
fn r13_8_without_room_for_all_who_are_left_nobody_moves() {
    let mut state = Scenario::of("byrgo")
        .at(3, "byo")
        .at(4, "rrgg")
        .at(9, "o")
        .hand('b', "w1,w2,t2")
        .with("reactions spells=AW,PB flasks=y:0/4/0;r:0/4/0")
        .state();
    play_all(&mut state, &["w1:w3", "with PB"]);
    let events = play_all(&mut state, &["before AW:3o", "done"]);
    assert!(events.iter().any(|e| matches!(e, Event::Prevented { .. })));
    assert_eq!(
        (field(&state, 3), field(&state, 4)),
        ("by".into(), "rrggo".into())
    );
    assert_eq!(flasks(&state, 'y'), [0, 2, 2]);
}

#[test]
fn r13_8_only_while_the_declared_wizard_is_visible_and_all_riders_fit() {
    // Yellow imprisons the declared wizard, so red cannot ride.
    let mut hidden = riders("AT,PB").at(1, "A").at(3, "br").at(9, "yr").state();
    play_all(&mut hidden, &["w1:w3", "pass", "before AT:A", "done"]);
    assert_eq!(at(&hidden), (Phase::Window, 'r'), "red could cast AT");
    assert_eq!(refused(&hidden, "with PB").clause(), "R13.8");
    // Room for two more on 4: the declared one and yellow, but not red.
    let mut tight = Scenario::of("byrgo")
        .at(3, "byr")
        .at(4, "rrgg")
        .at(9, "o")
        .hand('b', "w1,w2,t2")
        .with("reactions spells=PB flasks=y:0/4/0;r:0/4/0")
        .state();
    play(&mut tight, "w1:w3");
    assert_eq!(legal(&tight), ["pass", "with PB"]);
    play(&mut tight, "with PB");
    assert_eq!(
        (field(&tight, 3), field(&tight, 4)),
        ("r".into(), "byrrgg".into())
    );
    // The declared wizard is home already, so nobody can ride along.
    let mut home_before = riders("AW,PB").at(15, "br").at(9, "byr").state();
    play_all(&mut home_before, &["w2:w15", "pass", "before AW:15b"]);
    assert_eq!(refused(&home_before, "with PB").clause(), "R13.8");
}

#[test]
fn r13_8_it_is_cast_in_no_other_window() {
    let mut state = riders("AT,PB")
        .at(3, "bbr")
        .at(9, "y")
        .with("phase=opening")
        .state();
    for _ in 0..3 {
        assert!(legal_like(&state, "PB").is_empty() && legal_like(&state, "with").is_empty());
        assert_eq!(refused(&state, "with PB").clause(), "R19");
        assert_eq!(refused(&state, "PB").clause(), "R19");
        play(&mut state, "pass");
    }
    assert_eq!(refused(&state, "w1:w3+").clause(), "R13.2");
    play_all(&mut state, &["w1:w3", "pass", "pass", "pass"]);
    assert_eq!(at(&state), (Phase::Closing, 'b'));
    assert_eq!(refused(&state, "with PB").clause(), "R19");
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
fn r13_9_an_entry_by_the_move_stops_the_claim_of_the_active_player_alone() {
    let table = |flasks: &str| window("AT", flasks).at(15, "b").at(9, "byr");
    let mut own = table("b:0/5/0").state();
    play_all(&mut own, &["w1:w15", "after AT"]);
    assert_eq!(
        (own.actor(), flasks(&own, 'b')),
        (Actor::Chance, [0, 5, 0]),
        "it lapses unpaid"
    );
    let mut other = table("r:0/5/0").state();
    play_all(&mut other, &["w1:w15", "after AT"]);
    assert_eq!(at(&other), (Phase::After, 'r'));
    // A move that brings nobody home leaves it to them.
    let mut stays = window("AT", "b:0/5/0").at(3, "b").at(9, "yr").state();
    play_all(&mut stays, &["w1:w3", "after AT"]);
    assert_eq!(at(&stays), (Phase::After, 'b'));
}

#[test]
fn r13_9_after_an_entry_by_the_move_the_closing_window_is_for_others() {
    for preset in [Preset::Capstone, Preset::Abacus1] {
        let mut state = edition(preset, "AT,FW", "b:0/5/0;y:0/5/0;r:0/5/0")
            .at(15, "b")
            .at(7, "bB")
            .at(9, "yr")
            .state();
        play_all(&mut state, &["w1:w15", "pass", "pass", "pass"]);
        assert_eq!(at(&state), (Phase::Closing, 'y'), "blue is not asked");
        play(&mut state, "pass");
        assert_eq!(at(&state), (Phase::Closing, 'r'));
        play_all(&mut state, &["AT:A", "done"]);
        assert_eq!(
            state.actor(),
            Actor::Chance,
            "blue's turn is over after one card"
        );
        settle(&mut state);
        assert_eq!(state.active(), seat(&state, 'y'));
    }
}

#[test]
fn r13_9_an_entry_by_the_active_players_spell_ends_the_turn_in_every_phase() {
    let table = |keys: &str| {
        edition(Preset::Capstone, "AW", "b:0/5/0;r:0/5/0")
            .at(15, "y")
            .at(3, "b")
            .at(9, "r")
            .hand('b', "w1,w2,w??")
            .with(keys)
    };
    let over = |state: &mut towers_rules::State, actions: &[&str]| {
        let events = play_all(state, actions);
        assert!(someone_entered(&events));
        assert_eq!(
            (field(state, 3), flasks(state, 'b')),
            ("b".into(), [0, 3, 2])
        );
        assert_eq!(flasks(state, 'r'), [0, 5, 0]);
        settle(state);
        assert_eq!(state.active(), seat(state, 'y'), "{actions:?}");
    };
    over(&mut table("phase=opening").state(), &["AW:15y"]);
    over(&mut table("").state(), &["AW:15y"]);
    over(&mut table("").state(), &["w??", "roll 3", "AW:15y"]);
    over(&mut table("").state(), &["w1:w3", "before AW:15y"]);
    let mut refreshed = table("refresh_draw=first").state();
    play(&mut refreshed, "refresh");
    settle(&mut refreshed);
    play(&mut refreshed, "AW:15y");
    assert_eq!(refreshed.active(), seat(&refreshed, 'y'), "no tower moves");
    // In the closing window, too: nobody is asked after it.
    let mut closing = table("").state();
    play_all(&mut closing, &["w1:w3", "pass", "pass", "AW:15y"]);
    assert_eq!(
        (closing.actor(), field(&closing, 4)),
        (Actor::Chance, "b".into())
    );
}

#[test]
fn r13_9_with_own_a_wizard_of_another_ends_nothing_and_may_be_followed_by_repeats() {
    for preset in [Preset::Abacus1, Preset::Abacus2] {
        let table = edition(preset, "AW", "b:0/5/0").at(9, "byr");
        let mut other = table.clone().at(15, "y").state();
        play(&mut other, "AW:15y");
        assert_eq!((home(&other, 'y'), at(&other)), (3, (Phase::Cast, 'b')));
        play(&mut other, "done");
        assert_eq!(at(&other), (Phase::Turn, 'b'));
        let mut own = table.at(15, "b").state();
        play(&mut own, "AW:15b");
        assert_eq!(flasks(&own, 'b'), [0, 3, 2], "no repeat");
        settle(&mut own);
        assert_eq!(own.active(), seat(&own, 'y'));
    }
    let mut before = edition(Preset::Oya, "AW", "b:0/5/0")
        .at(15, "y")
        .at(3, "b")
        .at(9, "r")
        .state();
    play_all(&mut before, &["w2:w3", "before AW:15y", "done"]);
    assert_eq!(
        (field(&before, 5), at(&before)),
        ("b".into(), (Phase::Turn, 'b'))
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

#[test]
fn r13_10_free_a_wizard_frees_the_declared_one_of_two() {
    // Yellow imprisons two blue wizards, one of them declared; blue's partner red frees one.
    let mut state = Scenario::of("byrg")
        .at(1, "A")
        .at(3, "bb")
        .at(9, "yrg")
        .hand('b', "w1,w2,t2")
        .with("teams reactions spells=AT,FW flasks=y:4/1/0;r:3/2/0")
        .state();
    play_all(&mut state, &["w2:w3", "before AT:A"]);
    assert_eq!(
        (at(&state), field(&state, 3)),
        ((Phase::Window, 'r'), "bbA".into())
    );
    assert!(
        legal(&state).contains(&"before FW:A,b".into()),
        "it does not say which"
    );
    let events = play(&mut state, "before FW:A,b");
    assert_eq!(
        (field(&state, 3), field(&state, 5)),
        ("bA".into(), "b".into()),
        "the freed one makes the declared move"
    );
    assert!(!events.iter().any(|e| matches!(e, Event::Prevented { .. })));
    // Yellow brings the castle along. The wizard is freed straight into it, so nothing is left to move.
    let mut home_free = Scenario::of("byrg")
        .at(1, "A*")
        .at(3, "b")
        .at(9, "byrg")
        .hand('b', "w1,w2,t2")
        .with("teams reactions spells=AT,FW flasks=y:4/1/0;r:3/2/0")
        .state();
    play_all(&mut home_free, &["w2:w3", "before AT:A"]);
    assert_eq!(field(&home_free, 3), "bA*");
    let events = play(&mut home_free, "before FW:A,b");
    assert!(someone_entered(&events));
    assert!(events.contains(&Event::NothingMoved {
        seat: seat(&home_free, 'b')
    }));
    assert_eq!(
        (
            home(&home_free, 'b'),
            home_free.active(),
            home_free.actions_used()
        ),
        (3, seat(&home_free, 'b'), 1),
        "and blue's turn goes on (R13.9)"
    );
}
