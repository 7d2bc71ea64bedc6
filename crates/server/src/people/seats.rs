//! Which seats belong to a person. A table recognizes people by keys; this maps those keys to persons.

use hmac::Mac;
use serde::Serialize;
use serde_json::Value;
use towers_client::lobby::player;
use towers_rules::Seat;
use towers_table::{Hex, SeatSummary};

use super::{People, PersonRef};
use crate::storage::{SqlRow, Statement, StorageError};

/// The maximum number of tables in a person's list.
const MAX_LISTED: u32 = 200;

/// The keys with which a connection may act at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatKeys {
    /// The keys that are stored for the person of the cookie, oldest first.
    pub stored: Vec<String>,
    /// The person's token for a seat that they take now: the same on all devices.
    pub token: Option<String>,
    /// Whether the key of the connection's token belongs to a person other than that of the cookie, and whose seats
    /// are opened by the cookie only.
    pub refuses_token: bool,
    /// Whether the person has removed the table from their list.
    pub is_hidden: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct PersonTable {
    pub table: String,
    pub title: Option<String>,
    /// `lobby`, `playing` or `over`.
    pub stage: String,
    /// The person's seat, if they have one.
    pub seat: Option<i64>,
    /// Whether the table waits for this person.
    pub waits: bool,
    /// When it runs out, if there is a clock.
    pub deadline: Option<i64>,
    /// When a person was last there.
    pub visited: i64,
    /// Names of the others, bots included.
    pub others: Vec<String>,
    /// Whether the person has removed it from their list.
    pub hidden: bool,
}

impl People {
    /// The token of a person at a table where they have none yet.
    fn seat_token(&self, person: &str, table: &str) -> String {
        let code = self.mac("seat", &[person.as_bytes(), table.as_bytes()]);
        Hex::<32>(code.finalize().into_bytes().into()).to_string()
    }

    /// The keys with which a connection may act. `token_key` is the one of its token.
    pub async fn seat_keys(
        &self,
        table: &str,
        person: Option<&PersonRef>,
        token_key: Option<&str>,
    ) -> Result<SeatKeys, StorageError> {
        if person.is_none() && token_key.is_none() {
            return Ok(SeatKeys::default());
        }
        let id = person.map(|p| p.person.as_str());
        let query = "SELECT t.key, t.person_id, p.guarded, t.hidden FROM person_tables AS t \
                     JOIN people AS p ON p.id = t.person_id \
                     WHERE t.table_id = $1 AND (t.key = $2 OR t.person_id = $3) ORDER BY t.since";
        let query = Statement::new(query).with(table).with(token_key).with(id);
        let mut keys = SeatKeys {
            token: id.map(|id| self.seat_token(id, table)),
            ..SeatKeys::default()
        };
        for row in self.storage.query(query).await? {
            let (key, owner) = (row.text(0)?, row.text(1)?);
            if Some(owner.as_str()) == id {
                keys.stored.push(key);
                keys.is_hidden |= row.flag(3)?;
            } else {
                keys.refuses_token |= row.flag(2)?;
            }
        }
        Ok(keys)
    }

    /// Stores that a key at a table belongs to a person, in whose list the table is then shown. A key that belongs to
    /// somebody stays theirs.
    pub async fn link(
        &self,
        table: &str,
        key: &str,
        person: &str,
        seat: Option<Seat>,
    ) -> Result<(), StorageError> {
        let insert = "INSERT INTO person_tables (table_id, key, person_id, seat, since) \
                      SELECT $1, $2, id, $4, $5 FROM people WHERE id = $3 \
                      ON CONFLICT (table_id, key) DO UPDATE SET hidden = FALSE \
                      WHERE person_tables.person_id = excluded.person_id";
        let insert = Statement::new(insert)
            .with(table)
            .with(key)
            .with(person)
            .with(seat.map(|seat| seat.index() as u64))
            .with(self.now());
        self.storage.transact(vec![insert]).await.map(drop)
    }

    /// Stores who sits where at a table.
    pub async fn set_seats(
        &self,
        table: &str,
        seats: &[(String, Option<Seat>)],
    ) -> Result<(), StorageError> {
        let update = "UPDATE person_tables SET seat = $3 WHERE table_id = $1 AND key = $2";
        let statement = |(key, seat): &(String, Option<Seat>)| {
            Statement::new(update)
                .with(table)
                .with(key)
                .with(seat.map(|seat| seat.index() as u64))
        };
        let statements = seats.iter().map(statement).collect();
        self.storage.transact(statements).await.map(drop)
    }

    /// The ids of the people at a table, by their keys.
    pub async fn owners(&self, table: &str) -> Result<Vec<(String, String)>, StorageError> {
        let query = "SELECT key, person_id FROM person_tables WHERE table_id = $1";
        let rows = self
            .storage
            .query(Statement::new(query).with(table))
            .await?;
        rows.iter()
            .map(|row| Ok((row.text(0)?, row.text(1)?)))
            .collect()
    }

    /// The tables of a person, the most recently visited first.
    pub async fn tables_of(&self, person: &str) -> Result<Vec<PersonTable>, StorageError> {
        let query = "SELECT t.id, t.summary, t.stage, p.seat, t.visited, p.hidden \
                     FROM person_tables AS p JOIN tables AS t ON t.id = p.table_id \
                     WHERE p.person_id = $1 ORDER BY t.visited DESC, t.id, p.since LIMIT $2";
        let query = Statement::new(query).with(person).with(MAX_LISTED);
        let rows = self.storage.query(query).await?;
        let mut tables: Vec<PersonTable> = Vec::new();
        for row in &rows {
            let table = person_table(row)?;
            // Two keys of one person may be known at a table, after two people became one.
            match tables.last_mut().filter(|last| last.table == table.table) {
                Some(last) => last.join(table),
                None => tables.push(table),
            }
        }
        Ok(tables)
    }
}

impl PersonTable {
    /// Joins what another key of the person is at the same table: the seat that is waited for counts, else the first one.
    fn join(&mut self, other: PersonTable) {
        let hidden = self.hidden && other.hidden;
        if self.seat.is_none() || (other.waits && !self.waits) {
            *self = other;
        }
        self.hidden = hidden;
    }
}

/// The name of the player of a seat in a stored summary.
fn name_at(seat: &Value) -> Option<String> {
    let seat: SeatSummary = serde_json::from_value(seat.clone()).ok()?;
    player(&seat)
}

fn person_table(row: &SqlRow) -> Result<PersonTable, StorageError> {
    let summary: Value = serde_json::from_str(&row.text(1)?)
        .map_err(|why| StorageError::Corrupt(why.to_string()))?;
    let seat = row.optional_number(3)?;
    let waiting = &summary["waiting"];
    let names = summary["seats"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate();
    let others = names.filter(|(i, _)| seat != i64::try_from(*i).ok());
    Ok(PersonTable {
        table: row.text(0)?,
        title: summary["title"].as_str().map(String::from),
        stage: row.text(2)?,
        seat,
        waits: seat.is_some() && waiting["seat"].as_i64() == seat,
        deadline: waiting["deadline"].as_i64(),
        visited: row.number(4)?,
        hidden: row.flag(5)?,
        others: others.filter_map(|(_, seat)| name_at(seat)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bots_have_names_and_free_seats_have_none() {
        let bot = json!({ "kind": "bot", "colour": "y", "level": "adept" });
        assert_eq!(name_at(&bot).as_deref(), Some("Yarrow"));
        let person = json!({ "kind": "person", "colour": "b", "name": "Ann" });
        assert_eq!(name_at(&person).as_deref(), Some("Ann"));
        assert_eq!(name_at(&json!({ "kind": "open", "colour": "r" })), None);
    }
}
