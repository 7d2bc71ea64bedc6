//! Texts of the server for players, in the languages of the client: notifications, calendars, pages.

use std::sync::LazyLock;

use towers_client::settings::Language;
use towers_client::words::Words;

const FILES: [(Language, &str); 3] = [
    (Language::English, include_str!("../texts/en.txt")),
    (Language::German, include_str!("../texts/de.txt")),
    (Language::French, include_str!("../texts/fr.txt")),
];

static TEXTS: LazyLock<[Words; 3]> =
    LazyLock::new(|| FILES.map(|(language, file)| Words::parse(language, file)));

/// The texts in a language.
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

/// The language of a reader, by the `Accept-Language` header. Browsers list the preferred one first.
pub fn accepted(header: &str) -> Language {
    Language::best(header.split([',', ';']).map(str::trim))
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
