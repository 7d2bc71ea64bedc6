//! The standard library compiled anew for the browser client: for size, and without the words of panics.
//!
//! The ready-made one is compiled for speed and carries the formatting of every message. To compile it, the compiler needs the
//! library's sources (`rust-src`) and has to be allowed switches that are not stable yet; where it cannot, the client is built with
//! the ready-made one and is larger.

use std::process::{Command, Stdio};

/// What `cargo build` gets besides.
const ARGUMENTS: [&str; 4] = [
    "-Z",
    "build-std=std,panic_abort",
    "-Z",
    "build-std-features=optimize_for_size",
];
/// What the compiler gets besides: a panic stops at once and says nothing.
const FLAGS: [&str; 6] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Zfmt-debug=none",
    "-Zlocation-detail=none",
    "--cfg",
    "sha2_backend_soft=\"compact\"",
];
/// Allows switches that are not stable yet.
const ALLOW: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// Whether this compiler can do it.
pub fn is_possible() -> bool {
    let add = Command::new("rustup")
        .args(["component", "add", "rust-src"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let knows = Command::new("rustc")
        .env(ALLOW.0, ALLOW.1)
        .args(FLAGS)
        .args(["--print", "cfg"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    add.is_ok_and(|s| s.success()) && knows.is_ok_and(|s| s.success())
}

/// Adds it to a command that builds the client.
pub fn add_to(command: &mut Command) {
    let flags = FLAGS.map(|flag| format!("'{flag}'")).join(", ");
    let config = format!("target.wasm32-unknown-unknown.rustflags=[{flags}]");
    command
        .env(ALLOW.0, ALLOW.1)
        .args(ARGUMENTS)
        .args(["--config", &config]);
}
