//! A `PostgreSQL` of one's own for tests and measurements: made from the programs that are
//! installed, in a temporary folder, gone when dropped.

#![forbid(unsafe_code)]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What to do without it.
const MISSING: &str = "PostgreSQL is not installed: on Debian `apt-get install postgresql` is enough, it need not run";
/// How long it may take to start.
const START: Duration = Duration::from_secs(60);

/// A running `PostgreSQL`.
pub struct Postgres {
    folder: tempfile::TempDir,
    programs: PathBuf,
    user: Option<String>,
    port: u16,
    durable: bool,
    server: Option<Child>,
}

impl Postgres {
    /// Starts one that forgets in a power failure, which no test causes.
    pub fn start() -> Result<Postgres, String> {
        Postgres::with(false)
    }

    /// Starts one that waits for the disk, as a real one does.
    pub fn start_durable() -> Result<Postgres, String> {
        Postgres::with(true)
    }

    fn with(durable: bool) -> Result<Postgres, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let user = other_user();
        let mut postgres = Postgres {
            programs: programs().ok_or(MISSING)?,
            folder,
            user,
            port: free_port()?,
            durable,
            server: None,
        };
        let base = postgres.folder.path().to_path_buf();
        if let Some(user) = &postgres.user {
            done(Command::new("chown").arg(user).arg(&base))?;
        }
        let mut init = postgres.program("initdb");
        init.args(["--username=towers", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C", "--no-sync", "--pgdata"])
            .arg(base.join("db"));
        done(&mut init)?;
        postgres.run()?;
        Ok(postgres)
    }

    /// How to connect.
    pub fn url(&self) -> String {
        format!("postgres://towers@127.0.0.1:{}/postgres", self.port)
    }

    /// Stops it as a power failure would, waits, and starts it again.
    pub fn restart(&mut self, pause: Duration) -> Result<(), String> {
        self.stop();
        std::thread::sleep(pause);
        self.run()
    }

    /// A copy of all data as SQL, taken while it runs.
    pub fn dump(&self) -> Result<Vec<u8>, String> {
        let mut dump = self.program("pg_dump");
        let output = dump.args(["--dbname", &self.url()]).output();
        let output = output.map_err(|e| format!("pg_dump: {e}"))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// Takes in what [`Postgres::dump`] gave.
    pub fn restore(&self, sql: &[u8]) -> Result<(), String> {
        let file = self.folder.path().join("dump.sql");
        std::fs::write(&file, sql).map_err(|e| e.to_string())?;
        let url = self.url();
        let mut psql = self.program("psql");
        psql.args([
            "--quiet",
            "--no-psqlrc",
            "-v",
            "ON_ERROR_STOP=1",
            "--dbname",
            &url,
        ]);
        done(psql.arg("--file").arg(&file))
    }

    fn run(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        let mut server = self.program("postgres");
        server
            .arg("-D")
            .arg(self.folder.path().join("db"))
            .args(["-h", "127.0.0.1", "-k", "", "-p", &self.port.to_string()])
            .stderr(Stdio::null());
        if !self.durable {
            server.arg("-F");
        }
        self.server = Some(server.spawn().map_err(|e| format!("postgres: {e}"))?);
        let port = self.port.to_string();
        loop {
            let mut ready = self.program("pg_isready");
            if done(ready.args(["-q", "-h", "127.0.0.1", "-p", &port])).is_ok() {
                return Ok(());
            }
            if begun.elapsed() > START {
                return Err("PostgreSQL does not start".into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Kills it; what belongs to it ends by itself.
    fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            // SIGQUIT is its own way to stop at once, without leaving processes behind.
            let id = server.id().to_string();
            let _ = Command::new("kill").args(["-QUIT", &id]).status();
            let _ = server.wait();
        }
    }

    /// One of its programs. It refuses to run as root, so that it is somebody else then.
    fn program(&self, name: &str) -> Command {
        let path = self.programs.join(name);
        let mut command = match &self.user {
            None => Command::new(path),
            Some(user) => {
                let mut command = Command::new("setpriv");
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
fn done(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// Where the programs are: on the path, or where Debian puts them.
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

/// Somebody who is not root, if we are.
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

/// A port that nobody uses.
fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    Ok(address.port())
}

/// Whether there is a `PostgreSQL` to start.
pub fn is_installed() -> bool {
    programs().as_deref().is_some_and(Path::is_dir)
}
