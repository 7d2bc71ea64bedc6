//! A circle: standings of an evening or of all games, members against each other, and playing again.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use towers_client::words::say;
use towers_table::TITLE_CHARS;

use super::layout::{Reader, named_page, section};
use crate::history::circles::{self, Circle, CircleMember};
use crate::history::standings::{CircleEvening, CircleStandings, counted, evenings, standings};
use crate::history::{StoredGame, companions, games_of_circle, reference};
use crate::people::Identity;
use crate::web::{App, CostlyRead, Problem};

/// The maximum number of games and evenings in a list.
const MAX_LISTED: usize = 20;

#[derive(Deserialize)]
pub struct OfEvening {
    /// When the first game of the evening ended.
    evening: Option<i64>,
}

/// Everything that is shown of a circle.
struct CirclePage<'a> {
    reader: Reader,
    viewer: &'a str,
    circle: &'a Circle,
    members: &'a [CircleMember],
    /// The evening that is shown; `None` for all games.
    evening: Option<CircleEvening>,
    standings: CircleStandings,
}

pub async fn show(
    State(app): State<Arc<App>>,
    _costly: CostlyRead,
    reader: Reader,
    Identity(person): Identity,
    Path(id): Path<String>,
    Query(OfEvening { evening }): Query<OfEvening>,
) -> Result<Response, Problem> {
    let Some(viewer) = person.map(|person| person.person) else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let storage = &*app.registry.shared().storage;
    let Ok(circle) = circles::circle_of(storage, &viewer, &id).await else {
        return Ok(Redirect::to(&reader.link("/me/circles")).into_response());
    };
    let members = circles::members(storage, &circle.id).await?;
    let accepted = members.iter().filter(|member| member.accepted);
    let ids: Vec<String> = accepted.map(|member| member.person.clone()).collect();
    let games = games_of_circle(storage, &circle.id, 0).await?;
    let all = evenings(&games, &ids);
    let evening = evening.and_then(|first| all.iter().find(|e| e.first == first).copied());
    let is_shown = |game: &&StoredGame| {
        evening.is_none_or(|evening| (evening.first..=evening.last).contains(&game.ended))
    };
    let shown: Vec<StoredGame> = games.iter().filter(is_shown).cloned().collect();
    let page = CirclePage {
        reader,
        viewer: &viewer,
        circle: &circle,
        members: &members,
        evening,
        standings: standings(&shown, &ids),
    };
    let known = companions(storage, &viewer).await?;
    let is_member = |id: &String| members.iter().any(|member| member.person == *id);
    let others = known.iter().filter(|(id, _)| !is_member(id));
    let contents = html! {
        (page.standings_part(&all))
        (page.pairs_part())
        (page.games_part(counted(&shown, &ids)))
        (page.members_part(others))
        (page.settings_part())
    };
    let path = page.path(evening.map(|evening| evening.first));
    Ok(named_page(reader, &circle.name, &path, &contents))
}

impl CirclePage<'_> {
    fn path(&self, evening: Option<i64>) -> String {
        let path = format!("/me/circles/{}", self.circle.id);
        match evening {
            Some(first) => format!("{path}?evening={first}"),
            None => path,
        }
    }

    fn api(&self, what: &str) -> String {
        format!("/api/circles/{}/{what}", self.circle.id)
    }

    fn name(&self, person: &str) -> String {
        if person == self.viewer {
            return self.reader.text("me.title");
        }
        let mut members = self.members.iter();
        let member = members.find(|member| member.person == person);
        member.map(|member| member.name.clone()).unwrap_or_default()
    }

    /// Links to the standings of all games and of each evening.
    fn choice_of_evening(&self, evenings: &[CircleEvening]) -> Markup {
        let reader = self.reader;
        let shown = self.evening.map(|evening| evening.first);
        let link = |first: Option<i64>, text: &str| {
            html! {
                a class="button" href=(reader.link(&self.path(first)))
                    aria-current=[(shown == first).then_some("true")] { (text) }
            }
        };
        html! {
            nav class="tabs" aria-label=(reader.text("circle.which")) {
                (link(None, &reader.text("circle.all")))
                @for evening in evenings.iter().take(MAX_LISTED) {
                    (link(Some(evening.first), &reader.day(evening.first)))
                }
            }
        }
    }

    fn standings_part(&self, evenings: &[CircleEvening]) -> Markup {
        let reader = self.reader;
        let standing = |person: &String| {
            let standing = self.standings.members.get(person);
            standing.copied().unwrap_or_default()
        };
        let mut order: Vec<&CircleMember> = self.members.iter().filter(|m| m.accepted).collect();
        order.sort_by_key(|member| {
            let standing = standing(&member.person);
            Reverse((standing.half_points, standing.won))
        });
        let points = |half: u32| match (half / 2, half % 2) {
            (0, 1) => "½".to_string(),
            (whole, 0) => whole.to_string(),
            (whole, _) => format!("{whole}½"),
        };
        section(
            reader,
            "circle.standings",
            &html! {
                @if evenings.is_empty() {
                    p { (reader.text("circle.no_games")) }
                } @else {
                    (self.choice_of_evening(evenings))
                    table id="standings" {
                        thead { tr {
                            th scope="col" { (reader.text("circle.member")) }
                            th scope="col" class="number" { (reader.text("circle.points")) }
                            th scope="col" class="number" { (reader.text("games.wins")) }
                            th scope="col" class="number" { (reader.text("games.played")) }
                        } }
                        tbody { @for member in order {
                            @let standing = standing(&member.person);
                            tr class=[(member.person == self.viewer).then_some("own")] {
                                th scope="row" { (self.name(&member.person)) }
                                td class="number" { b { (points(standing.half_points)) } }
                                td class="number" { (standing.won) }
                                td class="number" { (standing.games) }
                            }
                        } }
                    }
                    p class="about" { (reader.text("circle.points_about")) }
                }
                form data-api=(self.api("play")) data-go="path" {
                    button type="submit" class="primary" { (reader.text("circle.play")) }
                }
            },
        )
    }

    /// Everybody against everybody, the viewer first.
    fn pairs_part(&self) -> Markup {
        let mut rows: Vec<(&str, &str, u32, u32, u32)> = Vec::new();
        for ((first, second), pair) in &self.standings.pairs {
            let (first, second) = (first.as_str(), second.as_str());
            rows.push(if second == self.viewer {
                (second, first, pair.second, pair.first, pair.tied)
            } else {
                (first, second, pair.first, pair.second, pair.tied)
            });
        }
        rows.sort_by_key(|(first, ..)| *first != self.viewer);
        if rows.is_empty() {
            return html! {};
        }
        section(
            self.reader,
            "circle.pairs",
            &html! {
                table class="pairs" {
                    @for (first, second, ahead, behind, tied) in rows {
                        tr class=[(first == self.viewer).then_some("own")] {
                            td { (self.name(first)) }
                            td class="score" { b { (ahead) " : " (behind) } }
                            td { (self.name(second)) }
                            td class="number" {
                                @if tied > 0 { (self.reader.count("circle.tied", tied)) }
                            }
                        }
                    }
                }
            },
        )
    }

    fn games_part<'g>(&self, games: impl Iterator<Item = &'g StoredGame>) -> Markup {
        let reader = self.reader;
        let games: Vec<&StoredGame> = games.take(MAX_LISTED).collect();
        if games.is_empty() {
            return html! {};
        }
        section(
            reader,
            "circle.games",
            &html! {
                ul {
                    @for game in games {
                        li {
                            div {
                                b { (winners(reader, game)) }
                                small { (reader.day(game.ended)) }
                            }
                            a href=(super::games::replay_path(game)) { (reader.text("games.replay")) }
                        }
                    }
                }
            },
        )
    }

    /// The members, and former opponents of the viewer who can be invited.
    fn members_part<'p>(&self, others: impl Iterator<Item = (&'p String, &'p String)>) -> Markup {
        let reader = self.reader;
        let invite = self.api("invite");
        section(
            reader,
            "circle.members",
            &html! {
                ul {
                    @for member in self.members {
                        li {
                            div {
                                (self.name(&member.person))
                                @if !member.accepted { small { (reader.text("circle.invited")) } }
                            }
                        }
                    }
                    @for (person, name) in others {
                        li {
                            div { (name) small { (reader.text("circle.not_member")) } }
                            form data-api=(invite) {
                                input type="hidden" name="person" value=(reference(self.viewer, person));
                                button type="submit" { (reader.text("circle.invite")) }
                            }
                        }
                    }
                }
            },
        )
    }

    fn settings_part(&self) -> Markup {
        let reader = self.reader;
        section(
            reader,
            "circle.settings",
            &html! {
                form data-api=(self.api("name")) {
                    input type="text" name="name" value=(self.circle.name) maxlength=(TITLE_CHARS) required
                        autocomplete="off" aria-label=(reader.text("circles.name"));
                    button type="submit" { (reader.text("me.save")) }
                }
                form data-api=(self.api("leave")) data-sure=(reader.text("circle.sure"))
                    data-next=(reader.link("/me/circles")) {
                    button type="submit" class="danger" { (reader.text("circle.leave")) }
                }
            },
        )
    }
}

/// Who has won a game.
fn winners(reader: Reader, game: &StoredGame) -> String {
    if !game.has_winner() {
        return reader.text("games.nobody");
    }
    let won = game.seats.iter().filter(|seat| seat.won);
    let names: Vec<String> = won
        .map(|seat| super::games::seat_name(reader, seat))
        .collect();
    reader.say(&say("circle.winner").with("who", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use towers_client::Language;

    use super::*;
    use crate::history::StoredSeat;
    use crate::pages::games::result;

    /// A game of Ann and Ben.
    fn game(winner: Option<&str>) -> StoredGame {
        let seat = |number, name: &str| {
            let is_first = winner.is_none_or(|winner| winner == name);
            StoredSeat {
                seat: number,
                person: Some(name.into()),
                name: name.into(),
                bot: None,
                team: None,
                place: Some(if is_first { 1 } else { 2 }),
                won: winner == Some(name),
                gain: None,
            }
        };
        StoredGame {
            table: "t".into(),
            game: 1,
            ended: 1,
            mode: "versus".into(),
            teams: false,
            preset: "capstone".into(),
            as_printed: true,
            rated: false,
            agreed: false,
            score: None,
            seats: vec![seat(0, "Ann"), seat(1, "Ben")],
        }
    }

    #[test]
    fn a_game_that_nobody_won_has_no_winner() {
        let reader = Reader::of(Language::English);
        let won = game(Some("Ann"));
        assert_eq!(winners(reader, &won), "Won by Ann");
        assert_eq!(result(reader, &won, "Ann"), "Won");
        assert_eq!(result(reader, &won, "Ben"), "Place 2");
        let tied = game(None);
        assert_eq!(winners(reader, &tied), "Nobody won");
        assert_eq!(result(reader, &tied, "Ben"), "Nobody won");
    }
}
