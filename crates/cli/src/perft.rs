//! `towers perft`: how many positions lie so many decisions ahead.

use rules::notation::read_position;

use crate::failure::Failure;

/// Counts the leaves of the tree of decisions. Chance does not count as a decision, and every
/// different outcome of it is followed.
#[derive(clap::Args)]
pub struct Args {
    /// The position, as in docs/notation.md: a board, then key=value pairs
    #[arg(long)]
    position: String,
    /// How many decisions deep
    #[arg(long, default_value_t = 2)]
    depth: u32,
    /// Count per first action
    #[arg(long)]
    divide: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let state = read_position(&args.position).map_err(Failure::input)?;
    let per_action = rules::perft::divide(&state, args.depth);
    // Nothing to divide: no decision is asked for, or chance or the end comes first.
    let nodes: u64 = if per_action.is_empty() {
        rules::perft::perft(&state, args.depth)
    } else {
        per_action.iter().map(|(_, n)| n).sum()
    };
    if args.json {
        let divide: serde_json::Map<_, _> = per_action
            .iter()
            .map(|(a, n)| (a.to_string(), (*n).into()))
            .collect();
        let json = if args.divide {
            serde_json::json!({ "depth": args.depth, "nodes": nodes, "divide": divide })
        } else {
            serde_json::json!({ "depth": args.depth, "nodes": nodes })
        };
        println!("{json}");
    } else {
        if args.divide {
            for (action, n) in &per_action {
                println!("{action:>12} {n}");
            }
        }
        println!("{nodes}");
    }
    Ok(())
}
