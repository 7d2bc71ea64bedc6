-- Archived tables are deleted by when they were last visited, if they are ever deleted.
CREATE INDEX tables_archived ON tables (visited) WHERE archived IS NOT NULL;
