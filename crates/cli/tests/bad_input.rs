//! Wrong input: one line on standard error, exit code 2, no panic, no partial file.

mod common;

use common::{files, folder, refused, run, stdout, success, towers};

#[test]
fn tables_that_cannot_be_played() {
    let table = [
        (
            "--preset kosmos",
            "unknown preset 'kosmos': choose one of capstone, abacus-1, abacus-2, oya",
        ),
        ("--players 7", "2 to 6 players"),
        ("--players 1", "2 to 6 players"),
        ("--players 0", "2 to 6 players"),
        ("--players 18446744073709551615", "2 to 6 players"),
        ("--players 99999999999", "2 to 6 players"),
        ("--players many", "invalid value 'many'"),
        ("--players -1", "unexpected argument '-1'"),
        ("--mode chess", "invalid value 'chess'"),
        ("--mode solo --players 2", "a solo game has 1"),
        (
            "--mode solo --teams",
            "no teams in solo and cooperative games",
        ),
        (
            "--mode coop --players 4 --teams",
            "no teams in solo and cooperative games",
        ),
        (
            "--mode solo --reactions",
            "no reactions in solo and cooperative games",
        ),
        (
            "--mode coop --reactions",
            "no reactions in solo and cooperative games",
        ),
        (
            "--mode solo --preset abacus-1",
            "no solo and no cooperative game",
        ),
        (
            "--mode coop --preset abacus-2",
            "no solo and no cooperative game",
        ),
        ("--teams", "teams need 4 or 6 players"),
        ("--teams --players 5", "teams need 4 or 6 players"),
        ("--spells AW,XX", "'XX' is not a spell"),
        ("--spells AW,AT,AW", "the spell AW is named twice"),
        ("--spells random9", "write random0 to random8"),
        ("--spells random", "write random0 to random8"),
        ("--costs FW=0", "'FW:0' is not a value of costs"),
        ("--costs FW=4", "expected costs of 1 to 3"),
        ("--costs FW=999", "'FW:999' is not a value of costs"),
        ("--costs FW", "'FW' is not a value of costs"),
        ("--costs XX=1", "'XX:1' is not a value of costs"),
        ("--set spell_right=all", "expected shared or each"),
        (
            "--set spell_rite=each",
            "there is no rules field 'spell_rite'",
        ),
        ("--set spell_right", "write FIELD=VALUE"),
        (
            "--preset oya --players 3 --reactions --set spell_right=each",
            "spell_right=each needs spell_time=any (R13.12)",
        ),
        (
            "--preset oya --players 3 --reactions --set free_any_time=true",
            "free_any_time needs spell_time=any (R13.11)",
        ),
        ("--start z", "'z' is not a colour"),
        ("--start g", "the starting player has no seat"),
        ("--seats b,y,b", "the same colour"),
        ("--seats b,x", "'x' is not a colour"),
        ("--seats b,y,r --players 2", "contradict each other"),
        (
            "--mode solo --set mode=coop",
            "mode is given twice, as solo and as coop (R14.1)",
        ),
        ("--set mode=alone", "'alone' is not a value of mode"),
        ("--max-rounds 0", "at least 1"),
        ("--max-rounds 70000", "'70000' is not a value of max_rounds"),
        ("--memory none", "invalid value 'none'"),
        ("--bogus", "unexpected argument '--bogus'"),
        ("--policy greedy", "invalid value 'greedy'"),
        ("--games -3", "unexpected argument '-3'"),
        ("--seed x", "invalid value 'x'"),
    ];
    for (args, message) in table {
        let output = towers(&format!("trace {args}"));
        refused(&output, message);
        assert_eq!(stdout(&output), "", "trace {args}");
    }
    refused(&towers("solo --mode versus"), "choose --mode solo");
    refused(&towers("bench --players 9 --seconds 1"), "2 to 6 players");
    for seconds in ["0", "-1", "NaN", "inf", "99999"] {
        let output = run(&["bench", &format!("--seconds={seconds}")]);
        refused(&output, "--seconds must be more than 0");
    }
}

#[test]
fn there_is_help() {
    refused(&towers("conquer"), "unrecognized subcommand 'conquer'");
    let help = success(&towers("--help"));
    for command in [
        "serve", "trace", "replay", "arena", "solo", "bench", "perft", "puzzle",
    ] {
        let listed = help
            .lines()
            .any(|line| line.split_whitespace().next() == Some(command));
        assert!(listed, "{command} is not in\n{help}");
    }
    assert!(success(&towers("trace --help")).contains("--policy <POLICY>"));
    assert!(success(&towers("--version")).starts_with("towers "));
}

#[test]
fn malformed_positions() {
    let table = [
        ("", "column 1: expected wizards, towers"),
        ("*/A", "column 4: expected '/'"),
        (
            "*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/-",
            "column 32: expected seats",
        ),
        (
            "*/Ab/B/C/D/E/F/G/H/I/-/-/-/-/-/- seats=b,y,r,g,o,p,b",
            "2 to 6 players",
        ),
        (
            "*/Ab/B/C/D/E/F/G/H/I/-/-/-/-/-/- seats=b,y hands=b:w9",
            "column 52: 'w9' is not a card",
        ),
        (
            "*/Abbbbbb/B/C/D/E/F/G/H/I/-/-/-/-/-/- seats=b,y",
            "b has only 5 wizards (R18.2)",
        ),
        ("\u{1F409}", "column 1"),
        (
            "*/Ab/B/C/D/E/F/G/H/I/-/-/-/-/-/- seats=b,y\nphase=turn",
            "unexpected",
        ),
    ];
    for (position, message) in table {
        let output = run(&["perft", "--position", position]);
        refused(&output, message);
        assert_eq!(stdout(&output), "");
    }
    refused(&towers("perft"), "--position");
    refused(
        &run(&["perft", "--position", "*/A", "--depth", "x"]),
        "invalid value 'x'",
    );
}

#[test]
fn no_file_is_left_behind() {
    let folder = folder("no_file");
    let out = folder.join("game.jsonl");
    let path = out.to_str().expect("a path");
    refused(
        &run(&["trace", "--players", "7", "--out", path]),
        "2 to 6 players",
    );
    refused(
        &run(&["trace", "--mode", "solo", "--teams", "--out", path]),
        "no teams",
    );
    assert_eq!(files(&folder), Vec::<String>::new());
    let nowhere = folder.join("nowhere/game.jsonl");
    let output = run(&["trace", "--out", nowhere.to_str().expect("a path")]);
    refused(&output, "there is no such file or folder");
    assert_eq!(files(&folder), Vec::<String>::new());
    // An existing file stays unchanged.
    std::fs::write(&out, "mine").expect("a file");
    refused(
        &run(&["trace", "--players", "7", "--out", path]),
        "2 to 6 players",
    );
    assert_eq!(std::fs::read_to_string(&out).expect("still there"), "mine");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_towers"))
        .args(["trace", "--max-rounds", "1"])
        .stdout(full)
        .output()
        .expect("the binary can be run");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(common::stderr(&output).lines().count(), 1);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for args in ["trace --games 200", "presets", "presets --json", "schema"] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_towers"))
            .args(args.split(' '))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary can be run");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{args}");
        assert_eq!(common::stderr(&output), "", "{args}");
    }
}

#[test]
fn a_record_with_rules_of_before_says_that_an_earlier_version_wrote_it() {
    for record in ["free-any-time", "filled-in-series"] {
        let file = format!(
            "{}/../table/tests/records/{record}.jsonl",
            env!("CARGO_MANIFEST_DIR")
        );
        refused(
            &run(&["replay", "--quiet", &file]),
            "An earlier version of the program wrote it, with other rules",
        );
    }
}
