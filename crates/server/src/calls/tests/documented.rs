//! The examples of notifications in `docs/protocol.md` are what the server sends and accepts.

use serde_json::{Value, json};
use towers_client::settings::Language;

use crate::calls::api::CallWishes;
use crate::calls::notice::{CallSubject, Occasion, PushMessage, WebhookForm, WebhookNote};
use crate::calls::webhook_api::NewWebhook;

/// The examples of a kind of block.
fn examples(kind: &str) -> Vec<Value> {
    let document = include_str!("../../../../../docs/protocol.md");
    let start = format!("\n```json {kind}\n");
    let (_, rest) = document.split_once(&start).expect("there are examples");
    let (block, _) = rest.split_once("\n```").expect("the block ends");
    let values = serde_json::Deserializer::from_str(block).into_iter();
    values.map(|value| value.expect("it is JSON")).collect()
}

#[test]
fn push_messages_are_those_of_the_document() {
    let table = "3k9xq7m2v5n8r4t6w1zb".to_string();
    let subject = CallSubject {
        table: table.clone(),
        title: "Friday".into(),
        others: vec!["Ben".into()],
    };
    let call = PushMessage::call(&subject, Occasion::Turn, Language::English, 2);
    let gone = PushMessage::gone(&table, 1);
    assert_eq!(examples("push"), [json!(call), json!(gone)]);
}

#[test]
fn messages_to_webhooks_are_those_of_the_document() {
    let note = WebhookNote {
        occasion: Occasion::Turn,
        title: "Friday",
        name: "Ben",
        seat: 1,
        game: 1,
        decision: 7,
        deadline: None,
        link: "https://towers.example/t/3k9x",
        language: Language::English,
    };
    assert_eq!(examples("webhook"), [note.body(WebhookForm::Json)]);
}

#[test]
fn preferences_and_webhook_settings_of_the_document_are_accepted() {
    for example in examples("preferences") {
        serde_json::from_value::<CallWishes>(example).unwrap();
    }
    for example in examples("webhook_settings") {
        serde_json::from_value::<NewWebhook>(example).unwrap();
    }
}
