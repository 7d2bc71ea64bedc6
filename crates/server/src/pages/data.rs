//! Exporting and deleting personal data.

use axum::response::Response;
use maud::{Markup, html};

use super::layout::{Reader, page, section};
use crate::people::Identity;

pub async fn show(reader: Reader, Identity(person): Identity) -> Response {
    let contents = html! {
        (local(reader))
        @if person.is_some() {
            (section(reader, "data.export", &html! {
                p { (reader.text("data.export_about")) }
                p {
                    a class="button" href="/api/person/export" download="wandering-towers.json" {
                        (reader.text("data.export"))
                    }
                }
            }))
            (section(reader, "data.delete", &html! {
                p { (reader.text("data.delete_about")) }
                form data-api="/api/person/delete" data-sure=(reader.text("data.sure")) data-forget=""
                    data-next=(reader.link("/me")) {
                    button type="submit" class="danger" { (reader.text("data.delete")) }
                }
            }))
        }
    };
    page(reader, "data.title", "/me/data", &contents)
}

/// What only this browser has, as a file.
fn local(reader: Reader) -> Markup {
    section(
        reader,
        "data.local",
        &html! {
            p { (reader.text("data.local_about")) }
            form data-file="save" {
                button type="submit" { (reader.text("data.save")) }
            }
            p { (reader.text("data.open_about")) }
            form data-file="open" {
                label class="file" {
                    (reader.text("data.open"))
                    input type="file" class="unseen" name="file" accept=".json";
                }
            }
            // The client names one of them in the address when it has read the file.
            p class="outcome" id="taken" role="status" { (reader.text("data.taken")) }
            p class="outcome" id="not-taken" role="alert" { (reader.text("data.not_taken")) }
            p data-problem="" role="alert" hidden { (reader.text("data.not_taken")) }
        },
    )
}
