//! People in both databases.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use towers_rules::Seat;
use towers_table::Digest;

use super::{People, Proof, ServerKeys, SignedIn};
use crate::clock::SteadyClock;
use crate::config::Config;
use crate::failure::ServeError;
use crate::secrets;
use crate::storage::tests::{meta, on_both_databases, postgres, record, sqlite};
use crate::storage::{NewTable, SqliteStorage, Statement, Storage};
use crate::{DataLocation, copy};

pub(super) const DAY: u64 = 24 * 3600 * 1000;
pub(super) const START: u64 = 1000 * DAY;

/// A browser with a key pair.
pub struct TestDevice(SigningKey);

impl TestDevice {
    pub fn new() -> TestDevice {
        TestDevice(SigningKey::from_slice(&secrets::seed().0).unwrap())
    }

    pub fn prove(&self, purpose: &str, challenge: &str) -> Proof {
        let text = format!("towers {purpose} {challenge}");
        let signature: Signature = self.0.sign(text.as_bytes());
        let point = self.0.verifying_key().to_sec1_point(false);
        Proof {
            challenge: challenge.into(),
            public_key: URL_SAFE_NO_PAD.encode(point.as_bytes()),
            signature: URL_SAFE_NO_PAD.encode(signature.to_bytes()),
        }
    }
}

/// The people of a database whose keys are stored in it, at a time.
pub(super) async fn people_at(storage: &Arc<dyn Storage>, time: u64) -> People {
    let config = Config {
        database: Some("postgres://elsewhere".into()),
        ..Config::default()
    };
    let keys = ServerKeys::open(&**storage, &config).await.unwrap();
    People::new(Arc::clone(storage), SteadyClock::starting_at(time), keys)
}

fn key_of(people: &People, device: &TestDevice) -> Digest {
    let proof = device.prove("session", &people.challenge());
    people.verify("session", &proof).expect("it is valid")
}

pub(super) async fn sign_in(people: &People, device: &TestDevice) -> SignedIn {
    let key = key_of(people, device);
    people.sign_in(&key, "Firefox, Linux").await.unwrap()
}

async fn add_table(storage: &Arc<dyn Storage>, table: &str) {
    let header = record(table, 0).header;
    let meta = meta(false, None);
    storage
        .create(NewTable {
            header,
            meta,
            opener: None,
        })
        .await
        .unwrap();
}

async fn sessions_last(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    let (ann, ben) = (TestDevice::new(), TestDevice::new());
    let first = sign_in(&people, &ann).await;
    assert!(first.is_new);
    let again = sign_in(&people, &ann).await;
    assert!(!again.is_new && again.person == first.person);
    assert_ne!(again.cookie, first.cookie);
    assert_ne!(
        sign_in(&people, &ben).await.person.person,
        first.person.person
    );
    let known = people.by_cookie(&first.cookie).await.unwrap();
    assert_eq!(known, Some(first.person.clone()));
    assert_eq!(people.by_cookie("nonsense").await.unwrap(), None);
    // Another server on the same database, later. Use prolongs the session.
    for day in [60, 120, 200] {
        let later = people_at(&storage, START + day * DAY).await;
        let known = later.by_cookie(&first.cookie).await.unwrap();
        assert_eq!(known, Some(first.person.clone()), "day {day}");
    }
    let later = people_at(&storage, START + 291 * DAY).await;
    assert_eq!(later.by_cookie(&first.cookie).await.unwrap(), None);
    let next = sign_in(&later, &ann).await;
    assert_eq!(next.person, first.person);
    later.sign_out(&next.cookie).await.unwrap();
    assert_eq!(later.by_cookie(&next.cookie).await.unwrap(), None);
    // Many windows at once make one person.
    let cy = key_of(&later, &TestDevice::new());
    let all = (0..8).map(|_| later.sign_in(&cy, ""));
    let all = futures_util::future::join_all(all).await;
    let ids: Vec<_> = all.iter().map(|s| &s.as_ref().unwrap().person).collect();
    assert!(ids.windows(2).all(|w| w[0] == w[1]));
}

on_both_databases!(
    sessions_last,
    sqlite_keeps_sessions,
    postgresql_keeps_sessions
);

async fn proofs_are_checked(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    let (ann, ben) = (TestDevice::new(), TestDevice::new());
    let challenge = people.challenge();
    let proof = ann.prove("session", &challenge);
    assert!(people.verify("session", &proof).is_some());
    assert!(people.verify("claim", &proof).is_none(), "another purpose");
    let stolen = Proof {
        public_key: ben.prove("session", &challenge).public_key,
        ..proof.clone()
    };
    assert!(people.verify("session", &stolen).is_none());
    let made_up = URL_SAFE_NO_PAD.encode([7; 56]);
    for challenge in ["", "x", made_up.as_str()] {
        assert!(
            people
                .verify("session", &ann.prove("session", challenge))
                .is_none()
        );
    }
    for field in 0..3 {
        let mut broken = proof.clone();
        let text = match field {
            0 => &mut broken.challenge,
            1 => &mut broken.public_key,
            _ => &mut broken.signature,
        };
        text.replace_range(4..5, if &text[4..5] == "A" { "B" } else { "A" });
        assert!(people.verify("session", &broken).is_none(), "field {field}");
        let mut cut = proof.clone();
        match field {
            0 => cut.challenge.truncate(20),
            1 => cut.public_key.truncate(20),
            _ => cut.signature.truncate(20),
        }
        assert!(people.verify("session", &cut).is_none(), "field {field}");
    }
    let other_server = people_at(&storage, START + 100_000).await;
    assert!(other_server.verify("session", &proof).is_some());
    let too_late = people_at(&storage, START + 121_000).await;
    assert!(too_late.verify("session", &proof).is_none());
}

on_both_databases!(
    proofs_are_checked,
    sqlite_checks_proofs,
    postgresql_checks_proofs
);

async fn keys_at_tables_belong_to_people(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    add_table(&storage, "t").await;
    add_table(&storage, "u").await;
    let ann = sign_in(&people, &TestDevice::new()).await.person;
    let ben = sign_in(&people, &TestDevice::new()).await.person;
    let keys = async |person, token| people.seat_keys("t", person, token).await.unwrap();
    let fresh = keys(Some(&ann), None).await;
    assert!(fresh.stored.is_empty() && !fresh.refuses_token);
    let derived = fresh.token.clone().unwrap();
    assert_ne!(keys(Some(&ben), None).await.token.unwrap(), derived);
    let elsewhere = people.seat_keys("u", Some(&ann), None).await.unwrap();
    assert_ne!(elsewhere.token.unwrap(), derived);
    people.link("t", "ann's", &ann.person, None).await.unwrap();
    people.link("t", "ann's", &ben.person, None).await.unwrap();
    people.link("t", "ben's", "nobody", None).await.unwrap();
    let owners = people.owners("t").await.unwrap();
    assert_eq!(owners, [("ann's".to_string(), ann.person.clone())]);
    assert_eq!(keys(Some(&ann), None).await.stored, ["ann's"]);
    assert!(!keys(None, Some("ann's")).await.refuses_token, "one device");
    // Two devices that sat down before they became one person: one table, with a seat.
    let second = Some(Seat(1));
    people
        .link("t", "ann's phone", &ann.person, second)
        .await
        .unwrap();
    let tables = people.tables_of(&ann.person).await.unwrap();
    assert_eq!(tables.len(), 1);
    assert_eq!((tables[0].seat, tables[0].hidden), (Some(1), false));
    assert!(people.hide_table(&ann.person, "t").await.unwrap());
    assert!(people.tables_of(&ann.person).await.unwrap()[0].hidden);
    assert!(storage.delete("t").await.unwrap());
    assert!(people.tables_of(&ann.person).await.unwrap().is_empty());
}

on_both_databases!(
    keys_at_tables_belong_to_people,
    sqlite_knows_whose_keys,
    postgresql_knows_whose_keys
);

async fn links_work_once_and_for_ten_minutes(storage: Arc<dyn Storage>) {
    const MINUTE: u64 = 60 * 1000;
    let people = people_at(&storage, START).await;
    let ann = sign_in(&people, &TestDevice::new()).await.person;
    let lookups = [1, 2, 3].map(|n| Digest::digest(&[&[n]]));
    people
        .add_link(&ann.person, &lookups[0], "a")
        .await
        .unwrap();
    people
        .add_link(&ann.person, &lookups[1], "b")
        .await
        .unwrap();
    let earlier = people.take_link(&lookups[0]).await.unwrap();
    assert!(earlier.is_none(), "the later link replaces it");
    let in_time = people_at(&storage, START + 9 * MINUTE).await;
    let link = in_time.take_link(&lookups[1]).await.unwrap().unwrap();
    assert_eq!(
        (link.person, link.bundle.as_str()),
        (ann.person.clone(), "b")
    );
    assert!(
        in_time.take_link(&lookups[1]).await.unwrap().is_none(),
        "once"
    );
    people
        .add_link(&ann.person, &lookups[2], "c")
        .await
        .unwrap();
    let too_late = people_at(&storage, START + 10 * MINUTE + 5000).await;
    assert!(too_late.take_link(&lookups[2]).await.unwrap().is_none());
    too_late.tidy(None).await.unwrap();
    assert!(people.take_link(&lookups[2]).await.unwrap().is_none());
}

on_both_databases!(
    links_work_once_and_for_ten_minutes,
    sqlite_keeps_links_for_ten_minutes,
    postgresql_keeps_links_for_ten_minutes
);

async fn unused_people_are_deleted(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    add_table(&storage, "t").await;
    let (seated, unused, back) = (TestDevice::new(), TestDevice::new(), TestDevice::new());
    let ann = sign_in(&people, &seated).await.person;
    people.link("t", "key", &ann.person, None).await.unwrap();
    sign_in(&people, &unused).await;
    let returning = sign_in(&people, &back).await;
    let later = people_at(&storage, START + 80 * DAY).await;
    later.by_cookie(&returning.cookie).await.unwrap().unwrap();
    let later = people_at(&storage, START + 366 * DAY).await;
    assert!(later.tidy(None).await.unwrap().is_empty());
    assert!(!sign_in(&later, &seated).await.is_new, "she has a table");
    assert!(!sign_in(&later, &back).await.is_new, "he came back");
    assert!(sign_in(&later, &unused).await.is_new);
    // A deletion that was interrupted is found.
    later.begin_deletion(&ann.person).await.unwrap();
    assert!(
        later.tidy(None).await.unwrap().is_empty(),
        "it may be going on"
    );
    let sweep = people_at(&storage, START + 367 * DAY).await;
    assert_eq!(sweep.tidy(None).await.unwrap(), [ann.person]);
}

on_both_databases!(
    unused_people_are_deleted,
    sqlite_forgets_unused_people,
    postgresql_forgets_unused_people
);

#[tokio::test]
async fn people_are_copied_with_the_key_of_their_secrets() {
    let (first, back) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let server = towers_test_support::Postgres::start().unwrap();
    let folder = |folder: &tempfile::TempDir| DataLocation::Folder(folder.path().into());
    let database = DataLocation::Database(server.url());
    let device = TestDevice::new();
    let config = |data: &std::path::Path, database: Option<String>| Config {
        data: data.into(),
        database,
        ..Config::default()
    };
    let file = first.path().join("towers.db");
    let sqlite: Arc<dyn Storage> = Arc::new(SqliteStorage::open(&file).await.unwrap());
    let keys = ServerKeys::open(&*sqlite, &config(first.path(), None)).await;
    let people = People::new(
        Arc::clone(&sqlite),
        SteadyClock::starting_at(START),
        keys.unwrap(),
    );
    let ann = sign_in(&people, &device).await;
    let lookup = Digest::digest(&[b"phrase"]);
    people
        .add_link(&ann.person.person, &lookup, "bundle")
        .await
        .unwrap();
    add_table(&sqlite, "t").await;
    people
        .link("t", "key", &ann.person.person, None)
        .await
        .unwrap();
    sqlite.close().await.unwrap();
    copy(&folder(&first), &database).await.unwrap();
    copy(&database, &folder(&back)).await.unwrap();
    let file = back.path().join("towers.db");
    let sqlite: Arc<dyn Storage> = Arc::new(SqliteStorage::open(&file).await.unwrap());
    let places = [
        (
            postgres(&server.url()).await,
            config(back.path(), Some(server.url())),
        ),
        (sqlite, config(back.path(), None)),
    ];
    for (storage, config) in places {
        let keys = ServerKeys::open(&*storage, &config).await.unwrap();
        let people = People::new(Arc::clone(&storage), SteadyClock::starting_at(START), keys);
        let known = people.by_cookie(&ann.cookie).await.unwrap();
        assert_eq!(known, Some(ann.person.clone()));
        assert_eq!(people.owners("t").await.unwrap().len(), 1);
        let link = people.take_link(&lookup).await.unwrap().unwrap();
        assert_eq!(link.bundle, "bundle");
    }
}

#[tokio::test]
async fn secrets_are_sealed_and_a_wrong_key_file_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let storage = sqlite(folder.path()).await;
    let config = |file: Option<&str>| Config {
        data: folder.path().into(),
        secret_key_file: file.map(|file| folder.path().join(file)),
        ..Config::default()
    };
    let keys = ServerKeys::open(&*storage, &config(None)).await.unwrap();
    let sealed = keys.vault.seal("push 7", b"https://push.example/7");
    assert_ne!(sealed, keys.vault.seal("push 7", b"https://push.example/7"));
    let again = ServerKeys::open(&*storage, &config(None)).await.unwrap();
    let opened = again.vault.open("push 7", &sealed);
    assert_eq!(
        opened.as_deref(),
        Some(b"https://push.example/7".as_slice())
    );
    assert_eq!(again.vault.open("push 8", &sealed), None, "another row");
    assert_eq!(again.vault.open("push 7", "AAAA"), None);
    assert_eq!(keys.mac, again.mac);
    let other = ServerKeys::open(&*storage, &config(Some("other"))).await;
    assert!(matches!(other, Err(ServeError::WrongSecretKey)));
    std::fs::write(folder.path().join("bad"), "not a key").unwrap();
    let bad = ServerKeys::open(&*storage, &config(Some("bad"))).await;
    assert!(matches!(bad, Err(ServeError::KeyFile { .. })));
    storage
        .transact(vec![Statement::new(
            "INSERT INTO server_keys (name, value) VALUES ('vapid', 'sealed with the old key')",
        )])
        .await
        .unwrap();
    // A restored backup has no key file: what was encrypted is lost, nothing else.
    std::fs::remove_file(folder.path().join("secret-key")).unwrap();
    for _ in 0..2 {
        let restored = ServerKeys::open(&*storage, &config(None)).await.unwrap();
        assert_eq!(restored.vault.open("push 7", &sealed), None);
        assert_eq!(restored.mac, keys.mac);
        let query = "SELECT value FROM server_keys WHERE name = 'vapid'";
        let rows = storage.query(Statement::new(query)).await.unwrap();
        assert!(rows.is_empty());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = std::fs::metadata(folder.path().join("secret-key")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}
