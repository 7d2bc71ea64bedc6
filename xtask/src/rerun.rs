//! Runs tests of real programs, browsers and networks. A test that fails runs once more, when the others are done: on a
//! disturbed machine a process can take longer than a test waits. Tests that pass only then are reported by name.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use xshell::Shell;

use crate::cargo;

/// Runs `cargo test` for some packages, with options for the test programs.
pub fn test(sh: &Shell, packages: &[&str], options: &[&str]) -> Result<()> {
    let first = run(sh, packages, options)?;
    if first.success {
        return Ok(());
    }
    let failed = first.failed()?;
    eprintln!("failed, running once more: {}", failed.join(", "));
    let names: Vec<&str> = failed.iter().map(String::as_str).collect();
    let second = run(sh, packages, &[&["--exact"], &names[..]].concat())?;
    ensure!(
        second.success && second.passed() >= names.len(),
        "failed twice: {}",
        second.failed().unwrap_or(failed).join(", ")
    );
    eprintln!("UNSTABLE, passed the second time: {}", failed.join(", "));
    Ok(())
}

fn run(sh: &Shell, packages: &[&str], options: &[&str]) -> Result<Run> {
    let args = ["test", "--no-fail-fast"];
    let mut command: Command = cargo(sh, &[&args, packages, &["--"], options].concat()).into();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take().context("the output is piped")?;
    let mut lines = Vec::new();
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        println!("{line}");
        lines.push(line);
    }
    let success = child.wait()?.success();
    Ok(Run { success, lines })
}

/// The output of `cargo test`.
struct Run {
    success: bool,
    lines: Vec<String>,
}

impl Run {
    /// The names of all tests that failed. An error if something else failed: a compiler, or a test program that crashed.
    fn failed(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        // The list of names is the last one before the result; the output of the tests comes before it.
        let mut list = Vec::new();
        let (mut begun, mut ended, mut count) = (0, 0, 0);
        for line in &self.lines {
            if line == "failures:" {
                list.clear();
            } else if let Some(name) = line.strip_prefix("    ") {
                list.push(name.to_owned());
            } else if line.starts_with("running ") {
                begun += 1;
            } else if line.starts_with("test result: ") {
                ended += 1;
                let failed = tests(line, "failed");
                count += failed;
                if failed > 0 {
                    names.append(&mut list);
                }
            }
        }
        if names.is_empty() || begun != ended || count != names.len() {
            bail!("not only tests failed: see above");
        }
        Ok(names)
    }

    fn passed(&self) -> usize {
        let results = self.lines.iter().filter(|l| l.starts_with("test result: "));
        results.map(|line| tests(line, "passed")).sum()
    }
}

/// The number before this word in the result of a test program.
fn tests(result: &str, word: &str) -> usize {
    let words: Vec<&str> = result.split([' ', ';', '.']).collect();
    let at = words.iter().position(|w| *w == word);
    let number = at.and_then(|at| words.get(at.checked_sub(1)?)?.parse().ok());
    number.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Run;

    fn output(text: &str) -> Run {
        Run {
            success: false,
            lines: text.lines().map(Into::into).collect(),
        }
    }

    const FAILED: &str = "running 3 tests
test a::one ... ok
test a::two ... FAILED
test three ... FAILED

failures:

---- a::two stdout ----
    indented output
failures:
    a::two
    three

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
running 1 test
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s";

    #[test]
    fn failed_tests_are_found_by_name() {
        let run = output(FAILED);
        assert_eq!(run.failed().unwrap(), ["a::two", "three"]);
        assert_eq!(run.passed(), 2);
    }

    #[test]
    fn a_program_that_crashed_is_no_failed_test() {
        assert!(
            output(&format!("{FAILED}\nrunning 2 tests\n"))
                .failed()
                .is_err()
        );
        assert!(output("").failed().is_err());
    }
}
