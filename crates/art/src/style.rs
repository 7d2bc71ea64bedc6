//! The stylesheet.

/// Colours, type and motion of everything drawn here. Put `wt-day` or `wt-night` on an element around the drawings; the fonts are
/// expected under the family names `Tower Title` and `Tower Text`.
pub const STYLE: &str = include_str!("style.css");
