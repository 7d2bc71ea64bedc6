//! Statements for both databases.

/// Creates a table: id, header, time, stage, whether it is listed, summary, wake time, opener.
pub const CREATE: &str = "\
    INSERT INTO tables (id, header, created, stage, listed, summary, wake, visited, opener) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $3, $8) ON CONFLICT DO NOTHING";

/// The log of a table after a number: number, entry, packed chunk.
pub const LOG_AFTER: &str = "\
    SELECT number, NULL AS line, lines FROM packed_logs WHERE table_id = $1 AND number > $2 \
    UNION ALL SELECT number, line, NULL FROM entries WHERE table_id = $1 AND number > $2 \
    ORDER BY number";

/// The same with a limit.
pub const LOG_PAGE: &str = "\
    SELECT number, NULL AS line, lines FROM packed_logs WHERE table_id = $1 AND number > $2 \
    UNION ALL SELECT number, line, NULL FROM entries WHERE table_id = $1 AND number > $2 \
    ORDER BY number LIMIT $3";

/// A table's header and the number of its last entry.
pub const HEAD: &str = "\
    SELECT header, COALESCE((SELECT MAX(number) FROM entries WHERE table_id = $1), \
                            (SELECT MAX(number) FROM packed_logs WHERE table_id = $1), 0) \
    FROM tables WHERE id = $1";

/// Tables with a finished game that are not packed and were last visited before a time, with a limit; each with the
/// number of its last packed entry.
pub const UNPACKED: &str = "\
    SELECT id, COALESCE((SELECT MAX(number) FROM packed_logs WHERE table_id = id), 0) \
    FROM tables WHERE stage = 'over' AND NOT packed AND visited < $1 ORDER BY visited LIMIT $2";

/// Adds a chunk of a log: table, number of its last entry, contents, time.
pub const ADD_CHUNK: &str = "\
    INSERT INTO packed_logs (table_id, number, lines, packed_at) VALUES ($1, $2, $3, $4) \
    ON CONFLICT DO NOTHING";

pub const MARK_PACKED: &str = "UPDATE tables SET packed = TRUE WHERE id = $1 AND stage = 'over'";

/// Tables with chunks that were added before a time and whose entries are not yet deleted, with a limit.
pub const UNTRIMMED: &str = "\
    SELECT DISTINCT table_id FROM packed_logs WHERE packed_at < $1 LIMIT $2";

/// Draws the seed of a day, unless there is one: day, seed, time.
pub const DRAW_DEAL: &str = "\
    INSERT INTO daily_deals (day, seed, drawn) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";

pub const DEAL: &str = "SELECT seed, drawn FROM daily_deals WHERE day = $1";

/// Records a visit; an archived table is restored.
pub const VISIT: &str = "UPDATE tables SET visited = $2, archived = NULL WHERE id = $1";

/// Sets the wake time of a table: id, number of the last known entry, time. Nothing is written if it is unchanged.
pub const SET_WAKE: &str = "\
    UPDATE tables SET wake = $3 WHERE id = $1 AND archived IS NULL AND wake IS DISTINCT FROM $3 \
    AND NOT EXISTS (SELECT 1 FROM entries WHERE table_id = $1 AND number > $2)";

/// Tables for the lobby that were visited after a time and are not over, with their summaries, a limit, and a limit for
/// each opener. The limit of those considered bounds the work; it is far more than the list has.
pub const LISTED: &str = "\
    SELECT t.id, t.summary FROM ( \
        SELECT id, ROW_NUMBER() OVER (PARTITION BY COALESCE(opener, id) ORDER BY visited DESC) AS place \
        FROM (SELECT id, opener, visited FROM tables \
              WHERE listed AND NOT hidden AND archived IS NULL AND stage <> 'over' AND visited > $1 \
              ORDER BY visited DESC LIMIT 1000) AS latest \
    ) AS fresh JOIN tables AS t ON t.id = fresh.id \
    WHERE place <= $3 ORDER BY t.visited DESC LIMIT $2";

pub const SUMMARY: &str = "SELECT summary FROM tables WHERE id = $1";

/// Archives tables last visited before a time, except those with a running clock.
pub const ARCHIVE: &str = "\
    UPDATE tables SET archived = $2, wake = NULL \
    WHERE archived IS NULL AND visited < $1 AND (wake IS NULL OR wake < $1)";

/// Tables last visited before a time, oldest first, with a limit. Each half has an index.
pub const EXPIRED: &str = "\
    SELECT id FROM (SELECT id, visited, wake FROM tables WHERE archived IS NULL AND visited < $1 \
                    UNION ALL SELECT id, visited, wake FROM tables \
                    WHERE archived IS NOT NULL AND visited < $1) AS old \
    WHERE wake IS NULL OR wake < $1 ORDER BY visited LIMIT $2";

/// Deletes a table: rows that refer to it first, one statement each.
pub const DELETE: [&str; 8] = [
    "DELETE FROM invitations WHERE table_id = $1",
    "DELETE FROM results WHERE table_id = $1",
    "DELETE FROM person_tables WHERE table_id = $1",
    "DELETE FROM reports WHERE table_id = $1",
    "DELETE FROM packed_logs WHERE table_id = $1",
    "DELETE FROM leases WHERE table_id = $1",
    "DELETE FROM entries WHERE table_id = $1",
    "DELETE FROM tables WHERE id = $1",
];

/// Checks that the database responds.
pub const CHECK: &str = "SELECT 1";
