//! Plays random games of any edition and prints who won.
//!
//!     cargo run --example random_play -- [GAMES] [PLAYERS] [PRESET]

use std::error::Error;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use towers_rules::{Actor, Colour, Mode, Outcome, Preset, Setup, State};

/// One random game from the deal to its end.
fn play(setup: &Setup, rng: &mut SmallRng) -> Result<(State, Outcome), Box<dyn Error>> {
    let mut state = State::new(setup)?;
    loop {
        match state.actor() {
            Actor::Chance => state.settle_with(rng),
            Actor::Player(seat) => {
                let action = state.legal_actions().choose(rng).ok_or("no legal action")?;
                state.apply(seat, action)?;
            }
            Actor::Nobody => {
                let outcome = state.outcome().ok_or("the game has no outcome")?;
                return Ok((state, outcome));
            }
        }
    }
}

/// How often every colour won.
fn wins(games: u64, setup: &Setup) -> Result<Vec<(Colour, u32)>, Box<dyn Error>> {
    let mut wins: Vec<_> = setup.seats.iter().map(|&colour| (colour, 0)).collect();
    for seed in 0..games {
        let (_, outcome) = play(setup, &mut SmallRng::seed_from_u64(seed))?;
        for seat in outcome.winners.iter() {
            wins[seat.index()].1 += 1;
        }
    }
    Ok(wins)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let games = args.next().map_or(Ok(1000), |n| n.parse())?;
    let players = args.next().map_or(Ok(3), |n| n.parse())?;
    let preset = args.next().unwrap_or("capstone".into());
    let preset = Preset::from_name(&preset).ok_or("there is no such preset")?;
    let setup = Setup::new(preset, Mode::Versus, players);
    for (colour, wins) in wins(games, &setup)? {
        println!("{colour} won {wins} of {games} games");
    }
    Ok(())
}

#[test]
fn every_random_game_has_a_winner() {
    let setup = Setup::new(Preset::Capstone, Mode::Versus, 3);
    let wins = wins(20, &setup).expect("games of a printed edition");
    let total: u32 = wins.iter().map(|(_, wins)| wins).sum();
    assert!((20..=60).contains(&total), "{wins:?}");
}
