//! Texts of the server for players, in the languages of the client: notifications, calendars, pages.

use std::sync::LazyLock;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use towers_client::settings::Language;
use towers_client::words::Words;

const FILES: [(Language, &str); 3] = [
    (Language::English, include_str!("../texts/en.txt")),
    (Language::German, include_str!("../texts/de.txt")),
    (Language::French, include_str!("../texts/fr.txt")),
];

static TEXTS: LazyLock<[Words; 3]> =
    LazyLock::new(|| FILES.map(|(language, file)| Words::parse(language, file)));

pub fn words(language: Language) -> &'static Words {
    let [english, ..] = &*TEXTS;
    let mut all = TEXTS.iter();
    all.find(|words| words.language() == language)
        .unwrap_or(english)
}

static GAME_TEXTS: LazyLock<[Words; 3]> = LazyLock::new(|| Language::ALL.map(Words::of));

/// The texts of the client in a language.
pub fn game_words(language: Language) -> &'static Words {
    let [first, ..] = &*GAME_TEXTS;
    let mut all = GAME_TEXTS.iter();
    all.find(|words| words.language() == language)
        .unwrap_or(first)
}

/// The preferred language of the reader of a response, by the `Accept-Language` header.
pub fn language_of(headers: &HeaderMap) -> Language {
    let wished = headers.get(ACCEPT_LANGUAGE).and_then(|l| l.to_str().ok());
    let mut wished: Vec<(&str, f32)> = wished
        .unwrap_or_default()
        .split(',')
        .map(|part| {
            let (code, weight) = part.split_once(";q=").unwrap_or((part, "1"));
            (code.trim(), weight.trim().parse().unwrap_or(0.0))
        })
        .collect();
    wished.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    Language::best(wished.into_iter().map(|(code, _)| code))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arguments of a text, sorted.
    fn arguments(text: &str) -> Vec<&str> {
        let parts = text.split('{').skip(1);
        let names = parts.filter_map(|part| part.split(['}', ':']).next());
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_preferred_language_is_the_one_with_the_greatest_weight() {
        for (wished, code) in [
            ("", "en"),
            ("de-AT,de;q=0.9,en;q=0.5", "de"),
            ("es, en;q=0.5, fr;q=0.7", "fr"),
            ("*", "en"),
            ("it", "en"),
            ("fr;q=x,de", "de"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, wished.parse().unwrap());
            assert_eq!(language_of(&headers).code(), code, "{wished}");
        }
        assert_eq!(language_of(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn every_text_exists_in_every_language_with_the_same_arguments() {
        let english = words(Language::English);
        for language in Language::ALL {
            let other = words(language);
            assert_eq!(other.language(), language);
            assert!(english.keys().eq(other.keys()), "{language:?}");
            for key in english.keys() {
                let of = |words: &'static Words| arguments(words.raw(key).unwrap());
                assert_eq!(of(english), of(other), "{key} in {language:?}");
            }
        }
    }
}
