//! `towers solo`: cards used by a bot, compared with the printed ratings and the best possible.

use serde::Serialize;
use towers_bots::{Budget, clairvoyant};
use towers_rules::{Mode, Rating, Setup, SpellSet, Spells, State};

use crate::contest::{ContestDeal, DecisionTimes, Entrant, play, read_budget};
use crate::failure::Failure;
use crate::pool;
use crate::statistics::{Mean, Tally};
use crate::table_args::{ModeArg, TableArgs};

/// Plays many solo games, without spells and with three random ones unless --spells says otherwise.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The bot: novice, apprentice, adept or master, optionally with a budget: master@200ms, master@500
    #[arg(long, default_value = "master")]
    bot: String,
    /// Number of deals
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// The seed of all deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Computing time per decision, for instance 100ms, in processor time of one core
    #[arg(long, conflicts_with = "iterations")]
    time: Option<String>,
    /// Playouts per decision, for reproducible results
    #[arg(long)]
    iterations: Option<u32>,
    /// Beam width of the clairvoyant search, which knows all cards and rolls; 0: none
    #[arg(long, default_value_t = 200)]
    clairvoyant: usize,
    /// Number of threads [default: one per core]
    #[arg(long)]
    threads: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Playouts per decision by default.
const DEFAULT_PLAYOUTS: u32 = 500;

/// The results for one choice of spells.
#[derive(Serialize)]
struct SoloReport {
    spells: String,
    bot: String,
    games: u64,
    won: u64,
    /// Cards used in won games.
    cards: Mean,
    over_30: f64,
    ratings: Vec<(Rating, u64)>,
    clairvoyant: Option<Bound>,
    mean_decision_ms: f64,
}

#[derive(Serialize)]
struct Bound {
    /// Deals for which a solution was found.
    solved: u64,
    cards: Mean,
    ratings: Vec<(Rating, u64)>,
}

struct Deals {
    score: u16,
    won: bool,
    bound: Option<u16>,
    times: DecisionTimes,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let usual = match (&args.time, args.iterations) {
        (Some(time), _) => read_budget(time)?,
        (None, iterations) => Budget::Iterations(iterations.unwrap_or(DEFAULT_PLAYOUTS)),
    };
    let entrant = Entrant::read(&args.bot, usual)?;
    let mut table = args.table.clone();
    match table.mode()? {
        None => table.mode = Some(ModeArg::Solo),
        Some(Mode::Versus) => {
            return Err(Failure::input("choose --mode solo or --mode coop"));
        }
        Some(Mode::Solo | Mode::Coop) => {}
    }
    let mut setup = table.setup()?;
    let tables = if args.table.names_spells() {
        vec![setup]
    } else {
        let without = setup.clone();
        setup.spells = Spells::Random(3);
        vec![without, setup]
    };
    let mut reports = Vec::new();
    for setup in tables {
        reports.push(report(args, &setup, &entrant)?);
    }
    if args.json {
        println!(
            "{}",
            serde_json::to_string(&reports).map_err(Failure::input)?
        );
    } else {
        reports.iter().for_each(print);
    }
    Ok(())
}

fn report(args: &Args, setup: &Setup, entrant: &Entrant) -> Result<SoloReport, Failure> {
    let jobs: Vec<u64> = (0..args.games).collect();
    let results = pool::run(&jobs, args.threads, |&deal| {
        let bot = args.seed.wrapping_mul(1_000_003) ^ deal;
        let seats = vec![entrant; setup.seats.len()];
        let played = play(setup, &seats, ContestDeal::new(args.seed, deal), bot)?;
        let mut times = DecisionTimes::default();
        for &seat in &played.times {
            times.add(seat);
        }
        let score = played.outcome.score.unwrap_or(0);
        let won = !played.outcome.winners.is_empty();
        // The clairvoyant player could also have played like the bot.
        let found = bound(setup, args, deal)?;
        let played = (won && args.clairvoyant > 0).then_some(score);
        Ok(Deals {
            score,
            won,
            bound: found.into_iter().chain(played).min(),
            times,
        })
    })?;
    let won: Vec<u16> = results.iter().filter(|d| d.won).map(|d| d.score).collect();
    let bounds: Vec<u16> = results.iter().filter_map(|d| d.bound).collect();
    let mut times = DecisionTimes::default();
    for deal in &results {
        times.add(deal.times);
    }
    let over = results.iter().filter(|d| !d.won || d.score > 30).count();
    Ok(SoloReport {
        spells: match setup.spells {
            Spells::Chosen(SpellSet::NONE) => "none".into(),
            Spells::Chosen(set) => set.to_string(),
            Spells::Random(k) => format!("{k} drawn"),
        },
        bot: entrant.name.clone(),
        games: args.games,
        won: won.len() as u64,
        cards: mean(&won),
        over_30: over as f64 / results.len().max(1) as f64,
        ratings: ratings(&won),
        clairvoyant: (args.clairvoyant > 0).then(|| Bound {
            solved: bounds.len() as u64,
            cards: mean(&bounds),
            ratings: ratings(&bounds),
        }),
        mean_decision_ms: times.time.as_secs_f64() * 1e3 / times.decisions.max(1) as f64,
    })
}

/// The fewest cards for a player who knows all cards and rolls of this deal.
fn bound(setup: &Setup, args: &Args, number: u64) -> Result<Option<u16>, Failure> {
    let shares = setup.options.mode == Mode::Solo
        || setup.options.coop_hands == towers_rules::CoopHands::Shared;
    if args.clairvoyant == 0 || !shares {
        return Ok(None);
    }
    let mut state = State::new(setup).map_err(Failure::input)?;
    let mut deal = ContestDeal::new(args.seed, number);
    while let Some(chance) = deal.answer(&state) {
        state.apply_chance(chance).map_err(Failure::input)?;
    }
    let rolls = deal.rolls(400);
    let roll = |n: usize| rolls.get(n).copied().unwrap_or(1);
    Ok(clairvoyant(&state, deal.cards(), &roll, args.clairvoyant))
}

fn mean(scores: &[u16]) -> Mean {
    let mut tally = Tally::default();
    for &score in scores {
        tally.add(i64::from(score));
    }
    tally.mean(1.0)
}

fn ratings(scores: &[u16]) -> Vec<(Rating, u64)> {
    let count = |rating| scores.iter().filter(|&&s| Rating::of(s) == rating).count() as u64;
    Rating::ALL.map(|rating| (rating, count(rating))).to_vec()
}

fn print(report: &SoloReport) {
    println!(
        "{}, spells: {}: {} of {} won, {:.2} ±{:.2} cards, {:.1} % above 30 or lost, {:.1} ms per decision",
        report.bot,
        report.spells,
        report.won,
        report.games,
        report.cards.mean,
        report.cards.within,
        100.0 * report.over_30,
        report.mean_decision_ms
    );
    if let Some(bound) = &report.clairvoyant {
        println!(
            "clairvoyant: {} of {} won, {:.2} ±{:.2} cards",
            bound.solved, report.games, bound.cards.mean, bound.cards.within
        );
    }
    let share = |n: u64| 100.0 * n as f64 / report.games.max(1) as f64;
    let names = [
        "under 20", "20–23", "24–27", "28–30", "31–35", "36–40", "41–45", "over 45",
    ];
    for (i, (_, n)) in report.ratings.iter().enumerate() {
        let bound = report.clairvoyant.as_ref().map(|b| b.ratings[i].1);
        let bound = bound.map_or(String::new(), |n| format!(" {:6.1} %", share(n)));
        println!("{:>10} {:6.1} %{bound}", names[i], share(*n));
    }
}
