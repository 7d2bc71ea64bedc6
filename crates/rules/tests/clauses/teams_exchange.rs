//! R12.2: partners exchange cards.

use crate::common::*;
use crate::teams::out;
use towers_rules::{Phase, Preset, State};

#[test]
fn r12_2_the_active_player_asks_and_the_partner_hands_over_a_card() {
    let mut state = out().state();
    play(&mut state, "ask");
    assert_eq!((turn_of(&state), state.phase()), ('r', Phase::Asked));
    assert_eq!(
        legal(&state),
        ["decline", "offer t1", "offer t2", "offer t3"]
    );
    play(&mut state, "offer t2");
    assert_eq!((turn_of(&state), state.phase()), ('b', Phase::Return));
    assert_eq!(
        (hand(&state, 'b').as_str(), hand(&state, 'r').as_str()),
        ("t2,w1,w2,w3", "t1,t3")
    );
    assert_eq!(
        legal(&state),
        ["return t2", "return w1", "return w2", "return w3"]
    );
    let mut same = state;
    play(&mut same, "return t2");
    assert_eq!(hand(&same, 'r'), "t1,t2,t3", "the very card just received");
    play(&mut state, "return w3");
    assert_eq!(
        (hand(&state, 'b').as_str(), hand(&state, 'r').as_str()),
        ("t2,w1,w2", "t1,t3,w3")
    );
    assert_eq!((turn_of(&state), state.phase()), ('b', Phase::Turn));
    assert_eq!(refused(&state, "ask").clause(), "R12.2", "once a turn");
    assert_eq!(
        refused_as(&state, seat(&state, 'r'), "offer t1").clause(),
        "R12.2"
    );
}

#[test]
fn r12_2_the_partner_offers_unasked_and_keeps_the_card_until_it_is_accepted() {
    let mut state = out().state();
    let red = seat(&state, 'r');
    assert_eq!(partner_legal(&state), ["offer t1", "offer t2", "offer t3"]);
    play_as(&mut state, red, "offer t3");
    assert_eq!((turn_of(&state), state.phase()), ('b', Phase::Offered));
    assert_eq!(hand(&state, 'r'), "t1,t2,t3", "still in the partner's hand");
    assert_eq!(legal(&state), ["accept", "decline"]);
    play(&mut state, "accept");
    assert_eq!(
        (hand(&state, 'b').as_str(), hand(&state, 'r').as_str()),
        ("t3,w1,w2,w3", "t1,t2")
    );
    play(&mut state, "return w1");
    assert_eq!(hand(&state, 'r'), "t1,t2,w1");
}

/// After a request or an offer that was declined.
fn declined(keys: &str, offered: bool) -> State {
    let mut state = out().with(keys).state();
    let red = seat(&state, 'r');
    if offered {
        play_as(&mut state, red, "offer t3");
    } else {
        play(&mut state, "ask");
    }
    play(&mut state, "decline");
    assert_eq!((turn_of(&state), state.phase()), ('b', Phase::Turn));
    assert_eq!(
        (hand(&state, 'b').as_str(), hand(&state, 'r').as_str()),
        ("w1,w2,w3", "t1,t2,t3")
    );
    state
}

#[test]
fn r12_2_a_declined_request_or_offer_uses_the_exchange_up() {
    for offered in [false, true] {
        let state = declined("offer_after_refusal=false", offered);
        assert_eq!(refused(&state, "ask").clause(), "R12.2");
        assert_eq!(
            refused_as(&state, seat(&state, 'r'), "offer t3").clause(),
            "R12.2"
        );
        assert!(partner_legal(&state).is_empty());
    }
}

#[test]
fn r12_2_with_offer_after_refusal_the_other_way_is_left() {
    let mut asked = declined("offer_after_refusal", false);
    let red = seat(&asked, 'r');
    assert_eq!(refused(&asked, "ask").clause(), "R12.2", "once each");
    assert_eq!(partner_legal(&asked), ["offer t1", "offer t2", "offer t3"]);
    play_as(&mut asked, red, "offer t1");
    play_all(&mut asked, &["accept", "return w2"]);
    assert_eq!(hand(&asked, 'r'), "t2,t3,w2");
    let mut offered = declined("offer_after_refusal", true);
    assert_eq!(refused_as(&offered, red, "offer t1").clause(), "R12.2");
    assert!(partner_legal(&offered).is_empty());
    play(&mut offered, "ask");
    let mut again = offered;
    play(&mut again, "decline");
    assert_eq!(
        refused(&again, "ask").clause(),
        "R12.2",
        "both ways are used"
    );
    assert!(partner_legal(&again).is_empty());
    play_all(&mut offered, &["offer t2", "return w1"]);
    for state in [asked, offered] {
        assert_eq!(
            refused(&state, "ask").clause(),
            "R12.2",
            "a card was handed over"
        );
        let offer = if hand(&state, 'r').contains("t2") {
            "offer t2"
        } else {
            "offer t1"
        };
        assert_eq!(refused_as(&state, red, offer).clause(), "R12.2");
    }
}

#[test]
fn r12_2_what_a_refusal_leaves_in_every_edition() {
    for (preset, left) in [
        (Preset::Capstone, false),
        (Preset::Abacus1, true),
        (Preset::Abacus2, true),
        (Preset::Oya, true),
    ] {
        let mut state = out().edition(preset).state();
        play_all(&mut state, &["ask", "decline"]);
        assert_eq!(!partner_legal(&state).is_empty(), left, "{}", preset.name());
    }
}

#[test]
fn r12_2_a_new_turn_has_a_new_exchange() {
    let mut state = declined("offer_after_refusal=false", false);
    play_all(&mut state, &["w1:w3", "w2:w4"]);
    settle(&mut state);
    assert_eq!(turn_of(&state), 'y');
    play(&mut state, "ask");
    assert_eq!((turn_of(&state), state.phase()), ('g', Phase::Asked));
}

#[test]
fn r12_2_an_offered_card_stays_with_the_partner_who_may_not_play_it_meanwhile() {
    let mut state = out().with("spells=AT flasks=b:3/2/0;r:3/2/0").state();
    let red = seat(&state, 'r');
    play_as(&mut state, red, "offer t3");
    assert_eq!(
        state.turn().offered.map(towers_rules::Card::text),
        Some("t3")
    );
    for action in ["w1:w3", "AT:A", "give 1", "ask", "refresh:tI"] {
        assert_eq!(refused(&state, action).clause(), "R19", "{action}");
    }
    assert!(partner_legal(&state).is_empty());
    assert_eq!(refused_as(&state, red, "give 1").clause(), "R19");
    play(&mut state, "decline");
    assert_eq!(state.turn().offered, None);
}

#[test]
fn r12_2_only_when_a_card_is_to_be_chosen_and_no_spell_in_between() {
    let mut state = out()
        .hand('b', "w??,w2,w3")
        .with("spells=AT flasks=b:3/2/0")
        .state();
    let red = seat(&state, 'r');
    let mut asked = state;
    play(&mut asked, "ask");
    assert_eq!(
        refused_as(&asked, towers_rules::Seat(0), "AT:A").clause(),
        "R19"
    );
    play(&mut asked, "offer t1");
    assert_eq!(refused(&asked, "AT:A").clause(), "R19");
    play_all(&mut state, &["w??", "roll 2"]);
    assert_eq!(refused(&state, "ask").clause(), "R19");
    assert_eq!(refused_as(&state, red, "offer t1").clause(), "R19");
    assert!(partner_legal(&state).is_empty());
    play(&mut state, ":w3");
    play(&mut state, "ask");
    assert_eq!(
        state.phase(),
        Phase::Asked,
        "between the two actions it is possible"
    );
    assert_eq!(
        refused_as(&out().state(), seat(&state, 'y'), "offer w1t5").clause(),
        "R19",
        "not a rival"
    );
}
