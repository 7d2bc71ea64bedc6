//! The preferences of the person at this device.

use serde::{Deserialize, Serialize};

/// A language of the user interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "de")]
    German,
    #[serde(rename = "fr")]
    French,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::English, Language::German, Language::French];

    /// The language code, as in the page's `lang`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::French => "fr",
        }
    }

    /// The name of the language in the language itself.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::German => "Deutsch",
            Language::French => "Français",
        }
    }

    /// The language of a code such as `de-AT`, if it is supported.
    pub fn from_code(code: &str) -> Option<Language> {
        let first = code.split(['-', '_']).next()?;
        Language::ALL
            .into_iter()
            .find(|l| l.code().eq_ignore_ascii_case(first))
    }

    /// The first supported language among those of the browser.
    pub fn best<'a>(codes: impl IntoIterator<Item = &'a str>) -> Language {
        codes
            .into_iter()
            .find_map(Language::from_code)
            .unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// The system's theme.
    #[default]
    System,
    Day,
    Night,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Half the normal speed.
    Slow,
    #[default]
    Normal,
    /// Twice the normal speed.
    Double,
    /// No animation.
    Instant,
}

impl Speed {
    /// The duration of an animation that normally takes `usual` milliseconds.
    pub const fn millis(self, usual: u32) -> u32 {
        match self {
            Speed::Slow => 2 * usual,
            Speed::Normal => usual,
            Speed::Double => usual / 2,
            Speed::Instant => 0,
        }
    }
}

/// Sound effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sound {
    On,
    #[default]
    Off,
}

/// The preferences of the person at this device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// The language; `None` for the browser's.
    pub language: Option<Language>,
    pub theme: ThemeChoice,
    pub speed: Speed,
    pub sound: Sound,
    /// The volume in percent.
    pub volume: u8,
    /// Whether to ask the person about sound: only if this device has stored no preferences before.
    #[serde(default)]
    pub asks_sound: bool,
    /// Whether to show the numbers of spaces.
    pub numbers: bool,
    pub name: String,
    /// Whether to ask before and after every action in games with reactions.
    pub stops_everywhere: bool,
}

/// Numbers of spaces are shown by default because the texts refer to them.
impl Default for Preferences {
    fn default() -> Preferences {
        Preferences {
            language: None,
            theme: ThemeChoice::default(),
            speed: Speed::default(),
            sound: Sound::default(),
            volume: 60,
            asks_sound: true,
            numbers: true,
            name: String::new(),
            stops_everywhere: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_with_texts_is_taken() {
        assert_eq!(Language::best(["it-IT", "fr-CA", "de"]), Language::French);
        assert_eq!(Language::best(["xx"]), Language::English);
        assert_eq!(Language::from_code("DE_AT"), Some(Language::German));
    }

    #[test]
    fn preferences_of_older_versions_are_still_read() {
        let read: Preferences = serde_json::from_str(r#"{"theme":"day"}"#).unwrap();
        assert_eq!(read.theme, ThemeChoice::Day);
        assert_eq!(read.speed, Speed::Normal);
        assert!(read.numbers);
        assert_eq!((read.volume, read.asks_sound), (60, false));
        assert!(Preferences::default().asks_sound);
    }
}
