//! Texts in three languages, kept in message files.
//!
//! A file has lines `key = text`. In a text, `{name}` stands for an argument and `{n:one|other}` for a word that depends on a
//! number: French counts 0 and 1 as one, English and German only 1.

use crate::settings::Language;

/// All keys, sorted (`build.rs`).
const KEYS: &str = include_str!(concat!(env!("OUT_DIR"), "/keys.txt"));
/// The texts of a language in the order of the keys.
const FILES: [(Language, &str); 3] = [
    (
        Language::English,
        include_str!(concat!(env!("OUT_DIR"), "/en.txt")),
    ),
    (
        Language::German,
        include_str!(concat!(env!("OUT_DIR"), "/de.txt")),
    ),
    (
        Language::French,
        include_str!(concat!(env!("OUT_DIR"), "/fr.txt")),
    ),
];

/// Something to be said: a key of the message files, and what to put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The key.
    pub key: &'static str,
    /// The arguments by name.
    pub args: Vec<(&'static str, Arg)>,
}

/// What can be put into a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// As it is.
    Text(String),
    /// A number.
    Number(u32),
    /// Another message.
    Said(Message),
    /// Several messages, separated by commas.
    List(Vec<Message>),
}

/// A message without arguments.
pub fn say(key: &'static str) -> Message {
    Message {
        key,
        args: Vec::new(),
    }
}

impl Message {
    /// The message with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Message {
        self.args.push((name, arg.into()));
        self
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Arg {
        Arg::Text(text)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Arg {
        Arg::Text(text.into())
    }
}

impl From<char> for Arg {
    fn from(letter: char) -> Arg {
        Arg::Text(letter.into())
    }
}

impl From<u8> for Arg {
    fn from(number: u8) -> Arg {
        Arg::Number(number.into())
    }
}

impl From<u16> for Arg {
    fn from(number: u16) -> Arg {
        Arg::Number(number.into())
    }
}

impl From<u32> for Arg {
    fn from(number: u32) -> Arg {
        Arg::Number(number)
    }
}

impl From<Message> for Arg {
    fn from(message: Message) -> Arg {
        Arg::Said(message)
    }
}

impl From<Vec<Message>> for Arg {
    fn from(list: Vec<Message>) -> Arg {
        Arg::List(list)
    }
}

/// The texts of one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    language: Language,
    texts: Vec<(&'static str, &'static str)>,
}

impl Words {
    /// The texts of a language.
    pub fn of(language: Language) -> Words {
        let file = FILES.iter().find(|(l, _)| *l == language);
        let texts = file.map_or("", |(_, text)| text).split('\n');
        let texts = KEYS.split('\n').zip(texts);
        // What a language does not have is empty.
        let texts = texts.filter(|(_, text)| !text.is_empty()).collect();
        Words { language, texts }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text of a key as it is in the file.
    pub fn raw(&self, key: &str) -> Option<&'static str> {
        let found = self.texts.binary_search_by_key(&key, |&(k, _)| k);
        found.ok().map(|i| self.texts[i].1)
    }

    /// All keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.texts.iter().map(|&(key, _)| key)
    }

    /// The text of a key that has no arguments. A key that does not exist is shown as it is.
    pub fn get(&self, key: &'static str) -> String {
        self.say(&say(key))
    }

    /// A message in words.
    pub fn say(&self, message: &Message) -> String {
        let Some(text) = self.raw(message.key) else {
            return message.key.into();
        };
        let mut out = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            out.push_str(&rest[..open]);
            let Some(length) = rest[open..].find('}') else {
                break;
            };
            self.put(&rest[open + 1..open + length], message, &mut out);
            rest = &rest[open + length + 1..];
        }
        out.push_str(rest);
        out
    }

    fn put(&self, place: &str, message: &Message, out: &mut String) {
        let (name, forms) = match place.split_once(':') {
            Some((name, forms)) => (name, Some(forms)),
            None => (place, None),
        };
        let arg = message
            .args
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, a)| a);
        match (arg, forms) {
            (Some(Arg::Number(n)), Some(forms)) => {
                let (one, other) = forms.split_once('|').unwrap_or((forms, forms));
                out.push_str(if self.is_one(*n) { one } else { other });
            }
            (Some(Arg::Number(n)), None) => out.push_str(&n.to_string()),
            (Some(Arg::Text(text)), _) => out.push_str(text),
            (Some(Arg::Said(inner)), _) => out.push_str(&self.say(inner)),
            (Some(Arg::List(list)), _) => {
                let parts: Vec<_> = list.iter().map(|m| self.say(m)).collect();
                out.push_str(&parts.join(", "));
            }
            (None, _) => {
                out.push('{');
                out.push_str(name);
                out.push('}');
            }
        }
    }

    fn is_one(&self, n: u32) -> bool {
        match self.language {
            Language::French => n <= 1,
            Language::English | Language::German => n == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    fn all() -> [Words; 3] {
        FILES.map(|(language, _)| Words::of(language))
    }

    /// The places of a text: names of arguments.
    fn places(text: &str) -> BTreeSet<&str> {
        text.split('{')
            .skip(1)
            .filter_map(|part| part.split('}').next())
            .map(|place| place.split(':').next().unwrap_or(place))
            .collect()
    }

    #[test]
    fn every_language_has_every_key_with_the_same_arguments() {
        let [english, german, french] = all();
        let keys: BTreeSet<_> = english.keys().collect();
        assert_eq!(keys.len(), english.texts.len(), "a key is there twice");
        for other in [&german, &french] {
            let theirs: BTreeSet<_> = other.keys().collect();
            let missing: Vec<_> = keys.symmetric_difference(&theirs).collect();
            assert!(missing.is_empty(), "{:?}: {missing:?}", other.language);
            assert_eq!(theirs.len(), other.texts.len(), "a key is there twice");
            for key in &keys {
                let (ours, text) = (english.raw(key).unwrap(), other.raw(key).unwrap());
                assert_eq!(places(ours), places(text), "{key} in {:?}", other.language);
                assert!(!text.trim().is_empty(), "{key} is empty");
            }
        }
    }

    /// In French there is a space before some signs; a line must not begin with one of them.
    #[test]
    fn french_signs_stay_with_their_words() {
        for file in [
            "locales/fr.txt",
            "../study/texts/rules.fr.txt",
            "../study/texts/tutorial.fr.txt",
        ] {
            let text =
                fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
            for line in text.lines() {
                for loose in [" :", " ;", " !", " ?", " »", "« "] {
                    assert!(!line.contains(loose), "{file}: put U+00A0 into {line:?}");
                }
            }
        }
    }

    /// Everything between quotes that looks like a key.
    fn keys_in(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                keys_in(&path, found);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                for part in text.split('"').skip(1) {
                    let shape = |c: char| {
                        c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == '_'
                    };
                    let dotted =
                        part.split('.').count() == 2 && part.split('.').all(|p| !p.is_empty());
                    if dotted
                        && part.chars().all(shape)
                        && part.starts_with(|c: char| c.is_ascii_lowercase())
                    {
                        found.insert(part.into());
                    }
                }
            }
        }
    }

    #[test]
    fn every_key_in_the_sources_exists_and_every_key_is_used() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut used = BTreeSet::new();
        keys_in(&here.join("src"), &mut used);
        keys_in(&here.join("../web/src"), &mut used);
        let [english, ..] = all();
        let prefixes: BTreeSet<_> = english.keys().filter_map(|k| k.split('.').next()).collect();
        let missing: Vec<_> = used
            .iter()
            .filter(|key| prefixes.contains(key.split('.').next().unwrap_or("")))
            .filter(|key| english.raw(key).is_none())
            .collect();
        assert!(missing.is_empty(), "no text for {missing:?}");
        let unused: Vec<_> = english.keys().filter(|k| !used.contains(*k)).collect();
        assert!(unused.is_empty(), "nobody says {unused:?}");
    }

    #[test]
    fn plurals_follow_the_language() {
        let [english, german, french] = all();
        let wizards = |words: &Words, n: u32| words.say(&say("count.wizards").with("n", n));
        assert_eq!(wizards(&english, 0), "0 wizards");
        assert_eq!(wizards(&english, 1), "1 wizard");
        assert_eq!(wizards(&german, 1), "1 Magier");
        assert_eq!(wizards(&french, 0), "0 sorcier");
        assert_eq!(wizards(&french, 2), "2 sorciers");
        let flasks = |words: &Words, n: u32| words.say(&say("count.flasks").with("n", n));
        assert_eq!(flasks(&german, 1), "1 Flasche");
        assert_eq!(flasks(&german, 0), "0 Flaschen");
    }
}
