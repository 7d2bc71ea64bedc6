//! `towers`: Wandering Towers on the command line.

#![forbid(unsafe_code)]
#![allow(
    clippy::doc_markdown,
    reason = "doc comments of arguments are printed as help texts"
)]

mod admin;
mod arena;
mod arena_plot;
mod arena_report;
mod backup;
mod bench;
mod chance;
mod contest;
mod copy;
mod cpu_clock;
mod failure;
mod load;
mod open_files;
mod perft;
mod policy;
mod pool;
mod presets;
mod puzzle;
mod replay;
mod replay_record;
mod replay_trace;
mod schema;
mod serve;
mod serve_health;
mod service;
mod solo;
mod statistics;
mod table_args;
mod trace;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The default allocator of musl, used in the static binary, is slow with several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    command: Option<CliCommand>,
    /// Without a command, the game is served.
    #[command(flatten)]
    serve: serve::Args,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Serve the game on this computer or for everybody (default).
    Serve(Box<serve::Args>),
    /// Ask a server on this computer whether it is ready.
    Health(serve_health::Args),
    /// Copy all data of a server to a file, even while it runs.
    Backup(backup::Args),
    /// Copy all data from one database to another, from SQLite to PostgreSQL or back.
    Copy(copy::Args),
    /// Administer a running server.
    Admin(admin::Args),
    /// Check a record: every card and roll has to follow from its seed.
    Verify(verify::Args),
    /// Print JSON Schema for messages, events, settings and records.
    Schema(schema::Args),
    /// Play games and write them as traces: every decision with all legal actions.
    Trace(trace::Args),
    /// Replay a record or a trace step by step and stop at the first error.
    Replay(replay::Args),
    /// Count the positions that can be reached from a position, to compare with other programs.
    Perft(perft::Args),
    /// Print the rules of each edition, and how a table differs from them.
    Presets(presets::Args),
    /// Let bots play against each other: win rates with error bars, Elo, times.
    Arena(arena::Args),
    /// Let a bot play solo: cards used, compared with the printed ratings and the best possible.
    Solo(solo::Args),
    /// Generate and solve puzzles: a position, a goal for one turn, and the number of solutions.
    Puzzle(puzzle::Args),
    /// Measure the speed of the engine.
    Bench(bench::Args),
    /// Measure the capacity of a server.
    Load(load::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error),
    };
    let command = cli
        .command
        .unwrap_or(CliCommand::Serve(Box::new(cli.serve)));
    let result = match command {
        CliCommand::Serve(args) => serve::run(&args),
        CliCommand::Health(args) => serve_health::run(&args),
        CliCommand::Backup(args) => backup::run(&args),
        CliCommand::Copy(args) => copy::run(&args),
        CliCommand::Admin(args) => admin::run(&args),
        CliCommand::Verify(args) => verify::run(&args),
        CliCommand::Schema(args) => schema::run(&args),
        CliCommand::Trace(args) => trace::run(&args),
        CliCommand::Replay(args) => replay::run(&args),
        CliCommand::Perft(args) => perft::run(&args),
        CliCommand::Presets(args) => presets::run(&args),
        CliCommand::Arena(args) => arena::run(&args),
        CliCommand::Solo(args) => solo::run(&args),
        CliCommand::Puzzle(args) => puzzle::run(&args),
        CliCommand::Bench(args) => bench::run(&args),
        CliCommand::Load(args) => load::run(&args),
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

    /// Files to copy for running a server.
    const DEPLOY: [(&str, &str); 6] = [
        ("Dockerfile", include_str!("../../../deploy/Dockerfile")),
        ("compose.yaml", include_str!("../../../deploy/compose.yaml")),
        (
            "towers.service",
            include_str!("../../../deploy/towers.service"),
        ),
        ("Caddyfile", include_str!("../../../deploy/Caddyfile")),
        (
            "tls.conf",
            include_str!("../../../deploy/towers.service.d/tls.conf"),
        ),
        (
            "database.conf",
            include_str!("../../../deploy/towers.service.d/database.conf"),
        ),
    ];

    /// A misspelt or removed variable would be ignored silently.
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
        assert!(used >= 10, "{used}");
        let started = DEPLOY[2]
            .1
            .lines()
            .find_map(|l| l.strip_prefix("ExecStart="));
        let words = started.expect("it starts something").split(' ');
        assert!(super::Cli::command().try_get_matches_from(words).is_ok());
    }

    /// docs/hosting.md lists every flag of the server with its variable and its default, and no others.
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
