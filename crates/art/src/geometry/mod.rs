//! The layout: the ring of spaces, the stacks on them, the middle, the players and the hand.
//!
//! Everything is derived from the size of the canvas. Pieces are drawn in *units*; [`SpaceLayout::scale`] converts units to
//! pixels at a space, smaller at the back.

mod areas;
mod cover;
mod middle;
mod ring;
mod stack;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod visibility_tests;
mod zones;

use std::fmt;

use towers_rules::{SPACES, Space};

use crate::svg::whole;

pub use areas::PlayerArea;
#[cfg(test)]
pub(crate) use cover::BACK_BATTLEMENTS;
pub(crate) use cover::{CELL, STEP_BACK, TAB_MARGIN};
pub use cover::{Hidden, SpacePieces, Tab};
pub use middle::Centre;
pub use ring::Ring;
pub use stack::{PITCH, STONE, Spot, Tiers, wizard_spots};
pub use zones::Zones;

/// A point on the canvas.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// The distance from the origin.
    pub fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
}

/// Two whole numbers, as in an SVG path.
impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", whole(self.x), whole(self.y))
    }
}

/// A rectangle on the canvas.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// A rectangle around a centre.
    pub fn around(x: f64, y: f64, w: f64, h: f64) -> Rect {
        Rect {
            x: x - w / 2.0,
            y: y - h / 2.0,
            w,
            h,
        }
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        Point {
            x: self.x + self.w / 2.0,
            y: self.y + self.h / 2.0,
        }
    }

    /// Whether it contains another rectangle.
    pub fn contains(&self, other: &Rect) -> bool {
        other.x >= self.x - 0.01
            && other.y >= self.y - 0.01
            && other.x + other.w <= self.x + self.w + 0.01
            && other.y + other.h <= self.y + self.h + 0.01
    }

    /// Whether it overlaps another rectangle.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}

/// Wide like a desk, or tall like a phone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Players in a column beside the board; the ring lies flat.
    Landscape,
    /// Players above, the hand below, the ring stands tall.
    Portrait,
}

/// One of the sixteen spaces.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SpaceLayout {
    /// The middle of its stone.
    pub at: Point,
    /// Pixels per unit here.
    pub scale: f64,
}

/// The layout of a canvas.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    pub width: f64,
    pub height: f64,
    /// Wide or tall.
    pub shape: Shape,
    /// The zones of the canvas.
    pub zones: Zones,
    /// The curve the spaces lie on.
    pub ring: Ring,
    /// The spaces 0 to 15, clockwise from the back.
    pub spaces: [SpaceLayout; SPACES],
    /// Pixels per unit in the middle of the ring.
    pub unit: f64,
    /// The greatest height of any stack in units, with everything on it; nothing above is ever hidden.
    pub max_stack: f64,
}

impl Layout {
    /// The scale at a height of the canvas, in pixels per unit.
    pub(crate) fn scale_at(&self, y: f64) -> f64 {
        let (back, front) = depth(self.shape);
        self.unit * (back + (front - back) * self.ring.nearness(y))
    }

    /// The layout of a game in a window of this size in pixels.
    pub fn fit(width: f64, height: f64) -> Layout {
        Layout::in_zones(width, height, Zones::of(width, height, false))
    }

    /// The layout of a lesson, a puzzle or a replay: the prompt has room for a coach.
    pub fn with_coach(width: f64, height: f64) -> Layout {
        Layout::in_zones(width, height, Zones::of(width, height, true))
    }

    /// The layout of a board view: no hand, no buttons, a larger board.
    pub fn board_view(width: f64, height: f64) -> Layout {
        Layout::in_zones(width, height, Zones::board_view(width, height))
    }

    /// The board alone, for pictures and for the valley behind a page.
    pub fn picture(width: f64, height: f64) -> Layout {
        Layout::in_zones(width, height, Zones::picture(width, height))
    }

    /// Fits the largest ring into the board's zone. The sky above the rearmost stack depends on the size of the pieces,
    /// which depends on the ring, so both are improved in turn.
    fn in_zones(width: f64, height: f64, zones: Zones) -> Layout {
        let shape = if width >= height * 0.95 {
            Shape::Landscape
        } else {
            Shape::Portrait
        };
        let (back, front) = depth(shape);
        let (power, flattest, steepest) = match shape {
            Shape::Landscape => (2.45, 0.48, 0.85),
            Shape::Portrait => (3.0, 0.6, 1.75),
        };
        let board = zones.board;
        let max_stack = max_stack(board.h);
        let mut unit = board.w.min(board.h) / 900.0;
        let mut ring = Ring {
            centre: board.centre(),
            rx: 0.0,
            ry: 0.0,
            power,
        };
        for _ in 0..12 {
            let top = board.y + (max_stack + 6.0) * back * unit + 2.0;
            let bottom = board.y + board.h - 38.0 * front * unit;
            let room = ((bottom - top) / 2.0).max(1.0);
            let rx = (board.w / 2.0 - 62.0 * unit).min(room / flattest);
            ring = Ring {
                centre: Point {
                    x: board.centre().x,
                    y: (top + bottom) / 2.0,
                },
                rx,
                ry: room.min(rx * steepest),
                power,
            };
            unit = (unit + unit_of(&ring, shape)) / 2.0;
        }
        let (places, _) = ring.even(SPACES, depth(shape));
        let unit = unit_of(&ring, shape);
        let mut spaces = [SpaceLayout::default(); SPACES];
        for (space, (at, scale)) in spaces.iter_mut().zip(places) {
            *space = SpaceLayout {
                at,
                scale: scale * unit,
            };
        }
        Layout {
            width,
            height,
            shape,
            zones,
            ring,
            spaces,
            unit,
            max_stack,
        }
    }

    /// The spaces in drawing order, from back to front.
    pub fn back_to_front(&self) -> [Space; SPACES] {
        let mut order: [Space; SPACES] = std::array::from_fn(|i| Space::wrapping(i as u8));
        order.sort_unstable_by(|&a, &b| {
            let (near, far) = (self.place(a).at.y, self.place(b).at.y);
            near.total_cmp(&far).then(a.cmp(&b))
        });
        order
    }

    pub fn place(&self, space: Space) -> SpaceLayout {
        self.spaces[space.index()]
    }

    /// The touch target of a space's ground.
    pub fn target(&self, space: Space) -> Rect {
        let place = self.place(space);
        let (w, h) = (
            2.0 * STONE.0 * place.scale,
            (2.2 * STONE.1 * place.scale).max(44.0),
        );
        Rect::around(place.at.x, place.at.y, w.max(44.0), h)
    }

    /// Points along the path from one space to another, clockwise or not, both ends included.
    pub fn walk(&self, from: Space, to: Space, clockwise: bool, per_space: usize) -> Vec<Point> {
        let span = if clockwise {
            to.behind(from.number())
        } else {
            from.behind(to.number())
        }
        .index();
        let all = self.ring.even(SPACES * per_space, depth(self.shape)).0;
        (0..=span * per_space)
            .map(|i| {
                let start = from.index() * per_space;
                let i = if clockwise {
                    start + i
                } else {
                    start + all.len() - i
                };
                all[i % all.len()].0
            })
            .collect()
    }
}

/// Pixels per unit for a ring: neighbouring stones keep a little apart.
fn unit_of(ring: &Ring, shape: Shape) -> f64 {
    let apart = match shape {
        Shape::Landscape => 150.0,
        Shape::Portrait => 141.0,
    };
    ring.even(SPACES, depth(shape)).1 / apart
}

/// The greatest height of a stack on a board of this height, in units: on low boards, tall stacks are compressed.
fn max_stack(board: f64) -> f64 {
    (202.0 + (board - 350.0) * 0.1).clamp(202.0, 224.0)
}

/// The scales at the back and at the front.
fn depth(shape: Shape) -> (f64, f64) {
    match shape {
        Shape::Landscape => (0.8, 1.1),
        Shape::Portrait => (0.93, 1.05),
    }
}
