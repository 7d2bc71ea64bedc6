//! A position as SVG: stones, stacks, the middle, and the marks that help to play.
//!
//! Every piece is a `<g>` or `<use>` with data attributes: `data-space`, `data-tower`, `data-wizard`, `data-castle`,
//! `data-spell`, `data-pile`, `data-die`. A tower's group contains everything that stands on it, so that moving the
//! group moves all of it.

mod drawing;
mod marks;
mod middle;
mod stacks;
mod tabs;

pub use drawing::{Drawing, PartChange};
pub(crate) use marks::cage;

use towers_rules::{Card, Colour, Diagram, Space, Spell, Tower};

use crate::geometry::Layout;
use crate::pieces;
use crate::svg::{Factor, N};

/// A part of the board that can be pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// The ground of a space, or the space as a whole.
    Space(Space),
    /// A tower with everything on it.
    Tower(Tower),
    /// The wizards of a colour on the exposed surface of a space.
    Wizard(Space, Colour),
    Castle,
    /// A spell in the middle.
    Spell(Spell),
    Draw,
    Die,
}

/// How a piece is highlighted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It can be chosen now.
    Legal,
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

/// A preview of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ghost {
    /// A tower with everything on it would land on a space. Wizards it would imprison are shown behind bars.
    Tower {
        tower: Tower,
        /// The space it would land on.
        to: Space,
    },
    /// A wizard would land on a space or enter the castle there.
    Wizard {
        /// The space it stands on.
        from: Space,
        colour: Colour,
        /// Its destination.
        to: Space,
    },
    /// The castle would go to a space.
    Castle { to: Space },
}

/// The path of the last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trail {
    pub from: Space,
    pub to: Space,
    pub clockwise: bool,
    /// The colour of the player who moved.
    pub colour: Option<Colour>,
}

/// The contents of the middle of the ring.
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

/// Everything that is drawn over the scenery.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    pub board: Diagram,
    pub middle: Middle,
    pub marks: Vec<(Piece, Mark)>,
    /// Previews of moves.
    pub ghosts: Vec<Ghost>,
    /// The last move.
    pub trail: Option<Trail>,
    /// A space that must be visible: pieces in front of it become transparent.
    pub focus: Option<Space>,
    /// A few words at a space.
    pub note: Option<(Space, String)>,
    /// Whether imprisoned wizards of the board are shown as hats beside their tower.
    pub show_prisoners: bool,
    /// The team of each colour, counted from 0: its wizards wear a sash of the team. Empty where everybody plays alone.
    pub teams: Vec<(Colour, usize)>,
}

impl Scene {
    /// A scene of a board without marks.
    pub fn new(board: Diagram) -> Scene {
        Scene {
            board,
            middle: Middle::default(),
            marks: Vec::new(),
            ghosts: Vec::new(),
            trail: None,
            focus: None,
            note: None,
            show_prisoners: false,
            teams: Vec::new(),
        }
    }

    /// What shows the team of a wizard.
    fn sash(&self, colour: Colour) -> String {
        let team = self.teams.iter().find(|(c, _)| *c == colour);
        team.map_or(String::new(), |(_, team)| {
            format!(r#"<path class="wt-sash wt-team-{team}" d="M-11.5-17 11.5-6v7.5L-12.5-9.5Z"/>"#)
        })
    }

    fn has_castle(&self, space: Space) -> bool {
        self.board.castle == space
    }

    fn mark(&self, piece: Piece) -> Option<Mark> {
        self.marks
            .iter()
            .find(|(p, _)| *p == piece)
            .map(|(_, mark)| *mark)
    }

    /// The classes of a highlighted piece, with a leading space; empty for others.
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
                tabs::tabs(self, layout),
            ],
        )
    }

    fn stone(&self, layout: &Layout, space: Space) -> String {
        let place = layout.place(space);
        let piece = Piece::Space(space);
        let glow = if self.mark(piece).is_some() {
            r##"<use href="#wt-space-glow" class="wt-glow"/>"##
        } else {
            ""
        };
        format!(
            r#"<g class="wt-space{}" data-space="{space}" transform="translate({} {})scale({})">{}{glow}<text class="wt-number" y="41">{space}</text></g>"#,
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
        let svg = Scene::new(START.parse().unwrap()).svg(&Layout::fit(390.0, 844.0));
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
        let board = "*/-/-/-/-/AbBCr/D/E/F/G/H/I/-/-/-/-";
        let svg = Scene::new(board.parse().unwrap()).svg(&Layout::fit(1440.0, 900.0));
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
        let mut scene = Scene::new(START.parse().unwrap());
        scene.ghosts = vec![Ghost::Tower {
            tower: Tower::from_letter('A').unwrap(),
            to: Space::wrapping(3),
        }];
        let svg = scene.svg(&Layout::fit(1440.0, 900.0));
        assert_eq!(svg.matches("wt-caught").count(), 3);
        assert_eq!(svg.matches("wt-leaving").count(), 1);
        assert_eq!(svg.matches("data-ghost").count(), 1);
    }
}
