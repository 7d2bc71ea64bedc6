//! The refresh: discarding the hand instead of both actions (R4.4, R4.5, R4.9).

use crate::common::*;
use crate::turn::empty_pile;
use towers_rules::{ChanceRequest, Event, Phase, State};

/// Tower A stands behind two wizards, tower B right behind the castle.
fn before_a_refresh(keys: &str) -> Scenario {
    Scenario::of("by")
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
    let mut none = Scenario::of("by")
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
    let mut none = Scenario::of("by")
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

#[test]
fn r4_9_a_refresh_discards_in_the_order_of_writing() {
    for (keys, refresh) in [
        ("refresh_tower=may", "refresh:-"),
        ("refresh_draw=first", "refresh"),
    ] {
        let table = Scenario::of("by").at(9, "y").hand('b', "w3,t??,w3");
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
