//! All tests, fastest first.

use std::time::Instant;

use anyhow::Result;
use xshell::Shell;

use crate::client::{self, BROWSER, PROGRAMS};
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
    step("format", || {
        Ok(cargo(sh, &["fmt", "--all", "--check"]).run()?)
    })?;
    step("lints", || lint(sh))?;
    step("documentation", || document(sh))?;
    step("native tests", || native(sh))
}

/// Runs everything and prints the time of each step.
pub fn all(sh: &Shell) -> Result<()> {
    check(sh)?;
    step("tests of server and towers", || {
        install::test_servers(sh)?;
        let _python = sh.push_env("TOWERS_TEST_PYTHON", install::python(sh)?);
        // Many of them measure times and memory of the real program: they run one at a time.
        let _alone = sh.push_env("RUST_TEST_THREADS", "1");
        let packages = ["--package", "towers-server", "--package", "towers-cli"];
        let support = ["--package", "towers-test-support"];
        rerun::test(sh, &[&packages[..], &support].concat(), &[])
    })?;
    step("examples and benchmarks", || {
        let targets = ["test", "--workspace", "--examples", "--benches"];
        Ok(cargo(sh, &[&targets[..], &NOT_NATIVE].concat()).run()?)
    })?;
    step("end-to-end tests", || {
        end_to_end(sh, client::Build::Shipped, None)
    })
}

/// Options that leave out packages that need a browser.
const NOT_NATIVE: [&str; 4] = ["--exclude", "towers-web", "--exclude", "towers-e2e"];

/// Builds the client, and tests it in a real browser against the real program.
pub fn end_to_end(sh: &Shell, build: client::Build, name: Option<&str>) -> Result<()> {
    install::browser(sh)?;
    client::build(sh, build)?;
    cargo(sh, &["build", "--bin", "towers"]).run()?;
    let mut options = vec![BROWSER_TESTS];
    options.extend(name);
    rerun::test(sh, &["--package", "towers-e2e"], &options)
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
