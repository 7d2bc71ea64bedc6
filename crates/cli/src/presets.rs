//! `towers presets`: the rules of each edition, and how a table differs from them.

use serde_json::{Map, Value, json};
use towers_rules::{Departure, Field, Mode, Preset, Setup};

use crate::failure::Failure;
use crate::table_args::TableArgs;

/// Prints every rules field with its value in each edition. Given rules (a preset, fields, spells, …), prints instead
/// how they differ from the edition's rulebook.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let setup = args.table.setup()?;
    if args.table.says_something() {
        departures(&setup, args.json);
    } else {
        table(args.json);
    }
    Ok(())
}

/// The value of a field in an edition; `None` where it has no such game.
fn printed(preset: Preset, field: Field) -> Option<String> {
    let of_solo = matches!(
        field,
        Field::SoloDeck | Field::SoloRefresh | Field::SoloSpell | Field::CoopHands
    );
    (preset.has_solo() || !of_solo).then(|| preset.options(Mode::Versus).get(field))
}

fn of_editions() -> impl Iterator<Item = Field> {
    Field::ALL.iter().copied().filter(|f| f.is_of_edition())
}

fn table(json: bool) {
    if json {
        let fields = |preset| -> Map<String, Value> {
            let value = |field: Field| (field.name().into(), json!(printed(preset, field)));
            of_editions().map(value).collect()
        };
        let presets: Map<String, Value> = Preset::ALL
            .into_iter()
            .map(|preset| (preset.name().into(), Value::Object(fields(preset))))
            .collect();
        println!("{}", Value::Object(presets));
        return;
    }
    let mut rows = vec![vec!["clause".to_string(), "field".into()]];
    rows[0].extend(Preset::ALL.map(|p| p.name().to_string()));
    for field in of_editions() {
        let mut row = vec![field.clause().to_string(), field.name().into()];
        row.extend(Preset::ALL.map(|preset| printed(preset, field).unwrap_or("-".into())));
        if field == Field::Costs {
            for cell in &mut row[2..] {
                // Only one cost differs between the editions.
                *cell = cell
                    .split(',')
                    .find(|c| c.starts_with("FW"))
                    .map_or(String::new(), Into::into);
            }
        }
        rows.push(row);
    }
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let cells = row.iter().zip(&widths);
        let line: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        println!("{}", line.join("  ").trim_end());
    }
}

fn departures(setup: &Setup, json: bool) {
    let departures = setup.departures();
    let preset = setup.preset.name();
    if json {
        let clause = |d: &Departure| {
            json!({
                "field": d.field, "clause": d.field.clause(), "table": d.table, "printed": d.printed,
            })
        };
        let list: Vec<_> = departures.iter().map(clause).collect();
        println!(
            "{}",
            json!({ "preset": preset, "as_printed": departures.is_empty(), "departures": list })
        );
    } else if departures.is_empty() {
        println!("{preset}: as printed");
    } else {
        println!("{preset}, but:");
        for Departure {
            field,
            table,
            printed,
        } in departures
        {
            println!(
                "  {field} is {table}, printed {printed} ({})",
                field.clause()
            );
        }
    }
}
