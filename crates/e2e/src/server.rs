//! A server of the built client, on its own port.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// The real `towers` process, with its own data.
pub struct Server {
    child: Child,
    data: PathBuf,
    pub url: String,
}

/// The folder of the project.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.join("../..")
        .canonicalize()
        .expect("the crate lies in the project")
}

/// An unused port.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}

impl Server {
    /// Starts a server. The variable `TOWERS` names the program; by default it is the one built by cargo.
    pub fn start() -> Server {
        assert!(
            root().join("dist/index.html").exists(),
            "build the client first: cargo xtask client"
        );
        let port = free_port();
        let built = root().join("target/debug/towers");
        let towers = std::env::var_os("TOWERS").map_or(built, PathBuf::from);
        let data = std::env::temp_dir().join(format!("towers-e2e-{port}"));
        let child = Command::new(&towers)
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data"])
            .arg(&data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|why| {
                panic!(
                    "{}: {why}; build it first: cargo build --bin towers",
                    towers.display()
                )
            });
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Server {
            child,
            data,
            url: format!("http://127.0.0.1:{port}/"),
        }
    }

    /// Stops the server, as if the network failed.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}
