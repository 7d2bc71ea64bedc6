//! A stack drawn from the side: every level is a row large enough to tap.

use towers_rules::{Colour, Diagram, Space, Stack, Surface, Tower};

use crate::geometry::{STEP_BACK, wizard_spots};
use crate::pieces;
use crate::scene::{Mark, Piece, cage};
use crate::svg::{Factor, N};

const WIDTH: f64 = 340.0;

/// A stack to be drawn from the side.
#[derive(Clone, Debug)]
pub struct SideView<'a> {
    pub board: &'a Diagram,
    pub space: Space,
    /// The highlighted towers and wizards.
    pub marks: &'a [(Piece, Mark)],
    /// Whether imprisoned wizards are shown.
    pub show_prisoners: bool,
}

impl SideView<'_> {
    fn stack(&self) -> &Stack {
        self.board.stack(self.space)
    }

    fn class(&self, piece: Piece) -> &'static str {
        match self.marks.iter().find(|(p, _)| *p == piece) {
            Some((_, Mark::Legal)) => " wt-legal",
            Some((_, Mark::Chosen)) => " wt-chosen",
            Some((_, Mark::Noted)) => " wt-noted",
            None => "",
        }
    }

    /// The size of [`svg`](Self::svg) in pixels; it can be scrolled, or shrunk to rows of 44.
    pub fn size(&self) -> (f64, f64) {
        (
            WIDTH,
            self.rows().iter().map(|r| r.height).sum::<f64>() + 16.0,
        )
    }

    /// The rows from top to bottom.
    fn rows(&self) -> Vec<FloorRow> {
        let top = self.stack().height();
        let seen = |level: usize| level == top || self.show_prisoners;
        let wizards = |level: usize| {
            if seen(level) {
                self.stack().wizards(level).colours().collect()
            } else {
                Vec::new()
            }
        };
        let mut rows = Vec::new();
        if self.board.castle == self.space {
            rows.push(FloorRow {
                what: Floor::Castle,
                wizards: Vec::new(),
                height: 142.0,
                level: top + 1,
            });
        }
        for level in (0..=top).rev() {
            let wizards = wizards(level);
            let crowd = if wizards.is_empty() {
                0.0
            } else if wizards.len() > 3 {
                46.0
            } else {
                34.0
            };
            let what = level
                .checked_sub(1)
                .map_or(Floor::Ground, |i| Floor::Tower(self.stack().towers[i].0));
            rows.push(FloorRow {
                what,
                height: 84.0 + crowd,
                wizards,
                level,
            });
        }
        rows
    }

    /// The opened stack as an `<svg>`: groups with `data-tower`, `data-wizard`, `data-castle` and `data-level`.
    pub fn svg(&self) -> String {
        let (width, height) = self.size();
        let mut out = format!(
            r#"<svg class="wt-side" viewBox="0 0 {} {}" data-space="{}">"#,
            N(width),
            N(height),
            self.space
        );
        let mut y = 8.0;
        for row in self.rows() {
            out += &self.row(&row, y);
            y += row.height;
        }
        out + "</svg>"
    }

    fn row(&self, row: &FloorRow, y: f64) -> String {
        let (middle, foot) = (116.0, row.height - 18.0);
        let (name, class, drawing) = match row.what {
            Floor::Castle => (
                r#" data-castle="""#.to_string(),
                self.class(Piece::Castle),
                r##"<use href="#wt-castle" transform="scale(.8)"/>"##.to_string(),
            ),
            Floor::Ground => (
                String::new(),
                self.class(Piece::Space(self.space)),
                format!(
                    r#"<g transform="translate(0-10)">{}</g>"#,
                    pieces::stone(self.space)
                ),
            ),
            Floor::Tower(tower) => (
                format!(r#" data-tower="{}""#, tower.letter()),
                self.class(Piece::Tower(tower)),
                format!(
                    "{}{}",
                    pieces::tower(tower, 1.0, false),
                    pieces::tower_letter(tower, 1.0)
                ),
            ),
        };
        let floor = match row.what {
            Floor::Tower(_) => -47.0 - STEP_BACK,
            _ => -12.0,
        };
        let mut people = String::new();
        for (i, (&colour, spot)) in row
            .wizards
            .iter()
            .zip(wizard_spots(row.wizards.len()))
            .enumerate()
        {
            let letter = colour.letter();
            let class = self.class(Piece::Wizard(self.space, colour));
            let halo = if class.is_empty() {
                ""
            } else {
                r##"<use href="#wt-wizard-halo" class="wt-halo"/>"##
            };
            people += &format!(
                r##"<g class="wt-wizard wt-{letter}{class}" data-wizard="{letter}" data-level="{}" data-n="{i}" transform="translate({} {})scale({})">{halo}<use href="#wt-wizard-{letter}"/></g>"##,
                row.level,
                N(spot.dx),
                N(spot.dy + floor),
                Factor(spot.scale)
            );
        }
        if row.level < self.stack().height() && !row.wizards.is_empty() {
            people += &format!(
                r#"<g transform="translate(0 {})">{}</g>"#,
                N(floor),
                cage(row.wizards.len())
            );
        }
        let front = if let Floor::Tower(tower) = row.what {
            pieces::tower_front(tower, 1.0)
        } else {
            String::new()
        };
        let halo = match row.what {
            Floor::Tower(_) if !class.is_empty() => {
                r##"<use href="#wt-tower-halo" class="wt-halo"/>"##
            }
            _ => "",
        };
        format!(
            r#"<g class="wt-row{class}"{name} data-level="{}" transform="translate(0 {})"><rect class="wt-row-target" x="6" y="3" width="{}" height="{}" rx="14"/><g transform="translate({} {})scale(.86)">{halo}{drawing}{people}{front}</g>{}</g>"#,
            row.level,
            N(y),
            N(WIDTH - 12.0),
            N(row.height - 6.0),
            N(middle),
            N(foot),
            self.aside(row)
        )
    }

    /// The text beside a row's drawing: the shield, and the wizards there.
    fn aside(&self, row: &FloorRow) -> String {
        let y = row.height / 2.0;
        let mut out = String::new();
        let shield = match row.what {
            Floor::Tower(tower) => tower.has_shield(),
            Floor::Ground => Surface::ground(self.space).has_shield(),
            Floor::Castle => false,
        };
        if shield {
            out += &format!(
                r##"<use href="#wt-shield" transform="translate(306 {})scale(1.1)"/>"##,
                N(y)
            );
        }
        for (i, &colour) in row.wizards.iter().enumerate() {
            out += &pieces::hat(
                colour,
                204.0 + 26.0 * (i % 3) as f64,
                y + 11.0
                    + if row.wizards.len() > 3 {
                        [-16.0, 16.0][i / 3]
                    } else {
                        0.0
                    },
                0.62,
            );
        }
        out
    }
}

/// The content of a row.
#[derive(Clone, Copy)]
enum Floor {
    Ground,
    Tower(Tower),
    Castle,
}

struct FloorRow {
    what: Floor,
    wizards: Vec<Colour>,
    height: f64,
    level: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_a_target_and_prisoners_stay_hidden() {
        let board = "*/D/E/F/G/brAyBCbg/H/I/-/-/-/-/-/-/-/-".parse().unwrap();
        let mut view = SideView {
            board: &board,
            space: Space::wrapping(5),
            marks: &[],
            show_prisoners: false,
        };
        let svg = view.svg();
        assert_eq!(svg.matches("wt-row-target").count(), 4);
        assert!(svg.contains(r#"data-wizard="g""#) && !svg.contains(r#"data-wizard="y""#));
        view.show_prisoners = true;
        assert!(view.svg().contains(r#"data-wizard="y""#));
        assert!(view.rows().iter().all(|r| r.height >= 64.0));
    }
}
