//! Invitations to tables and circles, as they are shown on several pages.

use maud::{Markup, html};
use towers_client::words::say;

use super::layout::{Reader, section};
use crate::history::circles::{self, Circle};
use crate::pairing::{Invitation, invitations_of};
use crate::storage::StorageError;
use crate::tables::Shared;

/// The open invitations of a person; nothing if there are none.
pub async fn part(reader: Reader, shared: &Shared, person: &str) -> Result<Markup, StorageError> {
    let storage = &*shared.storage;
    let tables = invitations_of(storage, person).await?;
    let mut circles = circles::circles_of(storage, person).await?;
    circles.retain(|circle| !circle.accepted);
    if tables.is_empty() && circles.is_empty() {
        return Ok(html! {});
    }
    Ok(section(
        reader,
        "invitations.title",
        &html! {
            ul {
                @for invitation in &tables { (to_table(reader, invitation)) }
                @for circle in &circles { (to_circle(reader, circle)) }
            }
        },
    ))
}

fn to_table(reader: Reader, invitation: &Invitation) -> Markup {
    let text = say("invitations.table").with("who", invitation.name.as_str());
    html! {
        li data-invitation=(invitation.table) {
            div {
                b { (reader.say(&text)) }
                small { (reader.day(invitation.at)) }
            }
            a class="button primary" href=(format!("/t/{}", invitation.table)) {
                (reader.text("invitations.go"))
            }
            form data-api="/api/person/invitations/dismiss" {
                input type="hidden" name="table" value=(invitation.table);
                button type="submit" { (reader.text("invitations.dismiss")) }
            }
        }
    }
}

fn to_circle(reader: Reader, circle: &Circle) -> Markup {
    let text = say("invitations.circle").with("circle", circle.name.as_str());
    let path = format!("/api/circles/{}", circle.id);
    html! {
        li data-circle=(circle.id) {
            div {
                b { (reader.say(&text)) }
                small { (reader.text("invitations.circle_about")) }
            }
            form data-api=(format!("{path}/accept")) data-next=(reader.link(&format!("/me/circles/{}", circle.id))) {
                button type="submit" class="primary" { (reader.text("invitations.accept")) }
            }
            form data-api=(format!("{path}/leave")) {
                button type="submit" { (reader.text("invitations.dismiss")) }
            }
        }
    }
}
