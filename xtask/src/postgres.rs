//! `PostgreSQL`, which some tests start for themselves.

use crate::run::{Done, command, output, run};

/// Makes sure that it is installed: by apt where that is possible, or says what to do.
pub fn install() -> Done {
    let debian = std::fs::read_dir("/usr/lib/postgresql").is_ok_and(|mut d| d.next().is_some());
    if debian || output(&mut command("initdb", &["--version"])).is_ok() {
        return Ok(());
    }
    let root = output(&mut command("id", &["-u"])).is_ok_and(|(id, _)| id.trim() == "0");
    if !root || output(&mut command("apt-get", &["--version"])).is_err() {
        return Err(
            "some tests start a PostgreSQL of their own: please install the package postgresql"
                .into(),
        );
    }
    run(&mut command("apt-get", &["update", "-q"]))?;
    // The tests start their own: the package need not make one.
    run(command(
        "apt-get",
        &[
            "install",
            "-y",
            "-q",
            "--no-install-recommends",
            "postgresql",
        ],
    )
    .env("DEBIAN_FRONTEND", "noninteractive"))
}
