//! The API: wait for a game, invite somebody.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;
use towers_table::{ErrorCode, Invitations, Millis, NAME_CHARS, clean};

use super::gathering::{check_disk, gather, settings_like, take_table};
use super::invitations;
use super::matching::PairingWish;
use super::waiting::{self, PairingState, WaitingRequest};
use crate::history::standings::counted;
use crate::history::{
    GamePosition, MAX_COUNTED, circles, companions, games_of, games_of_circle, resolve,
};
use crate::people::Identity;
use crate::secrets;
use crate::storage::Storage;
use crate::tables::{OpenError, Shared};
use crate::texts;
use crate::web::{App, ClientAddress, Problem, answer, parse};

/// How long a request waits before it is answered and has to be repeated.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// How often a waiting request looks for others.
const LOOK_INTERVAL: Duration = Duration::from_millis(400);
/// How often a waiting request notes that it is there.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(2);
/// The time after which bots are offered.
const BOTS_AFTER: Millis = 30_000;

/// The routes below `/api`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/pairing", post(pairing))
        .route("/person/invite", post(invite))
        .route("/circles/{circle}/play", post(play_in_circle))
        .route("/person/invitations", get(list_invitations))
        .route("/person/invitations/dismiss", post(dismiss))
}

/// The body of a request for a game with others.
#[derive(Debug, Deserialize)]
struct FindGame {
    /// The name to sit down with.
    name: String,
    /// Whether bots may take the open seats.
    #[serde(default)]
    bots: bool,
    #[serde(flatten)]
    wish: PairingWish,
}

/// Removes a person from the list when the connection ends before the request is answered.
struct WaitingGuard {
    storage: Arc<dyn Storage>,
    person: String,
    request: String,
    is_answered: bool,
}

impl Drop for WaitingGuard {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.is_answered {
            return;
        }
        let storage = Arc::clone(&self.storage);
        let (person, request) = (self.person.clone(), self.request.clone());
        runtime.spawn(async move {
            if let Err(why) = waiting::end(&*storage, &person, &request, false).await {
                why.log("", "leaving the pairing");
            }
        });
    }
}

fn refused(code: ErrorCode, message: &str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
}

fn too_many(shared: &Shared, after: Duration) -> Problem {
    shared.metrics.over_limit.increment(1);
    Problem::too_many("too many requests: wait a while").retry_after(after)
}

async fn pairing(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    body: Bytes,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let shared = app.registry.shared();
    let FindGame { name, bots, wish } = parse(&body)?;
    let of_address = shared.budgets.pairings.take(&address);
    let of_person = shared.budgets.pairings_of_person.take(&person);
    of_address
        .and(of_person)
        .map_err(|after| too_many(shared, after))?;
    let name = clean(&name, NAME_CHARS).map_err(|_| {
        refused(
            ErrorCode::BadText,
            &format!("a name has 1 to {NAME_CHARS} characters"),
        )
    })?;
    if !wish.is_short() {
        let message = "name each edition and each number of players once";
        return Err(refused(ErrorCode::BadSettings, message));
    }
    if wish.games().is_empty() {
        let message = "no game can be played with these numbers of players";
        return Err(refused(ErrorCode::BadSettings, message));
    }
    check_disk(shared)?;
    let request = WaitingRequest {
        person,
        name,
        wish,
        bots,
        request: secrets::token(),
    };
    let mut guard = WaitingGuard {
        storage: Arc::clone(&shared.storage),
        person: request.person.clone(),
        request: request.request.clone(),
        is_answered: false,
    };
    let answered = wait(&app, address, &request).await?;
    guard.is_answered = true;
    Ok(answer(&answered))
}

/// Adds a person to those who wait, or continues to wait. Waiting for another game counts as opening a table.
async fn begin(shared: &Shared, address: IpAddr, request: &WaitingRequest) -> Result<(), Problem> {
    let begun = waiting::begin(&*shared.storage, request, shared.clock.now()).await?;
    if begun {
        take_table(shared, address)?;
    }
    Ok(())
}

/// Waits for others until the request has to be answered.
async fn wait(app: &App, address: IpAddr, request: &WaitingRequest) -> Result<Value, Problem> {
    let shared = app.registry.shared();
    let storage = &*shared.storage;
    begin(shared, address, request).await?;
    let until = Instant::now() + MAX_WAIT;
    let mut kept = Instant::now();
    loop {
        match waiting::pair(&app.registry, shared.clock.now()).await {
            Ok(_) => {}
            Err(OpenError::Storage(why)) => return Err(why.into()),
            Err(OpenError::Rejected(why)) => {
                return Err(refused(ErrorCode::BadSettings, &why.to_string()));
            }
        }
        let since = match waiting::state(storage, request).await? {
            PairingState::Since(since) => since,
            PairingState::Paired(table) => {
                waiting::end(storage, &request.person, &request.request, true).await?;
                let path = format!("/t/{table}");
                return Ok(json!({ "status": "paired", "table": table, "path": path }));
            }
            PairingState::Elsewhere => return Ok(json!({ "status": "elsewhere" })),
            PairingState::Nothing => {
                begin(shared, address, request).await?;
                shared.clock.now()
            }
        };
        if Instant::now() >= until || app.registry.is_stopping() {
            let waited = shared.clock.now().saturating_sub(since);
            let offers_bots = waited >= BOTS_AFTER;
            return Ok(json!({
                "status": "waiting",
                "waited": waited,
                "offers_bots": offers_bots,
            }));
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
        if kept.elapsed() >= KEEP_ALIVE_INTERVAL {
            kept = Instant::now();
            waiting::keep(storage, request, shared.clock.now()).await?;
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InviteToTable {
    /// The reference to the person.
    person: String,
    /// Without a table, a new one is opened.
    table: Option<String>,
}

/// The answer with a new table.
fn opened(table: &str) -> Response {
    let body = json!({ "table": table, "path": format!("/t/{table}") });
    (StatusCode::CREATED, answer(&body)).into_response()
}

async fn invite(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let shared = app.registry.shared();
    let InviteToTable {
        person: invited,
        table,
    } = parse(&body)?;
    let budget = shared.budgets.invitations.take(&person);
    budget.map_err(|after| too_many(shared, after))?;
    let storage = &*shared.storage;
    let known = companions(storage, &person).await?;
    let Some(invited) = resolve(&person, &invited, known.keys()) else {
        let message = "you can only invite people with whom you have played";
        let code = ErrorCode::UnknownPerson;
        return Err(Problem::new(StatusCode::FORBIDDEN, code, message));
    };
    let Some(table) = table else {
        let games = games_of(storage, &person, &GamePosition::first(), MAX_COUNTED).await?;
        let last = games.iter().find(|game| game.seat_of(invited).is_some());
        let settings = settings_like(last, 2);
        let invited = [invited.as_str()];
        let table = gather(
            &app,
            &person,
            (&address, texts::language_of(&headers)),
            &invited,
            settings,
        )
        .await?;
        return Ok(opened(&table));
    };
    let now = shared.clock.now();
    if !invitations::invite(storage, &person, invited, &table, now).await? {
        return Err(Problem::no_table());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Opens a table for a circle and invites its members.
async fn play_in_circle(
    State(app): State<Arc<App>>,
    identity: Identity,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    headers: HeaderMap,
    Path(circle): Path<String>,
) -> Result<Response, Problem> {
    let person = identity.required()?.person;
    let shared = app.registry.shared();
    let budget = shared.budgets.invitations.take(&person);
    budget.map_err(|after| too_many(shared, after))?;
    let storage = &*shared.storage;
    let circle = circles::circle_of(storage, &person, &circle).await?;
    let members = circles::members(storage, &circle.id).await?;
    let members: Vec<String> = members
        .into_iter()
        .filter(|member| member.accepted)
        .map(|member| member.person)
        .collect();
    let games = games_of_circle(storage, &circle.id, 0).await?;
    let settings = settings_like(counted(&games, &members).next(), members.len());
    let others = members.iter().filter(|member| **member != person);
    let others: Vec<&str> = others.map(String::as_str).collect();
    let table = gather(
        &app,
        &person,
        (&address, texts::language_of(&headers)),
        &others,
        settings,
    )
    .await?;
    Ok(opened(&table))
}

async fn list_invitations(
    State(app): State<Arc<App>>,
    identity: Identity,
) -> Result<Response, Problem> {
    let Some(person) = identity.0.map(|identity| identity.person) else {
        let invitations = Vec::new();
        return Ok(answer(&Invitations { invitations }));
    };
    let storage = &*app.registry.shared().storage;
    let invitations = invitations::shown_invitations(storage, &person).await?;
    Ok(answer(&Invitations { invitations }))
}

/// The body of a request that removes an invitation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DismissInvitation {
    table: String,
}

async fn dismiss(
    State(app): State<Arc<App>>,
    identity: Identity,
    body: Bytes,
) -> Result<StatusCode, Problem> {
    let person = identity.required()?.person;
    let DismissInvitation { table } = parse(&body)?;
    invitations::dismiss(&*app.registry.shared().storage, &person, &table).await?;
    Ok(StatusCode::NO_CONTENT)
}
