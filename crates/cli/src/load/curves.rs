//! The cost of an action by the length of a table's log, and by the number of other tables.

use std::path::Path;
use std::time::Duration;

use super::crowd::{self, SimulatedTable};
use super::plot::Plot;
use super::process::ServerProcess;
use super::{Args, Measured, outside, play};
use crate::failure::Failure;

/// The minimum lengths of the logs: from a first game to a table used for years.
const LENGTHS: [u64; 9] = [0, 500, 1000, 1500, 2000, 4000, 6000, 8000, 10_000];
/// The numbers of other tables.
const OTHERS: [usize; 5] = [0, 500, 1000, 2000, 4000];
/// The number of tables that play during a measurement.
const PLAYING: usize = 8;

/// Measures both and writes the plots.
pub async fn measure(args: &Args, url: Option<&str>, folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(outside)?;
    let time = Duration::from_secs_f64(args.seconds);
    let Measured {
        process,
        folder: _data,
    } = Measured::start(args, url)?;
    let mut tables = players(&process, args).await?;
    let mut points = Vec::new();
    for length in LENGTHS {
        while mean_length(&tables) < length {
            (_, tables) = play(&process, tables, None, time).await?;
        }
        let (cost, rest) = play(&process, tables, None, time).await?;
        tables = rest;
        let length = mean_length(&tables);
        eprintln!(
            "{length} entries: {:.0} µs, p50 {:.2} ms",
            cost.cost, cost.p50
        );
        points.push((length as f64, cost.cost));
    }
    let plot = Plot {
        title: "Cost of an action at a table with a longer and longer log",
        across: "entries in the table's log",
        up: "processor time of the server, µs",
        points: &points,
    };
    write(&folder.join("length.svg"), &plot)?;
    points.clear();
    let mut others = Vec::new();
    for count in OTHERS {
        while others.len() < count {
            let table = crowd::new_table(process.port).await.map_err(outside)?;
            others.extend(
                crowd::watch(process.port, &table, 1)
                    .await
                    .map_err(outside)?,
            );
        }
        let (cost, rest) = play(&process, tables, None, time).await?;
        tables = rest;
        eprintln!(
            "{count} other tables: {:.0} µs, p50 {:.2} ms",
            cost.cost, cost.p50
        );
        points.push((count as f64, cost.cost));
    }
    let plot = Plot {
        title: "Cost of an action beside other tables in memory, each with a connection",
        across: "other tables",
        up: "processor time of the server, µs",
        points: &points,
    };
    write(&folder.join("tables.svg"), &plot)
}

/// The mean number of entries in the logs of these tables.
fn mean_length(tables: &[SimulatedTable]) -> u64 {
    tables.iter().map(SimulatedTable::number).sum::<u64>() / tables.len().max(1) as u64
}

async fn players(process: &ServerProcess, args: &Args) -> Result<Vec<SimulatedTable>, Failure> {
    let people = usize::from(args.players);
    let opened = crowd::open_all(process.port, PLAYING, people, None).await;
    opened.map_err(outside)
}

fn write(file: &Path, plot: &Plot) -> Result<(), Failure> {
    std::fs::write(file, plot.svg()).map_err(|e| Failure::file(file.display(), &e))
}
