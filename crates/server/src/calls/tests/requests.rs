//! Requests to push services and webhooks, through real sockets.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use towers_client::settings::Language;
use towers_test_support::push::{Receiver, Subscriber};
use url::Url;

use super::subscription;
use crate::calls::notice::{CallSubject, Occasion, PushMessage};
use crate::calls::post::{PostError, Poster, json_headers};
use crate::calls::push::{PushOutcome, Pusher};
use crate::calls::vapid::Vapid;

fn pusher() -> Pusher {
    Pusher {
        poster: Poster::new(true),
        vapid: Vapid::new(&Vapid::new_key(), "mailto:host@towers.example").unwrap(),
    }
}

fn turn() -> PushMessage {
    let subject = CallSubject {
        table: "abc".into(),
        title: "Evening".into(),
        others: vec!["Ben".into()],
    };
    PushMessage::call(&subject, Occasion::Turn, Language::German, 2)
}

#[tokio::test]
async fn a_push_message_arrives_encrypted_and_proven() {
    let (service, pusher, browser) = (Receiver::start().await, pusher(), Subscriber::new());
    let subscription = subscription(&browser, &service.url("push/1?x=y"));
    let receiver = subscription.receiver(&pusher.poster).unwrap();
    let outcome = pusher.push(&receiver, &turn(), Some(90_000), 30_000).await;
    assert_eq!(outcome, PushOutcome::Delivered);
    let received = service.next().await;
    assert_eq!(received.path, "push/1");
    assert_eq!(received.headers["ttl"], "60");
    assert_eq!(received.headers["urgency"], "high");
    let topic = received.headers["topic"].to_str().unwrap().to_string();
    assert!(topic.len() <= 32, "{topic}");
    let text = String::from_utf8_lossy(&received.body);
    assert!(!text.contains("Evening"));
    let message = browser.read(&received, pusher.vapid.public());
    assert_eq!(message["title"], "Du bist dran");
    assert_eq!(message["body"], "Evening, mit Ben");
    // The message that the decision is taken replaces one that was not delivered yet.
    let gone = PushMessage::gone("abc", 1);
    pusher.push(&receiver, &gone, None, 0).await;
    let received = service.next().await;
    assert_eq!(received.headers["topic"], *topic);
    let message = browser.read(&received, pusher.vapid.public());
    assert_eq!(message["kind"], "gone");
}

#[tokio::test]
async fn answers_of_push_services_say_what_to_do() {
    let (service, pusher, browser) = (Receiver::start().await, pusher(), Subscriber::new());
    for (status, expected) in [
        (201, PushOutcome::Delivered),
        (404, PushOutcome::Gone),
        (410, PushOutcome::Gone),
        (400, PushOutcome::Refused),
        (413, PushOutcome::Refused),
        (429, PushOutcome::Failed(None)),
        (500, PushOutcome::Failed(None)),
        (503, PushOutcome::Failed(None)),
        (307, PushOutcome::Refused),
    ] {
        let subscription = subscription(&browser, &service.url(&format!("status/{status}")));
        let receiver = subscription.receiver(&pusher.poster).unwrap();
        let outcome = pusher.push(&receiver, &turn(), None, 0).await;
        assert_eq!(outcome, expected, "{status}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let service = Receiver::start().await;
    let url = Url::parse(&service.url("redirect")).unwrap();
    let answer = Poster::new(true)
        .post(&url, json_headers(), b"{}".into())
        .await;
    assert_eq!(answer.unwrap().status, StatusCode::TEMPORARY_REDIRECT);
    assert_eq!(service.next().await.path, "redirect");
    assert!(service.is_idle().await);
}

#[tokio::test]
async fn a_receiver_without_an_answer_is_given_up() {
    let service = Receiver::start().await;
    let url = Url::parse(&service.url("silent")).unwrap();
    let mut poster = Poster::new(true);
    poster.limit = Duration::from_millis(200);
    let answer = poster.post(&url, HeaderMap::new(), Vec::new()).await;
    assert!(matches!(answer, Err(PostError::Failed(_))), "{answer:?}");
}

#[tokio::test]
async fn a_huge_answer_is_not_read() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let _ = socket.read(&mut [0; 4096]).await;
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\nx: ").await;
                while socket.write_all(&[b'a'; 4096]).await.is_ok() {}
            });
        }
    });
    let url = Url::parse(&format!("http://{address}/")).unwrap();
    let answer = Poster::new(true)
        .post(&url, HeaderMap::new(), Vec::new())
        .await;
    assert!(matches!(answer, Err(PostError::Failed(_))), "{answer:?}");
}

#[tokio::test]
async fn private_addresses_are_never_connected_to() {
    let service = Receiver::start().await;
    let port = service.address.port();
    let poster = Poster::new(false);
    // Written in every way that leads to this computer or its network.
    for host in [
        "127.0.0.1",
        "localhost",
        "localhost.",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "10.0.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "[fd00::1]",
        "[fe80::1]",
        "224.0.0.1",
    ] {
        let url = Url::parse(&format!("https://{host}:{port}/push")).unwrap();
        let answer = poster.post(&url, HeaderMap::new(), Vec::new()).await;
        let refused = matches!(
            &answer,
            Err(PostError::Refused("the address is not a public one"))
        );
        // Systems need not know every spelling of a local name.
        let unknown = host.starts_with("localhost.") && matches!(answer, Err(PostError::Failed(_)));
        assert!(refused || unknown, "{host}: {answer:?}");
    }
    assert!(service.is_idle().await);
}

#[test]
fn only_plain_https_addresses_are_accepted() {
    let poster = Poster::new(false);
    assert!(poster.check("https://hooks.example/abc?d=e").is_ok());
    let long = format!("https://hooks.example/{}", "a".repeat(3000));
    for bad in [
        "",
        "hooks.example",
        "http://hooks.example/",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "https://",
        "https://user@hooks.example/",
        "https://user:password@hooks.example/",
        "https://127.0.0.1/",
        "https://[::1]/",
        &long,
    ] {
        let checked = poster.check(bad);
        assert!(matches!(checked, Err(PostError::Refused(_))), "{bad}");
    }
}
