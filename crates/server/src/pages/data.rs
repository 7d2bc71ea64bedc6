//! Taking one's data along, and deleting it.

use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use super::layout::{Reader, page, section};
use crate::people::Identity;

pub async fn show(reader: Reader, Identity(person): Identity) -> Response {
    if person.is_none() {
        return Redirect::to(&reader.link("/me")).into_response();
    }
    let contents = html! {
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
            form data-api="/api/person/delete" data-sure=(reader.text("data.sure")) data-next=(reader.link("/me")) {
                button type="submit" class="danger" { (reader.text("data.delete")) }
            }
        }))
    };
    page(reader, "data.title", "/me/data", &contents)
}
