//! Base64 as in URLs, without padding: the form of keys and tokens of Web Push.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

pub fn to_base64(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// Decodes a text, with or without padding.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD
        .decode(text.trim_end_matches('='))
        .ok()
}
