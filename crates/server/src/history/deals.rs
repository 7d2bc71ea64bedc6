//! Results of the deal of the day. A record is replayed before it counts; the seed has to be that of the day.

use serde::{Deserialize, Serialize};
use towers_client::daily::plan;
use towers_table::{Command, Ending, Millis, Record, Seed, Settings, Who, verify};

use super::totals::{Streaks, daily_streak};
use crate::storage::{Statement, Storage, StorageError};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DailyResult {
    pub won: bool,
    /// The number of discarded cards: the fewer, the better.
    pub score: i64,
}

/// Why a record does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DailyRefusal {
    #[error("the record is not valid: {0}")]
    Invalid(String),
    #[error("the record is not of the deal of this day")]
    OtherDeal,
    #[error("the record is of another kind of game")]
    OtherGame,
    #[error("the game is not over")]
    NotOver,
}

/// Verifies the record of a deal of the day.
pub fn verify_deal(text: &str, day: &str, seed: &Seed) -> Result<DailyResult, DailyRefusal> {
    let record = Record::from_text(text).map_err(|why| DailyRefusal::Invalid(why.to_string()))?;
    if !is_same_game(&record.header.settings, &plan(day, "x").settings) {
        return Err(DailyRefusal::OtherGame);
    }
    // One person plays, and nothing else is changed.
    let is_play = |entry: &towers_table::Entry| {
        let by_person = matches!(entry.by, Who::Person(_));
        let command = matches!(
            entry.command,
            Command::Sit { .. }
                | Command::Start
                | Command::Act { .. }
                | Command::Ready { .. }
                | Command::PassAhead { .. }
                | Command::Stops { .. }
                | Command::Leave
        );
        by_person && command
    };
    if !record.entries.iter().all(is_play) {
        return Err(DailyRefusal::OtherGame);
    }
    let verified = verify(&record).map_err(|why| DailyRefusal::Invalid(why.to_string()))?;
    let [game] = &verified.games[..] else {
        return Err(DailyRefusal::OtherGame);
    };
    if game.seed != *seed {
        return Err(DailyRefusal::OtherDeal);
    }
    match game.ending {
        Some(Ending::Played(outcome)) => Ok(DailyResult {
            won: !outcome.winners.is_empty(),
            score: i64::from(outcome.score.unwrap_or(0)),
        }),
        Some(Ending::Agreed) | None => Err(DailyRefusal::NotOver),
    }
}

/// Whether two settings are of the same game, whatever else is set at the table.
fn is_same_game(one: &Settings, other: &Settings) -> bool {
    let game = |s: &Settings| (s.preset, s.seats, s.options, s.spells, s.start);
    game(one) == game(other)
}

/// The seed of a day, if it was drawn. Only days that have begun may be asked for.
pub async fn seed_of(storage: &dyn Storage, day: &str) -> Result<Option<Seed>, StorageError> {
    let query = Statement::new("SELECT seed FROM daily_deals WHERE day = $1").with(day);
    let rows = storage.query(query).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let seed = row.text(0)?.parse();
    seed.map(Some)
        .map_err(|why: towers_table::NotHex| StorageError::Corrupt(why.to_string()))
}

/// Stores a result, if the person wants it kept and it is their best of the day. Returns the best.
pub async fn store_deal(
    storage: &dyn Storage,
    person: &str,
    day: &str,
    result: DailyResult,
    now: Millis,
) -> Result<DailyResult, StorageError> {
    let store = "INSERT INTO daily_results (day, person_id, won, score, at) \
                 SELECT $1, id, $3, $4, $5 FROM people WHERE id = $2 AND keeps_deals \
                 ON CONFLICT (day, person_id) DO UPDATE SET won = $3, score = $4, at = $5 \
                 WHERE ($3 AND NOT daily_results.won) \
                 OR ($3 = daily_results.won AND $4 < daily_results.score)";
    let store = Statement::new(store)
        .with(day)
        .with(person)
        .with(result.won)
        .with(result.score)
        .with(now);
    storage.transact(vec![store]).await?;
    Ok(deal_of(storage, person, day).await?.unwrap_or(result))
}

/// A person's result of a day.
pub async fn deal_of(
    storage: &dyn Storage,
    person: &str,
    day: &str,
) -> Result<Option<DailyResult>, StorageError> {
    let query = "SELECT won, score FROM daily_results WHERE person_id = $1 AND day = $2";
    let query = Statement::new(query).with(person).with(day);
    let rows = storage.query(query).await?;
    let read = |row: &crate::storage::SqlRow| {
        Ok(DailyResult {
            won: row.flag(0)?,
            score: row.number(1)?,
        })
    };
    rows.first().map(read).transpose()
}

/// How many people have a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreCount {
    pub won: bool,
    pub score: i64,
    pub people: i64,
}

/// The results of a day of all people who take part in statistics, best first.
pub async fn board(storage: &dyn Storage, day: &str) -> Result<Vec<ScoreCount>, StorageError> {
    let query = "SELECT r.won, r.score, COUNT(*) FROM daily_results AS r \
                 JOIN people AS p ON p.id = r.person_id WHERE r.day = $1 AND p.statistics \
                 GROUP BY r.won, r.score ORDER BY r.won DESC, r.score";
    counts(storage, Statement::new(query).with(day)).await
}

/// The best results in solo games at tables, as printed, of all people who take part in statistics, best first.
pub async fn solo_board(
    storage: &dyn Storage,
    edition: &str,
) -> Result<Vec<ScoreCount>, StorageError> {
    let query = "SELECT TRUE, b.best, COUNT(*) FROM \
                 (SELECT r.person_id, MIN(r.score) AS best FROM results AS r \
                  JOIN people AS p ON p.id = r.person_id \
                  WHERE r.mode = 'solo' AND r.won AND r.as_printed AND r.preset = $1 \
                  AND p.statistics GROUP BY r.person_id) AS b \
                 GROUP BY b.best ORDER BY b.best";
    counts(storage, Statement::new(query).with(edition)).await
}

async fn counts(storage: &dyn Storage, query: Statement) -> Result<Vec<ScoreCount>, StorageError> {
    let rows = storage.query(query).await?;
    let read = |row: &crate::storage::SqlRow| {
        Ok(ScoreCount {
            won: row.flag(0)?,
            score: row.number(1)?,
            people: row.number(2)?,
        })
    };
    rows.iter().map(read).collect()
}

/// The deals of a person: how many, how many won, the best score, and days in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DailyTotals {
    pub days: u32,
    pub won: u32,
    pub best: Option<i64>,
    pub streak: Streaks,
}

/// The deals of a person. `today` is a day as in `2026-11-15`.
pub async fn daily_totals(
    storage: &dyn Storage,
    person: &str,
    today: &str,
) -> Result<DailyTotals, StorageError> {
    let query = "SELECT day, won, score FROM daily_results WHERE person_id = $1 ORDER BY day DESC";
    let rows = storage.query(Statement::new(query).with(person)).await?;
    let mut totals = DailyTotals::default();
    let mut days = Vec::new();
    for row in &rows {
        totals.days += 1;
        if row.flag(1)? {
            totals.won += 1;
            totals.best = totals.best.into_iter().chain([row.number(2)?]).min();
        }
        days.extend(crate::daily::day_number(&row.text(0)?));
    }
    let today = crate::daily::day_number(today).unwrap_or_default();
    totals.streak = daily_streak(&days, today);
    Ok(totals)
}

/// A person's choices about their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreWishes {
    /// Whether the server keeps the deals of the day, for the person alone.
    pub keeps_deals: bool,
    /// Whether the results are counted in what everybody sees.
    pub statistics: bool,
}

/// Sets the wishes of a person.
pub async fn set_wishes(
    storage: &dyn Storage,
    person: &str,
    wishes: ScoreWishes,
) -> Result<(), StorageError> {
    let set = "UPDATE people SET keeps_deals = $2, statistics = $3 WHERE id = $1";
    let set = Statement::new(set).with(person);
    let set = set.with(wishes.keeps_deals).with(wishes.statistics);
    storage.transact(vec![set]).await.map(drop)
}

pub async fn wishes_of(storage: &dyn Storage, person: &str) -> Result<ScoreWishes, StorageError> {
    let query = "SELECT keeps_deals, statistics FROM people WHERE id = $1";
    let rows = storage.query(Statement::new(query).with(person)).await?;
    let Some(row) = rows.first() else {
        return Ok(ScoreWishes::default());
    };
    Ok(ScoreWishes {
        keeps_deals: row.flag(0)?,
        statistics: row.flag(1)?,
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use towers_client::LocalTable;
    use towers_table::{Decider, Hex, PersonId, Table};

    pub const DAY: &str = "2026-11-15";

    /// The record of a finished deal, played at random.
    pub fn deal_record(seed: &Seed) -> Record {
        let local = LocalTable::open("local", &plan(DAY, "Ann"), 5, seed).unwrap();
        let mut record = local.record().clone();
        let mut table: Table = record.rebuild().unwrap();
        while let Some(waiting) = table.waiting_for() {
            assert!(matches!(waiting.by, Decider::Person(_)));
            let legal = table.legal(waiting.seat);
            let action = legal[waiting.decision as usize * 7 % legal.len()];
            let decision = Some(waiting.decision);
            let act = Command::Act { action, decision };
            let by = Who::Person(PersonId(0));
            record.entries.push(table.submit(9, by, act, seed).unwrap());
        }
        record
    }

    #[test]
    fn a_deal_is_verified_by_replaying_it() {
        let seed = Hex([4; 32]);
        let record = deal_record(&seed);
        let text = record.to_text();
        assert!(text.len() < 64 * 1024, "{} bytes", text.len());
        let result = verify_deal(&text, DAY, &seed).unwrap();
        assert!(result.score > 0);
        // The deal of another day.
        let other = verify_deal(&text, DAY, &Hex([5; 32]));
        assert_eq!(other, Err(DailyRefusal::OtherDeal));
        // A game that is not over.
        let mut cut = record.clone();
        cut.entries.pop();
        let cut = verify_deal(&cut.to_text(), DAY, &seed);
        assert_eq!(cut, Err(DailyRefusal::NotOver));
        // A forged seed, result, or other rules.
        let mut forged = record.clone();
        let start = forged.entries.iter_mut().find(|e| e.begins_game()).unwrap();
        start.seed = Some(Hex([6; 32]));
        let forged = verify_deal(&forged.to_text(), DAY, &Hex([6; 32]));
        assert!(
            matches!(forged, Err(DailyRefusal::Invalid(_))),
            "{forged:?}"
        );
        let mut easier = record.clone();
        easier.header.settings.options.max_rounds = Some(1);
        let easier = verify_deal(&easier.to_text(), DAY, &seed);
        assert_eq!(easier, Err(DailyRefusal::OtherGame));
        let mut better = record;
        if let Some(Ending::Played(outcome)) = &mut better.entries.last_mut().unwrap().over {
            outcome.score = Some(3);
        }
        let better = verify_deal(&better.to_text(), DAY, &seed);
        assert!(
            matches!(better, Err(DailyRefusal::Invalid(_))),
            "{better:?}"
        );
    }
}
