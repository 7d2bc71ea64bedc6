//! Stored games, read back for lists, totals and standings.

use std::collections::BTreeMap;

use crate::storage::{SqlRow, Statement, Storage, StorageError};

/// The maximum number of games that totals and standings count, latest first.
pub const MAX_COUNTED: u32 = 5000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    pub table: String,
    pub game: i64,
    pub ended: i64,
    pub mode: String,
    pub teams: bool,
    pub preset: String,
    pub as_printed: bool,
    pub rated: bool,
    pub agreed: bool,
    pub score: Option<i64>,
    pub seats: Vec<StoredSeat>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSeat {
    pub seat: i64,
    pub person: Option<String>,
    pub name: String,
    pub bot: Option<String>,
    pub team: Option<i64>,
    pub place: Option<i64>,
    pub won: bool,
    pub gain: Option<i64>,
}

impl StoredGame {
    /// The kind for totals: team games are a kind of their own.
    pub fn kind(&self) -> &str {
        if self.teams { "teams" } else { &self.mode }
    }

    /// Whether somebody has won. If nobody has, all players are tied.
    pub fn has_winner(&self) -> bool {
        self.seats.iter().any(|seat| seat.won)
    }

    pub fn seat_of(&self, person: &str) -> Option<&StoredSeat> {
        let is_theirs = |seat: &&StoredSeat| seat.person.as_deref() == Some(person);
        self.seats.iter().find(is_theirs)
    }
}

macro_rules! columns {
    () => {
        "s.table_id, s.game, s.ended, s.mode, s.teams, s.preset, s.as_printed, s.rated, s.agreed, \
         s.score, s.seat, s.person_id, s.name, s.bot, s.team, s.place, s.won, s.gain"
    };
}

/// The games of a person, latest first. Games that ended at the same time are in the order of table and number. The
/// parameters are the person, the position after which they begin (time, table, number) and a limit.
const OF_PERSON: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM results AS s JOIN (SELECT DISTINCT table_id, game, ended FROM results \
     WHERE person_id = $1 AND (ended < $2 OR (ended = $2 AND (table_id > $3 \
     OR (table_id = $3 AND game > $4)))) \
     ORDER BY ended DESC, table_id, game LIMIT $5) AS mine \
     ON mine.table_id = s.table_id AND mine.game = s.game \
     ORDER BY s.ended DESC, s.table_id, s.game, s.seat"
);

/// The games since a time in which a member of a circle played, latest first.
const OF_CIRCLE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM results AS s JOIN (SELECT DISTINCT r.table_id, r.game, r.ended FROM results AS r \
     JOIN circles_people AS c ON c.person_id = r.person_id \
     WHERE c.circle_id = $1 AND c.accepted AND r.ended >= $2 \
     ORDER BY r.ended DESC, r.table_id, r.game LIMIT $3) AS ours \
     ON ours.table_id = s.table_id AND ours.game = s.game \
     ORDER BY s.ended DESC, s.table_id, s.game, s.seat"
);

/// A position in the list of a person's games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    pub ended: i64,
    pub table: String,
    pub game: i64,
}

impl GamePosition {
    /// The beginning of the list.
    pub fn first() -> GamePosition {
        GamePosition {
            ended: i64::MAX,
            table: String::new(),
            game: 0,
        }
    }

    /// Parses the form of [`Display`](std::fmt::Display).
    pub fn parse(text: &str) -> Option<GamePosition> {
        let mut parts = text.splitn(3, '.');
        Some(GamePosition {
            ended: parts.next()?.parse().ok()?,
            game: parts.next()?.parse().ok()?,
            table: parts.next()?.into(),
        })
    }

    pub fn of(game: &StoredGame) -> GamePosition {
        GamePosition {
            ended: game.ended,
            table: game.table.clone(),
            game: game.game,
        }
    }
}

impl std::fmt::Display for GamePosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.ended, self.game, self.table)
    }
}

/// The games of a person after a position.
pub async fn games_of(
    storage: &dyn Storage,
    person: &str,
    after: &GamePosition,
    most: u32,
) -> Result<Vec<StoredGame>, StorageError> {
    let query = Statement::new(OF_PERSON)
        .with(person)
        .with(after.ended)
        .with(&after.table)
        .with(after.game)
        .with(most);
    group(&storage.query(query).await?)
}

/// The games of a circle's members since a time.
pub async fn games_of_circle(
    storage: &dyn Storage,
    circle: &str,
    since: i64,
) -> Result<Vec<StoredGame>, StorageError> {
    let query = Statement::new(OF_CIRCLE)
        .with(circle)
        .with(since)
        .with(MAX_COUNTED);
    group(&storage.query(query).await?)
}

fn group(rows: &[SqlRow]) -> Result<Vec<StoredGame>, StorageError> {
    let mut games: Vec<StoredGame> = Vec::new();
    for row in rows {
        let (table, game) = (row.text(0)?, row.number(1)?);
        let is_same = |last: &StoredGame| last.table == table && last.game == game;
        if !games.last().is_some_and(is_same) {
            games.push(StoredGame {
                table,
                game,
                ended: row.number(2)?,
                mode: row.text(3)?,
                teams: row.flag(4)?,
                preset: row.text(5)?,
                as_printed: row.flag(6)?,
                rated: row.flag(7)?,
                agreed: row.flag(8)?,
                score: row.optional_number(9)?,
                seats: Vec::new(),
            });
        }
        let seat = StoredSeat {
            seat: row.number(10)?,
            person: row.optional_text(11)?,
            name: row.text(12)?,
            bot: row.optional_text(13)?,
            team: row.optional_number(14)?,
            place: row.optional_number(15)?,
            won: row.flag(16)?,
            gain: row.optional_number(17)?,
        };
        if let Some(game) = games.last_mut() {
            game.seats.push(seat);
        }
    }
    Ok(games)
}

/// The people with whom a person has played, with the name of the latest game.
pub async fn companions(
    storage: &dyn Storage,
    person: &str,
) -> Result<BTreeMap<String, String>, StorageError> {
    let query = "SELECT o.person_id, o.name, o.ended FROM results AS o \
                 JOIN results AS m ON m.table_id = o.table_id AND m.game = o.game \
                 WHERE m.person_id = $1 AND o.person_id <> $1 ORDER BY o.ended";
    let rows = storage.query(Statement::new(query).with(person)).await?;
    rows.iter()
        .map(|row| Ok((row.text(0)?, row.text(1)?)))
        .collect()
}
