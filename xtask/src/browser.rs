//! The real browser that end-to-end tests drive.

use std::process::Stdio;

use crate::run::{Done, command, run};

/// What has to be there, and Debian's packages that have it.
const PROGRAMS: [(&str, &str); 2] = [
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
];

fn is_there(program: &str) -> bool {
    command(program, &["--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Makes sure that there is a browser with its driver; on Debian, root can install them.
pub fn ensure() -> Done {
    let missing: Vec<&str> = PROGRAMS
        .into_iter()
        .filter(|(program, _)| !is_there(program))
        .map(|(_, package)| package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let sentence = format!(
        "the end-to-end tests need Chromium and its driver: install {} (Debian: apt-get install {})",
        missing.join(" and "),
        missing.join(" ")
    );
    eprintln!("{sentence}; trying that");
    let install = [
        &["install", "--yes", "--no-install-recommends"][..],
        &missing,
    ]
    .concat();
    run(command("apt-get", &["update", "--quiet"]).env("DEBIAN_FRONTEND", "noninteractive"))
        .and_then(|()| run(command("apt-get", &install).env("DEBIAN_FRONTEND", "noninteractive")))
        .map_err(|_| sentence)
}
