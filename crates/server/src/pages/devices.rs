//! The devices of a person, the recovery code, and how to use it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use towers_client::words::say;

use super::layout::{Reader, page, section};
use crate::people::Identity;
use crate::web::{App, Problem};

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
) -> Result<Response, Problem> {
    let Some(person) = person else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let me = app.registry.shared().people.overview(&person).await?;
    let on = |key, at| reader.say(&say(key).with("day", reader.day(at)));
    let contents = html! {
        (section(reader, "me.devices", &html! {
            p { (reader.text("devices.about")) }
            ul {
                @for device in &me.devices {
                    li {
                        div {
                            b { (device.label) }
                            @if device.is_this { " · " (reader.text("devices.this")) }
                            small {
                                (on("devices.since", device.created)) " · " (on("devices.used", device.used))
                            }
                        }
                        @if !device.is_this {
                            form data-api=(format!("/api/person/devices/{}/remove", device.id)) {
                                button type="submit" { (reader.text("devices.remove")) }
                            }
                        }
                    }
                }
            }
        }))
        (section(reader, "devices.more", &html! {
            p { (reader.text("devices.more_about")) }
            p { a class="button" href="/#device" { (reader.text("devices.more")) } }
        }))
        (section(reader, "devices.recovery", &html! {
            p { (reader.text("devices.recovery_about")) }
            @if me.has_recovery_code {
                p { (reader.text("devices.has_code")) }
            }
            form data-api="/api/person/recovery" data-show="code" {
                button type="submit" { (reader.text("devices.make")) }
            }
            div data-result="" hidden {
                p { (reader.text("devices.code")) }
                p class="secret" id="code" {}
                p class="about" { (reader.text("devices.code_once")) }
            }
        }))
    };
    Ok(page(reader, "devices.title", "/me/devices", &contents))
}

/// Using a recovery code: this browser becomes a device of the person.
pub async fn recover(reader: Reader) -> Response {
    let contents = section(
        reader,
        "recover.code",
        &html! {
            p { (reader.text("recover.about")) }
            form data-recover="" {
                input type="text" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false"
                    aria-label=(reader.text("recover.code"));
                button type="submit" class="primary" { (reader.text("recover.use")) }
            }
            p data-problem="" role="alert" hidden { (reader.text("recover.wrong")) }
        },
    );
    page(reader, "recover.title", "/me/recover", &contents)
}
