//! §18 and §19: invariants and phases, checked independently of the engine's own check.

use crate::common::policy::choose;
use crate::common::universe::universe;
use crate::common::variants::variants;
use crate::common::*;
use towers_rules::{Actor, Card, Seat, State, Surface, Tower};

/// Plays two random games of every variant and checks each state.
fn in_all_games(name: &str, mut look: impl FnMut(&State, &State)) {
    for (variant, setup) in variants() {
        for eager in [false, true] {
            let mut rng = Rng::named(18, &format!("{name} {variant}"));
            let mut state = State::new(&setup).expect("a variant can be played");
            for _ in 0..200 {
                settle_randomly(&mut state, &mut rng, &mut Vec::new());
                let Some((seat, action)) = choose(&state, &mut rng, eager) else {
                    break;
                };
                let before = state;
                state.apply(seat, action).expect("it was listed");
                look(&before, &state);
            }
        }
    }
}

#[test]
fn r18_1_ninety_cards() {
    in_all_games("cards", |_, state| {
        for card in Card::all() {
            let hands = if state.shares_hand() {
                1
            } else {
                state.players()
            };
            let held = (0..hands)
                .flat_map(|s| state.hand(Seat(s)).iter())
                .filter(|&c| c == card)
                .count();
            let sum = held as u8 + state.draw_pile().count(card) + state.discard_pile().count(card);
            assert_eq!(sum, card.copies());
        }
        assert_eq!(state.draw_pile().len(), state.draw_len());
    });
}

#[test]
fn r18_2_every_wizard_is_somewhere_and_home_never_shrinks() {
    in_all_games("wizards", |before, state| {
        for owner in state.owners() {
            let out: u8 = Surface::all().map(|s| state.count(s, owner)).sum();
            assert_eq!(out + state.home(owner), state.wizards_each());
            assert!(state.home(owner) >= before.home(owner));
        }
        assert!(Surface::all().all(|s| state.wizards(s).total() <= 6));
    });
}

#[test]
fn r18_3_every_tower_stands_on_one_surface() {
    in_all_games("towers", |_, state| {
        let mut seen: Vec<Tower> = towers_rules::Space::all()
            .flat_map(|s| state.towers(s).collect::<Vec<_>>())
            .collect();
        assert_eq!(seen.len(), 9);
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 9);
        for tower in Tower::all() {
            assert_eq!(state.tower_on(state.below(tower)), Some(tower));
            assert_eq!(state.space_of(state.below(tower)), state.tower_space(tower));
        }
    });
}

#[test]
fn r18_4_the_castle_stands_free() {
    in_all_games("castle", |_, state| {
        let top = state.exposed(state.castle());
        assert!(state.wizards(top).is_empty() && state.tower_on(top).is_none());
    });
}

#[test]
fn r18_5_flasks_stay_the_same_number() {
    in_all_games("flasks", |before, state| {
        for owner in state.owners() {
            let side = |state: &State, number: fn(towers_rules::Flasks) -> u8| {
                let partner = state.partner(owner).map_or(0, |p| number(state.flasks(p)));
                number(state.flasks(owner)) + partner
            };
            let all = |state: &State| side(state, |f| f.empty + f.full + f.spent);
            assert_eq!(all(before), all(state));
            assert!(state.flasks(owner).empty <= before.flasks(owner).empty);
            assert!(state.flasks(owner).spent >= before.flasks(owner).spent);
        }
    });
}

#[test]
fn r18_6_somebody_can_always_act() {
    in_all_games("act", |_, state| match state.actor() {
        Actor::Player(_) => assert!(!legal(state).is_empty()),
        Actor::Chance => assert!(!state.chance_outcomes().is_empty()),
        Actor::Nobody => assert!(state.outcome().is_some()),
    });
}

/// §19: every phase has only the actions that its table lists.
#[test]
fn r19_every_phase_allows_the_actions_of_its_table() {
    let all = universe();
    let mut seen = std::collections::BTreeSet::new();
    let kind = |text: String| -> String {
        let head = text
            .split([' ', ':'])
            .next()
            .unwrap_or_default()
            .to_string();
        match head.as_str() {
            "" => "accept".into(),
            card if card.parse::<Card>().is_ok() => "card".into(),
            code if code != "PB" && code.parse::<towers_rules::Spell>().is_ok() => "cast".into(),
            other => other.into(),
        }
    };
    in_all_games("phases", |state, _| {
        let allowed: &[&str] = match state.phase().name() {
            "turn" => &["card", "refresh", "cast", "ask", "give", "offer"],
            "rolled" => &["accept", "reroll", "cast", "give"],
            "refreshed" => &["accept", "cast", "give"],
            "end" => &["cast", "end", "give"],
            "asked" => &["offer", "decline"],
            "offered" => &["accept", "decline"],
            "return" => &["return"],
            "window" => &["before", "after", "with", "pass"],
            "opening" | "closing" => &["cast", "pass"],
            "cast" | "before" | "after" => &["cast", "done"],
            "with" => &["PB", "done"],
            other => panic!("no decision in phase {other}"),
        };
        seen.insert(state.phase().name());
        for seat in state.seats() {
            for action in all.iter().filter(|&&a| state.is_legal(seat, a)) {
                let kind = kind(action.to_string());
                let casts = ["cast", "before", "after", "with", "PB"].contains(&&*kind);
                let needs_reactions = ["opening", "window", "closing", "cast", "with"];
                assert!(
                    state.options().reactions || !needs_reactions.contains(&state.phase().name())
                );
                assert!(!casts || !state.has_cast(), "R9.1: one spell a turn");
                assert!(
                    allowed.contains(&kind.as_str()),
                    "{action} in {}",
                    state.phase().name()
                );
                let out_of_turn = kind == "offer" || kind == "give";
                assert!(
                    Actor::Player(seat) == state.actor() || out_of_turn,
                    "{action}"
                );
            }
        }
    });
    for phase in towers_rules::Phase::DECISIONS {
        assert!(seen.contains(phase.name()), "no game came to {phase:?}");
    }
}
