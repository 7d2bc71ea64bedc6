-- Whether a person has removed a table from their list. It returns with their next visit.
ALTER TABLE person_tables ADD COLUMN hidden BOOLEAN NOT NULL DEFAULT FALSE;
