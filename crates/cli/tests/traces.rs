//! Traces are written for every variant, replayed, and refused if invalid.

mod common;

use std::path::{Path, PathBuf};

use common::{files, folder, refused, run, stderr, stdout, success, towers};

/// One setup of each kind.
const VARIANTS: [&str; 26] = [
    "--players 2",
    "--players 3 --preset abacus-1",
    "--players 4 --preset abacus-2 --policy eager",
    "--players 5 --preset oya --spells all",
    "--players 6 --spells random4 --start random",
    "--players 2 --spells none",
    "--players 3 --may-decline --spells all --policy eager",
    "--players 2 --costs FW=3,AW=1 --spells all --max-rounds 9",
    "--seats r,g,b --start g",
    "--players 4 --teams --spells all",
    "--players 6 --teams --spells all --preset abacus-1 --policy eager",
    "--players 4 --teams --team-end at_once --spells beginner",
    "--players 2 --reactions --spells all",
    "--players 5 --reactions --spells random3 --policy eager",
    "--players 3 --reactions --free-any-time --spells all --policy eager",
    "--players 3 --reactions --spells PB --costs PB=1",
    "--players 4 --teams --reactions --spells all --preset abacus-1 --policy eager",
    "--mode solo",
    "--mode solo --spells AT,PB,FW --policy eager",
    "--mode solo --preset oya --spells random3",
    "--mode solo --solo-refresh --solo-deck renew --max-rounds 40",
    "--set mode=solo --set solo_refresh=true",
    "--set mode=coop --set coop_hands=private --players 3",
    "--mode coop --players 3",
    "--mode coop --players 4 --coop-hands private --spells all --preset oya",
    "--mode coop --players 6 --memory strict --solo-refresh true",
];

fn replay(path: &Path) -> std::process::Output {
    run(&["replay", "--quiet", path.to_str().expect("a path")])
}

#[test]
fn traces_of_every_variant_replay() {
    let folder = folder("variants");
    for (i, variant) in VARIANTS.iter().enumerate() {
        let out = folder.join(format!("{i}.jsonl"));
        let path = out.to_str().expect("a path");
        let written = towers(&format!(
            "trace {variant} --seed {i} --games 2 --out {path}"
        ));
        assert_eq!(
            success(&written),
            "",
            "{variant}: nothing on standard output"
        );
        let followed = replay(&out);
        let said = stdout(&followed);
        assert!(
            said.starts_with("2 games, "),
            "{variant}: {said} {}",
            stderr(&followed)
        );
    }
    assert!(files(&folder).iter().all(|name| !name.contains("part")));
}

#[test]
fn traces_of_another_implementation_replay() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces"));
    let names = files(&folder);
    assert!(names.len() >= 4);
    for name in names {
        let followed = success(&replay(&folder.join(&name)));
        assert!(followed.starts_with("1 game, "), "{name}: {followed}");
    }
}

/// Everything that parses prints back the same: a trace by another implementation is printed unchanged.
#[test]
fn traces_of_another_implementation_are_written_again_to_the_letter() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces"));
    let names = files(&folder);
    assert!(names.len() >= 4);
    for name in names {
        let path = folder.join(&name);
        let given = std::fs::read_to_string(&path).expect("a trace");
        let path = path.to_str().expect("a path");
        let written = success(&run(&["replay", "--trace", path]));
        for (number, (own, given)) in written.lines().zip(given.lines()).enumerate() {
            assert_eq!(own, given, "{name} line {}", number + 1);
        }
        assert_eq!(written, given, "{name}");
    }
}

#[test]
fn the_same_seed_gives_the_same_games_and_another_seed_others() {
    let once = success(&towers("trace --players 3 --seed 5 --games 3"));
    assert_eq!(
        success(&towers("trace --players 3 --seed 5 --games 3")),
        once
    );
    assert_ne!(
        success(&towers("trace --players 3 --seed 6 --games 3")),
        once
    );
    let headers = once
        .lines()
        .filter(|line| line.starts_with("{\"trace\":2,"))
        .count();
    let endings = once
        .lines()
        .filter(|line| line.starts_with("{\"over\":"))
        .count();
    assert_eq!((headers, endings), (3, 3));
    assert!(once.starts_with(&success(&towers("trace --players 3 --seed 5 --games 1"))));
    assert_eq!(success(&towers("trace --games 0")), "");
    let folder = folder("same");
    let out = folder.join("x");
    let to_file = format!(
        "trace --players 3 --seed 5 --games 3 --out {}",
        out.display()
    );
    assert_eq!(success(&towers(&to_file)), "");
    assert_eq!(std::fs::read_to_string(out).expect("it is complete"), once);
}

#[test]
fn a_trace_has_the_documented_form() {
    let text = success(&towers(
        "trace --players 4 --teams --spells random2 --start random --seed 3",
    ));
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    let keys = |value: &serde_json::Value| {
        let object = value.as_object().expect("an object");
        let mut keys: Vec<_> = object.keys().cloned().collect();
        keys.sort();
        keys
    };
    let mut options: Vec<_> = towers_rules::Field::ALL.iter().map(|f| f.name()).collect();
    options.sort_unstable();
    assert_eq!(options.len(), 24);
    assert_eq!(keys(&lines[0]["options"]), options);
    assert_eq!(lines[0]["options"]["spell_setup"], "random");
    assert_eq!(
        keys(&lines[0]).join(" "),
        "options preset seats seed spells start trace"
    );
    let chance = lines[1]["chance"].as_array().expect("a list");
    assert!(chance[0].as_str().is_some_and(|c| c.starts_with("start ")));
    assert!(chance[1].as_str().is_some_and(|c| c.starts_with("spells ")));
    assert_eq!(chance.len(), 2 + 12);
    let state = "active board discard draw final flasks hands home phase round to_act";
    let mut partner = 0;
    for line in &lines[2..lines.len() - 1] {
        assert_eq!(keys(&line["state"]).join(" "), state);
        let legal: Vec<_> = line["legal"].as_array().expect("a list").iter().collect();
        assert!(!legal.is_empty() && legal.iter().map(|a| a.as_str()).is_sorted());
        let mut choices = legal;
        if let Some(out_of_turn) = line.get("partner_legal") {
            partner += 1;
            choices.extend(out_of_turn.as_array().expect("a list"));
        }
        assert!(choices.contains(&&line["do"]));
    }
    assert!(partner > 0);
    let last = lines.last().expect("an end");
    assert_eq!(keys(&last["over"]).join(" "), "why winners");
    let solo = success(&towers("trace --mode solo"));
    assert!(
        solo.lines()
            .last()
            .is_some_and(|l| l.contains("\"score\":"))
    );
}

/// A trace of a short game, as lines.
fn short() -> Vec<String> {
    let text = success(&towers("trace --players 2 --max-rounds 2 --seed 9"));
    text.lines().map(String::from).collect()
}

fn replayed(name: &str, lines: &[String]) -> std::process::Output {
    let path = folder(name).join("trace.jsonl");
    std::fs::write(&path, lines.join("\n")).expect("a file");
    replay(&path)
}

#[test]
fn truncated_traces_are_refused() {
    let lines = short();
    assert!(replayed("whole", &lines).status.success());
    for keep in 1..lines.len() {
        refused(
            &replayed("truncated", &lines[..keep]),
            "the trace ends too early",
        );
    }
    refused(&replayed("nothing", &[]), "the file is empty");
    let mut cut = lines.clone();
    let last = cut.pop().expect("a line");
    cut.push(last[..last.len() / 2].to_string());
    refused(&replayed("cut", &cut), "this is not the end of the game");
    refused(
        &replay(Path::new("no-such-file")),
        "there is no such file or folder",
    );
    let binary = folder("binary").join("x");
    std::fs::write(&binary, [0xFF, 0xFE, 0x00]).expect("a file");
    refused(&replay(&binary), "this is not text");
    refused(&replay(&folder("a-folder")), "a-folder");
}

/// JSON objects have no order, and other programs write their keys in another one.
#[test]
fn the_order_of_keys_means_nothing() {
    let mut lines = short();
    let turned = [
        (
            0,
            r#"{"trace":2,"preset":"capstone""#,
            r#"{"preset":"capstone","trace":2"#,
        ),
        (1, r#""home":{"b":0,"y":0}"#, r#""home":{"y":0,"b":0}"#),
        (
            2,
            r#""flasks":{"b":[5,1,0],"y":[6,0,0]}"#,
            r#""flasks":{"y":[6,0,0],"b":[5,1,0]}"#,
        ),
    ];
    for (line, from, to) in turned {
        assert!(lines[line].contains(from), "no {from}: {}", lines[line]);
        lines[line] = lines[line].replace(from, to);
    }
    let output = replayed("order", &lines);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn tampered_traces_are_refused() {
    let lines = short();
    let tampered = |line: usize, from: &str, to: &str, message: &str| {
        let mut lines = lines.clone();
        assert!(
            lines[line].contains(from),
            "line {line} has no {from}: {}",
            lines[line]
        );
        lines[line] = lines[line].replacen(from, to, 1);
        refused(
            &replayed(
                &format!("tampered-{line}-{message}").replace(['/', ' ', '\''], "-"),
                &lines,
            ),
            message,
        );
    };
    tampered(
        0,
        "\"trace\":2",
        "\"trace\":1",
        "line 1: this trace was written by an earlier version of the program, with other rules",
    );
    tampered(
        0,
        "\"trace\":2",
        "\"trace\":3",
        "line 1: this trace was written by a later version of the program",
    );
    tampered(
        0,
        "\"teams\":false,",
        "",
        "line 1: options/teams: expected false",
    );
    tampered(
        0,
        ",\"max_rounds\":2",
        "",
        "line 1: options/max_rounds: expected null, found nothing",
    );
    tampered(
        1,
        "\"home\":{\"b\":0,",
        "\"home\":{\"b\":0,\"b\":0,",
        "line 2: this is not the opening of a trace: colour b is listed twice",
    );
    tampered(
        0,
        "\"teams\":false",
        "\"teams\":false,\"team\":true",
        "line 1: options/team: expected nothing, found true",
    );
    tampered(
        2,
        "{\"act\":",
        "{\"note\":1,\"act\":",
        "line 3: note: expected nothing, found 1",
    );
    tampered(
        0,
        "\"seats\":[\"b\",\"y\"]",
        "\"seats\":[\"b\"]",
        "2 to 6 players",
    );
    tampered(
        0,
        "\"preset\":\"capstone\"",
        "\"preset\":\"x\"",
        "line 1: this is not the header of a trace",
    );
    tampered(0, "\"AW\":2", "\"AW\":7", "a spell costs 1 to 3 flasks");
    tampered(
        1,
        "\"draw\":84",
        "\"draw\":85",
        "line 2: state/draw: expected 84, found 85",
    );
    tampered(
        1,
        "draw b",
        "draw y",
        "that is not the outcome that is due (R19)",
    );
    tampered(1, "\"*/", "\"-/", "line 2: state/board: expected");
    tampered(2, "\"act\":\"b\"", "\"act\":\"y\"", "line 3:");
    tampered(
        2,
        "\"act\":\"b\"",
        "\"act\":\"g\"",
        "line 3: nobody plays g",
    );
    tampered(
        2,
        "\"do\":\"",
        "\"do\":\"x",
        "line 3: this is not a decision",
    );
    tampered(
        2,
        "\"legal\":[",
        "\"legal\":[\"a\",",
        "line 3: legal: expected",
    );
    tampered(
        2,
        "\"round\":1",
        "\"round\":2",
        "line 3: state/round: expected 1, found 2",
    );
    let last = lines.len() - 1;
    tampered(
        last,
        "\"rounds\"",
        "\"finished\"",
        "over/why: expected \"rounds\", found \"finished\"",
    );
    tampered(last, "[]", "[\"b\"]", "over/winners: expected");
    let mut illegal = lines.clone();
    let action = illegal[2]
        .split("\"do\":\"")
        .nth(1)
        .and_then(|s| s.split('"').next())
        .expect("an action")
        .to_string();
    illegal[2] = illegal[2].replace(&format!("\"do\":\"{action}\""), "\"do\":\"give 3\"");
    refused(
        &replayed("illegal", &illegal),
        "give 3: there are no teams at this table (R12.1)",
    );
    let mut more = lines.clone();
    more.push("{}".into());
    refused(
        &replayed("more", &more),
        "this is not the header of a trace",
    );
    let mut chance = lines.clone();
    chance[2] = chance[2]
        .replacen("\"chance\":[", "\"chance\":[\"roll 3\",", 1)
        .replace("3\",]", "3\"]");
    let output = replayed("chance", &chance);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn replay_shows_the_game() {
    let lines = short();
    let path = folder("show").join("trace.jsonl");
    std::fs::write(&path, lines.join("\n")).expect("a file");
    let shown = success(&run(&["replay", path.to_str().expect("a path")]));
    assert!(
        shown.starts_with("capstone with 2 seats: */Abby/"),
        "{shown}"
    );
    assert_eq!(shown.lines().count(), lines.len());
    assert!(shown.contains("nobody won (Rounds, round 2)"));
    assert!(shown.trim_end().ends_with("all correct"));
}
