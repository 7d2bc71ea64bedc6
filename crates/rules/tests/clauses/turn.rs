//! §4: a turn. The refresh (R4.4, R4.5, R4.9) is in `turn_refresh.rs`.

use crate::common::*;
use towers_rules::{Actor, ChanceRequest, Event, Phase, State};

#[test]
fn r4_1_two_actions_of_one_card_each() {
    let mut state = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "t1,w1,w2")
        .state();
    let first = play(&mut state, "w1:w3");
    assert!(matches!(first[0], Event::Played { card, .. } if card.text() == "w1"));
    assert_eq!((turn_of(&state), state.actions_used()), ('b', 1));
    assert_eq!(hand(&state, 'b'), "t1,w2");
    assert_eq!(state.discard_pile().len(), 1);
    play(&mut state, "w2:w4");
    assert_eq!(state.chance(), Some(ChanceRequest::Draw(seat(&state, 'b'))));
    assert_eq!(refused_as_if(&state, "t1:tA"), "R19");
    settle(&mut state);
    assert_eq!((turn_of(&state), field(&state, 6)), ('y', "b".to_string()));
    assert_eq!(refused(&state, "w3:w9").clause(), "R4.1", "not in the hand");
}

/// The clause that refuses blue's action while chance is to act.
fn refused_as_if(state: &State, text: &str) -> &'static str {
    let error = state.check(seat(state, 'b'), action(text));
    error.expect_err("chance comes first").clause()
}

#[test]
fn r4_2_a_card_with_a_legal_move_must_move() {
    let table = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1,w2,w3");
    let state = table.state();
    assert_eq!(legal_like(&state, "w1"), ["w1:w3"]);
    assert_eq!(refused(&state, "w1:-").clause(), "R4.2");
    let mut relaxed = table.with("may_decline").state();
    let events = play(&mut relaxed, "w1:-");
    assert!(events.contains(&Event::NothingMoved {
        seat: seat(&relaxed, 'b')
    }));
    assert_eq!(
        (hand(&relaxed, 'b'), relaxed.actions_used()),
        ("w2,w3".into(), 1)
    );
}

#[test]
fn r4_2_a_card_without_a_legal_move_may_be_picked_and_uses_an_action() {
    // Blue's only wizard is imprisoned: wizard cards cannot move anything.
    let mut state = Scenario::of("by")
        .at(3, "bA")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .state();
    assert_eq!(legal_like(&state, "w"), ["w1:-", "w2:-", "w3:-"]);
    play(&mut state, "w1:-");
    assert_eq!(state.actions_used(), 1);
    play(&mut state, "w2:-");
    assert_eq!(state.actor(), Actor::Chance);
}

#[test]
fn r4_3_a_dual_card_is_used_one_way_and_the_other_if_only_that_is_possible() {
    let both = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1,w1t5,w2")
        .state();
    let ways = legal_like(&both, "w1t5");
    assert!(ways.contains(&"w1t5:w3".into()) && ways.contains(&"w1t5:tA".into()));
    assert!(!ways.contains(&"w1t5:-".into()));
    assert_eq!(refused(&both, "w1:tA").clause(), "R4.3");
    let tower_only = Scenario::of("by")
        .at(3, "bA")
        .at(9, "y")
        .hand('b', "w1,w1t5,t2")
        .state();
    assert!(
        legal_like(&tower_only, "w1t5")
            .iter()
            .all(|a| a.starts_with("w1t5:t"))
    );
    assert_eq!(refused(&tower_only, "w1t5:-").clause(), "R4.2");
    assert_eq!(refused(&tower_only, "t2:w3").clause(), "R4.3");
    // All nine towers are 5 spaces behind the castle: only the wizard can move.
    let wizard_only = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .rest_at(11)
        .hand('b', "w1,w1t5,t2")
        .state();
    assert_eq!(legal_like(&wizard_only, "w1t5"), ["w1t5:w3"]);
    // With no wizard in sight either, nothing can; nor with a card for towers alone (R4.2).
    let neither = Scenario::of("by")
        .at(11, "b")
        .at(9, "y")
        .rest_at(11)
        .hand('b', "t2,t5,w1t5")
        .state();
    assert_eq!(legal_like(&neither, "w1t5"), ["w1t5:-"]);
    assert_eq!(legal_like(&neither, "t5"), ["t5:-"]);
    assert_eq!(legal_like(&neither, "t2").len(), 9);
    let mut moved = wizard_only;
    play(&mut moved, "w1t5:w3");
    assert_eq!(hand(&moved, 'b'), "t2,w1");
}

#[test]
fn r4_5_hands_are_filled_up_at_the_end_of_a_turn_only() {
    let mut state = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "t1,w1,w2")
        .state();
    play(&mut state, "w1:w3");
    assert_eq!(
        (hand(&state, 'b').as_str(), state.phase()),
        ("t1,w2", Phase::Turn)
    );
    play(&mut state, "w2:w4");
    let before = state.draw_len();
    let events = settle(&mut state);
    let drew = events
        .iter()
        .filter(|e| matches!(e, Event::Drew { .. }))
        .count();
    assert_eq!((drew, before - state.draw_len()), (2, 2));
    assert_eq!(state.hand(seat(&state, 'b')).len(), 3);
}

/// All cards but the hands are discarded; blue is about to end the turn.
pub(crate) fn empty_pile() -> State {
    let table = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .hand('y', "w1,w2,w3");
    let hands = table.state();
    let cards: Vec<_> = hands.draw_pile().iter().collect();
    let discard: Vec<_> = cards
        .iter()
        .flat_map(|(card, n)| std::iter::repeat_n(card.text(), usize::from(*n)))
        .collect();
    table
        .with(&format!("discard={}", discard.join(",")))
        .state()
}

#[test]
fn r4_6_an_empty_draw_pile_is_renewed_from_the_discard_pile() {
    let mut state = empty_pile();
    assert_eq!(state.draw_len(), 0);
    play_all(&mut state, &["w1:w3", "w2:w4"]);
    assert_eq!(state.chance(), Some(ChanceRequest::Shuffle));
    assert!(
        state
            .apply_chance("draw b w1".parse().expect("chance"))
            .is_err()
    );
    let events = chance(&mut state, "shuffle");
    assert_eq!(events, [Event::Reshuffled]);
    assert_eq!((state.draw_len(), state.discard_pile().len()), (86, 0));
    // The cards just played are among those that can be drawn.
    chance(&mut state, "draw b w1");
    chance(&mut state, "draw b w2");
    assert_eq!(hand(&state, 'b'), "w1,w2,w3");
}

#[test]
fn r4_6_no_shuffle_before_a_card_has_to_be_drawn() {
    // Two cards are in the pile and two are drawn: it is empty, and stays so for now.
    let mut state = empty_pile();
    let text = state.to_string();
    let text = text.replace("discard=t1,t1,", "discard=");
    state = text.parse::<State>().expect("a position");
    play_all(&mut state, &["w1:w3", "w2:w4", "draw b t1", "draw b t1"]);
    assert_eq!((turn_of(&state), state.draw_len()), ('y', 0));
    assert_eq!(state.discard_pile().len(), 90 - 3 - 3, "all but the hands");
}

#[test]
fn r4_7_the_turn_ends_by_itself_unless_a_spell_could_be_cast() {
    let plain = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .with("spells=AT");
    let mut without = plain.state();
    play_all(&mut without, &["w1:w3", "w2:w4"]);
    assert_eq!(without.actor(), Actor::Chance);
    let with = plain.clone().with("flasks=b:5/1/0");
    let mut open = with.state();
    play_all(&mut open, &["w1:w3", "w2:w4"]);
    assert_eq!((open.phase(), turn_of(&open)), (Phase::End, 'b'));
    assert!(legal(&open).contains(&"AT:A".into()));
    play(&mut open, "end");
    assert_eq!(open.actor(), Actor::Chance);
    // The spell was already cast: nothing is left.
    let mut cast = with.state();
    play_all(&mut cast, &["AT:A", "w1:w3", "w2:w4"]);
    assert_eq!(cast.actor(), Actor::Chance);
    // Casting it last also ends the turn.
    let mut last = with.state();
    play_all(&mut last, &["w1:w3", "w2:w4", "AT:A"]);
    assert_eq!(last.actor(), Actor::Chance);
}

#[test]
fn r4_7_a_gift_or_an_exchange_does_not_hold_the_turn_open() {
    let mut state = Scenario::of("byrg")
        .at(3, "b")
        .at(9, "y")
        .at(12, "r")
        .at(13, "g")
        .hand('b', "w1,w2,w3")
        .with("teams spells=HW flasks=b:4/1/0;r:2/3/0")
        .state();
    assert!(legal(&state).contains(&"give 1".into()));
    play_all(&mut state, &["w1:w3", "w2:w4"]);
    assert_eq!(state.actor(), Actor::Chance);
}

/// Blue and red are partners; blue has a flask for a spell and moves twice.
fn partners_at_the_end(keys: &str) -> State {
    let mut state = Scenario::of("byrg")
        .at(3, "b")
        .at(9, "y")
        .at(12, "r")
        .at(13, "g")
        .hand('b', "w1,w2,w3")
        .with(&format!("teams spells=AT {keys}"))
        .state();
    play_all(&mut state, &["w1:w3", "w2:w4"]);
    assert_eq!((state.phase(), turn_of(&state)), (Phase::End, 'b'));
    state
}

#[test]
fn r4_7_a_gift_that_leaves_nothing_castable_ends_the_turn() {
    let mut all = partners_at_the_end("flasks=b:3/2/0");
    assert_eq!(legal_like(&all, "give"), ["give 1", "give 2"]);
    let mut one = all;
    play(&mut one, "give 1");
    assert_eq!(
        (one.phase(), turn_of(&one)),
        (Phase::End, 'b'),
        "one flask is left"
    );
    play(&mut all, "give 2");
    assert_eq!(all.actor(), Actor::Chance);
    settle(&mut all);
    assert_eq!(turn_of(&all), 'y');
    // A gift to the active player never does.
    let mut more = partners_at_the_end("flasks=b:4/1/0;r:4/1/0");
    let red = seat(&more, 'r');
    play_as(&mut more, red, "give 1");
    assert_eq!((more.phase(), flasks(&more, 'b')), (Phase::End, [4, 2, 0]));
}

#[test]
fn r4_8_dice_cards_roll_first_and_may_reroll() {
    let table = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w???,w??,w?t?");
    for (card, rerolls) in [("w???", 2), ("w??", 1), ("w?t?", 0)] {
        let mut state = table.state();
        assert_eq!(refused(&state, "reroll").clause(), "R19");
        play(&mut state, card);
        assert_eq!(state.chance(), Some(ChanceRequest::Roll));
        for left in (0..=rerolls).rev() {
            chance(&mut state, "roll 5");
            assert_eq!((state.rolled(), state.rerolls()), (Some(5), left));
            if left > 0 {
                play(&mut state, "reroll");
                assert_eq!(state.rolled(), None, "the earlier result is lost");
            }
        }
        assert_eq!(refused(&state, "reroll").clause(), "R4.8");
        assert_eq!(legal_like(&state, ":t").is_empty(), card != "w?t?");
        play(&mut state, ":w3");
        assert_eq!(field(&state, 8), "b");
        assert_eq!(state.actions_used(), 1);
    }
    let state = table.state();
    let number_card = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .state();
    assert_eq!(
        number_card
            .check(
                seat(&state, 'b'),
                towers_rules::Action::Roll("w1".parse().expect("card"))
            )
            .map_err(towers_rules::Illegal::clause),
        Err("R4.8")
    );
    let played =
        towers_rules::Action::Play("w??".parse().expect("card"), towers_rules::Move::Nothing);
    assert_eq!(
        state
            .check(seat(&state, 'b'), played)
            .map_err(towers_rules::Illegal::clause),
        Err("R4.8")
    );
}

#[test]
fn r4_8_the_roll_takes_place_even_if_it_cannot_be_of_use() {
    let mut state = Scenario::of("by")
        .at(3, "bA")
        .at(9, "y")
        .hand('b', "w??,w1,w2")
        .state();
    assert!(legal(&state).contains(&"w??".into()));
    play_all(&mut state, &["w??", "roll 2"]);
    assert_eq!(legal(&state), [":-", "reroll"]);
    play(&mut state, ":-");
    assert_eq!((turn_of(&state), state.actions_used()), ('b', 1));
    let mut useful = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w??,w1,w2")
        .state();
    play_all(&mut useful, &["w??", "roll 2"]);
    assert_eq!(refused(&useful, ":-").clause(), "R4.2");
}
