//! The record: everything that was done at a table. It is what is stored, downloaded and attached to
//! bug reports, and a table can be rebuilt from it.
//!
//! A record is text, one JSON object per line: the [`Header`], then the [entries](Entry).

use rules::Chance;
use serde::Serialize;
use wire::Deserialize;

use crate::command::{Command, Who};
use crate::core::Origin;
use crate::event::Ending;
use crate::ids::{Digest, Millis, Seed, Sum};
use crate::json::read;
use crate::rejection::Rejection;
use crate::settings::Settings;
use crate::table::Table;

/// The version of the format.
pub const VERSION: u8 = 1;

/// The first line: how the table was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format, [`VERSION`].
    pub record: u8,
    /// The program that wrote it, with its version.
    pub program: String,
    /// The table's name in links.
    pub table: String,
    /// When it was opened.
    pub created: Millis,
    /// What its creator is called.
    pub host: String,
    /// How the driver knows the creator again: the hash of a secret; empty in published records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// The settings it was opened with.
    pub settings: Settings,
}

/// A line for every accepted command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Counted from 1, without gaps.
    pub number: u64,
    /// When.
    pub at: Millis,
    /// Who asked.
    pub by: Who,
    /// For what.
    #[serde(rename = "do")]
    pub command: Command,
    /// The SHA-256 of the seed that was published, if a game began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Digest>,
    /// The seed, if a game began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// What chance did, in order; it follows from the seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Chance>,
    /// How the game ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Ending>,
    /// A checksum of this line (as published) and all before it.
    pub sum: Sum,
}

impl Header {
    /// A table that opens now.
    pub fn new(table: &str, settings: Settings, host: &str, key: &str, now: Millis) -> Header {
        Header {
            record: VERSION,
            program: format!("wandering-towers {}", env!("CARGO_PKG_VERSION")),
            table: table.into(),
            created: now,
            host: host.into(),
            key: key.into(),
            settings,
        }
    }

    /// The header as everybody may have it.
    #[must_use]
    pub fn published(&self) -> Header {
        Header {
            key: String::new(),
            ..self.clone()
        }
    }

    /// The first link of the chain of checksums.
    pub(crate) fn sum(&self) -> Sum {
        Sum::digest(&[line(&self.published()).as_bytes()])
    }
}

impl Entry {
    /// The entry without what only concerns those who were there.
    #[must_use]
    pub fn published(&self) -> Entry {
        Entry {
            command: self.command.published(),
            ..self.clone()
        }
    }

    /// The checksum of this entry, after the one before it.
    pub(crate) fn sum_after(&self, before: &Sum) -> Sum {
        let blank = Entry {
            sum: crate::ids::Hex([0; 16]),
            ..self.published()
        };
        Sum::digest(&[&before.0, line(&blank).as_bytes()])
    }

    /// The entry as a line of a record, without the line's end.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl Header {
    /// The header as a line of a record, without the line's end.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("all keys are texts and all values are plain")
}

/// Everything that was done at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// How it was opened.
    pub header: Header,
    /// What was done since.
    pub entries: Vec<Entry>,
}

/// Why a text is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct NotARecord {
    /// Which line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

/// Why no table can be rebuilt from a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {number} of the record is refused: {why}")]
pub struct NotRebuilt {
    /// Which entry; 0 is the header.
    pub number: u64,
    /// Why.
    pub why: Rejection,
}

impl Record {
    /// The record of a table that was just opened.
    pub fn new(header: Header) -> Record {
        Record {
            header,
            entries: Vec::new(),
        }
    }

    /// The record as text.
    pub fn to_text(&self) -> String {
        let entries = self.entries.iter().map(Entry::to_line);
        let mut text = self.header.to_line();
        for line in entries {
            text.push('\n');
            text.push_str(&line);
        }
        text.push('\n');
        text
    }

    /// Reads a record.
    pub fn from_text(text: &str) -> Result<Record, NotARecord> {
        let wrong = |line: usize, why: &dyn std::fmt::Display| NotARecord {
            line,
            why: why.to_string(),
        };
        let mut lines = (1..).zip(text.lines());
        let (_, first) = lines.next().ok_or_else(|| wrong(1, &"it is empty"))?;
        let header: Header = read(first).map_err(|e| wrong(1, &e))?;
        if header.record != VERSION {
            return Err(wrong(1, &"this version of the record format is unknown"));
        }
        let entries = lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| read(line).map_err(|e| wrong(number, &e)))
            .collect::<Result<_, _>>()?;
        Ok(Record { header, entries })
    }

    /// What everybody may have: no chat, no keys, and nothing of a game that is still going on. None
    /// if no game is over yet.
    pub fn published(&self) -> Option<Record> {
        let last_over = self.entries.iter().rposition(|e| e.over.is_some())?;
        let next_begins = self.entries[last_over + 1..]
            .iter()
            .position(|e| e.seed.is_some())
            .map_or(self.entries.len(), |i| last_over + 1 + i);
        let entries = self.entries[..next_begins].iter();
        Some(Record {
            header: self.header.published(),
            entries: entries.map(Entry::published).collect(),
        })
    }

    /// The table as it was after the last entry.
    pub fn rebuild(&self) -> Result<Table, NotRebuilt> {
        let refused = |number, why| NotRebuilt { number, why };
        let mut table = Table::create(&self.header).map_err(|why| refused(0, why))?;
        for entry in &self.entries {
            table
                .replay(entry)
                .map_err(|why| refused(entry.number, why))?;
        }
        Ok(table)
    }
}

impl Table {
    /// Carries out an entry that was stored before, perhaps by another process. It has to be the
    /// next one.
    pub fn replay(&mut self, entry: &Entry) -> Result<Entry, Rejection> {
        if entry.number != self.number() + 1 {
            return Err(Rejection::Stale);
        }
        let origin = Origin::Recorded(entry.seed.as_ref());
        let command = entry.command.clone();
        let prepared = self.derive(entry.at, entry.by, command, origin)?;
        Ok(self.commit(prepared))
    }
}
