//! `towers trace`: games as text for other programs.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use towers_rules::trace::Tracer;
use towers_rules::{Actions, Setup};

use crate::chance::Seeded;
use crate::failure::Failure;
use crate::policy::Policy;
use crate::table_args::TableArgs;

/// Plays games and writes them as traces, one after the other.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// The seed of all chance and all choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The policy that chooses actions
    #[arg(long, value_enum, default_value_t = Policy::Uniform)]
    policy: Policy,
    /// Number of games
    #[arg(long, default_value_t = 1)]
    games: u64,
    /// Write to this file instead of standard output; it appears when it is complete
    #[arg(long)]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let setup = args.table.setup()?;
    match &args.out {
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write_games(args, &setup, &mut out, "standard output")
        }
        Some(path) => {
            let part = path.with_extension("part");
            let result = write_file(args, &setup, &part).and_then(|()| {
                std::fs::rename(&part, path).map_err(|e| Failure::file(path.display(), &e))
            });
            if result.is_err() {
                let _ = std::fs::remove_file(&part);
            }
            result
        }
    }
}

fn write_file(args: &Args, setup: &Setup, path: &Path) -> Result<(), Failure> {
    let file = File::create(path).map_err(|e| Failure::file(path.display(), &e))?;
    write_games(
        args,
        setup,
        &mut BufWriter::new(file),
        &path.display().to_string(),
    )
}

fn write_games(
    args: &Args,
    setup: &Setup,
    out: &mut impl Write,
    name: &str,
) -> Result<(), Failure> {
    for game in 0..args.games {
        write_game(args, setup, game, out, name)?;
    }
    out.flush().map_err(|e| Failure::file(name, &e))
}

fn write_game(
    args: &Args,
    setup: &Setup,
    game: u64,
    out: &mut impl Write,
    name: &str,
) -> Result<(), Failure> {
    let mut dice = Seeded::game(args.seed, game);
    let mut line =
        |value: &dyn erased::JsonLine| value.write(out).map_err(|e| Failure::file(name, &e));
    let seed = format!("{}/{game}", args.seed);
    let (mut tracer, header, opening) =
        Tracer::begin(setup, &seed, &mut dice).map_err(Failure::input)?;
    line(&header)?;
    line(&opening)?;
    let mut list = Actions::new();
    while let Some((seat, action)) = args.policy.choose(tracer.state(), &mut list, &mut dice) {
        line(
            &tracer
                .act(seat, action, &mut dice)
                .map_err(Failure::input)?,
        )?;
        tracer.take_events();
    }
    match tracer.ending() {
        Some(ending) => line(&ending),
        None => Ok(()),
    }
}

/// Values that can be written as one line of JSON.
mod erased {
    use super::{Serialize, Write, io};

    pub trait JsonLine {
        fn write(&self, out: &mut dyn Write) -> io::Result<()>;
    }

    impl<T: Serialize> JsonLine for T {
        fn write(&self, out: &mut dyn Write) -> io::Result<()> {
            serde_json::to_writer(&mut *out, self)?;
            out.write_all(b"\n")
        }
    }
}
