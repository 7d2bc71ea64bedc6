//! The finished games of a person, and links to their replays.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use towers_client::editions::edition;
use towers_client::labels::level_key;
use towers_client::words::say;
use towers_rules::Preset;
use towers_table::{BotLevel, Entry};

use super::layout::{Reader, page};
use super::totals;
use crate::history::{
    GamePosition, StoredGame, StoredSeat, Totals, games_of, name_of, ratings_of, shown_gain,
};
use crate::people::{DELETED, Identity};
use crate::storage::{Storage, StorageError};
use crate::web::{App, CostlyRead, Problem};

const PAGE: u32 = 30;
/// The number of games that are counted.
const COUNTED: u32 = 5000;
/// The number of entries of a record that are read at once.
const ENTRIES: u32 = 256;

#[derive(Deserialize)]
pub struct GamesAfter {
    after: Option<String>,
}

pub async fn show(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
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
            (totals::ratings_part(reader, &ratings))
            (totals::people_part(reader, &totals, &person))
            (totals::totals_part(reader, &totals))
        }
    } else {
        list(reader, &games, &person)
    };
    Ok(page(reader, "games.title", "/me/games", &contents))
}

/// The title of a kind of game: a mode, or teams.
pub fn kind(reader: Reader, kind: &str) -> String {
    reader.text(match kind {
        "teams" => "games.teams",
        "solo" => "games.solo",
        "coop" => "games.coop",
        _ => "games.versus",
    })
}

/// The title of an edition, by the name in the database.
pub fn edition_title(reader: Reader, name: &str) -> String {
    let mut all = Preset::ALL.into_iter();
    match all.find(|preset| name_of(preset) == name) {
        Some(preset) => reader.game_text(edition(preset)),
        None => name.into(),
    }
}

/// The title of a level of bots, by the name in the database.
pub fn level_title(reader: Reader, name: &str) -> String {
    let mut all = BotLevel::ALL.into_iter();
    match all.find(|level| level.name() == name) {
        Some(level) => reader.game_text(level_key(level)),
        None => name.into(),
    }
}

/// The name of a player in lists.
pub fn seat_name(reader: Reader, seat: &StoredSeat) -> String {
    match &seat.bot {
        Some(level) => level_title(reader, level),
        // The name in results of a person who was deleted: everybody reads it in their own language.
        None if seat.person.is_none() && seat.name == DELETED => reader.text("games.somebody"),
        None => seat.name.clone(),
    }
}

/// The page that leads to the replay of a game.
pub fn replay_path(game: &StoredGame) -> String {
    format!("/me/games/{}/{}", game.table, game.game)
}

fn list(reader: Reader, games: &[StoredGame], person: &str) -> Markup {
    if games.is_empty() {
        return html! {
            section class="panel part" {
                p { (reader.text("games.none")) }
                p class="buttons" {
                    a class="button primary" href=(reader.link("/meet")) { (reader.text("meet.title")) }
                    a class="button" href="/#tables" { (reader.text("meet.tables")) }
                }
            }
        };
    }
    let next = games.last().filter(|_| games.len() == PAGE as usize);
    let next = next.map(|game| format!("/me/games?after={}", GamePosition::of(game)));
    html! {
        section class="panel part" {
            ul id="games" {
                @for game in games {
                    li {
                        div {
                            b { (result(reader, game, person)) }
                            @if let Some(gain) = gain(game, person) {
                                " · " span title=(reader.text("games.rating")) { (gain) }
                            }
                            " · " (kind(reader, game.kind())) " · " (reader.day(game.ended))
                            small { (with(reader, game, person)) " · " (edition_title(reader, &game.preset)) }
                        }
                        a href=(replay_path(game)) { (reader.text("games.replay")) }
                    }
                }
            }
            @if let Some(next) = next {
                p { a href=(reader.link(&next)) { (reader.text("games.more")) } }
            }
        }
    }
}

fn with(reader: Reader, game: &StoredGame, person: &str) -> String {
    let others = game.seats.iter();
    let others = others.filter(|seat| seat.person.as_deref() != Some(person));
    let names: Vec<String> = others.map(|seat| seat_name(reader, seat)).collect();
    if names.is_empty() {
        reader.text("games.alone")
    } else {
        reader.say(&say("games.with").with("who", names.join(", ")))
    }
}

/// The change of the person's rating.
fn gain(game: &StoredGame, person: &str) -> Option<String> {
    let gain = shown_gain(game.seat_of(person)?.gain?);
    let sign = if gain < 0 { '−' } else { '+' };
    Some(format!("{sign}{}", gain.abs()))
}

/// The result of a game for one of its players.
pub fn result(reader: Reader, game: &StoredGame, person: &str) -> String {
    let Some(own) = game.seat_of(person) else {
        return String::new();
    };
    if game.agreed {
        return reader.text("games.agreed");
    }
    if !game.has_winner() && own.place.is_some() {
        return reader.text("games.nobody");
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

/// Leads to the replay of a game. Replays are addressed by an entry of the record, results have the number of the game.
pub async fn replay(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
    Path((table, game)): Path<(String, u32)>,
) -> Result<Redirect, Problem> {
    if !towers_table::is_table_id(&table) {
        return Err(Problem::no_table());
    }
    let storage = &*app.registry.shared().storage;
    let path = match first_entry(storage, &table, game).await? {
        Some(entry) => format!("/replay/{table}/{entry}"),
        None => format!("/replay/{table}"),
    };
    Ok(Redirect::to(&path))
}

/// The number of the entry that begins a game.
async fn first_entry(
    storage: &dyn Storage,
    table: &str,
    game: u32,
) -> Result<Option<u64>, StorageError> {
    let (mut after, mut begun) = (0, 0);
    loop {
        let lines = storage.page(table, after, ENTRIES).await?;
        if lines.is_empty() {
            return Ok(None);
        }
        for line in &lines {
            let entry: Entry =
                serde_json::from_str(line).map_err(|why| StorageError::Corrupt(why.to_string()))?;
            begun += u32::from(entry.begins_game());
            if begun == game {
                return Ok(Some(entry.number));
            }
            after = entry.number;
        }
    }
}
