//! §13: Free a Wizard at any time, and the times at which no spell can be cast (R13.11, R13.12).

use super::reactions::{at, edition, table};
use crate::common::*;
use towers_rules::{Actor, Mode, Phase, Preset, Setup, SetupError, SpellRight, SpellTime, State};

/// The first printing: one spell for each action, but Free a Wizard costs one flask and needs no right.
fn any_time(flasks: &str) -> Scenario {
    edition(Preset::Abacus1, "AT,FW", flasks)
}

/// The kinds of actions that are legal.
fn kinds(state: &State) -> Vec<String> {
    let kind = |a: &String| a.split(':').next().unwrap_or_default().to_string();
    let mut kinds: Vec<_> = legal(state).iter().map(kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn r13_11_free_a_wizard_needs_no_right_in_any_window() {
    let mut state = any_time("b:3/2/0;r:3/2/0")
        .at(3, "b")
        .at(7, "yrB")
        .at(9, "r")
        .with("phase=opening")
        .state();
    assert_eq!(kinds(&state), ["AT", "FW", "pass"]);
    play_all(&mut state, &["AT:A", "done"]);
    // The right of all is gone, but everybody who can free is asked.
    assert_eq!(at(&state), (Phase::Opening, 'r'));
    assert_eq!(kinds(&state), ["FW", "pass"]);
    assert_eq!(refused(&state, "AT:A").clause(), "R13.3");
    play(&mut state, "pass");
    play(&mut state, "w1:w3");
    for asked in ['b', 'r'] {
        assert_eq!(at(&state), (Phase::Window, asked));
        assert_eq!(kinds(&state), ["before FW", "pass"]);
        assert_eq!(refused(&state, "before AT:A").clause(), "R13.3");
        assert_eq!(refused(&state, "after AT").clause(), "R13.3");
        play(&mut state, "pass");
    }
    for asked in ['b', 'r'] {
        assert_eq!(at(&state), (Phase::Closing, asked));
        assert_eq!(kinds(&state), ["FW", "pass"]);
        assert_eq!(refused(&state, "AT:A").clause(), "R13.3");
        play(&mut state, if asked == 'r' { "FW:B" } else { "pass" });
    }
    assert_eq!(
        (at(&state), field(&state, 7)),
        ((Phase::Cast, 'r'), "yBr".into())
    );
    play(&mut state, "done");
    assert_eq!(at(&state), (Phase::Opening, 'b'), "the next action");
    assert_eq!(kinds(&state), ["AT", "FW", "pass"], "with a new right");
}

#[test]
fn r13_11_without_the_field_the_right_is_needed() {
    let mut state = table("AT,FW")
        .at(3, "b")
        .at(7, "yrB")
        .at(9, "r")
        .with("flasks=b:3/2/0;r:3/2/0")
        .state();
    play_all(&mut state, &["w1:w3", "before AT:A", "done"]);
    assert_eq!(at(&state), (Phase::Turn, 'b'), "red is not asked");
    assert!(legal_like(&state, "FW").is_empty());
}

#[test]
fn r13_11_it_uses_no_right_up() {
    let mut state = any_time("y:2/3/0;r:3/2/0")
        .at(3, "b")
        .at(7, "yrB")
        .at(9, "r")
        .with("phase=opening to_act=y")
        .state();
    play_all(&mut state, &["FW:B", "done"]);
    assert_eq!(
        (at(&state), field(&state, 7)),
        ((Phase::Opening, 'r'), "rBy".into())
    );
    assert_eq!(
        kinds(&state),
        ["AT", "FW", "pass"],
        "the window is not over"
    );
    play_all(&mut state, &["pass", "w1:w3"]);
    assert_eq!(at(&state), (Phase::Window, 'y'));
    assert_eq!(
        kinds(&state),
        ["after AT", "before AT", "before FW", "pass"]
    );
    play_all(&mut state, &["before AT:A", "done"]);
    assert_eq!(at(&state), (Phase::Window, 'r'));
    assert_eq!(kinds(&state), ["before FW", "pass"]);
}

#[test]
fn r13_11_the_window_goes_on_after_a_claim() {
    let mut state = any_time("b:0/5/0;r:4/1/0")
        .at(3, "b")
        .at(7, "yrB")
        .at(9, "r")
        .state();
    play_all(&mut state, &["w1:w3", "after AT"]);
    assert_eq!(at(&state), (Phase::Window, 'r'));
    assert_eq!(kinds(&state), ["before FW", "pass"]);
    play(&mut state, "before FW:B");
    assert_eq!(
        (at(&state), field(&state, 7), field(&state, 4)),
        ((Phase::After, 'b'), "yBr".into(), "b".into()),
        "then the move and the claim"
    );
    play_all(&mut state, &["AT:A", "done"]);
    assert_eq!(
        at(&state),
        (Phase::Closing, 'b'),
        "the closing window follows the claim"
    );
    assert_eq!(kinds(&state), ["FW", "pass"]);
}

#[test]
fn r13_11_it_is_not_claimed() {
    let mut state = any_time("r:0/5/0")
        .at(3, "b")
        .at(7, "yrB")
        .at(9, "r")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(legal_like(&state, "after"), ["after AT"]);
    assert_eq!(refused(&state, "after FW").clause(), "R13.11");
    let mut claimed = table("FW")
        .at(3, "b")
        .at(9, "yr")
        .with("flasks=r:0/5/0")
        .state();
    play(&mut claimed, "w1:w3");
    assert_eq!(
        legal_like(&claimed, "after"),
        ["after FW"],
        "without the field it is"
    );
}

#[test]
fn r13_11_the_active_player_frees_as_often_as_they_can_pay() {
    let mut state = any_time("b:0/5/0")
        .at(3, "b")
        .at(7, "bbB")
        .at(9, "yr")
        .hand('b', "w1,w2,w??")
        .state();
    play_all(&mut state, &["AT:A", "done"]);
    assert_eq!(
        (at(&state), kinds(&state).contains(&"AT".into())),
        ((Phase::Turn, 'b'), false)
    );
    play_all(&mut state, &["FW:B", "done"]);
    assert_eq!(
        (at(&state), field(&state, 7)),
        ((Phase::Turn, 'b'), "bBb".into())
    );
    play_all(&mut state, &["FW:B", "done", "w??", "roll 2"]);
    assert_eq!(
        (field(&state, 7), flasks(&state, 'b')),
        ("Bbb".into(), [0, 2, 3])
    );
    play_all(&mut state, &["FW:B", "done"]);
    assert_eq!(
        (at(&state), state.rolled()),
        ((Phase::Rolled, 'b'), Some(2))
    );
    let mut refreshed = any_time("b:0/5/0").at(7, "bB").at(9, "yr").state();
    play(&mut refreshed, "refresh");
    settle(&mut refreshed);
    play_all(&mut refreshed, &["AT:A", "done", "FW:B", "done"]);
    assert_eq!(
        (at(&refreshed), field(&refreshed, 7)),
        ((Phase::Refreshed, 'b'), "Bb".into())
    );
}

#[test]
fn r13_11_out_of_turn_when_the_right_is_gone() {
    // Yellow casts, then red frees in the same window and again in the closing one.
    let mut state = any_time("y:4/1/0;r:3/2/0")
        .at(3, "b")
        .at(7, "rrB")
        .at(9, "y")
        .state();
    play_all(&mut state, &["w1:w3", "before AT:A"]);
    assert_eq!(at(&state), (Phase::Window, 'r'));
    play_all(&mut state, &["before FW:B", "done"]);
    assert_eq!(
        (at(&state), field(&state, 7)),
        ((Phase::Closing, 'r'), "rBr".into())
    );
    play(&mut state, "FW:B");
    assert_eq!(
        (at(&state), field(&state, 7)),
        ((Phase::Turn, 'b'), "Brr".into())
    );
    assert_eq!((state.actions_used(), flasks(&state, 'r')), (1, [3, 0, 2]));
}

#[test]
fn r13_11_an_entry_keeps_the_active_player_from_it() {
    let mut state = any_time("b:4/1/0;r:4/1/0")
        .at(15, "b")
        .at(7, "bB")
        .at(9, "yr")
        .state();
    play_all(&mut state, &["w1:w15", "pass", "pass"]);
    assert_eq!(
        at(&state),
        (Phase::Closing, 'r'),
        "blue has a wizard to free, but the turn is over"
    );
    play(&mut state, "pass");
    assert_eq!(state.actor(), Actor::Chance);
    // One that it brings home itself ends the turn as any spell does.
    let mut freed = any_time("b:3/2/0;r:4/1/0")
        .at(0, "bB*")
        .at(3, "b")
        .at(9, "yr")
        .with("phase=opening")
        .state();
    play(&mut freed, "FW:B");
    assert_eq!(
        (freed.active(), home(&freed, 'b'), flasks(&freed, 'b')),
        (seat(&freed, 'y'), 3, [3, 1, 1]),
        "nobody else is asked"
    );
}

#[test]
fn r13_11_needs_a_table_where_spells_are_cast_at_any_time() {
    let mut setup = Setup::new(Preset::Abacus1, Mode::Versus, 3);
    for time in [SpellTime::Declared, SpellTime::Turn, SpellTime::Any] {
        for reactions in [false, true] {
            setup.options.reactions = reactions;
            setup.options.spell_time = time;
            let refused = reactions && time != SpellTime::Any;
            let expected = if refused {
                Err(SetupError::FreeAnyTime)
            } else {
                Ok(())
            };
            assert_eq!(setup.check(), expected);
        }
    }
    assert!(SetupError::FreeAnyTime.to_string().contains("(R13.11)"));
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
    for preset in Preset::ALL {
        let mut state = edition(preset, "AT", "b:0/5/0")
            .at(3, "b")
            .at(9, "yr")
            .state();
        let mut cards = ["w1:w3", "w2:w4"].into_iter();
        while state.actor() != Actor::Chance {
            let action = match state.phase() {
                Phase::Turn => cards.next().expect("two cards"),
                Phase::End => panic!("there is no such phase with reactions"),
                _ => "pass",
            };
            play(&mut state, action);
        }
        assert_eq!(state.actions_used(), 2);
    }
}

#[test]
fn r13_12_a_turn_ends_after_the_last_window_of_a_refresh_with_any_refresh_spell() {
    for keys in ["refresh_spell", "refresh_spell=false"] {
        let mut state = table("AT")
            .at(3, "b")
            .at(9, "yr")
            .with(&format!("flasks=b:0/5/0 {keys}"))
            .state();
        play(&mut state, "refresh:tI");
        assert_eq!(at(&state), (Phase::Window, 'b'));
        play(&mut state, "pass");
        assert_eq!(state.actor(), Actor::Chance);
    }
}

#[test]
fn r13_12_a_right_for_each_needs_a_table_where_spells_are_cast_at_any_time() {
    let mut setup = Setup::new(Preset::Capstone, Mode::Versus, 3);
    for time in [SpellTime::Declared, SpellTime::Turn, SpellTime::Any] {
        for right in [SpellRight::Shared, SpellRight::Each] {
            for reactions in [false, true] {
                setup.options.reactions = reactions;
                setup.options.spell_time = time;
                setup.options.spell_right = right;
                let refused = reactions && time != SpellTime::Any && right == SpellRight::Each;
                let expected = if refused {
                    Err(SetupError::EachNeedsAny)
                } else {
                    Ok(())
                };
                assert_eq!(setup.check(), expected);
                assert_eq!(State::new(&setup).err(), expected.err());
            }
        }
    }
    assert!(SetupError::EachNeedsAny.to_string().contains("(R13.12)"));
}

#[test]
fn r13_12_without_reactions_the_fields_of_this_section_say_nothing() {
    let play = |keys: &str| {
        let mut state = Scenario::of("by")
            .at(3, "b")
            .at(9, "y")
            .hand('b', "w1,w2,w3")
            .with(&format!("spells=AT flasks=b:0/6/0;y:0/6/0 {keys}"))
            .state();
        let mut seen = vec![legal(&state)];
        for action in ["AT:A", "w1:w3", "w2:w4"] {
            play(&mut state, action);
            seen.push(legal(&state));
        }
        settle(&mut state);
        (seen, at(&state), field(&state, 6))
    };
    let usual = play("");
    for keys in [
        "spell_right=shared",
        "spell_time=declared",
        "spell_time=turn",
        "refresh_window=false",
        "free_any_time",
        "spell_time=declared free_any_time refresh_window=false",
    ] {
        assert_eq!(play(keys), usual, "{keys}");
    }
}
