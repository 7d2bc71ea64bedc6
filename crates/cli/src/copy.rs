//! `towers copy`: copying all data from one database to another.

use std::path::PathBuf;

use towers_server::DataLocation;

use crate::failure::Failure;

/// Copies all data to an empty database, from SQLite to PostgreSQL or back, and checks the copy: every row is compared,
/// every table is replayed. Stop the servers first.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("source").required(true))]
#[command(group = clap::ArgGroup::new("target").required(true))]
pub struct Args {
    /// The source: the folder of --data, or postgres://user:password@host/name
    #[arg(long, value_name = "FOLDER|URL", group = "source")]
    from: Option<String>,
    /// A file that contains the source, to keep a password out of the arguments
    #[arg(long, value_name = "FILE", group = "source")]
    from_file: Option<PathBuf>,
    /// The destination: a folder or a database without tables
    #[arg(long, value_name = "FOLDER|URL", group = "target")]
    to: Option<String>,
    /// A file that contains the destination
    #[arg(long, value_name = "FILE", group = "target")]
    to_file: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let from = place(args.from.as_ref(), args.from_file.as_ref())?;
    let to = place(args.to.as_ref(), args.to_file.as_ref())?;
    let runtime = tokio::runtime::Runtime::new().map_err(|e| Failure::Outside(e.to_string()))?;
    let copied = runtime
        .block_on(towers_server::copy(&from, &to))
        .map_err(|why| Failure::Outside(format!("copying failed: {why}")))?;
    for (table, rows) in &copied.rows {
        println!("{table}: {rows} rows");
    }
    println!("{} tables replayed from the copy", copied.replayed);
    Ok(())
}

fn place(text: Option<&String>, file: Option<&PathBuf>) -> Result<DataLocation, Failure> {
    let text = match (text, file) {
        (Some(text), _) => text.clone(),
        (None, Some(file)) => crate::serve::secret_from(file)?,
        (None, None) => return Err(Failure::input("source or destination is missing")),
    };
    Ok(DataLocation::from_text(&text))
}
