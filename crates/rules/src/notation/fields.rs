//! The `key=value` pairs of a position.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::reader::{ParseError, TextReader};

/// Joins items with a separator.
pub(super) fn join<T: std::fmt::Display>(
    items: impl Iterator<Item = T>,
    separator: &str,
) -> String {
    let mut out = String::new();
    for (i, item) in items.enumerate() {
        let _ = write!(out, "{}{item}", if i > 0 { separator } else { "" });
    }
    out
}

/// Writes `key=value` pairs, each with a space before it.
pub(super) struct FieldWriter<'a>(pub &'a mut String);

impl FieldWriter<'_> {
    /// Writes a key without a value.
    pub(super) fn flag(&mut self, key: &str) {
        self.0.push(' ');
        self.0.push_str(key);
    }

    pub(super) fn put(&mut self, key: &str, value: impl std::fmt::Display) {
        let _ = write!(self.0, " {key}={value}");
    }

    /// Writes a key with a list of values, if there are any.
    pub(super) fn list(&mut self, key: &str, items: impl Iterator<Item = String>) {
        let items = join(items, ";");
        if !items.is_empty() {
            self.put(key, items);
        }
    }
}

/// The `key=value` pairs after the board; each is read once.
pub(super) struct Fields<'a> {
    values: BTreeMap<&'a str, (&'a str, usize)>,
    pub(super) end: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn read(mut reader: TextReader<'a>) -> Result<Fields<'a>, ParseError> {
        let mut values = BTreeMap::new();
        while !reader.rest().is_empty() {
            reader.expect(" ")?;
            let column = reader.column();
            let key = reader.take_while(|c| c.is_ascii_lowercase() || c == '_');
            if key.is_empty() {
                return reader.error("expected a key");
            }
            let has_value = reader.take("=");
            let at = reader.column();
            let value = reader.take_while(|c| c != ' ');
            if has_value == value.is_empty() {
                return reader.error("expected '=' and a value");
            }
            if values.insert(key, (value, at)).is_some() {
                return Err(ParseError::new(column, format!("'{key}' occurs twice")));
            }
        }
        Ok(Fields {
            values,
            end: reader.column(),
        })
    }

    /// Takes a value as written; empty if the key has no '='.
    pub(super) fn take_text(&mut self, key: &str) -> Option<(&'a str, usize)> {
        self.values.remove(key)
    }

    pub(super) fn take<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut TextReader<'a>) -> Result<T, ParseError>,
    ) -> Result<Option<T>, ParseError> {
        let Some((value, column)) = self.values.remove(key) else {
            return Ok(None);
        };
        let mut reader = TextReader::at(value, column);
        let result = read(&mut reader)?;
        reader.end()?;
        Ok(Some(result))
    }

    pub(super) fn number(&mut self, key: &str, most: u16) -> Result<Option<u16>, ParseError> {
        self.take(key, |r| r.number(most))
    }

    pub(super) fn flag(&mut self, key: &str) -> Result<bool, ParseError> {
        match self.values.remove(key) {
            None => Ok(false),
            Some(("", _)) => Ok(true),
            Some((_, column)) => Err(ParseError::new(column, format!("'{key}' takes no value"))),
        }
    }

    pub(super) fn choose<T: Copy>(
        &mut self,
        key: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, ParseError> {
        let Some((value, column)) = self.values.remove(key) else {
            return Ok(None);
        };
        if let Some(&(_, choice)) = choices.iter().find(|(name, _)| *name == value) {
            Ok(Some(choice))
        } else {
            let names = join(choices.iter().map(|(name, _)| name), ", ");
            Err(ParseError::new(
                column,
                format!("'{value}' is not one of {names}"),
            ))
        }
    }

    pub(super) fn all_used(&self) -> Result<(), ParseError> {
        match self.values.iter().next() {
            None => Ok(()),
            Some((key, &(_, column))) => {
                Err(ParseError::new(column, format!("unknown key '{key}'")))
            }
        }
    }
}
