//! The browser's storage.

use towers_client::{Shelf, Store};

/// Texts stored by the browser. If it refuses (private windows, full disks), nothing is stored.
pub struct BrowserStore;

fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

impl Store for BrowserStore {
    fn get(&self, name: &str) -> Option<String> {
        storage()?.get_item(name).ok()?
    }

    fn set(&mut self, name: &str, text: &str) {
        if let Some(storage) = storage() {
            let _ = storage.set_item(name, text);
        }
    }

    fn remove(&mut self, name: &str) {
        if let Some(storage) = storage() {
            let _ = storage.remove_item(name);
        }
    }

    fn names(&self) -> Vec<String> {
        let Some(storage) = storage() else {
            return Vec::new();
        };
        let count = storage.length().unwrap_or_default();
        (0..count)
            .filter_map(|i| storage.key(i).ok().flatten())
            .collect()
    }
}

/// Everything stored on this device.
pub fn shelf() -> Shelf<BrowserStore> {
    Shelf(BrowserStore)
}
