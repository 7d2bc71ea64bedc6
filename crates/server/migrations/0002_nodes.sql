-- Where several servers share one database: who is alive, and who looks after which table.
CREATE TABLE nodes (
    node TEXT PRIMARY KEY NOT NULL,
    -- When it last said so, in milliseconds of the database's clock.
    seen BIGINT NOT NULL,
    -- Since when there has always been a server.
    since BIGINT NOT NULL
);

CREATE TABLE leases (
    table_id TEXT PRIMARY KEY NOT NULL REFERENCES tables (id),
    node TEXT NOT NULL
);
