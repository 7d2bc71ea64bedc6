//! How a stack stands on its space: the height of every level, and the places of wizards on a surface.

use super::{Layout, Point, Rect};

/// Half the width and half the height of a stone, in units.
pub const STONE: (f64, f64) = (57.0, 27.0);
/// How far apart the levels of a low stack are, in units.
pub const PITCH: f64 = 47.0;
/// Height of the castle with its raven, in units.
const CASTLE: f64 = 158.0;
/// From a tower's floor to the tip of the highest hat or banner on it, in units.
const HEADROOM: f64 = 92.0;

/// The levels of one stack.
#[derive(Clone, PartialEq, Debug)]
pub struct Tiers {
    /// The surface of the ground.
    pub ground: Point,
    /// Pixels per unit.
    pub scale: f64,
    /// Pixels between levels.
    pub pitch: f64,
    /// How many towers.
    pub towers: usize,
    /// The size of the castle on top.
    pub castle: f64,
}

impl Tiers {
    /// The middle of a surface: 0 is the ground, 1 the top of the lowest tower.
    pub fn surface(&self, level: usize) -> Point {
        let full = PITCH * self.scale;
        // The topmost tower always keeps its full height, so that what stands on it stands well.
        let lift = match level {
            0 => 0.0,
            n if n >= self.towers => (n - 1) as f64 * self.pitch + full,
            n => n as f64 * self.pitch,
        };
        Point {
            x: self.ground.x,
            y: self.ground.y - lift,
        }
    }

    /// How flat the tower at `level` is drawn, 0 for the lowest; 1 is its full height.
    pub fn squash(&self, level: usize) -> f64 {
        if level + 1 >= self.towers {
            1.0
        } else {
            (self.pitch / (PITCH * self.scale)).min(1.0)
        }
    }

    /// The room of one tower, as a target.
    pub fn target(&self, level: usize) -> Rect {
        let (base, top) = (self.surface(level), self.surface(level + 1));
        let w = (84.0 * self.scale).max(44.0);
        Rect {
            x: base.x - w / 2.0,
            y: top.y,
            w,
            h: base.y - top.y + 10.0 * self.scale,
        }
    }
}

impl Layout {
    /// How a stack of so many towers, with or without the castle, stands on a space. Four towers or more move closer together, and
    /// all the more where there is little sky above.
    pub fn tiers(&self, space: usize, towers: usize, castle: bool) -> Tiers {
        let place = self.spaces[space];
        let scale = place.scale;
        let ground = Point {
            x: place.at.x,
            y: place.at.y - 3.0 * scale,
        };
        let full = PITCH * scale;
        let room = ground.y - self.ceiling(ground.x, 48.0 * scale);
        // On a tower the castle is small enough to stand within the battlements.
        let reduce = match towers {
            0 => 1.0,
            1..=3 => 0.86,
            _ => 0.73,
        };
        let above = if castle { CASTLE * reduce } else { HEADROOM } * scale;
        let n = towers as f64;
        let wished = if n <= 3.0 {
            full
        } else {
            (3.0 + (n - 3.0) * 0.5) / n * full
        };
        let pitch = if towers > 1 {
            wished
                .min((room - above - full) / (n - 1.0))
                .max(7.0 * scale)
        } else {
            full
        };
        let left = room - full.min(full * n) - pitch * (n - 1.0).max(0.0);
        let castle = reduce.min(left / (CASTLE * scale)).max(0.5);
        Tiers {
            ground,
            scale,
            pitch,
            towers,
            castle,
        }
    }

    /// The spaces whose stacks may hide part of this space's stack, given how many towers each has (the castle counts as two).
    pub fn hiders(&self, space: usize, heights: &[usize; 16]) -> Vec<usize> {
        let me = self.spaces[space];
        (0..16)
            .filter(|&other| {
                let it = self.spaces[other];
                let tiers = self.tiers(other, heights[other], false);
                let top = tiers.surface(heights[other]).y - 30.0 * it.scale;
                other != space
                    && heights[other] > 0
                    && it.at.y > me.at.y
                    && (it.at.x - me.at.x).abs() < 78.0 * it.scale
                    && top < me.at.y
            })
            .collect()
    }
}

/// Where a wizard stands on a surface, from the middle of the surface, in units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spot {
    /// To the right.
    pub dx: f64,
    /// Downwards.
    pub dy: f64,
    /// Size.
    pub scale: f64,
}

/// The places of up to six wizards, back row first. Four and more stand in two staggered rows, the back row raised.
pub fn wizard_spots(count: usize) -> Vec<Spot> {
    let row = |xs: &[f64], dy: f64, scale: f64| -> Vec<Spot> {
        xs.iter()
            .map(|&dx| Spot {
                dx,
                dy: dy - dx * dx * 0.004,
                scale,
            })
            .collect()
    };
    let two = |back: &[f64], front: &[f64], raise: f64, scale: f64| {
        [row(back, -raise, scale), row(front, 6.0, scale)].concat()
    };
    match count {
        0 => Vec::new(),
        1 => row(&[0.0], 3.0, 1.0),
        2 => row(&[-14.5, 14.5], 4.0, 1.0),
        3 => row(&[-24.0, 0.0, 24.0], 5.0, 0.95),
        4 => two(&[-13.0, 13.0], &[-26.0, 0.0, 26.0][..2], 17.0, 0.9)
            .into_iter()
            .enumerate()
            .map(|(i, s)| spread_four(i, s))
            .collect(),
        5 => two(&[-13.0, 13.0], &[-26.0, 0.0, 26.0], 17.0, 0.9),
        _ => two(&[-19.0, 6.5, 32.0], &[-32.0, -6.5, 19.0], 17.0, 0.88),
    }
}

/// Four wizards: two behind, two before, half a step apart.
fn spread_four(index: usize, spot: Spot) -> Spot {
    Spot {
        dx: [-8.0, 21.0, -21.0, 8.0][index],
        ..spot
    }
}
