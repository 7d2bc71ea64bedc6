//! Parsing of single names: colours, towers, cards, spells.

use std::str::FromStr;

use super::reader::{ParseError, TextReader};
use crate::card::Card;
use crate::ids::{Colour, Tower};
use crate::spell::Spell;

macro_rules! from_str {
    ($($type:ty => $read:ident),*) => {$(
        impl FromStr for $type {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                let mut reader = TextReader::new(text);
                let value = reader.$read()?;
                reader.end()?;
                Ok(value)
            }
        }
    )*};
}

from_str!(Colour => colour, Tower => tower, Card => card, Spell => spell);
