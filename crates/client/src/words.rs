//! Texts in three languages, kept in message files.
//!
//! The page fetches the file of the chosen language. A file has lines `key = text`. In a text, `{name}` is an argument,
//! and `{n:one|other}` a word that depends on a number: French counts 0 and 1 as one, English and German only 1. With a
//! name, `{who:moves|move}` is the verb for another player or for the reader.

use std::collections::BTreeMap;

use crate::settings::Language;

/// A message: a key of the message files and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub key: &'static str,
    pub args: Vec<(&'static str, Arg)>,
}

/// An argument of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A text, inserted as it is.
    Text(String),
    Number(u32),
    /// Another message.
    Said(Message),
    /// Several messages, separated by commas.
    List(Vec<Message>),
    /// The reader, in place of a name.
    You,
}

/// A message without arguments.
pub fn say(key: &'static str) -> Message {
    Message {
        key,
        args: Vec::new(),
    }
}

impl Message {
    /// Adds an argument.
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
    texts: BTreeMap<String, String>,
}

impl Words {
    /// Parses a message file.
    pub fn parse(language: Language, file: &str) -> Words {
        let lines = file.lines().filter(|line| !line.starts_with('#'));
        let texts = lines.filter_map(|line| line.split_once(" = "));
        let texts = texts.map(|(key, text)| (key.into(), text.into())).collect();
        Words { language, texts }
    }

    /// The texts of a language as compiled into the program; not available in the browser.
    #[cfg(not(target_family = "wasm"))]
    pub fn of(language: Language) -> Words {
        Words::parse(language, file(language))
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// The text of a key, without replacing arguments.
    pub fn raw(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// All keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    /// The text of a key without arguments. An unknown key is returned as it is.
    pub fn get(&self, key: &'static str) -> String {
        self.say(&say(key))
    }

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
            (Some(Arg::You), Some(forms)) => {
                out.push_str(forms.split_once('|').map_or(forms, |f| f.1));
            }
            (Some(Arg::You), None) => out.push_str(self.raw("name.you").unwrap_or_default()),
            (Some(Arg::Text(_)), Some(forms)) => {
                out.push_str(forms.split_once('|').map_or(forms, |f| f.0));
            }
            (Some(Arg::Text(text)), None) => out.push_str(text),
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

/// The message file of a language.
#[cfg(not(target_family = "wasm"))]
fn file(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../locales/en.txt"),
        Language::German => include_str!("../locales/de.txt"),
        Language::French => include_str!("../locales/fr.txt"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    fn all() -> [Words; 3] {
        Language::ALL.map(Words::of)
    }

    /// The names of the arguments in a text.
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
        for language in Language::ALL {
            let lines = file(language).lines().filter(|l| l.contains(" = "));
            let keys = Words::of(language).keys().count();
            assert_eq!(lines.count(), keys, "{language:?}: a key is there twice");
        }
        let keys: BTreeSet<_> = english.keys().collect();
        for other in [&german, &french] {
            let theirs: BTreeSet<_> = other.keys().collect();
            let missing: Vec<_> = keys.symmetric_difference(&theirs).collect();
            assert!(missing.is_empty(), "{:?}: {missing:?}", other.language);
            for key in &keys {
                let (ours, text) = (english.raw(key).unwrap(), other.raw(key).unwrap());
                assert_eq!(places(ours), places(text), "{key} in {:?}", other.language);
                assert!(!text.trim().is_empty(), "{key} is empty");
            }
        }
    }

    /// French puts a space before some punctuation marks; a line must not begin with one of them.
    #[test]
    fn french_signs_stay_with_their_words() {
        for file in [
            "locales/fr.txt",
            "../server/texts/fr.txt",
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

    /// Collects all string literals that look like a key.
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
        for &field in towers_rules::Field::ALL {
            used.insert(format!("rule.{field}"));
            used.insert(format!("rule.{field}.about"));
            used.extend(field.values().iter().map(|v| format!("rule.{field}.{v}")));
        }
        let [english, ..] = all();
        let prefixes: BTreeSet<_> = english.keys().filter_map(|k| k.split('.').next()).collect();
        let missing: Vec<_> = used
            .iter()
            .filter(|key| prefixes.contains(key.split('.').next().unwrap_or("")))
            .filter(|key| !key.starts_with("rule."))
            .filter(|key| english.raw(key).is_none())
            .collect();
        assert!(missing.is_empty(), "no text for {missing:?}");
        let unused: Vec<_> = english.keys().filter(|k| !used.contains(*k)).collect();
        assert!(unused.is_empty(), "nobody says {unused:?}");
    }

    #[test]
    fn the_reader_is_addressed_and_others_are_named() {
        let [english, german, french] = all();
        let rolled = |who: Arg| say("log.rolled").with("who", who).with("n", 4u8);
        assert_eq!(english.say(&rolled("Ann".into())), "Ann rolls 4.");
        assert_eq!(english.say(&rolled(Arg::You)), "You roll 4.");
        assert_eq!(german.say(&rolled(Arg::You)), "Du würfelst 4.");
        assert_eq!(french.say(&rolled(Arg::You)), "Vous faites 4 au dé.");
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
