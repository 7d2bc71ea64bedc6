//! Bot ratings next to the viewer's, for comparison.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::games::level_title;
use super::layout::{Reader, page, section};
use super::totals::rating_text;
use crate::history::{ShownRating, ratings_of, ratings_of_bots};
use crate::people::Identity;
use crate::web::{App, Problem};

const KINDS: [(&str, &str); 2] = [("versus", "ratings.versus"), ("teams", "ratings.teams")];

/// Somebody in the list.
struct RatedRow {
    name: String,
    is_reader: bool,
    rating: ShownRating,
}

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
) -> Result<Response, Problem> {
    let storage = &*app.registry.shared().storage;
    let bots = ratings_of_bots(storage).await?;
    let own = match person {
        Some(person) => ratings_of(storage, &person.person).await?,
        None => std::collections::BTreeMap::new(),
    };
    let rows = |kind: &str| {
        let bots = bots.get(kind).into_iter().flatten();
        let bots = bots.map(|(level, rating)| RatedRow {
            name: level_title(reader, level),
            is_reader: false,
            rating: *rating,
        });
        let own = own.get(kind).map(|rating| RatedRow {
            name: reader.text("me.title"),
            is_reader: true,
            rating: *rating,
        });
        let mut rows: Vec<RatedRow> = bots.chain(own).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.rating.rating));
        rows
    };
    let contents = html! {
        @for (kind, title) in KINDS { (section(reader, title, &list(reader, &rows(kind)))) }
        (section(reader, "ratings.how", &html! {
            p { (reader.text("ratings.how_text")) }
            p { (reader.text("ratings.uncertainty_text")) }
            p class="buttons" {
                a class="button primary" href="/#tables" { (reader.text("meet.tables")) }
                a class="button" href=(reader.link("/meet")) { (reader.text("meet.title")) }
            }
        }))
    };
    Ok(page(reader, "ratings.title", "/ratings", &contents))
}

fn list(reader: Reader, rows: &[RatedRow]) -> Markup {
    html! {
        table {
            thead { tr {
                th scope="col" { (reader.text("ratings.who")) }
                th scope="col" class="number" { (reader.text("games.rating")) }
                th scope="col" class="number" { (reader.text("games.played")) }
            } }
            tbody {
                @for row in rows {
                    tr class=[row.is_reader.then_some("own")] {
                        th scope="row" { (row.name) }
                        td class="number" {
                            (rating_text(&row.rating))
                            @if row.rating.provisional { small { (reader.text("ratings.provisional")) } }
                        }
                        td class="number" { (row.rating.games) }
                    }
                }
            }
        }
    }
}
