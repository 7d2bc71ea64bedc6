//! People are notified by push messages.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use towers_table::Command;
use towers_test_support::push::{Receiver, Subscriber};

use super::{Evening, Player, Site, cookie, on_both};
use crate::config::Config;
use crate::secrets;
use crate::storage::Statement;

fn no_clock() -> Value {
    json!({ "kind": "none" })
}

async fn call_and_gone(site: Site) {
    let (service, phone, laptop) = (
        Receiver::start().await,
        Subscriber::new(),
        Subscriber::new(),
    );
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    let body = json!({ "language": "de", "quiet": null, "time_zone": "Europe/Berlin" });
    let path = "/api/person/calls";
    let by = || cookie(&evening.ben);
    let (status, _) = site.request(Method::POST, path, by(), Some(body)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    evening.start();
    let call = site.read(&phone, &service.next().await);
    assert_eq!(call["kind"], "call");
    assert_eq!(call["title"], "Du bist dran");
    assert_eq!(call["body"], "Evening, mit Ann");
    assert_eq!(call["place"], format!("#t/{}", evening.table));
    assert_eq!(call["waiting"], 1);
    // One notification per decision, whatever else happens at the table.
    let chat = Command::Chat {
        text: "Where are you?".into(),
    };
    evening.ann.ask(chat).unwrap();
    let (_, settings) = site
        .request(Method::GET, path, cookie(&evening.ben), None)
        .await;
    let settings: Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(settings["waiting"], 1);
    assert_eq!(settings["push"], true);
    // Another device takes the decision: the notification goes away.
    site.subscribe(&evening.ben, &laptop, &service.url("laptop"))
        .await;
    let _ben = evening.ben_plays(&site);
    let gone = service.next().await;
    assert_eq!(gone.path, "laptop", "a device has one subscription");
    let gone = site.read(&laptop, &gone);
    assert_eq!(
        gone,
        json!({ "kind": "gone", "tag": call["tag"], "waiting": 0 })
    );
    site.wait_for_rows("SELECT key FROM open_calls", 0).await;
    // Ben is connected now, so he is not called.
    evening.ann.finish_turn();
    site.wait_for_rows("SELECT key FROM open_calls", 0).await;
    assert!(service.is_idle().await);
    site.stop().await;
}
on_both!(
    call_and_gone,
    an_absent_person_is_called_once_and_told_when_it_is_over,
    an_absent_person_is_called_once_and_told_when_it_is_over_on_postgres
);

async fn quiet_hours(site: Site) {
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    // Quiet from an hour ago until in an hour.
    let minute = (site.shared.clock.now() / 60_000) % 1440;
    let quiet = json!({ "from": (minute + 1380) % 1440, "to": (minute + 60) % 1440 });
    let body = json!({ "language": "en", "quiet": quiet, "time_zone": "UTC" });
    let by = cookie(&evening.ben);
    let (status, _) = site
        .request(Method::POST, "/api/person/calls", by, Some(body))
        .await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    evening.start();
    site.wait_for_rows(
        "SELECT key FROM open_calls WHERE call_at IS NOT NULL AND NOT called",
        1,
    )
    .await;
    assert!(service.is_idle().await);
    let rows = site.query("SELECT call_at FROM open_calls").await;
    let wait = rows[0].number(0).unwrap() - site.shared.clock.now().cast_signed();
    assert!((58 * 60_000..=60 * 60_000).contains(&wait), "{wait}");
    // An hour later.
    site.execute(Statement::new(
        "UPDATE open_calls SET call_at = call_at - 3600000",
    ))
    .await;
    let call = site.read(&phone, &service.next().await);
    assert_eq!(call["title"], "It is your turn");
    site.wait_for_rows(
        "SELECT key FROM open_calls WHERE call_at IS NULL AND called",
        1,
    )
    .await;
    site.stop().await;
}
on_both!(
    quiet_hours,
    a_call_in_quiet_hours_comes_after_them,
    a_call_in_quiet_hours_comes_after_them_on_postgres
);

async fn reminder(site: Site) {
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, json!({ "kind": "days", "days": 2 })).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    evening.start();
    let call = site.read(&phone, &service.next().await);
    assert_eq!(call["title"], "It is your turn");
    let rows = site
        .query("SELECT remind_at, deadline FROM open_calls")
        .await;
    let number = |column| rows[0].number(column).unwrap();
    assert_eq!(number(1) - number(0), 4 * 3600 * 1000);
    let now = site.shared.clock.now();
    let update = "UPDATE open_calls SET remind_at = $1, deadline = $2";
    let update = Statement::new(update).with(now).with(now + 3 * 3600 * 1000);
    site.execute(update).await;
    let reminder = site.read(&phone, &service.next().await);
    assert_eq!(reminder["title"], "Your time is running out: 3 hours left");
    assert_eq!(reminder["tag"], call["tag"]);
    site.wait_for_rows("SELECT key FROM open_calls WHERE remind_at IS NULL", 1)
        .await;
    assert!(service.is_idle().await);
    site.stop().await;
}
on_both!(
    reminder,
    a_slow_table_reminds_once_before_time_runs_out,
    a_slow_table_reminds_once_before_time_runs_out_on_postgres
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connected_person_is_not_reminded() {
    let site = Site::start(None).await;
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, json!({ "kind": "days", "days": 2 })).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    evening.start();
    service.next().await;
    let _ben = Player::connect(&site, &evening.table, &evening.ben_token);
    let now = site.shared.clock.now();
    site.execute(Statement::new("UPDATE open_calls SET remind_at = $1").with(now))
        .await;
    site.wait_for_rows("SELECT key FROM open_calls WHERE remind_at IS NULL", 1)
        .await;
    site.stop().await;
    assert!(service.is_idle().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_muted_table_does_not_call_and_still_waits() {
    let site = Site::start(None).await;
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    let set = async |on: bool| {
        let body = json!({ "table": evening.table, "on": on });
        let path = "/api/person/calls/tables";
        let by = cookie(&evening.ben);
        let (status, _) = site.request(Method::POST, path, by, Some(body)).await;
        assert_eq!(status, StatusCode::NO_CONTENT);
    };
    set(true).await;
    set(false).await;
    evening.ann.ask(Command::Start).unwrap();
    site.wait_for_rows(
        "SELECT key FROM open_calls WHERE call_at IS NULL AND NOT called",
        1,
    )
    .await;
    assert!(service.is_idle().await);
    let (_, text) = site
        .request(Method::GET, "/api/person/calls", cookie(&evening.ben), None)
        .await;
    let settings: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(settings["muted"], json!([evening.table]));
    assert_eq!(settings["waiting"], 1);
    site.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_page_with_an_open_decision_calls_once_the_person_counts_as_away() {
    let away = |config: &mut Config| config.away_after = Duration::from_millis(200);
    let site = Site::start_with(None, away).await;
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, no_clock()).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    let ben = Player::connect(&site, &evening.table, &evening.ben_token);
    evening.start();
    ben.leave(&site, &evening.table, &evening.ben_token).await;
    let call = site.read(&phone, &service.next().await);
    assert_eq!(call["kind"], "call");
    site.stop().await;
    assert!(service.is_idle().await);
}

/// The server that stores the entry sends the notification, and each server closes those that it has sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_on_one_database_call_once() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let start = || Site::start(Some(postgres.url()));
    let (a, b) = (start().await, start().await);
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&a, no_clock()).await;
    b.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    // The other server has the table in memory, too.
    let cleo = Player::connect(&b, &evening.table, &secrets::token());
    evening.start();
    let call = a.read(&phone, &service.next().await);
    assert_eq!(call["kind"], "call");
    let _ben = evening.ben_plays(&b);
    let gone = b.read(&phone, &service.next().await);
    assert_eq!(gone["kind"], "gone");
    evening.ann.finish_turn();
    drop(cleo);
    a.stop().await;
    b.stop().await;
    assert!(service.is_idle().await);
}
