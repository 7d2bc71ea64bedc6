//! The example client in Python plays a whole game against the real server.

use std::process::Command;

use super::process::{Data, Process, verified_record};

#[tokio::test]
async fn the_python_example_plays_a_whole_game() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/python/play.py");
    let data = Data::new();
    let process = Process::start(&data.path());
    let server = format!("http://127.0.0.1:{}", process.port);
    let output = Command::new("python3")
        .args([example, "--server", &server, "--quiet", "--seed", "1"])
        .args([
            "--bots",
            "2",
            "--settings",
            r#"{"options":{"max_rounds":60}}"#,
        ])
        .output();
    let output = match output {
        Ok(output) => output,
        Err(why) => {
            eprintln!("there is no python3 here, so the example is not tested: {why}");
            return;
        }
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("the game is over: {\"played\""), "{text}");
    let table = text
        .lines()
        .find_map(|line| line.strip_prefix("table: "))
        .and_then(|link| link.rsplit('/').next())
        .unwrap();
    verified_record(process.port, table).await;
}
