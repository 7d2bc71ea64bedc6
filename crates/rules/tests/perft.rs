//! Perft files: positions with the number of positions at each depth. A file has comments that say what is tricky, a
//! position, and lines with a depth and a count.

mod common;

use common::universe::universe;
use towers_rules::perft::{divide, perft};
use towers_rules::{Action, Actor, State};

/// A position of a file.
struct PerftEntry {
    place: String,
    state: State,
    counts: Vec<(u32, u64)>,
}

fn entries() -> Vec<PerftEntry> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perft");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of perft files")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let mut entries: Vec<PerftEntry> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text file");
        let mut commented = false;
        for (number, line) in text.lines().enumerate() {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let place = format!("{name} line {}", number + 1);
            if line.starts_with('#') {
                commented = true;
            } else if line.contains('/') {
                assert!(commented, "{place}: say first what is tricky");
                let state = line
                    .parse::<State>()
                    .unwrap_or_else(|e| panic!("{place}: {e}"));
                assert_eq!(state.to_string(), line, "{place}");
                entries.push(PerftEntry {
                    place,
                    state,
                    counts: Vec::new(),
                });
                commented = false;
            } else if let Some((depth, count)) = line.split_once(' ') {
                let entry = entries.last_mut().expect("a position comes first");
                let number = |n: &str| n.parse().unwrap_or_else(|_| panic!("{place}: '{n}'"));
                entry.counts.push((number(depth) as u32, number(count)));
            }
        }
    }
    assert!(entries.len() >= 40);
    entries
}

#[test]
fn perft_files_are_right() {
    for PerftEntry {
        place,
        state,
        counts,
    } in entries()
    {
        assert!(!counts.is_empty(), "{place} has no numbers");
        for (depth, count) in counts {
            assert_eq!(perft(&state, depth), count, "{place}, depth {depth}");
            let sum: u64 = divide(&state, depth).iter().map(|(_, n)| n).sum();
            assert_eq!(sum, count, "{place}, depth {depth}");
        }
    }
}

/// Counts without the list of legal actions: tries every action.
fn count_by_trying(state: &State, depth: u32, all: &[Action]) -> u64 {
    match state.actor() {
        Actor::Nobody => 1,
        Actor::Chance => {
            let follow = |chance| {
                let mut after = *state;
                after.apply_chance(chance).expect("it was listed");
                count_by_trying(&after, depth, all)
            };
            let outcomes = state.chance_outcomes();
            outcomes.into_iter().map(|(c, _)| follow(c)).sum()
        }
        Actor::Player(_) if depth == 0 => 1,
        Actor::Player(seat) => {
            let follow = |&action: &Action| {
                let mut after = *state;
                after.apply(seat, action).ok()?;
                Some(count_by_trying(&after, depth - 1, all))
            };
            all.iter().filter_map(follow).sum()
        }
    }
}

#[test]
fn trying_every_action_out_gives_the_same_numbers() {
    let all = universe();
    for PerftEntry {
        place,
        state,
        counts,
    } in entries()
    {
        for (depth, count) in counts.into_iter().filter(|(_, count)| *count < 1000) {
            assert_eq!(
                count_by_trying(&state, depth, &all),
                count,
                "{place}, depth {depth}"
            );
        }
    }
}

#[test]
fn the_end_and_depth_zero_count_as_one() {
    let over = str::parse::<State>(
        "*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/- seats=b,y flasks=b:0/6/0 phase=over why=finished",
    )
    .expect("a position");
    assert_eq!((perft(&over, 0), perft(&over, 5)), (1, 1));
    assert!(divide(&over, 3).is_empty());
    let opening = towers_rules::examples::opening();
    assert_eq!(perft(&opening, 0), 1);
    assert!(divide(&opening, 0).is_empty());
}
