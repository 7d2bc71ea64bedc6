//! Mistakes that are easy to make, with a test for each.

use crate::common::*;
use towers_rules::{Actor, ChanceRequest, EndReason, Event, Phase};

#[test]
fn swap_takes_any_two_towers_not_a_fixed_distance() {
    let state = Scenario::of("by")
        .at(9, "by")
        .at(1, "A")
        .at(2, "B")
        .at(5, "C")
        .at(11, "D")
        .at(15, "E")
        .with("spells=SW flasks=b:5/1/0")
        .state();
    // Six stacks, the one on 10 included: fifteen pairs.
    assert_eq!(legal_like(&state, "SW").len(), 15);
    for (pair, a, b) in [("SW:1,2", 1, 2), ("SW:1,15", 1, 15), ("SW:2,11", 2, 11)] {
        let mut swapped = state;
        play(&mut swapped, pair);
        assert_eq!(
            (field(&swapped, a), field(&swapped, b)),
            (field(&state, b), field(&state, a))
        );
    }
}

#[test]
fn capacity_is_that_of_the_destination_surface() {
    // Six stand on the ground of 4 below tower A, six on the surface that is left: neither matters.
    let mut state = Scenario::of("byrg")
        .at(3, "bbyyrr")
        .at(4, "byyrrgA")
        .at(9, "g")
        .hand('b', "w1,w1,w1")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(field(&state, 4), "byyrrgAb");
    // Six on top of tower A, none on the ground: there is no room.
    let full = Scenario::of("byrg")
        .at(3, "bby")
        .at(4, "Abbyyrr")
        .at(9, "g")
        .hand('b', "w1,w1,w1")
        .state();
    assert_eq!(refused(&full, "w1:w3").clause(), "R5.3");
}

#[test]
fn a_wizard_already_home_never_blocks_anything() {
    // Eleven of twelve are in the castle; the twelfth still finds room, and the castle still moves.
    let mut state = Scenario::solo().at(15, "bb").hand('b', "w1,w1,w1").state();
    assert_eq!(home(&state, 'b'), 10);
    let events = play(&mut state, "w1:w15");
    assert_eq!(
        (home(&state, 'b'), castle(&state), castle_moves(&events)),
        (11, 4, 1)
    );
    // Where the castle was, nobody stands: the space is free again for wizards and towers.
    assert_eq!(field(&state, 0), "-");
    settle(&mut state);
    let text = state.to_string();
    assert!(text.starts_with("-/"), "{text}");
    // Yellow's wizards at home do not keep a tower from landing there without a flask.
    let mut tower = Scenario::of("by")
        .at(0, "")
        .at(4, "*")
        .at(14, "A")
        .at(9, "by")
        .hand('b', "t2,w1,w1")
        .state();
    let events = play(&mut tower, "t2:tA");
    assert_eq!((field(&tower, 0), filled(&events)), ("A".into(), vec![]));
}

#[test]
fn a_ground_shield_under_a_tower_does_not_attract_the_castle() {
    // On 4 tower B, which has no shield, covers the shield of the ground.
    let mut state = Scenario::of("by")
        .at(15, "bb")
        .at(4, "B")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .state();
    play(&mut state, "w1:w15");
    assert_eq!(castle(&state), 8);
}

#[test]
fn the_castle_rides_on_a_moved_tower_and_never_lands_on_wizards() {
    let table = Scenario::of("by")
        .at(3, "AbB*")
        .at(5, "y")
        .at(9, "b")
        .hand('b', "t2,w1,w1");
    let mut state = table.state();
    let events = play(&mut state, "t2:tB");
    assert_eq!(
        (field(&state, 3), field(&state, 5)),
        ("Ab".into(), "yB*".into())
    );
    assert_eq!(castle_moves(&events), 0, "it was carried");
    assert_eq!(
        filled(&events),
        [seat(&state, 'b')],
        "the tower under it locks yellow up"
    );
    // When it flees or is nudged, it passes every wizard in sight.
    let mut flees = Scenario::of("by")
        .at(15, "bb")
        .at(4, "y")
        .at(8, "y")
        .at(12, "")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .state();
    play(&mut flees, "w1:w15");
    assert_eq!(
        castle(&flees),
        10,
        "the stack on 10 ends in tower I, which has a shield"
    );
}

#[test]
fn a_dice_card_whose_final_roll_moves_nothing_is_discarded() {
    // All towers are 4 behind the castle.
    let mut state = Scenario::of("by")
        .at(9, "by")
        .rest_at(12)
        .hand('b', "t??,w1,w2")
        .state();
    play_all(&mut state, &["t??", "roll 1", "reroll", "roll 4"]);
    assert_eq!(legal(&state), [":-"]);
    let events = play(&mut state, ":-");
    assert_eq!(
        events,
        [Event::NothingMoved {
            seat: seat(&state, 'b')
        }]
    );
    assert_eq!(
        (
            state.discard_pile().len(),
            state.actions_used(),
            turn_of(&state)
        ),
        (1, 1, 'b')
    );
}

#[test]
fn a_dual_card_with_one_possible_way_must_go_that_way() {
    let mut state = Scenario::of("by")
        .at(9, "by")
        .at(3, "bA")
        .rest_at(14)
        .hand('b', "w2t2,w1,w2")
        .state();
    let towers: Vec<_> = legal_like(&state, "w2t2:t");
    assert_eq!(
        towers,
        ["w2t2:tA"],
        "the other eight would land on the castle"
    );
    assert_eq!(legal_like(&state, "w2t2:w"), ["w2t2:w9"]);
    assert_eq!(refused(&state, "w2t2:-").clause(), "R4.2");
    play(&mut state, "w2t2:tA");
    // Now only the wizard side of the card: all towers 2 behind the castle, one wizard free.
    let only = Scenario::of("by")
        .at(9, "by")
        .rest_at(14)
        .hand('b', "w2t2,w1,w2")
        .state();
    assert_eq!(legal_like(&only, "w2t2"), ["w2t2:w9"]);
}

#[test]
fn a_first_card_without_a_legal_move_still_leaves_the_second_action() {
    let mut state = Scenario::of("by")
        .at(3, "bA")
        .at(9, "y")
        .hand('b', "t2,w1,w2")
        .state();
    play(&mut state, "w1:-");
    assert_eq!(
        (turn_of(&state), state.phase(), state.actions_used()),
        ('b', Phase::Turn, 1)
    );
    play(&mut state, "t2:tA");
    assert_eq!(
        (field(&state, 5), state.actor()),
        ("A".into(), Actor::Chance)
    );
}

#[test]
fn refresh_without_a_tower_move() {
    let mut state = Scenario::of("by")
        .at(9, "by")
        .with("refresh_tower=may")
        .state();
    let before = state.diagram();
    let events = play(&mut state, "refresh:-");
    assert_eq!(state.diagram(), before);
    assert_eq!(
        events
            .iter()
            .filter(|e| matches!(e, Event::Discarded { .. }))
            .count(),
        3
    );
    settle(&mut state);
    assert_eq!(
        (
            turn_of(&state),
            state.draw_len(),
            state.discard_pile().len()
        ),
        ('y', 81, 3)
    );
}

#[test]
fn entry_ends_the_turn_though_a_spell_is_left() {
    let mut state = Scenario::of("by")
        .at(15, "b")
        .at(9, "by")
        .hand('b', "w1,w2,w3")
        .with("spells=AT flasks=b:0/6/0")
        .state();
    play(&mut state, "w1:w15");
    assert_eq!(state.chance(), Some(ChanceRequest::Draw(seat(&state, 'b'))));
}

#[test]
fn spell_after_refresh() {
    let mut state = Scenario::of("by")
        .at(3, "A")
        .at(5, "B")
        .at(9, "by")
        .with("spells=AT flasks=b:0/6/0")
        .state();
    play(&mut state, "refresh:tB");
    assert_eq!(
        (state.phase(), legal_like(&state, "AT").len()),
        (Phase::End, 9)
    );
    play(&mut state, "AT:A");
    assert_eq!(
        (field(&state, 5), field(&state, 6)),
        ("A".into(), "B".into())
    );
    assert_eq!(state.actor(), Actor::Chance);
}

#[test]
fn a_rivals_wizard_pushed_home_counts_for_its_owner() {
    let mut state = Scenario::of("by")
        .at(15, "y")
        .at(9, "by")
        .with("spells=AW flasks=b:0/6/0")
        .state();
    let before = (home(&state, 'b'), home(&state, 'y'));
    play(&mut state, "AW:15y");
    assert_eq!(
        (home(&state, 'b'), home(&state, 'y')),
        (before.0, before.1 + 1)
    );
    assert_eq!(flasks(&state, 'b'), [0, 4, 2], "it was blue who paid");
}

#[test]
fn a_win_triggered_in_someone_elses_turn_ends_at_the_right_seat() {
    // Blue pushes yellow's last wizard home, and yellow has finished. Red started, so red's
    // neighbour yellow has the last turn of this round.
    let table = Scenario::of("byr")
        .at(15, "y")
        .at(9, "br")
        .with("refresh_tower=may spells=AW flasks=b:0/5/0;y:0/5/0 start=r");
    let mut state = table.state();
    assert_eq!(turn_of(&state), 'r');
    play(&mut state, "refresh:-");
    settle(&mut state);
    play(&mut state, "AW:15y");
    settle(&mut state);
    assert_eq!((turn_of(&state), state.is_final()), ('y', true));
    play(&mut state, "refresh:-");
    play(&mut state, "end");
    settle(&mut state);
    assert_eq!(
        (state.outcome().map(|o| o.why), winners(&state)),
        (Some(EndReason::Finished), "y".into())
    );
}

#[test]
fn a_win_triggered_in_the_last_turn_of_a_round_ends_the_game_with_it() {
    let mut state = Scenario::of("byr")
        .at(15, "y")
        .at(9, "br")
        .hand('r', "w1,w2,w3")
        .with("spells=AW flasks=r:0/5/0;y:0/5/0 active=r")
        .state();
    play(&mut state, "AW:15y");
    settle(&mut state);
    assert_eq!(winners(&state), "y", "blue has no further turn");
}

#[test]
fn reshuffle_really_reshuffles() {
    let table = Scenario::of("by").at(9, "by").hand('b', "w1,w2,w3");
    let full = table.state();
    let cards: Vec<_> = full
        .draw_pile()
        .iter()
        .flat_map(|(c, n)| std::iter::repeat_n(c.text(), n.into()))
        .collect();
    let keys = format!("refresh_tower=may discard={}", cards.join(","));
    let mut state = table.with(&keys).state();
    play(&mut state, "refresh:-");
    assert_eq!(state.chance(), Some(ChanceRequest::Shuffle));
    chance(&mut state, "shuffle");
    // Every discarded card, the refreshed hand included, can be drawn next, as often as it is there.
    let outcomes = state.chance_outcomes();
    let weight: u32 = outcomes.iter().map(|(_, w)| w).sum();
    assert_eq!((weight, state.discard_pile().len()), (87, 0));
    assert_eq!(outcomes.len(), 23);
    for (outcome, weight) in outcomes {
        let towers_rules::Chance::Draw(_, card) = outcome else {
            panic!("a draw")
        };
        assert_eq!(weight, u32::from(state.draw_pile().count(card)));
    }
    // And different numbers give different cards.
    let drawn: std::collections::BTreeSet<_> = (0..87)
        .filter_map(|n| state.sample_chance(|_| n))
        .map(|c| c.to_string())
        .collect();
    assert_eq!(drawn.len(), 23);
}
