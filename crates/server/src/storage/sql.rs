//! Statements for both databases.

/// Creates a table: id, header, time, stage, whether it is listed, summary, wake time.
pub const CREATE: &str = "\
    INSERT INTO tables (id, header, created, stage, listed, summary, wake, visited) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $3) ON CONFLICT DO NOTHING";

/// The entries of a table after a number.
pub const ENTRIES_AFTER: &str = "\
    SELECT line FROM entries WHERE table_id = $1 AND number > $2 ORDER BY number";

/// A table's header and the number of its last entry.
pub const HEAD: &str = "\
    SELECT header, COALESCE((SELECT MAX(number) FROM entries WHERE table_id = $1), 0) \
    FROM tables WHERE id = $1";

/// The entries of a table after a number, with a limit.
pub const PAGE: &str = "\
    SELECT line FROM entries WHERE table_id = $1 AND number > $2 ORDER BY number LIMIT $3";

/// Records a visit; an archived table is restored.
pub const VISIT: &str = "UPDATE tables SET visited = $2, archived = NULL WHERE id = $1";

/// Sets the wake time of a table: id, number of the last known entry, time. Nothing is written if it is unchanged.
pub const SET_WAKE: &str = "\
    UPDATE tables SET wake = $3 WHERE id = $1 AND archived IS NULL AND wake IS DISTINCT FROM $3 \
    AND NOT EXISTS (SELECT 1 FROM entries WHERE table_id = $1 AND number > $2)";

/// Tables for the lobby that were visited after a time and are not over, with their summaries and a limit.
pub const LISTED: &str = "\
    SELECT id, summary FROM tables \
    WHERE listed AND NOT hidden AND archived IS NULL AND stage <> 'over' AND visited > $1 \
    ORDER BY visited DESC LIMIT $2";

pub const SUMMARY: &str = "SELECT summary FROM tables WHERE id = $1";

/// Archives tables last visited before a time, except those with a running clock.
pub const ARCHIVE: &str = "\
    UPDATE tables SET archived = $2, wake = NULL \
    WHERE archived IS NULL AND visited < $1 AND (wake IS NULL OR wake < $1)";

/// Tables last visited before a time, oldest first, with a limit.
pub const EXPIRED: &str = "\
    SELECT id FROM tables WHERE visited < $1 AND (wake IS NULL OR wake < $1) \
    ORDER BY visited LIMIT $2";

/// Deletes a table: rows that refer to it first, one statement each.
pub const DELETE: [&str; 4] = [
    "DELETE FROM reports WHERE table_id = $1",
    "DELETE FROM leases WHERE table_id = $1",
    "DELETE FROM entries WHERE table_id = $1",
    "DELETE FROM tables WHERE id = $1",
];

/// Checks that the database responds.
pub const CHECK: &str = "SELECT 1";
