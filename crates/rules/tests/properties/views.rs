//! Views contain what the viewer may know, and nothing else.

use crate::common::Rng;
use crate::common::policy::{random_tables, step, walk};
use crate::common::variants::variants;
use towers_rules::{Actions, Actor, Event, Knowledge, Memory, Phase, Seat, State, Surface, Viewer};

fn viewers(state: &State) -> impl Iterator<Item = Viewer> + use<> {
    state.seats().map(Viewer::Seat).chain([Viewer::Spectator])
}

fn texts(list: &Actions) -> Vec<String> {
    let mut texts: Vec<_> = list.iter().map(|a| a.to_string()).collect();
    texts.sort_unstable();
    texts
}

/// Two states that differ only in what the viewer may not know look the same to the viewer, and
/// offer the viewer the same actions.
#[test]
fn a_view_does_not_depend_on_hidden_information() {
    let random = random_tables(60, "views").map(|setup| ("random".into(), setup));
    for (name, setup) in variants().into_iter().chain(random) {
        let mut rng = Rng::named(12, &name);
        let mut guesses = Rng::named(13, &name);
        let mut different = 0;
        for _ in 0..2 {
            walk(&setup, &mut rng, 100, |state| {
                for viewer in viewers(state) {
                    let view = state.view(viewer);
                    let other = view
                        .sample(&Knowledge::default(), |n| guesses.below(n))
                        .unwrap_or_else(|e| panic!("{name}: {e} for {viewer:?} in {state:?}"));
                    assert_eq!(other.view(viewer), view, "{name}: {viewer:?} in {state:?}");
                    different += usize::from(other != *state);
                    let mut list = Actions::new();
                    if let Actor::Player(actor) = state.actor()
                        && viewer == Viewer::Seat(actor)
                    {
                        state.legal_actions_into(&mut list);
                        let real = texts(&list);
                        other.legal_actions_into(&mut list);
                        assert_eq!(texts(&list), real, "{name}");
                        let seen = view.legal_actions().expect("a view that is real");
                        assert_eq!(texts(&seen), real, "{name}");
                        assert_eq!(view.to_act(), Some(actor));
                    }
                    // Neither do the partner's actions out of turn.
                    if let Some(partner) = state.partner_actions_into(&mut list)
                        && viewer == Viewer::Seat(partner)
                    {
                        let real = texts(&list);
                        assert_eq!(other.partner_actions_into(&mut list), Some(partner));
                        assert_eq!(texts(&list), real, "{name}");
                    }
                    assert_eq!(view.outcome, state.outcome());
                    assert_eq!(view.discard_pile(), state.discard_pile());
                }
            });
        }
        let hides = setup.options.memory == Memory::Strict && setup.options.max_rounds.is_none();
        assert!(different > 0 || !hides || name == "random", "{name}");
    }
}

/// The offered card never changes the views of those who may not know it.
#[test]
fn an_offered_card_shows_in_the_partners_view_alone() {
    let mut offers = 0;
    for setup in random_tables(400, "offers").filter(|setup| setup.options.teams) {
        let mut rng = Rng::named(22, "offers");
        walk(&setup, &mut rng, 60, |state| {
            let (Phase::Offered, Some(partner)) = (state.phase(), state.partner(state.active()))
            else {
                assert!(viewers(state).all(|v| state.view(v).turn.offered.is_none()));
                return;
            };
            for viewer in viewers(state) {
                let offered = state.view(viewer).turn.offered;
                let knows = viewer == Viewer::Seat(partner);
                assert_eq!(offered, state.turn().offered.filter(|_| knows));
            }
            offers += 1;
        });
    }
    assert!(offers > 20, "only {offers} offers");
}

/// A sample with complete knowledge is the real state.
#[test]
fn with_full_knowledge_the_sample_is_the_real_state() {
    let random = random_tables(30, "knowledge").map(|setup| ("random".into(), setup));
    for (name, setup) in variants().into_iter().chain(random) {
        let mut rng = Rng::named(14, &name);
        walk(&setup, &mut rng, 120, |state| {
            if state.phase().is_chance() && state.hand(Seat(0)).is_empty() {
                return;
            }
            let mut known = Knowledge::default();
            for surface in Surface::all() {
                known.imprisoned[surface.index()] = Some(state.wizards(surface));
            }
            for seat in state.seats() {
                known.hands[seat.index()] = state.hand(seat).iter().collect();
            }
            // Only the partner knows which card is offered.
            let viewer = match (state.phase(), state.partner(state.active())) {
                (Phase::Offered, Some(partner)) => Viewer::Seat(partner),
                _ => Viewer::Seat(state.active()),
            };
            let found = state
                .view(viewer)
                .sample(&known, |_| 0)
                .expect("a view that is real");
            assert!(found == *state, "{name}\n{found:?}\n{state:?}");
        });
    }
}

/// A redacted event contains no card that the viewer may not know.
#[test]
fn events_carry_no_hidden_card() {
    let random = random_tables(60, "events").map(|setup| ("random".into(), setup));
    for (name, setup) in variants().into_iter().chain(random) {
        let mut rng = Rng::named(15, &name);
        let mut state = State::new(&setup).expect("a variant can be played");
        for _ in 0..250 {
            let Some(events) = step(&mut state, &mut rng, false) else {
                break;
            };
            for event in events {
                let holders: Vec<Seat> = match event {
                    Event::Drew { seat, .. } => vec![seat],
                    Event::Offered { seat, .. } => vec![seat],
                    Event::HandedOver { from, to, .. } => vec![from, to],
                    _ => state.seats().collect(),
                };
                for viewer in viewers(&state) {
                    let seen = state.event_seen_by(event, viewer);
                    let knows = match viewer {
                        Viewer::Seat(seat) => holders.contains(&seat),
                        Viewer::Spectator => {
                            holders.len() == usize::from(state.players()) && holders.len() > 2
                        }
                    };
                    let open = state.shares_hand()
                        || matches!(event, Event::Played { .. } | Event::Discarded { .. });
                    let json = serde_json::to_value(seen).expect("an event travels");
                    let card = json.get("card").is_some_and(|c| !c.is_null());
                    let hidden_kind = matches!(
                        event,
                        Event::Drew { .. } | Event::Offered { .. } | Event::HandedOver { .. }
                    );
                    if hidden_kind {
                        assert_eq!(card, open || knows, "{name}: {event:?} for {viewer:?}");
                    } else {
                        assert_eq!(seen, event, "{name}");
                        assert!(!card || open, "{name}: {event:?} has a card");
                    }
                }
            }
        }
    }
}

/// R16.2: a viewer's diagram has the towers of the state and the wizards in sight; with a memory aid all of them.
#[test]
fn a_diagram_of_a_view_leaves_out_hidden_wizards() {
    let mut hidden = 0u32;
    let random = random_tables(60, "diagrams").map(|setup| ("random".into(), setup));
    for (name, setup) in variants().into_iter().chain(random) {
        let mut rng = Rng::named(14, &name);
        walk(&setup, &mut rng, 100, |state| {
            let mut expected = state.diagram();
            if state.options().memory == Memory::Strict {
                for stack in &mut expected.stacks {
                    let surfaces = std::iter::once(&mut stack.ground)
                        .chain(stack.towers.iter_mut().map(|(_, wizards)| wizards));
                    for wizards in surfaces.rev().skip(1) {
                        hidden += u32::from(wizards.total());
                        *wizards = towers_rules::Wizards::NONE;
                    }
                }
            }
            let seen = state.view(Viewer::Spectator).diagram();
            assert_eq!(seen, expected, "{name}: {state:?}");
        });
    }
    assert!(hidden > 0, "no wizard was ever imprisoned");
}
