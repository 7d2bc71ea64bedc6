//! `towers backup`: a copy of all data while the server runs.

use std::path::PathBuf;

use crate::failure::Failure;

/// Copies all data of a server to a new file, also while it runs. To restore it, put it into an empty
/// folder as towers.db and serve that.
#[derive(clap::Args)]
pub struct Args {
    /// The file to write; it must not be there yet
    file: PathBuf,
    /// The folder for data of the server
    #[arg(long, env = "TOWERS_DATA", default_value = "data")]
    data: PathBuf,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|why| Failure::Outside(why.to_string()))?;
    let copied = runtime.block_on(server::backup(&args.data, &args.file));
    copied.map_err(|why| Failure::Outside(format!("no copy was made: {why}")))
}
