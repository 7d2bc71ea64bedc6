//! People without an account: a person is a set of devices, each of which proves with its key pair who it is, and then
//! has a cookie.
//!
//! [`Identity`] is the person of a request. [`People`] has everything else.

mod api;
#[cfg(test)]
mod bounds_tests;
mod challenge;
mod data;
#[cfg(test)]
mod deletion_tests;
mod devices;
mod ending;
mod identity;
mod keys;
mod linking;
mod lobby;
mod owned;
mod passkey_api;
#[cfg(test)]
mod passkey_tests;
mod passkeys;
mod seats;
#[cfg(test)]
mod socket_tests;
#[cfg(test)]
mod test_browser;
#[cfg(test)]
pub(crate) mod tests;

pub use api::{routes, take};
pub use challenge::Proof;
pub use devices::SignedIn;
pub use ending::mark;
pub use identity::{Identity, PersonRef};
pub use keys::{KEY_FILE, ServerKeys, Vault};
pub use owned::{DELETED, OWNED};
pub use passkeys::{PasskeyError, PasskeyView, RelyingParty};
pub use seats::{PersonTable, SeatKeys};

use std::net::IpAddr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use towers_table::Millis;

use crate::clock::SteadyClock;
use crate::limits::network;
use crate::storage::Storage;

/// The time for which the code of an address stays the same.
const OPENER_TIME: Millis = 24 * 3600 * 1000;

/// The people that the database knows.
pub struct People {
    storage: Arc<dyn Storage>,
    clock: SteadyClock,
    keys: ServerKeys,
}

impl People {
    pub fn new(storage: Arc<dyn Storage>, clock: SteadyClock, keys: ServerKeys) -> People {
        People {
            storage,
            clock,
            keys,
        }
    }

    /// Encrypts what is stored and must be read again: addresses for push messages, for instance.
    pub fn vault(&self) -> &Vault {
        &self.keys.vault
    }

    pub fn now(&self) -> Millis {
        self.clock.now()
    }

    /// A code for an address that opens a table. It changes every day, and reveals nothing without the server's key.
    pub fn opener(&self, address: IpAddr) -> String {
        let day = self.now() / OPENER_TIME;
        let network = network(address).to_string();
        let mac = self.mac("opener", &[&day.to_le_bytes(), network.as_bytes()]);
        let code = mac.finalize().into_bytes();
        URL_SAFE_NO_PAD.encode(&code[..16])
    }

    /// An authentication code that only servers on this database can compute, for one purpose.
    fn mac(&self, purpose: &str, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.keys.mac).expect("keys have any length");
        mac.update(purpose.as_bytes());
        for part in parts {
            // With lengths, so that different lists of parts never give the same bytes.
            mac.update(&(part.len() as u64).to_le_bytes());
            mac.update(part);
        }
        mac
    }
}
