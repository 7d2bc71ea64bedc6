-- Calling people whose page is closed. Rows end with the person, the device or the table they belong to.

CREATE TABLE push_subscriptions (
    -- The hash of the address.
    id TEXT PRIMARY KEY NOT NULL,
    device_id TEXT NOT NULL UNIQUE REFERENCES person_devices (id) ON DELETE CASCADE,
    -- Address and keys, encrypted.
    sealed TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE TABLE call_settings (
    person_id TEXT PRIMARY KEY NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    language TEXT NOT NULL,
    -- Quiet hours, in minutes after midnight.
    quiet_from BIGINT,
    quiet_to BIGINT,
    -- Minutes by which the person's time is ahead of UTC.
    utc_offset BIGINT NOT NULL,
    -- The hash of the secret in the address of the calendar.
    calendar TEXT
);

CREATE UNIQUE INDEX call_settings_by_calendar ON call_settings (calendar) WHERE calendar IS NOT NULL;

-- Tables to which a person does not want to be called.
CREATE TABLE muted_tables (
    table_id TEXT NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (table_id, key),
    FOREIGN KEY (table_id, key) REFERENCES person_tables (table_id, key) ON DELETE CASCADE
);

-- Open decisions of people who were not connected when they opened. A table waits for one person at a time.
CREATE TABLE open_calls (
    table_id TEXT PRIMARY KEY NOT NULL,
    -- By which the table recognizes the person.
    key TEXT NOT NULL,
    game BIGINT NOT NULL,
    decision BIGINT NOT NULL,
    since BIGINT NOT NULL,
    deadline BIGINT,
    -- The title of the table, and the names of the other players as JSON.
    title TEXT NOT NULL,
    others TEXT NOT NULL,
    -- When the person has to be called, and reminded.
    call_at BIGINT,
    remind_at BIGINT,
    -- Whether a notification may be on a screen.
    called BOOLEAN NOT NULL,
    FOREIGN KEY (table_id, key) REFERENCES person_tables (table_id, key) ON DELETE CASCADE
);

CREATE INDEX open_calls_to_call ON open_calls (call_at) WHERE call_at IS NOT NULL;
CREATE INDEX open_calls_to_remind ON open_calls (remind_at) WHERE remind_at IS NOT NULL;

CREATE TABLE webhooks (
    table_id TEXT PRIMARY KEY NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    -- The address, encrypted.
    sealed TEXT NOT NULL,
    -- json, discord
    form TEXT NOT NULL,
    language TEXT NOT NULL,
    -- Where the server was reached, for links.
    origin TEXT NOT NULL,
    -- The last decision that was sent.
    game BIGINT NOT NULL,
    decision BIGINT NOT NULL
);
