-- The log in partitions by table: each has an index of its own, is vacuumed by itself, and can be moved to another disk.
-- Every statement names its tables, so that it reads one partition.
ALTER TABLE entries RENAME TO entries_whole;
ALTER TABLE entries_whole RENAME CONSTRAINT entries_pkey TO entries_whole_pkey;

CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables (id),
    number BIGINT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) PARTITION BY HASH (table_id);

CREATE TABLE entries_0 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE entries_1 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE entries_2 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE entries_3 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE entries_4 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE entries_5 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE entries_6 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE entries_7 PARTITION OF entries FOR VALUES WITH (MODULUS 8, REMAINDER 7);

INSERT INTO entries (table_id, number, line) SELECT table_id, number, line FROM entries_whole;
DROP TABLE entries_whole;
