//! Random ids and tokens. Only hashes of tokens are stored.

use std::cell::RefCell;

use towers_table::{Digest, Hex, ID_DIGITS, Seed, TABLE_ID_CHARS};

/// The accepted lengths of tokens.
const TOKEN: std::ops::RangeInclusive<usize> = 32..=128;

/// Random bytes.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system provides random numbers");
    bytes
}

/// The number of seeds that are requested from the system at once. Every command gets one and hardly any uses it.
const SEEDS_AT_ONCE: usize = 32;

/// 32 random bytes: the last secret of a table, or the seed of a game at a table without secrets.
pub fn seed() -> Seed {
    thread_local! {
        static UNUSED: RefCell<Vec<Seed>> = const { RefCell::new(Vec::new()) };
    }
    UNUSED.with_borrow_mut(|unused| {
        if let Some(seed) = unused.pop() {
            return seed;
        }
        let bytes: [u8; 32 * SEEDS_AT_ONCE] = random();
        let (seeds, _) = bytes.as_chunks();
        unused.extend(seeds.iter().map(|seed| Hex(*seed)));
        unused.pop().unwrap_or_else(|| Hex(random()))
    })
}

/// Random digits, 5 bits each.
pub fn digits<const N: usize>() -> String {
    random::<N>()
        .iter()
        .map(|byte| char::from(ID_DIGITS[usize::from(byte & 31)]))
        .collect()
}

/// A table's id, which is only known to those who have its link.
pub fn table_id() -> String {
    digits::<TABLE_ID_CHARS>()
}

/// A secret for a person at a table.
pub fn token() -> String {
    Hex::<32>(random()).to_string()
}

/// Whether a text has the form of a token; the server's have 64 digits, clients may create their own.
pub fn is_token(text: &str) -> bool {
    TOKEN.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
}

/// The key that identifies a person at a table. It depends on the table, so that the same secret at two tables does not
/// reveal that it is the same person.
pub fn key(table: &str, token: &str) -> String {
    Digest::digest(&[table.as_bytes(), b":", token.as_bytes()]).to_string()
}

/// The part of a table's id that may be logged: enough to find it, too little to open it.
pub fn short(table: &str) -> &str {
    table.get(..6).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_seed_is_given_twice() {
        let drawn: HashSet<[u8; 32]> = (0..=3 * SEEDS_AT_ONCE).map(|_| seed().0).collect();
        assert_eq!(drawn.len(), 3 * SEEDS_AT_ONCE + 1);
        let elsewhere = std::thread::spawn(|| seed().0).join().unwrap();
        assert!(!drawn.contains(&elsewhere));
    }
}
