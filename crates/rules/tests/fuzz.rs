//! A short, fixed run of the fuzz targets (`cargo fuzz run notation` and
//! `cargo fuzz run actions` in the folder `fuzz`).

mod common;
mod fuzz_bodies;

use common::policy::walk;
use common::variants::variants;
use common::{Rng, universe};
use fuzz_bodies::{actions, notation};

/// Texts to begin with: actions, boards and positions of all kinds.
fn seeds() -> Vec<String> {
    let mut texts: Vec<String> = universe::universe()
        .into_iter()
        .step_by(37)
        .map(|a| a.to_string())
        .collect();
    texts.extend(["roll 3", "draw b w3", "shuffle", "spells AW,FW", "start r"].map(String::from));
    for (name, setup) in variants() {
        let mut rng = Rng::named(40, &name);
        let mut state_number = 0;
        walk(&setup, &mut rng, 60, |state| {
            state_number += 1;
            if state_number % 29 == 0 {
                texts.push(state.to_string());
                texts.push(state.diagram().to_string());
            }
        });
    }
    texts
}

/// A text with a few changes.
fn changed(text: &str, rng: &mut Rng, others: &[String]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(chars.len() as u32 + 1) as usize;
        match rng.below(6) {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 if at < chars.len() => {
                let other = rng.below(chars.len() as u32) as usize;
                chars.swap(at, other);
            }
            2 if at < chars.len() => {
                let end = (at + rng.below(12) as usize).min(chars.len());
                let part: Vec<char> = chars[at..end].to_vec();
                chars.splice(at..at, part);
            }
            3 => {
                let other: Vec<char> = rng.pick(others).chars().collect();
                let begin = rng.below(other.len() as u32 + 1) as usize;
                let end = (begin + rng.below(20) as usize).min(other.len());
                chars.splice(at..at, other[begin..end].iter().copied());
            }
            _ => {
                let letters: Vec<char> = "byrgopABCDEFGHI*/-:,;=!+? 0123456789wtö\n"
                    .chars()
                    .collect();
                chars.insert(at, *rng.pick(&letters));
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn parsing_never_panics() {
    let seeds = seeds();
    let mut rng = Rng(41);
    for text in &seeds {
        notation::read(text);
    }
    for _ in 0..20_000 {
        let text = rng.pick(&seeds).clone();
        notation::read(&changed(&text, &mut rng, &seeds));
    }
}

#[test]
fn invariants_hold_for_any_actions() {
    let all = actions::all_actions();
    let mut rng = Rng(42);
    for _ in 0..1500 {
        let length = 60 + rng.below(900) as usize;
        let bytes: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        actions::play(&bytes, &all);
    }
}
