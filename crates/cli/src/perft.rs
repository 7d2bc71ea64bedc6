//! `towers perft`: the number of positions at a depth.

use crate::failure::Failure;
use towers_rules::State;

/// Counts the leaves of the tree of decisions. Chance is not a decision; every different outcome is followed.
#[derive(clap::Args)]
pub struct Args {
    /// The position, as in docs/notation.md: a board, then key=value pairs
    #[arg(long, allow_hyphen_values = true)]
    position: String,
    /// Depth in decisions
    #[arg(long, default_value_t = 2)]
    depth: u32,
    /// Count per first action
    #[arg(long)]
    divide: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let state = args.position.parse::<State>().map_err(Failure::input)?;
    let per_action = towers_rules::perft::divide(&state, args.depth);
    // Nothing to divide: depth 0, or chance or the end comes first.
    let nodes: u64 = if per_action.is_empty() {
        towers_rules::perft::perft(&state, args.depth)
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
