//! `towers serve`, `towers verify` and `towers replay` on the command line.

use std::process::Output;

use towers_table::Command;

use super::player::{gather, play_together};
use super::process::{Data, Process, towers, verified_record};

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_are_verified_shown_and_changes_are_found() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let settings =
        r#"{"seats":3,"options":{"max_rounds":3,"reactions":true},"spells":{"random":4}}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    clients[0].ok(Command::Start).await;
    clients[1]
        .ok(Command::PassAhead {
            until: Some(towers_table::PassAhead::Recalled),
        })
        .await;
    play_together(clients, 8).await;
    let record = verified_record(process.port, &table).await;
    let file = data.path().join("game.jsonl");
    std::fs::write(&file, record.to_text()).unwrap();
    let run = |command: &str| said(&towers().arg(command).arg(&file).output().unwrap());
    let (code, out, _) = run("verify");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("everything follows"), "{out}");
    let (code, out, _) = run("replay");
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains("1 game,") && out.contains("all correct"),
        "{out}"
    );
    // The same game as a trace.
    let (code, trace, error) = said(
        &towers()
            .args(["replay", "--trace"])
            .arg(&file)
            .output()
            .unwrap(),
    );
    assert_eq!(code, Some(0), "{error}");
    let traced = data.path().join("game.trace");
    std::fs::write(&traced, trace).unwrap();
    let (code, out, error) = said(&towers().arg("replay").arg(&traced).output().unwrap());
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("1 game,"), "{out}");
    // Replace one card.
    let mut forged = record.clone();
    let entry = forged
        .entries
        .iter_mut()
        .find(|e| e.chance.len() > 2)
        .unwrap();
    let number = entry.number;
    entry.chance.swap(0, 1);
    entry.chance.swap(1, 2);
    std::fs::write(&file, forged.to_text()).unwrap();
    for command in ["verify", "replay"] {
        let (code, _, error) = run(command);
        assert_eq!(code, Some(2));
        assert!(error.contains(&format!("entry {number}")), "{error}");
        assert!(
            error.contains("should be") && error.lines().count() == 1,
            "{error}"
        );
    }
}

#[test]
fn a_taken_port_and_a_folder_in_use_are_explained_in_one_sentence() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let port = process.port.to_string();
    let listen = format!("127.0.0.1:{port}");
    let other = Data::new();
    let output = towers()
        .args(["--listen", &listen, "--data"])
        .arg(other.path())
        .output();
    let (code, _, error) = said(&output.unwrap());
    assert_eq!(code, Some(1));
    assert!(
        error.contains(&port) && error.contains("--listen"),
        "{error}"
    );
    let output = towers()
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .output();
    let (code, _, error) = said(&output.unwrap());
    assert_eq!(code, Some(1));
    assert!(
        error.contains("another towers") && error.contains("--data"),
        "{error}"
    );
    // An impossible folder: even root cannot create a folder in a file.
    let file = data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let output = towers()
        .args(["--listen", "127.0.0.1:0", "--data"])
        .arg(file.join("data"))
        .output();
    let (code, _, error) = said(&output.unwrap());
    assert_eq!(code, Some(1));
    assert!(
        error.contains("data folder") && error.contains("--data"),
        "{error}"
    );
}

#[test]
fn help_is_there_and_nothing_is_served_by_mistake() {
    for args in [
        vec!["--help"],
        vec!["serve", "--help"],
        vec!["verify", "--help"],
    ] {
        let (code, out, _) = said(&towers().args(&args).output().unwrap());
        assert_eq!(code, Some(0));
        assert!(out.contains("Usage: towers"), "{out}");
    }
    let (code, _, error) = said(&towers().arg("sevre").output().unwrap());
    assert_eq!(code, Some(2), "{error}");
}
