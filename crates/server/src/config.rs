//! Settings of a server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use towers_table::{MESSAGE_BYTES, MESSAGES_PER_SECOND};

/// All settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The folder for all data.
    pub data: PathBuf,
    /// A `PostgreSQL` database instead of the folder, possibly shared with other servers.
    pub database: Option<String>,
    /// The maximum number of connections of this server to that database.
    pub database_connections: usize,
    /// Certificate chain and key, both PEM files, for TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Trust `X-Forwarded-For`: only behind a proxy that sets it.
    pub trust_proxy: bool,
    /// The address for `/metrics`, `/health` and the operator's page; `None` to serve them on `listen`.
    pub ops_listen: Option<SocketAddr>,
    /// The file with the secret of the operator's page; `None`: `admin-secret` in the data folder.
    pub admin_secret_file: Option<PathBuf>,
    /// The file with the key that encrypts stored secrets; `None`: `secret-key` in the data folder, or a key in the
    /// database.
    pub secret_key_file: Option<PathBuf>,
    /// Host names of this server; `localhost` and IP addresses are always accepted.
    pub hosts: Vec<String>,
    /// Origins of other pages that may connect.
    pub origins: Vec<String>,
    /// How push services reach the operator, `mailto:` or `https:`; `None`: the first host name.
    pub push_contact: Option<String>,
    /// Allow push services and webhooks at private addresses and without TLS: for tests.
    pub allow_private_webhooks: bool,
    pub limits: Limits,
    pub bots: BotSettings,
    /// The time without a connection after which a player counts as away.
    pub away_after: Duration,
    /// The time without a connection after which a host is replaced by another person at the table.
    pub host_after: Duration,
    /// The time without connections after which a table is unloaded from memory.
    pub unload_after: Duration,
    /// The time without a visit after which a table is archived.
    pub archive_after: Duration,
    /// The time without a visit after which the log of a finished game is compressed.
    pub pack_after: Duration,
    /// The time without a visit after which a table is deleted permanently; `None`: never.
    pub delete_after: Option<Duration>,
    /// The time after which people are deleted who do not come back; `None`: those without tables after a year.
    pub forget_people_after: Option<Duration>,
    /// Bytes of free disk space below which new tables and settings are refused.
    pub min_free_space: u64,
}

#[derive(Clone, Debug)]
pub struct Limits {
    pub message_bytes: usize,
    /// Messages per second and person, on average.
    pub messages_per_second: u32,
    pub connections_per_address: usize,
    pub connections_per_table: usize,
    pub connections: usize,
    /// New tables per address and hour.
    pub tables_per_address: u32,
    /// Commands other than moves that are stored per address and hour.
    pub entries_per_address: u32,
    /// Commands other than moves that are stored per table and hour.
    pub entries_per_table: u32,
    /// Messages that may wait for a slow client.
    pub outgoing: usize,
}

#[derive(Clone, Debug)]
pub struct BotSettings {
    /// The number of bots that think at the same time.
    pub threads: usize,
    /// The time a bot may think about a move.
    pub budget: Duration,
    /// The minimum delay before a bot acts, so that people can follow.
    pub pause: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: MESSAGE_BYTES,
            messages_per_second: MESSAGES_PER_SECOND,
            connections_per_address: 100,
            connections_per_table: 200,
            connections: 10_000,
            tables_per_address: 60,
            entries_per_address: 3600,
            entries_per_table: 1800,
            outgoing: 512,
        }
    }
}

impl Default for BotSettings {
    fn default() -> BotSettings {
        BotSettings {
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
            database_connections: 8,
            tls: None,
            trust_proxy: false,
            ops_listen: None,
            admin_secret_file: None,
            secret_key_file: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            push_contact: None,
            allow_private_webhooks: false,
            limits: Limits::default(),
            bots: BotSettings::default(),
            away_after: Duration::from_secs(30),
            host_after: Duration::from_secs(60),
            unload_after: Duration::from_secs(120),
            archive_after: Duration::from_secs(30 * 24 * 3600),
            pack_after: Duration::from_secs(3600),
            delete_after: None,
            forget_people_after: None,
            min_free_space: 100 * 1024 * 1024,
        }
    }
}
