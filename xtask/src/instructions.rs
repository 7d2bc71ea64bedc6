//! Counts the instructions per action of fixed random games, which do not depend on the machine's load.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::cargo;

/// The stored figures.
const BASELINE: &str = "crates/rules/benches/instructions.txt";
/// An increase of more than this is an error.
const MAX_CHANGE_PERCENT: f64 = 3.0;

/// The games of the example `fixed_games`, with their arguments.
const GAMES: [(&str, &[&str]); 5] = [
    ("2 players", &["2"]),
    ("3 players", &["3"]),
    ("4 players", &["4"]),
    ("6 players", &["6"]),
    ("3 players with reactions", &["3", "reactions"]),
];

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
    for (name, arguments) in GAMES {
        let actions: f64 = cmd!(sh, "{program} {arguments...}")
            .quiet()
            .read()?
            .parse()?;
        let tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
        let report = cmd!(sh, "valgrind {tool...} {program} {arguments...}");
        let report = report.quiet().ignore_stdout().read_stderr()?;
        let count = report
            .lines()
            .find_map(|line| line.split_once("Collected :")?.1.trim().parse::<f64>().ok());
        let count = count.context("no instruction count in the output of valgrind")? / actions;
        let _ = writeln!(figures, "{name}: {count:.0} instructions per action");
        let old = before.lines().find_map(|line| {
            let number = line.strip_prefix(&format!("{name}: "))?;
            number.split(' ').next()?.parse::<f64>().ok()
        });
        let change = old.map_or(0.0, |old| (count / old - 1.0) * 100.0);
        println!("{name}: {count:.0} instructions per action ({change:+.1} %)");
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
