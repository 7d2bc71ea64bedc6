//! Verification of a record: everything that follows from the settings, the seeds and the commands is derived again
//! and compared.

use serde::Serialize;

use crate::event::Ending;
use crate::fair::Device;
use crate::ids::{Digest, Seed};
use crate::record::{Entry, NotARecord, Record};
use crate::rejection::Rejection;
use crate::table::Table;

/// The result of verifying a valid record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// How many entries were replayed and compared.
    pub entries: u64,
    /// The games that were begun.
    pub games: Vec<VerifiedGame>,
}

/// A game whose chance follows from its seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerifiedGame {
    /// The server's commitment before the game: the SHA-256 of its secret, or of the seed if there is no secret.
    pub commitment: Digest,
    /// The server's secret; `None` at a table on a device, and in records of versions 1 and 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<Seed>,
    /// The contributions of people's devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Device>,
    /// The seed of its chance.
    pub seed: Seed,
    /// The number of derived outcomes of chance, such as cards and rolls.
    pub outcomes: usize,
    /// How it ended, if it is over.
    pub ending: Option<Ending>,
}

/// The first error in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// It cannot be parsed.
    #[error("this is not a record: {0}")]
    Unreadable(#[from] NotARecord),
    /// A table cannot be opened with this header.
    #[error("such a table cannot be opened: {0}")]
    Header(Rejection),
    /// A command would have been refused.
    #[error("entry {number}: this entry is not legal: {why}")]
    Refused {
        /// The number of the entry.
        number: u64,
        /// The reason.
        why: Rejection,
    },
    /// A field differs from its derived value.
    #[error("entry {number}: {field} should be {expected} and is {found}")]
    Field {
        /// The number of the entry, counted from 1.
        number: u64,
        /// The name of the field.
        field: &'static str,
        /// The derived value.
        expected: String,
        /// The value in the record.
        found: String,
    },
}

impl Verified {
    /// The game, counted from 1, for which this commitment was published.
    ///
    /// A record alone proves little: it can be forged with a chosen seed. A commitment that was noted before
    /// the game occurs only in the record of that game, or of one with the same secret.
    pub fn game_of(&self, commitment: &Digest) -> Option<usize> {
        let found = self.games.iter().position(|g| g.commitment == *commitment);
        found.map(|i| i + 1)
    }
}

/// Verifies a record, or returns the first error.
pub fn verify(record: &Record) -> Result<Verified, Difference> {
    let mut table = Table::create(&record.header).map_err(Difference::Header)?;
    let mut games: Vec<VerifiedGame> = Vec::new();
    for (number, entry) in (1..).zip(&record.entries) {
        same(number, "its number", &number, &entry.number)?;
        if entry.at < table.at() {
            return Err(Difference::Field {
                number,
                field: "its time",
                expected: format!("{} or later", table.at()),
                found: entry.at.to_string(),
            });
        }
        let own = table
            .replay(entry)
            .map_err(|why| Difference::Refused { number, why })?;
        compare(number, &own, entry)?;
        if let (Some(commitment), Some(seed)) = (own.commitment, own.seed) {
            games.push(VerifiedGame {
                commitment,
                secret: own.secret,
                devices: table.devices().to_vec(),
                seed,
                outcomes: 0,
                ending: None,
            });
        }
        if let Some(game) = games.last_mut() {
            game.outcomes += own.chance.len();
            game.ending = game.ending.or(own.over);
        }
    }
    Ok(Verified {
        entries: record.entries.len() as u64,
        games,
    })
}

/// Parses and verifies a record.
pub fn verify_text(text: &str) -> Result<Verified, Difference> {
    verify(&Record::from_text(text)?)
}

fn compare(number: u64, own: &Entry, given: &Entry) -> Result<(), Difference> {
    same(number, "the commitment", &own.commitment, &given.commitment)?;
    same(number, "the secret", &own.secret, &given.secret)?;
    same(number, "the seed", &own.seed, &given.seed)?;
    for i in 0..own.chance.len().max(given.chance.len()) {
        same(
            number,
            "what chance did",
            &own.chance.get(i),
            &given.chance.get(i),
        )?;
    }
    same(number, "the result", &own.over, &given.over)?;
    // Any other modification is detected here, at the modified entry.
    same(
        number,
        "the checksum of what is written there",
        &own.sum,
        &given.sum,
    )
}

fn same<T: PartialEq + Serialize>(
    number: u64,
    field: &'static str,
    expected: &T,
    found: &T,
) -> Result<(), Difference> {
    if expected == found {
        return Ok(());
    }
    // Show strings without their quotation marks.
    let text = |value: &T| match serde_json::to_string(value) {
        Ok(text) if text != "null" => serde_json::from_str(&text).unwrap_or(text),
        _ => "nothing".to_string(),
    };
    Err(Difference::Field {
        number,
        field,
        expected: text(expected),
        found: text(found),
    })
}
