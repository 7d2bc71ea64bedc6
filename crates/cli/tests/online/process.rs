//! The real `towers serve`, started and stopped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The time after which a stopping server counts as hanging; several times its own limit.
const STOP_LIMIT: Duration = Duration::from_secs(60);

/// A running server. It is killed when dropped.
pub struct Process {
    child: Child,
    pub port: u16,
}

/// The program under test.
pub fn towers() -> Command {
    Command::new(env!("CARGO_BIN_EXE_towers"))
}

/// Quick bots, and no limits that scripted players would reach.
const QUICK: [&str; 14] = [
    "--bot-pause",
    "0",
    "--messages-per-second",
    "100000",
    "--tables-per-address",
    "100000",
    "--connections-per-address",
    "10000",
    "--entries-per-address",
    "1000000",
    "--entries-per-table",
    "1000000",
    "--min-free-space",
    "0",
];

impl Process {
    /// Starts a server for quick tests.
    pub fn start(data: &Path) -> Process {
        Process::start_with(data, &QUICK)
    }

    /// Starts a server with some more arguments.
    pub fn start_quick_with(data: &Path, args: &[&str]) -> Process {
        // Arguments of the test take precedence.
        let quick = QUICK.chunks(2).filter(|pair| !args.contains(&pair[0]));
        let all: Vec<&str> = quick.flatten().chain(args).copied().collect();
        Process::start_with(data, &all)
    }

    /// Starts a server for quick tests that gets an error, not a signal, when its file may not grow.
    pub fn start_ignoring_file_limits(data: &Path) -> Process {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        shell.arg(towers().get_program());
        let log = tempfile::tempfile().expect("there is a place for temporary files");
        Process::spawn(shell, data, &QUICK, log.into())
    }

    /// Starts a server for quick tests with limits as `prlimit` understands them.
    pub fn start_limited(data: &Path, limits: &[&str], log: std::fs::File) -> Process {
        let mut prlimit = Command::new("prlimit");
        prlimit.args(limits).arg(towers().get_program());
        Process::spawn(prlimit, data, &QUICK, log.into())
    }

    /// Starts a server for quick tests that writes its log to a file.
    pub fn start_logged(data: &Path, args: &[&str], log: &Path) -> Process {
        let all: Vec<&str> = QUICK.iter().chain(args).copied().collect();
        let log = std::fs::File::create(log).expect("there is a place for logs");
        Process::spawn(towers(), data, &all, log.into())
    }

    /// Starts a server with exactly these arguments.
    pub fn start_with(data: &Path, args: &[&str]) -> Process {
        Process::spawn(towers(), data, args, Stdio::inherit())
    }

    fn spawn(mut program: Command, data: &Path, args: &[&str], log: Stdio) -> Process {
        let mut child = program
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .args(args)
            .env("TOWERS_LOG", "warn")
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("it is piped");
        let mut line = String::new();
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says where it listens");
        let port = line
            .split(':')
            .next_back()
            .and_then(|rest| rest.split_whitespace().next())
            .and_then(|port| port.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {line:?}"));
        Process { child, port }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// `SIGKILL`: without a shutdown.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is gone");
    }

    /// `SIGTERM`: a graceful shutdown; returns whether it succeeded.
    pub fn stop(&mut self) -> bool {
        let id = self.child.id().to_string();
        let told = Command::new("kill").args(["-TERM", &id]).status();
        told.expect("kill is there").success() && self.wait_for_end().success()
    }

    /// Waits until the process has ended; panics with the state of its threads if it does not.
    fn wait_for_end(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            if begun.elapsed() > STOP_LIMIT {
                let threads = threads(self.child.id());
                panic!("still running {STOP_LIMIT:?} after SIGTERM:\n{threads}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The name of each thread of a process, and the kernel function in which it waits.
fn threads(process: u32) -> String {
    let folder = format!("/proc/{process}/task");
    let tasks = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |task: std::fs::DirEntry| {
        let read = |name| std::fs::read_to_string(task.path().join(name)).unwrap_or_default();
        format!("{} {}", read("comm").trim(), read("wchan").trim())
    };
    tasks.map(of).collect::<Vec<_>>().join("\n")
}

/// A data folder, removed when dropped.
pub struct Data(tempfile::TempDir);

impl Data {
    pub fn new() -> Data {
        Data(tempfile::tempdir().expect("there is a place for temporary files"))
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().join("data")
    }
}

/// A response over plain HTTP.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

/// Sends a request over plain HTTP.
pub async fn http(port: u16, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    for header in headers.iter().chain(&[""]) {
        request.push_str(header);
        request.push_str("\r\n");
    }
    request.push_str(body);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split_whitespace().nth(1).and_then(|s| s.parse().ok());
    Answer {
        status: status.unwrap_or(0),
        head: head.to_lowercase(),
        body: unchunk(head, body),
    }
}

fn unchunk(head: &str, body: &str) -> String {
    if !head.to_lowercase().contains("transfer-encoding: chunked") {
        return body.into();
    }
    let (mut rest, mut text) = (body, String::new());
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        text += &after[..size];
        rest = after[size..].trim_start_matches("\r\n");
    }
    text
}

/// Opens a table; returns its id and the host's token.
pub async fn create(port: u16, name: &str, settings: &str) -> (String, String) {
    create_from(port, name, settings, &[]).await
}

/// The same with more headers.
pub async fn create_from(
    port: u16,
    name: &str,
    settings: &str,
    headers: &[&str],
) -> (String, String) {
    let body = format!("{{\"name\":{name:?},\"settings\":{settings}}}");
    let answer = http(port, "POST", "/api/tables", headers, &body).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    let json: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    let text = |key: &str| json[key].as_str().unwrap().to_string();
    (text("table"), text("token"))
}

/// The record of a table, which has to verify.
pub async fn verified_record(port: u16, table: &str) -> towers_table::Record {
    let answer = http(port, "GET", &format!("/api/tables/{table}/record"), &[], "").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    towers_table::verify_text(&answer.body).unwrap_or_else(|why| panic!("{why}"));
    towers_table::Record::from_text(&answer.body).unwrap()
}
