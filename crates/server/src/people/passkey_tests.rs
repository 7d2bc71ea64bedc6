//! Passkeys of an authenticator made for tests, in both databases.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use passki::{AuthenticationCredential, RegistrationCredential};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::test_browser::{TestBrowser, TestServer};
use super::tests::{DAY, START, TestDevice, people_at, sign_in};
use super::{PasskeyError, People, RelyingParty};
use crate::secrets;
use crate::storage::Storage;
use crate::storage::tests::on_both_databases;

const ORIGIN: &str = "https://towers.example";

/// A phone or a password manager with one passkey.
struct Authenticator {
    key: SigningKey,
    id: [u8; 16],
    /// How often it was used; zero if it does not count.
    counter: u32,
    /// Whether it checks who holds it.
    verifies: bool,
}

impl Authenticator {
    fn new() -> Authenticator {
        Authenticator {
            key: SigningKey::from_slice(&secrets::seed().0).unwrap(),
            id: secrets::random(),
            counter: 0,
            verifies: true,
        }
    }

    /// Hash of the site, flags (present, verified, more), counter.
    fn head(&self, site: &str, more: u8) -> Vec<u8> {
        let verified = if self.verifies { 4 } else { 0 };
        let mut head = Sha256::digest(site.as_bytes()).to_vec();
        head.push(1 | verified | more);
        head.extend(self.counter.to_be_bytes());
        head
    }

    /// What a browser sends that has made this passkey.
    fn made(&self, challenge: &str, origin: &str) -> Value {
        let mut data = self.head(site_of(origin), 0x40);
        data.extend([0; 16]);
        data.extend([0, 16]);
        data.extend(self.id);
        let point = self.key.verifying_key().to_sec1_point(false);
        // A COSE key in CBOR: EC2, ES256, P-256, and the coordinates.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]);
        data.extend(&point.as_bytes()[1..33]);
        data.extend([0x22, 0x58, 32]);
        data.extend(&point.as_bytes()[33..]);
        let mut object = vec![0xa3];
        object.extend(b"\x63fmt\x64none\x67attStmt\xa0\x68authData\x58");
        object.push(u8::try_from(data.len()).unwrap());
        object.extend(data);
        json!({
            "rawId": URL_SAFE_NO_PAD.encode(self.id),
            "response": {
                "clientDataJSON": client_data("webauthn.create", challenge, origin),
                "attestationObject": URL_SAFE_NO_PAD.encode(object),
                "transports": ["internal"],
            },
        })
    }

    /// What a browser sends that uses this passkey.
    fn used(&self, challenge: &str, origin: &str) -> Value {
        let data = self.head(site_of(origin), 0);
        let client = client_data("webauthn.get", challenge, origin);
        let mut signed = data.clone();
        signed.extend(Sha256::digest(URL_SAFE_NO_PAD.decode(&client).unwrap()));
        let signature: Signature = self.key.sign(&signed);
        json!({
            "rawId": URL_SAFE_NO_PAD.encode(self.id),
            "response": {
                "clientDataJSON": client,
                "authenticatorData": URL_SAFE_NO_PAD.encode(data),
                "signature": URL_SAFE_NO_PAD.encode(signature.to_der().as_bytes()),
            },
        })
    }
}

/// The name in an origin.
fn site_of(origin: &str) -> &str {
    let rest = origin.split_once("://").unwrap().1;
    rest.split(':').next().unwrap()
}

fn client_data(what: &str, challenge: &str, origin: &str) -> String {
    let data = json!({ "type": what, "challenge": challenge, "origin": origin });
    URL_SAFE_NO_PAD.encode(data.to_string())
}

fn made(value: Value) -> RegistrationCredential {
    serde_json::from_value(value).unwrap()
}

fn used(value: Value) -> AuthenticationCredential {
    serde_json::from_value(value).unwrap()
}

fn site() -> RelyingParty {
    RelyingParty::at(ORIGIN).unwrap()
}

/// Adds a passkey to a person.
async fn add(
    people: &People,
    person: &str,
    authenticator: &Authenticator,
) -> Result<(), PasskeyError> {
    let options = people.passkey_options(&site(), person).await.unwrap();
    let credential = made(authenticator.made(&options.challenge, ORIGIN));
    people
        .add_passkey(&site(), person, &options.challenge, &credential, "Firefox")
        .await
}

/// Signs in with a passkey; the result is the person's id.
async fn enter(people: &People, authenticator: &Authenticator) -> Result<String, PasskeyError> {
    let challenge = people.passkey_challenge(&site()).challenge;
    let credential = used(authenticator.used(&challenge, ORIGIN));
    people
        .person_by_passkey(&site(), &challenge, &credential)
        .await
}

async fn new_passkeys_are_checked(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    let ann = sign_in(&people, &TestDevice::new()).await.person.person;
    let ben = sign_in(&people, &TestDevice::new()).await.person.person;
    let (first, second) = (Authenticator::new(), Authenticator::new());
    let site = site();
    let options = people.passkey_options(&site, &ann).await.unwrap();
    let text = serde_json::to_string(&options).unwrap();
    assert!(!text.contains(&ann), "ids of people stay here: {text}");
    let challenge = &options.challenge;
    let good = made(first.made(challenge, ORIGIN));
    let store = async |people: &People,
                       person: &str,
                       challenge: &str,
                       credential: &RegistrationCredential| {
        people
            .add_passkey(&site, person, challenge, credential, "Firefox")
            .await
    };
    for origin in [
        "https://evil.example",
        "http://towers.example",
        "https://towers.example:8443",
    ] {
        let foreign = made(first.made(challenge, origin));
        let result = store(&people, &ann, challenge, &foreign).await;
        assert!(matches!(result, Err(PasskeyError::Invalid)), "{origin}");
    }
    let careless = Authenticator {
        verifies: false,
        ..Authenticator::new()
    };
    let careless = made(careless.made(challenge, ORIGIN));
    let result = store(&people, &ann, challenge, &careless).await;
    assert!(matches!(result, Err(PasskeyError::Invalid)), "not verified");
    let result = store(&people, &ben, challenge, &good).await;
    assert!(
        matches!(result, Err(PasskeyError::Invalid)),
        "Ann's challenge"
    );
    let anybody = people.challenge();
    let unbound = made(first.made(&anybody, ORIGIN));
    let result = store(&people, &ann, &anybody, &unbound).await;
    assert!(
        matches!(result, Err(PasskeyError::Invalid)),
        "nobody's challenge"
    );
    let too_late = people_at(&storage, START + 121_000).await;
    let result = store(&too_late, &ann, challenge, &good).await;
    assert!(matches!(result, Err(PasskeyError::Invalid)), "too late");
    // Another server on the same database.
    let elsewhere = people_at(&storage, START + 1000).await;
    store(&elsewhere, &ann, challenge, &good).await.unwrap();
    let again = made(second.made(challenge, ORIGIN));
    let result = store(&people, &ann, challenge, &again).await;
    assert!(matches!(result, Err(PasskeyError::Invalid)), "replayed");
    let result = add(&people, &ben, &first).await;
    assert!(
        matches!(result, Err(PasskeyError::Invalid)),
        "Ann's passkey"
    );
    assert_eq!(people.passkeys_of(&ann).await.unwrap().len(), 1);
    // The browser gets the list of passkeys, so that it makes no second one on the same authenticator.
    let options = people.passkey_options(&site, &ann).await.unwrap();
    assert_eq!(options.exclude_credentials.len(), 1);
    assert_eq!(
        options.exclude_credentials[0].id,
        URL_SAFE_NO_PAD.encode(first.id)
    );
    for _ in 1..20 {
        add(&people, &ann, &Authenticator::new()).await.unwrap();
    }
    let result = add(&people, &ann, &second).await;
    assert!(matches!(result, Err(PasskeyError::TooMany)));
}

on_both_databases!(
    new_passkeys_are_checked,
    sqlite_checks_new_passkeys,
    postgresql_checks_new_passkeys
);

async fn passkeys_are_checked(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    let ann = sign_in(&people, &TestDevice::new()).await.person.person;
    let site = site();
    let mut phone = Authenticator::new();
    let stranger = Authenticator::new();
    assert!(matches!(
        enter(&people, &phone).await,
        Err(PasskeyError::Unknown)
    ));
    add(&people, &ann, &phone).await.unwrap();
    let challenge = people.passkey_challenge(&site).challenge;
    let check = async |challenge: &str, response: Value| {
        let credential = used(response);
        let result = people
            .person_by_passkey(&site, challenge, &credential)
            .await;
        matches!(result, Err(PasskeyError::Invalid))
    };
    for origin in [
        "https://evil.example",
        "http://towers.example",
        "https://towers.example:8443",
    ] {
        let foreign = phone.used(&challenge, origin);
        assert!(check(&challenge, foreign).await, "{origin}");
    }
    let mut forged = stranger.used(&challenge, ORIGIN);
    forged["rawId"] = json!(URL_SAFE_NO_PAD.encode(phone.id));
    assert!(check(&challenge, forged).await, "another's signature");
    phone.verifies = false;
    let careless = phone.used(&challenge, ORIGIN);
    assert!(check(&challenge, careless).await, "not verified");
    phone.verifies = true;
    let other = people.passkey_challenge(&site).challenge;
    let swapped = phone.used(&other, ORIGIN);
    assert!(check(&challenge, swapped).await, "another challenge");
    let own = people.passkey_options(&site, &ann).await.unwrap();
    let bound = phone.used(&own.challenge, ORIGIN);
    assert!(check(&own.challenge, bound).await, "made for a new passkey");
    let made_up = URL_SAFE_NO_PAD.encode([7; 56]);
    assert!(check(&made_up, phone.used(&made_up, ORIGIN)).await);
    // Damaged answers are refused, wherever the damage is.
    let good = phone.used(&challenge, ORIGIN);
    for field in ["clientDataJSON", "authenticatorData", "signature"] {
        let text = good["response"][field].as_str().unwrap();
        for end in [0, 1, 2, 40, text.len() - 2] {
            let mut damaged = good.clone();
            damaged["response"][field] = json!(text[..end.min(text.len())]);
            assert!(check(&challenge, damaged).await, "{field} to {end}");
        }
    }
    // Of many who send the same answer, one is let in, although this passkey does not count.
    let credential = used(good.clone());
    let entering = (0..4).map(|_| people.person_by_passkey(&site, &challenge, &credential));
    let results = futures_util::future::join_all(entering).await;
    let entered: Vec<_> = results.into_iter().filter_map(Result::ok).collect();
    assert_eq!(entered, [ann.as_str()]);
    let elsewhere = people_at(&storage, START + 60_000).await;
    let replayed = elsewhere.person_by_passkey(&site, &challenge, &credential);
    assert!(matches!(replayed.await, Err(PasskeyError::Invalid)));
    // An authenticator that counts: a number that does not grow is a copy's.
    phone.counter = 5;
    assert_eq!(enter(&people, &phone).await.unwrap(), ann);
    for counter in [5, 4, 0] {
        phone.counter = counter;
        let result = enter(&people, &phone).await;
        assert!(matches!(result, Err(PasskeyError::Invalid)), "{counter}");
    }
    phone.counter = 6;
    assert_eq!(enter(&elsewhere, &phone).await.unwrap(), ann);
    // What was used is forgotten when it is too old anyway.
    let later = people_at(&storage, START + DAY).await;
    later.tidy(None).await.unwrap();
    let too_late = later.person_by_passkey(&site, &challenge, &credential);
    assert!(matches!(too_late.await, Err(PasskeyError::Invalid)));
}

on_both_databases!(
    passkeys_are_checked,
    sqlite_checks_passkeys,
    postgresql_checks_passkeys
);

async fn passkeys_belong_to_people(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    let (device, tablet) = (TestDevice::new(), TestDevice::new());
    let ann = sign_in(&people, &device).await.person.person;
    let other = sign_in(&people, &tablet).await.person.person;
    let (phone, manager) = (Authenticator::new(), Authenticator::new());
    add(&people, &ann, &phone).await.unwrap();
    add(&people, &other, &manager).await.unwrap();
    // The tablet becomes Ann's, with its passkey.
    let proof = tablet.prove("claim", &people.challenge());
    let key = people.verify("claim", &proof).unwrap();
    people.add_device(&ann, &key, "Tablet").await.unwrap();
    assert_eq!(enter(&people, &manager).await.unwrap(), ann);
    let all = people.passkeys_of(&ann).await.unwrap();
    assert_eq!(all.len(), 2);
    assert!(!people.remove_passkey(&other, &all[0].id).await.unwrap());
    assert!(people.remove_passkey(&ann, &all[0].id).await.unwrap());
    let left = [enter(&people, &phone).await, enter(&people, &manager).await];
    let unknown = left
        .iter()
        .filter(|result| matches!(result, Err(PasskeyError::Unknown)));
    assert_eq!(unknown.count(), 1);
    people.begin_deletion(&ann).await.unwrap();
    for passkey in [&phone, &manager] {
        let result = enter(&people, passkey).await;
        assert!(matches!(result, Err(PasskeyError::Unknown)));
    }
}

on_both_databases!(
    passkeys_belong_to_people,
    sqlite_knows_whose_passkeys,
    postgresql_knows_whose_passkeys
);

#[test]
fn passkeys_belong_to_names_not_to_addresses() {
    for address in ["http://127.0.0.1:8080", "https://[::1]", "http://10.0.0.7"] {
        assert!(RelyingParty::at(address).is_none(), "{address}");
    }
    for name in ["https://towers.example", "http://localhost:8080"] {
        assert!(RelyingParty::at(name).is_some(), "{name}");
    }
    assert!(RelyingParty::at("nonsense").is_none());
}

#[test]
fn a_passkey_signs_in_on_another_device() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path(), None);
    let origin = format!("http://localhost:{}", server.address.port());
    let own = [format!("Origin: {origin}")];
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let mut lost = TestBrowser::signed_in(&server);
    let by_address = lost.post("/api/person/passkeys/options", &Value::Null);
    assert_eq!(by_address.status, 400, "{by_address:?}");
    lost.host = format!("localhost:{}", server.address.port());
    let (table, token) = lost.create_table("Ann");
    lost.join(&table, Some(&token)).sit("Ann").unwrap();
    let phone = Authenticator::new();
    let options = lost
        .request("POST", "/api/person/passkeys/options", "", &own)
        .body;
    assert_eq!(options["rp"]["id"], "localhost");
    let challenge = options["challenge"].as_str().unwrap();
    let body = json!({ "challenge": challenge, "credential": phone.made(challenge, &origin) });
    let evil = ["Origin: https://evil.example"];
    let foreign = lost.request("POST", "/api/person/passkeys", &body.to_string(), &evil);
    assert_eq!(foreign.status, 403);
    let added = lost.post("/api/person/passkeys", &body);
    assert_eq!(added.status, 204, "{added:?}");
    let again = lost.post("/api/person/passkeys", &body);
    assert_eq!(
        (again.status, &again.body["code"]),
        (403, &json!("bad_proof"))
    );

    let mut fresh = TestBrowser::new(&server);
    fresh.host.clone_from(&lost.host);
    let nobody = fresh.post("/api/person/passkeys/options", &Value::Null);
    assert_eq!(nobody.status, 401);
    let options = fresh.post("/api/person/passkeys/challenge", &Value::Null);
    assert_eq!(options.body["userVerification"], "required");
    let challenge = options.body["challenge"].as_str().unwrap();
    let proof = fresh.device.prove("passkey", challenge);
    let mut body = json!({
        "challenge": challenge,
        "public_key": proof.public_key,
        "signature": proof.signature,
        "credential": Authenticator::new().used(challenge, &origin),
    });
    let unknown = fresh.post("/api/person/passkeys/sign-in", &body);
    assert_eq!(
        (unknown.status, &unknown.body["code"]),
        (404, &json!("no_link"))
    );
    body["credential"] = phone.used(challenge, &origin);
    let entered = fresh.post("/api/person/passkeys/sign-in", &body);
    assert_eq!(entered.status, 200, "{entered:?}");
    assert!(fresh.join(&table, None).has_seat());
    let replayed = fresh.post("/api/person/passkeys/sign-in", &body);
    assert_eq!(replayed.status, 403);
    let me = fresh.me();
    assert_eq!(me["devices"].as_array().unwrap().len(), 2);
    assert_eq!(me["passkeys"][0]["label"], "Firefox, Linux");
    let path = format!(
        "/api/person/passkeys/{}/remove",
        me["passkeys"][0]["id"].as_str().unwrap()
    );
    let mut stranger = TestBrowser::signed_in(&server);
    assert_eq!(stranger.post(&path, &Value::Null).status, 404);
    assert_eq!(fresh.post(&path, &Value::Null).status, 204);
    assert_eq!(fresh.me()["passkeys"], json!([]));
}
