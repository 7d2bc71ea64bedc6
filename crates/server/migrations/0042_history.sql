-- What people have played. Rows go when their table is deleted.
CREATE TABLE results (
    table_id TEXT NOT NULL REFERENCES tables (id),
    -- The number of the game at its table.
    game BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    -- versus, solo, coop
    mode TEXT NOT NULL,
    teams BOOLEAN NOT NULL,
    -- The edition.
    preset TEXT NOT NULL,
    as_printed BOOLEAN NOT NULL,
    players BIGINT NOT NULL,
    -- Whether the game changed ratings.
    rated BOOLEAN NOT NULL,
    -- Whether it was ended by agreement, without a result.
    agreed BOOLEAN NOT NULL,
    -- In solo and cooperative games.
    score BIGINT,
    person_id TEXT REFERENCES people (id),
    -- The name used at the table.
    name TEXT NOT NULL,
    -- The level of a bot.
    bot TEXT,
    -- The first seat of the team.
    team BIGINT,
    place BIGINT,
    won BOOLEAN NOT NULL,
    -- The change of the person's rating, in millionths.
    gain BIGINT,
    PRIMARY KEY (table_id, game, seat)
);

CREATE INDEX results_by_person ON results (person_id, ended) WHERE person_id IS NOT NULL;

-- Ratings of people and of bots' levels, in millionths.
CREATE TABLE ratings (
    -- versus, teams
    kind TEXT NOT NULL,
    player TEXT NOT NULL,
    -- NULL for bots.
    person_id TEXT REFERENCES people (id),
    rating BIGINT NOT NULL,
    uncertainty BIGINT NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (kind, player)
);

CREATE INDEX ratings_by_person ON ratings (person_id) WHERE person_id IS NOT NULL;

-- Transactions of one subject update its row first, so that they follow one another on all servers.
CREATE TABLE turns (
    subject TEXT PRIMARY KEY NOT NULL,
    -- Drawn by the last transaction.
    holder TEXT NOT NULL
);

-- Whether the results of a person are counted in the distributions that everybody sees.
ALTER TABLE people ADD COLUMN statistics BOOLEAN NOT NULL DEFAULT FALSE;

-- Deals of the day, verified; the best result of each person.
CREATE TABLE daily_results (
    day TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    won BOOLEAN NOT NULL,
    score BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (day, person_id)
);

CREATE INDEX daily_results_by_person ON daily_results (person_id);

-- Groups of people who play together.
CREATE TABLE circles (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    created BIGINT NOT NULL
);

CREATE TABLE circles_people (
    circle_id TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    -- The person's name in this circle.
    name TEXT NOT NULL,
    -- Whether the person has accepted the invitation.
    accepted BOOLEAN NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (circle_id, person_id)
);

CREATE INDEX circles_people_by_person ON circles_people (person_id);
