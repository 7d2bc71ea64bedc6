//! Golden playthroughs: whole games as text, one per variant, from fixed seeds. A change of the rules shows as a
//! difference of these files, which a person reviews.
//!
//! `UPDATE_GOLDEN=1 cargo test -p towers-rules --test golden` regenerates them.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use common::variants::variants;
use common::words::words;
use common::{Rng, flasks_text};
use serde_json::Value;
use towers_rules::{Action, Actions, Actor, Chance, Event, Preset, Seat, Setup, State};

/// How many decisions are shown in full at the beginning and at the end of a game.
const FIRST: usize = 30;
const LAST: usize = 12;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// An outcome of chance. It does not depend on the order in which the engine lists them.
fn roll(state: &State, rng: &mut Rng) -> Option<Chance> {
    let mut outcomes = state.chance_outcomes();
    outcomes.sort_by_key(|(chance, _)| chance.to_string());
    let sum = outcomes.iter().map(|(_, weight)| weight).sum();
    let mut n = rng.below(sum);
    outcomes
        .into_iter()
        .find(|(_, weight)| {
            let found = n < *weight;
            n = n.wrapping_sub(*weight);
            found
        })
        .map(|(chance, _)| chance)
}

/// Somebody's action, eager for entries, imprisoning and spells, though flasks are saved often enough to repeat
/// a spell. It does not depend on the order in which the engine lists them.
fn choose(state: &State, rng: &mut Rng) -> Option<(Seat, Action)> {
    let Actor::Player(actor) = state.actor() else {
        return None;
    };
    let mut list = Actions::new();
    let partner = state
        .partner_actions_into(&mut list)
        .filter(|_| rng.one_in(7));
    let seat = partner.unwrap_or(actor);
    if partner.is_none() {
        state.legal_actions_into(&mut list);
    }
    let mut actions: Vec<_> = list.iter().collect();
    actions.sort_by_key(ToString::to_string);
    if !rng.one_in(4) {
        let saves = !state.phase().is_series() && !rng.one_in(3);
        let like = |&action: &Action| {
            let mut events = Vec::new();
            let mut after = *state;
            after.apply_unchecked(seat, action, &mut events);
            let spends =
                |event: &Event| matches!(event, Event::SpellCast { .. } | Event::Claimed { .. });
            if saves && events.iter().any(spends) {
                return 0;
            }
            let like = |event: &Event| match event {
                Event::Passed { .. } if saves => 1,
                Event::WizardMoved { onto: None, .. } => 4,
                Event::Imprisoned { .. } | Event::PiggybackCast { .. } => 3,
                Event::SpellCast { .. } | Event::Claimed { .. } => 2,
                Event::Passed { .. } | Event::Refreshed { .. } => 0,
                _ => 1,
            };
            events.iter().map(like).max().unwrap_or(1)
        };
        let best = actions.iter().map(like).max();
        actions.retain(|action| Some(like(action)) == best);
    }
    Some((seat, *rng.pick(&actions)))
}

/// The fields of an object by name. Their own order depends on a feature of `serde_json` that other packages turn on.
fn sorted(object: &Value) -> BTreeMap<&String, &Value> {
    object.as_object().expect("an object").iter().collect()
}

/// The head of a file.
fn header(name: &str, setup: &Setup) -> String {
    let options = serde_json::to_value(setup.options).expect("options travel");
    let mut out = format!("{name}\npreset {}\n", setup.preset.name());
    for (key, value) in sorted(&options) {
        let value = match value {
            Value::Object(_) => serde_json::to_string(&sorted(value)),
            value => serde_json::to_string(value),
        };
        let _ = writeln!(out, "{key} {}", value.expect("options travel"));
    }
    out
}

/// Outcomes of chance and events, one per line.
fn events_text(state: &State, events: &[Event]) -> String {
    events.iter().fold(String::new(), |mut out, &event| {
        let _ = writeln!(out, "    {}", words(state, event));
        out
    })
}

/// A position in three lines.
fn position(state: &State) -> String {
    let hands: Vec<_> = (0..if state.shares_hand() {
        1
    } else {
        state.players()
    })
        .map(Seat)
        .map(|s| {
            let cards: Vec<_> = state.hand(s).iter().map(towers_rules::Card::text).collect();
            format!("{} {}", state.hand_colour(s), cards.join(" "))
        })
        .collect();
    format!(
        "  {}\n  hands {}, draw {}, flasks {}\n",
        state.diagram(),
        hands.join(", "),
        state.draw_len(),
        flasks_text(state)
    )
}

/// The whole game.
fn playthrough(name: &str, setup: &Setup) -> String {
    let mut rng = Rng::named(2022, name);
    let mut state = State::new(setup).expect("a variant can be played");
    let mut events = Vec::new();
    let deal = |state: &mut State, rng: &mut Rng, events: &mut Vec<Event>| {
        while let Some(chance) = roll(state, rng) {
            state
                .apply_chance_observed(chance, events)
                .expect("an outcome that was listed");
        }
    };
    deal(&mut state, &mut rng, &mut events);
    let mut out = format!(
        "{}\nThe deal\n{}{}",
        header(name, setup),
        events_text(&state, &events),
        position(&state)
    );
    let mut decisions = Vec::new();
    while let Some((seat, action)) = choose(&state, &mut rng) {
        let before = state;
        let list = state.legal_actions();
        events.clear();
        state
            .apply_observed(seat, action, &mut events)
            .expect("an action that was listed");
        deal(&mut state, &mut rng, &mut events);
        decisions.push(format!(
            "\n{}. round {}, {}, {} legal: {} does {action}\n{}{}",
            decisions.len() + 1,
            before.round(),
            before.phase().name(),
            list.len(),
            before.colour(seat),
            events_text(&state, &events),
            position(&state)
        ));
        assert!(decisions.len() < 5000, "{name} does not end");
    }
    let hidden = FIRST..decisions.len().saturating_sub(LAST).max(FIRST);
    for (i, decision) in decisions.iter().enumerate() {
        if !hidden.contains(&i) {
            out.push_str(decision);
        } else if i == hidden.start {
            let text = decisions[hidden.clone()].concat();
            let print = Rng::named(0, &text).0;
            let _ = writeln!(
                out,
                "\n… {} decisions with the fingerprint {print:016x} …",
                hidden.len()
            );
        }
    }
    out
}

fn is_update() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

#[test]
fn golden_playthroughs_are_as_they_were() {
    let update = is_update();
    if update {
        let files = std::fs::read_dir(folder()).expect("the folder of playthroughs");
        for file in files {
            std::fs::remove_file(file.expect("a file").path()).expect("it can be removed");
        }
    }
    for (name, setup) in variants() {
        let path = folder().join(format!("{name}.txt"));
        let text = playthrough(&name, &setup);
        assert!(text.len() < 60_000, "{name} has {} bytes", text.len());
        if update {
            std::fs::write(&path, text).expect("a folder that can be written");
            continue;
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        for (number, (new, old)) in text.lines().zip(golden.lines()).enumerate() {
            assert_eq!(
                new,
                old,
                "{name}.txt line {}; see the head of this test",
                number + 1
            );
        }
        assert_eq!(
            text, golden,
            "{name}.txt is longer or shorter; see the head of this test"
        );
    }
}

#[test]
fn every_variant_has_a_playthrough_and_every_playthrough_a_variant() {
    if is_update() {
        return; // They are being written at this moment.
    }
    let mut names: Vec<_> = variants()
        .into_iter()
        .map(|(name, _)| format!("{name}.txt"))
        .collect();
    let entries = std::fs::read_dir(folder()).expect("the folder of playthroughs");
    let mut files: Vec<_> = entries
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort_unstable();
    files.sort_unstable();
    assert_eq!(names, files);
    for preset in Preset::ALL {
        let mut kinds = vec!["versus", "teams", "reactions", "teams-reactions"];
        if preset.has_solo() {
            kinds.extend(["solo", "solo-spells", "coop"]);
        }
        for kind in kinds {
            let file = format!("{kind}-{}.txt", preset.name());
            assert!(files.contains(&file), "no playthrough {file}");
        }
    }
    let modes = [
        "versus-2",
        "versus-6",
        "teams-6",
        "free-any-time",
        "private",
        "may-decline",
        "capped-costs",
        "random",
        "piggyback",
    ];
    for mode in modes {
        assert!(
            files.iter().any(|f| f.contains(mode)),
            "no playthrough of {mode}"
        );
    }
}
