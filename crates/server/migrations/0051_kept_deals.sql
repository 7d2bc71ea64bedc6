-- Whether the server keeps a person's deals of the day, for their own records. Whether everybody sees them in
-- distributions is another question.
ALTER TABLE people ADD COLUMN keeps_deals BOOLEAN NOT NULL DEFAULT FALSE;

UPDATE people SET keeps_deals = statistics;
