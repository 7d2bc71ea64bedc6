//! The first page about a person: name, tables, and the way to everything else.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::layout::{Reader, page, section};
use crate::people::{Identity, PersonTable};
use crate::web::{App, Problem};

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
) -> Result<Response, Problem> {
    let Some(person) = person else {
        return Ok(page(reader, "me.title", "/me", &newcomer(reader)));
    };
    let me = app.registry.shared().people.overview(&person).await?;
    let contents = html! {
        (section(reader, "me.tables", &list(reader, &me.tables)))
        (section(reader, "me.name", &html! {
            form data-api="/api/person/name" {
                input type="text" name="name" value=(me.name) maxlength="20" autocomplete="nickname"
                    aria-label=(reader.text("me.name"));
                button type="submit" { (reader.text("me.save")) }
            }
        }))
        nav class="choices" aria-label=(reader.text("me.title")) {
            (choice(reader, "/me/games", "me.games", "me.games_about"))
            (choice(reader, "/meet", "meet.title", "meet.about"))
            (choice(reader, "/me/calls", "me.calls", "me.calls_about"))
            (choice(reader, "/me/devices", "me.devices", "me.devices_about"))
            (choice(reader, "/me/data", "me.data", "me.data_about"))
        }
    };
    Ok(page(reader, "me.title", "/me", &contents))
}

/// What a table is called in the list.
pub(super) fn name(reader: Reader, table: &PersonTable) -> String {
    let title = table.title.clone().filter(|title| !title.is_empty());
    title.unwrap_or_else(|| match table.others.join(", ") {
        others if others.is_empty() => reader.text("me.table_alone"),
        others => others,
    })
}

/// What a browser without an identity can do.
fn newcomer(reader: Reader) -> Markup {
    html! {
        section class="panel part" {
            p { (reader.text("me.nobody")) }
            form data-begin="" {
                button type="submit" class="primary" { (reader.text("me.begin")) }
            }
            p class="about" { (reader.text("me.begin_about")) }
        }
        nav class="choices" aria-label=(reader.text("me.title")) {
            (choice(reader, "/#device", "me.link", "me.link_about"))
            (choice(reader, "/me/recover", "me.recover", "recover.about"))
        }
    }
}

/// A large link with a line about it.
fn choice(reader: Reader, path: &str, title: &'static str, about: &'static str) -> Markup {
    html! {
        a class="big" href=(reader.link(path)) {
            b { (reader.text(title)) }
            span { (reader.text(about)) }
        }
    }
}

fn list(reader: Reader, tables: &[PersonTable]) -> Markup {
    let seated = || {
        tables
            .iter()
            .filter(|t| t.seat.is_some() && t.stage != "over")
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
                        small { (table.others.join(", ")) }
                    }
                    @if table.waits {
                        b { "● " (reader.text("me.your_turn")) }
                    }
                }
            }
        }
    }
}
