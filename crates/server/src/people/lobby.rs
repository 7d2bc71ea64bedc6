//! What the client's lobby and first page show of a person, the same on all their devices: tables and invitations.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::value::RawValue;
use towers_rules::Seat;
use towers_table::{OwnTable, OwnTables};

use super::{Identity, People};
use crate::pairing::shown_invitations;
use crate::storage::{SqlRow, Statement, StorageError};
use crate::web::{App, Problem, answer};

/// The maximum number of tables in the lobby: it is read every few seconds.
const MAX_LISTED: u32 = 60;

/// A table of a person in the lobby, with its summary as it is stored.
pub type LobbyRow = OwnTable<Box<RawValue>>;

impl People {
    /// The tables of a person, the most recently visited first.
    pub async fn lobby_of(&self, person: &str) -> Result<Vec<LobbyRow>, StorageError> {
        // Two keys of one person may be known at a table, after two people became one.
        let query = "SELECT p.table_id, MIN(p.seat), MIN(CASE WHEN p.hidden THEN 1 ELSE 0 END), t.summary \
                     FROM person_tables AS p JOIN tables AS t ON t.id = p.table_id \
                     WHERE p.person_id = $1 GROUP BY p.table_id, t.summary, t.visited \
                     ORDER BY t.visited DESC LIMIT $2";
        let query = Statement::new(query).with(person).with(MAX_LISTED);
        let rows = self.storage.query(query).await?;
        rows.iter().map(lobby_row).collect()
    }

    /// Removes a table from a person's list until their next visit. Returns whether it was there.
    pub async fn hide_table(&self, person: &str, table: &str) -> Result<bool, StorageError> {
        let hide = "UPDATE person_tables SET hidden = TRUE WHERE person_id = $1 AND table_id = $2";
        let hide = Statement::new(hide).with(person).with(table);
        let done = self.storage.transact(vec![hide]).await?;
        Ok(done.iter().any(|done| done.count > 0))
    }
}

fn lobby_row(row: &SqlRow) -> Result<LobbyRow, StorageError> {
    let is_hidden = row.number(2)? != 0;
    let summary = RawValue::from_string(row.text(3)?)
        .map_err(|why| StorageError::Corrupt(why.to_string()))?;
    Ok(LobbyRow {
        table: row.text(0)?,
        seat: row
            .optional_number(1)?
            .map(|seat| Seat(seat.unsigned_abs() as u8)),
        summary: (!is_hidden).then_some(summary),
    })
}

/// The tables and invitations of a person. The first page asks, also in browsers that have never played online.
pub async fn show(
    State(app): State<Arc<App>>,
    Identity(person): Identity,
) -> Result<Response, Problem> {
    let Some(me) = person else {
        return Ok(answer(&OwnTables::<Box<RawValue>> {
            tables: Vec::new(),
            invitations: Vec::new(),
        }));
    };
    let shared = app.registry.shared();
    Ok(answer(&OwnTables {
        tables: shared.people.lobby_of(&me.person).await?,
        invitations: shown_invitations(&*shared.storage, &me.person).await?,
    }))
}

/// Removes a table from the list.
pub async fn hide(
    State(app): State<Arc<App>>,
    identity: Identity,
    Path(table): Path<String>,
) -> Result<StatusCode, Problem> {
    let me = identity.required()?;
    let people = &app.registry.shared().people;
    if people.hide_table(&me.person, &table).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::no_table())
    }
}
