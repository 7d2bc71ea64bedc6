//! The person of a request, by the cookie.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::{COOKIE, HeaderValue};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use towers_table::{Digest, ErrorCode, Millis};

use super::People;
use crate::storage::{Statement, StorageError};
use crate::web::{App, Problem};

const NAME: &str = "towers_person";
/// How long a browser keeps the cookie, in seconds: as long as browsers allow. The server ends it earlier.
const MAX_AGE: u32 = 400 * 24 * 3600;
/// How long a session lasts without use.
pub const SESSION: Millis = 90 * 24 * 3600 * 1000;
/// How often a session is prolonged.
const PROLONG: Millis = 24 * 3600 * 1000;

/// A person on one of their devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PersonRef {
    /// The person's id in all tables of the database. It never leaves the server, except in the person's own export.
    pub person: String,
    pub device: String,
    /// Whether the person's seats are opened by the cookie only.
    pub guarded: bool,
}

/// The person of a request, if it has a valid cookie.
#[derive(Clone, Debug)]
pub struct Identity(pub Option<PersonRef>);

impl Identity {
    /// The person, or a refusal for requests that need one.
    pub fn required(self) -> Result<PersonRef, Problem> {
        let message = "this needs a person: get a session first";
        self.0
            .ok_or_else(|| Problem::new(StatusCode::UNAUTHORIZED, ErrorCode::NotSignedIn, message))
    }
}

impl FromRequestParts<Arc<App>> for Identity {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Identity, Problem> {
        let people = &app.registry.shared().people;
        match cookie(&parts.headers) {
            Some(cookie) => Ok(Identity(people.by_cookie(cookie).await?)),
            None => Ok(Identity(None)),
        }
    }
}

/// The value of our cookie in a request.
pub fn cookie(headers: &HeaderMap) -> Option<&str> {
    let pairs = headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|c| c.to_str().ok());
    let mut pairs = pairs.flat_map(|line| line.split(';')).map(str::trim);
    pairs.find_map(|pair| pair.strip_prefix(NAME)?.strip_prefix('='))
}

/// The header that sets the cookie, or removes it.
pub fn set_cookie(value: Option<&str>, secure: bool) -> HeaderValue {
    let (value, age) = value.map_or(("", 0), |value| (value, MAX_AGE));
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{NAME}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
    let mut header = HeaderValue::try_from(text).expect("tokens have digits only");
    header.set_sensitive(true);
    header
}

/// The stored form of a cookie.
pub fn cookie_hash(cookie: &str) -> String {
    Digest::digest(&[b"session ", cookie.as_bytes()]).to_string()
}

impl People {
    /// The person of a cookie. Use prolongs the session.
    pub async fn by_cookie(&self, cookie: &str) -> Result<Option<PersonRef>, StorageError> {
        let (hash, now) = (cookie_hash(cookie), self.now());
        let query = "SELECT p.id, d.id, p.guarded, s.used FROM person_sessions AS s \
                     JOIN person_devices AS d ON d.id = s.device_id \
                     JOIN people AS p ON p.id = d.person_id \
                     WHERE s.hash = $1 AND s.expires > $2";
        let query = Statement::new(query).with(&hash).with(now);
        let rows = self.storage.query(query).await?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let person = PersonRef {
            person: row.text(0)?,
            device: row.text(1)?,
            guarded: row.flag(2)?,
        };
        if row.number(3)?.unsigned_abs() + PROLONG < now {
            let session = "UPDATE person_sessions SET used = $2, expires = $3 WHERE hash = $1";
            let device = "UPDATE person_devices SET used = $2 WHERE id = $1";
            let statements = vec![
                Statement::new(session)
                    .with(hash)
                    .with(now)
                    .with(now + SESSION),
                Statement::new(device).with(&person.device).with(now),
            ];
            self.storage.transact(statements).await?;
        }
        Ok(Some(person))
    }
}
