//! `towers puzzle`: positions with a goal, made by self-play and checked by search.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;
use study::puzzle::{Goal, Grade, Puzzle, Solved, Wish, generate};

use crate::failure::Failure;
use crate::pool;

/// Makes puzzles, or solves them.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make puzzles from games of keen players; each has one to three solutions that need no luck.
    Generate(GenerateArgs),
    /// Solve a position, or every puzzle of a file, by looking at every way the turn can go.
    Solve(SolveArgs),
}

/// Makes puzzles, the easiest first, one per line: goal, grade, solutions, actions, |, position.
#[derive(clap::Args)]
struct GenerateArgs {
    /// How many puzzles
    #[arg(long, default_value_t = 10)]
    count: usize,
    /// Where all games come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this goal: home-1, imprison-3, free, win, …
    #[arg(long)]
    goal: Option<Goal>,
    /// Only this grade: easy, medium or hard
    #[arg(long, value_parser = read_grade)]
    grade: Option<Grade>,
    /// No more than so many with the same goal and grade
    #[arg(long)]
    of_a_kind: Option<usize>,
    /// Give up after so many games
    #[arg(long, default_value_t = 20_000)]
    games: u64,
    /// Write to this file instead of standard output
    #[arg(long)]
    out: Option<PathBuf>,
    /// How many threads [default: one per core]
    #[arg(long)]
    threads: Option<usize>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Solves: exit code 0 if every goal can be reached (and a file says so rightly), 2 otherwise.
#[derive(clap::Args)]
struct SolveArgs {
    /// The position, as in docs/notation.md
    #[arg(
        long,
        requires = "goal",
        conflicts_with = "file",
        allow_hyphen_values = true
    )]
    position: Option<String>,
    /// What is to be reached this turn: home-1, imprison-3, free, win, …
    #[arg(long)]
    goal: Option<Goal>,
    /// Puzzles as `generate` writes them; what they claim is checked
    #[arg(required_unless_present = "position")]
    file: Option<PathBuf>,
    /// Show every solution, not only the shortest
    #[arg(long)]
    all: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

fn read_grade(text: &str) -> Result<Grade, String> {
    Grade::from_name(text).ok_or_else(|| "a grade is easy, medium or hard".into())
}

/// How many games are looked through between two looks at what was found.
const BATCH: u64 = 8;

pub fn run(args: &Args) -> Result<(), Failure> {
    match &args.task {
        Task::Generate(args) => make(args),
        Task::Solve(args) => check(args),
    }
}

fn make(args: &GenerateArgs) -> Result<(), Failure> {
    let found = search(args)?;
    if found.len() < args.count {
        eprintln!(
            "towers: {} of {} puzzles in {} games",
            found.len(),
            args.count,
            args.games
        );
    }
    let text = if args.json {
        let list: Vec<_> = found.iter().map(as_json).collect();
        serde_json::to_string(&list).map_err(Failure::input)? + "\n"
    } else {
        found
            .iter()
            .fold(String::new(), |text, p| text + &p.to_string() + "\n")
    };
    if let Some(file) = &args.out {
        return fs::write(file, text).map_err(|e| Failure::file(file.display(), &e));
    }
    print!("{text}");
    Ok(())
}

/// At most one puzzle of a game, so that no two look alike.
fn search(args: &GenerateArgs) -> Result<Vec<Puzzle>, Failure> {
    let wish = Wish {
        goal: args.goal,
        grade: args.grade,
    };
    let most = args.of_a_kind.unwrap_or(usize::MAX);
    let mut found: Vec<Puzzle> = Vec::new();
    let mut kinds: HashMap<(Goal, Grade), usize> = HashMap::new();
    let mut games = 0;
    while found.len() < args.count && games < args.games {
        let batch = BATCH.min(args.games - games);
        let first = args.seed.wrapping_mul(1_000_003).wrapping_add(games);
        let jobs: Vec<u64> = (0..batch).map(|i| first.wrapping_add(i)).collect();
        games += batch;
        for puzzles in pool::run(&jobs, args.threads, |&seed| Ok(generate(seed, wish)))? {
            let rarest = puzzles
                .into_iter()
                .map(|p| (kinds.get(&(p.goal, p.grade)).copied().unwrap_or(0), p))
                .filter(|(n, _)| *n < most)
                .min_by_key(|(n, _)| *n);
            if let Some((_, puzzle)) = rarest.filter(|_| found.len() < args.count) {
                *kinds.entry((puzzle.goal, puzzle.grade)).or_default() += 1;
                found.push(puzzle);
            }
        }
    }
    found.sort_by_key(|p| (p.grade, p.actions, p.to_string()));
    found.dedup();
    Ok(found)
}

fn check(args: &SolveArgs) -> Result<(), Failure> {
    if let (Some(position), Some(goal)) = (&args.position, args.goal) {
        let (puzzle, solved) = solve(goal, position)?;
        show(args, &puzzle, &solved);
        return Ok(());
    }
    let Some(file) = &args.file else {
        return Err(Failure::input("a position or a file is needed"));
    };
    let name = file.display().to_string();
    let text = fs::read_to_string(file).map_err(|e| Failure::file(&name, &e))?;
    let mut keys = HashSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |why: String| Failure::input(format!("{name}, line {number}: {why}"));
        let given: Puzzle = line.parse().map_err(|e| wrong(format!("{e}")))?;
        let (own, solved) = solve(given.goal, &given.position).map_err(|e| match e {
            Failure::Input(why) => wrong(why),
            other => other,
        })?;
        if own != given {
            return Err(wrong(format!("it should say {own}")));
        }
        if !keys.insert(given.key()) {
            return Err(wrong("it is there twice".into()));
        }
        show(args, &own, &solved);
    }
    Ok(())
}

fn solve(goal: Goal, position: &str) -> Result<(Puzzle, Solved), Failure> {
    Puzzle::of(goal, position)
        .map_err(Failure::input)?
        .ok_or_else(|| Failure::input("the goal cannot be reached this turn without luck"))
}

fn show(args: &SolveArgs, puzzle: &Puzzle, solved: &Solved) {
    let most = if args.all { usize::MAX } else { 1 };
    let lines: Vec<Vec<String>> = solved
        .solutions
        .iter()
        .take(most)
        .map(|line| line.iter().map(ToString::to_string).collect())
        .collect();
    if args.json {
        let mut json = as_json(puzzle);
        json["lines"] = json!(lines);
        json["endings"] = json!(solved.endings);
        json["positions"] = json!(solved.positions);
        println!("{json}");
        return;
    }
    println!(
        "{} {}: {} of {} ways to end the turn",
        puzzle.goal,
        puzzle.grade.name(),
        puzzle.solutions,
        solved.endings
    );
    for line in lines {
        println!("  {}", line.join("  "));
    }
}

fn as_json(puzzle: &Puzzle) -> serde_json::Value {
    json!({
        "goal": puzzle.goal.to_string(),
        "grade": puzzle.grade,
        "solutions": puzzle.solutions,
        "actions": puzzle.actions,
        "position": puzzle.position,
    })
}
