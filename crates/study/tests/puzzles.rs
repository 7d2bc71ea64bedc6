//! Puzzles: the solver confirms the book, and finds all solutions.

use std::collections::HashSet;

use towers_rules::{Action, Actor, State};
use towers_study::puzzle::{
    Goal, Grade, Puzzle, Unsolvable, book, generate, of_the_day, solve, turn_is_over,
};

#[test]
fn the_solver_confirms_every_puzzle_of_the_book() {
    let book = book();
    assert!(book.len() >= 60, "{}", book.len());
    let mut keys = HashSet::new();
    for puzzle in &book {
        let (own, solved) = Puzzle::of(puzzle.goal, &puzzle.position).unwrap().unwrap();
        assert_eq!(own, *puzzle);
        assert!((1..=3).contains(&puzzle.solutions), "{puzzle}");
        assert_eq!(solved.rolls, 0, "no luck: {puzzle}");
        assert!(keys.insert(puzzle.key()), "twice: {puzzle}");
        for line in &solved.solutions {
            follow(puzzle, line);
        }
    }
    for grade in Grade::ALL {
        assert!(book.iter().filter(|p| p.grade == grade).count() >= 10);
    }
    for family in ["home", "imprison", "free", "win"] {
        let of = |p: &&Puzzle| p.goal.to_string().starts_with(family);
        assert!(book.iter().filter(of).count() >= 5, "{family}");
    }
    assert!(book.is_sorted_by_key(|p| p.grade));
}

/// Plays a line by the rules and checks where it ends.
fn follow(puzzle: &Puzzle, line: &[Action]) {
    let start = puzzle.state().unwrap();
    let mut state = start;
    for &action in line {
        assert!(!turn_is_over(&start, &state));
        state.apply(start.active(), action).unwrap();
    }
    assert!(turn_is_over(&start, &state));
    assert!(puzzle.goal.is_reached(&start, &state), "{puzzle}");
}

const SIMPLE: &str = "-/-/-/*/y/b/-/-/-/-/A/B/C/D/E/bFGHI seats=b,y memory=assisted spells=AW hands=b:t1,w4,w5 flasks=b:3/2/1";

#[test]
fn the_solver_finds_the_only_way_home() {
    // From 15 to the castle on 3 are four spaces, but a tower has to be lifted off first: t1 with F, then w4.
    let state = SIMPLE.parse::<State>().unwrap();
    let solved = solve(&state, Goal::Home(1)).unwrap();
    let lines: Vec<String> = solved
        .solutions
        .iter()
        .map(|l| {
            l.iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(lines, ["t1:tF w4:w15"]);
    assert!(solve(&state, Goal::Win).unwrap().solutions.is_empty());
}

#[test]
fn freeing_means_that_nobody_else_is_freed_and_nobody_is_caught() {
    let free = |position: &str| {
        let solved = solve(&position.parse::<State>().unwrap(), Goal::Free).unwrap();
        solved.solutions.len()
    };
    let hand = "seats=b,y memory=assisted hands=b:t1,t1";
    let alone = format!("*/-/bA/-/-/B/C/D/E/F/G/H/I/-/-/- {hand}");
    assert!(free(&alone) > 0);
    let together = format!("*/-/byA/-/-/B/C/D/E/F/G/H/I/-/-/- {hand}");
    assert_eq!(free(&together), 0, "yellow would come free, too");
}

#[test]
fn the_solver_does_not_count_on_dice() {
    let text = SIMPLE.replace("t1,w4,w5", "w?t?");
    let solved = solve(&text.parse::<State>().unwrap(), Goal::Home(1)).unwrap();
    assert!(solved.solutions.is_empty() && solved.rolls > 0);
}

#[test]
fn the_solver_refuses_turns_in_which_others_decide() {
    let reactions = SIMPLE.replace("memory=assisted", "reactions memory=assisted");
    let refused = solve(&reactions.parse::<State>().unwrap(), Goal::Win);
    assert!(
        matches!(refused, Err(Unsolvable::NotOneTurn)),
        "{refused:?}"
    );
}

#[test]
fn a_puzzle_is_written_and_read_again() {
    assert!(book().len() >= 40);
    for puzzle in book() {
        assert_eq!(puzzle.to_string().parse::<Puzzle>(), Ok(puzzle));
    }
    for (wrong, reason) in [
        ("", "expected ' | '"),
        ("home-1 easy 1 1", "expected ' | '"),
        ("home-1 easy 1 | x", "expected goal, grade"),
        ("home-0 easy 1 1 | x", "goals are home-1 to home-5"),
        ("win nice 1 1 | x", "unknown grade"),
        ("win easy x 1 | x", "invalid number"),
    ] {
        let error = wrong.parse::<Puzzle>().unwrap_err().to_string();
        assert!(error.contains(reason), "{wrong}: {error}");
    }
    assert!("home-01".parse::<Goal>().is_err());
}

#[test]
fn every_day_has_a_different_solvable_puzzle() {
    let days = ["2026-11-15", "2026-11-16", "2027-02-28"];
    let puzzles: Vec<Puzzle> = days.iter().map(|d| of_the_day(d).unwrap()).collect();
    for (day, puzzle) in days.iter().zip(&puzzles) {
        assert_eq!(of_the_day(day).as_ref(), Some(puzzle));
        let (own, solved) = Puzzle::of(puzzle.goal, &puzzle.position).unwrap().unwrap();
        assert_eq!(own, *puzzle);
        solved
            .solutions
            .iter()
            .for_each(|line| follow(puzzle, line));
    }
    assert_eq!(
        puzzles
            .iter()
            .map(Puzzle::key)
            .collect::<HashSet<_>>()
            .len(),
        3
    );
}

#[test]
fn generated_positions_ask_the_active_player() {
    let puzzles =
        (0..6).flat_map(|seed| generate(seed, towers_study::puzzle::PuzzleFilter::default()));
    let mut seen = 0;
    for puzzle in puzzles {
        let state = puzzle.state().unwrap();
        assert_eq!(state.actor(), Actor::Player(state.active()));
        assert_eq!(state.to_string(), puzzle.position);
        seen += 1;
    }
    assert!(seen > 0, "no puzzle was generated");
}
