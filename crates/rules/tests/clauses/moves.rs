//! §5, §7 and §8: wizards, towers, imprisoning.

use crate::common::*;
use towers_rules::{ChanceRequest, Event};

// ---- §5 ----

#[test]
fn r5_1_a_visible_wizard_of_ones_own_goes_clockwise_by_the_number() {
    // Yellow stands beside blue, another blue one is imprisoned, the way leads past the castle.
    let mut state = Scenario::of("by")
        .at(14, "by")
        .at(2, "bA")
        .hand('b', "w4,w5,w3")
        .state();
    assert_eq!(legal_like(&state, "w4"), ["w4:w14"]);
    assert_eq!(refused(&state, "w4:w2").clause(), "R5.1");
    assert_eq!(refused(&state, "w4:w5").clause(), "R5.1");
    play(&mut state, "w4:w14");
    assert_eq!(
        (field(&state, 14), field(&state, 2)),
        ("y".into(), "bAb".into())
    );
}

#[test]
fn r5_2_a_wizard_comes_to_stand_on_the_exposed_surface() {
    let mut state = Scenario::of("by")
        .at(3, "bb")
        .at(4, "yAB")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(field(&state, 4), "yABb");
    play(&mut state, "w2:w3");
    assert_eq!(field(&state, 5), "b");
    assert_eq!(state.count(surface("5"), seat(&state, 'b')), 1);
}

#[test]
fn r5_3_six_wizards_fill_a_surface() {
    let seats = Scenario::of("byrgo")
        .at(3, "b")
        .at(4, "byyrrg")
        .at(9, "o")
        .hand('b', "w1,w2,w3");
    let mut state = seats.state();
    assert_eq!(
        legal_like(&state, "w1"),
        ["w1:w4"],
        "the one on 3 has no room"
    );
    assert_eq!(refused(&state, "w1:w3").clause(), "R5.3");
    play(&mut state, "w1:w4");
    play(&mut state, "w2:w5");
    // Five are on 4 now, so there is room again.
    let mut five = Scenario::of("byrgo")
        .at(3, "b")
        .at(4, "yyrrg")
        .at(9, "o")
        .hand('b', "w1,w2,w3")
        .state();
    play(&mut five, "w1:w3");
    assert_eq!(field(&five, 4), "byyrrg");
}

#[test]
fn r5_3_imprisoned_wizards_take_no_room_from_the_surface_above() {
    let mut state = Scenario::of("byrgo")
        .at(3, "b")
        .at(4, "byyrrgA")
        .at(9, "o")
        .hand('b', "w1,w2,w3")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(field(&state, 4), "byyrrgAb");
}

#[test]
fn r5_3_the_castle_has_room_for_any_number() {
    let mut state = Scenario::of("byr")
        .at(15, "bbbb")
        .at(9, "yr")
        .hand('b', "w1,w1,w1")
        .state();
    for entered in 1..=4 {
        let moved = play(&mut state, "w1:w15");
        assert!(someone_entered(&moved));
        assert_eq!(home(&state, 'b'), entered);
        if entered < 4 {
            let text = state.to_string();
            assert!(text.contains("phase=refill"));
            // Back to blue, with the castle where it was.
            let out = "b".repeat(4 - usize::from(entered));
            state = Scenario::of("byr")
                .at(15, &out)
                .at(9, "yr")
                .hand('b', "w1,w1,w1")
                .state();
        }
    }
}

#[test]
fn r5_4_coming_home_ends_the_turn_immediately() {
    let mut state = Scenario::of("by")
        .at(13, "bb")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .with("spells=AT flasks=b:4/2/0")
        .state();
    let events = play(&mut state, "w3:w13");
    assert_eq!(home(&state, 'b'), 4, "three were home before");
    assert_eq!(castle_moves(&events), 1);
    assert_eq!(
        state.chance(),
        Some(ChanceRequest::Draw(seat(&state, 'b'))),
        "the hand is filled up"
    );
    settle(&mut state);
    assert_eq!((turn_of(&state), flasks(&state, 'b')), ('y', [4, 2, 0]));
    assert_eq!(state.hand(seat(&state, 'b')).len(), 3);
}

#[test]
fn r5_4_a_wizard_that_only_passes_the_castle_stays_out() {
    let mut state = Scenario::of("by")
        .at(13, "b")
        .at(9, "y")
        .hand('b', "w1,w2,w4")
        .state();
    let events = play(&mut state, "w4:w13");
    assert!(!someone_entered(&events));
    assert_eq!((field(&state, 1), castle(&state)), ("b".into(), 0));
}

// ---- §7 ----

#[test]
fn r7_1_a_tower_moves_with_all_that_is_above_it() {
    let mut state = Scenario::of("by")
        .at(3, "yAbBbyC")
        .at(9, "y")
        .hand('b', "t2,w2,w3")
        .state();
    assert_eq!(legal_like(&state, "t2").len(), 9, "any of the nine towers");
    play(&mut state, "t2:tB");
    assert_eq!(
        (field(&state, 3), field(&state, 5)),
        ("yAb".into(), "BbyC".into())
    );
    assert_eq!(
        state.below(towers_rules::Tower::from_letter('B').expect("B")),
        surface("5")
    );
    let mut carried = Scenario::of("by")
        .at(3, "AbB*")
        .at(9, "y")
        .hand('b', "t2,w2,w3")
        .state();
    play(&mut carried, "t2:tA");
    assert_eq!((field(&carried, 5), castle(&carried)), ("AbB*".into(), 5));
}

#[test]
fn r7_2_a_stack_may_grow_to_nine_towers() {
    let mut state = Scenario::of("by")
        .at(3, "A")
        .at(9, "y")
        .rest_at(5)
        .hand('b', "t2,w2,w3")
        .state();
    play(&mut state, "t2:tA");
    assert_eq!(field(&state, 5), "BCDEFGHIA");
    let wraps = Scenario::of("by")
        .at(14, "A")
        .at(9, "by")
        .hand('b', "t3,w2,w3");
    let mut state = wraps.state();
    play(&mut state, "t3:tA");
    assert_eq!(
        field(&state, 1),
        "A",
        "past the castle and on round the ring"
    );
}

#[test]
fn r7_3_a_tower_may_not_end_on_the_castle_but_may_pass_it() {
    let state = Scenario::of("by")
        .at(0, "")
        .at(3, "A")
        .at(5, "B*")
        .at(9, "y")
        .hand('b', "t2,t3,w3")
        .state();
    assert!(!legal(&state).contains(&"t2:tA".into()));
    assert_eq!(refused(&state, "t2:tA").clause(), "R7.3");
    let mut passes = state;
    play(&mut passes, "t3:tA");
    assert_eq!(field(&passes, 6), "A");
    // The castle rides on B itself, so B does not land on it.
    let mut rides = state;
    play(&mut rides, "t2:tB");
    assert_eq!(field(&rides, 7), "B*");
}

#[test]
fn r7_4_the_castle_is_no_tower_and_moves_only_with_one() {
    let state = Scenario::of("by")
        .at(0, "*")
        .at(9, "y")
        .hand('b', "t2,t3,w3")
        .state();
    let towers: Vec<_> = legal_like(&state, "t2")
        .iter()
        .map(|a| a[4..].to_string())
        .collect();
    assert_eq!(towers.concat(), "ABCDEFGHI");
    assert!("t2:t*".parse::<towers_rules::Action>().is_err());
    let mut below = Scenario::of("by")
        .at(0, "")
        .at(3, "AB*")
        .at(9, "y")
        .hand('b', "t2,t3,w3")
        .state();
    play(&mut below, "t2:tB");
    assert_eq!(
        (field(&below, 3), field(&below, 5)),
        ("A".into(), "B*".into())
    );
}

#[test]
fn r7_5_lifting_a_tower_sets_the_wizards_below_free_to_move() {
    let mut state = Scenario::of("by")
        .at(3, "byA")
        .at(9, "y")
        .hand('b', "t2,w2,w3")
        .state();
    assert_eq!(legal_like(&state, "w2"), ["w2:-"]);
    let events = play(&mut state, "t2:tA");
    let uncovered = events.iter().find_map(|e| match e {
        Event::Uncovered { surface, wizards } => Some((surface.to_string(), wizards.to_string())),
        _ => None,
    });
    assert_eq!(uncovered, Some(("3".into(), "by".into())));
    assert_eq!(legal_like(&state, "w2"), ["w2:w3"]);
}

#[test]
fn r7_6_a_tower_move_onto_the_castle_cannot_be_selected_at_all() {
    // By card, by roll, by refresh and by spell.
    let mut state = Scenario::of("by")
        .at(14, "A")
        .at(15, "B")
        .at(2, "C")
        .at(9, "by")
        .hand('b', "t2,t??,w3")
        .with("spells=AT,HT flasks=b:4/2/0")
        .state();
    let all = legal(&state);
    for action in ["t2:tA", "refresh:tB", "AT:A", "HT:C"] {
        assert!(!all.contains(&action.into()), "{action}");
        assert_eq!(refused(&state, action).clause(), "R7.3", "{action}");
    }
    play_all(&mut state, &["t??", "roll 1"]);
    assert_eq!(refused(&state, ":tB").clause(), "R7.3");
    assert_eq!(legal_like(&state, ":t").len(), 8);
}

// ---- §8 ----

#[test]
fn r8_1_one_flask_per_move_for_any_number_of_wizards_of_any_player() {
    for (prisoners, full) in [("bbyy", 1), ("b", 1), ("y", 1), ("", 0)] {
        let mut state = Scenario::of("by")
            .at(3, "A")
            .at(5, prisoners)
            .at(9, "by")
            .hand('b', "t2,w2,w3")
            .state();
        let events = play(&mut state, "t2:tA");
        assert_eq!(flasks(&state, 'b'), [6 - full, full, 0], "{prisoners}");
        assert_eq!(flasks(&state, 'y'), [6, 0, 0]);
        let imprisoned = events.iter().any(
            |e| matches!(e, Event::Imprisoned { wizards, .. } if wizards.to_string() == prisoners),
        );
        assert_eq!(imprisoned, full == 1);
    }
}

#[test]
fn r8_2_without_an_empty_flask_none_is_filled() {
    let mut state = Scenario::of("by")
        .at(3, "A")
        .at(5, "y")
        .at(9, "b")
        .hand('b', "t2,w2,w3")
        .with("flasks=b:0/2/4")
        .state();
    let events = play(&mut state, "t2:tA");
    assert_eq!((flasks(&state, 'b'), filled(&events)), ([0, 2, 4], vec![]));
}

#[test]
fn r8_3_those_who_travel_shut_in_do_not_count() {
    let mut state = Scenario::of("by")
        .at(3, "AyBbC")
        .at(9, "by")
        .hand('b', "t2,t1,w3")
        .state();
    let events = play(&mut state, "t2:tA");
    assert_eq!((flasks(&state, 'b'), filled(&events)), ([6, 0, 0], vec![]));
    // Landing on a tower whose top is empty fills no flask either, even with prisoners below.
    let mut onto = Scenario::of("by")
        .at(3, "A")
        .at(5, "yB")
        .at(9, "by")
        .hand('b', "t2,t1,w3")
        .state();
    play(&mut onto, "t2:tA");
    assert_eq!(flasks(&onto, 'b'), [6, 0, 0]);
}

#[test]
fn r8_4_by_card_by_refresh_and_by_spell() {
    let table = Scenario::of("by")
        .at(9, "by")
        .hand('b', "t2,w2,w3")
        .with("spells=AT,HT flasks=b:4/1/1");
    let ways = [
        (3, "t2:tA", [3, 2, 1]),
        (4, "refresh:tA", [3, 2, 1]),
        (3, "AT:A", [3, 1, 2]),
        (7, "HT:A", [3, 1, 2]),
    ];
    for (from, how, after) in ways {
        let mut state = table.clone().at(from, "A").at(5, "y").state();
        play(&mut state, how);
        assert_eq!(
            (field(&state, 5), flasks(&state, 'b')),
            ("yA".into(), after),
            "{how}"
        );
    }
}
