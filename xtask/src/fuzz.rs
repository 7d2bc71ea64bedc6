//! Runs every fuzz target for a share of the time, with libFuzzer on stable Rust.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::{cargo, install, root};

/// Coverage for libFuzzer. There is no `unsafe` code for a sanitizer to check, and more inputs are tried without one.
const INSTRUMENTATION: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions --cfg=fuzzing";
/// An input that takes longer than this many seconds hangs.
const TIMEOUT: &str = "-timeout=60";

/// Runs all targets, and reports their numbers of inputs and their coverage.
pub fn run_all(sh: &Shell, seconds: u64) -> Result<()> {
    let targets = targets(sh)?;
    let programs = build(sh)?;
    let each = (seconds / targets.len().max(1) as u64).max(1);
    let scratch = FuzzFolder::new()?;
    let mut reports = Vec::new();
    for target in &targets {
        add_seeds(sh, target)?;
        reports.push(run(&programs, target, each, &scratch.0)?);
    }
    println!();
    println!("target      seconds     inputs    edges  features   corpus  crashes");
    for report in &reports {
        println!("{}", report.line());
    }
    let crashed: Vec<&str> = reports
        .iter()
        .filter(|report| report.crashed)
        .map(|report| report.target.as_str())
        .collect();
    ensure!(
        crashed.is_empty(),
        "crashes in {}: turn the inputs in fuzz/artifacts into tests",
        crashed.join(", ")
    );
    Ok(())
}

/// Builds the targets; returns their folder.
fn build(sh: &Shell) -> Result<PathBuf> {
    install::cpp_compiler(sh)?;
    let version = cmd!(sh, "rustc --version --verbose").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not name its host")?;
    // With a target given, build scripts and macros are not instrumented.
    let options = ["--target", host, "--target-dir", "target/fuzz"];
    let package = ["build", "--release", "--manifest-path", "fuzz/Cargo.toml"];
    cargo(sh, &[&package[..], &options].concat())
        .env("RUSTFLAGS", INSTRUMENTATION)
        .run()?;
    Ok(root().join("target/fuzz").join(host).join("release"))
}

fn targets(sh: &Shell) -> Result<Vec<String>> {
    let files = sh.read_dir("fuzz/fuzz_targets")?;
    let names = files.iter().filter_map(|file| file.file_stem()?.to_str());
    Ok(names.map(String::from).collect())
}

/// A temporary folder for the targets, in memory if possible.
struct FuzzFolder(PathBuf);

impl FuzzFolder {
    fn new() -> Result<FuzzFolder> {
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() {
            memory.to_path_buf()
        } else {
            std::env::temp_dir()
        };
        let folder = base.join(format!("towers-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(FuzzFolder(folder))
    }
}

impl Drop for FuzzFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Adds seeds to the corpus of a target that reads text.
fn add_seeds(sh: &Shell, target: &str) -> Result<()> {
    let corpus = Path::new("fuzz/corpus").join(target);
    sh.create_dir(&corpus)?;
    sh.create_dir(Path::new("fuzz/artifacts").join(target))?;
    let seeds = match target {
        "messages" => examples(&sh.read_file("docs/protocol.md")?),
        "notation" => {
            let mut seeds = Vec::new();
            for file in sh.read_dir("crates/rules/tests/perft")? {
                seeds.extend(positions(&sh.read_file(file)?));
            }
            seeds
        }
        _ => Vec::new(),
    };
    for (i, seed) in seeds.iter().enumerate() {
        sh.write_file(corpus.join(format!("seed-{i}")), seed)?;
    }
    Ok(())
}

/// The examples of a document: every JSON value, without line breaks.
fn examples(document: &str) -> Vec<String> {
    let blocks = document.split("```json").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next()?.split_once('\n'));
    blocks
        .flat_map(|(_, block)| serde_json::Deserializer::from_str(block).into_iter::<Value>())
        .filter_map(|example| Some(example.ok()?.to_string()))
        .collect()
}

/// The positions of a perft file.
fn positions(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains(" seats="));
    lines.map(String::from).collect()
}

/// The statistics of a target.
#[derive(Default)]
struct FuzzReport {
    target: String,
    seconds: u64,
    inputs: String,
    edges: String,
    features: String,
    corpus: String,
    crashed: bool,
}

impl FuzzReport {
    fn line(&self) -> String {
        format!(
            "{:<10} {:>8} {:>10} {:>8} {:>9} {:>8} {:>8}",
            self.target,
            self.seconds,
            self.inputs,
            self.edges,
            self.features,
            self.corpus,
            u8::from(self.crashed)
        )
    }

    /// Parses a line of the fuzzer's output.
    fn read(&mut self, line: &str) {
        if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
            self.inputs = number.trim().into();
        }
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            let slot = match word {
                "cov:" => &mut self.edges,
                "ft:" => &mut self.features,
                "corp:" => &mut self.corpus,
                _ => continue,
            };
            *slot = words.next().unwrap_or("?").into();
        }
    }
}

/// The options of a target. Targets whose bytes are choices start with long inputs.
fn options(target: &str) -> &'static [&'static str] {
    match target {
        "actions" | "session" => &["-max_len=4096", "-len_control=0"],
        "online" => &["-max_len=400", "-len_control=0"],
        _ => &["-max_len=16384"],
    }
}

fn run(programs: &Path, target: &str, seconds: u64, scratch: &Path) -> Result<FuzzReport> {
    let mut child = Command::new(programs.join(target))
        .current_dir(root())
        .arg(format!("fuzz/corpus/{target}"))
        .arg(format!("-artifact_prefix=fuzz/artifacts/{target}/"))
        .arg(format!("-max_total_time={seconds}"))
        .args(["-print_final_stats=1", TIMEOUT])
        .args(options(target))
        .env("TMPDIR", scratch)
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("fuzz target {target}"))?;
    let mut report = FuzzReport {
        target: target.into(),
        seconds,
        ..FuzzReport::default()
    };
    if let Some(stderr) = child.stderr.take() {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            report.read(&line);
            eprintln!("{line}");
        }
    }
    report.crashed = !child.wait()?.success();
    Ok(report)
}
