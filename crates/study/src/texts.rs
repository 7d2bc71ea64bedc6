//! Longer texts, one file per language: lines `key = text`. They are given as a string, since a browser loads them only when they
//! are wanted.

/// The texts of one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    lines: Vec<(String, String)>,
}

impl Texts {
    /// Reads a file of texts; lines that begin with `#` are remarks.
    pub fn read(file: &str) -> Texts {
        let mut lines: Vec<(String, String)> = file
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split_once(" = "))
            .map(|(key, text)| (key.trim().into(), text.trim().into()))
            .collect();
        lines.sort_unstable();
        Texts { lines }
    }

    /// The text of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.lines.binary_search_by(|(k, _)| k.as_str().cmp(key));
        found.ok().map(|i| self.lines[i].1.as_str())
    }

    /// All keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(key, _)| key.as_str())
    }
}
