//! The API of history: games, totals, ratings, and results of the deal of the day.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use towers_table::{ErrorCode, FinishedDeal};

use super::deals::{self, ScoreWishes};
use super::games::{GamePosition, MAX_COUNTED, StoredGame, companions, games_of};
use super::references::reference;
use super::totals::{OpponentTotals, Totals};
use super::{circle_api, store};
use crate::daily;
use crate::people::Identity;
use crate::web::{App, ClientAddress, CostlyRead, LargeBody, Problem, answer, bad_request, parse};

/// The number of games on a page, unless the request says otherwise.
const PAGE: u32 = 20;
/// The maximum number of games on a page.
const MAX_PAGE: u32 = 100;
/// The maximum size of a posted record.
const RECORD_BYTES: usize = 256 * 1024;

/// The routes below `/api`.
pub fn routes() -> Router<Arc<App>> {
    let deals = Router::new()
        .route("/daily/results", post(post_deal))
        .layer(DefaultBodyLimit::max(RECORD_BYTES));
    Router::new()
        .route("/person/games", get(games))
        .route("/person/totals", get(totals))
        .route("/person/companions", get(list_companions))
        .route("/person/scores", get(wishes).post(set_wishes))
        .route("/ratings", get(bot_ratings))
        .route("/daily/board", get(daily_board))
        .route("/solo/board", get(solo_board))
        .merge(deals)
        .merge(circle_api::routes())
}

/// The part of the list of games that is asked for.
#[derive(Debug, Deserialize)]
struct GamesPage {
    after: Option<String>,
    most: Option<u32>,
}

async fn games(
    State(app): State<Arc<App>>,
    identity: Identity,
    Query(page): Query<GamesPage>,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let after = match &page.after {
        Some(text) => {
            GamePosition::parse(text).ok_or_else(|| bad_request("there is no such page"))?
        }
        None => GamePosition::first(),
    };
    let most = page.most.unwrap_or(PAGE).clamp(1, MAX_PAGE);
    let storage = &*app.registry.shared().storage;
    // One more, to know whether there is another page.
    let mut games = games_of(storage, &person, &after, most + 1).await?;
    let has_more = games.len() > most as usize;
    games.truncate(most as usize);
    let next = games.last().filter(|_| has_more);
    let next = next.map(|game| GamePosition::of(game).to_string());
    let games: Vec<Value> = games.iter().map(|game| shown_game(game, &person)).collect();
    Ok(answer(&json!({ "games": games, "next": next })))
}

/// A game as its player sees it.
pub fn shown_game(game: &StoredGame, viewer: &str) -> Value {
    let own = game.seat_of(viewer);
    let seats: Vec<Value> = game
        .seats
        .iter()
        .map(|seat| {
            let is_own = own.is_some_and(|own| own.seat == seat.seat);
            let person = seat.person.as_deref().filter(|_| !is_own);
            json!({
                "name": seat.name,
                "bot": seat.bot,
                "you": is_own,
                "person": person.map(|person| reference(viewer, person)),
                "team": seat.team,
                "place": seat.place,
                "won": seat.won,
            })
        })
        .collect();
    let points = |gain: i64| super::ratings::shown_gain(gain);
    json!({
        "table": game.table,
        "game": game.game,
        "ended": game.ended,
        "mode": game.kind(),
        "edition": game.preset,
        "as_printed": game.as_printed,
        "rated": game.rated,
        "agreed": game.agreed,
        "score": game.score,
        "place": own.and_then(|own| own.place),
        "won": own.is_some_and(|own| own.won),
        "gain": own.and_then(|own| own.gain).map(points),
        "seats": seats,
        "path": format!("/t/{}", game.table),
        "record": format!("/api/tables/{}/record", game.table),
    })
}

async fn totals(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
    identity: Identity,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let shared = app.registry.shared();
    let storage = &*shared.storage;
    let games = games_of(storage, &person, &GamePosition::first(), MAX_COUNTED).await?;
    let totals = Totals::of(&games, &person);
    let today = daily::day_name(shared.clock.now());
    let daily = deals::daily_totals(storage, &person, &today).await?;
    let opponents: BTreeMap<String, &OpponentTotals> = totals
        .opponents
        .iter()
        .map(|(id, totals)| (reference(&person, id), totals))
        .collect();
    Ok(answer(&json!({
        "all": totals.all,
        "modes": totals.modes,
        "editions": totals.editions,
        "opponents": opponents,
        "bots": totals.bots,
        "solo": totals.solo,
        "streaks": totals.streaks,
        "daily": daily,
        "ratings": store::ratings_of(storage, &person).await?,
        "statistics": deals::wishes_of(storage, &person).await?.statistics,
        // Totals are of the latest games only, if there are very many.
        "complete": games.len() < MAX_COUNTED as usize,
    })))
}

/// The people with whom somebody has played.
async fn list_companions(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
    identity: Identity,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let known = companions(&*app.registry.shared().storage, &person).await?;
    let people: Vec<Value> = known
        .iter()
        .map(|(id, name)| json!({ "person": reference(&person, id), "name": name }))
        .collect();
    Ok(answer(&json!({ "people": people })))
}

async fn bot_ratings(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let bots = store::ratings_of_bots(&*app.registry.shared().storage).await?;
    Ok(answer(&json!({ "bots": bots })))
}

async fn wishes(State(app): State<Arc<App>>, identity: Identity) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let wishes = deals::wishes_of(&*app.registry.shared().storage, &person).await?;
    Ok(answer(&wishes))
}

async fn set_wishes(
    State(app): State<Arc<App>>,
    identity: Identity,
    body: Bytes,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let wishes: ScoreWishes = parse(&body)?;
    let shared = app.registry.shared();
    deals::set_wishes(&*shared.storage, &person, wishes).await?;
    shared.boards.forget_days().await;
    Ok(answer(&wishes))
}

async fn post_deal(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    _large: LargeBody,
    body: Bytes,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let shared = app.registry.shared();
    let FinishedDeal { day, record } = parse(&body)?;
    if let Err(after) = shared.budgets.deals.take(&address) {
        shared.metrics.over_limit.increment(1);
        let message = "too many results from your address: wait a while";
        return Err(Problem::too_many(message).retry_after(after));
    }
    let refused = |why: &str| {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Problem::new(status, ErrorCode::BadMessage, why)
    };
    let storage = &*shared.storage;
    // Another device of the person, or an earlier person of this one, may still send them.
    if !deals::wishes_of(storage, &person).await?.keeps_deals {
        let message = "your deals of the day are not kept: allow it first";
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            ErrorCode::BadMessage,
            message,
        ));
    }
    let now = shared.clock.now();
    // Draw today's seed, if nobody has asked for it.
    shared.daily.deals(storage, now).await?;
    let seed = if daily::is_open_day(&day, now) {
        deals::seed_of(storage, &day).await?
    } else {
        None
    };
    let seed = seed.ok_or_else(|| refused("results of this day are not accepted now"))?;
    let of_day = day.clone();
    let verifying =
        tokio::task::spawn_blocking(move || deals::verify_deal(&record, &of_day, &seed));
    let result = verifying
        .await
        .map_err(|why| crate::storage::StorageError::Failed(why.to_string()))?
        .map_err(|why| refused(&why.to_string()))?;
    let best = deals::store_deal(storage, &person, &day, result, now).await?;
    shared.boards.forget_days().await;
    Ok(answer(
        &json!({ "day": day, "result": result, "best": best }),
    ))
}

#[derive(Debug, Deserialize)]
struct BoardOfDay {
    day: Option<String>,
}

async fn daily_board(
    State(app): State<Arc<App>>,
    identity: Identity,
    Query(board): Query<BoardOfDay>,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let storage = &*shared.storage;
    let today = || daily::day_name(shared.clock.now());
    let day = board.day.unwrap_or_else(today);
    if daily::day_number(&day).is_none() {
        return Err(bad_request("a day is written as 2026-11-15"));
    }
    let scores = shared.boards.of_day(storage, &day).await?;
    let own = match identity.0 {
        Some(person) => deals::deal_of(storage, &person.person, &day).await?,
        None => None,
    };
    let people: i64 = scores.iter().map(|score| score.people).sum();
    Ok(answer(
        &json!({ "day": day, "people": people, "scores": scores, "yours": own }),
    ))
}

#[derive(Debug, Deserialize)]
struct BoardOfEdition {
    edition: Option<String>,
}

async fn solo_board(
    State(app): State<Arc<App>>,
    Query(board): Query<BoardOfEdition>,
) -> Result<Response, Problem> {
    let edition = board.edition.unwrap_or_else(|| "capstone".into());
    let preset = serde_json::from_value(Value::String(edition.clone()));
    let preset = preset.map_err(|_| bad_request("there is no such edition"))?;
    let shared = app.registry.shared();
    let scores = shared.boards.of_edition(&*shared.storage, preset).await?;
    let people: i64 = scores.iter().map(|score| score.people).sum();
    Ok(answer(
        &json!({ "edition": edition, "people": people, "scores": scores }),
    ))
}
