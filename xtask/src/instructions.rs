//! Counts the instructions per action of fixed random games, which do not depend on the machine's load.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::cargo;

/// The stored figures.
const BASELINE: &str = "crates/rules/benches/instructions.txt";
/// An increase of more than this is an error.
const MAX_CHANGE_PERCENT: f64 = 3.0;

/// Counts with valgrind and compares with the stored figures, or stores the new ones.
pub fn compare(sh: &Shell, write: bool) -> Result<()> {
    let example = ["--package", "towers-rules", "--example", "fixed_games"];
    cargo(
        sh,
        &[&["build", "--release", "--quiet"][..], &example].concat(),
    )
    .run()?;
    let program = "target/release/examples/fixed_games";
    let before = sh.read_file(BASELINE).unwrap_or_default();
    let mut figures = String::new();
    let mut worse = false;
    for players in ["2", "3", "4", "6"] {
        let actions: f64 = cmd!(sh, "{program} {players}").quiet().read()?.parse()?;
        let tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
        let report = cmd!(sh, "valgrind {tool...} {program} {players}");
        let report = report.quiet().ignore_stdout().read_stderr()?;
        let count = report
            .lines()
            .find_map(|line| line.split_once("Collected :")?.1.trim().parse::<f64>().ok());
        let count = count.context("no instruction count in the output of valgrind")? / actions;
        let _ = writeln!(
            figures,
            "{players} players: {count:.0} instructions per action"
        );
        let old = before.lines().find_map(|line| {
            let number = line.strip_prefix(&format!("{players} players: "))?;
            number.split(' ').next()?.parse::<f64>().ok()
        });
        let change = old.map_or(0.0, |old| (count / old - 1.0) * 100.0);
        println!("{players} players: {count:.0} instructions per action ({change:+.1} %)");
        worse |= change > MAX_CHANGE_PERCENT;
    }
    if write {
        return Ok(sh.write_file(BASELINE, figures)?);
    }
    ensure!(
        !worse,
        "more instructions than in {BASELINE}; if that is intended, run with --write"
    );
    Ok(())
}
