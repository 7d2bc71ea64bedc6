//! The middle of the ring: piles, die and spells, in the part of the plaza that no stack reaches.

use towers_rules::Space;

use super::{Layout, Rect};

/// What lies in the middle of the ring.
#[derive(Clone, PartialEq, Debug)]
pub struct Centre {
    /// The draw pile: closed books, taller than wide (5 : 6).
    pub draw: Rect,
    /// The discard pile: an open book (4 : 3).
    pub discard: Rect,
    pub die: Rect,
    /// One square per spell.
    pub spells: Vec<Rect>,
}

/// How far parts of a stack may extend sideways from the middle of its space, in units: battlements, prisoners, tabs.
const SIDE: f64 = 96.0;
/// How far below a space's middle its number ends, in units: digits with their outline.
const NUMBER_FOOT: f64 = 42.5;
/// The gap between the parts of the middle, in units before scaling.
const GAP: f64 = 9.0;
/// Width and height of the piles with the die, in units before scaling.
const PILES: (f64, f64) = (292.0, 98.4);
/// The same with the die below the piles.
const STACKED_PILES: (f64, f64) = (226.0, 160.0);
/// The side of a spell's tile, in units before scaling.
const TILE: f64 = 94.0;

/// An arrangement of the middle, in units around its centre.
#[derive(Clone, Copy)]
struct MiddlePlan {
    /// Spells in a row.
    columns: usize,
    /// The spells lie below the piles, not beside them.
    below: bool,
    /// The die lies below the piles.
    stacked: bool,
}

impl MiddlePlan {
    fn piles(&self) -> (f64, f64) {
        if self.stacked { STACKED_PILES } else { PILES }
    }

    /// Width and height of the spells' tiles together.
    fn tiles(&self, spells: usize) -> (f64, f64) {
        if spells == 0 {
            return (0.0, 0.0);
        }
        let side = |n: usize| n as f64 * (TILE + GAP) - GAP;
        (side(self.columns), side(spells.div_ceil(self.columns)))
    }

    fn size(&self, spells: usize) -> (f64, f64) {
        let ((pw, ph), (tw, th)) = (self.piles(), self.tiles(spells));
        if spells == 0 {
            (pw, ph)
        } else if self.below {
            (pw.max(tw), ph + 1.5 * GAP + th)
        } else {
            (pw + 2.0 * GAP + tw, ph.max(th))
        }
    }
}

impl Layout {
    /// The room of a space's number.
    pub fn number(&self, space: Space) -> Rect {
        let place = self.spaces[space.index()];
        let s = place.scale;
        Rect {
            x: place.at.x - 11.0 * s,
            y: place.at.y + (NUMBER_FOOT - 14.0) * s,
            w: 22.0 * s,
            h: 14.0 * s,
        }
    }

    /// The middle of the board with this many spells, as large as fits where no stack reaches.
    pub fn centre(&self, spells: usize) -> Centre {
        let plans = (1..=spells.max(1)).flat_map(|columns| {
            let plan = move |(below, stacked)| MiddlePlan {
                columns,
                below,
                stacked,
            };
            [(false, false), (false, true), (true, false)].map(plan)
        });
        let fitted = plans.map(|plan| (plan, self.largest(plan.size(spells))));
        let (plan, (scale, y)) = fitted
            .max_by(|a, b| a.1.0.total_cmp(&b.1.0))
            .expect("there is at least one column");
        self.placed(plan, spells, scale, y)
    }

    /// The largest scale, in pixels per unit, at which this size fits into the free part of the plaza, and the vertical
    /// centre.
    fn largest(&self, (w, h): (f64, f64)) -> (f64, f64) {
        // It should not be drawn larger than the pieces.
        let (mut low, mut high) = (0.0, 1.12 * self.unit);
        for _ in 0..14 {
            let middle = (low + high) / 2.0;
            let (top, bottom) = self.free(w * middle / 2.0);
            if bottom - top >= h * middle {
                low = middle;
            } else {
                high = middle;
            }
        }
        let (top, bottom) = self.free(w * low / 2.0);
        // Centred in the ring where possible.
        let half = h * low / 2.0;
        let wished = self.ring.centre.y - 6.0 * self.unit;
        let y = wished.min(bottom - half).max(top + half);
        (low, y)
    }

    /// The vertical range in which the plaza is free within `half` pixels of its middle: below the numbers of the back,
    /// above the highest stacks of the front.
    fn free(&self, half: f64) -> (f64, f64) {
        let (mut top, mut bottom) = (self.zones.board.y, self.height);
        for place in self.spaces {
            if (place.at.x - self.ring.centre.x).abs() - SIDE * place.scale >= half {
                continue;
            }
            if place.at.y < self.ring.centre.y - self.ring.ry * 0.5 {
                top = top.max(place.at.y + NUMBER_FOOT * place.scale);
            } else {
                bottom = bottom.min(place.at.y - (self.max_stack + 6.0) * place.scale);
            }
        }
        (top, bottom)
    }

    fn placed(&self, plan: MiddlePlan, spells: usize, s: f64, y: f64) -> Centre {
        let c = self.ring.centre;
        let ((w, h), (pw, ph), (tw, th)) = (plan.size(spells), plan.piles(), plan.tiles(spells));
        let (left, top) = (c.x - w * s / 2.0, y - h * s / 2.0);
        // The upper left corner of the piles, and that of the tiles.
        let ((px, py), (tx, ty)) = if plan.below {
            (
                (left + (w - pw) * s / 2.0, top),
                (left + (w - tw) * s / 2.0, top + (ph + 1.5 * GAP) * s),
            )
        } else {
            (
                (left, top + (h - ph) * s / 2.0),
                (left + (pw + 2.0 * GAP) * s, top + (h - th) * s / 2.0),
            )
        };
        let around =
            |x: f64, y: f64, w: f64, h: f64| Rect::around(px + x * s, py + y * s, w * s, h * s);
        let die = if plan.stacked {
            (113.0, 131.0)
        } else {
            (262.0, 49.2)
        };
        Centre {
            draw: around(41.0, 49.2, 82.0, 98.4),
            discard: around(157.0, 49.2, 128.0, 96.0),
            die: around(die.0, die.1, 58.0, 58.0),
            spells: grid(spells, plan.columns, (tx, ty), TILE * s, GAP * s),
        }
    }
}

/// Squares in rows, a last short row centred.
fn grid(count: usize, columns: usize, (x, y): (f64, f64), side: f64, gap: f64) -> Vec<Rect> {
    (0..count)
        .map(|i| {
            let (row, column) = (i / columns, i % columns);
            let in_row = (count - row * columns).min(columns);
            let indent = (columns - in_row) as f64 * (side + gap) / 2.0;
            Rect {
                x: x + indent + column as f64 * (side + gap),
                y: y + row as f64 * (side + gap),
                w: side,
                h: side,
            }
        })
        .collect()
}
