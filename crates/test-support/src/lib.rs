//! Servers for tests and measurements: a `PostgreSQL`, networks, a push service.
//!
//! `PostgreSQL` is started from the installed programs in a temporary folder and
//! removed when dropped.

#![forbid(unsafe_code)]

mod network;
mod proxy;
#[cfg(feature = "push")]
pub mod push;
mod recovery;

pub use network::Network;
pub use proxy::Proxy;

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The error if `PostgreSQL` is not installed.
const MISSING: &str = "PostgreSQL is not installed: on Debian, `apt-get install postgresql` installs it; the system service is not needed";
/// The error if the server exits at its start.
const ENDED: &str = "PostgreSQL ended at its start";
/// The time limit for starting.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A running `PostgreSQL` server.
pub struct Postgres {
    folder: tempfile::TempDir,
    programs: PathBuf,
    user: Option<String>,
    port: u16,
    durable: bool,
    /// The network namespace of the server, if it differs from that of the tests.
    network: Option<Arc<Network>>,
    server: Option<Child>,
}

impl Postgres {
    /// Starts a server without fsync, which would lose data in a power failure.
    pub fn start() -> Result<Postgres, String> {
        Postgres::with(false, None)
    }

    /// Starts a server in another network namespace.
    pub fn start_in(network: &Arc<Network>) -> Result<Postgres, String> {
        Postgres::with(false, Some(Arc::clone(network)))
    }

    /// Starts a server with fsync, as in production.
    pub fn start_durable() -> Result<Postgres, String> {
        Postgres::with(true, None)
    }

    fn with(durable: bool, network: Option<Arc<Network>>) -> Result<Postgres, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let user = other_user();
        let mut postgres = Postgres {
            programs: programs().ok_or(MISSING)?,
            folder,
            user,
            port: free_port()?,
            durable,
            network,
            server: None,
        };
        let base = postgres.folder.path().to_path_buf();
        if let Some(user) = &postgres.user {
            run(Command::new("chown").arg(user).arg(&base))?;
        }
        let mut init = postgres.program("initdb");
        init.args(["--username=towers", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C", "--no-sync", "--pgdata"])
            .arg(base.join("db"));
        run(&mut init)?;
        if let Some(network) = &postgres.network {
            let file = base.join("db/pg_hba.conf");
            let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
            let more = format!("host all all {} trust\n", network.range());
            std::fs::write(&file, text + &more).map_err(|e| e.to_string())?;
        }
        // Another program may take the free port before the server does.
        for _ in 0..5 {
            match postgres.run() {
                Err(why) if why == ENDED => postgres.port = free_port()?,
                result => return result.map(|()| postgres),
            }
        }
        Err(ENDED.into())
    }

    pub fn url(&self) -> String {
        format!("postgres://towers@127.0.0.1:{}/postgres", self.port)
    }

    /// The connection URL of a user and a database.
    pub fn url_of(&self, user: &str, database: &str) -> String {
        format!("postgres://{user}@127.0.0.1:{}/{database}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The connection URL through a proxy.
    pub fn url_through(&self, proxy: &Proxy) -> String {
        format!("postgres://towers@127.0.0.1:{}/postgres", proxy.port())
    }

    /// The connection URL for an address of its network namespace.
    pub fn url_at(&self, address: &str) -> String {
        format!("postgres://towers@{address}:{}/postgres", self.port)
    }

    /// Runs a statement and returns its result: columns separated by `|`, one line per row.
    pub fn query(&self, sql: &str) -> Result<String, String> {
        let mut psql = self.program("psql");
        let url = self.url();
        psql.args(["--no-psqlrc", "-qAt", "-v", "ON_ERROR_STOP=1", "--dbname"]);
        let output = psql.args([&url, "--command", sql]).output();
        let output = output.map_err(|e| format!("psql: {e}"))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// Stops the server abruptly, waits, and starts it again.
    pub fn restart(&mut self, pause: Duration) -> Result<(), String> {
        self.stop();
        std::thread::sleep(pause);
        self.run()
    }

    /// A password is required of this role from now on.
    pub fn require_password(&self, role: &str) -> Result<(), String> {
        let file = self.data().join("pg_hba.conf");
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let rule = format!("host all {role} all scram-sha-256\n");
        std::fs::write(&file, rule + &text).map_err(|e| e.to_string())?;
        self.query("SELECT pg_reload_conf()").map(drop)
    }

    /// The folder of its data.
    fn data(&self) -> PathBuf {
        self.folder.path().join("db")
    }

    fn run(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        let mut server = self.program("postgres");
        server
            .arg("-D")
            .arg(self.data())
            .args(["-h", self.listen(), "-k", "", "-p", &self.port.to_string()])
            .stderr(Stdio::null());
        if !self.durable {
            server.arg("-F");
        }
        self.server = Some(server.spawn().map_err(|e| format!("postgres: {e}"))?);
        let port = self.port.to_string();
        loop {
            let mut ready = self.program("pg_isready");
            if run(ready.args(["-q", "-h", "127.0.0.1", "-p", &port])).is_ok() {
                return Ok(());
            }
            let server = self.server.as_mut();
            if server.is_some_and(|server| matches!(server.try_wait(), Ok(Some(_)))) {
                self.server = None;
                return Err(ENDED.into());
            }
            if begun.elapsed() > START_TIMEOUT {
                return Err("PostgreSQL does not start".into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The address to listen on: all addresses if it has a separate network namespace.
    fn listen(&self) -> &'static str {
        match self.network {
            None => "127.0.0.1",
            Some(_) => "*",
        }
    }

    /// Stops the server and its processes.
    fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            // SIGQUIT makes the server stop at once without leaving processes behind.
            let id = server.id().to_string();
            let _ = Command::new("kill").args(["-QUIT", &id]).status();
            let _ = server.wait();
        }
    }

    /// A command for one of its programs, run as another user where the tests run as root, which `PostgreSQL` refuses.
    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let start = |program: &Path| match &self.network {
            None => Command::new(program),
            Some(network) => network.command(program),
        };
        let mut command = match &self.user {
            None => start(&path),
            Some(user) => {
                let mut command = start(Path::new("setpriv"));
                command
                    .args(["--reuid", user, "--clear-groups", "--"])
                    .arg(path);
                command
            }
        };
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs a program to its end.
fn run(command: &mut Command) -> Result<(), String> {
    output(command).map(drop)
}

/// The standard output of a program.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!(
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// The folder of the programs: on the path, or where Debian puts them.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let mut versions: Vec<PathBuf> = debian.flatten().map(|e| e.path().join("bin")).collect();
    versions.sort();
    versions.reverse();
    let folders = versions.into_iter().chain(std::env::split_paths(&path));
    folders
        .into_iter()
        .find(|folder| folder.join("postgres").is_file() && folder.join("initdb").is_file())
}

/// A user other than root, if the tests run as root.
fn other_user() -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let root = std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0);
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let has = |name: &str| {
        users
            .lines()
            .any(|line| line.starts_with(&format!("{name}:")))
    };
    root.then(|| {
        if has("postgres") {
            "postgres"
        } else {
            "nobody"
        }
        .into()
    })
}

/// An unused port.
fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    Ok(address.port())
}

/// Whether `PostgreSQL` is installed.
pub fn is_installed() -> bool {
    programs().as_deref().is_some_and(Path::is_dir)
}
