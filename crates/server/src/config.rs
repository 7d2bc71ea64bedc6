//! What a host can set.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// All settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The folder for all data.
    pub data: PathBuf,
    /// A `PostgreSQL` database for all data instead, possibly shared with other servers.
    pub database: Option<String>,
    /// Certificate chain and key, both PEM files, for TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Take the client's address from `X-Forwarded-For`: only behind a proxy that sets it.
    pub trust_proxy: bool,
    /// Origins of pages that may connect, besides the server's own.
    pub origins: Vec<String>,
    /// What is allowed.
    pub limits: Limits,
    /// How bots think.
    pub bots: Bots,
    /// After how long without a connection a player counts as away.
    pub away_after: Duration,
    /// After how long without anybody a table is taken out of memory; it is not lost.
    pub unload_after: Duration,
    /// After how long without a person a table is put away; it is not lost either.
    pub archive_after: Duration,
}

/// What is allowed.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a message.
    pub message_bytes: usize,
    /// Messages per second and connection, on average.
    pub messages_per_second: u32,
    /// Connections per address.
    pub connections_per_address: usize,
    /// Connections per table.
    pub connections_per_table: usize,
    /// Connections in all.
    pub connections: usize,
    /// New tables per address and hour.
    pub tables_per_address: u32,
    /// Messages that may wait for a slow reader.
    pub outgoing: usize,
}

/// How bots think.
#[derive(Clone, Debug)]
pub struct Bots {
    /// How many think at the same time.
    pub threads: usize,
    /// How long one may think about a move.
    pub budget: Duration,
    /// How long a bot waits at least before it acts, so that people can follow.
    pub pause: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: 8 * 1024,
            messages_per_second: 20,
            connections_per_address: 100,
            connections_per_table: 200,
            connections: 10_000,
            tables_per_address: 60,
            outgoing: 512,
        }
    }
}

impl Default for Bots {
    fn default() -> Bots {
        Bots {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            budget: Duration::from_millis(500),
            pause: Duration::from_millis(700),
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: PathBuf::from("data"),
            database: None,
            tls: None,
            trust_proxy: false,
            origins: Vec::new(),
            limits: Limits::default(),
            bots: Bots::default(),
            away_after: Duration::from_secs(30),
            unload_after: Duration::from_secs(120),
            archive_after: Duration::from_secs(30 * 24 * 3600),
        }
    }
}
