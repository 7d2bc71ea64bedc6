-- Room in every page for new versions of its rows, so that updates of columns without an index touch
-- no index (HOT). The columns with an index change rarely: see `Meta` in storage/mod.rs.
ALTER TABLE tables SET (fillfactor = 80);
ALTER TABLE nodes SET (fillfactor = 50);
