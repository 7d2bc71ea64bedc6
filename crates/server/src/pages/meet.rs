//! "Find me a game".

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use super::layout::{Reader, page, section};
use crate::people::Identity;
use crate::web::{App, Problem};

/// The numbers of players that can be chosen.
const PLAYERS: [u8; 5] = [2, 3, 4, 5, 6];
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
    let Some(person) = person else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let me = app.registry.shared().people.overview(&person).await?;
    let contents = section(
        reader,
        "meet.start",
        &html! {
            p { (reader.text("meet.about")) }
            form data-meet="" {
                label class="field" {
                    span { (reader.text("me.name")) }
                    input type="text" name="name" value=(me.name) maxlength="20" required autocomplete="nickname";
                }
                label class="field" {
                    span { (reader.text("meet.players")) }
                    select name="players" {
                        @for n in PLAYERS { option value=(n) { (n) } }
                    }
                }
                label class="field" {
                    span { (reader.text("meet.speed")) }
                    select name="pace" {
                        @for (value, text) in PACES {
                            option value=(value) selected[value == "normal"] { (reader.text(text)) }
                        }
                    }
                }
                button type="submit" class="primary" { (reader.text("meet.start")) }
            }
            p id="meeting" role="status" hidden { (reader.text("meet.waiting")) }
            p id="bots" hidden {
                (reader.text("meet.bots")) " "
                button type="button" { (reader.text("meet.with_bots")) }
            }
        },
    );
    Ok(page(reader, "meet.title", "/meet", &contents))
}
