//! Checks for programs that some tasks need besides cargo, and installs them on Debian as root.

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

/// Chromium and its driver, for the end-to-end tests.
pub fn browser(sh: &Shell) -> Result<()> {
    let missing: Vec<&str> = [
        ("chromium", "chromium"),
        ("chromedriver", "chromium-driver"),
    ]
    .into_iter()
    .filter(|(program, _)| !runs(sh, program))
    .map(|(_, package)| package)
    .collect();
    packages(sh, "the end-to-end tests drive a real browser", &missing)
}

/// The programs that server tests start: `PostgreSQL`, nginx, Caddy, and tools for networks that drop packets.
pub fn test_servers(sh: &Shell) -> Result<()> {
    // On Debian the programs of PostgreSQL are not on the path.
    let debian = std::fs::read_dir("/usr/lib/postgresql").is_ok_and(|mut d| d.next().is_some());
    let mut missing = Vec::new();
    for (found, package) in [
        (debian || runs(sh, "initdb"), "postgresql"),
        (runs_with(sh, "ip", "-V"), "iproute2"),
        (runs(sh, "nft"), "nftables"),
        (runs_with(sh, "nginx", "-v"), "nginx-light"),
        (runs_with(sh, "caddy", "version"), "caddy"),
    ] {
        if !found {
            missing.push(package);
        }
    }
    let why = "some tests start a PostgreSQL, proxies and networks that drop packets";
    packages(sh, why, &missing)
}

/// A Python with the library of `examples/python`, in an environment of its own; returns the path of its interpreter.
pub fn python(sh: &Shell) -> Result<std::path::PathBuf> {
    let folder = crate::root().join("target/python");
    let python = folder.join("bin/python");
    if cmd!(sh, "{python} -c {PYTHON_IMPORT}")
        .quiet()
        .ignore_stderr()
        .run()
        .is_ok()
    {
        return Ok(python);
    }
    let has_venv = cmd!(sh, "python3 -c {VENV_IMPORT}").quiet().ignore_stderr();
    let missing: &[&str] = if has_venv.run().is_ok() {
        &[]
    } else {
        &["python3-venv"]
    };
    packages(sh, "the example in Python is tested", missing)?;
    cmd!(sh, "python3 -m venv {folder}").run()?;
    cmd!(sh, "{python} -m pip install --quiet {PYTHON_LIBRARY}").run()?;
    Ok(python)
}

/// As `examples/python/pyproject.toml` has it.
const PYTHON_LIBRARY: &str = "websockets>=13";
/// What fails if Python cannot create environments.
const VENV_IMPORT: &str = "import ensurepip, venv";
/// What fails if the library is missing or too old.
const PYTHON_IMPORT: &str = "import websockets.asyncio.client";

/// A C++ compiler, for libFuzzer.
pub fn cpp_compiler(sh: &Shell) -> Result<()> {
    let missing: &[&str] = if runs(sh, "c++") { &[] } else { &["g++"] };
    packages(sh, "libFuzzer is written in C++", missing)
}

/// A C compiler for static programs.
pub fn musl(sh: &Shell) -> Result<()> {
    let missing: &[&str] = if runs(sh, "musl-gcc") {
        &[]
    } else {
        &["musl-tools"]
    };
    packages(sh, "SQLite and ring are compiled for musl", missing)
}

/// A target of rustc.
pub fn target(sh: &Shell, target: &str) -> Result<()> {
    // Without rustup, the distribution has to provide it.
    let installed = cmd!(sh, "rustup target list --installed").quiet().read();
    if let Ok(installed) = installed
        && !installed.lines().any(|line| line == target)
    {
        cmd!(sh, "rustup target add {target}").run()?;
    }
    Ok(())
}

fn runs(sh: &Shell, program: &str) -> bool {
    runs_with(sh, program, "--version")
}

fn runs_with(sh: &Shell, program: &str, argument: &str) -> bool {
    let version = cmd!(sh, "{program} {argument}").quiet();
    version.ignore_stdout().ignore_stderr().run().is_ok()
}

fn packages(sh: &Shell, why: &str, missing: &[&str]) -> Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(" ");
    let advice = format!("{why}: please install {names} (Debian: apt-get install {names})");
    let root = cmd!(sh, "id -u").quiet().read().is_ok_and(|id| id == "0");
    ensure!(root && runs(sh, "apt-get"), advice.clone());
    let _quiet = sh.push_env("DEBIAN_FRONTEND", "noninteractive");
    cmd!(sh, "apt-get update --quiet").run()?;
    cmd!(
        sh,
        "apt-get install --yes --quiet --no-install-recommends {missing...}"
    )
    .run()
    .context(advice)
}
