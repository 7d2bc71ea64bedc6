//! Every test, in the order in which a mistake shows soonest.

use crate::browser;
use crate::run::{Done, cargo, command, output, run};
use crate::web;

/// What runs in the browser only, and what tests it there.
const IN_THE_BROWSER: [&str; 4] = ["--exclude", "web", "--exclude", "e2e"];
/// How many browsers run at the same time: each test has one to three of them.
const BROWSER_TESTS: &str = "--test-threads=2";

/// Format, lints, tests, doc tests, WebAssembly.
pub fn all() -> Done {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    lint(&["--workspace", "--all-targets", "--exclude", "web"], &[])?;
    browser_target()?;
    // The game, the bots, the table and the client compile for the browser as they are.
    lint(
        &[
            "--package",
            "web",
            "--target",
            BROWSER,
            "--target-dir",
            "target/wasm",
        ],
        &[],
    )?;
    crate::postgres::install()?;
    let tests = |what| [&["test", "--workspace", what][..], &IN_THE_BROWSER].concat();
    run(&mut cargo(&tests("--all-targets")))?;
    run(&mut cargo(&tests("--doc")))?;
    in_the_browser()
}

/// Builds the client as it is shipped, and plays it in a real browser against the real program.
pub fn in_the_browser() -> Done {
    browser::ensure()?;
    web::build(web::Kind::Release)?;
    run(&mut cargo(&["build", "--bin", "towers"]))?;
    run(&mut cargo(&[
        "test",
        "--package",
        "e2e",
        "--",
        BROWSER_TESTS,
    ]))
}

fn lint(what: &[&str], but: &[&str]) -> Done {
    let deny = ["--quiet", "--", "-D", "warnings"];
    run(&mut cargo(&[&["clippy"][..], what, but, &deny].concat()))
}

/// The name of the browser as a target.
const BROWSER: &str = "wasm32-unknown-unknown";

/// Makes sure that Rust can build for the browser.
pub fn browser_target() -> Done {
    if let Ok((installed, _)) = output(&mut command("rustup", &["target", "list", "--installed"]))
        && !installed.lines().any(|target| target == BROWSER)
    {
        run(&mut command("rustup", &["target", "add", BROWSER]))?;
    }
    Ok(())
}
