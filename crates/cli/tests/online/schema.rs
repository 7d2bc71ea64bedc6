//! Messages and stored data match the generated schema, and invalid ones do not.

use std::process::Command as Program;

use jsonschema::Validator;
use serde_json::{Value, json};
use towers_table::Command;

use super::client::Client;
use super::player::{gather, play_together};
use super::process::{Data, Process, http, verified_record};

/// The schemas printed by the program.
fn printed() -> Value {
    let output = Program::new(env!("CARGO_BIN_EXE_towers"))
        .arg("schema")
        .output()
        .unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn validator(schemas: &Value, name: &str) -> Validator {
    let schema = &schemas["schemas"][name];
    assert!(schema.is_object(), "{name}");
    jsonschema::validator_for(schema).unwrap_or_else(|why| panic!("{name}: {why}"))
}

fn check(validator: &Validator, value: &Value) {
    if let Some(error) = validator.iter_errors(value).next() {
        panic!("{error} at {} in {value}", error.instance_path());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_sent_and_stored_matches_the_schema() {
    let schemas = printed();
    assert_eq!(schemas["protocol"], towers_table::PROTOCOL);
    let server_message = validator(&schemas, "server_message");
    let event = validator(&schemas, "event");
    let (header, entry) = (
        validator(&schemas, "record_header"),
        validator(&schemas, "record_entry"),
    );
    let data = Data::new();
    let process = Process::start(&data.path());
    let (mut messages, mut events) = (0, 0);
    for (i, settings) in [
        r#"{"seats":2,"options":{"max_rounds":6},"clock":{"kind":"bank","seconds":600,"increment":5}}"#,
        r#"{"seats":3,"options":{"max_rounds":4,"reactions":true},"spells":{"random":8}}"#,
        r#"{"seats":4,"preset":"abacus-1","options":{"max_rounds":4,"teams":true,"reactions":true}}"#,
        r#"{"options":{"mode":"solo"}}"#,
        r#"{"seats":2,"options":{"mode":"coop","max_rounds":6}}"#,
    ]
    .into_iter()
    .enumerate()
    {
        let seats = serde_json::from_str::<towers_table::Settings>(settings).unwrap().seats;
        let (table, mut clients) = gather(process.port, settings, seats.into()).await;
        clients.push(Client::connect(process.port, &table, None).await);
        clients[0].ok(Command::Ready { ready: true }).await;
        clients[0].ok(Command::Start).await;
        let mut clients = play_together(clients, i as u64 + 3).await;
        clients[0].ok(Command::Start).await;
        let refusal = clients[0].ask(Command::Start).await.unwrap_err();
        assert_eq!(refusal.code, "game_on", "{}", refusal.message);
        clients[0].say_text("nonsense").await.unwrap();
        clients[0].view().await;
        for text in clients.iter().flat_map(|c| &c.received) {
            let value: Value = serde_json::from_str(text).unwrap();
            check(&server_message, &value);
            messages += 1;
            for told in [&value, &value["happened"]] {
                for happened in told["events"].as_array().into_iter().flatten() {
                    check(&event, happened);
                    events += 1;
                }
            }
        }
        let record = verified_record(process.port, &table).await.to_text();
        let mut lines = record.lines().map(|l| serde_json::from_str(l).unwrap());
        check(&header, &lines.next().unwrap());
        for line in lines {
            check(&entry, &line);
        }
    }
    assert!(messages > 300 && events > 1000, "{messages} {events}");
    let served = http(process.port, "GET", "/api/schema.json", &[], "").await;
    let served: Value = serde_json::from_str(&served.body).unwrap();
    assert_eq!(served, schemas);
}

#[test]
fn client_messages_match_the_schema_exactly() {
    let schemas = printed();
    let client_message = validator(&schemas, "client_message");
    let act = json!({"command": "act", "action": "w3:w5", "decision": 4});
    for good in [
        json!({"type": "hello", "protocol": 3}),
        json!({"type": "view"}),
        json!({"type": "do", "id": 1, "do": {"command": "start"}}),
        json!({"type": "do", "id": 1, "do": {"command": "sit", "name": "Ann"}}),
        json!({"type": "do", "id": 2, "do": act}),
        json!({"type": "do", "id": 3, "do": {"command": "pass_ahead", "until": null}}),
        json!({"type": "do", "id": 4, "do": {"command": "configure", "settings": {"seats": 4, "options": {"teams": true}}}}),
    ] {
        check(&client_message, &good);
    }
    for bad in [
        json!({"type": "fly"}),
        json!({"type": "do", "do": {"command": "start"}}),
        json!({"type": "do", "id": "one", "do": {"command": "start"}}),
        json!({"type": "do", "id": 1, "do": {"command": "fly"}}),
        json!({"type": "do", "id": 1, "do": {"command": "act", "action": 7}}),
        json!({"type": "do", "id": 1, "do": {"command": "ready"}}),
        json!({"type": "do", "id": 1, "do": {"command": "configure", "settings": {"seats": "many"}}}),
    ] {
        assert!(!client_message.is_valid(&bad), "{bad}");
    }
    let settings = validator(&schemas, "settings");
    check(&settings, &json!({}));
    check(
        &settings,
        &json!({"seats": 4, "preset": "abacus-1", "spells": {"random": 3}, "start": {"seat": 0}}),
    );
    assert!(!settings.is_valid(&json!({"preset": "tomorrow"})));
    let event = validator(&schemas, "event");
    assert!(!event.is_valid(&json!({"event": "played", "seat": 0})));
}
