//! Running the real binary.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs `towers` with these arguments, separated by spaces.
pub fn towers(args: &str) -> Output {
    let args: Vec<_> = args.split_whitespace().collect();
    run(&args)
}

/// Runs `towers` with these arguments.
pub fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_towers"))
        .args(args)
        .output()
        .expect("the binary can be run")
}

/// The standard output of a run.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The standard error of a run.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Checks that the run succeeded, and returns its standard output.
pub fn success(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    assert_eq!(stderr(output), "");
    stdout(output)
}

/// Checks that wrong input was refused: one line with this text, exit code 2, no panic.
pub fn refused(output: &Output, message: &str) {
    let error = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("towers: "), "{error}");
    assert!(
        error.contains(message),
        "'{error}' does not say '{message}'"
    );
    assert!(!error.contains("panicked"), "{error}");
}

/// A new and empty folder for the files of a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The names of the files in a folder.
pub fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}
