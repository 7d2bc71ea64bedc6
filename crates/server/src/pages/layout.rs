//! The frame of every page: head, language, heading, the link back to the game.

use axum::extract::{FromRequestParts, Query};
use axum::http::header::REFERRER_POLICY;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use serde::Deserialize;
use time::OffsetDateTime;
use towers_client::Language;
use towers_client::words::{Message, Words, say};

use crate::texts;
use crate::web::client_asset;

/// Headers of every page: it has forms and our own scripts, and is about one person.
const HEADERS: [(HeaderName, &str); 3] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; \
         worker-src 'self'",
    ),
    // With no-referrer, browsers would not send the origin of a form.
    (REFERRER_POLICY, "same-origin"),
    (CACHE_CONTROL, "no-store"),
];

/// The reader of a page: the language, and how to write in it.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    words: &'static Words,
    /// Whether the address names the language, so that links have to do so too.
    is_chosen: bool,
}

#[derive(Deserialize)]
struct ChosenLanguage {
    lang: Option<String>,
}

impl Reader {
    pub fn language(self) -> Language {
        self.words.language()
    }

    #[cfg(test)]
    pub fn of(language: Language) -> Reader {
        Reader {
            words: texts::words(language),
            is_chosen: false,
        }
    }

    /// A text without arguments.
    pub fn text(self, key: &'static str) -> String {
        self.words.get(key)
    }

    pub fn say(self, message: &Message) -> String {
        self.words.say(message)
    }

    pub fn game_text(self, key: &'static str) -> String {
        texts::game_words(self.language()).get(key)
    }

    /// A text with a number.
    pub fn count(self, key: &'static str, n: u32) -> String {
        self.say(&say(key).with("n", n))
    }

    /// The day of a time in milliseconds since 1970, as it is written in the language.
    pub fn day(self, millis: i64) -> String {
        let time = OffsetDateTime::from_unix_timestamp(millis / 1000);
        let date = time.unwrap_or(OffsetDateTime::UNIX_EPOCH).date();
        let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
        match self.language() {
            Language::English => format!("{day} {} {year}", date.month()),
            Language::German => format!("{day}.{month}.{year}"),
            Language::French => format!("{day:02}/{month:02}/{year}"),
        }
    }

    /// The address of another page in the same language.
    pub fn link(self, path: &str) -> String {
        if self.is_chosen {
            in_language(path, self.language())
        } else {
            path.into()
        }
    }
}

/// The address of a page in a language.
fn in_language(path: &str, language: Language) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}lang={}", language.code())
}

impl<S: Send + Sync> FromRequestParts<S> for Reader {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Reader, Self::Rejection> {
        let query = Query::<ChosenLanguage>::from_request_parts(parts, state).await;
        let chosen = query.ok().and_then(|query| query.0.lang);
        let chosen = chosen.and_then(|code| Language::from_code(&code));
        let language = chosen.unwrap_or_else(|| texts::language_of(&parts.headers));
        Ok(Reader {
            words: texts::words(language),
            is_chosen: chosen.is_some(),
        })
    }
}

pub fn page(reader: Reader, title: &'static str, path: &str, contents: &Markup) -> Response {
    named_page(reader, &reader.text(title), path, contents)
}

/// A page whose title somebody has chosen.
pub fn named_page(reader: Reader, title: &str, path: &str, contents: &Markup) -> Response {
    let game = reader.text("game.title");
    let markup = html! {
        (DOCTYPE)
        html lang=(reader.language().code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="theme-color" content="#2b2f6b";
                title { (title) " · " (game) }
                @if let Some(style) = client_asset("style") {
                    link rel="stylesheet" href=(style);
                }
                link rel="stylesheet" href="/pages/pages.css";
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="apple-touch-icon" href="/apple-touch-icon.png";
                link rel="manifest" href="/manifest.webmanifest";
                script type="module" src="/pages/pages.js" {}
            }
            body class="wt-night" {
                div class="start page" {
                    main {
                        nav class="way-back" aria-label=(reader.text("page.way")) {
                            a href="/" { "← " (reader.text("page.back")) }
                            @if path != "/me" {
                                a href=(reader.link("/me")) { (reader.text("me.title")) }
                            }
                        }
                        header class="title" { h1 { (title) } }
                        p id="problem" role="alert" hidden { (reader.text("page.failed")) }
                        p id="insecure" class="panel part" role="alert" hidden {
                            (reader.game_text("device.insecure"))
                        }
                        (*contents)
                        footer {
                            nav aria-label=(reader.text("page.language")) {
                                @for language in Language::ALL {
                                    a href=(in_language(path, language))
                                        lang=(language.code())
                                        aria-current=[(language == reader.language()).then_some("true")]
                                        { (language.name()) }
                                }
                            }
                            a href=(reader.link("/privacy")) { (reader.text("me.privacy")) }
                        }
                    }
                }
            }
        }
    };
    (HEADERS, markup).into_response()
}

/// A part of a page with a heading.
pub fn section(reader: Reader, title: &'static str, contents: &Markup) -> Markup {
    html! {
        section class="panel part" aria-labelledby=(title) {
            h2 id=(title) { (reader.text(title)) }
            (*contents)
        }
    }
}

/// A button that copies the text of the element with this id.
pub fn copy_button(reader: Reader, of: &str) -> Markup {
    html! {
        form data-copy=(of) {
            button type="submit" data-done=(reader.game_text("daily.copied")) { (reader.text("page.copy")) }
        }
    }
}

/// A large link with a line about it.
pub fn choice(reader: Reader, path: &str, title: &'static str, about: &'static str) -> Markup {
    html! {
        a class="big" href=(reader.link(path)) {
            b { (reader.text(title)) }
            span { (reader.text(about)) }
        }
    }
}
