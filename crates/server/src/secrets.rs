//! Unguessable names and tokens. Of tokens only a hash is ever kept.

use table::{Digest, Hex, Seed};

/// Digits that are hard to mistake for each other.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How long a table's name is: 100 bits that nobody guesses.
pub const TABLE_ID: usize = 20;
/// The shortest and the longest token that is taken.
const TOKEN: std::ops::RangeInclusive<usize> = 32..=128;

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers, or nothing is safe here");
    bytes
}

/// A fresh seed for a game.
pub fn seed() -> Seed {
    Hex(random())
}

/// A name for a table, to be known by its link only.
pub fn table_id() -> String {
    random::<TABLE_ID>()
        .iter()
        .map(|byte| char::from(DIGITS[usize::from(byte & 31)]))
        .collect()
}

/// Whether something could be a table's name.
pub fn is_table_id(text: &str) -> bool {
    text.len() == TABLE_ID && text.bytes().all(|b| DIGITS.contains(&b))
}

/// A secret for a person at a table.
pub fn token() -> String {
    Hex::<32>(random()).to_string()
}

/// Whether something could be a token; ours have 64 digits, clients may make their own.
pub fn is_token(text: &str) -> bool {
    TOKEN.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
}

/// How a table knows a person again. The table is part of it, so that one secret at two tables does
/// not show that it is the same person.
pub fn key(table: &str, token: &str) -> String {
    Digest::digest(&[table.as_bytes(), b":", token.as_bytes()]).to_string()
}

/// What of a table's name may be in logs: enough to find it, too little to open it.
pub fn short(table: &str) -> &str {
    table.get(..6).unwrap_or("")
}
