//! Ids of people, times, seeds and checksums.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A time in milliseconds since 1970. The table has no clock: the driver passes the time to it.
pub type Millis = u64;

/// A person at the table, seated or not. A table never reuses an id.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct PersonId(pub u32);

/// The length of a table's id on a server: 100 bits.
pub const TABLE_ID_CHARS: usize = 20;
/// The digits of ids, 5 bits each: none that are easily confused.
pub const ID_DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Whether a text has the form of a table's id on a server.
pub fn is_table_id(text: &str) -> bool {
    text.len() == TABLE_ID_CHARS && text.bytes().all(|b| ID_DIGITS.contains(&b))
}

/// A byte array, written in hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hex<const N: usize>(pub [u8; N]);

/// The source of all chance in a game. Secret until the game is over.
pub type Seed = Hex<32>;

/// A SHA-256 hash.
pub type Digest = Hex<32>;

/// A checksum in the chain of a record.
pub type Sum = Hex<16>;

impl<const N: usize> Hex<N> {
    /// The SHA-256 of the concatenated bytes, truncated to `N` bytes.
    pub fn digest(parts: &[&[u8]]) -> Hex<N> {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        let full = hasher.finalize();
        let mut bytes = [0; N];
        bytes.copy_from_slice(&full[..N]);
        Hex(bytes)
    }
}

impl Seed {
    /// The commitment to a seed: the SHA-256 of its 32 bytes.
    #[must_use]
    pub fn commitment(&self) -> Digest {
        Digest::digest(&[&self.0])
    }
}

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        // In pieces of a fixed size: to format each byte takes several times as long.
        for bytes in self.0.chunks(16) {
            let mut text = [0; 32];
            for (digits, byte) in text.chunks_exact_mut(2).zip(bytes) {
                digits[0] = DIGITS[usize::from(byte >> 4)];
                digits[1] = DIGITS[usize::from(byte & 15)];
            }
            let text = std::str::from_utf8(&text[..2 * bytes.len()]);
            f.write_str(text.map_err(|_| fmt::Error)?)?;
        }
        Ok(())
    }
}

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Keep seeds out of logs. The first bytes are enough to tell them apart.
        write!(f, "{:02x}{:02x}…", self.0[0], self.0[1])
    }
}

/// The text does not have this number of hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0} hexadecimal digits")]
pub struct NotHex(usize);

impl<const N: usize> FromStr for Hex<N> {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        let wrong = NotHex(2 * N);
        if text.len() != 2 * N || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(wrong);
        }
        let mut bytes = [0; N];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| wrong)?;
        }
        Ok(Hex(bytes))
    }
}

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl<const N: usize> schemars::JsonSchema for Hex<N> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Hex{N}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let pattern = format!("^[0-9a-f]{{{}}}$", 2 * N);
        schemars::json_schema!({ "type": "string", "pattern": pattern })
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commitment_is_plain_sha_256() {
        // The SHA-256 of 32 zero bytes, computed by another tool.
        let seed: Seed = Hex([0; 32]);
        assert_eq!(
            seed.commitment().to_string(),
            "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
        );
    }

    #[test]
    fn all_digits_are_written() {
        let bytes: [u8; 40] = std::array::from_fn(|i| (i * 37) as u8);
        let expected = bytes
            .iter()
            .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        assert_eq!(Hex(bytes).to_string(), expected);
        assert_eq!(Hex([0xab, 0x0c]).to_string(), "ab0c");
    }

    #[test]
    fn hex_is_parsed_as_it_is_written_and_nothing_else() {
        let sum: Sum = Hex(*b"0123456789abcdef");
        assert_eq!(sum.to_string().parse(), Ok(sum));
        assert!("12".parse::<Sum>().is_err());
        assert!("é".repeat(16).parse::<Sum>().is_err());
    }
}
