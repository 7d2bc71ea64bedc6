//! How a person is called when it is their turn.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use super::layout::{Reader, page, section};
use crate::calls::CallStore;
use crate::people::Identity;
use crate::web::{App, Problem};

/// Minutes after midnight, as a field for times has them.
fn time_of_day(minutes: u64) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

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
    let (settings, _) = store.settings(&person.person).await?;
    let muted = store.muted(&person.person).await?;
    let tables = shared.people.tables_of(&person.person).await?;
    let seated = tables
        .iter()
        .filter(|t| t.seat.is_some() && t.stage != "over");
    let (from, to) = settings.quiet.map_or_else(Default::default, |quiet| {
        (time_of_day(quiet.from), time_of_day(quiet.to))
    });
    let contents = html! {
        (section(reader, "calls.here", &html! {
            p { (reader.text("calls.about")) }
            p id="call-problem" role="alert" hidden
                data-blocked=(reader.text("calls.blocked"))
                data-unsupported=(reader.text("calls.unsupported")) {}
            @if is_called {
                p { (reader.text("calls.is_on")) }
                form data-calls="off" { button type="submit" { (reader.text("calls.off")) } }
            } @else {
                form data-calls="on" {
                    button type="submit" class="primary" { (reader.text("calls.on")) }
                }
            }
        }))
        (section(reader, "calls.quiet", &html! {
            p { (reader.text("calls.quiet_about")) }
            form data-quiet=(reader.language().code()) {
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
        }))
        (section(reader, "calls.tables", &html! {
            ul {
                @for table in seated {
                    @let is_muted = muted.contains(&table.table);
                    li {
                        div { a href=(format!("/t/{}", table.table)) { (table.others.join(", ")) } }
                        form data-api="/api/person/calls/tables" data-table=(table.table) data-on=(is_muted) {
                            button type="submit" aria-pressed=(!is_muted) {
                                (reader.text(if is_muted { "calls.table_off" } else { "calls.table_on" }))
                            }
                        }
                    }
                }
            }
        }))
        (section(reader, "calls.calendar", &html! {
            p { (reader.text("calls.calendar_about")) }
            form data-api="/api/person/calendar" data-show="path" {
                button type="submit" { (reader.text("calls.calendar_make")) }
            }
            div data-result="" hidden { p class="secret" id="path" {} }
        }))
    };
    Ok(page(reader, "calls.title", "/me/calls", &contents))
}
