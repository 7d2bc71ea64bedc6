//! Bounds of what is kept of a person: devices, and the time without a visit.

use std::sync::Arc;
use std::time::Duration;

use towers_table::Digest;

use super::tests::{DAY, START, TestDevice, people_at, sign_in};
use crate::secrets;
use crate::storage::tests::{meta, on_both_databases, record};
use crate::storage::{NewTable, Storage};

/// A new device replaces the one that was not used for longest, so that nobody is locked out.
async fn devices_are_bounded(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    let first = sign_in(&people, &TestDevice::new()).await;
    let mut last = first.clone();
    for n in 1..=22 {
        let later = people_at(&storage, START + n * DAY).await;
        let key = Digest::digest(&[&secrets::random::<16>()]);
        let added = later.add_device(&first.person.person, &key, "").await;
        let added = added.unwrap();
        last = added.signed_in;
        // From the 21st on, one goes with each.
        assert_eq!(added.ended.is_empty(), n < 20, "{n}");
    }
    let later = people_at(&storage, START + 23 * DAY).await;
    let me = later.overview(&last.person).await.unwrap();
    assert_eq!(me.devices.len(), 20);
    assert!(me.devices.iter().any(|device| device.is_this));
    assert!(
        me.devices
            .iter()
            .all(|device| device.id != first.person.device)
    );
    assert_eq!(later.by_cookie(&first.cookie).await.unwrap(), None);
    assert!(later.by_cookie(&last.cookie).await.unwrap().is_some());
}

on_both_databases!(
    devices_are_bounded,
    sqlite_bounds_devices,
    postgresql_bounds_devices
);

/// The host sets after which time people are deleted who do not come back, at tables too.
async fn people_are_forgotten_as_set(storage: Arc<dyn Storage>) {
    let people = people_at(&storage, START).await;
    let (ann, ben) = (TestDevice::new(), TestDevice::new());
    let ann = sign_in(&people, &ann).await.person.person;
    let header = record("table", 0).header;
    let meta = meta(false, None);
    storage
        .create(NewTable {
            header,
            meta,
            opener: None,
        })
        .await
        .unwrap();
    people.link("table", "key", &ann, None).await.unwrap();
    let later = people_at(&storage, START + 20 * DAY).await;
    let ben = sign_in(&later, &ben).await.person.person;
    let set = Some(Duration::from_millis(30 * DAY));
    let early = people_at(&storage, START + 29 * DAY).await;
    assert!(early.tidy(set).await.unwrap().is_empty());
    let late = people_at(&storage, START + 31 * DAY).await;
    // Without the setting, who has a table stays.
    let years = people_at(&storage, START + 1000 * DAY).await;
    assert!(years.export(&ann).await.unwrap()["tables"][0].is_object());
    assert_eq!(late.tidy(set).await.unwrap(), std::slice::from_ref(&ann));
    assert_eq!(
        late.keys_of(&ann).await.unwrap().len(),
        1,
        "the caller removes the name at the table first"
    );
    assert!(late.tidy(set).await.unwrap().is_empty(), "it has begun");
    assert!(years.tidy(None).await.unwrap().contains(&ann));
    let gone = years.export(&ben).await.unwrap();
    assert_eq!(
        gone["person"].as_array().unwrap().len(),
        0,
        "without tables"
    );
}

on_both_databases!(
    people_are_forgotten_as_set,
    sqlite_forgets_people_as_set,
    postgresql_forgets_people_as_set
);
