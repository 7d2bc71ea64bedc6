//! The marks in the fixed part of a view. The macro writes them and the client's builder reads them: both use this file.

/// Before the name of an element and its fixed attributes.
pub const OPEN: char = '\u{1}';
/// Before the name of a fixed attribute.
pub const NAME: char = '\u{2}';
/// Before the value of a fixed attribute.
pub const VALUE: char = '\u{3}';
/// Before a fixed text.
pub const TEXT: char = '\u{4}';
/// The end of an element.
pub const CLOSE: char = '\u{5}';
