//! A minimal bot: it sees a view, tries every legal action on a state that fits the view, and takes the one after which it
//! is furthest. It plays against random players.
//!
//!     cargo run --release --example minimal_bot -- [GAMES]

use std::error::Error;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use towers_rules::{
    Action, Actor, Knowledge, Mode, Preset, SampleError, Seat, Setup, State, View, Viewer,
};

/// How far a seat is: its wizards that are home, then its full flasks, then its wizards in sight.
fn progress(state: &State, seat: Seat) -> u32 {
    let owner = state.owner(seat);
    let in_sight: u32 = towers_rules::Space::all()
        .map(|space| u32::from(state.count(state.exposed(space), owner)))
        .sum();
    let flasks = state.flasks(seat);
    100 * u32::from(state.home(owner)) + 10 * u32::from(flasks.full + flasks.spent) + in_sight
}

/// The action after which the seat is furthest, judged by its view. Ties are broken at random.
fn choose(view: &View, seat: Seat, rng: &mut SmallRng) -> Result<Option<Action>, SampleError> {
    let state = view.sample(&Knowledge::default(), |n| rng.random_range(0..n))?;
    let actions = state.legal_actions();
    let rated = actions.iter().map(|action| {
        let mut after = state;
        after.apply_unchecked(seat, action, &mut ());
        (progress(&after, seat), rng.random::<u32>(), action)
    });
    let best = rated.max_by_key(|&(progress, tie, _)| (progress, tie));
    Ok(best.map(|(_, _, action)| action))
}

/// Whether the bot at seat 0 wins a game against a random player.
fn bot_wins(seed: u64) -> Result<bool, Box<dyn Error>> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut state = State::new(&Setup::new(Preset::Capstone, Mode::Versus, 2))?;
    loop {
        match state.actor() {
            Actor::Chance => state.settle_with(&mut rng),
            Actor::Player(seat) => {
                let action = if seat == Seat(0) {
                    choose(&state.view(Viewer::Seat(seat)), seat, &mut rng)?
                } else {
                    state.legal_actions().choose(&mut rng)
                };
                state.apply(seat, action.ok_or("no legal action")?)?;
            }
            Actor::Nobody => {
                let outcome = state.outcome().ok_or("the game has no outcome")?;
                return Ok(outcome.winners.contains(Seat(0)));
            }
        }
    }
}

fn win_rate(games: u32) -> Result<f64, Box<dyn Error>> {
    let mut wins = 0;
    for seed in 0..games {
        wins += u32::from(bot_wins(seed.into())?);
    }
    Ok(f64::from(wins) / f64::from(games))
}

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args().nth(1).map_or(Ok(200), |n| n.parse())?;
    let rate = win_rate(games)?;
    println!(
        "won {:.0} % of {games} games against random play",
        rate * 100.0
    );
    Ok(())
}

#[test]
fn it_beats_random_play() {
    let rate = win_rate(30).expect("games of a printed edition");
    assert!(rate > 0.9, "{rate}");
}
