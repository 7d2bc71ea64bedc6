//! `towers schema`: JSON Schema of the protocol and of records.

use clap::builder::PossibleValuesParser;
use towers_table::schema::{SCHEMAS, schema, schemas};

use crate::failure::{Failure, print};

/// Prints JSON Schema generated from the types. A server has the same at /api/schema.json.
#[derive(clap::Args)]
pub struct Args {
    /// Print this schema alone; without it, all of them as one object.
    #[arg(value_parser = PossibleValuesParser::new(SCHEMAS))]
    name: Option<String>,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let value = match &args.name {
        Some(name) => schema(name).unwrap_or_default(),
        None => schemas(),
    };
    print(format_args!("{value:#}"))
}
