-- People without an account: a person is a set of devices, each with a key pair.
CREATE TABLE people (
    id TEXT PRIMARY KEY NOT NULL,
    -- Empty until the person chooses one.
    name TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- Whether a second device was ever added. From then on a token alone does not open the person's seats, so that a
    -- removed device has lost them.
    guarded BOOLEAN NOT NULL,
    -- The hash of the recovery code.
    recovery TEXT,
    -- When the person asked to be deleted; the row goes when that is finished.
    deleted BIGINT
);

CREATE UNIQUE INDEX people_by_recovery ON people (recovery) WHERE recovery IS NOT NULL;
CREATE INDEX people_to_delete ON people (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE person_devices (
    id TEXT PRIMARY KEY NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    -- The hash of the device's public key.
    public_key TEXT NOT NULL UNIQUE,
    -- The browser and the system, for the list of devices.
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    -- When it was last used, to the day.
    used BIGINT NOT NULL
);

CREATE INDEX person_devices_by_person ON person_devices (person_id);

CREATE TABLE person_sessions (
    -- The hash of the cookie.
    hash TEXT PRIMARY KEY NOT NULL,
    device_id TEXT NOT NULL REFERENCES person_devices (id),
    expires BIGINT NOT NULL,
    -- When it was last prolonged.
    used BIGINT NOT NULL
);

CREATE INDEX person_sessions_by_device ON person_sessions (device_id);
CREATE INDEX person_sessions_by_expiry ON person_sessions (expires);

-- Invitations of another device. The phrase is not stored: only a hash of it, and a bundle encrypted with it.
CREATE TABLE person_links (
    lookup TEXT PRIMARY KEY NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    bundle TEXT NOT NULL,
    expires BIGINT NOT NULL
);

CREATE INDEX person_links_by_person ON person_links (person_id);

-- Which keys at tables belong to which person.
CREATE TABLE person_tables (
    -- Servers of an earlier version delete tables without knowing of this one.
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    -- By which the table recognizes the person.
    key TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    -- The seat, while the person has one.
    seat BIGINT,
    since BIGINT NOT NULL,
    PRIMARY KEY (table_id, key)
);

CREATE INDEX person_tables_by_person ON person_tables (person_id);

-- Hashes of the ids of removed devices, for a few minutes: every server closes their sockets.
CREATE TABLE ended_devices (
    device TEXT PRIMARY KEY NOT NULL,
    at BIGINT NOT NULL
);

-- Keys that all servers on this database share.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
);
