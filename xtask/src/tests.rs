//! All tests, fastest first.

use std::time::Instant;

use anyhow::{Result, ensure};
use xshell::Shell;

use crate::client::{self, BROWSER, Compilation, PROGRAMS};
use crate::groups::{BROWSERS, SERVERS};
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
/// Packages that compile without serde.
const WITHOUT_FEATURES: [&str; 2] = ["towers-rules", "towers-bots"];
/// Packages that can be published.
const PUBLISHED: [&str; 3] = ["towers-bots", "towers-rules", "towers-table"];

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

/// Runs everything and prints the time of each step.
pub fn all(sh: &Shell) -> Result<()> {
    static_checks(sh)?;
    let mut programs = Vec::new();
    step("compiling the tests", || {
        let tests = ["test", "--locked", "--no-run", "--all-targets"];
        programs = programs::compile(sh, &tests)?;
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
        Ok(cargo(sh, &["test", "--quiet", "--doc"]).run()?)
    })?;
    step("packages", || package(sh))?;
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
    let programs = programs::compile(sh, &tests)?;
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

/// Lints the workspace, and at the same time the page, which compiles for the browser only and has a target folder of its
/// own.
fn lint(sh: &Shell) -> Result<()> {
    install::target(sh, BROWSER)?;
    let deny = ["--quiet", "--", "--deny", "warnings"];
    let mut browser = vec!["clippy", "--target", BROWSER, "--target-dir", "target/wasm"];
    for program in PROGRAMS {
        browser.extend(["--package", program]);
    }
    let other = sh.clone();
    let browser = [&browser[..], &deny].concat();
    let browser = std::thread::spawn(move || cargo(&other, &browser).run());
    let native = ["clippy", "--all-targets"];
    cargo(sh, &[&native[..], &deny].concat()).run()?;
    // Other crates switch these features on for the whole workspace.
    for package in WITHOUT_FEATURES {
        let bare = [
            "clippy",
            "--package",
            package,
            "--lib",
            "--no-default-features",
        ];
        cargo(sh, &[&bare[..], &deny].concat()).run()?;
    }
    Ok(browser.join().expect("errors are returned")?)
}

/// Builds the documentation without warnings: of the published crates as it is published, of the others with private
/// items.
fn document(sh: &Shell) -> Result<()> {
    let doc = ["doc", "--quiet", "--no-deps"];
    let private = "--document-private-items";
    let mut published = [&doc[..], &["--all-features"]].concat();
    let workspace = ["--workspace", "--exclude", PROGRAMS[0]];
    let mut others = [&doc[..], &[private], &workspace].concat();
    for package in PUBLISHED {
        published.extend(["--package", package]);
        others.extend(["--exclude", package]);
    }
    let mut page = [&doc[..], &[private, "--target-dir", "target/wasm"]].concat();
    page.extend(["--target", BROWSER, "--package", PROGRAMS[0]]);
    let deny = "--deny warnings";
    cargo(sh, &published).env("RUSTDOCFLAGS", deny).run()?;
    let deny = "--deny warnings --allow rustdoc::private_intra_doc_links";
    for args in [others, page] {
        cargo(sh, &args).env("RUSTDOCFLAGS", deny).run()?;
    }
    Ok(())
}

/// Checks that the published crates can be packaged: their metadata, and that no file of theirs is missing. They were
/// compiled before.
fn package(sh: &Shell) -> Result<()> {
    let mut args = vec!["package", "--locked", "--allow-dirty", "--no-verify"];
    for package in PUBLISHED {
        args.extend(["--package", package]);
    }
    Ok(cargo(sh, &args).run()?)
}

fn step(name: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    run()?;
    eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f32());
    Ok(())
}
