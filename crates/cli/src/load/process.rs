//! The measured server: a separate process, so that its memory and processor time can be measured.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::failure::Failure;

/// A running server, stopped when dropped.
pub struct ServerProcess {
    child: Child,
    pub port: u16,
}

impl ServerProcess {
    /// Starts this program with other arguments and perhaps a database; its first line of output contains the address.
    pub fn start(args: &[&str], database: Option<&str>) -> Result<ServerProcess, Failure> {
        let failed = |why: std::io::Error| Failure::Outside(format!("starting a server: {why}"));
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(program);
        // A clean environment. The address of a database may contain a password, so it is not an argument.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TOWERS_") {
                command.env_remove(name);
            }
        }
        if let Some(url) = database {
            command.env("TOWERS_DATABASE_URL", url);
        }
        let mut child = command
            .args(args)
            .env("TOWERS_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout)
                .read_line(&mut line)
                .map_err(failed)?;
        }
        let port = line
            .rsplit(':')
            .next()
            .and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        let process = ServerProcess {
            child,
            port: port.unwrap_or(0),
        };
        if port.is_none() {
            return Err(Failure::Outside("the server did not start".into()));
        }
        Ok(process)
    }

    /// Its resident memory in bytes.
    pub fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
        kilobytes.unwrap_or(0) * 1024
    }

    /// Its processor time in seconds.
    pub fn processor(&self) -> f64 {
        processor(&self.child.id().to_string())
    }
}

/// The processor time of this process in seconds: that of the simulated players.
pub fn own_processor() -> f64 {
    processor("self")
}

fn processor(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name is in parentheses and may contain anything; the fields after it are numbers.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    // A tick is a hundredth of a second on Linux.
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
