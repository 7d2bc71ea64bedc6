//! Running other programs.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a task gives: usually nothing, or a sentence that says what went wrong.
pub type Done<T = ()> = Result<T, String>;

/// The folder of the project: of the checkout this was called in, even if another one shares its target folder.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().unwrap_or(&here).to_path_buf()
}

/// A command in the root of the workspace.
pub fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    // What cargo says about this program would make it build again what asks for these, and all that
    // depends on it, whenever somebody changes between `cargo xtask` and `cargo`.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// `cargo` as it runs us.
pub fn cargo(args: &[&str]) -> Command {
    command(
        &std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()),
        args,
    )
}

/// Runs a command and shows it; an error names it.
pub fn run(command: &mut Command) -> Done {
    let shown = shown(command);
    eprintln!("$ {shown}");
    let status = command.status().map_err(|e| format!("{shown}: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{shown} failed"))
    }
}

/// Runs a command and gives what it printed to standard output and standard error.
pub fn output(command: &mut Command) -> Result<(String, String), String> {
    let shown = shown(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{shown}: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok((text(&output.stdout), text(&output.stderr)))
    } else {
        Err(format!("{shown} failed: {}", text(&output.stderr)))
    }
}

fn shown(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let mut text = program
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    for arg in command.get_args() {
        text.push(' ');
        text.push_str(&arg.to_string_lossy());
    }
    text
}
