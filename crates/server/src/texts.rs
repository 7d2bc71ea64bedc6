//! Texts of the server in three languages, in the format of the client's message files.

use std::sync::LazyLock;

use towers_client::{Language, Words};

static WORDS: LazyLock<[Words; 3]> = LazyLock::new(|| {
    [
        Words::parse(Language::English, include_str!("../texts/en.txt")),
        Words::parse(Language::German, include_str!("../texts/de.txt")),
        Words::parse(Language::French, include_str!("../texts/fr.txt")),
    ]
});

/// The server's texts of a language.
pub fn words(language: Language) -> &'static Words {
    let words = WORDS.iter().find(|words| words.language() == language);
    words.unwrap_or(&WORDS[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_text() {
        let keys = |language| words(language).keys().collect::<Vec<_>>();
        for language in Language::ALL {
            assert_eq!(words(language).language(), language);
            assert_eq!(keys(language), keys(Language::English));
        }
    }
}
