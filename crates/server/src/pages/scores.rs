//! The board of the deal of the day, and solo records: the distribution of results and the viewer's rank.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use time::OffsetDateTime;
use towers_client::words::say;
use towers_rules::{Mode, Preset};
use towers_table::Settings;

use super::games::edition_title;
use super::layout::{Reader, page, section};
use crate::daily;
use crate::history::deals::{self, DailyResult, DailyTotals, ScoreCount, ScoreWishes};
use crate::history::{GamePosition, MAX_COUNTED, Totals, games_of, name_of};
use crate::people::Identity;
use crate::web::{App, CostlyRead, Problem};

/// The number of milliseconds of a day.
const DAY: i64 = 24 * 3600 * 1000;

#[derive(Deserialize)]
pub struct ChosenDay {
    /// As in `2026-11-15`; today's if missing or malformed.
    day: Option<String>,
}

/// The scores of the reader.
#[derive(Default)]
struct OwnScores {
    wishes: ScoreWishes,
    of_day: Option<DailyResult>,
    daily: DailyTotals,
    games: Totals,
}

pub async fn show(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
    reader: Reader,
    Identity(person): Identity,
    Query(ChosenDay { day }): Query<ChosenDay>,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let storage = &*shared.storage;
    let today = daily::day_name(shared.clock.now());
    let day = day.and_then(|day| shifted(&day, 0));
    let day = day.filter(|day| *day <= today);
    let day = day.unwrap_or_else(|| today.clone());
    let own = match &person {
        Some(person) => {
            let id = &person.person;
            let games = games_of(storage, id, &GamePosition::first(), MAX_COUNTED).await?;
            Some(OwnScores {
                wishes: deals::wishes_of(storage, id).await?,
                of_day: deals::deal_of(storage, id, &day).await?,
                daily: deals::daily_totals(storage, id, &today).await?,
                games: Totals::of(&games, id),
            })
        }
        None => None,
    };
    let scores = shared.boards.of_day(storage, &day).await?;
    let mut solo = Vec::new();
    for preset in Preset::ALL {
        if Settings::new(preset, Mode::Solo, 1).check().is_ok() {
            let scores = shared.boards.of_edition(storage, preset).await?;
            solo.push((name_of(&preset), scores));
        }
    }
    let contents = html! {
        (daily_part(reader, &day, &today, &scores, own.as_ref()))
        (wishes_part(reader, own.as_ref().map(|own| own.wishes).unwrap_or_default()))
        @if let Some(own) = &own { (own_part(reader, &own.daily)) }
        (solo_part(reader, &solo, own.as_ref()))
    };
    let path = if day == today {
        "/scores".into()
    } else {
        format!("/scores?day={day}")
    };
    Ok(page(reader, "scores.title", &path, &contents))
}

/// When a day as in `2026-11-15` begins, in milliseconds since 1970.
fn begin_of(day: &str) -> Option<i64> {
    let first = i64::from(OffsetDateTime::UNIX_EPOCH.to_julian_day());
    Some((daily::day_number(day)? - first) * DAY)
}

/// A day as in `2026-11-15`, a number of days later.
fn shifted(day: &str, days: i64) -> Option<String> {
    let millis = begin_of(day)? + days * DAY;
    Some(daily::day_name(u64::try_from(millis).ok()?))
}

/// A day as in `2026-11-15`, as it is written in the reader's language.
fn day_text(reader: Reader, day: &str) -> String {
    reader.day(begin_of(day).unwrap_or_default())
}

fn daily_part(
    reader: Reader,
    day: &str,
    today: &str,
    scores: &[ScoreCount],
    own: Option<&OwnScores>,
) -> Markup {
    let of_day = own.and_then(|own| own.of_day);
    let takes_part = own.is_some_and(|own| own.wishes.statistics);
    let link = |days: i64| {
        let day = shifted(day, days).filter(|other| other.as_str() <= today);
        day.map(|day| reader.link(&format!("/scores?day={day}")))
    };
    let people: i64 = scores.iter().map(|score| score.people).sum();
    section(
        reader,
        "scores.daily",
        &html! {
            nav class="days" aria-label=(reader.text("scores.days")) {
                @if let Some(link) = link(-1) {
                    a class="button" href=(link) aria-label=(reader.text("scores.before")) { "‹" }
                }
                b { (day_text(reader, day)) }
                @if let Some(link) = link(1) {
                    a class="button" href=(link) aria-label=(reader.text("scores.after")) { "›" }
                }
            }
            @if people == 0 {
                p { (reader.text("scores.nobody")) }
            } @else {
                (distribution(reader, scores, of_day))
            }
            @if let Some(result) = of_day {
                p id="place" {
                    b { (result_text(reader, result)) }
                    @if takes_part { " · " (place_text(reader, scores, result)) }
                }
            } @else if day == today {
                p class="buttons" {
                    a class="button primary" href="/#daily" { (reader.text("scores.play")) }
                }
            }
            p id="own-replay" data-day=(day) hidden { a href="/" { (reader.text("scores.replay")) } }
        },
    )
}

fn result_text(reader: Reader, result: DailyResult) -> String {
    let cards = u32::try_from(result.score).unwrap_or_default();
    let cards = reader.count("games.cards", cards);
    let key = if result.won {
        "scores.yours"
    } else {
        "scores.yours_lost"
    };
    reader.say(&say(key).with("cards", cards))
}

/// The place of a result among all.
fn place_text(reader: Reader, scores: &[ScoreCount], own: DailyResult) -> String {
    let is_better = |score: &&ScoreCount| {
        (score.won && !own.won) || (score.won == own.won && score.score < own.score)
    };
    let better: i64 = scores.iter().filter(is_better).map(|s| s.people).sum();
    let all: i64 = scores.iter().map(|score| score.people).sum();
    let number = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
    let place = say("scores.place").with("n", number(better + 1));
    reader.say(&place.with("all", number(all)))
}

/// How many people have which result, as bars. Lost games are one row.
fn distribution(reader: Reader, scores: &[ScoreCount], own: Option<DailyResult>) -> Markup {
    let mut rows: Vec<(String, i64, bool)> = Vec::new();
    for score in scores.iter().filter(|score| score.won) {
        let cards = u32::try_from(score.score).unwrap_or_default();
        let is_own = own.is_some_and(|own| own.won && own.score == score.score);
        rows.push((reader.count("games.cards", cards), score.people, is_own));
    }
    let lost: i64 = scores.iter().filter(|s| !s.won).map(|s| s.people).sum();
    if lost > 0 {
        let is_own = own.is_some_and(|own| !own.won);
        rows.push((reader.text("games.lost"), lost, is_own));
    }
    let most = rows.iter().map(|(_, people, _)| *people).max().unwrap_or(1);
    html! {
        table class="bars" {
            thead { tr {
                th scope="col" { (reader.text("scores.result")) }
                th scope="col" colspan="2" { (reader.text("scores.people")) }
            } }
            tbody {
                @for (title, people, is_own) in rows {
                    tr class=[is_own.then_some("own")] {
                        th scope="row" { (title) @if is_own { " · " (reader.text("me.title")) } }
                        td { meter min="0" max=(most) value=(people) aria-hidden="true" {} }
                        td class="number" { (people) }
                    }
                }
            }
        }
    }
}

/// The choices about one's results: whether the server keeps them, and whether they count in the public board. The
/// script sends finished deals of this device if they are kept.
fn wishes_part(reader: Reader, wishes: ScoreWishes) -> Markup {
    let ScoreWishes {
        keeps_deals,
        statistics,
    } = wishes;
    let form = |keeps_deals: bool, statistics: bool, button: &'static str| {
        let wishes = json!({ "keeps_deals": keeps_deals, "statistics": statistics });
        html! {
            form data-scores=(keeps_deals) data-api="/api/person/scores" data-json=(wishes) {
                button type="submit" { (reader.text(button)) }
            }
        }
    };
    let keeping = if keeps_deals {
        ("scores.keep_on", form(false, false, "scores.keep_end"))
    } else {
        ("scores.keep_about", form(true, false, "scores.keep_begin"))
    };
    let counting = if statistics {
        ("scores.part_on", form(true, false, "scores.part_end"))
    } else {
        ("scores.part_about", form(true, true, "scores.part_begin"))
    };
    html! {
        @for (title, (about, form)) in [("scores.keep", keeping), ("scores.part", counting)] {
            (section(reader, title, &html! { p { (reader.text(about)) } (form) }))
        }
    }
}

fn own_part(reader: Reader, daily: &DailyTotals) -> Markup {
    if daily.days == 0 {
        return html! {};
    }
    let best = daily.best.and_then(|best| u32::try_from(best).ok());
    let row = |title: &'static str, value: String| {
        html! { tr { th scope="row" { (reader.text(title)) } td class="number" { (value) } } }
    };
    section(
        reader,
        "scores.own",
        &html! {
            table {
                (row("scores.played", daily.days.to_string()))
                (row("games.wins", daily.won.to_string()))
                @if let Some(best) = best { (row("scores.best", reader.count("games.cards", best))) }
                (row("scores.streak", daily.streak.current.to_string()))
                (row("scores.longest", daily.streak.longest.to_string()))
            }
        },
    )
}

fn solo_part(
    reader: Reader,
    boards: &[(String, Vec<ScoreCount>)],
    own: Option<&OwnScores>,
) -> Markup {
    let best = |edition: &str| own.and_then(|own| own.games.solo.get(edition)?.best);
    section(
        reader,
        "scores.solo",
        &html! {
            p class="about" { (reader.text("scores.solo_about")) }
            @for (edition, scores) in boards {
                @let best = best(edition).map(|score| DailyResult { won: true, score });
                @if !scores.is_empty() || best.is_some() {
                    h3 { (edition_title(reader, edition)) }
                    @if !scores.is_empty() { (distribution(reader, scores, best)) }
                    @if let Some(best) = best { p { b { (result_text(reader, best)) } } }
                }
            }
        },
    )
}
