//! Every test, in the order in which a mistake shows soonest.

use crate::browser;
use crate::run::{Done, cargo, run};
use crate::web::{self, BROWSER};

/// What runs in the browser only, and what tests it there.
const IN_THE_BROWSER: [&str; 4] = ["--exclude", "web", "--exclude", "e2e"];
/// How many browsers run at the same time: each test has one to three of them.
const BROWSER_TESTS: &str = "--test-threads=2";

/// Format, lints, tests, doc tests, WebAssembly.
pub fn all() -> Done {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    lint(&["--workspace", "--all-targets", "--exclude", "web"])?;
    web::browser_target()?;
    // The game, the bots, the table and the client compile for the browser as they are.
    lint(&[
        "--package",
        "web",
        "--target",
        BROWSER,
        "--target-dir",
        "target/wasm",
    ])?;
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

fn lint(what: &[&str]) -> Done {
    let deny = ["--quiet", "--", "-D", "warnings"];
    run(&mut cargo(&[&["clippy"][..], what, &deny].concat()))
}
