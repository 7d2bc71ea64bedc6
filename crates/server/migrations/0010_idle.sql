-- Tables are put away by when they were last visited.
CREATE INDEX tables_by_visit ON tables (visited) WHERE archived IS NULL;
