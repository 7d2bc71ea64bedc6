//! Challenges, and the proof that a device has a private key. The server stores no challenge: it authenticates them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac};
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use serde::Deserialize;
use sha2::Sha256;
use towers_table::{Digest, Millis};

use super::People;
use crate::secrets;

/// How long a challenge is valid.
const VALID: Millis = 2 * 60 * 1000;
/// The length of a challenge before its authentication code: the time and random bytes.
const HEAD: usize = 8 + 16;

/// What a device sends to prove that it has a private key.
#[derive(Clone, Debug, Deserialize)]
pub struct Proof {
    /// From the server, at most two minutes old.
    pub challenge: String,
    /// The uncompressed point of the public key, in base64url.
    pub public_key: String,
    /// Of the text `towers PURPOSE CHALLENGE`: ECDSA with SHA-256, r and s of 32 bytes each, in base64url.
    pub signature: String,
}

impl People {
    /// A new challenge that anybody may answer.
    pub fn challenge(&self) -> String {
        self.issue(None)
    }

    /// A new challenge, for one person or for anybody.
    pub(super) fn issue(&self, person: Option<&str>) -> String {
        let mut bytes = self.now().to_be_bytes().to_vec();
        bytes.extend(secrets::random::<16>());
        let code = self.code(&bytes, person).finalize().into_bytes();
        bytes.extend_from_slice(&code);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn code(&self, head: &[u8], person: Option<&str>) -> Hmac<Sha256> {
        match person {
            Some(person) => self.mac("challenge of a person", &[head, person.as_bytes()]),
            None => self.mac("challenge", &[head]),
        }
    }

    /// Whether a text is a current challenge for this person, or for anybody.
    pub(super) fn is_challenge(&self, text: &str, person: Option<&str>) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(text) else {
            return false;
        };
        let Some((head, code)) = bytes.split_at_checked(HEAD) else {
            return false;
        };
        let at = head.first_chunk().copied().map_or(0, Millis::from_be_bytes);
        // Clocks of servers on one database differ a little.
        let is_current = self.now().abs_diff(at) <= VALID;
        // Compares in constant time.
        is_current && self.code(head, person).verify_slice(code).is_ok()
    }

    /// The hash of the public key, if the proof for this purpose is valid.
    pub fn verify(&self, purpose: &str, proof: &Proof) -> Option<Digest> {
        if !self.is_challenge(&proof.challenge, None) {
            return None;
        }
        let point = URL_SAFE_NO_PAD.decode(&proof.public_key).ok()?;
        // One form only: the same key has one hash.
        if point.len() != 65 {
            return None;
        }
        let key = VerifyingKey::from_sec1_bytes(&point).ok()?;
        let signature = URL_SAFE_NO_PAD.decode(&proof.signature).ok()?;
        let signature = Signature::from_slice(&signature).ok()?;
        let text = format!("towers {purpose} {}", proof.challenge);
        key.verify(text.as_bytes(), &signature).ok()?;
        Some(Digest::digest(&[b"device ", &point]))
    }
}
