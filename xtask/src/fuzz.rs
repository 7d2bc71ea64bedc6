//! Every fuzz target for a share of the time.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::run::{Done, command, output, root, run};

/// No `unsafe` code, nothing for a sanitizer to find: without one, more is tried in the same time.
const NO_SANITIZER: [&str; 2] = ["--sanitizer", "none"];
/// An input that takes longer than so many seconds hangs.
const HANGS: &str = "-timeout=60";

/// Runs all targets, and says how many inputs each has tried and how much of the code it has seen.
pub fn all(seconds: u64) -> Done {
    prepare()?;
    let targets = targets()?;
    let mut build = command("cargo", &["fuzz", "build"]);
    run(build.args(NO_SANITIZER).env("RUSTC_BOOTSTRAP", "1"))?;
    let each = (seconds / targets.len().max(1) as u64).max(1);
    let scratch = Scratch::new()?;
    let mut found = Vec::new();
    for target in &targets {
        sow(target)?;
        found.push(one(target, each, &scratch.0)?);
    }
    println!();
    println!("target      seconds     inputs    edges  features   corpus  crashes");
    for report in &found {
        println!("{}", report.line());
    }
    let crashed: Vec<&str> = found
        .iter()
        .filter(|report| report.crashed)
        .map(|report| report.target.as_str())
        .collect();
    if crashed.is_empty() {
        Ok(())
    } else {
        let names = crashed.join(", ");
        Err(format!(
            "found something in {names}: make a test of what is in fuzz/artifacts"
        ))
    }
}

/// What it takes beside cargo.
fn prepare() -> Done {
    if output(&mut command("c++", &["--version"])).is_err() {
        return Err("the fuzzer is written in C++: please install the package g++".into());
    }
    if output(&mut command("cargo", &["fuzz", "--version"])).is_err() {
        run(&mut command(
            "cargo",
            &["install", "--locked", "cargo-fuzz"],
        ))?;
    }
    Ok(())
}

fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz").join("fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut targets: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(String::from))
        .collect();
    targets.sort();
    Ok(targets)
}

/// A folder for what targets write, in memory if that is possible, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() {
            memory.to_path_buf()
        } else {
            std::env::temp_dir()
        };
        let folder = base.join(format!("towers-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Gives a target that reads text some to begin with.
fn sow(target: &str) -> Done {
    let read =
        |path: &str| std::fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"));
    let seeds = match target {
        "messages" => examples(&read("docs/protocol.md")?),
        "notation" => {
            let folder = root().join("crates/rules/tests/perft");
            let files =
                std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            let texts = files.filter_map(|f| std::fs::read_to_string(f.ok()?.path()).ok());
            texts.flat_map(|text| positions(&text)).collect()
        }
        _ => return Ok(()),
    };
    let folder = root().join("fuzz").join("corpus").join(target);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (i, seed) in seeds.iter().enumerate() {
        let file = folder.join(format!("seed-{i}"));
        std::fs::write(&file, seed).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

/// The examples of a document: every line of JSON, and every block as a whole.
fn examples(document: &str) -> Vec<String> {
    let blocks = document.split("```json").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next()?.split_once('\n'));
    blocks
        .flat_map(|(_, block)| block.lines().chain([block]))
        .map(String::from)
        .collect()
}

/// The positions of a perft file.
fn positions(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains(" seats="));
    lines.map(String::from).collect()
}

/// What a target has done.
struct Report {
    target: String,
    seconds: u64,
    inputs: String,
    edges: String,
    features: String,
    corpus: String,
    crashed: bool,
}

impl Report {
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

    /// Takes in a line of the fuzzer.
    fn hear(&mut self, line: &str) {
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

/// Options of a target: those whose bytes are choices may begin with long inputs at once.
fn options(target: &str) -> &'static [&'static str] {
    match target {
        "actions" | "session" => &["-max_len=4096", "-len_control=0"],
        "online" => &["-max_len=400", "-len_control=0"],
        _ => &["-max_len=16384"],
    }
}

fn one(target: &str, seconds: u64, scratch: &Path) -> Result<Report, String> {
    let time = format!("-max_total_time={seconds}");
    let mut fuzzing = command("cargo", &["fuzz", "run"]);
    fuzzing.args(NO_SANITIZER).arg(target).args(["--", &time]);
    fuzzing.args(["-print_final_stats=1", HANGS]);
    fuzzing.args(options(target));
    // The instruments are not stable yet, but every compiler has them.
    let mut child = fuzzing
        .env("RUSTC_BOOTSTRAP", "1")
        .env("TMPDIR", scratch)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cargo fuzz: {e}"))?;
    let unknown = || String::from("?");
    let mut report = Report {
        target: target.into(),
        seconds,
        inputs: unknown(),
        edges: unknown(),
        features: unknown(),
        corpus: unknown(),
        crashed: false,
    };
    if let Some(said) = child.stderr.take() {
        for line in BufReader::new(said).lines().map_while(Result::ok) {
            report.hear(&line);
            eprintln!("{line}");
        }
    }
    let status = child.wait().map_err(|e| format!("cargo fuzz: {e}"))?;
    report.crashed = !status.success();
    Ok(report)
}
