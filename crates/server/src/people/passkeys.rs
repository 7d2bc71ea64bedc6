//! Passkeys: credentials that browsers and password managers carry between devices. A passkey adds a device to its
//! person, as a phrase or the recovery code does.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac;
use passki::{
    AuthenticationChallenge, AuthenticationCredential, AuthenticationOptions, Passki,
    RegistrationChallenge, RegistrationCredential, RegistrationOptions, ResidentKeyRequirement,
    StoredPasskey, UserVerificationRequirement,
};
use serde::Serialize;
use towers_table::{Digest, Millis};
use url::{Host, Url};

use super::People;
use crate::storage::{SqlRow, Statement, StorageError};

/// The name that password managers show.
const NAME: &str = "Wandering Towers";
/// The maximum number of passkeys of a person.
const MAX_PASSKEYS: u32 = 20;
/// How long a used challenge is remembered: longer than any server accepts it.
const REMEMBERED: Millis = 10 * 60 * 1000;

/// Why a passkey is refused.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    #[error("the challenge is too old or was used before, or the passkey does not prove it")]
    Invalid,
    #[error("this passkey is not known here")]
    Unknown,
    #[error("there are {MAX_PASSKEYS} passkeys: remove one first")]
    TooMany,
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// A passkey in a person's list.
#[derive(Debug, Serialize)]
pub struct PasskeyView {
    pub id: String,
    pub label: String,
    pub created: i64,
    /// When it was last used.
    pub used: i64,
}

/// This server, as the owner of passkeys.
pub struct RelyingParty(Passki);

impl RelyingParty {
    /// The server that browsers reach at an origin. `None` without a host name: passkeys belong to names, not to
    /// addresses.
    pub fn at(origin: &str) -> Option<RelyingParty> {
        let url = Url::parse(origin).ok()?;
        let Some(Host::Domain(name)) = url.host() else {
            return None;
        };
        let origin = url.origin().ascii_serialization();
        Some(RelyingParty(Passki::new(name, &[origin], NAME)))
    }
}

/// The stored form of a credential's id.
fn credential_hash(credential: &[u8]) -> String {
    Digest::digest(&[b"passkey ", credential]).to_string()
}

/// The encryption context of a credential's id, see [`Vault`](super::Vault).
fn sealed_in(id: &str) -> String {
    format!("person_passkeys {id}")
}

fn challenge_bytes(challenge: &str) -> Result<Vec<u8>, PasskeyError> {
    let bytes = URL_SAFE_NO_PAD.decode(challenge);
    bytes.map_err(|_| PasskeyError::Invalid)
}

impl People {
    /// What a browser needs to make a passkey for a person.
    pub async fn passkey_options(
        &self,
        site: &RelyingParty,
        person: &str,
    ) -> Result<RegistrationChallenge, StorageError> {
        let query = Statement::new("SELECT name FROM people WHERE id = $1").with(person);
        let rows = self.storage.query(query).await?;
        let name = rows.first().map(|row| row.text(0)).transpose()?;
        let name = name.filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| NAME.into());
        let known = self.credentials_of(person).await?;
        let mut options = RegistrationOptions::default();
        // The browser finds the passkey by the site alone, since nobody types a name to sign in.
        options.resident_key = ResidentKeyRequirement::Required;
        options.user_verification = UserVerificationRequirement::Required;
        options.exclude_credentials = Some(&known);
        // Ids of people do not leave the server.
        let handle = self.mac("passkey", &[person.as_bytes()]).finalize();
        let started =
            site.0
                .start_passkey_registration(&handle.into_bytes(), &name, &name, options);
        let (mut challenge, _) = started.expect("the handle is long enough");
        challenge.challenge = self.issue(Some(person));
        Ok(challenge)
    }

    /// Stores a passkey that a browser has made for a person.
    pub async fn add_passkey(
        &self,
        site: &RelyingParty,
        person: &str,
        challenge: &str,
        credential: &RegistrationCredential,
        label: &str,
    ) -> Result<(), PasskeyError> {
        if !self.is_challenge(challenge, Some(person)) {
            return Err(PasskeyError::Invalid);
        }
        let mut options = RegistrationOptions::default();
        options.user_verification = UserVerificationRequirement::Required;
        let started = site
            .0
            .start_passkey_registration(&[0; 16], "", "", options)
            .map_err(|_| PasskeyError::Invalid)?;
        let (_, mut state) = started;
        state.challenge = challenge_bytes(challenge)?;
        let made = site.0.finish_passkey_registration(credential, &state);
        let made = made.map_err(|_| PasskeyError::Invalid)?;
        let id = credential_hash(&made.credential_id);
        let insert = "INSERT INTO person_passkeys (id, person_id, sealed, public_key, algorithm, \
                      counter, label, created, used) SELECT $1, id, $3, $4, $5, $6, $7, $8, $8 \
                      FROM people WHERE id = $2 AND deleted IS NULL AND \
                      (SELECT COUNT(*) FROM person_passkeys WHERE person_id = $2) < $9";
        let insert = Statement::new(insert)
            .with(&id)
            .with(person)
            .with(self.vault().seal(&sealed_in(&id), &made.credential_id))
            .with(URL_SAFE_NO_PAD.encode(&made.public_key))
            .with(i64::from(made.algorithm))
            .with(u64::from(made.counter))
            .with(label)
            .with(self.now())
            .with(MAX_PASSKEYS);
        let statements = vec![self.use_challenge(challenge), insert];
        match self.storage.transact(statements).await {
            Ok(results) if results.last().is_some_and(|insert| insert.count == 1) => Ok(()),
            Ok(_) => Err(PasskeyError::TooMany),
            // The challenge was used, or the passkey is known.
            Err(StorageError::Refused(_)) => Err(PasskeyError::Invalid),
            Err(why) => Err(why.into()),
        }
    }

    /// What a browser needs to use a passkey, of whichever person.
    pub fn passkey_challenge(&self, site: &RelyingParty) -> AuthenticationChallenge {
        let (mut challenge, _) = site
            .0
            .start_passkey_authentication(&[], sign_in_options())
            .expect("without extensions nothing is checked");
        challenge.challenge = self.challenge();
        challenge
    }

    /// The person whose passkey has signed a challenge, which cannot be used again.
    pub async fn person_by_passkey(
        &self,
        site: &RelyingParty,
        challenge: &str,
        credential: &AuthenticationCredential,
    ) -> Result<String, PasskeyError> {
        if !self.is_challenge(challenge, None) {
            return Err(PasskeyError::Invalid);
        }
        let raw = Passki::base64_decode(&credential.raw_id).map_err(|_| PasskeyError::Invalid)?;
        let id = credential_hash(&raw);
        let query = "SELECT p.id, k.public_key, k.algorithm, k.counter FROM person_passkeys AS k \
                     JOIN people AS p ON p.id = k.person_id WHERE k.id = $1 AND p.deleted IS NULL";
        let rows = self.storage.query(Statement::new(query).with(&id)).await?;
        let row = rows.first().ok_or(PasskeyError::Unknown)?;
        let (person, counter) = (row.text(0)?, row.number(3)?);
        let stored = stored_passkey(raw, row)?;
        let started = site
            .0
            .start_passkey_authentication(&[], sign_in_options())
            .map_err(|_| PasskeyError::Invalid)?;
        let (_, mut state) = started;
        state.challenge = challenge_bytes(challenge)?;
        let used = site
            .0
            .finish_passkey_authentication(credential, &state, &stored)
            .map_err(|_| PasskeyError::Invalid)?;
        // If two uses report the same counter, one of them comes from a copy of the passkey.
        let update = "UPDATE person_passkeys SET counter = $2, used = $3 \
                      WHERE id = $1 AND counter = $4";
        let update = Statement::new(update)
            .with(&id)
            .with(u64::from(used.counter))
            .with(self.now())
            .with(counter.unsigned_abs());
        let statements = vec![self.use_challenge(challenge), update];
        match self.storage.transact(statements).await {
            Ok(results) if results.last().is_some_and(|update| update.count == 1) => Ok(person),
            Ok(_) | Err(StorageError::Refused(_)) => Err(PasskeyError::Invalid),
            Err(why) => Err(why.into()),
        }
    }

    /// Removes a passkey of a person. Returns whether it was one of theirs.
    pub async fn remove_passkey(&self, person: &str, id: &str) -> Result<bool, StorageError> {
        let delete = "DELETE FROM person_passkeys WHERE id = $1 AND person_id = $2";
        let delete = Statement::new(delete).with(id).with(person);
        let results = self.storage.transact(vec![delete]).await?;
        Ok(results.first().is_some_and(|deleted| deleted.count == 1))
    }

    /// The passkeys of a person, the first one first.
    pub(super) async fn passkeys_of(&self, person: &str) -> Result<Vec<PasskeyView>, StorageError> {
        let query = "SELECT id, label, created, used FROM person_passkeys \
                     WHERE person_id = $1 ORDER BY created, id";
        let query = Statement::new(query).with(person);
        let rows = self.storage.query(query).await?;
        let view = |row: &SqlRow| {
            Ok(PasskeyView {
                id: row.text(0)?,
                label: row.text(1)?,
                created: row.number(2)?,
                used: row.number(3)?,
            })
        };
        rows.iter().map(view).collect()
    }

    /// The credentials of a person's passkeys. Those that were encrypted with a lost key are left out.
    async fn credentials_of(&self, person: &str) -> Result<Vec<StoredPasskey>, StorageError> {
        let query = "SELECT id, sealed FROM person_passkeys WHERE person_id = $1";
        let query = Statement::new(query).with(person);
        let mut all = Vec::new();
        for row in self.storage.query(query).await? {
            let context = sealed_in(&row.text(0)?);
            if let Some(credential) = self.vault().open(&context, &row.text(1)?) {
                let mut known = StoredPasskey::default();
                known.credential_id = credential;
                all.push(known);
            }
        }
        Ok(all)
    }

    /// Fails if a challenge was used before, at any server.
    fn use_challenge(&self, challenge: &str) -> Statement {
        let hash = Digest::digest(&[b"challenge ", challenge.as_bytes()]);
        Statement::new("INSERT INTO used_challenges (hash, at) VALUES ($1, $2)")
            .with(hash.to_string())
            .with(self.now())
    }

    pub(super) fn forget_challenges(&self) -> Statement {
        let before = self.now().saturating_sub(REMEMBERED);
        Statement::new("DELETE FROM used_challenges WHERE at < $1").with(before)
    }
}

/// Anybody who has the passkey can sign in, so the device has to check who holds it.
fn sign_in_options() -> AuthenticationOptions {
    let mut options = AuthenticationOptions::default();
    options.user_verification = UserVerificationRequirement::Required;
    options
}

fn stored_passkey(credential: Vec<u8>, row: &SqlRow) -> Result<StoredPasskey, StorageError> {
    let corrupt = || StorageError::Corrupt("a passkey".into());
    let key = URL_SAFE_NO_PAD.decode(row.text(1)?);
    let mut stored = StoredPasskey::default();
    stored.credential_id = credential;
    stored.public_key = key.map_err(|_| corrupt())?;
    stored.algorithm = i32::try_from(row.number(2)?).map_err(|_| corrupt())?;
    stored.counter = u32::try_from(row.number(3)?).map_err(|_| corrupt())?;
    Ok(stored)
}
