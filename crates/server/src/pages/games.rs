//! The games of a person: totals, ratings, and the latest results.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use towers_client::words::say;

use super::layout::{Reader, page, section};
use crate::history::{GamePosition, ShownRating, StoredGame, Totals, games_of, ratings_of};
use crate::people::Identity;
use crate::web::{App, Problem};

/// The number of games on a page.
const PAGE: u32 = 30;
/// The number of games that are counted.
const COUNTED: u32 = 5000;

#[derive(Deserialize)]
pub struct GamesAfter {
    after: Option<String>,
}

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
    Query(GamesAfter { after }): Query<GamesAfter>,
) -> Result<Response, Problem> {
    let Some(person) = person.map(|person| person.person) else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let storage = &*app.registry.shared().storage;
    let after = after.as_deref().and_then(GamePosition::parse);
    let is_first = after.is_none();
    let after = after.unwrap_or_else(GamePosition::first);
    let games = games_of(storage, &person, &after, PAGE).await?;
    let contents = if is_first {
        let counted = games_of(storage, &person, &after, COUNTED).await?;
        let totals = Totals::of(&counted, &person);
        let ratings = ratings_of(storage, &person).await?;
        html! {
            (list(reader, &games, &person))
            (ratings_part(reader, ratings.iter()))
            (totals_part(reader, &totals))
        }
    } else {
        list(reader, &games, &person)
    };
    Ok(page(reader, "games.title", "/me/games", &contents))
}

/// The title of a kind of game: a mode, or teams.
fn kind(reader: Reader, kind: &str) -> String {
    reader.text(match kind {
        "teams" => "games.teams",
        "solo" => "games.solo",
        "coop" => "games.coop",
        _ => "games.versus",
    })
}

fn list(reader: Reader, games: &[StoredGame], person: &str) -> Markup {
    if games.is_empty() {
        return html! { section class="panel part" { p { (reader.text("games.none")) } } };
    }
    let next = games.last().filter(|_| games.len() == PAGE as usize);
    let next = next.map(|game| format!("/me/games?after={}", GamePosition::of(game)));
    html! {
        section class="panel part" {
            ul {
                @for game in games {
                    li {
                        div {
                            b { (result(reader, game, person)) }
                            " · " (kind(reader, game.kind())) " · " (reader.day(game.ended))
                            small { (with(reader, game, person)) }
                        }
                        a href=(format!("/replay/{}", game.table)) { (reader.text("games.replay")) }
                    }
                }
            }
            @if let Some(next) = next {
                p { a href=(next) { (reader.text("games.more")) } }
            }
        }
    }
}

fn with(reader: Reader, game: &StoredGame, person: &str) -> String {
    let others = game.seats.iter();
    let others = others.filter(|seat| seat.person.as_deref() != Some(person));
    let names: Vec<&str> = others.map(|seat| seat.name.as_str()).collect();
    if names.is_empty() {
        reader.text("games.alone")
    } else {
        reader.say(&say("games.with").with("who", names.join(", ")))
    }
}

fn result(reader: Reader, game: &StoredGame, person: &str) -> String {
    let Some(own) = game.seat_of(person) else {
        return String::new();
    };
    if game.agreed {
        return reader.text("games.agreed");
    }
    let cards = game.score.and_then(|score| u32::try_from(score).ok());
    let cards = cards.map(|n| reader.count("games.cards", n));
    let place = own.place.and_then(|place| u32::try_from(place).ok());
    match (own.won, place, cards) {
        (true, _, Some(cards)) => format!("{}, {cards}", reader.text("games.won")),
        (true, _, None) => reader.text("games.won"),
        (false, Some(place), None) => reader.count("games.place", place),
        (false, ..) => reader.text("games.lost"),
    }
}

fn ratings_part<'a>(
    reader: Reader,
    ratings: impl ExactSizeIterator<Item = (&'a String, &'a ShownRating)>,
) -> Markup {
    if ratings.len() == 0 {
        return html! {};
    }
    section(
        reader,
        "games.rating",
        &html! {
            table {
                @for (name, rating) in ratings {
                    tr {
                        th scope="row" { (kind(reader, name)) }
                        td class="number" { (rating.rating) " ± " (rating.uncertainty) }
                    }
                }
            }
            p class="about" { (reader.text("games.rating_about")) }
        },
    )
}

fn totals_part(reader: Reader, totals: &Totals) -> Markup {
    if totals.all.games == 0 {
        return html! {};
    }
    let streak = say("games.streak")
        .with("n", totals.streaks.current)
        .with("best", totals.streaks.longest);
    section(
        reader,
        "games.totals",
        &html! {
            table {
                tr {
                    th { (reader.text("games.kind")) }
                    th class="number" { (reader.text("games.played")) }
                    th class="number" { (reader.text("games.wins")) }
                }
                @for (name, count) in &totals.modes {
                    tr {
                        td { (kind(reader, name)) }
                        td class="number" { (count.games) }
                        td class="number" { (count.won) }
                    }
                }
                @for (name, count) in &totals.editions {
                    tr {
                        td { (name) }
                        td class="number" { (count.games) }
                        td class="number" { (count.won) }
                    }
                }
            }
            p { (reader.say(&streak)) }
            @if !totals.opponents.is_empty() {
                table {
                    tr {
                        th { (reader.text("games.opponent")) }
                        th class="number" { (reader.text("games.played")) }
                        th class="number" { (reader.text("games.ahead")) }
                    }
                    @for opponent in totals.opponents.values() {
                        tr {
                            td { (opponent.name) }
                            td class="number" { (opponent.games) }
                            td class="number" { (opponent.ahead) }
                        }
                    }
                }
            }
        },
    )
}
