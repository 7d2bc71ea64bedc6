//! `towers`: Wandering Towers on the command line.

#![forbid(unsafe_code)]

mod arena;
mod arena_report;
mod backup;
mod bench;
mod chance;
mod contest;
mod cpu_clock;
mod failure;
mod load;
mod perft;
mod policy;
mod pool;
mod puzzle;
mod replay;
mod replay_record;
mod replay_trace;
mod serve;
mod solo;
mod statistics;
mod table_args;
mod trace;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Wandering Towers: the board game on the command line.
#[derive(Parser)]
#[command(
    name = "towers",
    version,
    about,
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Without a command, the game is served.
    #[command(flatten)]
    serve: serve::Args,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the game on this computer or for everybody; the same as no command at all.
    Serve(Box<serve::Args>),
    /// Copy all data of a server to a file, also while it runs.
    Backup(backup::Args),
    /// Check a record: every card and roll has to follow from its seed.
    Verify(verify::Args),
    /// Play games and write them as traces: every decision with every legal action.
    Trace(trace::Args),
    /// Follow a record or a trace step by step and fail loudly at the first thing that is wrong.
    Replay(replay::Args),
    /// Count the positions that can be reached from a position, to compare with other programs.
    Perft(perft::Args),
    /// Let bots play each other: win rates with error bars, Elo, times.
    Arena(arena::Args),
    /// Let a bot play alone: cards used against the printed ratings and the best possible.
    Solo(solo::Args),
    /// Make and solve puzzles: a position, a goal for one turn, and how many ways lead there.
    Puzzle(puzzle::Args),
    /// Measure how fast the engine plays.
    Bench(bench::Args),
    /// Measure how many players a server bears.
    Load(load::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error),
    };
    let command = cli.command.unwrap_or(Command::Serve(Box::new(cli.serve)));
    let result = match command {
        Command::Serve(args) => serve::run(&args),
        Command::Backup(args) => backup::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Arena(args) => arena::run(&args),
        Command::Solo(args) => solo::run(&args),
        Command::Puzzle(args) => puzzle::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Load(args) => load::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    const HOSTING: &str = include_str!("../../../docs/hosting.md");

    /// What can be copied to run a server elsewhere.
    const DEPLOY: [(&str, &str); 4] = [
        ("Dockerfile", include_str!("../../../deploy/Dockerfile")),
        ("compose.yaml", include_str!("../../../deploy/compose.yaml")),
        (
            "towers.service",
            include_str!("../../../deploy/towers.service"),
        ),
        ("Caddyfile", include_str!("../../../deploy/Caddyfile")),
    ];

    /// A variable that is misspelt or gone would be ignored in silence.
    #[test]
    fn the_files_for_hosts_set_variables_that_exist() {
        let cli = super::Cli::command();
        let serve = cli.find_subcommand("serve").expect("there is one");
        let known: Vec<String> = serve
            .get_arguments()
            .filter_map(|arg| Some(arg.get_env()?.to_string_lossy().into_owned()))
            .collect();
        let mut used = 0;
        for (file, text) in DEPLOY {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for name in words.filter(|word| word.starts_with("TOWERS_")) {
                assert!(known.iter().any(|k| k == name), "{name} in {file}");
                used += 1;
            }
        }
        assert!(used >= 6, "{used}");
        let started = DEPLOY[2]
            .1
            .lines()
            .find_map(|l| l.strip_prefix("ExecStart="));
        let words = started.expect("it starts something").split(' ');
        assert!(super::Cli::command().try_get_matches_from(words).is_ok());
    }

    /// Every flag of the server is in the document with its variable and its default, and nothing
    /// is there that does not exist.
    #[test]
    fn the_document_for_hosts_has_every_flag_with_its_variable() {
        let cli = super::Cli::command();
        let serve = cli.find_subcommand("serve").expect("there is one");
        let mut rows = 0;
        for arg in serve.get_arguments() {
            let Some(long) = arg.get_long().filter(|l| *l != "help") else {
                continue;
            };
            let env = arg.get_env().expect("every flag has a variable");
            let defaults: Vec<_> = arg
                .get_default_values()
                .iter()
                .map(|d| d.to_string_lossy())
                .collect();
            let shown = match defaults.first() {
                Some(value) if arg.get_action().takes_values() => format!("`{value}`"),
                _ => String::new(),
            };
            let row = format!("| `--{long}` | `{}` | {shown}", env.to_string_lossy());
            assert!(HOSTING.contains(&row), "docs/hosting.md has no {row}");
            rows += 1;
        }
        let written = HOSTING.lines().filter(|l| l.starts_with("| `--")).count();
        assert_eq!(written, rows);
    }
}
