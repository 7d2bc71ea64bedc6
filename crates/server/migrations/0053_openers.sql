-- Who opened a table, as a code that only the servers on this database can compute of an address, and that is another one
-- every day: the lobby lists a few tables of each. Not known of tables at which strangers were
-- brought together.
ALTER TABLE tables ADD COLUMN opener TEXT;
