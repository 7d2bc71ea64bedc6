//! Test programs, compiled by cargo and run one after the other.
//!
//! Cargo compiles dependencies again for every selection of packages, since their features differ. So every call selects
//! the same packages, and the programs run in groups.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::cargo;

/// A compiled test program: the unit tests of a crate, an integration test, an example or a benchmark.
pub struct TestProgram {
    /// The folder of its package, which is its working directory.
    package: PathBuf,
    executable: PathBuf,
    kind: String,
}

impl TestProgram {
    /// The name of the package's folder.
    pub fn folder(&self) -> &str {
        let name = self.package.file_name().and_then(|name| name.to_str());
        name.unwrap_or_default()
    }

    pub fn is_benchmark(&self) -> bool {
        self.kind == "bench"
    }

    /// Runs it, printing its output.
    pub fn run(&self, sh: &Shell, options: &[&str]) -> Result<Output> {
        let _folder = sh.push_dir(&self.package);
        let program = &self.executable;
        let mut command: Command = cmd!(sh, "{program} {options...}").into();
        println!("     Running {}", program.display());
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().context("the output is piped")?;
        let mut lines = Vec::new();
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            lines.push(line);
        }
        let success = child.wait()?.success();
        Ok(Output { success, lines })
    }
}

/// What a test program printed.
pub struct Output {
    pub success: bool,
    pub lines: Vec<String>,
}

/// Compiles what this call of cargo selects, and returns the test programs.
pub fn compile(sh: &Shell, call: &[&str]) -> Result<Vec<TestProgram>> {
    let format = ["--quiet", "--message-format=json-render-diagnostics"];
    let messages = cargo(sh, &[call, &format].concat()).read()?;
    let mut programs = Vec::new();
    for line in messages.lines() {
        programs.extend(test_program(&serde_json::from_str(line)?));
    }
    ensure!(!programs.is_empty(), "cargo compiled no test program");
    programs.sort_by(|a, b| a.executable.cmp(&b.executable));
    Ok(programs)
}

/// The test program that a message of cargo announces.
fn test_program(message: &Value) -> Option<TestProgram> {
    let text = |value: &Value| value.as_str().map(PathBuf::from);
    let is_test = message["profile"]["test"].as_bool()?;
    let manifest = text(&message["manifest_path"])?;
    let executable = text(&message["executable"])?;
    is_test.then_some(TestProgram {
        package: manifest.parent()?.into(),
        executable,
        kind: message["target"]["kind"][0].as_str()?.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_programs_are_run() {
        let message = |test: bool| {
            serde_json::json!({
                "reason": "compiler-artifact",
                "manifest_path": "/towers/crates/rules/Cargo.toml",
                "target": { "kind": ["bench"], "name": "random_play" },
                "profile": { "test": test },
                "executable": "/towers/target/debug/deps/random_play-1",
            })
        };
        assert!(test_program(&message(false)).is_none());
        let program = test_program(&message(true)).unwrap();
        assert_eq!(program.folder(), "rules");
        assert!(program.is_benchmark());
        let finished = serde_json::json!({ "reason": "build-finished", "success": true });
        assert!(test_program(&finished).is_none());
    }
}
