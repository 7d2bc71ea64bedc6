//! People with real sockets: seats on all devices, adding and removing devices, recovery, deletion.

use serde_json::{Value, json};
use towers_table::ErrorCode;

use super::deletion_tests::find;
use super::test_browser::{TestBrowser, TestServer};

/// A lookup as browsers derive it from a phrase.
pub(super) const LOOKUP: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Runs a test on both databases.
macro_rules! on_both {
    ($test:ident, $sqlite:ident, $postgres:ident) => {
        #[test]
        fn $sqlite() {
            let folder = tempfile::tempdir().unwrap();
            $test(&TestServer::start(folder.path(), None));
        }

        #[test]
        fn $postgres() {
            let folder = tempfile::tempdir().unwrap();
            let database = towers_test_support::Postgres::start().unwrap();
            $test(&TestServer::start(folder.path(), Some(database.url())));
        }
    };
}

/// Adds a second browser to the person of the first one.
pub(super) fn link(first: &mut TestBrowser, second: &mut TestBrowser) {
    let body = json!({ "lookup": LOOKUP, "bundle": "sealed by the phrase" });
    let reply = first.post("/api/person/links", &body);
    assert_eq!(reply.status, 200, "{reply:?}");
    let reply = second.post_proved("/api/person/links/claim", "claim", "lookup", LOOKUP);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.body["bundle"], "sealed by the phrase");
}

fn other_device(me: &Value) -> String {
    let devices = me["devices"].as_array().unwrap();
    let other = devices.iter().find(|device| device["is_this"] == false);
    other.unwrap()["id"].as_str().unwrap().into()
}

fn two_devices_are_one_person(server: &TestServer) {
    let (mut phone, mut laptop) = (TestBrowser::signed_in(server), TestBrowser::new(server));
    let (table, token) = phone.create_table("Ann");
    let mut host = phone.join(&table, Some(&token));
    host.sit("Ann").unwrap();
    // An old client: a token, no cookie.
    let old = TestBrowser::new(server).join(&table, Some(&token));
    assert!(old.has_seat(), "one device only: the token suffices");
    link(&mut phone, &mut laptop);
    laptop.wait_for_tables(1);
    let me = laptop.me();
    assert_eq!(me["devices"].as_array().unwrap().len(), 2);
    assert_eq!(me["tables"][0]["table"], table.as_str());
    assert_eq!(me["tables"][0]["seat"], 0);
    let mut second = laptop.join(&table, None);
    assert!(second.has_seat());
    second.chat("from the laptop").unwrap();
    assert!(!laptop.watch(&table).is_known(), "a board has no seat");
    // A table where the laptop sits down first.
    let (other, _) = TestBrowser::new(server).create_table("Cy");
    let mut sits = laptop.join(&other, None);
    let mut watches = phone.join(&other, None);
    assert!(!watches.is_known());
    assert_eq!(sits.token, watches.token, "one token for all devices");
    sits.sit("Ann").unwrap();
    watches.chat("from the phone").unwrap();
    assert!(phone.join(&other, sits.token.as_deref()).has_seat());
    phone.wait_for_tables(2);
    // Somebody else has neither seat.
    let mut stranger = TestBrowser::signed_in(server).join(&other, sits.token.as_deref());
    assert!(!stranger.is_known(), "the person has two devices");
    assert_eq!(stranger.chat("hello"), Err(ErrorCode::NotSeated));
}

on_both!(
    two_devices_are_one_person,
    two_devices_are_one_person_in_sqlite,
    two_devices_are_one_person_in_postgresql
);

/// The tables of a person in the lobby, with the seats there; of one that was removed from the list only the id.
fn lobby(browser: &mut TestBrowser) -> Vec<(String, Value, bool)> {
    let reply = browser.get("/api/person/lobby");
    assert_eq!(reply.status, 200, "{reply:?}");
    let tables = reply.body["tables"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let table = row["table"].as_str().unwrap().to_string();
        if !row["summary"].is_null() {
            assert_eq!(row["summary"]["table"], table.as_str());
        }
        (table, row["seat"].clone(), !row["summary"].is_null())
    };
    let mut rows: Vec<_> = tables.map(row).collect();
    rows.sort_by_key(|row| row.0.clone());
    rows
}

fn both_devices_list_the_same_tables(server: &TestServer) {
    let (mut phone, mut laptop) = (TestBrowser::signed_in(server), TestBrowser::new(server));
    assert_eq!(lobby(&mut laptop), [], "a newcomer has none");
    let (table, token) = phone.create_table("Ann");
    phone.join(&table, Some(&token)).sit("Ann").unwrap();
    link(&mut phone, &mut laptop);
    // Tables at which the device sits down whose lobby is not read afterwards.
    let (later, _) = TestBrowser::new(server).create_table("Cy");
    phone.join(&later, None).sit("Ann").unwrap();
    let (watched, token) = laptop.create_table("Ann");
    laptop.join(&watched, Some(&token));
    phone.wait_for_tables(3);
    let mut expected = vec![
        (table.clone(), json!(0), true),
        (later.clone(), json!(0), true),
        (watched, Value::Null, true),
    ];
    expected.sort_by_key(|row| row.0.clone());
    assert_eq!(lobby(&mut laptop), expected);
    assert_eq!(lobby(&mut phone), expected);
    // Removed on one device, it is removed on the other.
    let hide = format!("/api/person/tables/{later}/hide");
    assert_eq!(laptop.post(&hide, &Value::Null).status, 204);
    let mut stranger = TestBrowser::signed_in(server);
    assert_eq!(stranger.post(&hide, &Value::Null).status, 404);
    assert_eq!(lobby(&mut stranger), []);
    let is_shown = |rows: Vec<(String, Value, bool)>| {
        let mut rows = rows.into_iter();
        rows.find(|row| row.0 == later).unwrap().2
    };
    assert!(!is_shown(lobby(&mut phone)));
    // A visit shows it again.
    drop(phone.join(&later, None));
    let begun = std::time::Instant::now();
    while !is_shown(lobby(&mut laptop)) {
        assert!(begun.elapsed().as_secs() < 10, "it stays hidden");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

on_both!(
    both_devices_list_the_same_tables,
    both_devices_list_the_same_tables_in_sqlite,
    both_devices_list_the_same_tables_in_postgresql
);

/// Waits until a person has a name.
fn wait_for_name(browser: &mut TestBrowser, name: &str) {
    let begun = std::time::Instant::now();
    loop {
        let me = browser.me();
        if me["name"] == name {
            return;
        }
        assert!(begun.elapsed().as_secs() < 10, "{me}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

fn the_first_name_at_a_table_is_the_persons(server: &TestServer) {
    let mut ann = TestBrowser::signed_in(server);
    // What guests are called is no name.
    for (tables, name) in (1..).zip(["Guest", "Gast", "Invité", "Ann"]) {
        let (table, token) = ann.create_table(name);
        ann.join(&table, Some(&token)).sit(name).unwrap();
        ann.wait_for_tables(tables);
    }
    wait_for_name(&mut ann, "Ann");
    // It stays at other tables, until another one is chosen.
    let (table, token) = ann.create_table("Cleo");
    ann.join(&table, Some(&token)).sit("Cleo").unwrap();
    ann.wait_for_tables(5);
    let renamed = ann.post("/api/person/name", &json!({ "name": "Annika" }));
    assert_eq!(renamed.status, 200, "{renamed:?}");
    let (table, token) = ann.create_table("Cleo");
    ann.join(&table, Some(&token)).sit("Cleo").unwrap();
    ann.wait_for_tables(6);
    assert_eq!(ann.me()["name"], "Annika");
}

on_both!(
    the_first_name_at_a_table_is_the_persons,
    the_first_name_at_a_table_is_the_persons_in_sqlite,
    the_first_name_at_a_table_is_the_persons_in_postgresql
);

fn a_device_removes_the_other(server: &TestServer) {
    let (mut lost, mut kept) = (TestBrowser::signed_in(server), TestBrowser::new(server));
    let (table, token) = lost.create_table("Ann");
    let mut seated = lost.join(&table, Some(&token));
    seated.sit("Ann").unwrap();
    let mut without_cookie = TestBrowser::new(server).join(&table, Some(&token));
    assert!(without_cookie.has_seat());
    link(&mut lost, &mut kept);
    let mut stays = kept.join(&table, None);
    let me = kept.me();
    let id = other_device(&me);
    let path = format!("/api/person/devices/{id}/remove");
    let mut stranger = TestBrowser::signed_in(server);
    assert_eq!(stranger.post(&path, &Value::Null).status, 404);
    assert_eq!(kept.post(&path, &Value::Null).status, 204);
    assert_eq!(seated.wait_for_close(), 1012);
    assert_eq!(without_cookie.wait_for_close(), 1012);
    stays.chat("still here").unwrap();
    // Neither the cookie nor the token opens the seat.
    assert_eq!(lost.get("/api/person").status, 401);
    assert!(!lost.join(&table, Some(&token)).is_known());
    let forgetful = TestBrowser::new(server);
    assert!(!forgetful.join(&table, Some(&token)).is_known());
    // The key pair makes a new person.
    assert_eq!(lost.sign_in().body["new"], true);
    assert!(!lost.join(&table, Some(&token)).is_known());
    // The last device stays.
    let me = kept.me();
    let own = me["devices"][0]["id"].as_str().unwrap();
    let path = format!("/api/person/devices/{own}/remove");
    assert_eq!(kept.post(&path, &Value::Null).status, 404);
}

on_both!(
    a_device_removes_the_other,
    a_device_removes_the_other_in_sqlite,
    a_device_removes_the_other_in_postgresql
);

fn a_lost_device_is_recovered(server: &TestServer) {
    let mut lost = TestBrowser::signed_in(server);
    let (table, token) = lost.create_table("Ann");
    lost.join(&table, Some(&token)).sit("Ann").unwrap();
    let first = lost.post("/api/person/recovery", &Value::Null).body;
    let second = lost.post("/api/person/recovery", &Value::Null).body;
    let code = second["code"].as_str().unwrap();
    assert_eq!(code.len(), 29, "24 digits in groups");
    assert_eq!(lost.me()["has_recovery_code"], true);
    let mut fresh = TestBrowser::signed_in(server);
    let (other, own) = fresh.create_table("Ben");
    fresh.join(&other, Some(&own)).sit("Ben").unwrap();
    let old_code = first["code"].as_str().unwrap();
    let mut recover =
        |code: &str| fresh.post_proved("/api/person/recover", "recover", "code", code);
    assert_eq!(recover(old_code).status, 404, "it was renewed");
    assert_eq!(recover(&code.to_lowercase().replace('-', " ")).status, 200);
    assert!(fresh.join(&table, None).has_seat());
    assert!(
        fresh.join(&other, None).has_seat(),
        "its own tables move along"
    );
    fresh.wait_for_tables(2);
    let me = fresh.me();
    let path = format!("/api/person/devices/{}/remove", other_device(&me));
    assert_eq!(fresh.post(&path, &Value::Null).status, 204);
    assert!(!lost.join(&table, Some(&token)).is_known());
}

on_both!(
    a_lost_device_is_recovered,
    a_lost_device_is_recovered_in_sqlite,
    a_lost_device_is_recovered_in_postgresql
);

fn one_of_many_claims(server: &TestServer) {
    let mut first = TestBrowser::signed_in(server);
    let body = json!({ "lookup": LOOKUP, "bundle": "b" });
    assert_eq!(first.post("/api/person/links", &body).status, 200);
    let claims = (0..4).map(|_| {
        let mut browser = TestBrowser::new(server);
        std::thread::spawn(move || {
            let path = "/api/person/links/claim";
            browser.post_proved(path, "claim", "lookup", LOOKUP).status
        })
    });
    let claims: Vec<_> = claims.collect();
    let mut statuses: Vec<u16> = claims.into_iter().map(|c| c.join().unwrap()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404, 404, 404]);
    assert_eq!(first.me()["devices"].as_array().unwrap().len(), 2);
}

on_both!(
    one_of_many_claims,
    one_of_many_claims_in_sqlite,
    one_of_many_claims_in_postgresql
);

#[test]
fn requests_that_store_much_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path(), None);
    let mut ann = TestBrowser::signed_in(&server);
    let link = json!({ "lookup": LOOKUP, "bundle": "b" });
    let ask = |ann: &mut TestBrowser, n: usize| match n {
        0 => ann.post("/api/person/links", &link).status,
        1 => ann.post("/api/person/recovery", &Value::Null).status,
        2 => ann.post("/api/person/push", &json!({})).status,
        _ => ann.get("/api/person/export").status,
    };
    let allowed = (0..20).filter(|n| ask(&mut ann, n % 2) == 200);
    assert_eq!(allowed.count(), 20);
    for n in 0..4 {
        // One more is allowed every two seconds.
        let is_limited = (0..300).any(|_| ask(&mut ann, n) == 429);
        assert!(is_limited, "request {n}");
    }
    // What is not limited goes on.
    assert_eq!(ann.get("/api/person").status, 200);
}

#[test]
fn guessing_is_limited_and_other_pages_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::start(folder.path(), None);
    let mut eve = TestBrowser::new(&server);
    let mut guess = || eve.post_proved("/api/person/links/claim", "claim", "lookup", LOOKUP);
    let statuses: Vec<u16> = (0..12).map(|_| guess().status).collect();
    assert_eq!(statuses[..10], [404; 10]);
    assert_eq!(statuses[10..], [429; 2]);
    let recovery = eve.post_proved("/api/person/recover", "recover", "code", "AAAA");
    assert_eq!(recovery.status, 429, "both are guesses");
    assert!(recovery.headers.to_lowercase().contains("retry-after"));
    let mut ann = TestBrowser::signed_in(&server);
    let evil = ["Origin: https://evil.example"];
    for path in ["delete", "links", "recovery", "session", "sign-out"] {
        let path = format!("/api/person/{path}");
        let reply = ann.request("POST", &path, "{}", &evil);
        assert_eq!(
            (reply.status, &reply.body["code"]),
            (403, &json!("foreign_origin"))
        );
    }
    let reply = ann.sign_in();
    let cookie = reply
        .headers
        .lines()
        .find(|l| l.to_lowercase().starts_with("set-cookie"));
    let cookie = cookie.unwrap();
    for part in ["; Path=/", "; HttpOnly", "; SameSite=Lax"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "there is no TLS");
    assert_eq!(
        ann.post("/api/person/name", &json!({ "name": "\u{202e}" }))
            .status,
        400
    );
    assert_eq!(
        ann.post("/api/person/name", &json!({ "name": " Ann " }))
            .body["name"],
        "Ann"
    );
    assert_eq!(ann.get("/api/person/session").body["signed_in"], true);
    let before = ann.cookie.clone();
    assert_eq!(ann.post("/api/person/sign-out", &Value::Null).status, 204);
    assert_eq!(ann.cookie, None);
    ann.cookie = before;
    assert_eq!(ann.get("/api/person/session").body["signed_in"], false);
}

#[test]
fn people_are_the_same_at_two_servers_on_one_database() {
    let folder = tempfile::tempdir().unwrap();
    let database = towers_test_support::Postgres::start().unwrap();
    let start = || TestServer::start(folder.path(), Some(database.url()));
    let (one, two) = (start(), start());
    let (mut phone, mut laptop) = (TestBrowser::signed_in(&one), TestBrowser::new(&two));
    let (table, token) = phone.create_table("Ann");
    let mut host = phone.join(&table, Some(&token));
    host.sit("Ann").unwrap();
    let mut elsewhere = phone.at(&two).join(&table, None);
    assert!(elsewhere.has_seat(), "the cookie counts at both servers");
    link(&mut phone, &mut laptop);
    let mut stays = laptop.join(&table, None);
    assert!(stays.has_seat());
    // Removed at the second server: connections to both end.
    let path = format!("/api/person/devices/{}/remove", other_device(&laptop.me()));
    assert_eq!(laptop.post(&path, &Value::Null).status, 204);
    assert_eq!(elsewhere.wait_for_close(), 1012);
    assert_eq!(host.wait_for_close(), 1012);
    assert!(!phone.join(&table, Some(&token)).is_known());
    stays.chat("still here").unwrap();
    // Deleted at the second server while the first one has the table in memory.
    let ben = TestBrowser::signed_in(&one);
    let mut bens = ben.join(&table, None);
    bens.sit("Ben").unwrap();
    assert_eq!(laptop.post("/api/person/delete", &Value::Null).status, 204);
    assert_eq!(bens.wait_for_close(), 1012);
    let again = ben.join(&table, None);
    assert!(again.has_seat());
    assert_eq!(find(&database.url(), &["Ann".into()]), Vec::<String>::new());
}
