//! The pieces as shared drawings. [`defs`] holds each of them once; everything else refers to them by `<use>`.
//!
//! Pieces are drawn in units with their origin where they touch the surface they stand on; tiles, books and dice around
//! or from a corner of their box. A player's colour comes from a class (`wt-b`, `wt-y`, …) on the `<use>` or around it.

pub mod book;
mod castle;
mod die;
mod flask;
mod raven;
mod shade;
mod sign;
pub mod spell;
mod stone;
mod tower;
mod wizard;

pub use die::die;
pub use flask::{FlaskState, flask};
pub use sign::{Sign, sign};
pub use stone::{lights, stone};
pub use tower::{tower, tower_front, tower_letter};
pub use wizard::{hat, wizard};

/// Groups of shapes, starting with the parts of emblems.
const SHELVES: [fn() -> String; SHELF_COUNT] = [
    castle::shapes,
    wizard::shapes,
    || raven::shapes() + &stone::shapes(),
    tower::shapes,
    || die::shapes() + &flask::shapes(),
    || book::shapes() + &spell::shapes(),
];

/// The number of shelves.
pub const SHELF_COUNT: usize = 6;

/// The gradients and patterns of all shapes, on the first shelf.
fn paints() -> String {
    [
        shade::PAINTS,
        castle::PAINTS,
        stone::PAINTS,
        die::PAINTS,
        book::PAINTS,
        spell::PAINTS,
        &wizard::paints(),
    ]
    .concat()
}

/// All shared drawings, to be put into a page once, inside the element that has the theme's class.
pub fn defs() -> String {
    shelves().collect()
}

/// The shared drawings shelf by shelf, for a page that handles input in between: each is an invisible `<svg>`. Drawings
/// refer to those on other shelves.
pub fn shelves() -> impl Iterator<Item = String> {
    SHELVES.iter().enumerate().map(|(place, shapes)| {
        let paints = if place == 0 { paints() } else { String::new() };
        hidden(&paints, &shapes())
    })
}

/// Gradients only work in an element that is displayed. Shapes need not be displayed and cost nothing until they are
/// used.
fn hidden(paints: &str, shapes: &str) -> String {
    format!(
        r#"<svg class="wt-defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>{paints}<g display="none">{shapes}</g></defs></svg>"#
    )
}

/// A separate drawing for a panel or a button: an `<svg>` with a view box around `content`.
pub fn icon(class: &str, view: &str, content: &str) -> String {
    format!(
        r#"<svg class="{class}" viewBox="{view}" aria-hidden="true" focusable="false">{content}</svg>"#
    )
}

/// The castle as an icon-sized `<use>` at the origin.
pub fn castle() -> String {
    crate::svg::stamp("castle", 0.0, 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every `href="#wt-…"` and `url(#wt-…)` in `text`.
    fn references(text: &str) -> Vec<&str> {
        text.split("#wt-")
            .skip(1)
            .map(|rest| rest.split(['"', ')']).next().unwrap_or(""))
            .collect()
    }

    #[test]
    fn every_reference_is_defined_once() {
        let mut text = defs();
        for card in towers_rules::Card::all() {
            text += &book::card(card);
        }
        text += &book::back();
        for spell in towers_rules::Spell::ALL {
            text += &spell::tile(spell, 3);
        }
        for name in references(&text) {
            assert_eq!(
                text.matches(&format!(r#"id="wt-{name}""#)).count(),
                1,
                "{name}"
            );
        }
    }

    #[test]
    fn paints_are_laid_out_and_shapes_are_not() {
        assert_eq!(shelves().count(), SHELF_COUNT);
        for shelf in shelves() {
            let (paints, shapes) = shelf.split_once(r#"<g display="none">"#).unwrap();
            for paint in ["Gradient id=", "<clipPath", "<pattern", "<filter", "<mask"] {
                assert!(!shapes.contains(paint), "{paint}");
            }
            for shape in ["<g id=", "<path id=", "<use"] {
                assert!(!paints.contains(shape), "{shape}");
            }
        }
    }

    #[test]
    fn nothing_needs_inline_style_or_script() {
        let text = defs();
        for word in [" style=", "<style", "<script", " onclick"] {
            assert!(!text.contains(word), "{word}");
        }
        assert!(text.len() < 40_000, "{}", text.len());
    }
}
