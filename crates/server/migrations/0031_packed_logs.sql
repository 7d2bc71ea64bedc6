-- Logs of finished games, compressed. A chunk has the entries of a table up to a number; those before it are in earlier
-- chunks.
CREATE TABLE packed_logs (
    table_id TEXT NOT NULL REFERENCES tables (id),
    -- The number of the last entry in the chunk.
    number BIGINT NOT NULL,
    lines BYTEA NOT NULL,
    -- When the chunk was written. NULL: the same entries have been deleted from `entries`.
    packed_at BIGINT,
    PRIMARY KEY (table_id, number)
);

CREATE INDEX packed_logs_to_trim ON packed_logs (packed_at) WHERE packed_at IS NOT NULL;

-- Whether the log of a finished game is packed.
ALTER TABLE tables ADD COLUMN packed BOOLEAN NOT NULL DEFAULT FALSE;

CREATE INDEX tables_to_pack ON tables (visited) WHERE stage = 'over' AND NOT packed;
