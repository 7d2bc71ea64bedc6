//! Instructions per action of fixed random games: the same on a noisy machine as on a quiet one.

use std::fmt::Write as _;

use crate::run::{Done, cargo, command, output, root, run};

/// Where the figures are kept that a new count is compared with.
const BASELINE: &str = "crates/rules/benches/instructions.txt";
/// A change of more than this many percent is worth a look.
const WORTH_A_LOOK: f64 = 3.0;

/// Counts with valgrind and compares with what was counted before, or keeps the new figures.
pub fn compare(write: bool) -> Done {
    run(&mut cargo(&[
        "build",
        "--release",
        "--quiet",
        "-p",
        "rules",
        "--example",
        "fixed_games",
    ]))?;
    let program = root().join("target/release/examples/fixed_games");
    let program = program.to_string_lossy();
    let before = std::fs::read_to_string(root().join(BASELINE)).unwrap_or_default();
    let mut figures = String::new();
    let mut worse = false;
    for players in ["2", "3", "4", "6"] {
        let (actions, _) = output(&mut command(&program, &[players]))?;
        let actions: f64 = actions
            .trim()
            .parse()
            .map_err(|_| format!("'{actions}' is not a number"))?;
        let tool = [
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            &program,
            players,
        ];
        let (_, said) = output(&mut command("valgrind", &tool))?;
        let count = said
            .lines()
            .find_map(|line| line.split_once("Collected :")?.1.trim().parse::<f64>().ok());
        let count = count.ok_or("valgrind did not say how many instructions it counted")? / actions;
        let _ = writeln!(
            figures,
            "{players} players: {count:.0} instructions per action"
        );
        let old = before.lines().find_map(|line| {
            line.strip_prefix(&format!("{players} players: "))?
                .split(' ')
                .next()?
                .parse::<f64>()
                .ok()
        });
        let change = old.map_or(0.0, |old| (count / old - 1.0) * 100.0);
        println!("{players} players: {count:.0} instructions per action ({change:+.1} %)");
        worse |= change > WORTH_A_LOOK;
    }
    if write {
        return std::fs::write(root().join(BASELINE), figures)
            .map_err(|e| format!("{BASELINE}: {e}"));
    }
    if worse {
        Err(format!(
            "more instructions than {BASELINE} says; if that is meant, run with --write"
        ))
    } else {
        Ok(())
    }
}
