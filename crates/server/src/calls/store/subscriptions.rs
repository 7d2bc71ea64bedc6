//! Subscriptions of browsers to push messages.

use towers_table::Millis;

use super::CallStore;
use crate::calls::push::PushSubscription;
use crate::storage::{Statement, StorageError};

impl CallStore<'_> {
    pub async fn subscriptions(&self, person: &str) -> Result<Vec<PushSubscription>, StorageError> {
        let query = "SELECT s.id, s.sealed FROM push_subscriptions AS s \
                     JOIN person_devices AS d ON d.id = s.device_id WHERE d.person_id = $1";
        let rows = self.query(Statement::new(query).with(person)).await?;
        let mut list = Vec::with_capacity(rows.len());
        for row in &rows {
            let context = format!("push_subscriptions {}", row.text(0)?);
            let text = self.vault.open(&context, &row.text(1)?);
            list.extend(text.and_then(|text| serde_json::from_slice(&text).ok()));
        }
        Ok(list)
    }

    pub async fn is_subscribed(&self, device: &str) -> Result<bool, StorageError> {
        let query = "SELECT id FROM push_subscriptions WHERE device_id = $1";
        Ok(!self
            .query(Statement::new(query).with(device))
            .await?
            .is_empty())
    }

    /// Stores the subscription of a device, in place of an older one.
    pub async fn subscribe(
        &self,
        device: &str,
        subscription: &PushSubscription,
        now: Millis,
    ) -> Result<(), StorageError> {
        let id = subscription.id();
        let text = serde_json::to_vec(subscription).unwrap_or_default();
        let sealed = self.vault.seal(&format!("push_subscriptions {id}"), &text);
        let delete = "DELETE FROM push_subscriptions WHERE device_id = $1 OR id = $2";
        let insert = "INSERT INTO push_subscriptions (id, device_id, sealed, created) \
                      VALUES ($1, $2, $3, $4)";
        let statements = vec![
            Statement::new(delete).with(device).with(&id),
            Statement::new(insert)
                .with(&id)
                .with(device)
                .with(sealed)
                .with(now),
        ];
        self.storage.transact(statements).await.map(drop)
    }

    pub async fn unsubscribe(&self, device: &str) -> Result<(), StorageError> {
        let delete = "DELETE FROM push_subscriptions WHERE device_id = $1";
        self.change(Statement::new(delete).with(device))
            .await
            .map(drop)
    }

    /// Deletes a subscription that the push service no longer knows.
    pub async fn forget(&self, subscription: &PushSubscription) -> Result<(), StorageError> {
        let delete = Statement::new("DELETE FROM push_subscriptions WHERE id = $1");
        self.change(delete.with(subscription.id())).await.map(drop)
    }
}
