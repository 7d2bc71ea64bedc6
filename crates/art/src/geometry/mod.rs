//! Where everything is: the ring of spaces, the stacks on them, the middle, the players and the hand.
//!
//! All of it follows from the size of the canvas. A *unit* is the size pieces are drawn in; [`Place::scale`] turns units into
//! pixels at one space, smaller at the back.

mod areas;
mod ring;
mod stack;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::svg::whole;

pub use areas::{Centre, Seat};
pub use ring::Ring;
pub use stack::{PITCH, STONE, Spot, Tiers, wizard_spots};

/// A point on the canvas.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

impl Point {
    /// How far it is from the origin.
    pub fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
}

/// As a path has it, in whole units.
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

    /// Whether another lies inside.
    pub fn holds(&self, other: &Rect) -> bool {
        other.x >= self.x - 0.01
            && other.y >= self.y - 0.01
            && other.x + other.w <= self.x + self.w + 0.01
            && other.y + other.h <= self.y + self.h + 0.01
    }

    /// Whether another shares room with this one.
    pub fn meets(&self, other: &Rect) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}

/// Wide like a desk, or tall like a phone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Players in the corners, the hand below, the ring lies flat.
    Landscape,
    /// Players above, the hand below, the ring stands tall.
    Portrait,
}

/// One of the sixteen spaces.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Place {
    /// The middle of its stone.
    pub at: Point,
    /// Pixels per unit here.
    pub scale: f64,
}

/// The layout of a canvas.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Wide or tall.
    pub shape: Shape,
    /// The part the board may fill, stacks included.
    pub board: Rect,
    /// Where the cards of the hand lie.
    pub hand: Rect,
    /// The curve the spaces lie on.
    pub ring: Ring,
    /// The spaces 0 to 15, clockwise from the back.
    pub spaces: [Place; 16],
    /// Pixels per unit in the middle of the ring.
    pub unit: f64,
}

impl Layout {
    /// The scale of things at a height of the canvas, in pixels per unit.
    pub(crate) fn scale_at(&self, y: f64) -> f64 {
        let (back, front) = depth(self.shape);
        self.unit * (back + (front - back) * self.ring.nearness(y))
    }

    /// The layout for a canvas of this size in pixels.
    pub fn fit(width: f64, height: f64) -> Layout {
        Layout::below(width, height, 0.0)
    }

    /// The same where something stands above the board: on a wide canvas the ring keeps so much more away from the upper edge.
    pub fn below(width: f64, height: f64, above: f64) -> Layout {
        if width >= height * 0.95 {
            Layout::landscape(width, height, above)
        } else {
            Layout::portrait(width, height)
        }
    }

    fn landscape(width: f64, height: f64, above: f64) -> Layout {
        let u = (width / 1440.0).min(height / 900.0);
        let rx = (0.3585 * width).min(height * 0.72);
        let ry = (height * 0.252).clamp(rx * 0.3, rx * 0.62) - above / 2.0;
        let hand = Rect {
            x: width / 2.0 - 330.0 * u,
            y: height - 158.0 * u,
            w: 660.0 * u,
            h: 150.0 * u,
        };
        let board = Rect {
            x: 0.0,
            y: above,
            w: width,
            h: height - 96.0 * u - above,
        };
        let ring = Ring {
            centre: Point {
                x: width / 2.0,
                y: (height + above) / 2.0,
            },
            rx,
            ry,
            power: 2.45,
        };
        Layout::with_ring(width, height, Shape::Landscape, board, hand, ring)
    }

    fn portrait(width: f64, height: f64) -> Layout {
        let u = (width / 390.0).min(height / 844.0);
        let hand = Rect {
            x: 8.0 * u,
            y: height - 122.0 * u,
            w: width - 16.0 * u,
            h: 114.0 * u,
        };
        let board = Rect {
            x: 0.0,
            y: 66.0 * u,
            w: width,
            h: hand.y - 44.0 * u - 66.0 * u,
        };
        let rx = (width / 2.0 - 36.0 * u).min(board.h * 0.4);
        let fitted = |above: f64, below: f64| {
            let (top, bottom) = (board.y + above, board.y + board.h - below);
            let centre = Point {
                x: width / 2.0,
                y: (top + bottom) / 2.0,
            };
            let ry = (bottom - top) / 2.0;
            let ring = Ring {
                centre,
                rx,
                ry,
                power: 3.0,
            };
            Layout::with_ring(width, height, Shape::Portrait, board, hand, ring)
        };
        // The room for a stack at the back depends on the size of the pieces, and that on the room.
        let unit = fitted(96.0 * u, 30.0 * u).unit;
        fitted(174.0 * unit, 53.0 * unit)
    }

    fn with_ring(
        width: f64,
        height: f64,
        shape: Shape,
        board: Rect,
        hand: Rect,
        ring: Ring,
    ) -> Layout {
        let (places, spacing) = ring.even(16, depth(shape));
        let unit = spacing
            / if shape == Shape::Landscape {
                150.0
            } else {
                141.0
            };
        let mut spaces = [Place::default(); 16];
        for (space, (at, scale)) in spaces.iter_mut().zip(places) {
            *space = Place {
                at,
                scale: scale * unit,
            };
        }
        Layout {
            width,
            height,
            shape,
            board,
            hand,
            ring,
            spaces,
            unit,
        }
    }

    /// The spaces from back to front: the order of drawing.
    pub fn back_to_front(&self) -> [usize; 16] {
        let mut order: [usize; 16] = std::array::from_fn(|i| i);
        order.sort_by(|&a, &b| {
            self.spaces[a]
                .at
                .y
                .total_cmp(&self.spaces[b].at.y)
                .then(a.cmp(&b))
        });
        order
    }

    /// The room a finger or pointer needs to hit a space's ground.
    pub fn target(&self, space: usize) -> Rect {
        let place = self.spaces[space];
        let (w, h) = (
            2.0 * STONE.0 * place.scale,
            (2.2 * STONE.1 * place.scale).max(44.0),
        );
        Rect::around(place.at.x, place.at.y, w.max(44.0), h)
    }

    /// Points along the path from one space to another, clockwise or not, both ends included.
    pub fn walk(&self, from: usize, to: usize, clockwise: bool, per_space: usize) -> Vec<Point> {
        let span = if clockwise {
            (to + 16 - from) % 16
        } else {
            (from + 16 - to) % 16
        };
        let all = self.ring.even(16 * per_space, depth(self.shape)).0;
        (0..=span * per_space)
            .map(|i| {
                let start = from * per_space;
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

/// The scale of things at the back and at the front.
fn depth(shape: Shape) -> (f64, f64) {
    match shape {
        Shape::Landscape => (0.8, 1.1),
        Shape::Portrait => (0.93, 1.05),
    }
}
