//! §12: teams. Blue and red are partners, and so are yellow and green.

use crate::common::*;
use towers_rules::{Actor, EndReason, Event, Phase, Preset, State};

fn teams() -> Table {
    Table::of("byrg")
        .hand('b', "w1,w2,w3")
        .hand('r', "t1,t2,t3")
        .with("teams")
}

fn out() -> Table {
    teams().at(3, "b").at(5, "r").at(7, "y").at(9, "g")
}

#[test]
fn r12_1_partners_face_each_other() {
    let four = out().state();
    let partner = |state: &State, c: char| {
        let partner = state.partner(seat(state, c)).expect("in teams");
        state.colour(partner).letter()
    };
    assert_eq!(
        ['b', 'y', 'r', 'g'].map(|c| partner(&four, c)),
        ['r', 'g', 'b', 'y']
    );
    let six = Table::of("byrgop").at(3, "byrgop").with("teams").state();
    assert_eq!(
        "byrgop"
            .chars()
            .map(|c| partner(&six, c))
            .collect::<String>(),
        "gopbyr"
    );
    let alone = Table::of("byrg").at(3, "byrg").state();
    assert_eq!(alone.partner(towers_rules::Seat(0)), None);
    assert_eq!(refused(&alone, "ask").clause(), "R12.1");
}

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

#[test]
fn r12_4_with_all_wizards_home_you_move_your_partners() {
    let mut state = teams()
        .at(5, "rr")
        .at(9, "yg")
        .with("spells=PB flasks=b:3/2/0")
        .state();
    assert_eq!(legal_like(&state, "w1:"), ["w1:w5", "w1:w5+"]);
    assert_eq!(state.moves_wizards_of(seat(&state, 'b')), seat(&state, 'r'));
    play(&mut state, "w1:w5+");
    assert_eq!(
        (field(&state, 6), flasks(&state, 'b')),
        ("rr".into(), [3, 0, 2])
    );
    assert_eq!(legal_like(&out().state(), "w1:"), ["w1:w3"], "not before");
}

#[test]
fn r12_5_imprisoning_fills_the_partners_flask_if_you_have_no_empty_one() {
    let table = teams()
        .at(3, "bA")
        .at(5, "y")
        .at(9, "g")
        .at(11, "r")
        .hand('b', "t2,w2,w3");
    let mut state = table.clone().with("flasks=b:0/5/0").state();
    let events = play(&mut state, "t2:tA");
    assert_eq!(filled(&events), [seat(&state, 'r')]);
    assert_eq!(
        (flasks(&state, 'b'), flasks(&state, 'r')),
        ([0, 5, 0], [4, 1, 0])
    );
    let mut own = table.clone().with("flasks=b:1/4/0").state();
    play(&mut own, "t2:tA");
    assert_eq!(
        (flasks(&own, 'b'), flasks(&own, 'r')),
        ([0, 5, 0], [5, 0, 0])
    );
    let mut neither = table.with("flasks=b:0/5/0;r:0/5/0").state();
    assert!(filled(&play(&mut neither, "t2:tA")).is_empty());
}

#[test]
fn r12_6_free_a_wizard_of_yours_or_your_partners() {
    let table = teams().with("spells=FW flasks=b:3/2/0").at(9, "byrg");
    let free = |prisoners: &str, cast: &str| {
        let mut state = table.clone().at(3, &format!("{prisoners}A")).state();
        play(&mut state, cast);
        field(&state, 3)
    };
    assert_eq!(free("byr", "FW:A,b"), "yrAb");
    assert_eq!(free("byr", "FW:A,r"), "byAr");
    assert_eq!(free("yr", "FW:A,b"), "yAr", "only the other is there");
    assert_eq!(free("by", "FW:A,r"), "yAb");
    assert_eq!(free("yg", "FW:A,b"), "ygA", "nobody is freed");
    let state = table.at(3, "brA").state();
    assert_eq!(legal_like(&state, "FW:A"), ["FW:A,b", "FW:A,r"]);
    assert_eq!(refused(&state, "FW:A").clause(), "R12.6");
    assert_eq!(refused(&state, "FW:A,y").clause(), "R12.6");
    let alone = Table::of("by")
        .at(3, "bA")
        .at(9, "y")
        .with("spells=FW flasks=b:4/2/0")
        .state();
    assert_eq!(refused(&alone, "FW:A,b").clause(), "R12.6");
}

#[test]
fn r12_7_a_team_has_finished_when_both_have() {
    let b = towers_rules::Seat(0);
    let finished = |table: Table| table.state().has_finished(b);
    let rivals = || teams().at(9, "yg");
    assert!(finished(rivals().with("flasks=b:0/5/0;r:0/3/2")));
    assert!(!finished(rivals().with("flasks=b:0/5/0;r:1/4/0")));
    assert!(!finished(
        rivals().at(3, "r").with("flasks=b:0/5/0;r:0/5/0")
    ));
    let both = rivals().with("flasks=b:0/5/0;r:0/5/0").state();
    assert!(both.has_finished(seat(&both, 'r')) && both.is_final());
}

/// Blue's team finishes in blue's turn, and yellow's in yellow's.
fn race(keys: &str) -> State {
    let mut state = Table::of("byrg")
        .at(15, "b")
        .at(3, "y")
        .at(9, "g")
        .hand('b', "w1,w2,w3")
        .hand('y', "w1,w2,w3")
        .with(&format!("teams refresh_tower=may {keys}"))
        .state();
    play(&mut state, "w1:w15");
    settle(&mut state);
    state
}

#[test]
fn r12_8_the_round_is_completed_and_full_flasks_of_both_decide() {
    // Yellow comes home in the same round, but green is still out.
    let mut state = race("flasks=b:0/1/4;r:0/2/3;y:0/2/3;g:0/2/3");
    assert_eq!((turn_of(&state), castle(&state)), ('y', 4));
    play(&mut state, "w1:w3");
    settle(&mut state);
    for _ in 0..2 {
        play(&mut state, "refresh:-");
        settle(&mut state);
    }
    let outcome = state.outcome().expect("the round is over");
    assert_eq!(
        (outcome.why, winners(&state)),
        (EndReason::Finished, "br".into()),
        "green is still out"
    );
}

#[test]
fn r12_8_the_team_with_more_full_flasks_wins_and_ties_are_shared() {
    let end = |flasks: &str| {
        let mut state = Table::of("byrgop")
            .at(9, "r")
            .with(&format!("teams refresh_tower=may active=p flasks={flasks}"))
            .state();
        play(&mut state, "refresh:-");
        settle(&mut state);
        winners(&state)
    };
    let four = "b:0/4/0;g:0/0/4";
    assert_eq!(end(&format!("{four};y:0/3/1;o:0/2/2")), "yo");
    assert_eq!(end(&format!("{four};y:0/3/1;o:0/1/3")), "bygo");
    assert_eq!(end(&format!("{four};y:0/3/1;o:0/0/4")), "bg");
}

#[test]
fn r12_8_with_at_once_the_game_is_over_when_a_team_has_finished() {
    let state = race("team_end=at_once flasks=b:0/1/4;r:0/2/3");
    assert_eq!(state.actor(), Actor::Nobody);
    assert_eq!(
        (winners(&state), state.outcome().map(|o| o.why)),
        ("br".into(), Some(EndReason::Finished))
    );
    let flask = |keys: &str| {
        let mut state = Table::of("byrg")
            .at(3, "A")
            .at(5, "y")
            .at(9, "g")
            .hand('b', "t2,w2,w3")
            .with(&format!("teams {keys}"))
            .state();
        play(&mut state, "t2:tA");
        state
    };
    assert_eq!(
        flask("team_end=at_once flasks=b:0/5/0;r:1/4/0").actor(),
        Actor::Nobody,
        "by a flask"
    );
    assert_eq!(
        turn_of(&flask("flasks=b:0/5/0;r:1/4/0")),
        'b',
        "the round goes on"
    );
}
