//! The middle of the ring: draw pile, discard pile, die and spells.

use super::{Piece, Scene};
use crate::geometry::{Layout, Rect};
use crate::pieces::{book, die, spell};
use crate::svg::{Factor, N};

/// A drawing of `width` units from its corner, fitted into a rectangle.
fn fitted(rect: Rect, width: f64, attributes: &str, content: &str) -> String {
    format!(
        r#"<g {attributes} transform="translate({} {})scale({})">{content}</g>"#,
        N(rect.x),
        N(rect.y),
        Factor(rect.w / width)
    )
}

/// Everything in the middle.
pub fn middle(scene: &Scene, layout: &Layout) -> Vec<String> {
    let middle = &scene.middle;
    let places = layout.centre(middle.spells.len());
    let mut out = Vec::new();
    let halo = |piece: Piece, x: f64, y: f64, w: f64, h: f64| match scene.mark(piece) {
        Some(_) => format!(
            r#"<rect class="wt-halo" x="{}" y="{}" width="{}" height="{}" rx="12"/>"#,
            N(x),
            N(y),
            N(w),
            N(h)
        ),
        None => String::new(),
    };
    let draw = halo(Piece::Draw, 4.0, 2.0, 95.0, 118.0) + &draw_pile(middle.draw);
    out.push(fitted(
        places.draw,
        100.0,
        &format!(
            r#"class="wt-pile{}" data-pile="draw""#,
            scene.class(Piece::Draw)
        ),
        &draw,
    ));
    let discard = middle.discard.map_or_else(
        || {
            r#"<rect class="wt-empty-pile" x="6" y="8" width="148" height="106" rx="12"/>"#
                .to_string()
        },
        |card| {
            r##"<ellipse cx="80" cy="112" rx="92" ry="16" fill="url(#wt-shadow)"/>"##.to_string()
                + &book::card_content(card)
        },
    );
    out.push(fitted(
        places.discard,
        160.0,
        r#"class="wt-pile" data-pile="discard""#,
        &discard,
    ));
    let name = format!(
        r#"class="wt-die{}" data-die="{}""#,
        scene.class(Piece::Die),
        middle.die
    );
    out.push(fitted(
        places.die,
        66.0,
        &name,
        &(halo(Piece::Die, 5.0, 4.0, 56.0, 61.0) + &die(middle.die, 33.0, 33.0, 1.0)),
    ));
    for (&(kind, cost), rect) in middle.spells.iter().zip(places.spells) {
        let piece = Piece::Spell(kind);
        out.push(fitted(
            rect,
            100.0,
            &format!(
                r#"class="wt-spell-place{}" data-spell="{}""#,
                scene.class(piece),
                kind.code()
            ),
            &(halo(piece, 2.0, 2.0, 96.0, 95.0) + &spell::tile_content(kind, cost)),
        ));
    }
    out
}

/// Closed books; the more cards, the higher the pile.
fn draw_pile(cards: usize) -> String {
    if cards == 0 {
        return r#"<rect class="wt-empty-pile" x="8" y="6" width="88" height="108" rx="10"/>"#
            .to_string();
    }
    let books = 1 + cards.div_ceil(24).min(4);
    let mut out =
        String::from(r##"<ellipse cx="52" cy="114" rx="64" ry="16" fill="url(#wt-shadow)"/>"##);
    for i in 0..books {
        out += &format!(
            r##"<use href="#wt-card-back" transform="translate({} {})"/>"##,
            N(if i % 2 == 0 { 0.0 } else { 2.5 }),
            N(8.0 - 7.0 * i as f64)
        );
    }
    out + &format!(
        r#"<g class="wt-count wt-count-pile"><circle cx="92" cy="104" r="14"/><text x="92" y="109.5">{cards}</text></g>"#
    )
}
