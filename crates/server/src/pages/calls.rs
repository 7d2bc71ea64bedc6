//! How a person is notified when it is their turn: everywhere, and about one table.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use towers_client::words::say;

use super::layout::{Reader, copy_button, page, section};
use super::me::name;
use crate::calls::{ADDRESS_BYTES, CallStore, WebhookForm, is_host};
use crate::people::Identity;
use crate::web::{App, Problem};

/// Minutes after midnight, as a field for times has them.
fn time_of_day(minutes: u64) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// All preferences of a person.
pub async fn show(
    State(app): State<Arc<App>>,
    reader: Reader,
    Identity(person): Identity,
) -> Result<Response, Problem> {
    let Some(person) = person else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let shared = app.registry.shared();
    let store = CallStore::of(shared);
    let is_called = store.is_subscribed(&person.device).await?;
    let (settings, has_calendar) = store.settings(&person.person).await?;
    let muted = store.muted(&person.person).await?;
    let mut tables = shared.people.tables_of(&person.person).await?;
    tables.retain(|table| table.seat.is_some() && table.stage != "over");
    let (from, to) = settings.quiet.map_or_else(Default::default, |quiet| {
        (time_of_day(quiet.from), time_of_day(quiet.to))
    });
    let zone = settings.zone.iana_name().unwrap_or("UTC");
    let contents = html! {
        (this_device(reader, is_called))
        (section(reader, "calls.quiet", &html! {
            p { (reader.text("calls.quiet_about")) }
            form data-calls="quiet" {
                label class="field" {
                    span { (reader.text("calls.quiet_from")) }
                    input type="time" name="from" value=(from);
                }
                label class="field" {
                    span { (reader.text("calls.quiet_to")) }
                    input type="time" name="to" value=(to);
                }
                button type="submit" { (reader.text("me.save")) }
            }
            @if settings.quiet.is_some() {
                p class="about" { (reader.say(&say("calls.quiet_zone").with("zone", zone))) }
            }
        }))
        @if !tables.is_empty() {
            (section(reader, "calls.tables", &html! {
                ul {
                    @for table in &tables {
                        li {
                            div {
                                a href=(reader.link(&format!("/me/calls/{}", table.table))) {
                                    (name(reader, table))
                                }
                            }
                            (switch(reader, &table.table, muted.contains(&table.table)))
                        }
                    }
                }
            }))
        }
        (section(reader, "calls.calendar", &html! {
            p { (reader.text("calls.calendar_about")) }
            div {
                form data-api="/api/person/calendar" data-show="path" {
                    input type="hidden" name="language" value=(reader.language().code());
                    button type="submit" {
                        (reader.text(if has_calendar { "calls.calendar_again" } else { "calls.calendar_make" }))
                    }
                }
                div class="part-result" data-result="" hidden {
                    p class="secret" id="path" {}
                    (copy_button(reader, "path"))
                }
            }
            @if has_calendar {
                p class="about" { (reader.text("calls.calendar_is_made")) }
                form data-calls="no-calendar" {
                    button type="submit" { (reader.text("calls.calendar_remove")) }
                }
            }
        }))
    };
    Ok(page(reader, "calls.title", "/me/calls", &contents))
}

/// Notifications about one table, and its webhook.
pub async fn at_table(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    reader: Reader,
    identity: Identity,
) -> Result<Response, Problem> {
    let Some(person) = identity.0.as_ref() else {
        return Ok(Redirect::to(&reader.link("/me")).into_response());
    };
    let shared = app.registry.shared();
    let tables = shared.people.tables_of(&person.person).await?;
    let Some(table) = tables.into_iter().find(|table| table.table == id) else {
        return Ok(Redirect::to(&reader.link("/me/calls")).into_response());
    };
    let store = CallStore::of(shared);
    let is_called = store.is_subscribed(&person.device).await?;
    let is_muted = store.muted(&person.person).await?.contains(&id);
    let webhook = if is_host(&app, &id, &identity).await? {
        Some(store.webhook_form(&id).await?)
    } else {
        None
    };
    let title = name(reader, &table);
    let contents = html! {
        p { a class="button" href=(format!("/t/{id}")) { "← " (title) } }
        (this_device(reader, is_called))
        @if table.seat.is_some() {
            (section(reader, "calls.this_table", &html! {
                p { (reader.text("calls.this_table_about")) }
                (switch(reader, &id, is_muted))
            }))
        }
        @if let Some(form) = webhook {
            (webhook_section(reader, &id, form))
        }
        p { a href=(reader.link("/me/calls")) { (reader.text("calls.more")) } }
    };
    let path = format!("/me/calls/{id}");
    Ok(page(reader, "calls.title", &path, &contents))
}

/// Notifications on the device that shows the page.
fn this_device(reader: Reader, is_called: bool) -> Markup {
    section(
        reader,
        "calls.here",
        &html! {
            p { (reader.text("calls.about")) }
            p id="call-problem" class="problem" role="alert" hidden
                data-blocked=(reader.text("calls.blocked"))
                data-unsupported=(reader.text("calls.unsupported"))
                data-failed=(reader.text("calls.failed")) {}
            @if is_called {
                p { "✓ " (reader.text("calls.is_on")) }
                form data-calls="off" { button type="submit" { (reader.text("calls.off")) } }
            } @else {
                form data-calls="on" {
                    button type="submit" class="primary" { (reader.text("calls.on")) }
                }
            }
        },
    )
}

/// Turns notifications about a table on or off.
fn switch(reader: Reader, table: &str, is_muted: bool) -> Markup {
    html! {
        form data-calls="table" data-table=(table) data-on=(is_muted) {
            button type="submit" aria-pressed=(if is_muted { "false" } else { "true" }) {
                (reader.text(if is_muted { "calls.table_off" } else { "calls.table_on" }))
            }
        }
    }
}

fn webhook_section(reader: Reader, table: &str, form: Option<WebhookForm>) -> Markup {
    let api = format!("/api/tables/{table}/webhook");
    let refused = say("webhook.refused").with("status", "%");
    let is_discord = form == Some(WebhookForm::Discord);
    section(
        reader,
        "webhook.title",
        &html! {
            p { (reader.text("webhook.about")) }
            form data-webhook="set" data-api=(api) {
                label class="field" {
                    span { (reader.text("webhook.address")) }
                    input type="url" name="address" required placeholder="https://" maxlength=(ADDRESS_BYTES)
                        autocomplete="off" spellcheck="false";
                }
                label class="field" {
                    span { (reader.text("webhook.form")) }
                    select name="form" {
                        option value="json" { (reader.text("webhook.json")) }
                        option value="discord" selected[is_discord] { "Discord" }
                    }
                }
                button type="submit" { (reader.text("webhook.set")) }
            }
            p id="webhook-result" role="status" hidden
                data-delivered=(reader.text("webhook.delivered"))
                data-refused=(reader.say(&refused))
                data-unreachable=(reader.text("webhook.unreachable"))
                data-not_allowed=(reader.text("webhook.not_allowed"))
                data-removed=(reader.text("webhook.removed")) {}
            div id="webhook-is-set" hidden[form.is_none()] {
                p { (reader.text("webhook.is_set")) }
                div class="row" {
                    form data-webhook="test" data-api=(api) {
                        button type="submit" { (reader.text("webhook.test")) }
                    }
                    form data-webhook="remove" data-api=(api) {
                        button type="submit" { (reader.text("webhook.remove")) }
                    }
                }
            }
        },
    )
}
