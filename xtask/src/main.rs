//! `cargo xtask`: build, play, test, regenerate. Nothing to install beyond rustup's cargo.

#![forbid(unsafe_code)]

mod browser;
mod fuzz;
mod golden;
mod instructions;
mod order;
mod postgres;
mod prune;
mod run;
mod shorten;
mod small_std;
mod soak;
mod test;
mod watch;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask play           build everything and serve the game at http://localhost:8080
cargo xtask test           run every test: format, lints, tests, doc tests, WebAssembly
cargo xtask e2e            build the client and play it in a real browser (part of test)
cargo xtask web            work on the client: serve it at http://localhost:8080, build it anew and reload when a file changes
cargo xtask client         build the client as it is shipped into dist/
cargo xtask screenshots    make the pictures in docs/screenshots
cargo xtask golden         write the golden playthroughs and perft counts anew
cargo xtask instructions   count the instructions of fixed games and compare (needs valgrind)
cargo xtask fuzz [SECONDS] run every fuzz target, all of them together for so long
cargo xtask soak [KILLS]   kill servers and databases again and again while people play";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => test::all(),
        ["e2e"] => test::in_the_browser(),
        ["web"] => watch::forever(),
        ["client"] => web::build(web::Kind::Release),
        ["screenshots"] => web::screenshots(),
        ["golden"] => golden::write(),
        ["instructions", rest @ ..] => instructions::compare(rest.contains(&"--write")),
        ["fuzz", rest @ ..] => fuzz::all(rest.first().and_then(|s| s.parse().ok()).unwrap_or(60)),
        ["soak", rest @ ..] => {
            soak::storm(rest.first().and_then(|s| s.parse().ok()).unwrap_or(200))
        }
        ["play"] => play(),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the client and serves the game.
fn play() -> run::Done {
    web::build(web::Kind::Release)?;
    run::run(&mut run::cargo(&["run", "--release", "--bin", "towers"]))
}
