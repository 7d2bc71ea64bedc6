//! `towers arena`: bots against each other, with error bars.

use std::path::PathBuf;
use std::time::Instant;

use towers_bots::Budget;
use towers_rules::{EndReason, Setup};

use crate::arena_plot;
use crate::arena_report::{ArenaReport, Pairing, ThinkingTimes};
use crate::contest::{ContestDeal, DecisionTimes, Entrant, play, read_budget};
use crate::failure::Failure;
use crate::pool;
use crate::statistics::Tally;
use crate::table_args::TableArgs;

/// Lets bots play against each other. Every deal is played once from every seat, so that luck cancels out.
///
/// With two players every bot meets every other. With more, each bot plays alone against copies of each other one; with
/// as many bots as players, all play at one table. In teams, both partners are the same bot.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The bots: novice, apprentice, adept, master; each with its own budget: master@200ms, master@500
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "novice,apprentice,adept,master"
    )]
    bots: Vec<String>,
    /// Games per pairing, rounded up to whole deals
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// The seed of all deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Computing time per decision of searching bots, for instance 100ms or 1s, in processor time of one core
    #[arg(long, conflicts_with = "iterations")]
    time: Option<String>,
    /// Playouts per decision of searching bots, for reproducible results
    #[arg(long)]
    iterations: Option<u32>,
    /// Play only this part of the deals, for instance 1/4
    #[arg(long)]
    shard: Option<String>,
    /// Merge the JSON of shards instead of playing
    #[arg(long, num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Number of threads [default: one per core]
    #[arg(long)]
    threads: Option<usize>,
    /// Write a plot of the ratings (SVG) to this file
    #[arg(long)]
    plot: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Playouts per decision by default.
const DEFAULT_PLAYOUTS: u32 = 500;
/// Rounds after which a game is ended (R11.7).
const MAX_ROUNDS: u16 = 200;
/// The points for a win, divisible by every number of winners.
pub const WIN: i64 = 60;

pub fn run(args: &Args) -> Result<(), Failure> {
    let report = if args.merge.is_empty() {
        contest(args)?
    } else {
        merge(&args.merge)?
    };
    if let Some(path) = &args.plot {
        let title = format!(
            "Elo with 95 % intervals, {} games per pairing",
            report.games
        );
        let svg = arena_plot::svg(&title, &report.ratings());
        std::fs::write(path, svg)
            .map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
    }
    if args.json {
        let json = serde_json::to_string(&report.complete()).map_err(Failure::input)?;
        println!("{json}");
    } else {
        print!("{report}");
    }
    Ok(())
}

fn contest(args: &Args) -> Result<ArenaReport, Failure> {
    let mut setup = args.table.setup()?;
    setup.options.max_rounds = setup.options.max_rounds.or(Some(MAX_ROUNDS));
    if setup.options.mode != towers_rules::Mode::Versus {
        return Err(Failure::input(
            "the arena plays versus games only: see towers solo",
        ));
    }
    let usual = match (&args.time, args.iterations) {
        (Some(time), _) => read_budget(time)?,
        (None, iterations) => Budget::Iterations(iterations.unwrap_or(DEFAULT_PLAYOUTS)),
    };
    let entrants = args
        .bots
        .iter()
        .map(|text| Entrant::read(text, usual))
        .collect::<Result<Vec<_>, _>>()?;
    let (part, parts) = read_shard(args.shard.as_deref())?;
    let lineups = lineups(entrants.len(), &setup)?;
    let mut jobs = Vec::new();
    for (pairing, lineup) in lineups.iter().enumerate() {
        let deals = args.games.div_ceil(rotations(lineup).len() as u64);
        jobs.extend(
            (0..deals)
                .filter(|d| d % parts == part)
                .map(|d| (pairing, d)),
        );
    }
    let begun = Instant::now();
    let results = pool::run(&jobs, args.threads, |&(pairing, deal)| {
        play_deal(&setup, &entrants, &lineups[pairing], args.seed, deal)
    })?;
    let mut report = ArenaReport::new(args, &setup, &entrants, &lineups);
    report.seconds = begun.elapsed().as_secs_f64();
    for ((pairing, _), result) in jobs.iter().zip(results) {
        report.add(*pairing, &result);
    }
    Ok(report)
}

/// The results of one deal played from every seat.
pub struct DealResult {
    pub games: u64,
    pub capped: u64,
    /// Per entrant: wins in parts of [`WIN`].
    pub wins: Vec<i64>,
    pub times: Vec<DecisionTimes>,
}

fn play_deal(
    setup: &Setup,
    entrants: &[Entrant],
    lineup: &[usize],
    seed: u64,
    deal: u64,
) -> Result<DealResult, Failure> {
    let mut result = DealResult {
        games: 0,
        capped: 0,
        wins: vec![0; entrants.len()],
        times: vec![DecisionTimes::default(); entrants.len()],
    };
    for (r, seats) in rotations(lineup).iter().enumerate() {
        let players: Vec<&Entrant> = seats.iter().map(|&i| &entrants[i]).collect();
        let bots = seed.wrapping_mul(1_000_003) ^ deal.wrapping_mul(8) ^ r as u64;
        let played = play(setup, &players, ContestDeal::new(seed, deal), bots)?;
        let winners = played.outcome.winners;
        for (seat, &who) in seats.iter().enumerate() {
            if winners.contains(towers_rules::Seat(seat as u8)) {
                result.wins[who] += WIN / i64::from(winners.len());
            }
            result.times[who].add(played.times[seat]);
        }
        result.games += 1;
        result.capped += u64::from(played.outcome.why == EndReason::Rounds);
    }
    Ok(result)
}

/// The bots of each lineup by seat, before rotation.
fn lineups(bots: usize, setup: &Setup) -> Result<Vec<Vec<usize>>, Failure> {
    let players = setup.seats.len();
    let sides = if setup.options.teams {
        players / 2
    } else {
        players
    };
    if bots < 2 {
        return Err(Failure::input("the arena needs at least two bots"));
    }
    let mut lineups = Vec::new();
    if bots == sides && sides > 2 {
        lineups.push((0..sides).collect());
    } else {
        for a in 0..bots {
            for b in (0..bots).filter(|&b| b != a) {
                // With two sides, the reverse lineup is a rotation.
                if sides > 2 || a < b {
                    let mut lineup = vec![b; sides];
                    lineup[0] = a;
                    lineups.push(lineup);
                }
            }
        }
    }
    for lineup in &mut lineups {
        // R12.1: partners sit opposite.
        *lineup = lineup.iter().copied().cycle().take(players).collect();
    }
    Ok(lineups)
}

/// Every different rotation of a lineup around the table.
pub fn rotations(lineup: &[usize]) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    for r in 0..lineup.len() {
        let mut seats = lineup.to_vec();
        seats.rotate_right(r);
        if !all.contains(&seats) {
            all.push(seats);
        }
    }
    all
}

/// Parses a shard: `2/4` is the second of four, as part 1 of 4 counted from 0.
fn read_shard(text: Option<&str>) -> Result<(u64, u64), Failure> {
    let Some(text) = text else { return Ok((0, 1)) };
    text.split_once('/')
        .and_then(|(i, n)| Some((i.parse::<u64>().ok()?, n.parse::<u64>().ok()?)))
        .filter(|&(i, n)| 1 <= i && i <= n)
        .map(|(i, n)| (i - 1, n))
        .ok_or_else(|| Failure::input(format!("'{text}' is not a shard such as 1/4")))
}

fn merge(files: &[PathBuf]) -> Result<ArenaReport, Failure> {
    let mut reports = files.iter().map(|path| {
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| Failure::file(name, &e))?;
        serde_json::from_str::<ArenaReport>(&text)
            .map_err(|e| Failure::input(format!("{}: {e}", path.display())))
    });
    let mut all = reports
        .next()
        .ok_or_else(|| Failure::input("no files to merge"))??;
    for report in reports {
        all.merge(&report?)?;
    }
    Ok(all)
}

impl ArenaReport {
    fn new(
        args: &Args,
        setup: &Setup,
        entrants: &[Entrant],
        lineups: &[Vec<usize>],
    ) -> ArenaReport {
        ArenaReport {
            setup: setup.clone(),
            seed: args.seed,
            games: args.games,
            bots: entrants.iter().map(|e| e.name.clone()).collect(),
            shards: vec![args.shard.clone().unwrap_or_else(|| "1/1".into())],
            pairings: lineups
                .iter()
                .map(|seats| Pairing {
                    seats: seats.clone(),
                    games: 0,
                    capped: 0,
                    wins: vec![Tally::default(); entrants.len()],
                })
                .collect(),
            thoughts: vec![ThinkingTimes::default(); entrants.len()],
            seconds: 0.0,
            summary: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::{Mode, Preset};

    #[test]
    fn partners_are_the_same_bot() {
        let mut setup = Setup::new(Preset::Capstone, Mode::Versus, 4);
        setup.options.teams = true;
        let lineups = lineups(2, &setup).expect("two bots");
        assert_eq!(lineups, [[0, 1, 0, 1]]);
        assert_eq!(rotations(&lineups[0]).len(), 2);
    }

    #[test]
    fn one_sits_alone_among_the_others() {
        let setup = Setup::new(Preset::Capstone, Mode::Versus, 4);
        let lineups = lineups(2, &setup).expect("two bots");
        assert_eq!(lineups, [[0, 1, 1, 1], [1, 0, 0, 0]]);
        assert_eq!(rotations(&lineups[0]).len(), 4);
    }

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(read_shard(Some("2/4")).ok(), Some((1, 4)));
        assert!(read_shard(Some("0/4")).is_err());
        assert!(read_shard(Some("5/4")).is_err());
    }
}
