//! Malformed text is refused with a reason and a column. In the tables below, `^` marks the column of the error; without
//! one the error concerns the whole text, which is column 1.

#[path = "../common/mod.rs"]
mod common;

mod boards;
mod invalid_positions;
mod invalid_turns;
mod positions;
mod words;

use towers_rules::notation::ParseError;

/// Checks that a text is refused where the mark is and that the message says this.
fn refused<T: std::fmt::Debug>(
    marked: &str,
    message: &str,
    read: impl Fn(&str) -> Result<T, ParseError>,
) {
    let column = marked
        .split('^')
        .next()
        .filter(|_| marked.contains('^'))
        .map_or(1, |before| before.chars().count() + 1);
    let text = marked.replacen('^', "", 1);
    match read(&text) {
        Ok(value) => panic!("'{text}' was read as {value:?}"),
        Err(error) => {
            assert!(
                error.message.contains(message),
                "'{text}': {error}, not {message}"
            );
            assert_eq!(error.column, column, "'{text}': {error}");
            assert!(error.to_string().starts_with(&format!("column {column}: ")));
        }
    }
}
