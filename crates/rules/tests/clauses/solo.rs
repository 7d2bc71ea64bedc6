//! §14 and §15: solo and cooperative games.

use crate::common::*;
use towers_rules::{
    Actor, ChanceRequest, Colour, EndReason, Event, Mode, Phase, Preset, Rating, Setup, SoloSpell,
    Spells, State,
};

fn why(state: &State) -> Option<EndReason> {
    state.outcome().map(|o| o.why)
}

#[test]
fn r14_1_twelve_wizards_three_cards_no_flasks() {
    let mut state = State::new(&Setup::new(Preset::Capstone, Mode::Solo, 1)).expect("solo");
    settle(&mut state);
    let board = state.diagram().to_string();
    assert_eq!(board, "*/Abbb/Bbbb/Cbbb/Dbb/Eb/F/G/H/I/-/-/-/-/-/-");
    assert_eq!((state.wizards_each(), flasks(&state, 'b')), (12, [0, 0, 0]));
    assert_eq!(
        (
            state.hand(towers_rules::Seat(0)).len(),
            state.spells().len()
        ),
        (3, 0)
    );
    let mut red = Setup::new(Preset::Capstone, Mode::Solo, 1);
    red.seats = vec![Colour::Red];
    red.start = Some(Colour::Red);
    let mut state = State::new(&red).expect("solo in red");
    settle(&mut state);
    assert_eq!(state.diagram().to_string(), board, "all are written b");
}

#[test]
fn r14_1_imprisoning_fills_nothing_without_flasks() {
    let mut state = Scenario::solo()
        .at(3, "A")
        .at(5, "b")
        .hand('b', "t2,w1,w1")
        .state();
    let events = play(&mut state, "t2:tA");
    assert!(filled(&events).is_empty());
    assert_eq!(flasks(&state, 'b'), [0, 0, 0]);
}

#[test]
fn r14_2_one_card_a_turn_and_no_new_pile() {
    let mut state = Scenario::solo().at(3, "b").hand('b', "w1,w1,w1").state();
    play(&mut state, "w1:w3");
    assert_eq!(
        state.chance(),
        Some(ChanceRequest::Draw(towers_rules::Seat(0)))
    );
    settle(&mut state);
    assert_eq!(
        (
            turn_of(&state),
            state.round(),
            state.hand(towers_rules::Seat(0)).len()
        ),
        ('b', 2, 3)
    );
}

#[test]
fn r14_3_won_at_once_when_all_are_home_and_the_score_counts_discards() {
    let mut state = Scenario::solo()
        .at(15, "b")
        .hand('b', "w1,w1,w1")
        .with("discard=w2,w2 discarded=17")
        .state();
    play(&mut state, "w1:w15");
    let outcome = state.outcome().expect("won");
    assert_eq!(
        (outcome.why, winners(&state), outcome.score),
        (EndReason::Finished, "b".into(), Some(18))
    );
    let ratings = [
        (0, 0),
        (19, 0),
        (20, 1),
        (23, 1),
        (24, 2),
        (27, 2),
        (28, 3),
        (30, 3),
        (31, 4),
        (35, 4),
        (36, 5),
        (40, 5),
        (41, 6),
        (45, 6),
        (46, 7),
        (999, 7),
    ];
    for (score, rating) in ratings {
        assert_eq!(Rating::of(score), Rating::ALL[rating], "{score}");
        assert_eq!(Rating::of(score).reaches_goal(), score <= 30, "{score}");
    }
}

/// A table whose draw pile has this many cards left; all others are discarded.
fn almost_used_up(table: Scenario, left: usize) -> State {
    let full = table.clone().state();
    let cards: Vec<_> = full
        .draw_pile()
        .iter()
        .flat_map(|(c, n)| std::iter::repeat_n(c.text(), n.into()))
        .collect();
    let discard = cards[..cards.len() - left].join(",");
    let state = table.with(&format!("discard={discard}")).state();
    assert_eq!(usize::from(state.draw_len()), left);
    state
}

#[test]
fn r14_4_a_used_up_pile_loses_in_one_edition() {
    let table = Scenario::solo().at(3, "b").hand('b', "w1,w1,w1");
    let mut two = almost_used_up(table.clone(), 2);
    play(&mut two, "w1:w3");
    settle(&mut two);
    assert_eq!(turn_of(&two), 'b', "one card is left");
    let mut one = almost_used_up(table.clone(), 1);
    play(&mut one, "w1:w3");
    settle(&mut one);
    assert_eq!(
        (why(&one), winners(&one)),
        (Some(EndReason::Deck), "-".into())
    );
    assert_eq!(one.outcome().and_then(|o| o.score), Some(87));
    // Winning with the last card is winning.
    let mut won = almost_used_up(Scenario::solo().at(15, "b").hand('b', "w1,w1,w1"), 1);
    play(&mut won, "w1:w15");
    assert_eq!(why(&won), Some(EndReason::Finished));
}

#[test]
fn r14_4_and_is_renewed_in_the_other() {
    let table = Scenario::solo()
        .at(3, "b")
        .hand('b', "w1,w1,w1")
        .with("solo_deck=renew");
    let mut state = almost_used_up(table, 1);
    play(&mut state, "w1:w3");
    settle(&mut state);
    assert_eq!((turn_of(&state), state.draw_len()), ('b', 0));
    play(&mut state, "w1:w4");
    assert_eq!(state.chance(), Some(ChanceRequest::Shuffle));
    settle(&mut state);
    assert_eq!(
        (state.draw_len(), state.score()),
        (87, 88),
        "the score goes on"
    );
}

#[test]
fn r14_5_refresh_only_where_the_edition_has_it() {
    let table = Scenario::solo().at(3, "b").hand('b', "w1,w1,w1");
    assert_eq!(refused(&table.state(), "refresh:-").clause(), "R14.5");
    assert!(legal_like(&table.state(), "refresh").is_empty());
    for (keys, refreshes) in [("refresh_tower=may", 10), ("refresh_tower=must", 9)] {
        let state = table.clone().with(&format!("solo_refresh {keys}")).state();
        assert_eq!(legal_like(&state, "refresh").len(), refreshes, "{keys}");
    }
    let mut state = table.with("solo_refresh").state();
    play(&mut state, "refresh:tA");
    settle(&mut state);
    assert_eq!(
        (state.score(), turn_of(&state), state.round()),
        (3, 'b', 2),
        "three cards count"
    );
}

#[test]
fn r14_6_with_spells_there_are_six_flasks_and_one_spell_after_the_card() {
    let mut setup = Setup::new(Preset::Capstone, Mode::Solo, 1);
    setup.spells = Spells::Chosen("AT,NC,FW".parse().expect("three spells"));
    let mut fresh = State::new(&setup).expect("solo with spells");
    settle(&mut fresh);
    assert_eq!(flasks(&fresh, 'b'), [6, 0, 0]);
    let table = Scenario::solo()
        .at(3, "bbA")
        .at(5, "b")
        .hand('b', "w1,w??,t2")
        .with("spells=AT,PB flasks=b:2/4/0 solo_refresh");
    let mut state = table.state();
    assert_eq!(
        refused(&state, "AT:A").clause(),
        "R14.6",
        "not before the card"
    );
    let mut rolled = state;
    play_all(&mut rolled, &["w??", "roll 2"]);
    assert_eq!(
        refused(&rolled, "AT:A").clause(),
        "R14.6",
        "not before the move"
    );
    play(&mut rolled, ":w5");
    assert_eq!((rolled.phase(), turn_of(&rolled)), (Phase::End, 'b'));
    play(&mut state, "w1:w5");
    play(&mut state, "AT:A");
    assert_eq!(
        (state.actor(), flasks(&state, 'b')),
        (Actor::Chance, [2, 3, 1])
    );
    let mut refreshed = table.state();
    play(&mut refreshed, "refresh:tI");
    assert_eq!(refreshed.actor(), Actor::Chance, "not after a refresh");
}

#[test]
fn r14_6_with_any_the_spell_may_come_before_the_card() {
    let table = Scenario::solo()
        .at(3, "bbA")
        .at(5, "b")
        .hand('b', "w1,w??,t2")
        .with("solo_spell=any spells=AW,AT,PB flasks=b:2/4/0 solo_refresh");
    let mut state = table.state();
    play(&mut state, "AT:A");
    assert_eq!((state.phase(), turn_of(&state)), (Phase::Turn, 'b'));
    assert_eq!(
        refused(&state, "AT:A").clause(),
        "R9.1",
        "one for each card"
    );
    assert_eq!(
        refused(&state, "refresh:tA").clause(),
        "R14.6",
        "no refresh after a spell"
    );
    assert!(legal_like(&state, "refresh").is_empty());
    play(&mut state, "w1:w3");
    assert_eq!(state.actor(), Actor::Chance);
    settle(&mut state);
    assert!(
        legal(&state).contains(&"AT:A".into()),
        "a new turn, a new spell"
    );
    let mut rolled = table.state();
    play_all(&mut rolled, &["w??", "roll 2", "AT:A"]);
    assert_eq!(rolled.phase(), Phase::Rolled, "between roll and move");
    play(&mut rolled, ":w3");
    assert_eq!(rolled.actor(), Actor::Chance);
    let mut after = table.state();
    play(&mut after, "w1:w5");
    assert_eq!(after.phase(), Phase::End);
    play(&mut after, "AT:A");
    assert_eq!(after.actor(), Actor::Chance);
    let mut refreshed = table.state();
    play(&mut refreshed, "refresh:tI");
    assert_eq!(refreshed.actor(), Actor::Chance, "no spell after a refresh");
    let with = table.state();
    assert_eq!(legal_like(&with, "w1:"), ["w1:w5"]);
}

#[test]
fn r14_6_no_spell_in_phase_refreshed() {
    let mut state = Scenario::solo()
        .at(3, "bb")
        .hand('b', "w1,w??,t2")
        .with("solo_spell=any spells=AT flasks=b:2/4/0 solo_refresh refresh_draw=first")
        .state();
    play(&mut state, "refresh");
    settle(&mut state);
    assert_eq!(state.phase(), Phase::Refreshed);
    assert_eq!(refused(&state, "AT:A").clause(), "R14.6");
    play(&mut state, ":tA");
    assert_eq!((turn_of(&state), state.round(), state.score()), ('b', 2, 3));
}

#[test]
fn r14_6_an_entry_by_a_spell_ends_the_turn_even_before_the_card() {
    for keys in ["entry_ends=any", "entry_ends=own"] {
        let mut state = Scenario::solo()
            .at(15, "b")
            .at(3, "bb")
            .hand('b', "w1,w1,w1")
            .with(&format!("solo_spell=any spells=AW flasks=b:2/4/0 {keys}"))
            .state();
        play(&mut state, "AW:15b");
        assert_eq!((turn_of(&state), state.round()), ('b', 2), "{keys}");
        assert_eq!(hand(&state, 'b'), "w1,w1,w1", "no card was played");
        assert!(!state.has_cast());
    }
}

#[test]
fn r14_6_the_same_in_cooperative_games() {
    let table = |keys: &str| {
        Scenario::coop("by")
            .at(3, "bb")
            .hand('b', "w1,w1,w1")
            .with(&format!("{keys} spells=AT flasks=b:5/1/0"))
    };
    let after = table("solo_spell=after").state();
    assert_eq!(refused(&after, "AT:A").clause(), "R14.6");
    let mut any = table("solo_spell=any solo_refresh").state();
    play(&mut any, "AT:A");
    assert_eq!(refused(&any, "refresh:tA").clause(), "R14.6");
    play(&mut any, "w1:w3");
    settle(&mut any);
    assert_eq!(turn_of(&any), 'y');
}

#[test]
fn r14_6_when_a_spell_is_cast_in_each_edition() {
    for (preset, before) in [(Preset::Capstone, false), (Preset::Oya, true)] {
        let mut setup = Setup::new(preset, Mode::Solo, 1);
        setup.spells = Spells::Random(3);
        let state = State::new(&setup).expect("solo with spells");
        assert_eq!(state.options().solo_spell == SoloSpell::Any, before);
        let three = Spells::Chosen("AT,NC,FW".parse().expect("three spells"));
        assert_eq!(
            Spells::Random(3).are_printed(preset, &setup.options),
            before
        );
        assert_eq!(three.are_printed(preset, &setup.options), !before);
    }
}

#[test]
fn r14_6_also_after_a_card_that_moved_nothing_but_not_after_an_entry() {
    let spells = "spells=AT,PB flasks=b:2/4/0";
    let mut nothing = Scenario::solo()
        .at(3, "bbA")
        .hand('b', "w1,w1,w1")
        .with(spells)
        .state();
    play(&mut nothing, "w1:-");
    assert_eq!(nothing.phase(), Phase::End);
    let mut entered = Scenario::solo()
        .at(15, "b")
        .at(3, "bb")
        .hand('b', "w1,w1,w1")
        .with(spells)
        .state();
    play(&mut entered, "w1:w15");
    assert_eq!(entered.actor(), Actor::Chance);
    let mut ridden = Scenario::solo()
        .at(3, "bb")
        .hand('b', "w1,w1,w1")
        .with(spells)
        .state();
    play(&mut ridden, "w1:w3+");
    assert_eq!(
        (field(&ridden, 4), ridden.actor()),
        ("bb".into(), Actor::Chance),
        "that was the spell"
    );
}

#[test]
fn r14_6_to_win_no_flask_may_be_empty() {
    let table = Scenario::solo().hand('b', "w1,t2,w1");
    let mut wizards = table
        .clone()
        .at(15, "b")
        .with("spells=AT flasks=b:0/4/2")
        .state();
    play(&mut wizards, "w1:w15");
    assert_eq!(
        (why(&wizards), winners(&wizards)),
        (Some(EndReason::Finished), "b".into())
    );
    let mut deck = almost_used_up(table.at(3, "b").with("spells=AT flasks=b:0/0/6"), 1);
    play(&mut deck, "w1:w3");
    settle(&mut deck);
    assert_eq!(why(&deck), Some(EndReason::Deck));
}

#[test]
fn r14_7_all_home_with_an_empty_flask_is_lost_at_once() {
    let mut state = Scenario::solo()
        .at(15, "b")
        .hand('b', "w1,w1,w1")
        .with("spells=AT flasks=b:1/5/0")
        .state();
    play(&mut state, "w1:w15");
    assert_eq!(
        (why(&state), winners(&state)),
        (Some(EndReason::Stuck), "-".into())
    );
}

#[test]
fn r15_1_turns_of_one_card_with_shared_wizards_and_flasks() {
    let mut state = Scenario::coop("byr")
        .at(3, "bbA")
        .at(5, "b")
        .hand('b', "w1,t2,w1")
        .with("spells=AT flasks=b:5/1/0")
        .state();
    assert_eq!((state.wizards_each(), turn_of(&state)), (12, 'b'));
    play(&mut state, "t2:tA");
    assert_eq!(flasks(&state, 'y'), [4, 2, 0], "everybody's flasks");
    play(&mut state, "end");
    settle(&mut state);
    assert_eq!((turn_of(&state), state.round()), ('y', 1));
    play(&mut state, "w1:w3");
    let events = play(&mut state, "AT:B");
    assert!(matches!(
        events[0],
        Event::SpellCast {
            seat: towers_rules::Seat(1),
            ..
        }
    ));
    assert_eq!(flasks(&state, 'b'), [4, 1, 1]);
    let mut six = State::new(&Setup::new(Preset::Oya, Mode::Coop, 6)).expect("six together");
    settle(&mut six);
    assert_eq!(field(&six, 5), "Eb");
}

#[test]
fn r15_2_a_shared_hand_or_private_hands() {
    let mut shared = Scenario::coop("by")
        .at(3, "b")
        .hand('b', "w1,w2,w3")
        .state();
    assert_eq!(
        (hand(&shared, 'y'), shared.shares_hand()),
        ("w1,w2,w3".into(), true)
    );
    play(&mut shared, "w1:w3");
    let events = settle(&mut shared);
    assert!(
        matches!(
            events[0],
            Event::Drew {
                seat: towers_rules::Seat(0),
                ..
            }
        ),
        "the hand is called b"
    );
    assert_eq!(
        (turn_of(&shared), shared.hand(towers_rules::Seat(1)).len()),
        ('y', 3)
    );
    let table = Scenario::of("by")
        .at(3, "b")
        .hand('b', "w1,w2,w3")
        .hand('y', "t1,t2,t3")
        .with("mode=coop coop_hands=private");
    let mut private = table.state();
    assert_eq!(refused(&private, "t1:tA").clause(), "R4.1");
    play(&mut private, "w1:w3");
    settle(&mut private);
    assert_eq!(
        (turn_of(&private), hand(&private, 'y')),
        ('y', "t1,t2,t3".into())
    );
    assert_eq!(refused(&private, "w2:w4").clause(), "R4.1");
}

#[test]
fn r15_3_score_as_in_solo_and_everybody_wins() {
    let mut state = Scenario::coop("byr")
        .at(15, "b")
        .hand('b', "w1,w1,w1")
        .with("discarded=29 active=y")
        .state();
    play(&mut state, "w1:w15");
    let outcome = state.outcome().expect("won");
    assert_eq!((winners(&state), outcome.score), ("byr".into(), Some(30)));
    assert!(Rating::of(30).reaches_goal());
}
