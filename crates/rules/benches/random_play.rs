//! Random play through the public interface, beside random chess in the same run.
//!
//! The two alternate and only their ratio counts, so that noise of the machine cancels out:
//!
//!     cargo bench -p towers-rules --bench random_play [-- SECONDS]

#![allow(missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use shakmaty::{Chess, Position};
use towers_rules::{Actions, Actor, Mode, Preset, Setup, SpellSet, Spells, State};

/// A generator that costs next to nothing (`SplitMix64`), the same for both.
struct SplitMix(u64);

impl SplitMix {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 32) * u64::from(n) >> 32) as u32
    }
}

/// One random game: list the legal actions, choose, apply, sample chance.
fn towers(start: &State, list: &mut Actions, dice: &mut SplitMix) -> u64 {
    let mut state = *start;
    let mut actions = 0;
    loop {
        match state.actor() {
            Actor::Player(seat) => {
                state.legal_actions_into(list);
                let Some(action) = list.get(dice.below(list.len() as u32) as usize) else {
                    return actions;
                };
                state.apply_unchecked(seat, action, &mut ());
                actions += 1;
            }
            Actor::Chance => state.settle(|n| dice.below(n), &mut ()),
            Actor::Nobody => return actions,
        }
    }
}

/// One random game of chess: list the legal moves, choose, play in place.
fn chess(dice: &mut SplitMix) -> u64 {
    let mut position = Chess::default();
    let mut moves = 0;
    loop {
        let legal = position.legal_moves();
        if legal.is_empty() || position.is_insufficient_material() || position.halfmoves() >= 150 {
            return moves;
        }
        let chosen = legal[dice.below(legal.len() as u32) as usize];
        position.play_unchecked(chosen);
        moves += 1;
    }
}

/// Actions per second over a time.
fn rate(time: Duration, mut game: impl FnMut() -> u64) -> f64 {
    let begun = Instant::now();
    let mut actions = 0;
    while begun.elapsed() < time {
        actions += black_box(game());
    }
    actions as f64 / begun.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The number of alternations.
const ROUNDS: usize = 7;

fn main() {
    // `cargo bench` passes --bench; otherwise a short run is enough.
    let usual = if std::env::args().any(|arg| arg == "--bench") {
        12.0
    } else {
        0.2
    };
    let seconds: f64 = std::env::args()
        .find_map(|arg| arg.parse().ok())
        .unwrap_or(usual);
    let setup = |players, spells, change: fn(&mut Setup)| {
        let mut setup = Setup::new(Preset::Capstone, Mode::Versus, players);
        setup.spells = Spells::Chosen(spells);
        change(&mut setup);
        State::new(&setup).expect("the setup is legal")
    };
    let tables = [
        (
            "2 players, beginner spells",
            setup(2, SpellSet::BEGINNER, |_| {}),
        ),
        (
            "4 players, beginner spells",
            setup(4, SpellSet::BEGINNER, |_| {}),
        ),
        ("4 players, all spells", setup(4, SpellSet::ALL, |_| {})),
        (
            "4 players, teams, all spells",
            setup(4, SpellSet::ALL, |s| s.options.teams = true),
        ),
        (
            "3 players, reactions, all spells",
            setup(3, SpellSet::ALL, |s| s.options.reactions = true),
        ),
    ];
    let slice = Duration::from_secs_f64(seconds / (ROUNDS * (tables.len() + 1)) as f64);
    let mut list = Actions::new();
    let mut dice = SplitMix(1);
    let mut own = vec![Vec::new(); tables.len()];
    let mut other = Vec::new();
    for _ in 0..ROUNDS {
        for (table, rates) in tables.iter().zip(&mut own) {
            rates.push(rate(slice, || towers(&table.1, &mut list, &mut dice)));
        }
        other.push(rate(slice, || chess(&mut dice)));
    }
    let chess = median(other);
    println!(
        "{:<36}{:>8.2} M moves/s",
        "shakmaty, random chess",
        chess / 1e6
    );
    for ((name, _), rates) in tables.iter().zip(own) {
        let rate = median(rates);
        println!(
            "{name:<36}{:>8.2} M actions/s  {:>5.2} x chess",
            rate / 1e6,
            rate / chess
        );
    }
    println!(
        "a state has {} bytes, a list of actions {}",
        size_of::<State>(),
        size_of::<Actions>()
    );
}
