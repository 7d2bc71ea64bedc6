//! How people want to be notified, and about which tables.

use jiff::tz::TimeZone;
use towers_client::settings::Language;

use super::{CallStore, time};
use crate::calls::plan::{QuietHours, time_zone};
use crate::storage::{SqlRow, Statement, StorageError};

/// How a person wants to be notified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSettings {
    pub language: Language,
    pub quiet: Option<QuietHours>,
    /// Where the person lives, for quiet hours.
    pub zone: TimeZone,
}

impl Default for CallSettings {
    fn default() -> CallSettings {
        CallSettings {
            language: Language::default(),
            quiet: None,
            zone: TimeZone::UTC,
        }
    }
}

impl CallSettings {
    /// Reads language, beginning and end of quiet hours, and time zone, from a column on. Missing values are defaults.
    pub(super) fn read(row: &SqlRow, column: usize) -> Result<CallSettings, StorageError> {
        let language = row.optional_text(column)?;
        let language = language.and_then(|code| Language::from_code(&code));
        let (from, to) = (time(row, column + 1)?, time(row, column + 2)?);
        let zone = row.optional_text(column + 3)?;
        let zone = zone.and_then(|name| time_zone(&name));
        Ok(CallSettings {
            language: language.unwrap_or_default(),
            quiet: from.zip(to).map(|(from, to)| QuietHours { from, to }),
            zone: zone.unwrap_or(TimeZone::UTC),
        })
    }
}

impl CallStore<'_> {
    /// How a person wants to be notified, and whether they have a calendar.
    pub async fn settings(&self, person: &str) -> Result<(CallSettings, bool), StorageError> {
        let query = "SELECT language, quiet_from, quiet_to, time_zone, calendar \
                     FROM call_settings WHERE person_id = $1";
        let rows = self.query(Statement::new(query).with(person)).await?;
        let Some(row) = rows.first() else {
            return Ok((CallSettings::default(), false));
        };
        Ok((CallSettings::read(row, 0)?, row.optional_text(4)?.is_some()))
    }

    pub async fn set_settings(
        &self,
        person: &str,
        settings: &CallSettings,
    ) -> Result<(), StorageError> {
        let upsert = "INSERT INTO call_settings (person_id, language, quiet_from, quiet_to, time_zone) \
                      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (person_id) DO UPDATE SET \
                      language = excluded.language, quiet_from = excluded.quiet_from, \
                      quiet_to = excluded.quiet_to, time_zone = excluded.time_zone";
        let upsert = Statement::new(upsert)
            .with(person)
            .with(settings.language.code())
            .with(settings.quiet.map(|quiet| quiet.from))
            .with(settings.quiet.map(|quiet| quiet.to))
            .with(settings.zone.iana_name().unwrap_or("UTC"));
        self.change(upsert).await.map(drop)
    }

    /// Sets or removes the hash of the secret of a person's calendar.
    pub async fn set_calendar(
        &self,
        person: &str,
        hash: Option<String>,
        language: Language,
    ) -> Result<(), StorageError> {
        let upsert = "INSERT INTO call_settings (person_id, language, calendar) \
                      VALUES ($1, $3, $2) ON CONFLICT (person_id) DO UPDATE SET \
                      calendar = excluded.calendar";
        let upsert = Statement::new(upsert).with(person).with(hash);
        self.change(upsert.with(language.code())).await.map(drop)
    }

    /// The person with a calendar, and their language.
    pub async fn calendar(&self, hash: &str) -> Result<Option<(String, Language)>, StorageError> {
        let query = "SELECT person_id, language FROM call_settings WHERE calendar = $1";
        let rows = self.query(Statement::new(query).with(hash)).await?;
        let read = |row: &SqlRow| {
            let language = Language::from_code(&row.text(1)?);
            Ok((row.text(0)?, language.unwrap_or_default()))
        };
        rows.first().map(read).transpose()
    }

    /// Tables about which a person does not want notifications.
    pub async fn muted(&self, person: &str) -> Result<Vec<String>, StorageError> {
        let query = "SELECT m.table_id FROM muted_tables AS m \
                     JOIN person_tables AS t ON t.table_id = m.table_id AND t.key = m.key \
                     WHERE t.person_id = $1 ORDER BY 1";
        let rows = self.query(Statement::new(query).with(person)).await?;
        rows.iter().map(|row| row.text(0)).collect()
    }

    /// Turns notifications about a table off or on. Planned ones are dropped.
    pub async fn mute(&self, person: &str, table: &str, mute: bool) -> Result<(), StorageError> {
        let statements = if mute {
            vec![
                "INSERT INTO muted_tables (table_id, key) SELECT table_id, key FROM person_tables \
                 WHERE person_id = $1 AND table_id = $2 ON CONFLICT DO NOTHING",
                "UPDATE open_calls SET call_at = NULL, remind_at = NULL WHERE table_id = $2 \
                 AND key IN (SELECT key FROM person_tables WHERE person_id = $1 AND table_id = $2)",
            ]
        } else {
            vec![
                "DELETE FROM muted_tables WHERE table_id = $2 AND key IN \
                 (SELECT key FROM person_tables WHERE person_id = $1 AND table_id = $2)",
            ]
        };
        let statement = |sql| Statement::new(sql).with(person).with(table);
        let statements = statements.into_iter().map(statement).collect();
        self.storage.transact(statements).await.map(drop)
    }
}
