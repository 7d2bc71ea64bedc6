-- Passkeys: another way to the same person, which browsers and password managers carry between devices.
CREATE TABLE person_passkeys (
    -- The hash of the credential's id.
    id TEXT PRIMARY KEY NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    -- The credential's id, encrypted. Browsers are told it, so that they make no second passkey in the same place.
    sealed TEXT NOT NULL,
    -- A COSE key in base64url.
    public_key TEXT NOT NULL,
    -- The COSE number of the algorithm.
    algorithm BIGINT NOT NULL,
    -- How often it was used, if the authenticator counts. A number that does not grow belongs to a copy.
    counter BIGINT NOT NULL,
    -- The browser and the system where it was made.
    label TEXT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL
);

CREATE INDEX person_passkeys_by_person ON person_passkeys (person_id);

-- Hashes of challenges that were answered with a passkey, until they are too old anyway: each is answered once, at any
-- server.
CREATE TABLE used_challenges (
    hash TEXT PRIMARY KEY NOT NULL,
    at BIGINT NOT NULL
);

CREATE INDEX used_challenges_by_time ON used_challenges (at);

-- By which the table recognizes the host who set its webhook. Unknown for earlier ones.
ALTER TABLE webhooks ADD COLUMN key TEXT;
