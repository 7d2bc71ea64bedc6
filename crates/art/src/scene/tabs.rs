//! Tabs beside spaces: letters and wizards hidden by a stack in front.

use towers_rules::Colour;

use super::{Piece, Scene, stacks};
use crate::geometry::{CELL, Hidden, Layout, TAB_MARGIN, Tab};
use crate::pieces;
use crate::svg::{Factor, N};

pub fn tabs(scene: &Scene, layout: &Layout) -> Vec<String> {
    let crowds = stacks::crowds(scene);
    let tabs = layout.tabs(&crowds, scene.middle.spells.len());
    let mut out: Vec<String> = tabs.iter().map(|tab| draw(scene, tab)).collect();
    out.extend(note(scene, layout));
    out
}

/// A few words below the stone of a space.
fn note(scene: &Scene, layout: &Layout) -> Option<String> {
    let (space, text) = scene.note.as_ref()?;
    let place = layout.place(*space);
    let half = 4.2 * text.chars().count() as f64 + 10.0;
    // Text at the edge is moved onto the board.
    let zone = layout.zones.board;
    let x = place.at.x.min(zone.x + zone.w - half).max(zone.x + half);
    Some(format!(
        r#"<g class="wt-note" transform="translate({} {})"><rect x="{}" y="-13" width="{}" height="26" rx="9"/><text y="5">{}</text></g>"#,
        N(x),
        N(place.at.y + 30.0 * place.scale),
        N(-half),
        N(2.0 * half),
        text.replace('&', "&amp;").replace('<', "&lt;"),
    ))
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
