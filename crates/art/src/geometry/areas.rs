//! The places around and inside the ring: players, draw pile, discard pile, die, spells, hand.

use super::{Layout, Rect, Shape};

/// What lies in the middle of the ring.
#[derive(Clone, PartialEq, Debug)]
pub struct Centre {
    /// The draw pile: closed books, taller than wide (5 : 6).
    pub draw: Rect,
    /// The discard pile: an open book (4 : 3).
    pub discard: Rect,
    /// The die.
    pub die: Rect,
    /// One square per spell.
    pub spells: Vec<Rect>,
}

/// Where a player's panel lies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seat {
    /// The panel.
    pub panel: Rect,
    /// Whether it is on the right half, for mirroring.
    pub right: bool,
}

/// Half the width of what is asked on a wide canvas, as a rule, and how far down it reaches; the tip of a hat may come close.
const ASKED: (f64, f64) = (170.0, 34.0);

impl Layout {
    /// The middle of the board with so many spells.
    pub fn centre(&self, spells: usize) -> Centre {
        let (c, u) = (self.ring.centre, self.unit);
        match self.shape {
            Shape::Landscape => {
                let y = c.y - 6.0 * u;
                let columns = if spells <= 3 {
                    spells.max(1)
                } else {
                    spells.div_ceil(2)
                };
                let rows = spells.div_ceil(columns).max(1);
                // Beside two rows of spells, the die lies below the piles: so little is hidden by what stands before it.
                let (side, piles, die) = if rows == 1 {
                    (94.0 * u, 292.0 * u, (262.0 * u, y))
                } else {
                    (80.0 * u, 226.0 * u, (112.0 * u, y + 62.0 * u))
                };
                let pile = if rows == 1 { y } else { y - 32.0 * u };
                let gap = 9.0 * u;
                let grid = columns as f64 * (side + gap) - gap;
                let left = c.x
                    - if spells == 0 {
                        piles
                    } else {
                        piles + 18.0 * u + grid
                    } / 2.0;
                Centre {
                    draw: Rect::around(left + 41.0 * u, pile, 82.0 * u, 98.4 * u),
                    discard: Rect::around(left + 157.0 * u, pile, 128.0 * u, 96.0 * u),
                    die: Rect::around(left + die.0, die.1, 58.0 * u, 58.0 * u),
                    spells: grid_of(
                        spells,
                        columns,
                        left + piles + 18.0 * u,
                        y - (rows as f64 * (side + gap) - gap) / 2.0,
                        side,
                        gap,
                    ),
                }
            }
            Shape::Portrait => {
                let columns = if spells == 4 { 2 } else { spells.clamp(1, 3) };
                let rows = spells.div_ceil(columns);
                let side = if columns == 3 { 104.0 * u } else { 124.0 * u };
                let gap = 9.0 * u;
                let all = 112.0 * u
                    + if rows == 0 {
                        0.0
                    } else {
                        22.0 * u + rows as f64 * (side + gap)
                    };
                let top = c.y - all / 2.0;
                let y = top + 56.0 * u;
                let grid = columns as f64 * (side + gap) - gap;
                Centre {
                    draw: Rect::around(c.x - 122.0 * u, y, 90.0 * u, 108.0 * u),
                    discard: Rect::around(c.x + 2.0 * u, y, 136.0 * u, 102.0 * u),
                    die: Rect::around(c.x + 119.0 * u, y, 78.0 * u, 78.0 * u),
                    spells: grid_of(spells, columns, c.x - grid / 2.0, y + 78.0 * u, side, gap),
                }
            }
        }
    }

    /// The panels of `players` players. The first is the viewer, at the lower left; the others follow clockwise. Upright, all stand
    /// in a row above the board.
    pub fn seats(&self, players: usize) -> Vec<Seat> {
        match self.shape {
            Shape::Landscape => {
                let (u, (w, h, m)) = (self.frame(), self.panel());
                let (right, low) = (self.width - w - m, self.height - h - m);
                let above = low - h - 10.0 * u;
                let corner = [
                    (m, low),
                    (m, above),
                    (m, m),
                    (right, m),
                    (right, above),
                    (right, low),
                ];
                let used: &[usize] = match players {
                    0 | 1 => &[0],
                    2 => &[0, 3],
                    3 => &[0, 2, 3],
                    4 => &[0, 2, 3, 5],
                    5 => &[0, 1, 2, 3, 5],
                    _ => &[0, 1, 2, 3, 4, 5],
                };
                used.iter()
                    .map(|&i| Seat {
                        panel: Rect {
                            x: corner[i].0,
                            y: corner[i].1,
                            w,
                            h,
                        },
                        right: i > 2,
                    })
                    .collect()
            }
            Shape::Portrait => {
                let u = self.frame();
                let n = players.clamp(1, 6) as f64;
                let gap = 5.0 * u;
                let w = ((self.width - 12.0 * u + gap) / n - gap).min(180.0 * u);
                let left = (self.width - n * (w + gap) + gap) / 2.0;
                (0..players.clamp(1, 6))
                    .map(|i| Seat {
                        panel: Rect {
                            x: left + i as f64 * (w + gap),
                            y: 6.0 * u,
                            w,
                            h: 56.0 * u,
                        },
                        right: i as f64 >= n / 2.0,
                    })
                    .collect()
            }
        }
    }

    /// Pixels per pixel of the canvas the shape was drawn for.
    fn frame(&self) -> f64 {
        match self.shape {
            Shape::Landscape => (self.width / 1440.0).min(self.height / 900.0),
            Shape::Portrait => (self.width / 390.0).min(self.height / 844.0),
        }
    }

    /// Width, height and margin of a panel in a corner.
    fn panel(&self) -> (f64, f64, f64) {
        let u = self.frame();
        (218.0 * u, 76.0 * u, 14.0 * u)
    }

    /// How high a stack around `x` may rise: below the panels in the upper corners, and below what is asked in the middle.
    pub(super) fn ceiling(&self, x: f64, half: f64) -> f64 {
        let (w, h, m) = self.panel();
        let above = match self.shape {
            Shape::Landscape if x - half < w + m || x + half > self.width - w - m => h + m,
            Shape::Landscape if (x - self.width / 2.0).abs() < half + ASKED.0 * self.frame() => {
                ASKED.1 * self.frame()
            }
            _ => 0.0,
        };
        self.board.y + above + 4.0
    }

    /// The places of `cards` open books in the hand, side by side.
    pub fn hand_cards(&self, cards: usize) -> Vec<Rect> {
        let n = cards.max(1) as f64;
        let gap = self.hand.h * 0.07;
        let w = ((self.hand.w + gap) / n.max(3.0) - gap).min(self.hand.h * 4.0 / 3.0);
        let left = self.hand.x + (self.hand.w - n * (w + gap) + gap) / 2.0;
        (0..cards)
            .map(|i| {
                let h = w * 0.75;
                Rect {
                    x: left + i as f64 * (w + gap),
                    y: self.hand.y + (self.hand.h - h) / 2.0,
                    w,
                    h,
                }
            })
            .collect()
    }
}

/// Squares in rows, a last short row centred.
fn grid_of(count: usize, columns: usize, x: f64, y: f64, side: f64, gap: f64) -> Vec<Rect> {
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
