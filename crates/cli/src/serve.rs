//! `towers serve`: play with friends by a link.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use server::{Bots, Config, Limits, Server};
use tracing_subscriber::EnvFilter;

use crate::failure::Failure;

/// Serves the game: tables, bots, the client. Without arguments, on this computer only.
#[derive(clap::Args)]
pub struct Args {
    /// Where to listen; 0.0.0.0:8080 for everybody who can reach this computer
    #[arg(long, env = "TOWERS_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The folder for all data; it is made if there is none
    #[arg(long, env = "TOWERS_DATA", default_value = "data")]
    data: PathBuf,
    #[arg(
        long,
        env = "TOWERS_DATABASE_URL",
        hide_env_values = true,
        help = "Keep the data in this PostgreSQL database instead, postgres://user:password@host/name; several servers may share one"
    )]
    database_url: Option<String>,
    /// A certificate chain (PEM) to serve https with
    #[arg(long, env = "TOWERS_TLS_CERT", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The certificate's key (PEM)
    #[arg(long, env = "TOWERS_TLS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Believe the last address in X-Forwarded-For; only behind a proxy that sets it
    #[arg(long, env = "TOWERS_TRUST_PROXY")]
    trust_proxy: bool,
    #[arg(
        long = "origin",
        env = "TOWERS_ORIGINS",
        value_delimiter = ',',
        help = "Pages from this origin may connect, too, for instance https://club.example (repeatable)"
    )]
    origins: Vec<String>,
    /// How many bots may think at the same time [default: one per core]
    #[arg(long, env = "TOWERS_BOT_THREADS")]
    bot_threads: Option<usize>,
    /// How many milliseconds a bot may think about a move
    #[arg(long, env = "TOWERS_BOT_BUDGET", default_value_t = 500)]
    bot_budget: u64,
    /// How many milliseconds a bot waits at least, so that people can follow
    #[arg(long, env = "TOWERS_BOT_PAUSE", default_value_t = 700)]
    bot_pause: u64,
    /// After how many seconds without a connection a player counts as away
    #[arg(long, env = "TOWERS_AWAY_AFTER", default_value_t = 30.0)]
    away_after: f64,
    /// After how many seconds without anybody a table is taken out of memory (it is not lost)
    #[arg(long, env = "TOWERS_UNLOAD_AFTER", default_value_t = 120.0)]
    unload_after: f64,
    /// After how many days without a person a table is put away (its record stays)
    #[arg(long, env = "TOWERS_ARCHIVE_AFTER", default_value_t = 30.0)]
    archive_after: f64,
    /// How many connections an address may have
    #[arg(long, env = "TOWERS_CONNECTIONS_PER_ADDRESS", default_value_t = Limits::default().connections_per_address)]
    connections_per_address: usize,
    /// How many connections there may be in all
    #[arg(long, env = "TOWERS_CONNECTIONS", default_value_t = Limits::default().connections)]
    connections: usize,
    /// How many tables an address may open in an hour
    #[arg(long, env = "TOWERS_TABLES_PER_ADDRESS", default_value_t = Limits::default().tables_per_address)]
    tables_per_address: u32,
    /// How many messages a connection may send in a second, on average
    #[arg(long, env = "TOWERS_MESSAGES_PER_SECOND", default_value_t = Limits::default().messages_per_second)]
    messages_per_second: u32,
    #[arg(
        long,
        env = "TOWERS_LOG_FORMAT",
        value_enum,
        default_value_t = LogFormat::Text,
        help = "How to write the log to standard error; TOWERS_LOG=debug writes more"
    )]
    log_format: LogFormat,
}

/// How to write the log.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    // Comments, not documentation: that would make the help four times as long.
    // For people.
    Text,
    // For programs.
    Json,
}

impl Args {
    fn config(&self) -> Result<Config, Failure> {
        let seconds = |value: f64, name: &str| {
            Duration::try_from_secs_f64(value)
                .map_err(|_| Failure::input(format!("{name} is not a time: {value}")))
        };
        Ok(Config {
            listen: self.listen,
            data: self.data.clone(),
            database: self.database_url.clone(),
            tls: self.tls_cert.clone().zip(self.tls_key.clone()),
            trust_proxy: self.trust_proxy,
            origins: self.origins.clone(),
            limits: Limits {
                connections_per_address: self.connections_per_address,
                connections: self.connections,
                tables_per_address: self.tables_per_address,
                messages_per_second: self.messages_per_second,
                ..Limits::default()
            },
            bots: Bots {
                threads: self.bot_threads.unwrap_or(Bots::default().threads),
                budget: Duration::from_millis(self.bot_budget),
                pause: Duration::from_millis(self.bot_pause),
            },
            away_after: seconds(self.away_after, "--away-after")?,
            unload_after: seconds(self.unload_after, "--unload-after")?,
            archive_after: seconds(self.archive_after * 86_400.0, "--archive-after")?,
        })
    }
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config()?;
    let mut filter =
        EnvFilter::try_from_env("TOWERS_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    // At their finest levels these would write down what people send, secrets included.
    for quiet in [
        "tungstenite=info",
        "tokio_tungstenite=info",
        "hyper=info",
        "rustls=info",
    ] {
        filter = filter.add_directive(quiet.parse().expect("these are well-formed"));
    }
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // A log that cannot be written, on a full disk for instance, is no reason to stop.
        .log_internal_errors(false)
        .with_writer(std::io::stderr);
    match args.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|why| Failure::Outside(format!("the system gives no threads: {why}")))?;
    runtime.block_on(async {
        let encrypted = config.tls.is_some();
        let server = Server::open(config, server::thinker())
            .await
            .map_err(|why| Failure::Outside(why.to_string()))?;
        println!("{}", invitation(server.address(), encrypted));
        server.run(until_told()).await;
        Ok(())
    })
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

/// Ctrl+C, or what a service manager sends.
async fn until_told() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}
