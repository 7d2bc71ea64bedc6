//! What the games of a person add up to.

use std::collections::BTreeMap;

use maud::{Markup, html};
use towers_client::words::say;

use super::games::{edition_title, kind, level_title};
use super::layout::{Reader, section};
use crate::history::{OpponentTotals, ShownRating, Totals, reference};

/// A rating with its uncertainty.
pub fn rating_text(rating: &ShownRating) -> String {
    format!("{} ± {}", rating.rating, rating.uncertainty)
}

pub fn ratings_part(reader: Reader, ratings: &BTreeMap<String, ShownRating>) -> Markup {
    section(
        reader,
        "games.rating",
        &html! {
            @if ratings.is_empty() {
                p { (reader.text("games.no_rating")) }
            } @else {
                table {
                    @for (name, rating) in ratings {
                        tr {
                            th scope="row" { (kind(reader, name)) }
                            td class="number" {
                                (rating_text(rating))
                                @if rating.provisional { small { (reader.text("ratings.provisional")) } }
                            }
                        }
                    }
                }
                p class="about" { (reader.text("games.rating_about")) }
            }
            p { a href=(reader.link("/ratings")) { (reader.text("ratings.compare")) } }
        },
    )
}

/// The former opponents and partners of the person, and the bots; each of the people is invited by one button.
pub fn people_part(reader: Reader, totals: &Totals, person: &str) -> Markup {
    if totals.opponents.is_empty() && totals.bots.is_empty() {
        return html! {};
    }
    let mut people: Vec<(&String, &OpponentTotals)> = totals.opponents.iter().collect();
    people.sort_by_key(|(_, totals)| std::cmp::Reverse(totals.games));
    let row = |name: &str, totals: &OpponentTotals| {
        let mut facts = vec![reader.count("games.count", totals.games)];
        if totals.ahead + totals.behind + totals.tied > 0 {
            let ahead = say("games.ahead_of").with("n", totals.ahead);
            facts.push(reader.say(&ahead.with("behind", totals.behind)));
        }
        if totals.together > 0 {
            facts.push(reader.count("games.together", totals.together));
        }
        html! { div { b { (name) } small { (facts.join(" · ")) } } }
    };
    section(
        reader,
        "games.people",
        &html! {
            ul id="companions" {
                @for (id, totals) in people {
                    li {
                        (row(&totals.name, totals))
                        form data-api="/api/person/invite" data-go="path" {
                            input type="hidden" name="person" value=(reference(person, id));
                            button type="submit" { (reader.text("games.invite")) }
                        }
                    }
                }
                @for (level, totals) in &totals.bots {
                    li { (row(&level_title(reader, level), totals)) }
                }
            }
            p { a href=(reader.link("/me/circles")) { (reader.text("circles.title")) } }
        },
    )
}

pub fn totals_part(reader: Reader, totals: &Totals) -> Markup {
    if totals.all.games == 0 {
        return html! {};
    }
    let streak = say("games.streak")
        .with("n", totals.streaks.current)
        .with("best", totals.streaks.longest);
    let row = |title: String, count: &crate::history::totals::GameCount| {
        html! {
            tr {
                th scope="row" { (title) }
                td class="number" { (count.games) }
                td class="number" { (count.won) }
            }
        }
    };
    let head = |title: &'static str| {
        html! {
            thead { tr {
                th scope="col" { (reader.text(title)) }
                th scope="col" class="number" { (reader.text("games.played")) }
                th scope="col" class="number" { (reader.text("games.wins")) }
            } }
        }
    };
    section(
        reader,
        "games.totals",
        &html! {
            table {
                (head("games.kind"))
                tbody {
                    @for (name, count) in &totals.modes { (row(kind(reader, name), count)) }
                }
            }
            table {
                (head("meet.edition"))
                tbody {
                    @for (name, count) in &totals.editions { (row(edition_title(reader, name), count)) }
                }
            }
            @if totals.streaks.longest > 0 { p { (reader.say(&streak)) } }
            p { a href=(reader.link("/scores")) { (reader.text("scores.title")) } }
        },
    )
}
