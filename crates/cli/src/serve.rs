//! `towers serve`: the game server.

use std::io::{IsTerminal, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::BoolishValueParser;
use towers_server::{BotSettings, Config, Limits, Server};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::failure::Failure;
use crate::service;

/// Serves the game: tables, bots, the client. By default on this computer only.
#[derive(clap::Args)]
pub struct Args {
    /// The address to listen on; 0.0.0.0:8080 for everybody who can reach this computer
    #[arg(long, env = "TOWERS_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The folder for all data; created if it does not exist
    #[arg(long, env = "TOWERS_DATA", default_value = "data")]
    data: PathBuf,
    #[arg(
        long,
        env = "TOWERS_DATABASE_URL",
        hide_env_values = true,
        help = "Keep the data in this PostgreSQL database instead, postgres://user:password@host/name; several servers may share one"
    )]
    database_url: Option<String>,
    #[arg(
        long,
        env = "TOWERS_DATABASE_URL_FILE",
        conflicts_with = "database_url",
        help = "Read the address of the PostgreSQL database from this file, where other users cannot see it"
    )]
    database_url_file: Option<PathBuf>,
    /// Maximum connections of this server to that database
    #[arg(long, env = "TOWERS_DATABASE_CONNECTIONS", default_value_t = 8, value_parser = clap::value_parser!(u16).range(5..))]
    database_connections: u16,
    /// A certificate chain (PEM) for HTTPS
    #[arg(long, env = "TOWERS_TLS_CERT", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate (PEM)
    #[arg(long, env = "TOWERS_TLS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Trust the last address in X-Forwarded-For; only behind a proxy that sets it
    #[arg(long, env = "TOWERS_TRUST_PROXY", value_parser = BoolishValueParser::new())]
    trust_proxy: bool,
    #[arg(
        long = "host",
        env = "TOWERS_HOSTS",
        value_delimiter = ',',
        help = "A host name of this server, for instance towers.example (repeatable); localhost and IP addresses are always accepted"
    )]
    hosts: Vec<String>,
    #[arg(
        long,
        env = "TOWERS_OPS_LISTEN",
        help = "Serve /metrics, /health and the operator's page here only, for instance on 127.0.0.1:9090"
    )]
    ops_listen: Option<SocketAddr>,
    #[arg(
        long,
        env = "TOWERS_ADMIN_SECRET_FILE",
        help = "The file with the secret of the operator's page, created if it does not exist [default: admin-secret in the data folder]"
    )]
    admin_secret_file: Option<PathBuf>,
    #[arg(
        long,
        env = "TOWERS_SECRET_KEY_FILE",
        help = "The file with the key that encrypts stored secrets, the same for all servers on a database, created if it does not exist [default: secret-key in the data folder, or a key in the database]"
    )]
    secret_key_file: Option<PathBuf>,
    #[arg(
        long = "origin",
        env = "TOWERS_ORIGINS",
        value_delimiter = ',',
        help = "Also accept connections from pages of this origin, for instance https://club.example (repeatable)"
    )]
    origins: Vec<String>,
    #[arg(
        long,
        env = "TOWERS_PUSH_CONTACT",
        help = "How push services reach you if your messages cause trouble, for instance mailto:you@towers.example [default: the first --host]"
    )]
    push_contact: Option<String>,
    /// Send push messages and webhooks to private addresses, too, and without TLS: for tests only
    #[arg(long, env = "TOWERS_ALLOW_PRIVATE_WEBHOOKS", value_parser = BoolishValueParser::new())]
    allow_private_webhooks: bool,
    /// Maximum number of bots that think at the same time [default: one per core]
    #[arg(long, env = "TOWERS_BOT_THREADS")]
    bot_threads: Option<usize>,
    /// Milliseconds that a bot may think about a move
    #[arg(long, env = "TOWERS_BOT_BUDGET", default_value_t = 500)]
    bot_budget: u64,
    /// Minimum milliseconds that a bot takes for a move, so that people can follow
    #[arg(long, env = "TOWERS_BOT_PAUSE", default_value_t = 700)]
    bot_pause: u64,
    /// Seconds without a connection after which a player counts as away
    #[arg(long, env = "TOWERS_AWAY_AFTER", default_value_t = 30.0)]
    away_after: f64,
    /// Seconds without a connection after which a host is replaced by another person at the table
    #[arg(long, env = "TOWERS_HOST_AFTER", default_value_t = 60.0)]
    host_after: f64,
    /// Seconds without a connection after which a table is unloaded from memory (it is not lost)
    #[arg(long, env = "TOWERS_UNLOAD_AFTER", default_value_t = 120.0)]
    unload_after: f64,
    /// Days without a visit after which a table is archived (its record stays)
    #[arg(long, env = "TOWERS_ARCHIVE_AFTER", default_value_t = 30.0)]
    archive_after: f64,
    /// Minutes without a visit after which the log of a finished game is compressed
    #[arg(long, env = "TOWERS_PACK_AFTER", default_value_t = 60.0)]
    pack_after: f64,
    #[arg(
        long,
        env = "TOWERS_DELETE_AFTER",
        help = "Days without a visit after which a table is deleted permanently [default: never]"
    )]
    delete_after: Option<f64>,
    #[arg(
        long,
        env = "TOWERS_FORGET_PEOPLE_AFTER",
        help = "Days after which people are deleted who do not come back, with their names at tables [default: after a year, if they are at no table]"
    )]
    forget_people_after: Option<f64>,
    /// Megabytes of free disk space below which new tables and settings are refused (moves are accepted)
    #[arg(long, env = "TOWERS_MIN_FREE_SPACE", default_value_t = 100)]
    min_free_space: u64,
    /// Maximum connections per address
    #[arg(long, env = "TOWERS_CONNECTIONS_PER_ADDRESS", default_value_t = Limits::default().connections_per_address)]
    connections_per_address: usize,
    /// Maximum connections in total
    #[arg(long, env = "TOWERS_CONNECTIONS", default_value_t = Limits::default().connections)]
    connections: usize,
    /// Maximum tables opened per address and hour
    #[arg(long, env = "TOWERS_TABLES_PER_ADDRESS", default_value_t = Limits::default().tables_per_address)]
    tables_per_address: u32,
    /// Maximum stored commands other than moves per address and hour
    #[arg(long, env = "TOWERS_ENTRIES_PER_ADDRESS", default_value_t = Limits::default().entries_per_address)]
    entries_per_address: u32,
    /// Maximum stored commands other than moves per table and hour
    #[arg(long, env = "TOWERS_ENTRIES_PER_TABLE", default_value_t = Limits::default().entries_per_table)]
    entries_per_table: u32,
    /// Maximum messages per person and second, on average
    #[arg(long, env = "TOWERS_MESSAGES_PER_SECOND", default_value_t = Limits::default().messages_per_second)]
    messages_per_second: u32,
    #[arg(
        long,
        env = "TOWERS_LOG_FORMAT",
        value_enum,
        default_value_t = LogFormat::Text,
        help = "The format of the log on standard error; TOWERS_LOG=debug logs more"
    )]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    // Comments instead of doc comments, which would make the help four times as long.
    // Human-readable.
    Text,
    // Machine-readable.
    Json,
}

impl Args {
    /// The address of the database, which may contain a password.
    fn database(&self) -> Result<Option<String>, Failure> {
        match &self.database_url_file {
            None => Ok(self.database_url.clone()),
            Some(file) => secret_from(file).map(Some),
        }
    }

    fn config(&self) -> Result<Config, Failure> {
        let seconds = |value: f64, name: &str| {
            Duration::try_from_secs_f64(value)
                .map_err(|_| Failure::input(format!("{name} is too large: {value}")))
        };
        Ok(Config {
            listen: self.listen,
            data: self.data.clone(),
            database: self.database()?,
            database_connections: self.database_connections.into(),
            tls: self.tls_cert.clone().zip(self.tls_key.clone()),
            trust_proxy: self.trust_proxy,
            ops_listen: self.ops_listen,
            admin_secret_file: self.admin_secret_file.clone(),
            secret_key_file: self.secret_key_file.clone(),
            hosts: self.hosts.clone(),
            origins: self.origins.clone(),
            push_contact: self.push_contact.clone(),
            allow_private_webhooks: self.allow_private_webhooks,
            limits: Limits {
                connections_per_address: self.connections_per_address,
                connections: self.connections,
                tables_per_address: self.tables_per_address,
                messages_per_second: self.messages_per_second,
                entries_per_address: self.entries_per_address,
                entries_per_table: self.entries_per_table,
                ..Limits::default()
            },
            bots: BotSettings {
                threads: self.bot_threads.unwrap_or(BotSettings::default().threads),
                budget: Duration::from_millis(self.bot_budget),
                pause: Duration::from_millis(self.bot_pause),
            },
            away_after: seconds(self.away_after, "--away-after")?,
            host_after: seconds(self.host_after, "--host-after")?,
            unload_after: seconds(self.unload_after, "--unload-after")?,
            archive_after: seconds(self.archive_after * 86_400.0, "--archive-after")?,
            pack_after: seconds(self.pack_after * 60.0, "--pack-after")?,
            delete_after: self
                .delete_after
                .map(|days| seconds(days * 86_400.0, "--delete-after"))
                .transpose()?,
            forget_people_after: self
                .forget_people_after
                .map(|days| seconds(days * 86_400.0, "--forget-people-after"))
                .transpose()?,
            min_free_space: self.min_free_space.saturating_mul(1024 * 1024),
        })
    }
}

/// The only line of a file: the address of a database, which may contain a password.
pub fn secret_from(file: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(file).map_err(|why| Failure::file(file.display(), &why))?;
    match text.trim() {
        "" => Err(Failure::input(format!("{} is empty", file.display()))),
        text => Ok(text.into()),
    }
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config()?;
    let mut filter = filter()?;
    // At their finest levels these would log clients' messages, including secrets.
    for quiet in [
        "tungstenite=info",
        "tokio_tungstenite=info",
        "hyper=info",
        "rustls=info",
        // They log one line per connection when the database stops; the server logs once that it is unreachable.
        "sqlx::postgres::notice=error",
    ] {
        filter = filter.add_directive(quiet.parse().expect("these are well-formed"));
    }
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // A log that cannot be written, for instance on a full disk, does not stop the server.
        .log_internal_errors(false)
        .with_ansi(colours())
        .with_writer(std::io::stderr);
    match args.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    crate::open_files::allow_for(config.limits.connections);
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|why| Failure::Outside(format!("cannot start threads: {why}")))?;
    let served = runtime.block_on(async {
        let encrypted = config.tls.is_some();
        let server = Server::open(config, towers_server::thinker())
            .await
            .map_err(|why| Failure::Outside(why.to_string()))?;
        let signal = shutdown_signal();
        let lines = greeting(server.address(), encrypted, towers_server::has_client());
        // A reader that only needs the link may close the pipe after the first line.
        let _ = writeln!(std::io::stdout(), "{lines}");
        service::ready();
        let watchdog = tokio::spawn(service::feed_watchdog());
        let stopping = async {
            signal.await;
            service::stopping();
        };
        server.run(stopping).await;
        watchdog.abort();
        Ok(())
    });
    // Do not wait for thinking bots or pending name lookups.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Parses `TOWERS_LOG`: a level, or `target=level` separated by commas. Any other word would be taken for a target, and
/// nothing would be logged.
fn filter() -> Result<EnvFilter, Failure> {
    let text = match std::env::var("TOWERS_LOG") {
        Ok(text) if !text.trim().is_empty() => text,
        Ok(_) | Err(std::env::VarError::NotPresent) => "info".into(),
        Err(why) => return Err(Failure::input(format!("TOWERS_LOG: {why}"))),
    };
    let parts = text.split(',').map(str::trim);
    for word in parts.filter(|part| !part.contains(['=', '['])) {
        if word.parse::<LevelFilter>().is_err() {
            return Err(Failure::input(format!(
                "TOWERS_LOG: {word:?} is not a level: use off, error, warn, info, debug or trace"
            )));
        }
    }
    EnvFilter::try_new(&text).map_err(|why| Failure::input(format!("TOWERS_LOG: {why}")))
}

/// Whether standard error is a terminal that accepts colours.
fn colours() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
}

/// A line for hosts who installed the program without building its client first.
const NO_CLIENT: &str = "\nThis program has no client: run `cargo xtask client`, then `cargo install --path crates/cli`.";

/// The first output: the line with the link, and one about a missing client.
fn greeting(address: SocketAddr, encrypted: bool, has_client: bool) -> String {
    let notice = if has_client { "" } else { NO_CLIENT };
    invitation(address, encrypted) + notice
}

/// The line with the link.
fn invitation(address: SocketAddr, encrypted: bool) -> String {
    let scheme = if encrypted { "https" } else { "http" };
    let host = if address.ip().is_unspecified() || address.ip().is_loopback() {
        "localhost".to_string()
    } else if address.is_ipv6() {
        format!("[{}]", address.ip())
    } else {
        address.ip().to_string()
    };
    format!(
        "Wandering Towers: {scheme}://{host}:{} (stop with Ctrl+C)",
        address.port()
    )
}

/// Completes on Ctrl+C or the signal of a service manager. Signals are caught from this call on.
pub fn shutdown_signal() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let mut signals = {
        use tokio::signal::unix::{SignalKind, signal};
        [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok())
    };
    async move {
        #[cfg(unix)]
        if let [Some(interrupt), Some(terminate)] = &mut signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_a_client_says_how_to_build_one() {
        let address: SocketAddr = "127.0.0.1:8080".parse().unwrap();
        let link = "Wandering Towers: http://localhost:8080 (stop with Ctrl+C)";
        assert_eq!(greeting(address, false, true), link);
        let lines = greeting(address, false, false);
        let (first, notice) = lines.split_once('\n').unwrap();
        assert_eq!(first, link);
        for command in ["cargo xtask client", "cargo install --path crates/cli"] {
            assert!(notice.contains(command), "{notice}");
        }
    }
}
