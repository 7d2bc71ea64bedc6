//! `towers load`: how much a server bears, compared with the least that any server has to do.

mod crowd;
mod curves;
mod plot;
mod process;
mod report;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use server::Config;

use self::process::Process;
use self::report::{Play, Report};
use crate::failure::Failure;

/// Measures a server on this computer: scripted players at many tables, bare echoes and bare durable
/// appends in the same run.
#[derive(clap::Args)]
pub struct Args {
    /// How many tables
    #[arg(long, default_value_t = 500)]
    tables: usize,
    /// How many players at each
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    players: u8,
    /// How many seconds each part takes
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// How many actions a second in the part with pauses
    #[arg(long, default_value_t = 200.0)]
    rate: f64,
    /// At how many more tables bots think meanwhile, in another part; 0: none
    #[arg(long, default_value_t = 8)]
    bot_tables: usize,
    #[arg(
        long,
        env = "TOWERS_DATABASE_URL",
        hide_env_values = true,
        help = "Measure with this PostgreSQL database, which is written to, instead of SQLite"
    )]
    database_url: Option<String>,
    /// A folder on the disk to be measured; what is written there is removed again
    #[arg(long)]
    data: Option<PathBuf>,
    /// Instead, measure how the cost of an action depends on the length of a table's log and on the
    /// number of other tables, and write plots into this folder
    #[arg(long, value_name = "FOLDER")]
    curves: Option<PathBuf>,
    /// Write the result as JSON
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
    let runtime = tokio::runtime::Runtime::new().map_err(outside)?;
    runtime.block_on(async {
        if args.echo {
            return serve_echoes().await;
        }
        if !(args.seconds > 0.0 && args.rate > 0.0 && args.tables > 0) {
            return Err(Failure::input("there is nothing to measure"));
        }
        match &args.curves {
            Some(folder) => curves::measure(args, folder).await,
            None => measure(args).await,
        }
    })
}

async fn serve_echoes() -> Result<(), Failure> {
    let here = SocketAddr::from(([127, 0, 0, 1], 0));
    let (address, serving) = server::bare::echo(here).await.map_err(outside)?;
    println!("http://localhost:{}", address.port());
    serving.await;
    Ok(())
}

/// The server's settings for a crowd from one address.
const CROWD: [&str; 14] = [
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
    "--bot-pause",
    "0",
    "--bot-budget",
    "500",
];

/// A server with an empty database, and the folder it uses.
struct Measured {
    process: Process,
    folder: tempfile::TempDir,
}

impl Measured {
    fn start(args: &Args) -> Result<Measured, Failure> {
        let folder = match &args.data {
            Some(data) => tempfile::tempdir_in(data),
            None => tempfile::tempdir(),
        };
        let folder = folder.map_err(outside)?;
        let path = folder.path().to_string_lossy().into_owned();
        let mut all = vec!["serve", "--data", &path];
        all.extend(CROWD);
        if let Some(url) = &args.database_url {
            all.extend(["--database-url", url]);
        }
        Ok(Measured {
            process: Process::start(&all)?,
            folder,
        })
    }
}

async fn measure(args: &Args) -> Result<(), Failure> {
    let time = Duration::from_secs_f64(args.seconds);
    let people = usize::from(args.players);
    let say = |what: &str| eprintln!("{what} …");
    say("bare echoes");
    let echo = {
        let process = Process::start(&["load", "--echo"])?;
        crowd::echo_all(process.port, args.tables, time).await
    };
    let echo = echo.map_err(outside)?;
    let Measured { process, folder } = Measured::start(args)?;
    say("bare appends");
    let config = Config {
        data: folder.path().to_path_buf(),
        database: args.database_url.clone(),
        ..Config::default()
    };
    let bare = async |group| {
        server::bare::appends(&config, group, time)
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
    say("playing as fast as they can");
    let (flat_out, _) = play(&process, tables, None, time).await?;
    let report = Report {
        tables: args.tables,
        players,
        database: if args.database_url.is_some() {
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

/// Lets everybody play, and says what it cost. What goes wrong is said, too.
async fn play(
    process: &Process,
    tables: Vec<crowd::Table>,
    rate: Option<f64>,
    time: Duration,
) -> Result<(Play, Vec<crowd::Table>), Failure> {
    let before = process.processor();
    let played = crowd::play_all(tables, rate, time).await;
    for why in played.errors.iter().take(3) {
        eprintln!("error: {why}");
    }
    if played.times.is_empty() {
        return Err(Failure::Outside("nobody could play".into()));
    }
    let play = Play::of(&played, process.processor() - before);
    Ok((play, played.tables))
}

/// Bytes of memory for a connection to a table at which nothing happens.
async fn idle(process: &Process, connections: usize) -> Result<f64, Failure> {
    let table = crowd::new_table(process.port).await.map_err(outside)?;
    // A table takes two hundred; a few to begin with, so that everything is there that is needed once.
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
