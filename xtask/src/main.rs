//! `cargo xtask`: development tasks. Nothing to install beyond rustup's cargo.

#![forbid(unsafe_code)]

mod client;
mod dist;
mod fuzz;
mod groups;
mod install;
mod instructions;
mod licences;
mod programs;
mod rerun;
mod tests;
mod watch;

use anyhow::Result;
use clap::Parser;
use xshell::{Cmd, Shell, cmd};

use client::Compilation;

/// Development tasks.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum DevTask {
    /// Build everything and serve the game at <http://localhost:8080>
    Play,
    /// Run every test: those of `check`, then those with a database and a browser
    Test,
    /// The inner loop: format, lints, documentation, native tests; without browser, database or release build
    Check,
    /// Test the client in a real browser
    E2e {
        /// Only tests whose name contains this
        name: Option<String>,
        /// Build the client as it is shipped, which takes minutes
        #[arg(long)]
        shipped: bool,
    },
    /// Work on the client: serve it at <http://localhost:8080>, rebuild and reload when a file changes
    Web,
    /// Build the shipped client into dist/, and check its size
    Client,
    /// Regenerate the pictures in docs/screenshots
    Screenshots,
    /// Regenerate the golden playthroughs; read the difference before you commit it
    Golden,
    /// Count the instructions of fixed games and compare them with the last count (needs valgrind)
    Instructions {
        /// Store the new figures
        #[arg(long)]
        write: bool,
    },
    /// Run every fuzz target
    Fuzz {
        /// Time for all targets together, in seconds
        #[arg(default_value_t = 60)]
        seconds: u64,
    },
    /// Kill servers and databases during games; needs an otherwise idle machine
    Soak {
        /// Number of kills
        #[arg(default_value_t = 200)]
        kills: u32,
    },
    /// Build the release into target/dist: static program, checksums, licences, container context
    Dist,
}

fn main() -> Result<()> {
    let task = DevTask::parse();
    let sh = Shell::new()?;
    sh.change_dir(root());
    match task {
        DevTask::Play => play(&sh),
        DevTask::Test => tests::all(&sh),
        DevTask::Check => tests::check(&sh),
        DevTask::E2e { name, shipped } => {
            let build = if shipped {
                client::Build::Shipped
            } else {
                client::Build::Quick
            };
            tests::end_to_end(&sh, build, name.as_deref())
        }
        DevTask::Web => watch::serve(&sh),
        DevTask::Client => client::build(&sh, client::Build::Shipped),
        DevTask::Screenshots => screenshots(&sh),
        DevTask::Golden => golden(&sh),
        DevTask::Instructions { write } => instructions::compare(&sh, write),
        DevTask::Fuzz { seconds } => fuzz::run_all(&sh, seconds),
        DevTask::Soak { kills } => soak(&sh, kills),
        DevTask::Dist => dist::build(&sh),
    }
}

/// The root of the current checkout, even if another one shares its target folder.
fn root() -> std::path::PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(
        || env!("CARGO_MANIFEST_DIR").into(),
        std::path::PathBuf::from,
    );
    package.parent().unwrap_or(&package).to_path_buf()
}

/// `cargo` without the variables that cargo sets for this package. Build scripts that depend on them would run again, with
/// all their dependents, at every change between `cargo xtask` and `cargo`.
fn cargo<'a>(sh: &'a Shell, args: &[&str]) -> Cmd<'a> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = cmd!(sh, "{program} {args...}");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command = command.env_remove(&name);
        }
    }
    command
}

fn play(sh: &Shell) -> Result<()> {
    let client = Compilation::start(sh, client::Build::Quick);
    cargo(sh, &["build", "--locked", "--bin", "towers"]).run()?;
    client.finish()?;
    Ok(cargo(sh, &["run", "--locked", "--bin", "towers"]).run()?)
}

fn screenshots(sh: &Shell) -> Result<()> {
    install::browser(sh)?;
    client::build(sh, client::Build::Shipped)?;
    cargo(sh, &["build", "--bin", "towers"]).run()?;
    let example = ["run", "--example", "screenshots"];
    Ok(cargo(sh, &example).run()?)
}

fn golden(sh: &Shell) -> Result<()> {
    let tests = ["test", "--test", "golden"];
    cargo(sh, &tests).env("UPDATE_GOLDEN", "1").run()?;
    println!("now read the changes in `git diff`");
    Ok(())
}

/// Kills a server on `SQLite` this many times, one of two servers on `PostgreSQL` as often, and `PostgreSQL` itself a quarter
/// as often. Fails if play pauses for more than two seconds after a kill.
fn soak(sh: &Shell, kills: u32) -> Result<()> {
    install::test_servers(sh)?;
    let target = ["test", "--test", "online", "--"];
    let only = ["nothing_acknowledged_is_lost", "when_the_database_restarts"];
    let options = ["--nocapture", "--test-threads=1"];
    Ok(cargo(sh, &[&target[..], &options, &only].concat())
        .env("TOWERS_TEST_KILLS", kills.to_string())
        .env("TOWERS_TEST_PATIENCE", "2")
        .run()?)
}
