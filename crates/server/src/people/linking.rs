//! Adding a device to a person: by a phrase from another device, or by the recovery code. A device that had a person of
//! its own merges that person into the other one.

use serde::Serialize;
use towers_table::{Digest, Millis};

use super::{OWNED, People, PersonRef, SignedIn};
use crate::secrets;
use crate::storage::{Statement, StorageError};

/// How long a phrase can be used.
const LINK: Millis = 10 * 60 * 1000;
/// The number of digits of a recovery code, 5 bits each.
const CODE: usize = 24;
/// The digits of a group, as the code is shown.
const GROUP: usize = 4;

/// What is encrypted here, see [`Vault`](super::Vault).
const BUNDLE: &str = "person_links bundle";

/// A claimed link: the person, and the bundle from the other device.
pub struct ClaimedLink {
    pub person: String,
    pub bundle: String,
}

/// A new recovery code, which is shown once.
#[derive(Debug, Serialize)]
pub struct RecoveryCode {
    pub code: String,
}

pub struct AddedDevice {
    pub signed_in: SignedIn,
    /// Connections that have to be opened again, because their person is another one now.
    pub ended: Vec<Digest>,
}

/// The maximum number of devices of a person.
const MAX_DEVICES: u32 = 20;

impl People {
    /// Stores a link of a person, instead of an earlier one. Returns when it expires.
    pub async fn add_link(
        &self,
        person: &str,
        lookup: &Digest,
        bundle: &str,
    ) -> Result<Millis, StorageError> {
        let expires = self.now() + LINK;
        let delete = "DELETE FROM person_links WHERE person_id = $1";
        let insert = "INSERT INTO person_links (lookup, person_id, bundle, expires) \
                      VALUES ($1, $2, $3, $4)";
        let statements = vec![
            Statement::new(delete).with(person),
            Statement::new(insert)
                .with(link_hash(lookup))
                .with(person)
                .with(self.vault().seal(BUNDLE, bundle.as_bytes()))
                .with(expires),
        ];
        self.storage.transact(statements).await?;
        Ok(expires)
    }

    /// Takes a link: of several who try at once, one gets it.
    pub async fn take_link(&self, lookup: &Digest) -> Result<Option<ClaimedLink>, StorageError> {
        let take = "DELETE FROM person_links WHERE lookup = $1 AND expires > $2 \
                    RETURNING person_id, bundle";
        let take = Statement::new(take)
            .with(link_hash(lookup))
            .with(self.now());
        let results = self.storage.transact(vec![take]).await?;
        let row = results.first().and_then(|result| result.rows.first());
        row.map(|row| {
            let bundle = self.vault().open(BUNDLE, &row.text(1)?);
            let bundle = bundle.and_then(|bundle| String::from_utf8(bundle).ok());
            Ok(ClaimedLink {
                person: row.text(0)?,
                bundle: bundle.ok_or_else(|| StorageError::Corrupt("a bundle".into()))?,
            })
        })
        .transpose()
    }

    /// Makes a recovery code, instead of an earlier one.
    pub async fn renew_recovery(&self, person: &str) -> Result<RecoveryCode, StorageError> {
        let digits = secrets::digits::<CODE>().to_ascii_uppercase();
        let groups = digits.as_bytes().chunks(GROUP);
        let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
        let update = "UPDATE people SET recovery = $2 WHERE id = $1";
        let hash = recovery_hash(&digits).to_string();
        let update = Statement::new(update).with(person).with(hash);
        self.storage.transact(vec![update]).await?;
        Ok(RecoveryCode {
            code: groups.join("-"),
        })
    }

    /// The person with a recovery code.
    pub async fn by_recovery(&self, code: &str) -> Result<Option<String>, StorageError> {
        let query = "SELECT id FROM people WHERE recovery = $1 AND deleted IS NULL";
        let query = Statement::new(query).with(recovery_hash(code).to_string());
        let rows = self.storage.query(query).await?;
        rows.first().map(|row| row.text(0)).transpose()
    }

    /// Adds the device with a public key to a person.
    pub async fn add_device(
        &self,
        person: &str,
        key: &Digest,
        label: &str,
    ) -> Result<AddedDevice, StorageError> {
        let known = self.by_key(key).await?;
        let mut ended = Vec::new();
        let device = match known {
            Some(known) if known.person == person => known,
            Some(known) => {
                ended = self.marks_of(&known.person, None).await?;
                self.merge(person, &known.person).await?;
                self.end(&ended).await?;
                PersonRef {
                    person: person.into(),
                    device: known.device,
                    guarded: true,
                }
            }
            None => {
                let device = PersonRef {
                    person: person.into(),
                    device: secrets::table_id(),
                    guarded: true,
                };
                let guard = "UPDATE people SET guarded = TRUE WHERE id = $1";
                let statements = vec![
                    self.insert_device(&device, key, label),
                    Statement::new(guard).with(person),
                ];
                self.storage.transact(statements).await?;
                device
            }
        };
        ended.extend(self.remove_oldest_devices(&device).await?);
        let signed_in = self.begin_session(device).await?;
        Ok(AddedDevice { signed_in, ended })
    }

    /// Removes the devices above the maximum number, those first that were not used for longest. Refusing a new one
    /// instead would lock out people who have lost the others.
    async fn remove_oldest_devices(&self, new: &PersonRef) -> Result<Vec<Digest>, StorageError> {
        let query = "SELECT id FROM person_devices WHERE person_id = $1 AND id <> $2 \
                     ORDER BY used DESC, created DESC, id LIMIT 1000 OFFSET $3";
        let query = Statement::new(query).with(&new.person).with(&new.device);
        let rows = self.storage.query(query.with(MAX_DEVICES - 1)).await?;
        let mut ended = Vec::new();
        for row in rows {
            let marks = self.remove_device(&new.person, &row.text(0)?).await?;
            ended.extend(marks.into_iter().flatten());
        }
        Ok(ended)
    }

    /// Merges one person into another, and deletes the first.
    async fn merge(&self, into: &str, from: &str) -> Result<(), StorageError> {
        let merges = OWNED.iter().flat_map(|owned| owned.merge);
        let merges = merges.map(|sql| Statement::new(sql).with(into).with(from));
        let deletes = OWNED.iter().map(|o| Statement::new(o.delete).with(from));
        let statements = merges.chain(deletes).collect();
        self.storage.transact(statements).await.map(drop)
    }
}

/// The stored form of a lookup: reading the database does not suffice to claim the link.
fn link_hash(lookup: &Digest) -> String {
    Digest::digest(&[b"link ", &lookup.0]).to_string()
}

/// The hash of a recovery code, however it was typed.
fn recovery_hash(code: &str) -> Digest {
    let digits = code.chars().filter(char::is_ascii_alphanumeric);
    let digits: String = digits
        .map(|digit| match digit.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            other => other,
        })
        .collect();
    Digest::digest(&[b"recovery ", digits.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recovery_codes_may_be_typed_in_any_way() {
        let hash = recovery_hash("0123-ABCD");
        assert_eq!(recovery_hash("oI23 abcd"), hash);
        assert_eq!(recovery_hash("0l23abcd"), hash);
        assert_ne!(recovery_hash("0123-ABCE"), hash);
    }
}
