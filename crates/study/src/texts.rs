//! Longer texts, one file per language, with lines `key = text`. They are passed as a string, since a browser loads
//! them on demand.

use std::collections::BTreeMap;

/// The texts of one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    lines: BTreeMap<String, String>,
}

impl Texts {
    /// Parses a file of texts; lines that begin with `#` are comments.
    pub fn read(file: &str) -> Texts {
        let lines = file.lines().filter(|line| !line.starts_with('#'));
        let texts = lines.filter_map(|line| line.split_once(" = "));
        let texts = texts.map(|(key, text)| (key.trim().into(), text.trim().into()));
        Texts {
            lines: texts.collect(),
        }
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.lines.get(key).map(String::as_str)
    }

    /// All keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.lines.keys().map(String::as_str)
    }
}
