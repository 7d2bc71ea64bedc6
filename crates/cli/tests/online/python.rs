//! The Python package plays whole games in every mode against the real server.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;

use towers_test_support::Proxy;

use super::process::{Data, Process};

const GAMES: &str = "100";

fn folder() -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/python"
    ))
}

/// The interpreter. `cargo xtask test` prepares one with the library.
fn python() -> Command {
    let prepared = std::env::var_os("TOWERS_TEST_PYTHON");
    Command::new(prepared.unwrap_or_else(|| "python3".into()))
}

/// Whether Python and the required library are installed. Only `cargo xtask test` ensures that.
fn is_here() -> bool {
    let import = python()
        .args(["-c", "import websockets.asyncio.client"])
        .output();
    let is_here = import.is_ok_and(|output| output.status.success());
    let is_required = std::env::var_os("TOWERS_TEST_PYTHON").is_some();
    assert!(is_here || !is_required, "the library is missing");
    if !is_here {
        eprintln!("python3 with websockets is not here, so the example is not tested");
    }
    is_here
}

fn run(script: &str, arguments: &[&str]) -> Output {
    python()
        .current_dir(folder())
        .arg(script)
        .args(arguments)
        .output()
        .expect("it is here")
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn a_bot_of_ten_lines_plays_a_whole_game() {
    if !is_here() {
        return;
    }
    let data = Data::new();
    let process = Process::start(&data.path());
    let server = format!("http://127.0.0.1:{}", process.port);
    let output = run("bot.py", &[&server]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("'played'"), "{}", said(&output));
    let text = std::fs::read_to_string(folder().join("bot.py")).unwrap();
    let body = text.split("from wandering_towers").nth(1).unwrap();
    let lines = body.lines().filter(|l| !l.trim().is_empty());
    assert!(lines.count() <= 10);
}

#[tokio::test]
async fn a_hundred_games_in_every_mode_at_full_speed_do_not_stall() {
    if !is_here() {
        return;
    }
    let data = Data::new();
    let process = Process::start_with(&data.path(), &["--tables-per-address", "1000"]);
    let server = format!("http://127.0.0.1:{}", process.port);
    // Without pacing, the server refuses messages over the limit; the client retries every one of them.
    let output = run("tournament.py", &[&server, "--games", GAMES]);
    assert!(output.status.success(), "{}", said(&output));
    let said = said(&output);
    assert!(said.contains("100 games without a stall"), "{said}");
    for mode in ["versus", "teams", "reactions", "solo", "coop"] {
        assert!(said.contains(mode), "{said}");
    }
}

/// They derive the seed and every card from the documentation alone, and notice what a server could lie about.
#[tokio::test]
async fn two_programs_contribute_to_the_dice_and_check_them() {
    if !is_here() {
        return;
    }
    let data = Data::new();
    let process = Process::start(&data.path());
    let output = run(
        "fairness.py",
        &[&format!("http://127.0.0.1:{}", process.port)],
    );
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the numbers of 2 devices"), "{said}");
    assert!(said.contains("8 lies about the seed"), "{said}");
}

/// Connections break again and again during a tournament: the client returns and repeats what was not answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_after_lost_connections() {
    if !is_here() {
        return;
    }
    let data = Data::new();
    let process = Process::start_with(&data.path(), &["--tables-per-address", "1000"]);
    let proxy = Proxy::start(process.port).unwrap();
    let server = format!("http://127.0.0.1:{}", proxy.port());
    let tournament = tokio::task::spawn_blocking(move || {
        run(
            "tournament.py",
            &[&server, "--games", "60", "--stall", "300"],
        )
    });
    let mut cut = 0;
    while !tournament.is_finished() {
        tokio::time::sleep(Duration::from_secs(1)).await;
        cut += proxy.cut_sockets();
    }
    let output = tournament.await.unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("60 games without a stall"));
    println!("{cut} connections were cut");
    assert!(cut >= 10, "{cut}");
}
