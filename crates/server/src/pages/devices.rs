//! The devices of a person, the recovery code, and how to use it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use towers_client::words::say;

use super::layout::{Reader, choice, copy_button, page, section};
use crate::people::{Identity, PasskeyView, RelyingParty};
use crate::web::{App, Problem, own_origin};

pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let Some(person) = person else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let me = app.registry.shared().people.overview(&person).await?;
    let on = |key, at| reader.say(&say(key).with("day", reader.day(at)));
    let origin = own_origin(&app, &headers, &uri).unwrap_or_default();
    let has_name = RelyingParty::of_request(&app, &headers, &uri).is_some();
    let contents = html! {
        (section(reader, "devices.yours", &html! {
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
                            form data-api=(format!("/api/person/devices/{}/remove", device.id))
                                data-sure=(reader.text("devices.remove_sure")) {
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
        (passkeys(reader, &me.passkeys, has_name))
        (section(reader, "devices.recovery", &html! {
            p { (reader.text("devices.recovery_about")) }
            @if me.has_recovery_code {
                p { (reader.text("devices.has_code")) }
            }
            form data-api="/api/person/recovery" data-show="code" {
                button type="submit" { (reader.text("devices.make")) }
            }
            div class="printed" data-result="" hidden {
                p { b { (reader.text("game.title")) } " · " (reader.text("devices.code")) }
                p class="secret" id="code" {}
                p {
                    (reader.say(&say("devices.code_use").with("address", format!("{origin}/me/recover"))))
                }
                p class="about" { (reader.text("devices.code_once")) }
                div class="row" {
                    (copy_button(reader, "code"))
                    form data-print="" { button type="submit" { (reader.text("devices.print")) } }
                }
            }
        }))
        (section(reader, "devices.join", &html! {
            p { (reader.text("devices.join_about")) }
            (ways_back(reader, has_name))
        }))
    };
    Ok(page(reader, "devices.title", "/me/devices", &contents))
}

/// Ways to add this browser to an existing person.
pub fn ways_back(reader: Reader, has_passkeys: bool) -> Markup {
    html! {
        div class="ways" {
            p class="panel part" data-problem="" role="alert" hidden { (reader.text("me.passkey_failed")) }
            nav class="choices" aria-label=(reader.text("devices.join")) {
                @if has_passkeys {
                    form data-passkey="use" data-if-passkeys="" hidden {
                        button type="submit" class="big" {
                            b { (reader.text("me.passkey")) }
                            span { (reader.text("me.passkey_about")) }
                        }
                    }
                }
                (choice(reader, "/#device", "me.link", "me.link_about"))
                (choice(reader, "/me/recover", "me.recover", "recover.about"))
            }
        }
    }
}

/// The passkeys of a person. They can be removed with every browser, and added where the server has a name and the browser
/// has passkeys.
fn passkeys(reader: Reader, passkeys: &[PasskeyView], has_name: bool) -> Markup {
    let on = |key, at| reader.say(&say(key).with("day", reader.day(at)));
    let is_empty = passkeys.is_empty();
    html! {
        @if has_name || !is_empty {
            div hidden[is_empty] data-if-passkeys[is_empty] {
                (section(reader, "devices.passkeys", &html! {
                    p { (reader.text("devices.passkeys_about")) }
                    @if !is_empty {
                        ul id="passkeys" {
                            @for passkey in passkeys {
                                li {
                                    div {
                                        b { (passkey.label) }
                                        small {
                                            (on("devices.since", passkey.created)) " · "
                                            (on("devices.used", passkey.used))
                                        }
                                    }
                                    form data-api=(format!("/api/person/passkeys/{}/remove", passkey.id))
                                        data-sure=(reader.text("devices.passkey_sure")) {
                                        button type="submit" { (reader.text("devices.remove")) }
                                    }
                                }
                            }
                        }
                    }
                    @if has_name {
                        form data-passkey="add" data-if-passkeys="" hidden {
                            button type="submit" { (reader.text("devices.passkey_add")) }
                        }
                        p data-problem="" role="alert" hidden { (reader.text("devices.passkey_failed")) }
                    }
                }))
            }
        }
    }
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
