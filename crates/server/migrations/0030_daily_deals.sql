-- The deal of the day: seeds are drawn the day before, and are the same for all servers on a database.
CREATE TABLE daily_deals (
    -- Of UTC, as 2026-11-15.
    day TEXT PRIMARY KEY NOT NULL,
    seed TEXT NOT NULL,
    drawn BIGINT NOT NULL
);
