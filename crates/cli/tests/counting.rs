//! `perft` and `bench`.

mod common;

use common::{run, success, towers};

/// A file of positions with their perft counts.
const FILE: &str = include_str!("../../rules/tests/perft/solo.perft");

/// The first position of the file.
fn first() -> &'static str {
    let position = FILE.lines().find(|line| line.contains('/'));
    position.expect("a position")
}

/// The count of that position at a depth.
fn count(depth: u32) -> String {
    let begin = format!("{depth} ");
    let count = FILE.lines().find_map(|line| line.strip_prefix(&begin));
    count.expect("a count").into()
}

fn perft(position: &str, args: &str) -> String {
    let mut all = vec!["perft", "--position", position];
    all.extend(args.split_whitespace());
    success(&run(&all))
}

#[test]
fn perft_counts() {
    assert_eq!(perft(first(), "--depth 0"), "1\n");
    for depth in 1..=3 {
        let text = perft(first(), &format!("--depth {depth}"));
        assert_eq!(text.trim(), count(depth));
    }
    assert_eq!(
        perft(first(), "").trim(),
        count(2),
        "depth 2 unless it is said"
    );
}

#[test]
fn perft_divides() {
    let text = perft(first(), "--depth 1 --divide");
    assert_eq!(text.lines().last(), Some(count(1).as_str()));
    let sum: u64 = text
        .lines()
        .filter_map(|line| line.trim().split_once(' '))
        .map(|(_, n)| n.parse::<u64>().expect("a number"))
        .sum();
    assert_eq!(sum.to_string(), count(1));
    assert!(text.contains("t2:tA 1"), "{text}");
}

#[test]
fn perft_as_json() {
    let json = |args: &str| -> serde_json::Value {
        serde_json::from_str(&perft(first(), args)).expect("JSON")
    };
    let plain = json("--depth 1 --json");
    assert_eq!(plain["depth"], 1);
    assert_eq!(plain["nodes"].to_string(), count(1));
    assert!(plain.get("divide").is_none());
    let divided = json("--depth 1 --json --divide");
    assert_eq!(divided["divide"]["t2:tA"], 1);
    assert_eq!(divided["nodes"], plain["nodes"]);
}

#[test]
fn perft_begins_with_chance_or_the_end_too() {
    let rolling = "*/-/-/b/-/-/-/-/-/y/ABCDEFGHI/-/-/-/-/- seats=b,y hands=b:w1,w2;y:w1,w2,w3 \
        discard=w?? phase=rolling played=1 rolls=1 card=w??";
    assert_eq!(perft(rolling, "--depth 0"), "6\n");
    // Six rolls: move the one wizard, or reroll and have six rolls again.
    assert_eq!(perft(rolling, "--depth 1"), "42\n");
    let over = "*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/- seats=b,y flasks=b:0/6/0 phase=over why=finished";
    assert_eq!(perft(over, "--depth 3"), "1\n");
}

#[test]
fn bench_measures() {
    let text = success(&towers("bench --seconds 0.05 --players 3"));
    assert!(text.contains("million actions per second") && text.contains("bytes"));
    let json: serde_json::Value =
        serde_json::from_str(&success(&towers("bench --seconds 0.05 --json --mode solo")))
            .expect("JSON");
    for key in [
        "actions_per_sec",
        "games_per_sec",
        "actions_per_game",
        "legal_actions_mean",
        "state_bytes",
        "seconds",
    ] {
        assert!(json[key].as_f64().is_some_and(|n| n > 0.0), "{key}");
    }
    assert!(json["state_bytes"].as_u64().is_some_and(|n| n <= 256));
}
