//! The record of all commands at a table. It is stored, downloaded and attached to bug reports, and a table can be
//! rebuilt from it.
//!
//! A record is text, one JSON object per line: the [`Header`], then the [entries](Entry).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use towers_rules::Chance;

use crate::command::{Command, Who};
use crate::core::Origin;
use crate::event::Ending;
use crate::fair::{Chain, secret_of_game};
use crate::ids::{Digest, Hex, Millis, Seed, Sum};
use crate::record_v1::OptionsV1;
use crate::rejection::Rejection;
use crate::settings::Settings;
use crate::table::Table;

/// The end of a line with a blank checksum.
const BLANK_END: &str = "00000000000000000000000000000000\"}";

/// The version of the format. Version 1 has fewer rules fields. Versions 1 and 2 have no secrets and numbers, and
/// contain the id of the table.
pub const VERSION: u8 = 3;

/// The first line: the state in which the table was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header {
    /// The version of the format, [`VERSION`].
    pub record: u8,
    /// The program that wrote it, with its version.
    pub program: String,
    /// The id of the table, as in links; empty in published records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub table: String,
    /// The time at which it was opened.
    pub created: Millis,
    /// The name of its creator.
    pub host: String,
    /// The hash of the secret by which the driver recognizes the creator; empty in published records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// The commitment to the secret of the first game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Digest>,
    /// The last secret of the chain: see [`secret_of_game`](crate::secret_of_game). `None` in published records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Seed>,
    /// The settings it was opened with.
    pub settings: Settings,
}

/// One accepted command; a line of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// The number of the entry, counted from 1 without gaps.
    pub number: u64,
    /// The time at which the command was accepted.
    pub at: Millis,
    /// The sender of the command.
    pub by: Who,
    /// The command, without private data.
    #[serde(rename = "do")]
    pub command: Command,
    /// The commitment published before, if a game began: the SHA-256 of the secret, or of the seed if there is no
    /// secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Digest>,
    /// The server's secret, if a game began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<Seed>,
    /// The seed, if a game began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// The outcomes of chance, in order. They follow from the seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Chance>,
    /// The result of the game, if it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<Ending>,
    /// A checksum of this line (as published) and all lines before it.
    pub sum: Sum,
}

impl Header {
    /// The header of a table that opens now.
    pub fn new(table: &str, settings: Settings, host: &str, key: &str, now: Millis) -> Header {
        Header {
            record: VERSION,
            program: format!("wandering-towers {}", env!("CARGO_PKG_VERSION")),
            table: table.into(),
            created: now,
            host: host.into(),
            key: key.into(),
            commitment: None,
            secret: None,
            // As a reader of the header will have them, since the checksums cover them.
            settings: settings.settled(),
        }
    }

    /// Commits to the secrets of all games of the table. `last` has to be unpredictable.
    #[must_use]
    pub fn with_secret(self, last: Seed) -> Header {
        Header {
            commitment: secret_of_game(&last, 0),
            secret: Some(last),
            ..self
        }
    }

    pub(crate) fn chain(&self) -> Option<Chain> {
        let (last, commitment) = (self.secret, self.commitment?);
        Some(Chain { last, commitment })
    }

    /// The header without private data.
    #[must_use]
    pub fn published(&self) -> Header {
        // Checksums of earlier versions include the id of the table.
        let is_named = self.record < 3;
        Header {
            key: String::new(),
            secret: None,
            table: if is_named {
                self.table.clone()
            } else {
                String::new()
            },
            ..self.clone()
        }
    }

    /// The first link of the chain of checksums.
    pub(crate) fn sum(&self) -> Sum {
        let text = line(&self.published());
        let text = as_written(text, &self.settings, self.record);
        Sum::digest(&[text.as_bytes()])
    }
}

impl Entry {
    /// The entry without private data.
    #[must_use]
    pub fn published(&self) -> Entry {
        Entry {
            command: self.command.published(),
            ..self.clone()
        }
    }

    /// Whether a game begins with this entry.
    pub fn begins_game(&self) -> bool {
        self.seed.is_some()
    }

    /// Whether a game ends with this entry.
    pub fn ends_game(&self) -> bool {
        self.over.is_some()
    }

    /// Sets the checksum of this entry, after the one before it. Returns the entry as a line.
    pub(crate) fn seal(&mut self, before: &Sum, version: u8) -> String {
        self.sum = Hex([0; 16]);
        let is_public = self.command.is_public();
        let mut text = if is_public {
            line(self)
        } else {
            line(&self.published())
        };
        if let Command::Configure { settings } = &self.command {
            let written = as_written(text.clone(), settings, version);
            self.sum = Sum::digest(&[&before.0, written.as_bytes()]);
        } else {
            self.sum = Sum::digest(&[&before.0, text.as_bytes()]);
        }
        if !is_public {
            return line(self);
        }
        // The checksum is the last field: replace it instead of writing the whole line again.
        text.truncate(text.len() - BLANK_END.len());
        text.push_str(&self.sum.to_string());
        text.push_str("\"}");
        text
    }

    /// The entry as a line of a record, without a line ending.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl Header {
    /// The header as a line of a record, without a line ending.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

/// A line with the options as the version of the record writes them, because checksums were computed from that form.
fn as_written(text: String, settings: &Settings, version: u8) -> String {
    match OptionsV1::of(&settings.options) {
        Some(old) if version == 1 => text.replacen(&line(&settings.options), &line(&old), 1),
        _ => text,
    }
}

fn line<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("all keys are texts and all values are plain")
}

/// Parses a line of a record. The error names only the column, since the caller knows the line.
fn parse<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line)
        .map_err(|e| e.to_string().replace(" at line 1 column ", " at column "))
}

/// All accepted commands of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "names that say everything")]
pub struct Record {
    pub header: Header,
    /// The entries, in order.
    pub entries: Vec<Entry>,
}

/// Why a text could not be parsed as a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct NotARecord {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The error in that line.
    pub why: String,
}

/// Why no table can be rebuilt from a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {number} of the record is refused: {why}{}", if *.earlier { ". An earlier version of the program wrote it, with other rules" } else { "" })]
pub struct NotRebuilt {
    /// The number of the entry; 0 for the header.
    pub number: u64,
    /// The reason.
    pub why: Rejection,
    /// Whether an earlier version of the program wrote the record.
    pub earlier: bool,
}

impl NotRebuilt {
    /// The refusal of an entry of a record with this header.
    pub fn new(header: &Header, number: u64, why: Rejection) -> NotRebuilt {
        NotRebuilt {
            number,
            why,
            earlier: header.record < VERSION,
        }
    }
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

    /// Parses a record.
    pub fn from_text(text: &str) -> Result<Record, NotARecord> {
        let wrong = |line: usize, why: &dyn std::fmt::Display| NotARecord {
            line,
            why: why.to_string(),
        };
        let mut lines = (1..).zip(text.lines());
        let (_, first) = lines.next().ok_or_else(|| wrong(1, &"it is empty"))?;
        let header: Header = parse(first).map_err(|e| wrong(1, &e))?;
        if !(1..=VERSION).contains(&header.record) {
            let why = format!(
                "version {} of the record format is unknown: a later version of the program wrote it",
                header.record
            );
            return Err(wrong(1, &why));
        }
        let entries = lines
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| parse(line).map_err(|e| wrong(number, &e)))
            .collect::<Result<_, _>>()?;
        Ok(Record { header, entries })
    }

    /// The record without private data: no chat, no keys, and nothing of a running game. `None` if no game is over
    /// yet.
    pub fn published(&self) -> Option<Record> {
        let last_over = self.entries.iter().rposition(Entry::ends_game)?;
        let next_begins = self.entries[last_over + 1..]
            .iter()
            .position(Entry::begins_game)
            .map_or(self.entries.len(), |i| last_over + 1 + i);
        let entries = self.entries[..next_begins].iter();
        Some(Record {
            header: self.header.published(),
            entries: entries.map(Entry::published).collect(),
        })
    }

    /// The table after the last entry.
    pub fn rebuild(&self) -> Result<Table, NotRebuilt> {
        let refused = |number, why| NotRebuilt::new(&self.header, number, why);
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
    /// Applies an entry that was stored before, possibly by another process. It has to be the next one.
    pub fn replay(&mut self, entry: &Entry) -> Result<Entry, Rejection> {
        if entry.number != self.number() + 1 {
            return Err(Rejection::Stale);
        }
        let origin = Origin::Recorded {
            seed: entry.seed,
            secret: entry.secret,
        };
        let command = entry.command.clone();
        let prepared = self.derive(entry.at, entry.by, command, origin)?;
        Ok(self.commit(prepared))
    }
}
