//! What is said to both databases in the same words.

/// A new table: name, header, when, stage, whether it is listed, summary, when to wake up.
pub const CREATE: &str = "\
    INSERT INTO tables (id, header, created, stage, listed, summary, wake, visited) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $3) ON CONFLICT DO NOTHING";

/// The entries of a table after a number.
pub const ENTRIES_AFTER: &str = "\
    SELECT line FROM entries WHERE table_id = $1 AND number > $2 ORDER BY number";

/// A table is visited at a time; if it was put away, it is back.
pub const VISIT: &str = "UPDATE tables SET visited = $2, archived = NULL WHERE id = $1";

/// The summaries for the lobby, at most so many.
pub const LISTED: &str = "\
    SELECT summary FROM tables WHERE listed AND archived IS NULL ORDER BY visited DESC LIMIT $1";

/// The summary of a table.
pub const SUMMARY: &str = "SELECT summary FROM tables WHERE id = $1";

/// Puts away what was last visited before a time. A clock that runs is somebody's business, however
/// slow.
pub const ARCHIVE: &str = "\
    UPDATE tables SET archived = $2, wake = NULL \
    WHERE archived IS NULL AND visited < $1 AND (wake IS NULL OR wake < $1)";

/// Whether anybody answers.
pub const CHECK: &str = "SELECT 1";
