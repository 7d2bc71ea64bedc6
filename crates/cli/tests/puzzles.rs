//! `puzzle generate` and `puzzle solve`.

mod common;

use common::{folder, refused, run, success, towers};

const POSITION: &str = "-/-/-/*/y/b/-/-/-/-/A/B/C/D/E/bFGHI seats=b,y memory=assisted spells=AW hands=b:t1,w4,w5 flasks=b:3/2/1";

#[test]
fn generated_puzzles_are_verified_and_false_claims_detected() {
    let folder = folder("puzzles");
    let file = folder.join("some.txt");
    let name = file.to_str().unwrap();
    let made = run(&[
        "puzzle", "generate", "--count", "3", "--seed", "5", "--out", name,
    ]);
    assert_eq!(success(&made), "");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 3);
    let solved = success(&run(&["puzzle", "solve", name]));
    assert_eq!(solved.lines().filter(|l| l.starts_with("  ")).count(), 3);
    let first = text.split(' ').next().unwrap();
    let lie = text.replacen(&format!("{first} "), "imprison-9 ", 1);
    std::fs::write(&file, lie).unwrap();
    refused(&run(&["puzzle", "solve", name]), "line 1");
}

#[test]
fn a_position_is_solved() {
    let solve = |goal: &str, more: &[&str]| {
        let args = ["puzzle", "solve", "--goal", goal, "--position", POSITION];
        run(&[&args, more].concat())
    };
    let text = success(&solve("home-1", &[]));
    assert!(text.contains("t1:tF  w4:w15"), "{text}");
    let json = success(&solve("home-1", &["--json"]));
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["solutions"], 1);
    assert_eq!(value["lines"][0][1], "w4:w15");
    refused(&solve("win", &[]), "cannot be reached");
    refused(&solve("fly", &[]), "goals are");
}

#[test]
fn wrong_arguments_are_refused() {
    refused(&towers("puzzle solve"), "required");
    refused(&towers("puzzle solve /nowhere/puzzles.txt"), "no such file");
    refused(
        &towers("puzzle generate --grade nice"),
        "easy, medium or hard",
    );
    let nonsense = ["puzzle", "solve", "--goal", "win", "--position", "x"];
    refused(&run(&nonsense), "column");
}
