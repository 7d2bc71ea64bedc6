-- One row per table; what its log says is repeated here only as far as it has to be searched for.
CREATE TABLE tables (
    id TEXT PRIMARY KEY NOT NULL,
    -- The first line of the record.
    header TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- lobby, playing, over
    stage TEXT NOT NULL,
    -- Whether the lobby lists it.
    listed BOOLEAN NOT NULL,
    -- What the lobby shows, as JSON.
    summary TEXT NOT NULL,
    -- When somebody has to look after it: a clock runs out, or a bot is to move.
    wake BIGINT,
    -- When a person was last there.
    visited BIGINT NOT NULL,
    -- Since when it is put away, because nobody came for a long time.
    archived BIGINT
);

CREATE INDEX tables_by_wake ON tables (wake) WHERE wake IS NOT NULL;
CREATE INDEX tables_listed ON tables (visited) WHERE listed;

-- The log: one line of the record per row. The key makes appending optimistic: whoever comes second
-- with a number has lost, reads on, and tries again.
CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables (id),
    number BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
);
