//! All tests, fastest first.

use std::time::Instant;

use anyhow::{Result, ensure};
use xshell::Shell;

use crate::client::{self, BROWSER, Compilation, PROGRAMS};
use crate::programs::{self, TestProgram};
use crate::rerun::Failures;
use crate::{cargo, install};

/// Packages whose tests need neither browser nor database. Those of the server and of `towers` start a `PostgreSQL`.
const NATIVE: [&str; 8] = [
    "towers-art",
    "towers-bots",
    "towers-client",
    "towers-rules",
    "towers-study",
    "towers-table",
    "towers-worker",
    "xtask",
];
/// Packages that can be published.
const PUBLISHED: [&str; 3] = ["towers-bots", "towers-rules", "towers-table"];

/// How tests of real programs run.
struct Group {
    /// The folders of their packages.
    packages: &'static [&'static str],
    /// The number of concurrent tests.
    threads: &'static str,
    /// Tests that measure time or memory, by a part of their names. They run one at a time, after the others.
    measuring: &'static [&'static str],
}

/// Tests that start servers. Most of their time they wait.
const SERVERS: Group = Group {
    packages: &["server", "cli", "test-support"],
    threads: "--test-threads=4",
    measuring: &[
        "alarms::",
        "cluster::",
        "fair_bots::sixty_tables_of_masters",
        "hostile::who_does_not_read",
        "idle::",
        "nodes::nobody_waits_long",
        "nodes::when_the_database_restarts",
        "packets::",
        "postgres::connections::",
        "records::readers_who_never_read",
        "silence::",
    ],
};

/// Tests in a browser, each with one to three windows.
const BROWSERS: Group = Group {
    packages: &["e2e"],
    threads: "--test-threads=2",
    measuring: &["newcomers::", "stutter::"],
};

impl Group {
    fn has(&self, program: &TestProgram) -> bool {
        self.packages.contains(&program.folder())
    }

    fn of<'a>(&self, programs: &'a [TestProgram]) -> Vec<&'a TestProgram> {
        programs.iter().filter(|p| self.has(p)).collect()
    }

    /// The options for the tests that run at the same time.
    fn concurrent(&self) -> Vec<&str> {
        let skip = self.measuring.iter().flat_map(|name| ["--skip", name]);
        [self.threads].into_iter().chain(skip).collect()
    }

    /// The options for the tests that run alone.
    fn alone(&self) -> Vec<&str> {
        [&["--test-threads=1"], self.measuring].concat()
    }
}

/// Checks format, lints and documentation, and runs native tests.
pub fn check(sh: &Shell) -> Result<()> {
    static_checks(sh)?;
    step("native tests", || native(sh))
}

fn static_checks(sh: &Shell) -> Result<()> {
    step("format", || {
        Ok(cargo(sh, &["fmt", "--all", "--check"]).run()?)
    })?;
    step("lints", || lint(sh))?;
    step("documentation", || document(sh))
}

/// Everything but the page, which compiles for the browser only.
const WORKSPACE: [&str; 3] = ["--workspace", "--exclude", "towers-web"];

/// Runs everything and prints the time of each step.
pub fn all(sh: &Shell) -> Result<()> {
    static_checks(sh)?;
    let mut programs = Vec::new();
    step("compiling the tests", || {
        let tests = ["test", "--no-run", "--all-targets"];
        programs = programs::compile(sh, &[&tests[..], &WORKSPACE].concat())?;
        Ok(())
    })?;
    step("native tests, examples and benchmarks", || {
        let others = |p: &&TestProgram| !SERVERS.has(p) && !BROWSERS.has(p);
        for program in programs.iter().filter(others) {
            let quiet: &[&str] = if program.is_benchmark() {
                &[]
            } else {
                &["--quiet"]
            };
            ensure!(program.run(sh, quiet)?.success, "a test failed: see above");
        }
        let documentation = ["test", "--quiet", "--doc"];
        Ok(cargo(sh, &[&documentation[..], &WORKSPACE].concat()).run()?)
    })?;
    let mut failures = Failures::default();
    let servers = SERVERS.of(&programs);
    install::test_servers(sh)?;
    let _python = sh.push_env("TOWERS_TEST_PYTHON", install::python(sh)?);
    step("tests of servers, and the shipped client", || {
        // These tests mostly wait, and the last step of the compiler uses one processor.
        let client = Compilation::start(sh, client::Build::Shipped);
        failures.collect(sh, &servers, &SERVERS.concurrent())?;
        client.finish()
    })?;
    step("tests of servers that measure", || {
        failures.collect(sh, &servers, &SERVERS.alone())?;
        failures.run_again(sh)
    })?;
    step("end-to-end tests", || {
        install::browser(sh)?;
        browser_tests(sh, &BROWSERS.of(&programs))
    })
}

/// Builds the client, and tests it in a real browser against the real program.
pub fn end_to_end(sh: &Shell, build: client::Build, name: Option<&str>) -> Result<()> {
    install::browser(sh)?;
    let client = Compilation::start(sh, build);
    let tests = ["build", "--bin", "towers", "--test", "browser"];
    let programs = programs::compile(sh, &[&tests[..], &WORKSPACE].concat())?;
    client.finish()?;
    let browsers = BROWSERS.of(&programs);
    let Some(name) = name else {
        return browser_tests(sh, &browsers);
    };
    let mut failures = Failures::default();
    failures.collect(sh, &browsers, &[BROWSERS.threads, name])?;
    failures.run_again(sh)
}

fn browser_tests(sh: &Shell, browsers: &[&TestProgram]) -> Result<()> {
    let mut failures = Failures::default();
    failures.collect(sh, browsers, &BROWSERS.concurrent())?;
    failures.collect(sh, browsers, &BROWSERS.alone())?;
    failures.run_again(sh)
}

fn native(sh: &Shell) -> Result<()> {
    let mut args = vec!["test", "--quiet"];
    for package in NATIVE {
        args.extend(["--package", package]);
    }
    Ok(cargo(sh, &args).run()?)
}

fn lint(sh: &Shell) -> Result<()> {
    let deny = ["--quiet", "--", "--deny", "warnings"];
    let native = ["clippy", "--workspace", "--all-targets"];
    cargo(
        sh,
        &[&native[..], &["--exclude", "towers-web"], &deny].concat(),
    )
    .run()?;
    // The page compiles for the browser only.
    install::target(sh, BROWSER)?;
    let mut browser = vec!["clippy", "--target", BROWSER, "--target-dir", "target/wasm"];
    for program in PROGRAMS {
        browser.extend(["--package", program]);
    }
    Ok(cargo(sh, &[&browser[..], &deny].concat()).run()?)
}

/// Builds the documentation of the published crates without warnings.
fn document(sh: &Shell) -> Result<()> {
    let mut args = vec!["doc", "--quiet", "--no-deps", "--all-features"];
    for package in PUBLISHED {
        args.extend(["--package", package]);
    }
    let deny = "--deny warnings";
    Ok(cargo(sh, &args).env("RUSTDOCFLAGS", deny).run()?)
}

fn step(name: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    run()?;
    eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f32());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// All Rust sources below a folder, as one text.
    fn sources(folder: &Path) -> String {
        let entries = folder.read_dir().expect("the folder exists").flatten();
        let texts = entries.map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                sources(&path)
            } else if path.extension().is_some_and(|e| e == "rs") {
                std::fs::read_to_string(&path).expect("sources are text")
            } else {
                String::new()
            }
        });
        texts.collect()
    }

    /// A misspelt name would let a test that measures run among others.
    #[test]
    fn every_test_that_measures_exists() {
        for group in [SERVERS, BROWSERS] {
            let crates = crate::root().join("crates");
            let folders = group.packages.iter().flat_map(|package| {
                ["src", "tests"].map(|folder| crates.join(package).join(folder))
            });
            let text: String = folders
                .filter(|f| f.exists())
                .map(|f| sources(&f))
                .collect();
            for name in group.measuring {
                let found = match name.strip_suffix("::") {
                    Some(module) => {
                        let module = module.rsplit("::").next().unwrap_or(module);
                        text.contains(&format!("mod {module};"))
                    }
                    None => {
                        let test = name.rsplit("::").next().unwrap_or(name);
                        text.contains(&format!("fn {test}"))
                    }
                };
                assert!(found, "no test is called {name}");
            }
        }
    }
}
