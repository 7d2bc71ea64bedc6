//! `towers presets`: the rules of each edition, and how a table differs from them.

use serde_json::{Map, Value, json};
use towers_rules::{Departure, Field, Mode, Options, Preset, Setup, SpellSet, Spells};

use crate::failure::{Failure, print};
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
        departures(&setup, args.json)
    } else {
        table(args.json)
    }
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

/// A row of §17 that is no field: its name, its clauses, and what an edition prints; `None` where it has no such game.
type PrintedRow = (&'static str, &'static str, fn(Preset) -> Option<String>);

const PRINTED_ROWS: [PrintedRow; 5] = [
    ("players", "R3.1, R14.1, R15.1", |preset| {
        Some(players(preset))
    }),
    ("spells", "R3.4", |preset| {
        Some(printed_spells(preset, &versus(preset, false)))
    }),
    ("spells_reactions", "R3.4", |preset| {
        Some(printed_spells(preset, &versus(preset, true)))
    }),
    ("spells_default", "R3.4", |preset| {
        let usual = |reactions| in_words(Spells::usual(&versus(preset, reactions)));
        Some(format!("{} / {}", usual(false), usual(true)))
    }),
    ("spells_solo", "R14.6", |preset| {
        let options = preset.options(Mode::Solo);
        preset.has_solo().then(|| printed_spells(preset, &options))
    }),
];

fn versus(preset: Preset, reactions: bool) -> Options {
    Options {
        reactions,
        ..preset.options(Mode::Versus)
    }
}

/// The numbers of players that can be set up, in any mode.
fn players(preset: Preset) -> String {
    let plays = |mode, n| Setup::new(preset, mode, n).check().is_ok();
    let modes = [Mode::Versus, Mode::Solo, Mode::Coop];
    let all: Vec<usize> = (1..=9)
        .filter(|&n| modes.into_iter().any(|mode| plays(mode, n)))
        .collect();
    match (all.first(), all.last()) {
        (Some(first), Some(last)) => format!("{first}–{last}"),
        _ => String::new(),
    }
}

/// The spells that an edition's rulebook allows, in words.
fn printed_spells(preset: Preset, options: &Options) -> String {
    // Five at random stands for any number at random, all chosen for any set.
    let three = SpellSet::all_of_size(3).last().unwrap_or_default();
    let examples = [
        (Spells::Chosen(SpellSet::NONE), "none"),
        (Spells::Chosen(SpellSet::BEGINNER), "beginner set"),
        (Spells::Random(5), "k at random"),
        (Spells::Random(3), "3 at random"),
        (Spells::Chosen(SpellSet::ALL), "chosen"),
        (Spells::Chosen(three), "3 chosen"),
    ];
    let is_printed = |spells: Spells| spells.are_printed(preset, options);
    let mut told: Vec<&str> = Vec::new();
    for (spells, name) in examples {
        // What is said of every number or set needs not be said of one.
        let is_said = match spells {
            Spells::Chosen(set) if set != SpellSet::ALL => {
                is_printed(Spells::Chosen(SpellSet::ALL))
            }
            Spells::Random(3) => is_printed(Spells::Random(5)),
            _ => false,
        };
        if is_printed(spells) && !is_said {
            told.push(name);
        }
    }
    told.join(", or ")
}

/// Spells in play, in words.
fn in_words(spells: Spells) -> String {
    match spells {
        Spells::Chosen(SpellSet::BEGINNER) => "beginner set".into(),
        Spells::Random(k) => format!("{k} at random"),
        chosen @ Spells::Chosen(_) => chosen.to_string(),
    }
}

fn table(json: bool) -> Result<(), Failure> {
    if json {
        let fields = |preset| -> Map<String, Value> {
            let row = |(name, _, cell): PrintedRow| (name.into(), json!(cell(preset)));
            let value = |field: Field| (field.name().into(), json!(printed(preset, field)));
            PRINTED_ROWS
                .into_iter()
                .map(row)
                .chain(of_editions().map(value))
                .collect()
        };
        let presets: Map<String, Value> = Preset::ALL
            .into_iter()
            .map(|preset| (preset.name().into(), Value::Object(fields(preset))))
            .collect();
        return print(Value::Object(presets));
    }
    let mut rows = vec![vec!["clause".to_string(), "field".into()]];
    rows[0].extend(Preset::ALL.map(|p| p.name().to_string()));
    for (name, clauses, cell) in PRINTED_ROWS {
        let mut row = vec![clauses.to_string(), name.into()];
        row.extend(Preset::ALL.map(|preset| cell(preset).unwrap_or("-".into())));
        rows.push(row);
    }
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
        .map(|column| {
            rows.iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        cells.join("  ").trim_end().to_string()
    };
    print(rows.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn departures(setup: &Setup, json: bool) -> Result<(), Failure> {
    let departures = setup.departures();
    let preset = setup.preset.name();
    if json {
        let clause = |d: &Departure| {
            json!({
                "field": d.field, "clause": d.field.clause(), "table": d.table, "printed": d.printed,
            })
        };
        let list: Vec<_> = departures.iter().map(clause).collect();
        return print(
            json!({ "preset": preset, "as_printed": departures.is_empty(), "departures": list }),
        );
    }
    if departures.is_empty() {
        return print(format_args!("{preset}: as printed"));
    }
    let mut lines = vec![format!("{preset}, but:")];
    for Departure {
        field,
        table,
        printed,
    } in departures
    {
        let clause = field.clause();
        lines.push(format!(
            "  {field} is {table}, printed {printed} ({clause})"
        ));
    }
    print(lines.join("\n"))
}
