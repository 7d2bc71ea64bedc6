//! Receivers that fail, and webhooks.

use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use towers_table::Command;
use towers_test_support::push::{Receiver, Subscriber};

use super::{Evening, Player, Site, cookie, on_both, sit, token};
use crate::calls::{AbsentDecision, CallEvent, DecisionNumber};
use crate::config::Config;
use crate::secrets;
use crate::storage::Statement;

fn no_clock() -> Value {
    json!({ "kind": "none" })
}

async fn gone_subscription(site: Site) {
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("status/410"))
        .await;
    evening.start();
    service.next().await;
    site.wait_for_rows("SELECT id FROM push_subscriptions", 0)
        .await;
    assert!(service.is_idle().await);
    site.stop().await;
}
on_both!(
    gone_subscription,
    a_subscription_that_the_service_does_not_know_is_deleted,
    a_subscription_that_the_service_does_not_know_is_deleted_on_postgres
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_service_is_tried_a_few_times() {
    let site = Site::start(None).await;
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("status/503"))
        .await;
    evening.start();
    for _ in 0..4 {
        service.next().await;
    }
    let begun = Instant::now();
    while !site
        .shared
        .metrics
        .text()
        .contains("towers_calls_failed_total 1")
    {
        assert!(begun.elapsed() < super::PATIENCE);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(service.is_idle().await);
    assert_eq!(
        site.query("SELECT id FROM push_subscriptions").await.len(),
        1
    );
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_never_answers_delays_no_table() {
    let site = Site::start(None).await;
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("silent"))
        .await;
    let begun = Instant::now();
    evening.start();
    service.next().await;
    for i in 0..3 {
        let text = format!("Still here {i}");
        evening.ann.ask(Command::Chat { text }).unwrap();
    }
    let _ben = evening.ben_plays(&site);
    evening.ann.finish_turn();
    // A single request to the service takes ten seconds.
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
    let begun = Instant::now();
    site.stop().await;
    assert!(begun.elapsed() < Duration::from_secs(8), "it stops in time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_receivers_of_one_table_do_not_keep_others_waiting() {
    let site = Site::start(None).await;
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let slow = Evening::new(&site, no_clock()).await;
    let path = format!("/api/tables/{}/webhook", slow.table);
    let webhook = json!({ "address": service.url("silent"), "form": "json" });
    let host = token(&slow.ann_token);
    let (status, text) = site.request(Method::POST, &path, host, Some(webhook)).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{text}");
    for decision in 1..=100 {
        let opened = AbsentDecision {
            table: slow.table.clone(),
            key: "nobody".into(),
            number: DecisionNumber { game: 1, decision },
            seat: 1,
            name: "Ben".into(),
            title: "Evening".into(),
            others: Vec::new(),
            since: 0,
            deadline: None,
        };
        let opened = CallEvent::Opened {
            opened,
            is_late: false,
        };
        site.shared.calls.queue.send(opened, &site.shared.metrics);
    }
    assert_eq!(service.next().await.path, "silent");
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("push"))
        .await;
    let begun = Instant::now();
    evening.start();
    while service.next().await.path != "push" {}
    // A request to the slow one takes ten seconds.
    assert!(
        begun.elapsed() < Duration::from_secs(8),
        "{:?}",
        begun.elapsed()
    );
    site.stop().await;
}

async fn webhook(site: Site) {
    let service = Receiver::start().await;
    let mut evening = Evening::new(&site, no_clock()).await;
    let path = format!("/api/tables/{}/webhook", evening.table);
    let body = |form: &str, address: &str| Some(json!({ "address": address, "form": form }));
    let set = async |by, body| site.request(Method::POST, &path, by, body).await;
    let address = service.url("hook/secret-part");
    // Only the host may set it.
    let (status, text) = set(None, body("json", &address)).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{text}");
    let (status, _) = set(token(&evening.ben_token), body("json", &address)).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, _) = set(cookie(&evening.ben), body("json", &address)).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let host = || token(&evening.ann_token);
    let (status, _) = set(host(), body("json", "file:///etc/passwd")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, text) = set(host(), body("json", &address)).await;
    assert_eq!(status, StatusCode::NO_CONTENT, "{text}");
    let (_, text) = site.request(Method::GET, &path, host(), None).await;
    assert_eq!(text, r#"{"form":"json"}"#);
    // The address is encrypted in the database.
    let rows = site.query("SELECT sealed, origin FROM webhooks").await;
    assert!(!rows[0].text(0).unwrap().contains("secret"));
    evening.ann.ask(Command::Start).unwrap();
    let received = service.next().await;
    assert_eq!(received.path, "hook/secret-part");
    let note: Value = serde_json::from_slice(&received.body).unwrap();
    assert_eq!(note["player"], "Ben");
    assert_eq!(note["title"], "Evening");
    assert_eq!(
        note["link"],
        format!("http://{}/t/{}", site.address, evening.table)
    );
    // A test note says how it was received. It does not count as a decision.
    let test = format!("{path}/test");
    let try_out = async |by| site.request(Method::POST, &test, by, None).await;
    let (status, _) = try_out(token(&evening.ben_token)).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (_, text) = try_out(host()).await;
    assert_eq!(text, r#"{"outcome":"delivered","status":201}"#);
    let note: Value = serde_json::from_slice(&service.next().await.body).unwrap();
    assert_eq!(note["event"], "test");
    for (address, outcome) in [
        (
            service.url("status/400"),
            r#"{"outcome":"refused","status":400}"#,
        ),
        (
            service.url("redirect"),
            r#"{"outcome":"refused","status":307}"#,
        ),
        (
            "http://127.0.0.1:9/closed".into(),
            r#"{"outcome":"unreachable","status":null}"#,
        ),
    ] {
        let (status, _) = set(host(), body("json", &address)).await;
        assert_eq!(status, StatusCode::NO_CONTENT);
        let (_, text) = try_out(host()).await;
        assert_eq!(text, outcome, "{address}");
    }
    assert_eq!(service.next().await.path, "status/400");
    assert_eq!(service.next().await.path, "redirect");
    // The same decision is sent once, also in another form.
    let address = service.url("status/404");
    let (status, _) = set(host(), body("discord", &address)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let ben = evening.ben_plays(&site);
    ben.leave(&site, &evening.table, &evening.ben_token).await;
    evening.ann.finish_turn();
    let received = service.next().await;
    let note: Value = serde_json::from_slice(&received.body).unwrap();
    let text = note["content"].as_str().unwrap();
    assert!(
        text.starts_with("Ben, it is your turn (Evening): http://"),
        "{text}"
    );
    // It does not exist any more.
    site.wait_for_rows("SELECT form FROM webhooks", 0).await;
    site.stop().await;
}
on_both!(
    webhook,
    a_webhook_of_the_host_is_told_of_absent_players,
    a_webhook_of_the_host_is_told_of_absent_players_on_postgres
);

async fn calendar(site: Site) {
    let mut evening = Evening::new(&site, json!({ "kind": "days", "days": 2 })).await;
    let path = "/api/person/calendar";
    let by = || cookie(&evening.ben);
    let body = Some(json!({ "language": "fr" }));
    let (status, text) = site.request(Method::POST, path, by(), body).await;
    assert_eq!(status, StatusCode::CREATED, "{text}");
    let created: Value = serde_json::from_str(&text).unwrap();
    let feed = created["path"].as_str().unwrap().to_string();
    let get = async |path: &str| site.request(Method::GET, path, None, None).await;
    let (status, text) = get(&feed).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!text.contains("VEVENT"));
    evening.ann.ask(Command::Start).unwrap();
    site.wait_for_rows("SELECT key FROM open_calls", 1).await;
    let (_, text) = get(&feed).await;
    let unfolded = text.replace("\r\n ", "");
    assert!(
        unfolded.contains("SUMMARY:À vous de jouer\u{a0}: Evening\r\n"),
        "{text}"
    );
    let link = format!("URL:http://{}/t/{}\r\n", site.address, evening.table);
    assert!(unfolded.contains(&link), "{text}");
    // The secret is hashed in the database, and no other address works.
    let secret = feed
        .trim_start_matches("/calendar/")
        .trim_end_matches(".ics");
    let rows = site.query("SELECT calendar FROM call_settings").await;
    assert_ne!(rows[0].text(0).unwrap(), secret);
    for wrong in [
        format!("/calendar/{}.ics", secrets::token()),
        format!("/calendar/{secret}"),
        format!("/calendar/{}.ics", rows[0].text(0).unwrap()),
        "/calendar/.ics".into(),
    ] {
        assert_eq!(get(&wrong).await.0, StatusCode::NOT_FOUND, "{wrong}");
    }
    let (status, _) = site.request(Method::DELETE, path, by(), None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(get(&feed).await.0, StatusCode::NOT_FOUND);
    site.stop().await;
}
on_both!(
    calendar,
    a_calendar_lists_open_decisions_at_a_secret_address,
    a_calendar_lists_open_decisions_at_a_secret_address_on_postgres
);

/// The name of a host may lead to a private address. This is known when the server connects.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_with_a_name_for_a_private_address_is_not_called() {
    let on_the_internet = |config: &mut Config| config.allow_private_webhooks = false;
    let site = Site::start_with(None, on_the_internet).await;
    let service = Receiver::start().await;
    let evening = Evening::new(&site, no_clock()).await;
    let path = format!("/api/tables/{}/webhook", evening.table);
    let host = || token(&evening.ann_token);
    let port = service.address.port();
    for literal in ["127.0.0.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]"] {
        let body = json!({ "address": format!("https://{literal}:{port}/"), "form": "json" });
        let (status, _) = site.request(Method::POST, &path, host(), Some(body)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{literal}");
    }
    let body = json!({ "address": format!("https://localhost:{port}/"), "form": "json" });
    let (status, _) = site.request(Method::POST, &path, host(), Some(body)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let test = format!("{path}/test");
    let (_, text) = site.request(Method::POST, &test, host(), None).await;
    assert_eq!(text, r#"{"outcome":"not_allowed","status":null}"#);
    assert!(service.is_idle().await);
    site.stop().await;
}

/// Subscribing sends language and time zone, and keeps quiet hours.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn preferences_that_are_not_sent_are_unchanged() {
    let site = Site::start(None).await;
    let ann = site.person().await;
    let path = "/api/person/calls";
    let set = async |body| {
        let (status, text) = site
            .request(Method::POST, path, cookie(&ann), Some(body))
            .await;
        assert_eq!(status, StatusCode::NO_CONTENT, "{text}");
    };
    let quiet = json!({ "from": 1320, "to": 480 });
    set(json!({ "quiet": quiet })).await;
    set(json!({ "language": "fr", "time_zone": "America/Montreal" })).await;
    let (_, text) = site.request(Method::GET, path, cookie(&ann), None).await;
    let settings: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(settings["quiet"], quiet);
    assert_eq!(settings["language"], "fr");
    assert_eq!(settings["time_zone"], "America/Montreal");
    set(json!({ "quiet": null })).await;
    let (_, text) = site.request(Method::GET, path, cookie(&ann), None).await;
    let settings: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(settings["quiet"], Value::Null);
    assert_eq!(settings["language"], "fr");
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_need_a_person_and_valid_input() {
    let site = Site::start(None).await;
    let (status, text) = site.request(Method::GET, "/api/push/key", None, None).await;
    assert_eq!(status, StatusCode::OK);
    let key: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(key["key"].as_str().unwrap().len(), 87);
    for (method, path) in [
        (Method::POST, "/api/person/push"),
        (Method::DELETE, "/api/person/push"),
        (Method::GET, "/api/person/calls"),
        (Method::POST, "/api/person/calls"),
        (Method::POST, "/api/person/calls/tables"),
        (Method::POST, "/api/person/calendar"),
        (Method::DELETE, "/api/person/calendar"),
    ] {
        let (status, _) = site.request(method.clone(), path, None, None).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{method} {path}");
    }
    let ann = site.person().await;
    let browser = Subscriber::new();
    let mut bad = browser.subscription("https://push.example/1");
    bad["keys"]["auth"] = json!("short");
    let mail = browser.subscription("mailto:a@b.example");
    let late = json!({ "language": "en", "quiet": { "from": 1440, "to": 0 }, "time_zone": "UTC" });
    let far = json!({ "language": "en", "quiet": null, "time_zone": "Mars/Olympus" });
    for (path, body) in [
        ("/api/person/push", json!({})),
        ("/api/person/push", bad),
        ("/api/person/push", mail),
        ("/api/person/calls", late),
        ("/api/person/calls", far),
        (
            "/api/person/calls",
            json!({ "language": "xx", "quiet": null, "time_zone": "UTC" }),
        ),
    ] {
        let by = cookie(&ann);
        let (status, text) = site.request(Method::POST, path, by, Some(body)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}: {text}");
    }
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_person_nobody_is_called_and_nothing_is_stored() {
    let site = Site::start(None).await;
    let settings = json!({ "seats": 2, "start": { "seat": 1 } });
    let (table, ann_token) = site.open_table(settings).await;
    let mut ann = Player::connect(&site, &table, &ann_token);
    ann.ask(sit("Ann")).unwrap();
    let ben_token = secrets::token();
    let mut ben = Player::connect(&site, &table, &ben_token);
    ben.ask(sit("Ben")).unwrap();
    ben.leave(&site, &table, &ben_token).await;
    ann.ask(Command::Start).unwrap();
    ann.view();
    assert_eq!(site.query("SELECT key FROM open_calls").await.len(), 0);
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_is_reminded_before_time_runs_out() {
    let site = Site::start(None).await;
    let service = Receiver::start().await;
    let mut evening = Evening::new(&site, json!({ "kind": "days", "days": 2 })).await;
    let path = format!("/api/tables/{}/webhook", evening.table);
    let body = json!({ "address": service.url("hook"), "form": "json" });
    let host = token(&evening.ann_token);
    let (status, _) = site.request(Method::POST, &path, host, Some(body)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    site.execute(Statement::new("UPDATE person_tables SET seat = 1"))
        .await;
    evening.start();
    let note: Value = serde_json::from_slice(&service.next().await.body).unwrap();
    assert_eq!(note["event"], "turn");
    // The webhook is told before the call is stored.
    let settled = "SELECT key FROM open_calls WHERE call_at IS NULL AND called";
    site.wait_for_rows(settled, 1).await;
    let now = site.shared.clock.now();
    let update = "UPDATE open_calls SET remind_at = $1, deadline = $2";
    let update = Statement::new(update).with(now).with(now + 3 * 3600 * 1000);
    site.execute(update).await;
    let note: Value = serde_json::from_slice(&service.next().await.body).unwrap();
    assert_eq!(note["event"], "reminder");
    assert_eq!((&note["player"], &note["seat"]), (&json!("Ben"), &json!(1)));
    let text = note["text"].as_str().unwrap();
    assert!(
        text.starts_with("Ben, your time is running out (Evening): 3 hours left. http://"),
        "{text}"
    );
    site.wait_for_rows("SELECT key FROM open_calls WHERE remind_at IS NULL", 1)
        .await;
    assert!(service.is_idle().await);
    site.stop().await;
}

/// Each test of a webhook makes the server send a request elsewhere.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tests_of_webhooks_are_limited() {
    let site = Site::start(None).await;
    let (table, host) = site.open_table(json!({ "seats": 2 })).await;
    let path = format!("/api/tables/{table}/webhook/test");
    let test = async || {
        let sent = site.request(Method::POST, &path, token(&host), None);
        sent.await.0
    };
    for _ in 0..10 {
        assert_eq!(test().await, StatusCode::NOT_FOUND, "none is set");
    }
    // One more is allowed every six seconds.
    let mut more = 0;
    while test().await != StatusCode::TOO_MANY_REQUESTS {
        more += 1;
        assert!(more < 100, "they are not limited");
    }
    site.stop().await;
}
