//! What is stored about notifications, in both databases.

use towers_client::settings::Language;

use towers_test_support::push::Subscriber;

use super::{Evening, Site, on_both, subscription};
use crate::calls::plan::{CallPlan, QuietHours, time_zone};
use crate::calls::queue::{AbsentDecision, DecisionNumber};
use crate::calls::store::{CallSettings, DueCall};
use crate::secrets;
use crate::storage::Statement;

fn number(game: u32, decision: u64) -> DecisionNumber {
    DecisionNumber { game, decision }
}

async fn decisions(site: Site) {
    let store = site.store();
    let evening = Evening::new(&site, serde_json::json!({ "kind": "none" })).await;
    let (table, key) = (
        &evening.table,
        secrets::key(&evening.table, &evening.ben_token),
    );
    let opened = |number| AbsentDecision {
        table: table.clone(),
        key: key.clone(),
        number,
        seat: 1,
        name: "Ben".into(),
        title: "Evening".into(),
        others: vec!["Ann".into(), "\"O'Neill\"".into()],
        since: 1000,
        deadline: None,
    };
    // Later than this test, so that the server itself does not take them.
    let (call_at, remind_at) = (u64::MAX / 4, u64::MAX / 3);
    let plan = CallPlan {
        call_at: Some(call_at),
        remind_at: Some(remind_at),
    };
    let open = async |number, called| store.opened(&opened(number), plan, called).await.unwrap();
    // Of several servers that open the same decision, one is the first.
    let (one, two) = tokio::join!(open(number(1, 5), false), open(number(1, 5), false));
    assert_eq!(usize::from(one.0) + usize::from(two.0), 1);
    assert!(store.is_open(table, number(1, 5)).await.unwrap());
    // Late news of an earlier decision changes nothing.
    assert_eq!(open(number(1, 4), true).await, (false, vec![]));
    // Of several servers that take a due call, one gets it.
    assert!(store.due(call_at - 1).await.unwrap().is_empty());
    let due: Vec<DueCall> = store.due(call_at).await.unwrap();
    assert_eq!(due.len(), 1);
    let again = call_at + 1000;
    let take = || store.take(&due[0], call_at, again);
    let (one, two) = tokio::join!(take(), take());
    let taken: Vec<_> = [one.unwrap(), two.unwrap()].into_iter().flatten().collect();
    let [(false, call)] = taken.as_slice() else {
        panic!("{taken:?}");
    };
    assert_eq!(call.number, number(1, 5));
    assert_eq!(call.subject.others, ["Ann", "\"O'Neill\""]);
    assert!(store.due(call_at).await.unwrap().is_empty());
    // Until it is delivered, it becomes due again.
    assert_eq!(store.due(again).await.unwrap().len(), 1);
    store.settle(table, number(1, 4), again).await.unwrap();
    assert_eq!(store.due(again).await.unwrap().len(), 1);
    store.settle(table, number(1, 5), again).await.unwrap();
    assert!(store.due(again).await.unwrap().is_empty());
    let due = store.due(remind_at).await.unwrap();
    let again = remind_at + 1000;
    let taken = store.take(&due[0], remind_at, again).await.unwrap();
    assert!(taken.unwrap().0, "it is a reminder");
    assert_eq!(store.due(again).await.unwrap().len(), 1);
    store.settle(table, number(1, 5), again).await.unwrap();
    assert!(store.due(again).await.unwrap().is_empty());
    // A later decision ends it, and its notification.
    assert_eq!(open(number(1, 9), false).await, (true, vec![key.clone()]));
    let person = &evening.ben.person.person;
    assert_eq!(store.waiting(person).await.unwrap().len(), 1);
    assert!(store.closed(table, number(1, 9)).await.unwrap().is_empty());
    assert_eq!(store.waiting(person).await.unwrap().len(), 1);
    // Nobody saw a notification of this one.
    assert!(store.closed(table, number(2, 0)).await.unwrap().is_empty());
    assert_eq!(store.waiting(person).await.unwrap().len(), 0);
    site.stop().await;
}
on_both!(
    decisions,
    a_decision_is_called_by_one_server,
    a_decision_is_called_by_one_server_on_postgres
);

async fn owned(site: Site) {
    let store = site.store();
    let mut evening = Evening::new(&site, serde_json::json!({ "kind": "none" })).await;
    let person = evening.ben.person.clone();
    let browser = Subscriber::new();
    let subscription = subscription(&browser, "https://push.example/very-secret");
    store
        .subscribe(&person.device, &subscription, 5)
        .await
        .unwrap();
    store
        .subscribe(&person.device, &subscription, 6)
        .await
        .unwrap();
    let stored = store.subscriptions(&person.person).await.unwrap();
    assert_eq!(stored, std::slice::from_ref(&subscription));
    let rows = site
        .query("SELECT id, sealed FROM push_subscriptions")
        .await;
    for column in [0, 1] {
        let text = rows[0].text(column).unwrap();
        assert!(!text.contains("secret") && !text.contains(&subscription.keys.auth));
    }
    let settings = CallSettings {
        language: Language::French,
        quiet: Some(QuietHours {
            from: 1320,
            to: 480,
        }),
        zone: time_zone("America/New_York").unwrap(),
    };
    let hash = Some("hash".to_string());
    store
        .set_calendar(&person.person, hash, Language::German)
        .await
        .unwrap();
    store.set_settings(&person.person, &settings).await.unwrap();
    let read = store.settings(&person.person).await.unwrap();
    assert_eq!(read, (settings, true));
    store
        .mute(&person.person, &evening.table, true)
        .await
        .unwrap();
    evening.start();
    site.wait_for_rows("SELECT key FROM open_calls", 1).await;
    // The key pair stays the same.
    let vapid = store.vapid("").await.unwrap();
    assert_eq!(vapid.public(), site.shared.calls.pusher.vapid.public());
    let rows = site
        .query("SELECT value FROM server_keys WHERE name = 'vapid'")
        .await;
    assert!(rows[0].text(0).unwrap().len() > 43, "it is encrypted");
    // Everything ends with the device and the person.
    for owned in crate::people::OWNED {
        site.execute(Statement::new(owned.delete).with(&person.person))
            .await;
    }
    for table in [
        "SELECT id FROM push_subscriptions",
        "SELECT language FROM call_settings",
        "SELECT key FROM muted_tables",
        "SELECT key FROM open_calls",
    ] {
        assert_eq!(site.query(table).await.len(), 0, "{table}");
    }
    site.stop().await;
}
on_both!(
    owned,
    what_belongs_to_a_person_is_encrypted_and_ends_with_them,
    what_belongs_to_a_person_is_encrypted_and_ends_with_them_on_postgres
);

async fn deleted_table(site: Site) {
    let store = site.store();
    let mut evening = Evening::new(&site, serde_json::json!({ "kind": "none" })).await;
    store
        .mute(&evening.ben.person.person, &evening.table, true)
        .await
        .unwrap();
    evening.start();
    site.wait_for_rows("SELECT key FROM open_calls", 1).await;
    assert!(site.shared.storage.delete(&evening.table).await.unwrap());
    assert_eq!(site.query("SELECT key FROM open_calls").await.len(), 0);
    assert_eq!(site.query("SELECT key FROM muted_tables").await.len(), 0);
    site.stop().await;
}
on_both!(
    deleted_table,
    calls_end_with_their_table,
    calls_end_with_their_table_on_postgres
);
