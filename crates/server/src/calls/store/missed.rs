//! Tables that wait for a person of whom no call is stored, because the server that should have called has died.

use serde_json::Value;
use towers_table::Millis;

use crate::storage::{Statement, Storage, StorageError};

/// The number of seats that are read at once.
const PAGE: usize = 500;

/// A person's seat at a table with a game.
struct PlayedSeat {
    table: String,
    seat: i64,
    /// The seat that the table waits for.
    awaited: Option<i64>,
}

/// Tables without a visit since then that wait for a person to whom no call is stored, at most `most`.
pub async fn missed_tables(
    storage: &dyn Storage,
    visited_before: Millis,
    most: usize,
) -> Result<Vec<String>, StorageError> {
    let mut missed: Vec<String> = Vec::new();
    let mut after = String::new();
    loop {
        let mut seats = played_seats(storage, visited_before, &after).await?;
        let is_last = seats.len() < PAGE;
        if !is_last && let Some(cut) = seats.last().map(|last| last.table.clone()) {
            // Its other seats are on the next page.
            seats.retain(|seat| seat.table != cut);
        }
        let waiting = seats.iter().filter(|seat| seat.awaited == Some(seat.seat));
        missed.extend(waiting.map(|seat| seat.table.clone()));
        missed.truncate(most);
        match seats.pop() {
            Some(last) if !is_last && missed.len() < most => after = last.table,
            _ => return Ok(missed),
        }
    }
}

async fn played_seats(
    storage: &dyn Storage,
    visited_before: Millis,
    after: &str,
) -> Result<Vec<PlayedSeat>, StorageError> {
    let query = "SELECT t.id, p.seat, t.summary FROM tables AS t \
                 JOIN person_tables AS p ON p.table_id = t.id \
                 WHERE t.stage = 'playing' AND t.archived IS NULL AND t.visited < $1 AND t.id > $2 \
                 AND p.seat IS NOT NULL AND NOT EXISTS \
                 (SELECT 1 FROM open_calls AS c WHERE c.table_id = t.id AND c.key = p.key) \
                 ORDER BY t.id LIMIT $3";
    let query = Statement::new(query).with(visited_before).with(after);
    let rows = storage.query(query.with(PAGE as u64)).await?;
    let read = |row: &crate::storage::SqlRow| {
        let summary: Value = serde_json::from_str(&row.text(2)?)
            .map_err(|why| StorageError::Corrupt(why.to_string()))?;
        Ok(PlayedSeat {
            table: row.text(0)?,
            seat: row.number(1)?,
            awaited: summary["waiting"]["seat"].as_i64(),
        })
    };
    rows.iter().map(read).collect()
}
