-- People who wait for a game with others, on all servers. Each person waits once.
CREATE TABLE waiting_people (
    person_id TEXT PRIMARY KEY NOT NULL REFERENCES people (id),
    -- The name to sit down with.
    name TEXT NOT NULL,
    -- What the person wants to play, as JSON.
    wish TEXT NOT NULL,
    -- Whether bots may take the open seats.
    bots BOOLEAN NOT NULL,
    since BIGINT NOT NULL,
    -- When the person's connection was last there.
    seen BIGINT NOT NULL,
    -- The request that keeps the row alive.
    request TEXT NOT NULL,
    -- The table that was opened for the person.
    table_id TEXT
);

-- Invitations of people of one's history to a table.
CREATE TABLE invitations (
    table_id TEXT NOT NULL REFERENCES tables (id),
    -- Who is invited.
    person_id TEXT NOT NULL REFERENCES people (id),
    inviter TEXT NOT NULL REFERENCES people (id),
    -- The name of the inviter.
    name TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (table_id, person_id, inviter)
);

CREATE INDEX invitations_by_person ON invitations (person_id);
CREATE INDEX invitations_by_inviter ON invitations (inviter);
