//! The circles of a person, and naming a new one.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use towers_client::words::say;
use towers_table::TITLE_CHARS;

use super::invitations;
use super::layout::{Reader, page, section};
use crate::history::circles::{self, Circle};
use crate::people::Identity;
use crate::storage::{Storage, StorageError};
use crate::web::{App, Problem};

#[derive(Deserialize)]
pub struct AfterGame {
    /// The table at which a game has just been finished.
    table: Option<String>,
}

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
    Query(AfterGame { table }): Query<AfterGame>,
) -> Result<Response, Problem> {
    let Some(person) = person.map(|person| person.person) else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let shared = app.registry.shared();
    let storage = &*shared.storage;
    let mut own = circles::circles_of(storage, &person).await?;
    own.retain(|circle| circle.accepted);
    let company = match &table {
        Some(table) => circles::company(storage, &person, table).await?,
        None => BTreeMap::new(),
    };
    // If these people already have a circle, the game counts there.
    if let Some(circle) = circle_of_all(storage, &own, &company).await? {
        let path = reader.link(&format!("/me/circles/{circle}"));
        return Ok(Redirect::to(&path).into_response());
    }
    let with: Vec<String> = company.into_values().collect();
    let table = table.filter(|_| !with.is_empty());
    let contents = html! {
        (invitations::part(reader, shared, &person).await?)
        (new_circle(reader, table.as_deref(), &with))
        (section(reader, "circles.yours", &html! {
            @if own.is_empty() {
                p { (reader.text("circles.none")) }
            } @else {
                ul {
                    @for circle in &own {
                        li {
                            div {
                                a href=(reader.link(&format!("/me/circles/{}", circle.id))) { (circle.name) }
                                small { (reader.say(&say("circles.since").with("day", reader.day(circle.created)))) }
                            }
                        }
                    }
                }
            }
        }))
    };
    Ok(page(reader, "circles.title", "/me/circles", &contents))
}

/// The circle in which all these people are, if there is one.
async fn circle_of_all(
    storage: &dyn Storage,
    circles: &[Circle],
    people: &BTreeMap<String, String>,
) -> Result<Option<String>, StorageError> {
    if people.is_empty() {
        return Ok(None);
    }
    for circle in circles {
        let members = circles::members(storage, &circle.id).await?;
        let is_member = |id: &String| members.iter().any(|member| member.person == *id);
        if people.keys().all(is_member) {
            return Ok(Some(circle.id.clone()));
        }
    }
    Ok(None)
}

/// A form for a new circle: of the people of a table, or of those who are invited later.
fn new_circle(reader: Reader, table: Option<&str>, with: &[String]) -> Markup {
    let about = if with.is_empty() {
        reader.text("circles.about")
    } else {
        reader.say(&say("circles.with").with("who", with.join(", ")))
    };
    section(
        reader,
        "circles.new",
        &html! {
            p { (about) }
            form data-api="/api/circles" data-go="path" {
                @if let Some(table) = table { input type="hidden" name="table" value=(table); }
                input type="text" name="name" maxlength=(TITLE_CHARS) required autocomplete="off"
                    placeholder=(reader.text("circles.example")) aria-label=(reader.text("circles.name"));
                button type="submit" class="primary" { (reader.text("circles.make")) }
            }
        },
    )
}
