//! Every test, in the order in which a mistake shows soonest.

use crate::run::{Done, cargo, command, output, root, run};

/// The crates that must compile for the browser unchanged.
const FOR_THE_BROWSER: [&str; 1] = ["rules"];

/// Format, lints, tests, doc tests, WebAssembly.
pub fn all() -> Done {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    run(&mut cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
    ]))?;
    wasm()?;
    run(&mut cargo(&["test", "--workspace", "--all-targets"]))?;
    run(&mut cargo(&["test", "--workspace", "--doc"]))?;
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The game compiles for the browser as it is.
fn wasm() -> Done {
    if let Ok((installed, _)) = output(&mut command("rustup", &["target", "list", "--installed"]))
        && !installed
            .lines()
            .any(|target| target == "wasm32-unknown-unknown")
    {
        run(&mut command(
            "rustup",
            &["target", "add", "wasm32-unknown-unknown"],
        ))?;
    }
    let mut args = vec!["check", "--quiet", "--target", "wasm32-unknown-unknown"];
    for name in FOR_THE_BROWSER {
        args.extend(["-p", name]);
    }
    run(&mut cargo(&args))
}

/// Every fuzz target for a share of the time.
pub fn fuzz(seconds: u64) -> Done {
    let folder = root().join("fuzz").join("fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut targets: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(String::from))
        .collect();
    targets.sort();
    let each = (seconds / targets.len().max(1) as u64).max(1);
    for target in &targets {
        let time = format!("-max_total_time={each}");
        let mut fuzz = command(
            "cargo",
            &[
                "+nightly",
                "fuzz",
                "run",
                target,
                "--",
                &time,
                "-print_final_stats=1",
            ],
        );
        run(&mut fuzz)?;
    }
    Ok(())
}
