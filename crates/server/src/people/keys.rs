//! The keys of the servers on a database: one that they share, and one that encrypts stored secrets.

use std::io::Write;
use std::path::{Path, PathBuf};

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use towers_table::{Digest, Hex};

use crate::config::Config;
use crate::failure::ServeError;
use crate::private;
use crate::secrets;
use crate::storage::{Statement, Storage, StorageError};

/// The name of the file beside an `SQLite` database.
pub const KEY_FILE: &str = "secret-key";
/// The bytes of a nonce.
const NONCE: usize = 12;
/// A known text, encrypted in the database, so that a wrong key is noticed at the start.
const CHECK: &str = "towers";
/// Deletes everything that was encrypted with a key that is lost. People have to subscribe again.
const DELETE_SEALED: [&str; 4] = [
    "DELETE FROM server_keys WHERE name = 'vapid'",
    "DELETE FROM push_subscriptions",
    "DELETE FROM webhooks",
    "DELETE FROM person_links",
];

pub struct ServerKeys {
    /// Authenticates challenges and derives keys of seats. All servers on a database share it.
    pub(super) mac: [u8; 32],
    pub(super) vault: Vault,
}

impl ServerKeys {
    /// Reads the keys; makes those that are missing.
    pub async fn open(storage: &dyn Storage, config: &Config) -> Result<ServerKeys, ServeError> {
        let failed = ServeError::Keys;
        let mac = shared_key(storage, "mac").await.map_err(failed)?;
        let stored = read(storage, "secret").await.map_err(failed)?;
        let in_folder = || config.data.join(KEY_FILE);
        let default = (config.database.is_none() && stored.is_none()).then(in_folder);
        let (secret, is_new) = match config.secret_key_file.clone().or(default) {
            Some(file) => read_file(&file)?,
            None => (shared_key(storage, "secret").await.map_err(failed)?, false),
        };
        let vault = Vault::new(secret);
        let check = vault.seal("check", CHECK.as_bytes());
        let known = shared(storage, "check", &check).await.map_err(failed)?;
        if vault.open("check", &known).is_none() {
            if !is_new || config.secret_key_file.is_some() {
                return Err(ServeError::WrongSecretKey);
            }
            // A backup of the database without the file. Everything but the encrypted secrets is there.
            tracing::warn!(
                "the file {KEY_FILE} is missing: stored secrets are lost, for instance addresses for calls"
            );
            let replace = "UPDATE server_keys SET value = $1 WHERE name = 'check'";
            let mut statements = vec![Statement::new(replace).with(check)];
            statements.extend(DELETE_SEALED.map(Statement::new));
            storage.transact(statements).await.map_err(failed)?;
        }
        Ok(ServerKeys { mac, vault })
    }

    /// Fresh keys that are not stored.
    #[cfg(test)]
    pub fn random() -> ServerKeys {
        ServerKeys {
            mac: secrets::seed().0,
            vault: Vault::new(secrets::seed().0),
        }
    }
}

async fn read(storage: &dyn Storage, name: &str) -> Result<Option<String>, StorageError> {
    let query = Statement::new("SELECT value FROM server_keys WHERE name = $1").with(name);
    let rows = storage.query(query).await?;
    rows.first().map(|row| row.text(0)).transpose()
}

/// The value under a name. If there is none, stores and returns `fresh`.
async fn shared(storage: &dyn Storage, name: &str, fresh: &str) -> Result<String, StorageError> {
    if let Some(value) = read(storage, name).await? {
        return Ok(value);
    }
    let insert = "INSERT INTO server_keys (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
    let insert = Statement::new(insert).with(name).with(fresh);
    storage.transact(vec![insert]).await?;
    let value = read(storage, name).await?;
    value.ok_or_else(|| StorageError::Failed("a key was not stored".into()))
}

async fn shared_key(storage: &dyn Storage, name: &str) -> Result<[u8; 32], StorageError> {
    let text = shared(storage, name, &secrets::seed().to_string()).await?;
    let key: Digest = text
        .parse()
        .map_err(|_| StorageError::Corrupt("a server key is malformed".into()))?;
    Ok(key.0)
}

/// The key in a file, which is created if it does not exist, and whether it was.
fn read_file(file: &Path) -> Result<([u8; 32], bool), ServeError> {
    let unusable = |why: String| ServeError::KeyFile {
        file: PathBuf::from(file),
        why,
    };
    let io = |why: std::io::Error| unusable(why.to_string());
    match std::fs::read_to_string(file) {
        Ok(text) => {
            let key: Result<Digest, _> = text.trim().parse();
            let key = key.map_err(|_| unusable("it has no key of 64 hexadecimal digits".into()))?;
            Ok((key.0, false))
        }
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => {
            let key: Hex<32> = secrets::seed();
            let mut new = private::open_file(file).map_err(io)?;
            writeln!(new, "{key}").map_err(io)?;
            new.sync_all().map_err(io)?;
            Ok((key.0, true))
        }
        Err(why) => Err(io(why)),
    }
}

/// Encryption of stored secrets by AES-256-GCM.
pub struct Vault(Aes256Gcm);

impl Vault {
    fn new(key: [u8; 32]) -> Vault {
        Vault(Aes256Gcm::new(&key.into()))
    }

    /// Encrypts a secret. It can be opened in the same context only: name the column, and the row if it has an id.
    pub fn seal(&self, context: &str, secret: &[u8]) -> String {
        let mut sealed = secrets::random::<NONCE>().to_vec();
        let nonce = <[u8; NONCE]>::try_from(sealed.as_slice()).expect("it has this length");
        let payload = Payload {
            msg: secret,
            aad: context.as_bytes(),
        };
        let text = self.0.encrypt(&nonce.into(), payload);
        sealed.extend(text.expect("secrets are short"));
        URL_SAFE_NO_PAD.encode(sealed)
    }

    /// Decrypts a secret; `None` if it was changed, or sealed with another key or in another context.
    pub fn open(&self, context: &str, sealed: &str) -> Option<Vec<u8>> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let (nonce, text) = sealed.split_first_chunk::<NONCE>()?;
        let payload = Payload {
            msg: text,
            aad: context.as_bytes(),
        };
        self.0.decrypt(&(*nonce).into(), payload).ok()
    }
}
