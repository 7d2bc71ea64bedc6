//! Proof to push services that messages come from this server (VAPID, RFC 8292).

use p256::SecretKey;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::json;
use towers_table::Millis;
use url::Url;

use super::encoding::to_base64;
use super::encryption::{point, random_key};

/// How long a proof is valid, in seconds. The standard allows a day.
const VALID_FOR: u64 = 12 * 3600;

/// The key pair of this server, or of all servers on one database.
pub struct Vapid {
    key: SigningKey,
    public: String,
    /// How a push service reaches the operator, `mailto:` or `https:`.
    contact: String,
}

impl Vapid {
    /// Bytes of a new private key.
    pub fn new_key() -> Vec<u8> {
        random_key().to_bytes().to_vec()
    }

    /// The pair of a private key; `None` if that is invalid.
    pub fn new(key: &[u8], contact: &str) -> Option<Vapid> {
        let secret = SecretKey::from_slice(key).ok()?;
        Some(Vapid {
            public: to_base64(&point(&secret)),
            key: SigningKey::from(&secret),
            contact: contact.into(),
        })
    }

    /// The public key, which browsers need to subscribe.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The header `Authorization` for a request to a push service.
    pub fn authorization(&self, endpoint: &Url, now: Millis) -> String {
        let header = json!({ "typ": "JWT", "alg": "ES256" });
        let claims = json!({
            "aud": endpoint.origin().ascii_serialization(),
            "exp": now / 1000 + VALID_FOR,
            "sub": self.contact,
        });
        let part = |value: serde_json::Value| to_base64(value.to_string().as_bytes());
        let signed = format!("{}.{}", part(header), part(claims));
        let signature: Signature = self.key.sign(signed.as_bytes());
        let signature = to_base64(&signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public)
    }
}

#[cfg(test)]
mod tests {
    use towers_test_support::push::verify;

    use super::*;

    #[test]
    fn a_proof_names_the_push_service_and_verifies() {
        let vapid = Vapid::new(&Vapid::new_key(), "mailto:host@towers.example").unwrap();
        let endpoint = Url::parse("https://push.example:8443/send/abc?x=1").unwrap();
        let header = vapid.authorization(&endpoint, 5_000);
        let claims = verify(&header).unwrap();
        assert_eq!(claims["aud"], "https://push.example:8443");
        assert_eq!(claims["exp"], 5 + VALID_FOR);
        assert_eq!(claims["sub"], "mailto:host@towers.example");
        assert!(header.ends_with(&format!(", k={}", vapid.public())));
        let forged = header.replacen("t=ey", "t=eY", 1);
        assert!(verify(&forged).is_none());
    }

    /// The pair of the sender in RFC 8291, section 5.
    #[test]
    fn a_stored_key_gives_the_same_pair() {
        let key =
            super::super::encoding::from_base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let vapid = Vapid::new(&key.unwrap(), "").unwrap();
        assert_eq!(
            vapid.public(),
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        );
        assert!(Vapid::new(&[0; 32], "").is_none());
        assert!(Vapid::new(&[1; 20], "").is_none());
    }
}
