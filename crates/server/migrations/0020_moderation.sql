-- What operators do: hide tables, read reports, ban addresses for a time.
ALTER TABLE tables ADD COLUMN hidden BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE reports (
    table_id TEXT NOT NULL REFERENCES tables (id),
    at BIGINT NOT NULL,
    reason TEXT NOT NULL
);

CREATE INDEX reports_by_table ON reports (table_id);

-- Rows are deleted when the time is over.
CREATE TABLE bans (
    network TEXT PRIMARY KEY NOT NULL,
    until BIGINT NOT NULL
);
