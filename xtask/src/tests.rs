//! All tests, fastest first.

use std::time::Instant;

use anyhow::{Result, ensure};
use xshell::Shell;

use crate::client::{self, BROWSER, PROGRAMS};
use crate::programs::{self, TestProgram};
use crate::{cargo, install, rerun};

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
/// The number of concurrent browser tests, each with one to three browsers.
const BROWSER_TESTS: &str = "--test-threads=2";

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

/// Packages whose tests start servers, one at a time: many of them measure times and memory of the real program.
const SERVERS: [&str; 3] = ["server", "cli", "test-support"];
/// The package of the browser tests.
const BROWSERS: &str = "e2e";
/// Everything but the page, which compiles for the browser only.
const WORKSPACE: [&str; 3] = ["--workspace", "--exclude", "towers-web"];

/// Runs everything and prints the time of each step.
pub fn all(sh: &Shell) -> Result<()> {
    static_checks(sh)?;
    let mut programs = Vec::new();
    step("compiling the tests", || {
        programs = programs::compile(sh, &WORKSPACE)?;
        Ok(())
    })?;
    let is_in = |program: &TestProgram, folders: &[&str]| folders.contains(&program.folder());
    step("native tests, examples and benchmarks", || {
        let others = |p: &&TestProgram| !is_in(p, &SERVERS) && !is_in(p, &[BROWSERS]);
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
    step("tests of server and towers", || {
        install::test_servers(sh)?;
        let _python = sh.push_env("TOWERS_TEST_PYTHON", install::python(sh)?);
        let servers = programs.iter().filter(|p| is_in(p, &SERVERS));
        rerun::twice(sh, servers, &["--test-threads=1"])
    })?;
    step("end-to-end tests", || {
        install::browser(sh)?;
        client::build(sh, client::Build::Shipped)?;
        let browsers = programs.iter().filter(|p| is_in(p, &[BROWSERS]));
        rerun::twice(sh, browsers, &[BROWSER_TESTS])
    })
}

/// Builds the client, and tests it in a real browser against the real program.
pub fn end_to_end(sh: &Shell, build: client::Build, name: Option<&str>) -> Result<()> {
    install::browser(sh)?;
    client::build(sh, build)?;
    cargo(sh, &["build", "--bin", "towers"]).run()?;
    let programs = programs::compile(sh, &["--package", "towers-e2e"])?;
    let mut options = vec![BROWSER_TESTS];
    options.extend(name);
    rerun::twice(sh, programs.iter(), &options)
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
