//! Tabs beside spaces: letters and wizards hidden by a stack in front.

use towers_rules::{Colour, Space};

use super::{Piece, Scene, stacks};
use crate::geometry::{CELL, Hidden, Layout, Rect, TAB_MARGIN, Tab};
use crate::pieces;
use crate::svg::{Factor, N};

pub fn tabs(scene: &Scene, layout: &Layout) -> Vec<String> {
    let crowds = stacks::crowds(scene);
    let tabs = layout.tabs(&crowds, scene.middle.spells.len());
    let mut out: Vec<String> = tabs.iter().map(|tab| draw(scene, tab)).collect();
    out.extend(note(scene, layout));
    out
}

/// Half the width of a character of a note, and the height of a line, in pixels.
const NOTE_TEXT: (f64, f64) = (4.2, 18.0);
/// A board narrower than this, in pixels, has notes of two lines.
const NARROW: f64 = 600.0;

/// A note as one line, or as two lines of similar length.
fn lines(text: &str, is_narrow: bool) -> Vec<&str> {
    let from_middle = |at: &usize| at.abs_diff(text.len() / 2);
    let blanks = text.match_indices(' ').map(|(at, _)| at);
    match blanks.filter(|_| is_narrow).min_by_key(from_middle) {
        Some(at) => vec![&text[..at], &text[at + 1..]],
        None => vec![text],
    }
}

/// The rectangle of a note: below the stone of its space, on the board, and beside the piles, the die and the spells.
fn note_rect(layout: &Layout, space: Space, lines: &[&str], spells: usize) -> Rect {
    let (zone, place) = (layout.zones.board, layout.place(space));
    let longest = lines.iter().map(|line| line.chars().count()).max();
    let half = NOTE_TEXT.0 * longest.unwrap_or(0) as f64 + 10.0;
    let h = NOTE_TEXT.1 * lines.len() as f64 + 8.0;
    let x = place.at.x.min(zone.x + zone.w - half).max(zone.x + half);
    let rect = Rect {
        x: x - half,
        y: place.at.y + 30.0 * place.scale - 13.0,
        w: 2.0 * half,
        h,
    };
    let centre = layout.centre(spells);
    let mut middle = vec![centre.draw, centre.discard, centre.die];
    middle.extend(centre.spells);
    let at = |y: f64| Rect { y, ..rect };
    let beside = middle.iter().flat_map(|r| [r.y - h - 2.0, r.y + r.h + 2.0]);
    let places = std::iter::once(rect.y).chain(beside).map(at);
    let distance = |r: &Rect| (r.y - rect.y).abs();
    places
        .filter(|place| middle.iter().all(|r| !r.overlaps(place)))
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(rect)
}

/// A few words below the stone of a space.
fn note(scene: &Scene, layout: &Layout) -> Option<String> {
    let (space, text) = scene.note.as_ref()?;
    let lines = lines(text, layout.zones.board.w < NARROW);
    let Rect { x, y, w, h } = note_rect(layout, *space, &lines, scene.middle.spells.len());
    let mut out = format!(
        r#"<g class="wt-note"><rect x="{}" y="{}" width="{}" height="{}" rx="9"/>"#,
        N(x),
        N(y),
        N(w),
        N(h)
    );
    for (i, line) in lines.iter().enumerate() {
        let line = line.replace('&', "&amp;").replace('<', "&lt;");
        let at = y + NOTE_TEXT.1 * (i as f64 + 1.0);
        out += &format!(
            r#"<text x="{}" y="{}">{line}</text>"#,
            N(x + w / 2.0),
            N(at)
        );
    }
    Some(out + "</g>")
}

/// A hidden piece in its cell; it can be pointed at like the piece itself.
fn cell(
    scene: &Scene,
    tab: &Tab,
    piece: Piece,
    name: &str,
    (x, y): (f64, f64),
    content: &str,
) -> String {
    format!(
        r#"<g class="wt-cell{}" {name} data-space="{}"><rect x="{}" y="{}" width="{}" height="{}" rx="4"/>{content}</g>"#,
        scene.class(piece),
        tab.space,
        N(x - CELL.0 / 2.0 + 0.5),
        N(y - CELL.1 / 2.0 + 0.5),
        N(CELL.0 - 1.0),
        N(CELL.1 - 1.0),
    )
}

fn draw(scene: &Scene, tab: &Tab) -> String {
    let stack = scene.board.stack(tab.space);
    let wizards: Vec<Colour> = stack.exposed().colours().collect();
    let mut cells = String::new();
    for (i, hidden) in tab.hidden.iter().enumerate() {
        let (x, y) = (
            TAB_MARGIN + CELL.0 * ((i % tab.columns) as f64 + 0.5),
            TAB_MARGIN + CELL.1 * ((i / tab.columns) as f64 + 0.5),
        );
        cells += &match *hidden {
            Hidden::Letter(level) => stack.towers.get(level).map_or(String::new(), |(tower, _)| {
                let name = format!(r#"data-tower="{}""#, tower.letter());
                let letter = format!(
                    r#"<text class="wt-letter" x="{}" y="{}" font-size="18">{}</text>"#,
                    N(x),
                    N(y + 6.5),
                    tower.letter()
                );
                cell(scene, tab, Piece::Tower(*tower), &name, (x, y), &letter)
            }),
            Hidden::Wizard(i) => wizards.get(i).map_or(String::new(), |&colour| {
                let name = format!(r#"data-wizard="{}""#, colour.letter());
                let hat = pieces::hat(colour, x, y + 9.0, 0.5);
                let piece = Piece::Wizard(tab.space, colour);
                cell(scene, tab, piece, &name, (x, y), &hat)
            }),
        };
    }
    format!(
        r#"<g class="wt-tab" data-space="{}" transform="translate({} {})scale({})"><rect width="{}" height="{}" rx="6"/>{cells}</g>"#,
        tab.space,
        N(tab.rect.x),
        N(tab.rect.y),
        Factor(tab.scale),
        N(tab.rect.w / tab.scale),
        N(tab.rect.h / tab.scale),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_on_a_phone_has_two_lines() {
        let text = "You were imprisoned here";
        assert_eq!(lines(text, false), [text]);
        assert_eq!(lines(text, true), ["You were", "imprisoned here"]);
        assert_eq!(lines("Oh", true), ["Oh"]);
    }

    #[test]
    fn a_note_covers_neither_spells_nor_die_nor_piles() {
        for (width, height) in [
            (360.0, 640.0),
            (390.0, 844.0),
            (768.0, 1024.0),
            (844.0, 390.0),
            (1440.0, 900.0),
        ] {
            let layout = Layout::fit(width, height);
            let lines = lines("Vous êtes emprisonné ici", layout.zones.board.w < NARROW);
            for spells in 0..=8 {
                let centre = layout.centre(spells);
                for space in Space::all() {
                    let rect = note_rect(&layout, space, &lines, spells);
                    let middle = [centre.draw, centre.discard, centre.die];
                    let mut all = middle.iter().chain(&centre.spells);
                    assert!(
                        all.all(|r| !r.overlaps(&rect)),
                        "{rect:?} on {space} at {width}x{height}"
                    );
                }
            }
        }
    }
}
