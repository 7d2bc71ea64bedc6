//! `towers load`: the capacity of a server, compared with the least work that any server has to do.

mod crowd;
mod curves;
mod messages;
mod plot;
mod process;
mod report;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use towers_server::{Config, Scratch};

use self::process::{ServerProcess, own_processor};
use self::report::{LoadReport, Play};
use crate::failure::Failure;

/// Measures a server on this computer: scripted players at many tables, plain echoes and plain durable appends in the
/// same run.
#[derive(clap::Args)]
pub struct Args {
    /// Number of tables
    #[arg(long, default_value_t = 500)]
    tables: usize,
    /// Number of players at each table
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// Duration of each part in seconds
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Actions per second in the paced part
    #[arg(long, default_value_t = 200.0)]
    rate: f64,
    /// Number of additional tables with thinking bots, in an additional part; 0: none
    #[arg(long, default_value_t = 8)]
    bot_tables: usize,
    #[arg(
        long,
        env = "TOWERS_DATABASE_URL",
        hide_env_values = true,
        help = "Measure with this PostgreSQL database instead of SQLite, in a schema of its own that is removed afterwards"
    )]
    database_url: Option<String>,
    #[arg(
        long,
        env = "TOWERS_DATABASE_URL_FILE",
        conflicts_with = "database_url",
        help = "Read the address of the PostgreSQL database from this file"
    )]
    database_url_file: Option<PathBuf>,
    /// A folder on the disk to be measured; files written there are removed again
    #[arg(long)]
    data: Option<PathBuf>,
    /// Instead, measure the cost of an action by the length of a table's log and by the number of other tables, and
    /// write plots into this folder
    #[arg(long, value_name = "FOLDER")]
    curves: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Only serve echoes
    #[arg(long, hide = true)]
    echo: bool,
}

fn outside(why: impl std::fmt::Display) -> Failure {
    Failure::Outside(why.to_string())
}

pub fn run(args: &Args) -> Result<(), Failure> {
    // One for each connection, and some for the program itself.
    crate::open_files::allow_for(args.tables * usize::from(args.players) + 100);
    let runtime = tokio::runtime::Runtime::new().map_err(outside)?;
    runtime.block_on(async {
        if args.echo {
            return serve_echoes().await;
        }
        if !(args.seconds > 0.0 && args.rate > 0.0 && args.tables > 0) {
            return Err(Failure::input(
                "nothing to measure: tables, players and seconds must be more than 0",
            ));
        }
        let url = match &args.database_url_file {
            Some(file) => Some(crate::serve::secret_from(file)?),
            None => args.database_url.clone(),
        };
        let scratch = match &url {
            Some(url) => Some(Scratch::create(url).await.map_err(outside)?),
            None => None,
        };
        let measuring = async {
            let url = scratch.as_ref().map(Scratch::url);
            match &args.curves {
                Some(folder) => curves::measure(args, url, folder).await,
                None => measure(args, url).await,
            }
        };
        // Cancelling drops the measurement's future, which stops servers and removes folders.
        let measured = tokio::select! {
            measured = measuring => measured,
            () = crate::serve::shutdown_signal() => Err(Failure::Outside("interrupted".into())),
        };
        if let Some(scratch) = scratch {
            scratch.remove().await.map_err(outside)?;
        }
        measured
    })
}

async fn serve_echoes() -> Result<(), Failure> {
    let here = SocketAddr::from(([127, 0, 0, 1], 0));
    let (address, serving) = towers_server::baseline::echo(here).map_err(outside)?;
    println!("http://localhost:{}", address.port());
    serving.await;
    Ok(())
}

/// The server's settings for many players from one address.
const LOAD_SERVER_ARGS: [&str; 18] = [
    "--listen",
    "127.0.0.1:0",
    "--messages-per-second",
    "100000",
    "--connections",
    "1000000",
    "--connections-per-address",
    "1000000",
    "--tables-per-address",
    "100000000",
    "--entries-per-address",
    "100000000",
    "--entries-per-table",
    "100000000",
    "--bot-pause",
    "0",
    "--bot-budget",
    "500",
];

/// A server with an empty database, and the folder it uses.
struct Measured {
    process: ServerProcess,
    folder: tempfile::TempDir,
}

impl Measured {
    fn start(args: &Args, url: Option<&str>) -> Result<Measured, Failure> {
        let folder = match &args.data {
            Some(data) => tempfile::tempdir_in(data),
            None => tempfile::tempdir(),
        };
        let folder = folder.map_err(outside)?;
        let path = folder.path().to_string_lossy().into_owned();
        let mut all = vec!["serve", "--data", &path];
        all.extend(LOAD_SERVER_ARGS);
        Ok(Measured {
            process: ServerProcess::start(&all, url)?,
            folder,
        })
    }
}

async fn measure(args: &Args, url: Option<&str>) -> Result<(), Failure> {
    let time = Duration::from_secs_f64(args.seconds);
    let people = usize::from(args.players);
    let say = |what: &str| eprintln!("{what} …");
    say("plain echoes");
    let echo = {
        let process = ServerProcess::start(&["load", "--echo"], None)?;
        crowd::echo_all(process.port, args.tables, time).await
    };
    let echo = echo.map_err(outside)?;
    let Measured { process, folder } = Measured::start(args, url)?;
    say("plain appends");
    let config = Config {
        data: folder.path().to_path_buf(),
        database: url.map(Into::into),
        ..Config::default()
    };
    let bare = async |group| {
        towers_server::baseline::appends(&config, group, time)
            .await
            .map_err(outside)
    };
    let (appends, grouped_appends) = (bare(1).await?, bare(256).await?);
    say("idle connections");
    let bytes_per_connection = idle(&process, args.tables * people).await?;
    say("tables");
    let before = process.memory();
    let tables = crowd::open_all(process.port, args.tables, people, None).await;
    let tables = tables.map_err(outside)?;
    let players = args.tables * people;
    let bytes_per_player =
        (process.memory() - before.min(process.memory())) as f64 / players as f64;
    say("playing with pauses");
    let (paced, tables) = play(&process, tables, Some(args.rate), time).await?;
    let mut with_bots = None;
    let mut tables = tables;
    if args.bot_tables > 0 {
        say("playing with pauses while bots think");
        let bots = crowd::open_all(process.port, args.bot_tables, 1, Some((3, "adept"))).await;
        let busy = tokio::spawn(crowd::play_all(bots.map_err(outside)?, None, time));
        let (play, rest) = play(&process, tables, Some(args.rate), time).await?;
        (with_bots, tables) = (Some(play), rest);
        let thinkers = busy.await.map_err(outside)?;
        if let Some(why) = thinkers.errors.first() {
            return Err(Failure::Outside(format!("at a table with bots: {why}")));
        }
    }
    say("playing as fast as possible");
    let (flat_out, _) = play(&process, tables, None, time).await?;
    let report = LoadReport {
        tables: args.tables,
        players,
        database: if url.is_some() {
            "PostgreSQL"
        } else {
            "SQLite"
        },
        echo,
        appends,
        grouped_appends,
        bytes_per_connection,
        bytes_per_player,
        paced,
        flat_out,
        with_bots,
    };
    if args.json {
        println!("{}", serde_json::to_string(&report).map_err(outside)?);
    } else {
        print!("{}", report.text());
    }
    Ok(())
}

/// Lets everybody play; returns the results and the cost. Errors are printed.
async fn play(
    process: &ServerProcess,
    tables: Vec<crowd::SimulatedTable>,
    rate: Option<f64>,
    time: Duration,
) -> Result<(Play, Vec<crowd::SimulatedTable>), Failure> {
    let (before, own_before) = (process.processor(), own_processor());
    let played = crowd::play_all(tables, rate, time).await;
    let server = process.processor() - before;
    let players = own_processor() - own_before;
    for why in played.errors.iter().take(3) {
        eprintln!("error: {why}");
    }
    if played.times.is_empty() {
        return Err(Failure::Outside("no action succeeded".into()));
    }
    let play = Play::of(&played, server, players);
    Ok((play, played.tables))
}

/// Memory in bytes per connection to an idle table.
async fn idle(process: &ServerProcess, connections: usize) -> Result<f64, Failure> {
    let table = crowd::new_table(process.port).await.map_err(outside)?;
    // A table accepts two hundred connections. Open a few first, so that one-time allocations are not counted.
    let mut all = crowd::watch(process.port, &table, 100)
        .await
        .map_err(outside)?;
    let before = process.memory();
    let mut tables = connections.div_ceil(200);
    while tables > 0 {
        let table = crowd::new_table(process.port).await.map_err(outside)?;
        all.extend(
            crowd::watch(process.port, &table, 200)
                .await
                .map_err(outside)?,
        );
        tables -= 1;
    }
    let more = (all.len() - 100) as f64;
    Ok(process.memory().saturating_sub(before) as f64 / more)
}
