//! `towers backup`: a consistent copy of all data while the server runs.

use std::path::PathBuf;

use crate::failure::Failure;

/// Copies all data of a server to a new file, even while it runs. To restore it, put the file into an empty folder as
/// towers.db and serve that folder.
#[derive(clap::Args)]
pub struct Args {
    /// The file to write; it must not exist yet
    file: PathBuf,
    /// The server's data folder
    #[arg(long, env = "TOWERS_DATA", default_value = "data")]
    data: PathBuf,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|why| Failure::Outside(why.to_string()))?;
    let copied = runtime.block_on(towers_server::backup(&args.data, &args.file));
    copied.map_err(|why| Failure::Outside(format!("backup failed: {why}")))
}
