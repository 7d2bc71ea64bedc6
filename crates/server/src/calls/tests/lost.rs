//! No call is lost with a server that stops or dies.

use std::time::Duration;

use serde_json::json;
use towers_test_support::push::{Receiver, Subscriber};

use super::{Evening, Site, on_both};
use crate::storage::Statement;

/// Decisions to which somebody was called, and that are not due again.
const SETTLED: &str = "SELECT key FROM open_calls WHERE called AND call_at IS NULL";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stops_delivers_first() {
    let site = Site::start(None).await;
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, json!({ "kind": "none" })).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    evening.start();
    let public = site.shared.calls.pusher.vapid.public().to_string();
    site.stop().await;
    assert!(
        !service.is_idle().await,
        "it has arrived when the server is gone"
    );
    let call = phone.read(&service.next().await, &public);
    assert_eq!(call["kind"], "call");
}

async fn undelivered(site: Site) {
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, json!({ "kind": "none" })).await;
    // A push service that takes the message and never answers.
    site.subscribe(&evening.ben, &phone, &service.url("silent/phone"))
        .await;
    evening.start();
    service.next().await;
    let site = site.restart().await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    let received = service.next().await;
    assert_eq!(received.path, "phone");
    assert_eq!(site.read(&phone, &received)["kind"], "call");
    // It is not made a third time.
    site.wait_for_rows(SETTLED, 1).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(service.is_idle().await);
    site.stop().await;
}
on_both!(
    undelivered,
    a_call_that_was_not_delivered_is_made_again,
    a_call_that_was_not_delivered_is_made_again_on_postgres
);

async fn never_stored(site: Site) {
    let (service, phone) = (Receiver::start().await, Subscriber::new());
    let mut evening = Evening::new(&site, json!({ "kind": "days", "days": 2 })).await;
    site.subscribe(&evening.ben, &phone, &service.url("phone"))
        .await;
    evening.start();
    service.next().await;
    site.wait_for_rows(SETTLED, 1).await;
    // As it is stored when somebody with a cookie sits down.
    site.execute(Statement::new("UPDATE person_tables SET seat = 1"))
        .await;
    // The server died between storing the move and the call.
    site.execute(Statement::new("DELETE FROM open_calls")).await;
    // With several servers, tables that were visited just now are left to the others.
    site.execute(Statement::new(
        "UPDATE tables SET visited = visited - 600000",
    ))
    .await;
    let site = site.restart().await;
    let call = site.read(&phone, &service.next().await);
    assert_eq!(call["title"], "It is your turn");
    site.wait_for_rows(
        "SELECT key FROM open_calls WHERE called AND remind_at IS NOT NULL",
        1,
    )
    .await;
    site.wait_for_rows(SETTLED, 1).await;
    assert!(service.is_idle().await);
    // Ben plays, and the call is over.
    let site = site.restart().await;
    let _ben = evening.ben_plays(&site);
    assert_eq!(site.read(&phone, &service.next().await)["kind"], "gone");
    site.stop().await;
}
on_both!(
    never_stored,
    a_call_of_a_server_that_died_is_made_by_the_next,
    a_call_of_a_server_that_died_is_made_by_the_next_on_postgres
);
