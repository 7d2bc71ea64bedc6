//! Longer texts, one file per language, with lines `key = text`. They are passed as a string, since a browser loads
//! them on demand.

/// The texts of one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    lines: Vec<(String, String)>,
}

impl Texts {
    /// Parses a file of texts; lines that begin with `#` are comments.
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

    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.lines.binary_search_by(|(k, _)| k.as_str().cmp(key));
        found.ok().map(|i| self.lines[i].1.as_str())
    }

    /// All keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(key, _)| key.as_str())
    }
}
