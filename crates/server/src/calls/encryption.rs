//! Encryption of push messages (RFC 8291) with `aes128gcm` (RFC 8188): one record, readable only by the browser that
//! made the subscription, not by its push service.
//!
//! Written here on `p256`, `hkdf` and `aes-gcm`: the existing crates for Web Push need OpenSSL, or older versions of
//! these three together with RSA.

use aes_gcm::aead::{Aead, KeyInit};
use aes_gcm::{Aes128Gcm, Nonce};
use hkdf::Hkdf;
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use sha2::Sha256;

use crate::secrets;

/// Bytes of a P-256 point without compression.
pub const POINT: usize = 65;
/// Bytes of a subscription's authentication secret.
pub const AUTH: usize = 16;
/// Bytes of the salt.
const SALT: usize = 16;
/// Bytes before the encrypted record: salt, record size, length of the key, key.
const HEADER: usize = SALT + 4 + 1 + POINT;
/// The delimiter after the last record's text.
const LAST_RECORD: u8 = 2;
/// The record size. Push services accept bodies of up to 4096 bytes.
const RECORD_SIZE: u32 = 4096;
/// The maximum length of a message, so that the body has at most [`RECORD_SIZE`] bytes.
pub const MAX_MESSAGE: usize = RECORD_SIZE as usize - HEADER - 16 - 1;

/// The keys of a subscription, as a browser creates them.
#[derive(Clone, Debug)]
pub struct BrowserKeys {
    point: PublicKey,
    auth: [u8; AUTH],
}

impl BrowserKeys {
    /// The keys `p256dh` and `auth` of a subscription; `None` if they are invalid.
    pub fn new(point: &[u8], auth: &[u8]) -> Option<BrowserKeys> {
        (point.len() == POINT).then_some(())?;
        Some(BrowserKeys {
            point: PublicKey::from_sec1_bytes(point).ok()?,
            auth: auth.try_into().ok()?,
        })
    }
}

/// A random private key.
pub fn random_key() -> SecretKey {
    loop {
        // Nearly all numbers are valid keys.
        if let Ok(key) = SecretKey::from_slice(&secrets::random::<32>()) {
            return key;
        }
    }
}

/// The public point of a private key, without compression.
pub fn point(key: &SecretKey) -> [u8; POINT] {
    uncompressed(&key.public_key())
}

fn uncompressed(key: &PublicKey) -> [u8; POINT] {
    let point = key.to_sec1_point(false);
    point
        .as_bytes()
        .try_into()
        .expect("a point has this length")
}

/// Encrypts a message; `None` if it is too long.
pub fn encrypt(message: &[u8], keys: &BrowserKeys) -> Option<Vec<u8>> {
    encrypt_with(message, keys, &random_key(), &secrets::random())
}

fn encrypt_with(
    message: &[u8],
    keys: &BrowserKeys,
    own: &SecretKey,
    salt: &[u8; SALT],
) -> Option<Vec<u8>> {
    if message.len() > MAX_MESSAGE {
        return None;
    }
    let own_point = point(own);
    let shared = own.diffie_hellman(&keys.point);
    let browser = uncompressed(&keys.point);
    let (key, nonce) = derive(
        shared.raw_secret_bytes(),
        &keys.auth,
        salt,
        &browser,
        &own_point,
    );
    let mut record = message.to_vec();
    record.push(LAST_RECORD);
    let cipher = Aes128Gcm::new(&key.into());
    let record = cipher.encrypt(&Nonce::from(nonce), &*record).ok()?;
    let mut body = Vec::with_capacity(HEADER + record.len());
    body.extend(salt);
    body.extend(RECORD_SIZE.to_be_bytes());
    body.push(POINT as u8);
    body.extend(own_point);
    body.extend(record);
    Some(body)
}

/// The key and the nonce of a record (RFC 8291, section 3.4).
fn derive(
    shared: &[u8],
    auth: &[u8],
    salt: &[u8],
    browser: &[u8],
    own: &[u8],
) -> ([u8; 16], [u8; 12]) {
    let info = [b"WebPush: info\0", browser, own].concat();
    let mut combined = [0; 32];
    expand(auth, shared, &info, &mut combined);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    expand(salt, &combined, b"Content-Encoding: aes128gcm\0", &mut key);
    expand(salt, &combined, b"Content-Encoding: nonce\0", &mut nonce);
    (key, nonce)
}

fn expand(salt: &[u8], secret: &[u8], info: &[u8], out: &mut [u8]) {
    let expanded = Hkdf::<Sha256>::new(Some(salt), secret).expand(info, out);
    expanded.expect("at most 32 bytes are expanded");
}

#[cfg(test)]
mod tests {
    use super::super::encoding::{from_base64, to_base64};
    use super::*;
    use towers_test_support::push::Subscriber;

    fn key(text: &str) -> SecretKey {
        SecretKey::from_slice(&from_base64(text).unwrap()).unwrap()
    }

    /// The example of RFC 8291, appendix A.
    #[test]
    fn the_example_of_the_standard_is_encrypted_and_decrypted() {
        let browser = from_base64("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94").unwrap();
        let own = key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let auth = from_base64("BTBZMqHH6r4Tts7J_aSIgg").unwrap();
        let salt = from_base64("DGv6ra1nlYgDCS1FRnbzlw").unwrap();
        let browser = Subscriber::with_keys(&browser, auth.try_into().unwrap());
        let keys = BrowserKeys::new(&browser.point(), browser.auth()).unwrap();
        let text = b"When I grow up, I want to be a watermelon";
        let body = encrypt_with(text, &keys, &own, &salt.try_into().unwrap()).unwrap();
        assert_eq!(
            to_base64(&body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg\
             Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNW\
             QexSgSxsj_Qulcy4a-fN"
        );
        assert_eq!(browser.decrypt(&body).unwrap(), text);
    }

    #[test]
    fn every_message_differs_and_only_its_reader_understands_it() {
        let (browser, other) = (random_key().to_bytes(), random_key().to_bytes());
        let with = |key: &[u8], auth| Subscriber::with_keys(key, [auth; AUTH]);
        let reader = with(&browser, 7);
        let keys = BrowserKeys::new(&reader.point(), reader.auth()).unwrap();
        let (one, two) = (encrypt(b"turn", &keys), encrypt(b"turn", &keys));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_ne!(one, two);
        assert_eq!(reader.decrypt(&one).unwrap(), b"turn");
        assert_eq!(with(&other, 7).decrypt(&one), None);
        assert_eq!(with(&browser, 8).decrypt(&one), None);
    }

    #[test]
    fn a_message_fits_into_what_push_services_accept() {
        let keys = BrowserKeys::new(&point(&random_key()), &[0; AUTH]).unwrap();
        let longest = encrypt(&[b'a'; MAX_MESSAGE], &keys).unwrap();
        assert_eq!(longest.len(), 4096);
        assert_eq!(encrypt(&[b'a'; MAX_MESSAGE + 1], &keys), None);
    }

    #[test]
    fn invalid_keys_are_refused() {
        let good = point(&random_key());
        assert!(BrowserKeys::new(&good, &[0; AUTH]).is_some());
        assert!(BrowserKeys::new(&good[1..], &[0; AUTH]).is_none());
        assert!(BrowserKeys::new(&good, &[0; 15]).is_none());
        let mut off_curve = good;
        off_curve[40] ^= 1;
        assert!(BrowserKeys::new(&off_curve, &[0; AUTH]).is_none());
        assert!(BrowserKeys::new(&[0; POINT], &[0; AUTH]).is_none());
    }
}
