//! Storing results and ratings, exactly once.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use towers_table::{BotLevel, Table};

use super::ratings::{RatedPlayer, RatingKind, ShownRating, SkillRating, rate};
use super::result::{GameResult, SeatResult, finished_games};
use crate::people::People;
use crate::secrets;
use crate::storage::{Statement, Storage, StorageError};

/// How often storing is tried when other games end at the same time.
const MAX_ATTEMPTS: usize = 50;

/// Stores a result and the ratings that follow from it, unless they are stored. Returns whether they were not.
///
/// Ratings are read, computed here, and written only if no other game has changed them in the meantime. So they change
/// in the order in which games are stored.
pub async fn store(
    storage: &dyn Storage,
    people: &People,
    result: &GameResult,
) -> Result<bool, StorageError> {
    let mut refused = None;
    for _ in 0..MAX_ATTEMPTS {
        let owners: BTreeMap<String, String> =
            people.owners(&result.table).await?.into_iter().collect();
        let persons: Vec<Option<String>> = result
            .seats
            .iter()
            .map(|seat| owners.get(seat.key.as_ref()?).cloned())
            .collect();
        match try_store(storage, result, &persons).await {
            Ok(StoreOutcome::New) => return Ok(true),
            Ok(StoreOutcome::AlreadyStored) => return Ok(false),
            Ok(StoreOutcome::LostRace) => {}
            // A person was deleted at this moment, or the table.
            Err(why @ StorageError::Refused(_)) if refused.is_none() => refused = Some(why),
            Err(why) => return Err(why),
        }
    }
    Err(StorageError::Conflict)
}

/// The outcome of an attempt.
enum StoreOutcome {
    New,
    AlreadyStored,
    /// Another game has changed the ratings: try again.
    LostRace,
}

/// An optimistic lock: the row of a subject in the database table `turns`. A write replaces the random `holder` that was
/// read before, and fails if another write was faster.
struct LockRow {
    subject: &'static str,
    old: String,
    new: String,
}

async fn try_store(
    storage: &dyn Storage,
    result: &GameResult,
    persons: &[Option<String>],
) -> Result<StoreOutcome, StorageError> {
    if is_stored(storage, result).await? {
        return Ok(StoreOutcome::AlreadyStored);
    }
    let rating = new_ratings(storage, result, persons).await?;
    let Some((lock, kind, old, new)) = rating else {
        let rows = rows(result, persons, None, &BTreeMap::new());
        let done = storage.transact(rows).await?;
        let is_new = done.iter().any(|done| done.count > 0);
        return Ok(if is_new {
            StoreOutcome::New
        } else {
            StoreOutcome::AlreadyStored
        });
    };
    let take = "UPDATE turns SET holder = $3 WHERE subject = $1 AND holder = $2 \
                AND NOT EXISTS (SELECT 1 FROM results WHERE table_id = $4 AND game = $5)";
    let take = Statement::new(take)
        .with(lock.subject)
        .with(&lock.old)
        .with(&lock.new)
        .with(&result.table)
        .with(result.game);
    let gains = new.iter().map(|(player, rating)| {
        let before = old.get(player).copied();
        let before = before.unwrap_or_else(|| SkillRating::initial(player));
        (player.clone(), rating.stored().0 - before.stored().0)
    });
    let mut statements = vec![take];
    statements.extend(rows(result, persons, Some(&lock), &gains.collect()));
    statements.extend(new.iter().map(|(p, r)| set_rating(&lock, kind, p, r)));
    let done = storage.transact(statements).await?;
    Ok(match done.first() {
        Some(taken) if taken.count > 0 => StoreOutcome::New,
        _ => StoreOutcome::LostRace,
    })
}

async fn is_stored(storage: &dyn Storage, result: &GameResult) -> Result<bool, StorageError> {
    let query = "SELECT game FROM results WHERE table_id = $1 AND game = $2 LIMIT 1";
    let query = Statement::new(query).with(&result.table).with(result.game);
    Ok(!storage.query(query).await?.is_empty())
}

type Ratings = BTreeMap<RatedPlayer, SkillRating>;

/// The ratings before and after a game, if it is rated.
async fn new_ratings(
    storage: &dyn Storage,
    result: &GameResult,
    persons: &[Option<String>],
) -> Result<Option<(LockRow, RatingKind, Ratings, Ratings)>, StorageError> {
    let Some(kind) = RatingKind::of(result) else {
        return Ok(None);
    };
    let player = |(seat, person): (&SeatResult, &Option<String>)| {
        let person = person.clone().map(RatedPlayer::Person);
        person.or(seat.bot.map(RatedPlayer::Bot))
    };
    let players: Vec<Option<RatedPlayer>> = result.seats.iter().zip(persons).map(player).collect();
    // Read the lock first: if the ratings change afterwards, the attempt fails.
    let subject = match kind {
        RatingKind::Versus => "ratings versus",
        RatingKind::Teams => "ratings teams",
    };
    let old = holder(storage, subject).await?;
    let mut ratings = BTreeMap::new();
    for player in players.iter().flatten() {
        let query =
            "SELECT rating, uncertainty, games FROM ratings WHERE kind = $1 AND player = $2";
        let query = Statement::new(query).with(kind.name()).with(player.key());
        if let Some(row) = storage.query(query).await?.first() {
            let rating = SkillRating::from_stored(row.number(0)?, row.number(1)?, row.number(2)?);
            ratings.insert(player.clone(), rating);
        }
    }
    let Some(new) = rate(result, &players, &ratings) else {
        return Ok(None);
    };
    let lock = LockRow {
        subject,
        old,
        new: secrets::token(),
    };
    Ok(Some((lock, kind, ratings, new)))
}

/// The random value that the last write has left in a subject's lock.
async fn holder(storage: &dyn Storage, subject: &str) -> Result<String, StorageError> {
    let query = || Statement::new("SELECT holder FROM turns WHERE subject = $1").with(subject);
    if let Some(row) = storage.query(query()).await?.first() {
        return row.text(0);
    }
    let first = "INSERT INTO turns (subject, holder) VALUES ($1, '') ON CONFLICT DO NOTHING";
    storage
        .transact(vec![Statement::new(first).with(subject)])
        .await?;
    let rows = storage.query(query()).await?;
    rows.first().map_or(Ok(String::new()), |row| row.text(0))
}

/// The name of a mode or an edition in JSON.
pub fn name_of<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(name)) => name,
        _ => String::new(),
    }
}

/// Inserts one row per seat: with a lock, only if this transaction holds it.
fn rows(
    result: &GameResult,
    persons: &[Option<String>],
    lock: Option<&LockRow>,
    gains: &BTreeMap<RatedPlayer, i64>,
) -> Vec<Statement> {
    // A person who was deleted in the meantime is nobody.
    let insert = "INSERT INTO results (table_id, game, seat, ended, mode, teams, preset, as_printed, \
                  players, rated, agreed, score, name, bot, team, place, won, gain, person_id) \
                  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, \
                  $18, (SELECT id FROM people WHERE id = $19) \
                  WHERE $20 = '' OR EXISTS (SELECT 1 FROM turns WHERE subject = $21 AND holder = $20) \
                  ON CONFLICT DO NOTHING";
    let row = |(seat, (of_seat, person)): (usize, (&SeatResult, &Option<String>))| {
        let gain = person
            .clone()
            .and_then(|person| gains.get(&RatedPlayer::Person(person)));
        Statement::new(insert)
            .with(&result.table)
            .with(result.game)
            .with(seat as u64)
            .with(result.ended)
            .with(name_of(&result.mode))
            .with(result.teams)
            .with(name_of(&result.preset))
            .with(result.as_printed)
            .with(result.seats.len() as u64)
            .with(lock.is_some())
            .with(result.agreed)
            .with(result.score.map(i64::from))
            .with(&of_seat.name)
            .with(of_seat.bot.map(BotLevel::name))
            .with(of_seat.team.map(i64::from))
            .with(of_seat.place.map(i64::from))
            .with(of_seat.won)
            .with(gain.copied())
            .with(person.clone())
            .with(lock.map_or("", |lock| lock.new.as_str()))
            .with(lock.map_or("", |lock| lock.subject))
    };
    result
        .seats
        .iter()
        .zip(persons)
        .enumerate()
        .map(row)
        .collect()
}

fn set_rating(
    lock: &LockRow,
    kind: RatingKind,
    player: &RatedPlayer,
    rating: &SkillRating,
) -> Statement {
    let set = "INSERT INTO ratings (kind, player, person_id, rating, uncertainty, games) \
               SELECT $1, $2, (SELECT id FROM people WHERE id = $3), $4, $5, $6 \
               WHERE EXISTS (SELECT 1 FROM turns WHERE subject = $7 AND holder = $8) \
               AND ($3 = '' OR EXISTS (SELECT 1 FROM people WHERE id = $3)) \
               ON CONFLICT (kind, player) DO UPDATE SET rating = $4, uncertainty = $5, games = $6";
    let person = match player {
        RatedPlayer::Person(id) => id.as_str(),
        RatedPlayer::Bot(_) => "",
    };
    let (value, uncertainty) = rating.stored();
    Statement::new(set)
        .with(kind.name())
        .with(player.key())
        .with(person)
        .with(value)
        .with(uncertainty)
        .with(rating.games)
        .with(lock.subject)
        .with(&lock.new)
}

/// Stores the results of a table's finished games that are missing, because a server died between the last entry and
/// the result. Returns how many there were.
pub async fn store_missing(
    storage: &dyn Storage,
    people: &People,
    table: &str,
) -> Result<u32, StorageError> {
    let Some(stored) = storage.load(table).await? else {
        return Ok(0);
    };
    let reading = tokio::task::spawn_blocking(move || GameResult::all_of(&stored.record));
    let results = reading
        .await
        .map_err(|why| StorageError::Failed(why.to_string()))?
        .map_err(|why| StorageError::Corrupt(why.to_string()))?;
    let mut missing = 0;
    for mut result in results {
        // Published records have no id.
        result.table = table.into();
        missing += u32::from(store(storage, people, &result).await?);
    }
    Ok(missing)
}

pub async fn has_missing(storage: &dyn Storage, table: &Table) -> Result<bool, StorageError> {
    let finished = finished_games(table);
    if finished == 0 {
        return Ok(false);
    }
    let query = "SELECT COUNT(DISTINCT game) FROM results WHERE table_id = $1";
    let rows = storage
        .query(Statement::new(query).with(table.id()))
        .await?;
    let count = rows.first().map_or(Ok(0), |row| row.number(0))?;
    Ok(count < i64::from(finished))
}

/// The query of [`without_results`]. Archived tables are older than that and not in the index.
pub const WITHOUT_RESULTS: &str = "\
    SELECT id FROM tables WHERE stage = 'over' AND archived IS NULL AND visited > $1 \
    AND NOT EXISTS (SELECT 1 FROM results WHERE table_id = id) ORDER BY visited LIMIT $2";

/// Tables with a finished game that were visited after a time and have no result at all, with a limit.
pub async fn without_results(
    storage: &dyn Storage,
    visited_after: u64,
    most: u32,
) -> Result<Vec<String>, StorageError> {
    let query = Statement::new(WITHOUT_RESULTS)
        .with(visited_after)
        .with(most);
    let rows = storage.query(query).await?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Removes a name from the results of a table.
pub async fn remove_name(
    storage: &dyn Storage,
    table: &str,
    name: &str,
) -> Result<(), StorageError> {
    let remove = "UPDATE results SET name = 'Guest' WHERE table_id = $1 AND name = $2";
    let remove = Statement::new(remove).with(table).with(name);
    storage.transact(vec![remove]).await.map(drop)
}

/// The ratings of a person by kind.
pub async fn ratings_of(
    storage: &dyn Storage,
    person: &str,
) -> Result<BTreeMap<String, ShownRating>, StorageError> {
    let query = "SELECT kind, rating, uncertainty, games FROM ratings WHERE person_id = $1";
    let rows = storage.query(Statement::new(query).with(person)).await?;
    let read = |row: &crate::storage::SqlRow| {
        let rating = SkillRating::from_stored(row.number(1)?, row.number(2)?, row.number(3)?);
        Ok((row.text(0)?, rating.shown()))
    };
    rows.iter().map(read).collect()
}

/// The ratings of bots by kind and level, those without games included.
pub async fn ratings_of_bots(
    storage: &dyn Storage,
) -> Result<BTreeMap<String, BTreeMap<String, ShownRating>>, StorageError> {
    let query = "SELECT kind, player, rating, uncertainty, games FROM ratings \
                 WHERE person_id IS NULL AND player LIKE 'bot %'";
    let initial = |level: BotLevel| {
        let rating = SkillRating::initial(&RatedPlayer::Bot(level));
        (level.name().to_string(), rating.shown())
    };
    let of_kind = |kind: RatingKind| {
        let levels = BotLevel::ALL.map(initial);
        (kind.name().to_string(), levels.into_iter().collect())
    };
    let mut all: BTreeMap<String, BTreeMap<String, ShownRating>> =
        RatingKind::ALL.map(of_kind).into_iter().collect();
    for row in storage.query(Statement::new(query)).await? {
        let rating = SkillRating::from_stored(row.number(2)?, row.number(3)?, row.number(4)?);
        let player = row.text(1)?;
        let level = player.strip_prefix("bot ").unwrap_or(&player).to_string();
        let kind = all.entry(row.text(0)?).or_default();
        kind.insert(level, rating.shown());
    }
    Ok(all)
}
