//! R12.3: partners give each other full flasks.

use crate::common::*;
use crate::teams::out;
use towers_rules::{Event, Phase, Preset, State};

#[test]
fn r12_3_partners_give_full_flasks_once_each() {
    let mut state = out().with("flasks=b:2/3/0;r:3/2/0").state();
    let red = seat(&state, 'r');
    assert_eq!(legal_like(&state, "give"), ["give 1", "give 2", "give 3"]);
    assert_eq!(refused(&state, "give 4").clause(), "R12.3");
    let events = play(&mut state, "give 2");
    assert!(matches!(events[..], [Event::Gave { flasks: 2, .. }]));
    assert_eq!(
        (flasks(&state, 'b'), flasks(&state, 'r')),
        ([2, 1, 0], [3, 4, 0])
    );
    assert_eq!(refused(&state, "give 1").clause(), "R12.3");
    assert!(
        partner_legal(&state).contains(&"give 4".into()),
        "the partner may still"
    );
    play_as(&mut state, red, "give 4");
    assert_eq!(
        (flasks(&state, 'b'), flasks(&state, 'r')),
        ([2, 5, 0], [3, 0, 0])
    );
    assert_eq!(refused_as(&state, red, "give 1").clause(), "R12.3");
    assert_eq!(turn_of(&state), 'b');
    let none = out().state();
    assert_eq!(refused(&none, "give 1").clause(), "R12.3");
}

#[test]
fn r12_3_with_to_active_only_the_partner_gives() {
    let mut state = out().with("gifts=to_active flasks=b:2/3/0;r:3/2/0").state();
    let red = seat(&state, 'r');
    assert!(legal_like(&state, "give").is_empty());
    assert_eq!(refused(&state, "give 1").clause(), "R12.3");
    assert!(partner_legal(&state).contains(&"give 2".into()));
    play_as(&mut state, red, "give 2");
    assert_eq!(
        (flasks(&state, 'b'), flasks(&state, 'r')),
        ([2, 5, 0], [3, 0, 0])
    );
    for (preset, both) in [
        (Preset::Capstone, true),
        (Preset::Abacus1, true),
        (Preset::Abacus2, true),
        (Preset::Oya, false),
    ] {
        let table = out().edition(preset).with("flasks=b:2/3/0;r:3/2/0");
        let state = table.state();
        assert_eq!(
            !legal_like(&state, "give").is_empty(),
            both,
            "{}",
            preset.name()
        );
        assert!(partner_legal(&state).contains(&"give 1".into()));
    }
}

#[test]
fn r12_3_gifts_whenever_the_active_player_is_to_decide() {
    let table = out()
        .hand('b', "w??,w2,w3")
        .with("refresh_draw=first spells=AT flasks=b:3/2/0;r:3/2/0");
    let red = seat(&table.state(), 'r');
    let both_give = |state: &State, phase: Phase| {
        assert_eq!(state.phase(), phase);
        assert_eq!(legal_like(state, "give"), ["give 1", "give 2"]);
        let partner: Vec<_> = partner_legal(state)
            .into_iter()
            .filter(|a| a.starts_with("give"))
            .collect();
        assert_eq!(partner, ["give 1", "give 2"]);
        let mut after = *state;
        play(&mut after, "give 1");
        play_as(&mut after, red, "give 3");
        assert_eq!((after.phase(), turn_of(&after)), (phase, 'b'));
        assert_eq!(
            (flasks(&after, 'b'), flasks(&after, 'r')),
            ([3, 4, 0], [3, 0, 0])
        );
    };
    let mut state = table.state();
    both_give(&state, Phase::Turn);
    let mut refreshed = state;
    play(&mut refreshed, "refresh");
    settle(&mut refreshed);
    both_give(&refreshed, Phase::Refreshed);
    play_all(&mut state, &["w??", "roll 1"]);
    both_give(&state, Phase::Rolled);
    play_all(&mut state, &[":w3", "w2:w4"]);
    both_give(&state, Phase::End);
}

#[test]
fn r12_3_not_in_windows() {
    let mut state = out()
        .with("reactions phase=opening spells=AT flasks=b:3/2/0;r:3/2/0")
        .state();
    let red = seat(&state, 'r');
    let nobody_gives = |state: &State, phase: Phase| {
        assert_eq!(state.phase(), phase);
        assert!(legal_like(state, "give").is_empty());
        assert!(partner_legal(state).is_empty());
        assert_eq!(refused(state, "give 1").clause(), "R19");
        assert_eq!(refused_as(state, red, "give 1").clause(), "R19");
    };
    nobody_gives(&state, Phase::Opening);
    play_all(&mut state, &["pass", "pass"]);
    assert_eq!(state.phase(), Phase::Turn);
    play_all(&mut state, &["give 1", "w1:w3"]);
    nobody_gives(&state, Phase::Window);
    play_all(&mut state, &["pass", "pass"]);
    nobody_gives(&state, Phase::Closing);
    play(&mut state, "AT:A");
    assert_eq!(state.phase(), Phase::Closing, "blue had one flask left");
}

#[test]
fn r12_3_a_new_turn_a_new_gift() {
    let mut state = out().with("flasks=b:2/3/0;y:2/3/0").state();
    play_all(&mut state, &["give 1", "w1:w3", "w2:w4"]);
    settle(&mut state);
    play(&mut state, "give 2");
    assert_eq!(
        (flasks(&state, 'y'), flasks(&state, 'g')),
        ([2, 1, 0], [5, 2, 0])
    );
}
