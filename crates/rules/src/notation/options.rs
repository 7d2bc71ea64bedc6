//! The options of a table as text.

use super::fields::{FieldWriter, Fields, join};
use super::reader::ParseError;
use crate::options::{Field, Options, Preset};
use crate::spell::Spell;
use crate::values::Mode;

/// Writes the options that differ from the default preset.
pub(super) fn write_options(options: &Options, out: &mut FieldWriter) {
    let usual = Preset::Capstone.options(Mode::Versus);
    for &field in Field::ALL {
        let text = options.get(field);
        if text == usual.get(field) {
            continue;
        }
        match (field, &*text) {
            (Field::Costs, _) => {
                let changed = Spell::ALL
                    .iter()
                    .filter(|&&s| options.costs.of(s) != usual.costs.of(s));
                let costs = changed.map(|&s| format!("{s}:{}", options.costs.of(s)));
                out.put(field.name(), join(costs, ","));
            }
            (_, "true") => out.flag(field.name()),
            _ => out.put(field.name(), text),
        }
    }
}

/// Reads the options; those not mentioned have the defaults.
pub(super) fn read_options(fields: &mut Fields) -> Result<Options, ParseError> {
    let mut options = Preset::Capstone.options(Mode::Versus);
    for &field in Field::ALL {
        let Some((text, column)) = fields.take_text(field.name()) else {
            continue;
        };
        let yes_or_no = field.values() == ["false", "true"];
        let text = match (yes_or_no, text) {
            (true, "") => "true",
            (true, "false") => "false",
            (true, _) => {
                return Err(ParseError::new(
                    column,
                    format!("write '{field}' without a value, or '{field}=false'"),
                ));
            }
            (false, text) => text,
        };
        options
            .set(field, text)
            .map_err(|error| ParseError::new(column, error.to_string()))?;
    }
    Ok(options)
}
