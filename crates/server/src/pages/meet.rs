//! "Find me a game": what is played, waiting for others, and invitations.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use towers_rules::Preset;
use towers_table::NAME_CHARS;

use super::invitations;
use super::layout::{Reader, page, section};
use crate::history::name_of;
use crate::people::Identity;
use crate::web::{App, Problem};

/// The numbers of players that can be chosen, and whether they are at first.
const PLAYERS: [(u8, bool); 5] = [(2, true), (3, true), (4, true), (5, false), (6, false)];
const KINDS: [(&str, &str); 3] = [
    ("versus", "games.versus"),
    ("teams", "games.teams"),
    ("coop", "games.coop"),
];
const PACES: [(&str, &str); 3] = [
    ("quick", "meet.quick"),
    ("normal", "meet.normal"),
    ("days", "meet.days"),
];

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
) -> Result<Response, Problem> {
    let shared = app.registry.shared();
    let (name, invitations) = match person {
        Some(person) => (
            shared.people.overview(&person).await?.name,
            invitations::part(reader, shared, &person.person).await?,
        ),
        None => (String::new(), html! {}),
    };
    let contents = html! {
        (invitations)
        (section(reader, "meet.wish", &html! {
            p { (reader.text("meet.about")) }
            (form(reader, &name))
            (waiting(reader))
        }))
        p class="panel part" {
            span {
                (reader.text("meet.or")) " "
                a href="/#tables" { (reader.text("meet.tables")) }
            }
        }
    };
    Ok(page(reader, "meet.title", "/meet", &contents))
}

fn select(
    reader: Reader,
    name: &str,
    label: &'static str,
    options: &[(&str, &'static str)],
    chosen: &str,
) -> Markup {
    html! {
        label class="field" {
            span { (reader.text(label)) }
            select name=(name) {
                @for (value, text) in options {
                    option value=(value) selected[*value == chosen] { (reader.text(text)) }
                }
            }
        }
    }
}

fn form(reader: Reader, name: &str) -> Markup {
    html! {
        form data-meet="" class="wish" {
            label class="field" {
                span { (reader.text("me.name")) }
                input type="text" name="name" value=(name) maxlength=(NAME_CHARS) required autocomplete="nickname";
            }
            (select(reader, "kind", "meet.kind", &KINDS, "versus"))
            label class="field" {
                span { (reader.text("meet.edition")) }
                select name="edition" {
                    option value="" { (reader.text("meet.any_edition")) }
                    @for preset in Preset::ALL {
                        option value=(name_of(&preset)) {
                            (reader.game_text(towers_client::editions::edition(preset)))
                        }
                    }
                }
            }
            (select(reader, "pace", "meet.speed", &PACES, "normal"))
            fieldset class="field" {
                legend { (reader.text("meet.players")) }
                p class="about" { (reader.text("meet.players_about")) }
                div class="checks" {
                    @for (n, is_chosen) in PLAYERS {
                        label { input type="checkbox" name="players" value=(n) checked[is_chosen]; (n) }
                    }
                }
            }
            label class="check" {
                input type="checkbox" name="rated";
                span { (reader.text("meet.rated")) small { (reader.text("meet.rated_about")) } }
            }
            button type="submit" class="primary" { (reader.text("meet.start")) }
        }
    }
}

/// What is shown in place of the form while somebody waits.
fn waiting(reader: Reader) -> Markup {
    html! {
        div id="meeting" class="waiting" hidden {
            p role="status" { (reader.text("meet.waiting")) }
            p class="clock" aria-hidden="true" id="waited" { "0:00" }
            p class="about" { (reader.text("meet.stay")) }
            div id="bots" class="panel part" hidden {
                p role="status" { (reader.text("meet.bots")) }
                button type="button" class="primary" id="with-bots" { (reader.text("meet.with_bots")) }
            }
            button type="button" id="stop-waiting" { (reader.text("meet.stop")) }
        }
        p id="meet-problem" class="why" role="alert" hidden
            data-impossible=(reader.text("meet.impossible"))
            data-elsewhere=(reader.text("meet.elsewhere"))
            data-failed=(reader.text("page.failed")) {}
    }
}
