//! Counts the positions a number of decisions ahead, by first action. Every outcome of chance is followed.
//!
//!     cargo run --release --example perft -- [DEPTH] [POSITION]

use std::error::Error;

use towers_rules::State;
use towers_rules::perft::{divide, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let depth = args.next().map_or(Ok(2), |n| n.parse())?;
    let state: State = match args.next() {
        Some(text) => text.parse()?,
        None => towers_rules::examples::opening(),
    };
    println!("{state}");
    for (action, positions) in divide(&state, depth) {
        println!("{positions:>12}  {action}");
    }
    println!("{:>12}  in all", perft(&state, depth));
    Ok(())
}

#[test]
fn every_legal_action_is_counted() {
    let state = towers_rules::examples::opening();
    let counts = divide(&state, 1);
    assert_eq!(counts.len(), state.legal_actions().len());
    let sum: u64 = counts.iter().map(|(_, positions)| positions).sum();
    assert_eq!(sum, perft(&state, 1));
}
