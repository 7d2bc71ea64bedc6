-- Quiet hours follow the clock of a place, which a fixed distance from UTC does not do all year.

-- The IANA name, such as Europe/Berlin.
ALTER TABLE call_settings ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';

-- These names count from the place to UTC.
UPDATE call_settings SET time_zone = 'Etc/GMT' || CASE
    WHEN utc_offset < 0 THEN '+' || CAST(-utc_offset / 60 AS TEXT)
    ELSE '-' || CAST(utc_offset / 60 AS TEXT)
END;

ALTER TABLE call_settings DROP COLUMN utc_offset;
