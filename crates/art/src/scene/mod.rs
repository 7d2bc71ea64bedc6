//! A position as SVG: stones, stacks, the middle, and the marks that help to play.
//!
//! Every piece is a `<g>` or `<use>` with data attributes: `data-space`, `data-tower`, `data-wizard`, `data-castle`, `data-spell`,
//! `data-pile`, `data-die`. A tower's group holds everything that stands on it, so that moving the group moves them all.

mod drawing;
mod marks;
mod middle;
mod stacks;

pub use drawing::{Change, Drawing};
pub(crate) use marks::cage;
pub(crate) use stacks::STEP_BACK;

use crate::board::Board;
use crate::geometry::Layout;
use crate::kinds::{Card, Colour, Spell, Tower};
use crate::pieces;
use crate::svg::{Factor, N};

/// Something on the board one can point at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The ground of a space, or the space as a whole.
    Space(usize),
    /// A tower with everything on it.
    Tower(Tower),
    /// The wizards of a colour on the exposed surface of a space.
    Wizard(usize, Colour),
    /// The castle.
    Castle,
    /// A spell in the middle.
    Spell(Spell),
    /// The draw pile.
    Draw,
    /// The die.
    Die,
}

/// How a piece stands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It may be chosen now.
    Legal,
    /// It is chosen.
    Chosen,
    /// The last move or a hint points at it.
    Noted,
}

impl Mark {
    fn class(self) -> &'static str {
        match self {
            Mark::Legal => "wt-legal",
            Mark::Chosen => "wt-chosen",
            Mark::Noted => "wt-noted",
        }
    }
}

/// What a move would do, shown before it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ghost {
    /// A tower, with all that stands on it, would land on a space. Wizards it would imprison are shown behind bars.
    Tower {
        /// The tower.
        tower: Tower,
        /// The space it would land on.
        to: usize,
    },
    /// A wizard would land on a space or enter the castle there.
    Wizard {
        /// Where it stands.
        from: usize,
        /// Whose it is.
        colour: Colour,
        /// Where it would go.
        to: usize,
    },
    /// The castle would go to a space.
    Castle {
        /// The space.
        to: usize,
    },
}

/// The way of the last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trail {
    /// Where it began.
    pub from: usize,
    /// Where it ended.
    pub to: usize,
    /// Which way round it went.
    pub clockwise: bool,
}

/// What lies in the middle of the ring.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Middle {
    /// Cards left to draw.
    pub draw: usize,
    /// The card on top of the discard pile.
    pub discard: Option<Card>,
    /// The last roll; 0 before the first.
    pub die: u8,
    /// The spells in play with their cost.
    pub spells: Vec<(Spell, u8)>,
}

/// Everything to be drawn over the scenery.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// What stands where.
    pub board: Board,
    /// What lies in the middle.
    pub middle: Middle,
    /// Pieces that stand out.
    pub marks: Vec<(Piece, Mark)>,
    /// Moves shown before they are made.
    pub ghosts: Vec<Ghost>,
    /// The last move.
    pub trail: Option<Trail>,
    /// A space that must be seen: what stands before it becomes see-through.
    pub focus: Option<usize>,
    /// Whether imprisoned wizards of the board are shown as hats beside their tower.
    pub show_prisoners: bool,
}

impl Scene {
    /// A scene of a board, with nothing marked.
    pub fn new(board: Board) -> Scene {
        Scene {
            board,
            ..Scene::default()
        }
    }

    fn mark(&self, piece: Piece) -> Option<Mark> {
        self.marks
            .iter()
            .find(|(p, _)| *p == piece)
            .map(|(_, mark)| *mark)
    }

    /// The classes of a piece, with a space before them, if it stands out.
    fn class(&self, piece: Piece) -> String {
        self.mark(piece)
            .map_or(String::new(), |m| format!(" {}", m.class()))
    }

    /// The scene as an `<svg>` that fills the canvas.
    pub fn svg(&self, layout: &Layout) -> String {
        self.draw(layout).svg()
    }

    /// The scene in parts.
    pub fn draw(&self, layout: &Layout) -> Drawing {
        let spaces = layout.back_to_front().into_iter();
        let stones = spaces.map(|space| self.stone(layout, space)).collect();
        let trail = self.trail.map(|t| marks::trail(layout, t));
        Drawing::new(
            layout,
            [
                stones,
                trail.into_iter().collect(),
                middle::middle(self, layout),
                stacks::stacks(self, layout),
            ],
        )
    }

    fn stone(&self, layout: &Layout, space: usize) -> String {
        let place = layout.spaces[space];
        let piece = Piece::Space(space);
        let glow = if self.mark(piece).is_some() {
            r##"<use href="#wt-space-glow" class="wt-glow"/>"##
        } else {
            ""
        };
        format!(
            r#"<g class="wt-space{}" data-space="{space}" transform="translate({} {})scale({})">{}{glow}<text class="wt-number" y="44">{space}</text></g>"#,
            self.class(piece),
            N(place.at.x),
            N(place.at.y),
            Factor(place.scale),
            pieces::stone(space),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-";

    #[test]
    fn every_piece_is_drawn_once() {
        let board = Board::parse(START).unwrap();
        let svg = Scene::new(board).svg(&Layout::fit(390.0, 844.0));
        for letter in 'A'..='I' {
            assert_eq!(svg.matches(&format!(r#"data-tower="{letter}""#)).count(), 1);
        }
        assert_eq!(svg.matches("data-castle").count(), 1);
        assert_eq!(svg.matches(r#"data-wizard="b""#).count(), 5);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert!(!svg.contains(" style="));
    }

    #[test]
    fn a_tower_holds_what_stands_on_it() {
        let board = Board::parse("-/-/-/-/-/AbBCr*/-/-/-/-/-/-/-/-/-/-").unwrap();
        let svg = Scene::new(board).svg(&Layout::fit(1440.0, 900.0));
        let at = |what: &str| svg.find(what).unwrap();
        assert!(
            at(r#"data-tower="A""#) < at(r#"data-tower="B""#)
                && at(r#"data-tower="C""#) < at(r#"data-wizard="r""#)
        );
        // Imprisoned wizards stay out of sight unless the scene shows them.
        assert!(!svg.contains(r#"data-wizard="b""#));
    }

    #[test]
    fn a_ghost_tower_shows_whom_it_would_imprison() {
        let mut scene = Scene::new(Board::parse(START).unwrap());
        scene.ghosts = vec![Ghost::Tower {
            tower: Tower::from_letter('A').unwrap(),
            to: 3,
        }];
        let svg = scene.svg(&Layout::fit(1440.0, 900.0));
        assert_eq!(svg.matches("wt-caught").count(), 3);
        assert_eq!(svg.matches("wt-leaving").count(), 1);
        assert_eq!(svg.matches("data-ghost").count(), 1);
    }
}
