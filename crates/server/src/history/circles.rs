//! Circles: people who play together, with standings of their own.

use std::collections::BTreeMap;

use towers_table::{Millis, TITLE_CHARS, clean};

use super::games::companions;
use crate::secrets;
use crate::storage::{Statement, Storage, StorageError};

/// The maximum number of circles of a person, invitations included.
const MAX_CIRCLES: i64 = 50;
/// The maximum number of people in a circle, invited ones included.
const MAX_MEMBERS: i64 = 50;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    pub id: String,
    pub name: String,
    pub created: i64,
    /// Whether the person has accepted the invitation.
    pub accepted: bool,
}

/// A member of a circle, or somebody who is invited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CircleMember {
    pub person: String,
    pub name: String,
    pub accepted: bool,
    pub since: i64,
}

/// Why a circle cannot be changed in this way.
#[derive(Debug, thiserror::Error)]
pub enum CircleError {
    #[error("a circle has a name of 1 to {TITLE_CHARS} characters")]
    Name,
    #[error("there is no such circle")]
    NoCircle,
    #[error("there are too many circles or members")]
    TooMany,
    #[error("you can only invite people with whom you have played")]
    NotKnown,
    #[error("{0}")]
    Storage(#[from] StorageError),
}

fn clean_name(name: &str) -> Result<String, CircleError> {
    clean(name, TITLE_CHARS).map_err(|_| CircleError::Name)
}

/// The name of a person in circles: the chosen one, or that of the last game.
pub async fn name_of_person(storage: &dyn Storage, person: &str) -> Result<String, StorageError> {
    let query = "SELECT p.name, (SELECT r.name FROM results AS r WHERE r.person_id = p.id \
                 ORDER BY r.ended DESC LIMIT 1) FROM people AS p WHERE p.id = $1";
    let rows = storage.query(Statement::new(query).with(person)).await?;
    let Some(row) = rows.first() else {
        return Ok(String::new());
    };
    let chosen = row.text(0)?;
    if chosen.is_empty() {
        Ok(row.optional_text(1)?.unwrap_or_default())
    } else {
        Ok(chosen)
    }
}

/// Makes a circle, whose first member is its maker. Returns its id.
pub async fn create(
    storage: &dyn Storage,
    person: &str,
    name: &str,
    now: Millis,
) -> Result<String, CircleError> {
    let name = clean_name(name)?;
    let own_name = name_of_person(storage, person).await?;
    let id = secrets::table_id();
    let limit = "SELECT COUNT(*) FROM circles_people WHERE person_id = $1";
    let rows = storage.query(Statement::new(limit).with(person)).await?;
    if rows.first().map_or(Ok(0), |row| row.number(0))? >= MAX_CIRCLES {
        return Err(CircleError::TooMany);
    }
    let circle = "INSERT INTO circles (id, name, created) VALUES ($1, $2, $3)";
    let member = "INSERT INTO circles_people (circle_id, person_id, name, accepted, since) \
                  VALUES ($1, $2, $3, TRUE, $4)";
    let statements = vec![
        Statement::new(circle).with(&id).with(name).with(now),
        Statement::new(member)
            .with(&id)
            .with(person)
            .with(own_name)
            .with(now),
    ];
    storage.transact(statements).await?;
    Ok(id)
}

/// The circles of a person, with open invitations.
pub async fn circles_of(storage: &dyn Storage, person: &str) -> Result<Vec<Circle>, StorageError> {
    let query = "SELECT c.id, c.name, c.created, m.accepted FROM circles AS c \
                 JOIN circles_people AS m ON m.circle_id = c.id \
                 WHERE m.person_id = $1 ORDER BY c.created DESC";
    let rows = storage.query(Statement::new(query).with(person)).await?;
    let read = |row: &crate::storage::SqlRow| {
        Ok(Circle {
            id: row.text(0)?,
            name: row.text(1)?,
            created: row.number(2)?,
            accepted: row.flag(3)?,
        })
    };
    rows.iter().map(read).collect()
}

/// The circle of a person with this id; an error if they are not in it, or are only invited.
pub async fn circle_of(
    storage: &dyn Storage,
    person: &str,
    id: &str,
) -> Result<Circle, CircleError> {
    let circles = circles_of(storage, person).await?;
    let mut circles = circles.into_iter().filter(|c| c.accepted);
    circles.find(|c| c.id == id).ok_or(CircleError::NoCircle)
}

/// The people of a circle, invited ones included.
pub async fn members(
    storage: &dyn Storage,
    circle: &str,
) -> Result<Vec<CircleMember>, StorageError> {
    let query = "SELECT person_id, name, accepted, since FROM circles_people \
                 WHERE circle_id = $1 ORDER BY since, person_id";
    let rows = storage.query(Statement::new(query).with(circle)).await?;
    let read = |row: &crate::storage::SqlRow| {
        Ok(CircleMember {
            person: row.text(0)?,
            name: row.text(1)?,
            accepted: row.flag(2)?,
            since: row.number(3)?,
        })
    };
    rows.iter().map(read).collect()
}

pub async fn rename(
    storage: &dyn Storage,
    person: &str,
    circle: &str,
    name: &str,
) -> Result<(), CircleError> {
    let name = clean_name(name)?;
    circle_of(storage, person, circle).await?;
    let rename = "UPDATE circles SET name = $2 WHERE id = $1";
    let rename = Statement::new(rename).with(circle).with(name);
    storage.transact(vec![rename]).await?;
    Ok(())
}

/// Invites a person with whom the inviter has played.
pub async fn invite(
    storage: &dyn Storage,
    inviter: &str,
    circle: &str,
    invited: &str,
    now: Millis,
) -> Result<(), CircleError> {
    circle_of(storage, inviter, circle).await?;
    let known = companions(storage, inviter).await?;
    let name = known.get(invited).ok_or(CircleError::NotKnown)?;
    let counts = "SELECT (SELECT COUNT(*) FROM circles_people WHERE circle_id = $1), \
                  (SELECT COUNT(*) FROM circles_people WHERE person_id = $2)";
    let counts = Statement::new(counts).with(circle).with(invited);
    let rows = storage.query(counts).await?;
    let (members, circles) = match rows.first() {
        Some(row) => (row.number(0)?, row.number(1)?),
        None => (0, 0),
    };
    if members >= MAX_MEMBERS || circles >= MAX_CIRCLES {
        return Err(CircleError::TooMany);
    }
    let insert = "INSERT INTO circles_people (circle_id, person_id, name, accepted, since) \
                  SELECT $1, id, $3, FALSE, $4 FROM people WHERE id = $2 ON CONFLICT DO NOTHING";
    let insert = Statement::new(insert)
        .with(circle)
        .with(invited)
        .with(name)
        .with(now);
    storage.transact(vec![insert]).await?;
    Ok(())
}

/// The people who finished a game at a table together with a person.
pub async fn company(
    storage: &dyn Storage,
    person: &str,
    table: &str,
) -> Result<BTreeMap<String, String>, StorageError> {
    let query = "SELECT o.person_id, o.name FROM results AS o \
                 JOIN results AS m ON m.table_id = o.table_id AND m.game = o.game \
                 WHERE o.table_id = $1 AND m.person_id = $2 AND o.person_id <> $2 ORDER BY o.ended";
    let query = Statement::new(query).with(table).with(person);
    let rows = storage.query(query).await?;
    rows.iter()
        .map(|row| Ok((row.text(0)?, row.text(1)?)))
        .collect()
}

pub async fn accept(
    storage: &dyn Storage,
    person: &str,
    circle: &str,
    now: Millis,
) -> Result<(), CircleError> {
    let accept = "UPDATE circles_people SET accepted = TRUE, since = $3 \
                  WHERE circle_id = $1 AND person_id = $2 AND NOT accepted \
                  AND EXISTS (SELECT 1 FROM circles WHERE id = $1)";
    let accept = Statement::new(accept).with(circle).with(person).with(now);
    let done = storage.transact(vec![accept]).await?;
    match done.first() {
        Some(done) if done.count > 0 => Ok(()),
        _ => circle_of(storage, person, circle).await.map(drop),
    }
}

/// Leaves a circle, or declines its invitation. A circle without members is deleted.
pub async fn leave(storage: &dyn Storage, person: &str, circle: &str) -> Result<(), CircleError> {
    let leave = "DELETE FROM circles_people WHERE circle_id = $1 AND person_id = $2";
    let last = "DELETE FROM circles WHERE id = $1 \
                AND NOT EXISTS (SELECT 1 FROM circles_people WHERE circle_id = $1 AND accepted)";
    let invited = "DELETE FROM circles_people WHERE circle_id = $1 \
                   AND NOT EXISTS (SELECT 1 FROM circles WHERE id = $1)";
    let statements = vec![
        Statement::new(leave).with(circle).with(person),
        Statement::new(last).with(circle),
        Statement::new(invited).with(circle),
    ];
    let done = storage.transact(statements).await?;
    match done.first() {
        Some(done) if done.count > 0 => Ok(()),
        _ => Err(CircleError::NoCircle),
    }
}
