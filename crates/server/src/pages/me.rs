//! The first page about a person: name, tables, and links to everything else.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use maud::{Markup, html};
use towers_table::NAME_CHARS;

use super::devices::ways_back;
use super::invitations;
use super::layout::{Reader, choice, page, section};
use crate::people::{Identity, PersonTable, RelyingParty};
use crate::web::{App, Problem};

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let Some(person) = person else {
        let has_passkeys = RelyingParty::of_request(&app, &headers, &uri).is_some();
        return Ok(page(
            reader,
            "me.title",
            "/me",
            &newcomer(reader, has_passkeys),
        ));
    };
    let me = app.registry.shared().people.overview(&person).await?;
    let invitations = invitations::part(reader, app.registry.shared(), &person.person).await?;
    let contents = html! {
        // The scripts that add a device name it in the address.
        p class="panel part outcome" id="joined" role="status" { "✓ " (reader.text("me.joined")) }
        (invitations)
        (section(reader, "me.tables", &list(reader, &me.tables)))
        (section(reader, "me.name", &html! {
            form data-api="/api/person/name" {
                input type="text" name="name" value=(me.name) maxlength=(NAME_CHARS) autocomplete="nickname"
                    aria-label=(reader.text("me.name"));
                button type="submit" { (reader.text("me.save")) }
            }
        }))
        nav class="choices" aria-label=(reader.text("me.title")) {
            (choice(reader, "/me/games", "me.games", "me.games_about"))
            (choice(reader, "/meet", "meet.title", "meet.about"))
            (choice(reader, "/me/circles", "circles.title", "circles.about_short"))
            (choice(reader, "/scores", "scores.title", "scores.about"))
            (choice(reader, "/ratings", "ratings.title", "ratings.about"))
            (choice(reader, "/me/calls", "me.calls", "me.calls_about"))
            (choice(reader, "/me/devices", "me.devices", "me.devices_about"))
            (choice(reader, "/me/data", "me.data", "me.data_about"))
        }
    };
    Ok(page(reader, "me.title", "/me", &contents))
}

fn has_title(table: &PersonTable) -> bool {
    table.title.as_ref().is_some_and(|title| !title.is_empty())
}

/// What a table is called in the list.
pub(super) fn name(reader: Reader, table: &PersonTable) -> String {
    let title = table.title.clone().filter(|_| has_title(table));
    title.unwrap_or_else(|| match table.others.join(", ") {
        others if others.is_empty() => reader.text("me.table_alone"),
        others => others,
    })
}

/// What a browser without an identity can do.
fn newcomer(reader: Reader, has_passkeys: bool) -> Markup {
    html! {
        section class="panel part" {
            p { (reader.text("me.nobody")) }
            form data-begin="" {
                button type="submit" class="primary" { (reader.text("me.begin")) }
            }
            p class="about" { (reader.text("me.begin_about")) }
        }
        (ways_back(reader, has_passkeys))
        nav class="choices" aria-label=(reader.text("data.title")) {
            (choice(reader, "/me/data", "data.local", "me.local_about"))
        }
    }
}

fn list(reader: Reader, tables: &[PersonTable]) -> Markup {
    let seated = || {
        tables
            .iter()
            .filter(|t| t.seat.is_some() && t.stage != "over" && !t.hidden)
    };
    let waiting = seated().filter(|t| t.waits).count() as u32;
    if seated().next().is_none() {
        return html! { p { (reader.text("me.no_tables")) } };
    }
    html! {
        p { (match waiting {
            0 => reader.text("me.nothing_waits"),
            n => reader.count("me.waiting", n),
        }) }
        ul {
            @for table in seated() {
                li {
                    div {
                        a href=(format!("/t/{}", table.table)) {
                            (name(reader, table))
                        }
                        // Without a title, the names are already used as the title.
                        @if has_title(table) { small { (table.others.join(", ")) } }
                    }
                    @if table.waits {
                        b { "● " (reader.text("me.your_turn")) }
                    }
                }
            }
        }
    }
}
