//! Round trips through notation and JSON.

use crate::common::Rng;
use crate::common::policy::{choose, random_tables, step, walk};
use crate::common::universe::universe;
use crate::common::variants::variants;
use serde::Serialize;
use serde::de::DeserializeOwned;
use towers_rules::trace::{TraceHeader, Tracer};
use towers_rules::{Action, Actor, Cast, Chance, Phase, Seat, Spell, State, Viewer};

fn json<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("it can be written");
    let back: T = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(back, *value, "{text}");
    assert_eq!(serde_json::to_string(&back).expect("again"), text);
}

/// Whether notation can express an action: some could never be legal.
fn has_text(action: Action) -> bool {
    match action {
        Action::Play(card, _) => card.dice() == 0,
        Action::Roll(card) => card.dice() > 0,
        Action::After(spell) => spell != Spell::Piggyback,
        Action::Cast(Cast::SwapTowers(a, b)) | Action::Before(Cast::SwapTowers(a, b)) => a < b,
        Action::Give(n) => n > 0,
        _ => true,
    }
}

#[test]
fn every_action_that_has_a_text_is_read_back_and_others_are_not_read() {
    let mut texts = std::collections::HashSet::new();
    for action in universe() {
        let text = action.to_string();
        let read = text.parse::<Action>();
        assert_eq!(read.is_ok(), has_text(action), "{text}");
        if has_text(action) {
            assert_eq!(read, Ok(action));
            json(&action);
            assert!(texts.insert(text.clone()), "{text} means two things");
        }
    }
    assert!(texts.len() > 2000);
}

/// Whether notation has positions of this phase: it has none before the first turn.
fn readable(phase: Phase) -> bool {
    !matches!(phase, Phase::DrawStart | Phase::DrawSpells | Phase::Deal)
}

#[test]
fn positions_views_and_chance_of_all_variants() {
    let random = random_tables(60, "round trips").map(|setup| ("random".into(), setup));
    let mut phases = std::collections::BTreeSet::new();
    for (name, setup) in variants().into_iter().chain(random) {
        json(&setup);
        json(&setup.options);
        let mut rng = Rng::named(5, &name);
        for _ in 0..4 {
            walk(&setup, &mut rng, 150, |state| {
                for (chance, _) in state.chance_outcomes() {
                    assert_eq!(chance.to_string().parse::<Chance>(), Ok(chance));
                }
                if !readable(state.phase()) {
                    return;
                }
                let text = state.to_string();
                let back = text
                    .parse::<State>()
                    .unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
                assert!(back == *state, "{name}\n{text}\n{back}");
                assert_eq!(back.to_string(), text);
                assert_eq!(format!("{state:?}"), text);
                let board = state.diagram();
                assert_eq!(board.to_string().parse(), Ok(board));
                phases.insert(state.phase().name());
                if let Some((chance, _)) = state.chance_outcomes().last() {
                    json(chance);
                }
            });
        }
    }
    for phase in Phase::DECISIONS.into_iter().chain([
        Phase::Refill,
        Phase::Rolling,
        Phase::Redraw,
        Phase::Over,
    ]) {
        assert!(
            phases.contains(phase.name()),
            "no position in phase {}",
            phase.name()
        );
    }
}

#[test]
fn views_and_events_of_all_variants_as_json() {
    let random = random_tables(30, "json").map(|setup| ("random".into(), setup));
    for (name, setup) in variants().into_iter().chain(random) {
        let mut rng = Rng::named(6, &name);
        let mut state = State::new(&setup).expect("a variant can be played");
        for _ in 0..60 {
            let events = step(&mut state, &mut rng, true).unwrap_or_default();
            events.iter().for_each(json);
            for viewer in [Viewer::Spectator, Viewer::Seat(Seat(0))] {
                json(&state.view(viewer));
                json(&viewer);
            }
            if let Some(outcome) = state.outcome() {
                json(&outcome);
                break;
            }
        }
    }
}

#[test]
fn traces_of_all_variants_as_json() {
    for (name, setup) in variants() {
        let mut rng = Rng::named(7, &name);
        let mut policy = Rng::named(8, &name);
        let mut dealer = |state: &State| state.sample_chance(|n| rng.below(n));
        let (mut tracer, header, opening) =
            Tracer::begin(&setup, "7", &mut dealer).expect("it begins");
        json(&header);
        json(&opening);
        assert_eq!(TraceHeader::setup(&header), setup, "{name}");
        for _ in 0..40 {
            let Some((seat, action)) = choose(tracer.state(), &mut policy, true) else {
                break;
            };
            let step = tracer
                .act(seat, action, &mut dealer)
                .expect("it was listed");
            json(&step);
            assert!(step.legal.is_sorted() && step.partner_legal.is_sorted());
            assert_eq!(
                tracer.state().actor() == Actor::Nobody,
                tracer.ending().is_some()
            );
        }
        if let Some(ending) = tracer.ending() {
            json(&ending);
        }
    }
}
