//! Basic types: identifiers, cards, piles, sets, lists of actions.

use crate::common::{Scenario, play, settle};
use towers_rules::trace::{TraceError, Tracer};
use towers_rules::{
    Actions, Card, Chance, Colour, Costs, DECK, Event, Hand, Illegal, Mode, Observer, Pile, Preset,
    Seat, SeatSet, Setup, Space, Spell, SpellSet, State, Surface, Tower, Viewer,
};

fn card(text: &str) -> Card {
    text.parse().expect("a card")
}

#[test]
fn spaces_go_round() {
    for from in Space::all() {
        for steps in 0..40 {
            let ahead = (from.number() + steps) % 16;
            assert_eq!(from.ahead(steps).number(), ahead);
            assert_eq!(from.ahead(steps).behind(steps), from);
            assert_eq!(Space::wrapping(from.number() + 16), from);
        }
        assert_eq!(Space::new(from.number()), Some(from));
        assert_eq!(from.index(), usize::from(from.number()));
        assert_eq!(from.to_string(), from.number().to_string());
    }
    assert_eq!(Space::wrapping(0).behind(3).number(), 13);
}

#[test]
fn surfaces_are_grounds_and_tops() {
    for (i, surface) in Surface::all().enumerate() {
        assert_eq!(surface.index(), i);
        assert_eq!(surface.tower().is_some(), i >= 16);
        if let Some(tower) = surface.tower() {
            assert_eq!((tower.top(), tower.index()), (surface, i - 16));
            assert_eq!(Tower::new(tower.index() as u8), Some(tower));
            assert_eq!(Tower::from_letter(tower.letter()), Some(tower));
        }
    }
    assert_eq!(Tower::from_letter('J'), None);
    assert_eq!(Colour::from_letter('x'), None);
    for colour in Colour::ALL {
        assert_eq!(Colour::from_letter(colour.letter()), Some(colour));
        assert_eq!(colour.to_string(), colour.letter().to_string());
    }
}

#[test]
fn piles_count_and_hand_out_their_cards() {
    let deck = Pile::full_deck();
    assert_eq!((deck.len(), deck.is_empty()), (DECK, false));
    let mut sorted = Vec::new();
    for (kind, n) in deck.iter() {
        assert_eq!(n, kind.copies());
        sorted.extend(std::iter::repeat_n(kind, n.into()));
    }
    for (n, &kind) in sorted.iter().enumerate() {
        assert_eq!(deck.nth(n as u8), Some(kind), "number {n}");
    }
    assert_eq!((deck.nth(90), deck.nth(255)), (None, None));
    let mut pile = Pile::EMPTY;
    assert_eq!((pile.len(), pile.is_empty(), pile.nth(0)), (0, true, None));
    assert!(!pile.take(card("w3")));
    pile.add(card("w3"));
    pile.add(card("w3"));
    pile.add(card("w?t?"));
    assert_eq!(
        (pile.len(), pile.count(card("w3")), pile.nth(2)),
        (3, 2, Some(card("w?t?")))
    );
    assert!(pile.take(card("w3")) && pile.take(card("w3")) && !pile.take(card("w3")));
    assert_eq!(format!("{pile:?}"), r#"{"w?t?": 1}"#);
    let collected: Pile = [card("t1"), card("t1")].into_iter().collect();
    assert_eq!(collected.count(card("t1")), 2);
}

#[test]
fn hands_are_sorted() {
    let hand: Hand = ["w3", "t??", "w3"].map(card).into_iter().collect();
    assert_eq!(
        (hand.len(), hand.is_empty(), Hand::EMPTY.is_empty()),
        (3, false, true)
    );
    assert_eq!(format!("{hand:?}"), r#"["t??", "w3", "w3"]"#);
    assert!(hand.contains(card("w3")) && !hand.contains(card("w2")));
    assert_eq!(Hand::EMPTY.len(), 0);
    assert!(!Hand::EMPTY.contains(card("t1")));
    let texts: Vec<_> = Card::all().map(Card::text).collect();
    assert!(
        texts.is_sorted(),
        "the order of kinds is that of their texts"
    );
}

#[test]
fn sets_of_spells_and_seats() {
    assert_eq!(
        (
            SpellSet::ALL.len(),
            SpellSet::NONE.len(),
            SpellSet::NONE.is_empty()
        ),
        (8, 0, true)
    );
    assert!(!SpellSet::ALL.is_empty() && SpellSet::ALL.contains(Spell::FreeWizard));
    let two: SpellSet = [Spell::Piggyback, Spell::AdvanceTower]
        .into_iter()
        .collect();
    assert_eq!(
        (two.to_string(), format!("{two:?}")),
        ("AT,PB".into(), "AT,PB".into())
    );
    assert_eq!(two.with(Spell::AdvanceTower), two);
    assert_eq!(SpellSet::all_of_size(2).count(), 28);
    let seats: SeatSet = [Seat(0), Seat(5)].into_iter().collect();
    assert_eq!((seats.len(), seats.is_empty()), (2, false));
    assert!(seats.contains(Seat(5)) && !seats.contains(Seat(1)));
    assert_eq!(seats.iter().map(|s| s.0).collect::<Vec<_>>(), [0, 5]);
    assert_eq!(SeatSet::default().len(), 0);
    assert!(SeatSet::default().is_empty());
    let costs = Costs::usual().with(Spell::SwapTowers, 3);
    assert_eq!(
        (costs.of(Spell::SwapTowers), costs.of(Spell::AdvanceTower)),
        (3, 1)
    );
    assert!(format!("{costs:?}").contains("\"SW\": 3"));
}

#[test]
fn the_example_can_be_played() {
    let mut state = towers_rules::examples::opening();
    assert_eq!(state.hand(Seat(0)).len(), 3);
    assert_eq!(state.spells(), SpellSet::BEGINNER);
    play(&mut state, "w1:w1");
    assert_eq!(state.players(), 2);
    assert_eq!(
        (state.rolled(), state.rerolls(), state.has_cast()),
        (None, 0, false)
    );
}

#[test]
fn an_empty_list_has_nothing() {
    let list = Actions::new();
    assert_eq!((list.len(), list.is_empty(), list.get(0)), (0, true, None));
    assert_eq!(Actions::default().iter().count(), 0);
    let mut filled = Actions::new();
    towers_rules::examples::opening().legal_actions_into(&mut filled);
    // t5 and a refresh with any of nine towers, w1 and w3 with a wizard on one of three spaces.
    assert_eq!(filled.len(), 9 + 9 + 3 + 3);
    assert_eq!(filled.get(usize::MAX), None);
    assert!(filled.contains("w1:w1".parse().expect("an action")));
    assert!(!filled.contains("w1:w9".parse().expect("an action")));
    State::new(&Setup::new(Preset::Capstone, Mode::Versus, 2))
        .expect("a table")
        .legal_actions_into(&mut filled);
    assert!(filled.is_empty(), "it is chance's turn");
    let mut events: Vec<Event> = Vec::new();
    events.see(Event::Reshuffled);
    assert_eq!(events, [Event::Reshuffled]);
}

#[test]
fn views_name_their_viewer_and_the_player_to_act() {
    let mut state = Scenario::of("by")
        .at(9, "by")
        .with("refresh_tower=may")
        .state();
    let view = state.view(Viewer::Seat(Seat(1)));
    assert_eq!((view.seat(), view.to_act()), (Some(Seat(1)), Some(Seat(0))));
    assert_eq!(state.view(Viewer::Spectator).seat(), None);
    play(&mut state, "refresh:-");
    assert_eq!(
        state.view(Viewer::Spectator).to_act(),
        None,
        "chance is to act"
    );
    settle(&mut state);
    assert_eq!(state.view(Viewer::Spectator).to_act(), Some(Seat(1)));
    let over = Scenario::of("by")
        .at(9, "b")
        .with("phase=over why=rounds max_rounds=1")
        .state();
    assert_eq!(over.view(Viewer::Spectator).to_act(), None);
    assert!(over.view(Viewer::Spectator).outcome.is_some());
}

#[test]
fn a_trace_says_what_is_wrong() {
    let setup = Setup::new(Preset::Capstone, Mode::Versus, 2);
    let error = Tracer::begin(&setup, "", &mut |_: &State| None).err();
    assert!(
        matches!(&error, Some(TraceError::Chance(what)) if what.contains("Draw")),
        "{error:?}"
    );
    let error = Tracer::begin(&setup, "", &mut |_: &State| Some(Chance::Roll(3))).err();
    assert!(matches!(
        error,
        Some(TraceError::Illegal {
            why: Illegal::OtherChance,
            ..
        })
    ));
    let nine = Setup {
        seats: vec![Colour::Blue; 2],
        ..setup.clone()
    };
    let error = Tracer::begin(&nine, "", &mut |_: &State| None).err();
    assert_eq!(
        error.map(|e| e.to_string()),
        Some("two seats have the same colour (R2.6)".into())
    );
    let mut first = |state: &State| state.sample_chance(|_| 0);
    let (mut tracer, header, _) = Tracer::begin(&setup, "seed", &mut first).expect("it begins");
    assert_eq!(
        (header.trace, header.seed.as_str()),
        (towers_rules::trace::VERSION, "seed")
    );
    let before = *tracer.state();
    let error = tracer.act(Seat(0), "end".parse().expect("an action"), &mut first);
    let message = error.map_err(|e| e.to_string()).err();
    assert_eq!(
        message,
        Some("end: that action is not possible now (R19)".into())
    );
    assert_eq!(*tracer.state(), before);
    assert_eq!(tracer.ending(), None);
    assert!(!tracer.take_events().is_empty() && tracer.take_events().is_empty());
    let step = tracer
        .act(
            Seat(0),
            "refresh:tI".parse().expect("an action"),
            &mut first,
        )
        .expect("legal");
    assert_eq!(step.state.discard.len(), 3, "the discard pile in order");
    assert_eq!(step.chance.len(), 3);
}
