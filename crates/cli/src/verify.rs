//! `towers verify`: checks that a record's chance follows from its seed, the seed from the commitments, and
//! everything else from the rules.

use std::path::PathBuf;

use towers_table::{Device, Digest, Ending, VerifiedGame, verify_text};

use crate::failure::Failure;

/// Recomputes everything in a record: every card, every roll, every result. Prints what differs.
#[derive(clap::Args)]
pub struct Args {
    /// A record, as downloaded from a table
    file: PathBuf,
    /// A commitment that was noted before a game, as 64 hexadecimal digits; may be repeated. The record has to have a game for which it
    /// was published
    #[arg(long, value_name = "SHA-256")]
    commitment: Vec<Digest>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).map_err(|e| Failure::file(&name, &e))?;
    let verified = verify_text(&text).map_err(|e| Failure::input(format!("{name}: {e}")))?;
    for commitment in &args.commitment {
        if verified.game_of(commitment).is_none() {
            return Err(Failure::input(format!(
                "{name}: this is not the record of the game that was committed to: no game has the commitment {commitment}"
            )));
        }
    }
    if args.json {
        let json = serde_json::to_string(&verified).map_err(Failure::input)?;
        println!("{json}");
        return Ok(());
    }
    for (number, game) in (1..).zip(&verified.games) {
        println!("{}", describe(number, game));
    }
    for commitment in &args.commitment {
        if let Some(game) = verified.game_of(commitment) {
            println!("game {game}: has the commitment that was noted");
        }
    }
    let games = verified.games.len();
    let game = if games == 1 { "game" } else { "games" };
    println!(
        "{} entries, {games} {game}: everything follows from the seeds and the moves",
        verified.entries
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
    let source = if game.secret.is_none() {
        format!(
            "whose SHA-256 {} was published at the start",
            game.commitment
        )
    } else {
        let (given, left_out): (Vec<_>, Vec<_>) = game
            .devices
            .iter()
            .partition(|device| device.number.is_some());
        let left_out = match left_out.as_slice() {
            [] => String::new(),
            list => format!("; left out: seat {}", seats(list)),
        };
        format!(
            "the SHA-256 of the server's secret, to which {} was the commitment, and of the numbers of {} devices{left_out}",
            game.commitment,
            given.len()
        )
    };
    format!(
        "game {number}: {ending}; {} cards and rolls follow from seed {}, {source}",
        game.outcomes, game.seed
    )
}

fn seats(devices: &[&Device]) -> String {
    let seats: Vec<_> = devices.iter().map(|d| d.seat.0.to_string()).collect();
    seats.join(" and ")
}
