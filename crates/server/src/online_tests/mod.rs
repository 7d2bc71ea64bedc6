//! History and pairing through real sockets, with one server and with several on one database.

mod addresses;
mod client;
mod history;
mod pairing;

use std::path::Path;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::{Config, Server, thinker};

struct OnlineServer {
    port: u16,
    stop: oneshot::Sender<()>,
    running: tokio::task::JoinHandle<()>,
}

impl OnlineServer {
    /// Starts a server with its data in a folder, or in a database.
    fn start(runtime: &Runtime, folder: &Path, database: Option<&str>) -> OnlineServer {
        OnlineServer::start_with(runtime, folder, database, |_| {})
    }

    /// The same with other settings.
    fn start_with(
        runtime: &Runtime,
        folder: &Path,
        database: Option<&str>,
        change: impl FnOnce(&mut Config),
    ) -> OnlineServer {
        let mut config = Config {
            listen: ([127, 0, 0, 1], 0).into(),
            data: folder.into(),
            database: database.map(Into::into),
            ..Config::default()
        };
        config.bots.pause = Duration::ZERO;
        config.bots.budget = Duration::from_millis(5);
        config.limits.messages_per_second = 100_000;
        change(&mut config);
        let server = runtime.block_on(Server::open(config, thinker())).unwrap();
        let port = server.address().port();
        let (stop, stopped) = oneshot::channel();
        let running = runtime.spawn(server.run(async {
            let _ = stopped.await;
        }));
        OnlineServer {
            port,
            stop,
            running,
        }
    }

    fn stop(self, runtime: &Runtime) {
        let _ = self.stop.send(());
        runtime.block_on(self.running).unwrap();
    }
}

/// Waits for a condition.
fn until(what: &str, mut is_it: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !is_it() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
