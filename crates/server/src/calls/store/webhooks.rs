//! Webhooks of tables.

use serde_json::Value;
use towers_client::settings::Language;

use super::CallStore;
use crate::calls::notice::WebhookForm;
use crate::calls::queue::DecisionNumber;
use crate::storage::{SqlRow, Statement, StorageError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredWebhook {
    pub address: String,
    pub form: WebhookForm,
    pub language: Language,
    /// Where the server was reached, for links.
    pub origin: String,
}

impl CallStore<'_> {
    /// Sets the webhook of a table, by the host with this key.
    pub async fn set_webhook(
        &self,
        table: &str,
        key: &str,
        webhook: &StoredWebhook,
    ) -> Result<(), StorageError> {
        let context = format!("webhooks {table}");
        let sealed = self.vault.seal(&context, webhook.address.as_bytes());
        let upsert = "INSERT INTO webhooks (table_id, sealed, form, language, origin, game, decision, key) \
                      VALUES ($1, $2, $3, $4, $5, 0, 0, $6) ON CONFLICT (table_id) DO UPDATE SET \
                      sealed = excluded.sealed, form = excluded.form, \
                      language = excluded.language, origin = excluded.origin, \
                      key = excluded.key";
        let upsert = Statement::new(upsert)
            .with(table)
            .with(sealed)
            .with(webhook.form.name())
            .with(webhook.language.code())
            .with(&webhook.origin)
            .with(key);
        self.change(upsert).await.map(drop)
    }

    pub async fn remove_webhook(&self, table: &str) -> Result<(), StorageError> {
        let delete = Statement::new("DELETE FROM webhooks WHERE table_id = $1");
        self.change(delete.with(table)).await.map(drop)
    }

    pub async fn webhook_form(&self, table: &str) -> Result<Option<WebhookForm>, StorageError> {
        let query = Statement::new("SELECT form FROM webhooks WHERE table_id = $1");
        let rows = self.query(query.with(table)).await?;
        let form = rows.first().map(|row| row.text(0)).transpose()?;
        Ok(form.and_then(|form| WebhookForm::from_name(&form)))
    }

    /// The webhook of a table, if no message about this decision was sent to it. From now on one counts as sent.
    pub async fn take_webhook(
        &self,
        table: &str,
        number: DecisionNumber,
    ) -> Result<Option<StoredWebhook>, StorageError> {
        if self.webhook_form(table).await?.is_none() {
            return Ok(None);
        }
        let update = "UPDATE webhooks SET game = $2, decision = $3 WHERE table_id = $1 \
                      AND (game < $2 OR (game = $2 AND decision < $3)) \
                      RETURNING sealed, form, language, origin";
        let update = Statement::new(update).with(table);
        let update = update.with(number.game).with(number.decision);
        let rows = self.change(update).await?;
        self.read_webhook(table, rows.first())
    }

    pub async fn webhook(&self, table: &str) -> Result<Option<StoredWebhook>, StorageError> {
        let query = "SELECT sealed, form, language, origin FROM webhooks WHERE table_id = $1";
        let rows = self.query(Statement::new(query).with(table)).await?;
        self.read_webhook(table, rows.first())
    }

    /// The seat at a table of the person with a key, and their name there.
    pub async fn seat_of(
        &self,
        table: &str,
        key: &str,
    ) -> Result<Option<(u8, String)>, StorageError> {
        let query = "SELECT p.seat, t.summary FROM person_tables AS p \
                     JOIN tables AS t ON t.id = p.table_id \
                     WHERE p.table_id = $1 AND p.key = $2 AND p.seat IS NOT NULL";
        let rows = self.query(Statement::new(query).with(table).with(key));
        let rows = rows.await?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let seat = u8::try_from(row.number(0)?).unwrap_or_default();
        let summary: Value = serde_json::from_str(&row.text(1)?)
            .map_err(|why| StorageError::Corrupt(why.to_string()))?;
        let name = summary["seats"][usize::from(seat)]["name"].as_str();
        Ok(name.map(|name| (seat, name.to_string())))
    }

    fn read_webhook(
        &self,
        table: &str,
        row: Option<&SqlRow>,
    ) -> Result<Option<StoredWebhook>, StorageError> {
        let Some(row) = row else {
            return Ok(None);
        };
        let address = self.vault.open(&format!("webhooks {table}"), &row.text(0)?);
        let address = address.and_then(|address| String::from_utf8(address).ok());
        let form = WebhookForm::from_name(&row.text(1)?);
        let language = Language::from_code(&row.text(2)?).unwrap_or_default();
        let origin = row.text(3)?;
        Ok(address.zip(form).map(|(address, form)| StoredWebhook {
            address,
            form,
            language,
            origin,
        }))
    }
}
