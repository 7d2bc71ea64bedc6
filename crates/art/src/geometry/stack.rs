//! The geometry of a stack: the height of every level, and the places of wizards on a surface.

use towers_rules::{SPACES, Space};

use super::{Layout, Point, Rect, SpacePieces};

/// Half the width and half the height of a stone, in units.
pub const STONE: (f64, f64) = (57.0, 27.0);
/// How far apart the levels of a low stack are, in units.
pub const PITCH: f64 = 47.0;
/// Height of the castle with its raven, in units.
pub(super) const CASTLE: f64 = 158.0;
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
    /// Height of the topmost tower in pixels.
    pub topmost: f64,
    /// How many towers.
    pub towers: usize,
    /// The size of the castle on top.
    pub castle: f64,
}

impl Tiers {
    /// The middle of a surface: 0 is the ground, 1 the top of the lowest tower.
    pub fn surface(&self, level: usize) -> Point {
        let lift = match level {
            0 => 0.0,
            n if n >= self.towers => (n - 1) as f64 * self.pitch + self.topmost,
            n => n as f64 * self.pitch,
        };
        Point {
            x: self.ground.x,
            y: self.ground.y - lift,
        }
    }

    /// How flat the tower at `level` is drawn, 0 for the lowest; 1 is its full height.
    pub fn squash(&self, level: usize) -> f64 {
        let height = if level + 1 >= self.towers {
            self.topmost
        } else {
            self.pitch
        };
        (height / (PITCH * self.scale)).min(1.0)
    }

    /// The touch target of one tower.
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
    /// The levels of a stack with this many towers, with or without the castle. Four towers or more are compressed, so
    /// that no stack exceeds [`max_stack`](Layout::max_stack).
    pub fn tiers(&self, space: Space, towers: usize, castle: bool) -> Tiers {
        let place = self.place(space);
        let scale = place.scale;
        // On a tower the castle is small enough to stand within the battlements.
        let reduce = match towers {
            0 => 1.0,
            1 | 2 => 0.86,
            _ => 0.73,
        };
        let above = if castle { CASTLE * reduce } else { HEADROOM };
        let (n, lift) = (towers.max(1) as f64, self.max_stack - above);
        // The topmost tower keeps its full height for the wizards on it. Nobody stands beside the castle.
        let (pitch, topmost) = if castle {
            let each = PITCH.min(lift / n);
            (each, each)
        } else {
            (PITCH.min((lift - PITCH) / (n - 1.0).max(1.0)), PITCH)
        };
        Tiers {
            ground: Point {
                x: place.at.x,
                y: place.at.y - 3.0 * scale,
            },
            scale,
            pitch: pitch * scale,
            topmost: topmost * scale,
            towers,
            castle: reduce,
        }
    }

    /// The spaces whose stacks hide pieces of this one.
    pub fn hidden_by(&self, space: Space, crowds: &[SpacePieces; SPACES]) -> Vec<Space> {
        let items = self.items(space, &crowds[space.index()]);
        let place = self.place(space);
        let stone = Rect::around(
            place.at.x,
            place.at.y,
            STONE.0 * place.scale,
            STONE.1 * place.scale,
        );
        let order = self.back_to_front();
        let own = order.iter().position(|s| *s == space).unwrap_or(SPACES);
        order[own.min(SPACES - 1) + 1..]
            .iter()
            .copied()
            .filter(|other| {
                let shape = self.silhouette(*other, &crowds[other.index()]);
                let hides = |rect: &Rect| shape.iter().any(|s| s.overlaps(rect));
                hides(&stone) || items.iter().any(|(_, rect)| hides(rect))
            })
            .collect()
    }
}

/// The place of a wizard, relative to the middle of its surface, in units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spot {
    /// To the right.
    pub dx: f64,
    /// Downwards.
    pub dy: f64,
    /// The size relative to a full-sized wizard.
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
