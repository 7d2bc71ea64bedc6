//! A cursor over text that tracks its column for error messages.

use std::fmt;

use crate::card::Card;
use crate::ids::{Colour, Space, Tower};
use crate::spell::Spell;

/// A syntax error and its column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The column, counted from 1.
    pub column: usize,
    /// The cause of the error.
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(column: usize, message: impl Into<String>) -> ParseError {
        ParseError {
            column,
            message: message.into(),
        }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// A text read from left to right.
#[derive(Clone)]
pub(crate) struct TextReader<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> TextReader<'a> {
    pub(crate) fn new(text: &'a str) -> TextReader<'a> {
        TextReader {
            rest: text,
            column: 1,
        }
    }

    /// A reader of a part of a text that begins at this column.
    pub(crate) fn at(text: &'a str, column: usize) -> TextReader<'a> {
        TextReader { rest: text, column }
    }

    pub(crate) fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::new(self.column, message))
    }

    pub(crate) fn column(&self) -> usize {
        self.column
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next()?;
        self.rest = chars.as_str();
        self.column += 1;
        Some(next)
    }

    /// Consumes this text if it is next; returns whether it was.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                self.column += text.chars().count();
                true
            }
            None => false,
        }
    }

    /// Consumes characters while they satisfy a predicate.
    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.column += word.chars().count();
        word
    }

    pub(crate) fn end(&self) -> Result<(), ParseError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            self.error(format!("unexpected '{}'", self.rest))
        }
    }

    pub(crate) fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        if self.take(text) {
            Ok(())
        } else {
            self.error(format!("expected '{text}'"))
        }
    }

    /// A number without leading zeros.
    pub(crate) fn number(&mut self, most: u16) -> Result<u16, ParseError> {
        let at = self.column;
        let digits = self.take_while(|c| c.is_ascii_digit());
        let wrong = |message: String| Err(ParseError::new(at, message));
        if digits.is_empty() {
            return wrong("expected a number".into());
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return wrong("a number is written without leading zeros".into());
        }
        match digits.parse::<u16>() {
            Ok(number) if number <= most => Ok(number),
            _ => wrong(format!("{digits} is more than {most}")),
        }
    }

    pub(crate) fn space(&mut self) -> Result<Space, ParseError> {
        let at = self.column;
        let number = self
            .number(15)
            .map_err(|e| ParseError::new(at, format!("{}: spaces are 0 to 15", e.message)))?;
        Ok(Space::wrapping(number as u8))
    }

    pub(crate) fn tower(&mut self) -> Result<Tower, ParseError> {
        match self.peek().and_then(Tower::from_letter) {
            Some(tower) => {
                self.next();
                Ok(tower)
            }
            None => self.error("expected a tower, A to I"),
        }
    }

    pub(crate) fn colour(&mut self) -> Result<Colour, ParseError> {
        match self.peek().and_then(Colour::from_letter) {
            Some(colour) => {
                self.next();
                Ok(colour)
            }
            None => self.error("expected a colour, one of b y r g o p"),
        }
    }

    pub(crate) fn card(&mut self) -> Result<Card, ParseError> {
        let at = self.column;
        let word = self.take_while(|c| c.is_ascii_digit() || matches!(c, 'w' | 't' | '?'));
        match Card::from_text(word) {
            Some(card) => Ok(card),
            None => Err(ParseError::new(at, format!("'{word}' is not a card"))),
        }
    }

    pub(crate) fn spell(&mut self) -> Result<Spell, ParseError> {
        let at = self.column;
        let word = self.take_while(|c| c.is_ascii_uppercase());
        match Spell::from_code(word) {
            Some(spell) => Ok(spell),
            None => Err(ParseError::new(at, format!("'{word}' is not a spell"))),
        }
    }

    /// Items separated by commas, at least one.
    pub(crate) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = vec![item(self)?];
        while self.take(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }
}
