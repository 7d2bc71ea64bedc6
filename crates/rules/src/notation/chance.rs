//! Chance as text.

use std::fmt;
use std::str::FromStr;

use super::reader::{ParseError, TextReader};
use crate::chance::Chance;
use crate::spell::SpellSet;

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chance::Start(colour) => write!(f, "start {colour}"),
            Chance::Spells(spells) => write!(f, "spells {spells}"),
            Chance::Shuffle => f.write_str("shuffle"),
            Chance::Draw(colour, card) => write!(f, "draw {colour} {card}"),
            Chance::Roll(value) => write!(f, "roll {value}"),
        }
    }
}

impl FromStr for Chance {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Chance, ParseError> {
        let mut reader = TextReader::new(text);
        let chance = if reader.take("start ") {
            Chance::Start(reader.colour()?)
        } else if reader.take("spells ") {
            Chance::Spells(read_spells(&mut reader)?)
        } else if reader.take("shuffle") {
            Chance::Shuffle
        } else if reader.take("draw ") {
            let colour = reader.colour()?;
            reader.expect(" ")?;
            Chance::Draw(colour, reader.card()?)
        } else if reader.take("roll ") {
            let at = reader.column();
            match reader.number(6)? {
                0 => return Err(ParseError::new(at, "a die shows 1 to 6")),
                value => Chance::Roll(value as u8),
            }
        } else {
            return reader.error("expected start, spells, shuffle, draw or roll");
        };
        reader.end()?;
        Ok(chance)
    }
}

impl FromStr for SpellSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<SpellSet, ParseError> {
        let mut reader = TextReader::new(text);
        let spells = read_spells(&mut reader)?;
        reader.end()?;
        Ok(spells)
    }
}

/// Spell codes in the order of their clauses, each once, separated by commas; nothing for none.
pub(super) fn read_spells(reader: &mut TextReader) -> Result<SpellSet, ParseError> {
    if !reader.peek().is_some_and(|c| c.is_ascii_uppercase()) {
        return Ok(SpellSet::NONE);
    }
    let mut last = None;
    let spells = reader.list(|reader| {
        let at = reader.column();
        let spell = reader.spell()?;
        if last >= Some(spell) {
            return Err(ParseError::new(
                at,
                "spells are listed once each, in the order AW AT SW HW HT NC PB FW",
            ));
        }
        last = Some(spell);
        Ok(spell)
    })?;
    Ok(spells.into_iter().collect())
}
