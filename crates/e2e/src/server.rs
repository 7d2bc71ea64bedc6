//! A server of the built client, on a separate port.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use crate::browser::{PATIENCE, PAUSE};

/// The number of ports to try.
const MAX_ATTEMPTS: usize = 5;

/// A `towers` process with a separate data folder.
pub struct TowersProcess {
    child: Child,
    data: PathBuf,
    pub url: String,
}

/// The root folder of the project.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../..")
        .canonicalize()
        .expect("the crate lies in the project")
}

pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

impl TowersProcess {
    /// Starts a server. The variable `TOWERS` names the program; the default is the one built by cargo.
    pub fn start() -> TowersProcess {
        TowersProcess::start_with(&[])
    }

    /// Starts a server with further arguments.
    pub fn start_with(arguments: &[&str]) -> TowersProcess {
        assert!(
            root().join("dist/index.html").exists(),
            "build the client first: cargo xtask client"
        );
        let built = root().join("target/debug/towers");
        let towers = std::env::var_os("TOWERS").map_or(built, PathBuf::from);
        // Another program may take the port before the server does.
        let started = (0..MAX_ATTEMPTS)
            .find_map(|_| TowersProcess::start_at(&towers, free_port(), arguments));
        started.expect("a server starts and listens")
    }

    /// Starts a server at a port; `None` if it exits before it listens.
    fn start_at(towers: &Path, port: u16, arguments: &[&str]) -> Option<TowersProcess> {
        let data = std::env::temp_dir().join(format!("towers-e2e-{port}"));
        let child = Command::new(towers)
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data"])
            .arg(&data)
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|why| {
                panic!(
                    "{}: {why}; build it first: cargo build --bin towers",
                    towers.display()
                )
            });
        let mut server = TowersProcess {
            child,
            data,
            url: format!("http://127.0.0.1:{port}/"),
        };
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if !matches!(server.child.try_wait(), Ok(None)) {
                return None;
            }
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Some(server);
            }
            std::thread::sleep(PAUSE);
        }
        None
    }

    /// Stops the server, as if the network failed.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for TowersProcess {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}
