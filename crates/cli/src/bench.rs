//! `towers bench`: the speed of the engine.

use std::time::{Duration, Instant};

use towers_rules::{Actions, Actor, State};

use crate::failure::Failure;
use crate::table_args::TableArgs;

/// Plays random games through the public interface on one core: list the legal actions, choose one uniformly, apply it,
/// sample chance.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Duration in seconds
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    if !args.seconds.is_finite() || args.seconds <= 0.0 || args.seconds > 3600.0 {
        return Err(Failure::input(
            "--seconds must be more than 0 and at most 3600",
        ));
    }
    let setup = args.table.setup()?;
    let start = State::new(&setup).map_err(Failure::input)?;
    let time = Duration::from_secs_f64(args.seconds);
    let begun = Instant::now();
    let (mut actions, mut games, mut listed, mut seed) = (0u64, 0u64, 0u64, args.seed);
    let mut list = Actions::new();
    while begun.elapsed() < time {
        let (a, l) = play(start, &mut list, seed);
        actions += a;
        listed += l;
        games += 1;
        seed += 1;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let per_second = actions as f64 / seconds;
    let games_per_second = games as f64 / seconds;
    let (choices, length) = (
        listed as f64 / actions as f64,
        actions as f64 / games as f64,
    );
    let bytes = size_of::<State>();
    if args.json {
        println!(
            "{}",
            serde_json::json!({
                "actions_per_sec": per_second,
                "games_per_sec": games_per_second,
                "actions_per_game": length,
                "legal_actions_mean": choices,
                "state_bytes": bytes,
                "seconds": seconds,
            })
        );
    } else {
        println!(
            "{:.2} million actions per second on one core",
            per_second / 1e6
        );
        println!(
            "{games_per_second:.0} games per second, {length:.0} actions each, {choices:.1} legal actions on average"
        );
        println!("a state has {bytes} bytes");
    }
    Ok(())
}

/// Plays one game; returns the numbers of actions played and listed.
fn play(mut state: State, list: &mut Actions, seed: u64) -> (u64, u64) {
    let mut dice = FastRng(seed);
    let (mut actions, mut listed) = (0, 0);
    loop {
        match state.actor() {
            Actor::Player(seat) => {
                state.legal_actions_into(list);
                let Some(action) = list.get(dice.below(list.len() as u32) as usize) else {
                    break;
                };
                state.apply_unchecked(seat, action, &mut ());
                actions += 1;
                listed += list.len() as u64;
            }
            Actor::Chance => state.settle(|n| dice.below(n), &mut ()),
            Actor::Nobody => break,
        }
    }
    (actions, listed)
}

/// A very cheap generator (`SplitMix64`).
struct FastRng(u64);

impl FastRng {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (((z ^ (z >> 31)) >> 32) * u64::from(n) >> 32) as u32
    }
}
