//! §4: a turn.

use crate::common::*;
use towers_rules::{Actor, ChanceRequest, Event, Phase, State};

#[test]
fn r4_1_two_actions_of_one_card_each() {
    let mut state = Table::of("by")
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

/// Why blue may not do this while chance is awaited.
fn refused_as_if(state: &State, text: &str) -> &'static str {
    let error = state.check(seat(state, 'b'), action(text));
    error.expect_err("chance comes first").clause()
}

#[test]
fn r4_2_a_card_with_a_legal_move_must_move() {
    let table = Table::of("by").at(3, "b").at(9, "y").hand('b', "w1,w2,w3");
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
    let mut state = Table::of("by")
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
    let both = Table::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1,w1t5,w2")
        .state();
    let ways = legal_like(&both, "w1t5");
    assert!(ways.contains(&"w1t5:w3".into()) && ways.contains(&"w1t5:tA".into()));
    assert!(!ways.contains(&"w1t5:-".into()));
    assert_eq!(refused(&both, "w1:tA").clause(), "R4.3");
    let tower_only = Table::of("by")
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
    let wizard_only = Table::of("by")
        .at(3, "b")
        .at(9, "y")
        .rest_at(11)
        .hand('b', "w1,w1t5,t2")
        .state();
    assert_eq!(legal_like(&wizard_only, "w1t5"), ["w1t5:w3"]);
    // With no wizard in sight either, nothing can; nor with a card for towers alone (R4.2).
    let neither = Table::of("by")
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

/// Tower A stands behind two wizards, tower B right behind the castle.
fn before_a_refresh(keys: &str) -> Table {
    Table::of("by")
        .at(3, "by")
        .at(2, "A")
        .at(9, "y")
        .at(15, "B")
        .hand('b', "t1,w1,w2")
        .with(keys)
}

#[test]
fn r4_4_a_refresh_replaces_both_actions() {
    for keys in ["refresh_tower=may", "refresh_tower=must"] {
        let table = before_a_refresh(keys);
        let mut state = table.state();
        let events = play(&mut state, "refresh:tA");
        assert_eq!(field(&state, 3), "byA");
        assert_eq!(
            filled(&events),
            [seat(&state, 'b')],
            "all rules for towers hold"
        );
        assert_eq!(hand(&state, 'b'), "");
        settle(&mut state);
        assert_eq!(
            (turn_of(&state), hand(&state, 'b').split(',').count()),
            ('y', 3)
        );
        assert_eq!(refused(&table.state(), "refresh:tB").clause(), "R7.3");
        let mut late = table.state();
        play(&mut late, "w1:w3");
        for action in ["refresh:-", "refresh:tA", "refresh"] {
            assert_eq!(refused(&late, action).clause(), "R4.4");
        }
    }
}

#[test]
fn r4_4_with_may_the_tower_of_a_refresh_is_optional() {
    let mut state = before_a_refresh("refresh_tower=may").state();
    assert_eq!(legal_like(&state, "refresh").len(), 8 + 1);
    let events = play(&mut state, "refresh:-");
    assert!(
        !events
            .iter()
            .any(|e| matches!(e, Event::TowerMoved { .. } | Event::NothingMoved { .. }))
    );
    assert_eq!(
        (field(&state, 2), hand(&state, 'b')),
        ("A".into(), String::new())
    );
}

#[test]
fn r4_4_with_must_a_tower_moves_if_any_can() {
    let state = before_a_refresh("refresh_tower=must").state();
    assert_eq!(refused(&state, "refresh:-").clause(), "R4.4");
    let towers: String = legal_like(&state, "refresh")
        .iter()
        .map(|a| a.replace("refresh:t", ""))
        .collect();
    assert_eq!(towers, "ACDEFGHI", "all but B");
    // All nine towers are right behind the castle: none can move.
    let mut none = Table::of("by")
        .at(3, "b")
        .at(9, "y")
        .rest_at(15)
        .with("refresh_tower=must")
        .state();
    assert_eq!(legal_like(&none, "refresh"), ["refresh:-"]);
    play(&mut none, "refresh:-");
    settle(&mut none);
    assert_eq!(turn_of(&none), 'y');
}

#[test]
fn r4_4_the_tower_is_as_optional_when_the_cards_come_first() {
    let refreshed = |keys: &str| {
        let mut state = before_a_refresh(&format!("refresh_draw=first {keys}")).state();
        play(&mut state, "refresh");
        settle(&mut state);
        state
    };
    assert_eq!(legal(&refreshed("refresh_tower=may")).len(), 8 + 1);
    let must = refreshed("refresh_tower=must");
    assert_eq!(legal(&must).len(), 8);
    assert_eq!(refused(&must, ":-").clause(), "R4.4");
    assert_eq!(refused(&must, ":tB").clause(), "R7.3");
    assert_eq!(refused(&must, ":w3").clause(), "R19");
    let mut none = Table::of("by")
        .at(3, "b")
        .at(9, "y")
        .rest_at(15)
        .with("refresh_draw=first refresh_tower=must")
        .state();
    play(&mut none, "refresh");
    settle(&mut none);
    assert_eq!(legal(&none), [":-"]);
    play(&mut none, ":-");
    assert_eq!(turn_of(&none), 'y', "the hand is full, so nothing is drawn");
}

#[test]
fn r4_5_hands_are_filled_up_at_the_end_of_a_turn_only() {
    let mut state = Table::of("by")
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

#[test]
fn r4_5_with_last_the_tower_of_a_refresh_moves_before_cards_are_drawn() {
    let mut state = before_a_refresh("refresh_draw=last").state();
    assert_eq!(refused(&state, "refresh").clause(), "R4.5");
    let mut events = play(&mut state, "refresh:tA");
    events.extend(settle(&mut state));
    let at = |wanted: fn(&Event) -> bool| events.iter().position(wanted).expect("it happened");
    let moved = at(|e| matches!(e, Event::TowerMoved { .. }));
    let drew = at(|e| matches!(e, Event::Drew { .. }));
    assert!(moved < drew);
}

#[test]
fn r4_5_with_first_three_cards_are_drawn_before_the_tower_is_chosen() {
    let mut state = before_a_refresh("refresh_draw=first refresh_tower=may").state();
    assert_eq!(legal_like(&state, "refresh"), ["refresh"]);
    for action in ["refresh:-", "refresh:tA"] {
        assert_eq!(refused(&state, action).clause(), "R4.5");
    }
    let before = state.draw_len();
    let events = play(&mut state, "refresh");
    assert!(!events.iter().any(|e| matches!(e, Event::TowerMoved { .. })));
    assert_eq!(state.chance(), Some(ChanceRequest::Draw(seat(&state, 'b'))));
    for card in ["draw b w5", "draw b t5", "draw b w4"] {
        chance(&mut state, card);
    }
    assert_eq!((turn_of(&state), state.phase()), ('b', Phase::Refreshed));
    assert_eq!(
        (hand(&state, 'b').as_str(), before - state.draw_len()),
        ("t5,w4,w5", 3)
    );
    assert_eq!(
        refused(&state, "w5:w3").clause(),
        "R19",
        "both actions are used"
    );
    assert_eq!(refused(&state, "refresh").clause(), "R19");
    let events = play(&mut state, ":tA");
    assert_eq!(filled(&events), [seat(&state, 'b')]);
    assert_eq!(
        (
            field(&state, 3).as_str(),
            turn_of(&state),
            hand(&state, 'b').as_str()
        ),
        ("byA", 'y', "t5,w4,w5"),
        "no card is drawn at the end"
    );
}

#[test]
fn r4_5_with_first_the_pile_is_renewed_with_the_cards_just_discarded() {
    let text = empty_pile().to_string();
    let mut state = format!("{text} refresh_draw=first")
        .parse::<State>()
        .expect("a position");
    play(&mut state, "refresh");
    assert_eq!(state.chance(), Some(ChanceRequest::Shuffle));
    chance(&mut state, "shuffle");
    assert_eq!((state.draw_len(), state.discard_pile().len()), (87, 0));
    for card in ["draw b w1", "draw b w2", "draw b w3"] {
        chance(&mut state, card);
    }
    assert_eq!(state.phase(), Phase::Refreshed);
}

/// All cards but the hands are discarded; blue is about to end the turn.
fn empty_pile() -> State {
    let table = Table::of("by")
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
    assert!(state.discard_pile().len() > 80);
}

#[test]
fn r4_7_the_turn_ends_by_itself_unless_a_spell_could_be_cast() {
    let plain = Table::of("by")
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
    let mut state = Table::of("byrg")
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
    let mut state = Table::of("byrg")
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
    let table = Table::of("by")
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
    let number_card = Table::of("by")
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
    let mut state = Table::of("by")
        .at(3, "bA")
        .at(9, "y")
        .hand('b', "w??,w1,w2")
        .state();
    assert!(legal(&state).contains(&"w??".into()));
    play_all(&mut state, &["w??", "roll 2"]);
    assert_eq!(legal(&state), [":-", "reroll"]);
    play(&mut state, ":-");
    assert_eq!((turn_of(&state), state.actions_used()), ('b', 1));
    let mut useful = Table::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w??,w1,w2")
        .state();
    play_all(&mut useful, &["w??", "roll 2"]);
    assert_eq!(refused(&useful, ":-").clause(), "R4.2");
}

#[test]
fn r4_9_a_refresh_discards_in_the_order_of_writing() {
    for (keys, refresh) in [
        ("refresh_tower=may", "refresh:-"),
        ("refresh_draw=first", "refresh"),
    ] {
        let table = Table::of("by").at(9, "y").hand('b', "w3,t??,w3");
        let mut state = table.with(keys).state();
        let events = play(&mut state, refresh);
        let cards: Vec<_> = events
            .iter()
            .filter_map(|e| match e {
                Event::Discarded { card, .. } => Some(card.text()),
                _ => None,
            })
            .collect();
        assert_eq!(cards, ["t??", "w3", "w3"]);
    }
}
