//! What a person prefers on this device.

use serde::{Deserialize, Serialize};

/// A language of the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Language {
    /// English.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Deutsch.
    #[serde(rename = "de")]
    German,
    /// Français.
    #[serde(rename = "fr")]
    French,
}

impl Language {
    /// All three.
    pub const ALL: [Language; 3] = [Language::English, Language::German, Language::French];

    /// Its code, as in the page's `lang`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::French => "fr",
        }
    }

    /// What it calls itself.
    pub const fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::German => "Deutsch",
            Language::French => "Français",
        }
    }

    /// The language of a code such as `de-AT`, if there are texts in it.
    pub fn from_code(code: &str) -> Option<Language> {
        let first = code.split(['-', '_']).next()?;
        Language::ALL
            .into_iter()
            .find(|l| l.code().eq_ignore_ascii_case(first))
    }

    /// The first of a browser's languages that there are texts in.
    pub fn best<'a>(codes: impl IntoIterator<Item = &'a str>) -> Language {
        codes
            .into_iter()
            .find_map(Language::from_code)
            .unwrap_or_default()
    }
}

/// Day or night.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// As the system has it.
    #[default]
    System,
    /// Day.
    Day,
    /// Night.
    Night,
}

/// How quickly moves are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Half as quick.
    Slow,
    /// Easy to follow.
    #[default]
    Normal,
    /// Twice as quick.
    Double,
    /// At once.
    Instant,
}

impl Speed {
    /// Milliseconds for something that usually takes this long.
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
    /// Played.
    On,
    /// Not played.
    #[default]
    Off,
}

/// What a person prefers on this device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// The language; none: the browser's.
    pub language: Option<Language>,
    /// Day or night.
    pub theme: ThemeChoice,
    /// How quickly moves are shown.
    pub speed: Speed,
    /// Sound effects.
    pub sound: Sound,
    /// How loud they are, in percent.
    pub volume: u8,
    /// Whether the person is still to be asked for sound: only on a device that has stored no preferences before.
    #[serde(default)]
    pub asks_sound: bool,
    /// Whether spaces show their numbers.
    pub numbers: bool,
    /// What the person is called.
    pub name: String,
    /// Whether to be asked before and after every action in games with reactions.
    pub stops_everywhere: bool,
}

/// Spaces show their numbers: the texts speak of them.
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
