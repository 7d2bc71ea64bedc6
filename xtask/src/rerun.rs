//! Runs tests of real programs, browsers and networks. A test that fails runs once more, when the others are done: on a
//! disturbed machine a process can take longer than a test waits. Tests that pass only then are reported by name.

use anyhow::{Result, bail, ensure};
use xshell::Shell;

use crate::programs::{Output, TestProgram};

/// The tests that failed so far.
#[derive(Default)]
pub struct Failures<'a>(Vec<(&'a TestProgram, Vec<String>)>);

impl<'a> Failures<'a> {
    /// Runs test programs with options and collects the tests that fail.
    pub fn collect(
        &mut self,
        sh: &Shell,
        programs: &[&'a TestProgram],
        options: &[&str],
    ) -> Result<()> {
        for program in programs {
            let output = program.run(sh, options)?;
            if !output.success {
                self.0.push((program, failed_tests(&output)?));
            }
        }
        Ok(())
    }

    /// Runs them once more, one at a time. An error names all tests that failed again, of all programs.
    pub fn run_again(self, sh: &Shell) -> Result<()> {
        let mut failed_twice = Vec::new();
        for (program, names) in self.0 {
            eprintln!("failed, running once more: {}", names.join(", "));
            let mut options = vec!["--exact", "--test-threads=1"];
            options.extend(names.iter().map(String::as_str));
            let (failed, passed) = second_result(names.clone(), &program.run(sh, &options)?);
            if !passed.is_empty() {
                eprintln!("UNSTABLE, passed the second time: {}", passed.join(", "));
            }
            failed_twice.extend(failed);
        }
        ensure!(
            failed_twice.is_empty(),
            "failed twice: {}",
            failed_twice.join(", ")
        );
        Ok(())
    }
}

/// The tests that failed again, and those that passed. If the program crashed or did not run all of them, all count as
/// failed.
fn second_result(names: Vec<String>, output: &Output) -> (Vec<String>, Vec<String>) {
    if output.success && passed(output) >= names.len() {
        return (Vec::new(), names);
    }
    match failed_tests(output) {
        Ok(failed) if failed.len() + passed(output) >= names.len() => {
            names.into_iter().partition(|name| failed.contains(name))
        }
        _ => (names, Vec::new()),
    }
}

/// The names of all tests that failed. An error if the program crashed.
fn failed_tests(output: &Output) -> Result<Vec<String>> {
    // The list of names is the last one before the result; the output of the tests comes before it.
    let mut list = Vec::new();
    let mut count = None;
    for line in &output.lines {
        if line == "failures:" {
            list.clear();
        } else if let Some(name) = line.strip_prefix("    ") {
            list.push(name.to_owned());
        } else if line.starts_with("test result: ") {
            count = Some(tests(line, "failed"));
        }
    }
    if list.is_empty() || count != Some(list.len()) {
        bail!("a test program crashed: see above");
    }
    Ok(list)
}

fn passed(output: &Output) -> usize {
    let results = output
        .lines
        .iter()
        .filter(|l| l.starts_with("test result: "));
    results.map(|line| tests(line, "passed")).sum()
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
    use super::*;

    fn output(text: &str) -> Output {
        Output {
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
";
    const RESULT: &str = "
test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s";

    #[test]
    fn failed_tests_are_found_by_name() {
        let output = output(&format!("{FAILED}{RESULT}"));
        assert_eq!(failed_tests(&output).unwrap(), ["a::two", "three"]);
        assert_eq!(passed(&output), 1);
    }

    #[test]
    fn the_second_run_tells_which_tests_failed_again() {
        let names = || ["a::two", "three", "four"].map(String::from).to_vec();
        let (failed, passed) = second_result(names(), &output(&format!("{FAILED}{RESULT}")));
        assert_eq!(
            (failed, passed),
            (names()[..2].to_vec(), names()[2..].to_vec())
        );
        let crashed = second_result(names(), &output(FAILED));
        assert_eq!(crashed, (names(), Vec::new()));
        let success = Output {
            success: true,
            ..output("test result: ok. 3 passed; 0 failed; 0 ignored")
        };
        assert_eq!(second_result(names(), &success), (Vec::new(), names()));
        let none_ran = Output {
            success: true,
            ..output("test result: ok. 0 passed; 0 failed; 0 ignored")
        };
        assert_eq!(second_result(names(), &none_ran), (names(), Vec::new()));
    }

    #[test]
    fn a_program_that_crashed_is_no_failed_test() {
        for text in [FAILED, ""] {
            let why = failed_tests(&output(text)).unwrap_err().to_string();
            assert_eq!(why, "a test program crashed: see above");
        }
    }
}
