//! The API of circles.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use towers_table::ErrorCode;

use super::circles::{self, CircleError};
use super::games::{companions, games_of_circle};
use super::references::{reference, resolve};
use super::standings::standings;
use crate::people::Identity;
use crate::tables::Shared;
use crate::web::{App, CostlyRead, Problem, answer, parse};

/// The routes below `/api`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/circles", get(list).post(create))
        .route("/circles/{circle}", get(show))
        .route("/circles/{circle}/name", post(rename))
        .route("/circles/{circle}/invite", post(invite))
        .route("/circles/{circle}/accept", post(accept))
        .route("/circles/{circle}/leave", post(leave))
}

impl From<CircleError> for Problem {
    fn from(why: CircleError) -> Problem {
        let (status, code) = match why {
            CircleError::Name => (StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::BadText),
            CircleError::NoCircle => (StatusCode::NOT_FOUND, ErrorCode::Nothing),
            CircleError::TooMany => (StatusCode::CONFLICT, ErrorCode::TooMany),
            CircleError::NotKnown => (StatusCode::FORBIDDEN, ErrorCode::UnknownPerson),
            CircleError::Storage(why) => return why.into(),
        };
        Problem::new(status, code, &why.to_string())
    }
}

/// The body of a request for a circle.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewCircle {
    name: String,
    /// A table: everybody with whom the person finished a game there is invited.
    table: Option<String>,
}

/// The body of a request for another name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RenamedCircle {
    name: String,
}

/// The body of requests about another person.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InvitedPerson {
    /// The reference to the person.
    person: String,
}

fn shared_of(app: &App) -> &Shared {
    app.registry.shared()
}

async fn list(State(app): State<Arc<App>>, identity: Identity) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let list = circles::circles_of(&*shared_of(&app).storage, &person).await?;
    let list: Vec<Value> = list
        .iter()
        .map(|c| {
            json!({ "circle": c.id, "name": c.name, "created": c.created, "accepted": c.accepted })
        })
        .collect();
    Ok(answer(&json!({ "circles": list })))
}

async fn create(
    State(app): State<Arc<App>>,
    identity: Identity,
    body: Bytes,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let NewCircle { name, table } = parse(&body)?;
    let shared = shared_of(&app);
    let (storage, now) = (&*shared.storage, shared.clock.now());
    let id = circles::create(storage, &person, &name, now).await?;
    if let Some(table) = table {
        for invited in circles::company(storage, &person, &table).await?.keys() {
            match circles::invite(storage, &person, &id, invited, now).await {
                // One of them may be in too many circles.
                Ok(()) | Err(CircleError::TooMany) => {}
                Err(why) => return Err(why.into()),
            }
        }
    }
    let created = json!({ "path": format!("/me/circles/{id}"), "circle": id });
    Ok((StatusCode::CREATED, answer(&created)).into_response())
}

async fn rename(
    State(app): State<Arc<App>>,
    identity: Identity,
    Path(circle): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    let RenamedCircle { name } = parse(&body)?;
    circles::rename(&*shared_of(&app).storage, &person, &circle, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn invite(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
    identity: Identity,
    Path(circle): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    let invited: InvitedPerson = parse(&body)?;
    let shared = shared_of(&app);
    let storage = &*shared.storage;
    let known = companions(storage, &person).await?;
    let invited = resolve(&person, &invited.person, known.keys()).ok_or(CircleError::NotKnown)?;
    circles::invite(storage, &person, &circle, invited, shared.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn accept(
    State(app): State<Arc<App>>,
    identity: Identity,
    Path(circle): Path<String>,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    let shared = shared_of(&app);
    circles::accept(&*shared.storage, &person, &circle, shared.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn leave(
    State(app): State<Arc<App>>,
    identity: Identity,
    Path(circle): Path<String>,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    circles::leave(&*shared_of(&app).storage, &person, &circle).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The games that count.
#[derive(Debug, Deserialize)]
struct Since {
    /// A time in milliseconds: the beginning of an evening, for instance.
    since: Option<i64>,
}

async fn show(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
    identity: Identity,
    Path(circle): Path<String>,
    Query(Since { since }): Query<Since>,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let storage = &*shared_of(&app).storage;
    let circle = circles::circle_of(storage, &person, &circle).await?;
    let members = circles::members(storage, &circle.id).await?;
    let games = games_of_circle(storage, &circle.id, since.unwrap_or(0)).await?;
    let accepted = members.iter().filter(|m| m.accepted);
    let ids: Vec<String> = accepted.map(|m| m.person.clone()).collect();
    let all = standings(&games, &ids);
    let standing_of = |member: &circles::CircleMember| {
        all.members.get(&member.person).copied().unwrap_or_default()
    };
    // The best first; members with the same points keep the order in which they came.
    let mut members = members;
    members.sort_by_key(|member| std::cmp::Reverse(standing_of(member).half_points));
    let shown: Vec<Value> = members
        .iter()
        .map(|member| {
            let standing = standing_of(member);
            json!({
                "person": reference(&person, &member.person),
                "you": member.person == person,
                "name": member.name,
                "accepted": member.accepted,
                "since": member.since,
                "games": standing.games,
                "won": standing.won,
                "points": f64::from(standing.half_points) / 2.0,
            })
        })
        .collect();
    let pairs: Vec<Value> = all
        .pairs
        .iter()
        .map(|((first, second), pair)| {
            json!({
                "first": reference(&person, first),
                "second": reference(&person, second),
                "first_ahead": pair.first,
                "second_ahead": pair.second,
                "tied": pair.tied,
            })
        })
        .collect();
    Ok(answer(&json!({
        "circle": circle.id,
        "name": circle.name,
        "created": circle.created,
        "games": all.games,
        "members": shown,
        "pairs": pairs,
    })))
}
