//! A browser with a subscription. Written from the standards, independent of the server's own code.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Nonce};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use serde_json::{Value, json};
use sha2::Sha256;

use super::Received;

/// Bytes of the salt, the record size, the length of a key, and the key (RFC 8188, RFC 8291).
const HEADER: [usize; 4] = [16, 4, 1, 65];
/// The delimiter after the text of the last record.
const LAST_RECORD: u8 = 2;

/// A browser with a subscription.
#[derive(Clone)]
pub struct Subscriber {
    key: SecretKey,
    auth: [u8; 16],
}

impl Default for Subscriber {
    fn default() -> Subscriber {
        Subscriber::new()
    }
}

impl Subscriber {
    /// A browser with random keys.
    pub fn new() -> Subscriber {
        let (mut key, mut auth) = ([0; 32], [0; 16]);
        getrandom::fill(&mut key).expect("the system has random numbers");
        getrandom::fill(&mut auth).expect("the system has random numbers");
        // A first byte of zero keeps the number below the order of the curve.
        key[0] = 0;
        Subscriber::with_keys(&key, auth)
    }

    pub fn with_keys(key: &[u8], auth: [u8; 16]) -> Subscriber {
        let key = SecretKey::from_slice(key).expect("the key is a private key of the curve");
        Subscriber { key, auth }
    }

    /// The public key, uncompressed.
    pub fn point(&self) -> Vec<u8> {
        let point = self.key.public_key().to_sec1_point(false);
        point.as_bytes().to_vec()
    }

    pub fn auth(&self) -> &[u8; 16] {
        &self.auth
    }

    /// What a browser's `PushSubscription` serializes to.
    pub fn subscription(&self, endpoint: &str) -> Value {
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        json!({
            "endpoint": endpoint,
            "expirationTime": null,
            "keys": { "p256dh": encode(&self.point()), "auth": encode(&self.auth) },
        })
    }

    /// Decrypts the body of a request (RFC 8291).
    pub fn decrypt(&self, body: &[u8]) -> Option<Vec<u8>> {
        let (header, record) = body.split_at_checked(HEADER.iter().sum())?;
        let [salt, _, _, sender] = split(header, HEADER);
        let shared = self
            .key
            .diffie_hellman(&PublicKey::from_sec1_bytes(sender).ok()?);
        let info = [b"WebPush: info\0", &*self.point(), sender].concat();
        let input: [u8; 32] = expand(&self.auth, shared.raw_secret_bytes(), &info)?;
        let key: [u8; 16] = expand(salt, &input, b"Content-Encoding: aes128gcm\0")?;
        let nonce: [u8; 12] = expand(salt, &input, b"Content-Encoding: nonce\0")?;
        let cipher = Aes128Gcm::new(&key.into());
        let mut text = cipher.decrypt(&Nonce::from(nonce), record).ok()?;
        (text.pop() == Some(LAST_RECORD)).then_some(text)
    }

    /// Checks the proof of a push message and decrypts it.
    ///
    /// # Panics
    /// If the message is not one of the server with this key for this browser.
    pub fn read(&self, received: &Received, server_key: &str) -> Value {
        let header = |name| received.headers[name].to_str().expect("it is text");
        let authorization = header("authorization");
        let claims = verify(authorization).expect("a valid proof");
        assert_eq!(claims["aud"], format!("http://{}", header("host")));
        assert!(authorization.ends_with(&format!(", k={server_key}")));
        assert_eq!(header("content-encoding"), "aes128gcm");
        let text = self.decrypt(&received.body).expect("a message for us");
        serde_json::from_slice(&text).expect("the message is JSON")
    }
}

fn split<const N: usize>(bytes: &[u8], lengths: [usize; N]) -> [&[u8]; N] {
    let mut rest = bytes;
    lengths.map(|length| {
        let (part, after) = rest.split_at(length);
        rest = after;
        part
    })
}

fn expand<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> Option<[u8; N]> {
    let mut out = [0; N];
    let keys = Hkdf::<Sha256>::new(Some(salt), secret);
    keys.expand(info, &mut out).ok()?;
    Some(out)
}

/// Checks an `Authorization` as a push service does (RFC 8292); returns its claims.
pub fn verify(authorization: &str) -> Option<Value> {
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).ok();
    let (token, key) = authorization.strip_prefix("vapid t=")?.split_once(", k=")?;
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let header: Value = serde_json::from_slice(&decode(header)?).ok()?;
    if header["alg"] != "ES256" {
        return None;
    }
    let key = VerifyingKey::from_sec1_bytes(&decode(key)?).ok()?;
    let signature = Signature::from_slice(&decode(signature)?).ok()?;
    key.verify(signed.as_bytes(), &signature).ok()?;
    serde_json::from_slice(&decode(claims)?).ok()
}
