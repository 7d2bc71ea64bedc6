//! Failures of commands: one line on standard error and an exit code.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// The message of a failed command, in one line.
#[derive(Debug)]
pub enum Failure {
    /// The input or the arguments are wrong: exit code 2.
    Input(String),
    /// Something outside failed, a file for instance: exit code 1.
    Outside(String),
    /// The reader of standard output is gone, which is not a failure.
    ReaderGone,
}

impl Failure {
    pub fn input(message: impl Display) -> Failure {
        Failure::Input(message.to_string())
    }

    /// A file could not be read or written.
    pub fn file(name: impl Display, error: &io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::ReaderGone,
            ErrorKind::NotFound => {
                Failure::Input(format!("{name}: there is no such file or folder"))
            }
            ErrorKind::IsADirectory => Failure::Input(format!("{name}: this is a folder")),
            ErrorKind::InvalidData => Failure::Input(format!("{name}: this is not text")),
            _ => Failure::Outside(format!("{name}: {error}")),
        }
    }

    /// Prints the message and returns the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::Input(message) => {
                eprintln!("towers: {}", one_line(message));
                ExitCode::from(2)
            }
            Failure::Outside(message) => {
                eprintln!("towers: {}", one_line(message));
                ExitCode::from(1)
            }
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

/// Prints a line, or several, on standard output.
pub fn print(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout(), "{text}").map_err(|why| Failure::file("standard output", &why))
}

/// Reports wrong arguments: one line and exit code 2; help and version go to standard output.
pub fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let first = text.lines().take_while(|line| !line.trim().is_empty());
    let message: Vec<_> = first
        .map(|line| line.trim().trim_start_matches("error: "))
        .collect();
    if message.is_empty() || text.starts_with("Usage") || !text.starts_with("error") {
        eprint!("{text}");
    } else {
        eprintln!("towers: {} (try --help)", message.join(" "));
    }
    ExitCode::from(2)
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
