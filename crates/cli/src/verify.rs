//! `towers verify`: does a record's chance follow from its seed, and is everything else in order?

use std::path::PathBuf;

use table::{Ending, VerifiedGame, verify_text};

use crate::failure::Failure;

/// Derives everything in a record again: every card, every roll, every result. Says what differs.
#[derive(clap::Args)]
pub struct Args {
    /// A record, as a table offers it for download
    file: PathBuf,
    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).map_err(|e| Failure::file(&name, &e))?;
    let verified = verify_text(&text).map_err(|e| Failure::input(format!("{name}: {e}")))?;
    if args.json {
        let json = serde_json::to_string(&verified).map_err(Failure::input)?;
        println!("{json}");
        return Ok(());
    }
    for (number, game) in (1..).zip(&verified.games) {
        println!("{}", describe(number, game));
    }
    println!(
        "{} entries, {} games: everything follows from the seeds and the moves",
        verified.entries,
        verified.games.len()
    );
    Ok(())
}

fn describe(number: u32, game: &VerifiedGame) -> String {
    let ending = match game.ending {
        None => "not over".into(),
        Some(Ending::Agreed) => "ended by agreement".into(),
        Some(Ending::Played(outcome)) => {
            let seats: Vec<_> = outcome.winners.iter().map(|s| s.0.to_string()).collect();
            match seats.as_slice() {
                [] => "nobody won".to_string(),
                seats => format!("won by seat {}", seats.join(" and ")),
            }
        }
    };
    format!(
        "game {number}: {ending}; {} cards and rolls follow from seed {}, whose SHA-256 {} was published at the start",
        game.outcomes, game.seed, game.commitment
    )
}
