//! §9 and §10: casting without reactions, and the eight spells.

use crate::common::*;
use towers_rules::{Actor, Event, Phase, Preset, State};

fn all_spells() -> Scenario {
    Scenario::of("by")
        .hand('b', "w1,w2,w??")
        .with("spells=AW,AT,SW,HW,HT,NC,PB,FW flasks=b:0/6/0")
}

#[test]
fn r9_1_one_spell_a_turn_at_any_decision() {
    let table = all_spells().at(3, "bb").at(9, "by");
    let can_cast = |state: &State| legal(state).contains(&"AT:A".into());
    let mut state = table.state();
    assert!(can_cast(&state), "before the first card");
    play_all(&mut state, &["w??", "roll 3"]);
    assert!(can_cast(&state), "between roll and move");
    play(&mut state, ":w3");
    assert!(can_cast(&state), "between the actions");
    let mut after = state;
    play(&mut after, "w1:w3");
    assert!(
        after.phase() == Phase::End && can_cast(&after),
        "after the second"
    );
    play(&mut state, "AT:A");
    assert!(state.has_cast());
    assert_eq!(refused(&state, "AT:A").clause(), "R9.1");
    assert_eq!(refused(&state, "AW:3b").clause(), "R9.1");
    assert_eq!(
        refused(&state, "w1:w3+").clause(),
        "R9.1",
        "piggyback is a spell as well"
    );
}

#[test]
fn r9_1_after_a_refresh_as_refresh_spell_says() {
    let table = all_spells().at(3, "bb").at(9, "by");
    let mut with = table.clone().with("refresh_spell").state();
    play(&mut with, "refresh:tA");
    assert_eq!((with.phase(), turn_of(&with)), (Phase::End, 'b'));
    play(&mut with, "AT:A");
    assert_eq!(field(&with, 13), "ABCDEFGHI");
    assert_eq!(with.actor(), Actor::Chance, "and the turn is over");
    let mut without = table.clone().with("refresh_spell=false").state();
    play(&mut without, "refresh:tA");
    assert_eq!(without.actor(), Actor::Chance, "the refresh ends the turn");
    // Before it, a spell can be cast either way.
    let mut before = table.with("refresh_spell=false").state();
    play_all(&mut before, &["AT:A", "refresh:tA"]);
    assert_eq!(field(&before, 13), "ABCDEFGHI");
    settle(&mut before);
    assert_eq!(turn_of(&before), 'y');
}

#[test]
fn r9_1_in_phase_refreshed_before_the_tower_is_chosen() {
    for (keys, after) in [("refresh_spell", true), ("refresh_spell=false", false)] {
        let mut state = all_spells()
            .at(3, "bb")
            .at(9, "by")
            .with(&format!("refresh_draw=first {keys}"))
            .state();
        play(&mut state, "refresh");
        settle(&mut state);
        assert_eq!(state.phase(), Phase::Refreshed);
        let mut late = state;
        play(&mut late, ":tA");
        assert_eq!(late.phase() == Phase::End, after, "{keys}");
        assert_eq!(turn_of(&late), if after { 'b' } else { 'y' }, "{keys}");
        play(&mut state, "AT:A");
        assert_eq!(
            (state.phase(), turn_of(&state), field(&state, 12).as_str()),
            (Phase::Refreshed, 'b', "ABCDEFGHI"),
            "the tower is still to be chosen"
        );
        assert_eq!(refused(&state, "AT:A").clause(), "R9.1", "once a turn");
        play(&mut state, ":tI");
        assert_eq!((turn_of(&state), field(&state, 13).as_str()), ('y', "I"));
    }
}

#[test]
fn r9_1_not_in_the_turn_of_another() {
    let state = all_spells().at(3, "b").at(9, "y").with("active=y").state();
    assert_eq!(
        refused_as(&state, seat(&state, 'b'), "AT:A").clause(),
        "R19"
    );
}

#[test]
fn r9_2_the_price_turns_full_flasks_into_spent_ones() {
    let costs = [
        ("AW:3b", 2),
        ("AT:A", 1),
        ("SW:5,6", 1),
        ("HW:3b", 2),
        ("HT:A", 1),
        ("NC:+", 2),
        ("w1:w3+", 2),
        ("FW:A", 2),
    ];
    let table = all_spells().at(3, "bb").at(5, "A").at(6, "B").at(9, "by");
    for (cast, cost) in costs {
        let mut state = table.state();
        play(&mut state, cast);
        assert_eq!(flasks(&state, 'b'), [0, 6 - cost, cost], "{cast}");
        assert_eq!(flasks(&state, 'y'), [6, 0, 0]);
        if cost == 2 {
            let poor = table.text().replace("flasks=b:0/6/0", "flasks=b:5/1/0");
            let poor = poor.parse::<State>().expect("a position");
            assert_eq!(refused(&poor, cast).clause(), "R9.2", "{cast}");
        }
    }
    let mut dear = table.with("costs=AT:3").state();
    play(&mut dear, "AT:A");
    assert_eq!(flasks(&dear, 'b'), [0, 3, 3]);
}

#[test]
fn r9_3_with_any_a_spell_that_brings_anyone_home_ends_the_turn() {
    for colour in ["b", "y"] {
        let mut state = all_spells()
            .at(15, colour)
            .at(9, "bbyy")
            .with("entry_ends=any")
            .state();
        let events = play(&mut state, &format!("AW:15{colour}"));
        assert_eq!(castle_moves(&events), 1);
        assert_eq!(
            turn_of(&state),
            'y',
            "{colour}: blue has all three cards, but the turn is over"
        );
    }
}

#[test]
fn r9_3_with_own_only_a_wizard_of_the_casters_colour_ends_the_turn() {
    let table = all_spells().at(9, "bbyy").with("entry_ends=own");
    let mut own = table.clone().at(15, "b").state();
    assert_eq!(castle_moves(&play(&mut own, "AW:15b")), 1);
    assert_eq!(turn_of(&own), 'y');
    let mut other = table.at(15, "y").state();
    let events = play(&mut other, "AW:15y");
    assert_eq!((castle_moves(&events), home(&other, 'y')), (1, 3));
    assert_eq!((turn_of(&other), other.phase()), ('b', Phase::Turn));
    play_all(&mut other, &["w1:w9", "w2:w9"]);
    assert_eq!(other.actor(), Actor::Chance, "both cards were played");
}

#[test]
fn r9_3_a_wizard_of_another_brought_home_does_not_end_the_turn_in_three_editions() {
    for (preset, ends) in [
        (Preset::Capstone, true),
        (Preset::Abacus1, false),
        (Preset::Abacus2, false),
        (Preset::Oya, false),
    ] {
        let mut state = all_spells()
            .edition(preset)
            .at(15, "y")
            .at(9, "bbyy")
            .state();
        play(&mut state, "AW:15y");
        assert_eq!(turn_of(&state) == 'y', ends, "{}", preset.name());
    }
}

#[test]
fn r9_3_in_teams_the_colour_one_moves_with_cards_counts_as_it_was_before() {
    let partners = |board: &[(usize, &str)], cast: &str| {
        let table = Scenario::of("byrg")
            .at(9, "yg")
            .with("teams entry_ends=own spells=AW flasks=b:1/4/0");
        let place = |table: Scenario, &(space, wizards): &(usize, &str)| table.at(space, wizards);
        let mut state = board.iter().fold(table, place).state();
        play(&mut state, cast);
        turn_of(&state)
    };
    // Blue's own wizards are all home: red's are those blue moves.
    assert_eq!(partners(&[(15, "r"), (3, "r")], "AW:15r"), 'y');
    // Blue still has one out: red's coming home ends nothing.
    assert_eq!(partners(&[(15, "r"), (3, "b")], "AW:15r"), 'b');
    // Blue's last one comes home: that was blue's colour before the cast.
    assert_eq!(partners(&[(15, "b"), (3, "r")], "AW:15b"), 'y');
}

#[test]
fn r9_3_also_in_the_middle_of_a_roll() {
    let mut state = all_spells().at(15, "y").at(9, "bbyy").state();
    play_all(&mut state, &["w??", "roll 3", "AW:15y"]);
    settle(&mut state);
    assert_eq!((turn_of(&state), home(&state, 'y')), ('y', 3));
    assert_eq!((state.turn().rolled, state.turn().card), (0, None));
    let mut own = all_spells()
        .at(15, "y")
        .at(9, "bbyy")
        .with("entry_ends=own")
        .state();
    play_all(&mut own, &["w??", "roll 3", "AW:15y"]);
    assert_eq!(
        (turn_of(&own), own.rolled()),
        ('b', Some(3)),
        "the roll stands"
    );
}

#[test]
fn r9_3_and_in_phase_refreshed() {
    let mut state = all_spells()
        .at(15, "b")
        .at(9, "bbyy")
        .with("refresh_draw=first")
        .state();
    play(&mut state, "refresh");
    settle(&mut state);
    play(&mut state, "AW:15b");
    assert_eq!(turn_of(&state), 'y', "no tower moves");
}

#[test]
fn r9_4_a_spell_may_harm_its_caster() {
    // Blue imprisons their own last visible wizard, and helps yellow home.
    let mut state = all_spells().at(3, "A").at(5, "b").at(9, "y").state();
    play(&mut state, "AT:A");
    assert_eq!(field(&state, 5), "bA");
    let mut helps = all_spells().at(15, "y").at(9, "b").state();
    play(&mut helps, "AW:15y");
    assert_eq!(home(&helps, 'y'), 5);
}

#[test]
fn r9_5_only_castable_spells_are_offered() {
    let table = Scenario::of("by")
        .at(3, "bb")
        .at(9, "by")
        .hand('b', "w1,w2,w3");
    let casts = |state: &State| -> Vec<String> {
        let mut codes: Vec<_> = legal(state)
            .iter()
            .filter(|a| a.as_bytes()[0].is_ascii_uppercase())
            .map(|a| a[..2].to_string())
            .collect();
        codes.dedup();
        codes
    };
    let two = table.clone().with("spells=AT,FW flasks=b:0/6/0").state();
    assert_eq!(casts(&two), ["AT", "FW"], "those in play");
    assert_eq!(refused(&two, "AW:3b").clause(), "R9.5");
    assert_eq!(refused(&two, "w1:w3+").clause(), "R9.5");
    let poor = table.clone().with("spells=AT,FW flasks=b:5/1/0").state();
    assert_eq!(casts(&poor), ["AT"], "those that can be paid");
    let broke = table.with("spells=AT,FW").state();
    assert_eq!(casts(&broke), Vec::<String>::new());
    // A swap needs two stacks: there is only one.
    let no_target = Scenario::of("by")
        .at(3, "bb")
        .at(9, "by")
        .with("spells=SW flasks=b:0/6/0")
        .state();
    assert_eq!(casts(&no_target), Vec::<String>::new());
    assert_eq!(refused(&no_target, "SW:3,10").clause(), "R10.3");
}

#[test]
fn r10_1_advance_a_wizard() {
    let table = all_spells()
        .at(3, "by")
        .at(4, "A")
        .at(15, "y")
        .at(6, "yB")
        .at(9, "b");
    let mut state = table.state();
    assert_eq!(
        legal_like(&state, "AW"),
        ["AW:15y", "AW:3b", "AW:3y", "AW:9b"],
        "visible ones of anyone"
    );
    assert_eq!(refused(&state, "AW:6y").clause(), "R9.5");
    assert_eq!(refused(&state, "AW:3r").clause(), "R9.5");
    assert_eq!(refused(&state, "AW:3b!").clause(), "R13.10");
    play(&mut state, "AW:3y");
    assert_eq!(
        (field(&state, 3), field(&state, 4)),
        ("b".into(), "Ay".into())
    );
    let mut enters = table.state();
    play(&mut enters, "AW:15y");
    assert_eq!((home(&enters, 'y'), castle(&enters)), (3, 4));
    let full = Scenario::of("byrgo")
        .at(3, "b")
        .at(4, "byyrrg")
        .at(9, "o")
        .with("spells=AW flasks=b:0/4/0")
        .state();
    assert_eq!(refused(&full, "AW:3b").clause(), "R5.3");
}

#[test]
fn r10_2_advance_a_tower() {
    let mut state = all_spells().at(3, "bA").at(5, "y").at(9, "by").state();
    assert_eq!(legal_like(&state, "AT").len(), 9);
    let events = play(&mut state, "AT:A");
    assert_eq!(
        (field(&state, 3), field(&state, 5)),
        ("b".into(), "yA".into())
    );
    assert!(filled(&events).is_empty(), "no empty flask");
    assert_eq!(turn_of(&state), 'b', "cards are still to be played");
}

#[test]
fn r10_3_swap_towers() {
    let table = all_spells().at(3, "yAbBy").at(7, "bCbb").at(9, "y");
    let mut state = table.state();
    assert_eq!(legal_like(&state, "SW"), ["SW:3,10", "SW:3,7", "SW:7,10"]);
    let events = play(&mut state, "SW:3,7");
    assert_eq!(
        (field(&state, 3), field(&state, 7)),
        ("yAbCbb".into(), "bBy".into())
    );
    assert!(filled(&events).is_empty());
    let peeked: Vec<_> = events
        .iter()
        .filter_map(|e| match e {
            Event::Peeked { surface, wizards } => Some(format!("{surface} {wizards}")),
            _ => None,
        })
        .collect();
    assert_eq!(peeked, ["A b", "7 b"]);
    assert_eq!(
        refused(&all_spells().at(3, "bA").at(9, "y").state(), "SW:3,4").clause(),
        "R10.3"
    );
    let same = towers_rules::Action::Cast(towers_rules::Cast::SwapTowers(
        towers_rules::Space::wrapping(7),
        towers_rules::Space::wrapping(7),
    ));
    assert_eq!(
        table
            .state()
            .check(towers_rules::Seat(0), same)
            .map_err(towers_rules::Illegal::clause),
        Err("R10.3")
    );
}

#[test]
fn r10_3_the_castle_goes_along_with_the_tower_it_stands_on() {
    let table = all_spells().at(3, "bA*").at(7, "yB").at(9, "y");
    let mut state = table.state();
    assert_eq!(legal_like(&state, "SW"), ["SW:3,10", "SW:3,7", "SW:7,10"]);
    let events = play(&mut state, "SW:3,7");
    assert_eq!(
        (field(&state, 3), field(&state, 7), castle(&state)),
        ("bB".into(), "yA*".into(), 7)
    );
    assert_eq!(castle_moves(&events), 0, "it is carried");
    assert!(filled(&events).is_empty() && !someone_entered(&events));
    let mut other = table.state();
    play(&mut other, "SW:7,10");
    assert_eq!(castle(&other), 3);
    // The same from the higher space to the lower one.
    let mut back = all_spells().at(3, "bA").at(7, "yB*").at(9, "y").state();
    play(&mut back, "SW:3,7");
    assert_eq!((field(&back, 3), castle(&back)), ("bB*".into(), 3));
}

#[test]
fn r10_4_headwind_for_a_wizard() {
    let table = all_spells().at(1, "y").at(4, "by").at(3, "A").at(9, "b");
    let mut state = table.state();
    assert_eq!(
        legal_like(&state, "HW"),
        ["HW:1y", "HW:4b", "HW:4y", "HW:9b"]
    );
    play(&mut state, "HW:4b");
    assert_eq!(
        (field(&state, 4), field(&state, 3)),
        ("y".into(), "Ab".into())
    );
    let mut enters = table.state();
    assert!(someone_entered(&play(&mut enters, "HW:1y")));
    let full = Scenario::of("byrgo")
        .at(4, "b")
        .at(3, "byyrrg")
        .at(9, "o")
        .with("spells=HW flasks=b:0/4/0")
        .state();
    assert_eq!(refused(&full, "HW:4b").clause(), "R5.3");
}

#[test]
fn r10_5_headwind_for_a_tower() {
    let mut state = all_spells()
        .at(1, "A")
        .at(15, "y")
        .at(9, "by")
        .at(2, "B")
        .state();
    assert_eq!(refused(&state, "HT:B").clause(), "R7.3");
    let events = play(&mut state, "HT:A");
    assert_eq!(field(&state, 15), "yA", "past the castle, backwards");
    assert!(events.iter().any(|e| matches!(e, Event::Imprisoned { .. })));
}

#[test]
fn r10_6_nudge_the_castle() {
    let table = all_spells()
        .at(1, "y")
        .at(2, "Ab")
        .at(3, "yB")
        .at(15, "b")
        .at(14, "");
    let mut forward = table.state();
    play(&mut forward, "NC:+");
    assert_eq!(
        field(&forward, 3),
        "yB*",
        "past wizards in sight; no shield needed; prisoners do not matter"
    );
    let mut back = table.state();
    let events = play(&mut back, "NC:-");
    assert_eq!((castle(&back), castle_moves(&events)), (14, 1));
    assert_eq!(turn_of(&back), 'b', "nobody came home");
}

#[test]
fn r10_7_piggyback_takes_a_second_wizard_along() {
    let table = all_spells().at(3, "bby").at(6, "b").at(9, "y");
    let mut state = table.state();
    assert_eq!(
        legal_like(&state, "w1:"),
        ["w1:w3", "w1:w3+", "w1:w6"],
        "two of yours on one surface"
    );
    assert_eq!(refused(&state, "w1:w6+").clause(), "R10.7");
    play(&mut state, "w1:w3+");
    assert_eq!(
        (field(&state, 3), field(&state, 4)),
        ("y".into(), "bb".into())
    );
    assert_eq!((flasks(&state, 'b'), state.has_cast()), ([0, 4, 2], true));
    let tight = Scenario::of("byrgo")
        .at(3, "bb")
        .at(4, "yyrrg")
        .at(9, "o")
        .hand('b', "w1,w2,w3")
        .with("spells=PB flasks=b:0/4/0")
        .state();
    assert_eq!(legal_like(&tight, "w1:"), ["w1:w3"], "room for one only");
    assert_eq!(refused(&tight, "w1:w3+").clause(), "R5.3");
    let mut home_together = all_spells().at(15, "bb").at(9, "by").state();
    play(&mut home_together, "w1:w15+");
    assert_eq!(home(&home_together, 'b'), 4);
    let mut rolled = all_spells().at(3, "bb").at(9, "y").state();
    play_all(&mut rolled, &["w??", "roll 4", ":w3+"]);
    assert_eq!(field(&rolled, 7), "bb");
}

#[test]
fn r10_8_free_a_wizard() {
    let table = all_spells().at(3, "bbyAyB").at(9, "y");
    let mut state = table.state();
    assert_eq!(legal_like(&state, "FW").len(), 9, "any tower");
    let events = play(&mut state, "FW:A");
    assert_eq!(field(&state, 3), "byAyBb", "onto the top of the same space");
    assert!(filled(&events).is_empty() && castle_moves(&events) == 0);
    assert!(matches!(events[1], Event::Peeked { wizards, .. } if wizards.to_string() == "bby"));
    let mut vain = table.state();
    let events = play(&mut vain, "FW:B");
    assert_eq!(
        field(&vain, 3),
        "bbyAyB",
        "there is no blue wizard right below B"
    );
    assert!(events.contains(&Event::NobodyFreed {
        seat: seat(&vain, 'b')
    }));
    assert_eq!(flasks(&vain, 'b'), [0, 4, 2], "paid in vain");
    let full = Scenario::of("byrgo")
        .at(3, "bAbyyrrg")
        .at(9, "bo")
        .with("spells=FW flasks=b:0/4/0")
        .state();
    assert_eq!(refused(&full, "FW:A").clause(), "R10.8");
    assert_eq!(legal_like(&full, "FW").len(), 8);
}
