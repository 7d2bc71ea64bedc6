//! Every fuzz target for a share of the time.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::run::{Done, command, output, root, run};

/// Runs all targets, and says how many inputs each has tried and how much of the code it has seen.
pub fn all(seconds: u64) -> Done {
    if output(&mut command("cargo", &["fuzz", "--version"])).is_err() {
        run(&mut command(
            "cargo",
            &["install", "--locked", "cargo-fuzz"],
        ))?;
    }
    let folder = root().join("fuzz").join("fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut targets: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(String::from))
        .collect();
    targets.sort();
    let each = (seconds / targets.len().max(1) as u64).max(1);
    let mut summary = Vec::new();
    for target in &targets {
        summary.push(one(target, each)?);
    }
    println!("\n{}", summary.join("\n"));
    Ok(())
}

fn one(target: &str, seconds: u64) -> Result<String, String> {
    let time = format!("-max_total_time={seconds}");
    let args = ["fuzz", "run", target, "--", &time, "-print_final_stats=1"];
    // The instruments are not stable yet, but every compiler has them.
    let mut child = command("cargo", &args)
        .env("RUSTC_BOOTSTRAP", "1")
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cargo fuzz: {e}"))?;
    let (mut inputs, mut seen) = (String::from("?"), String::from("?"));
    if let Some(said) = child.stderr.take() {
        for line in BufReader::new(said).lines().map_while(Result::ok) {
            if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
                inputs = number.trim().into();
            }
            if let Some(rest) = line.split("cov: ").nth(1) {
                seen = rest.split(' ').next().unwrap_or("?").into();
            }
            eprintln!("{line}");
        }
    }
    let status = child.wait().map_err(|e| format!("cargo fuzz: {e}"))?;
    if status.success() {
        Ok(format!(
            "{target}: {inputs} inputs in {seconds} s, {seen} edges seen"
        ))
    } else {
        Err(format!("{target} found something: make a test of it"))
    }
}
