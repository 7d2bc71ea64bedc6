//! The places around the ring: players, log and hand.

use super::{Layout, Rect, Shape};

/// The area of a player's panel.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerArea {
    pub panel: Rect,
}

impl Layout {
    /// The panels of `players` players, the viewer first, the others clockwise: in a row above an upright board, in a column beside a
    /// wide one.
    pub fn seats(&self, players: usize) -> Vec<PlayerArea> {
        let (zone, count) = (self.zones.players, players.clamp(1, 6));
        let n = count as f64;
        let panel = |i: usize| match self.shape {
            Shape::Landscape => {
                let h = self.zones.column(players).0;
                Rect {
                    y: zone.y + i as f64 * (h + self.zones.gap()),
                    h,
                    ..zone
                }
            }
            Shape::Portrait => {
                let gap = 4.0;
                let w = ((zone.w + gap) / n - gap).min(zone.w * 0.48);
                let left = zone.x + (zone.w - n * (w + gap) + gap) / 2.0;
                Rect {
                    x: left + i as f64 * (w + gap),
                    w,
                    ..zone
                }
            }
        };
        (0..count).map(|i| PlayerArea { panel: panel(i) }).collect()
    }

    /// Where the log stands beside the board, if there is room for it.
    pub fn log(&self, players: usize) -> Option<Rect> {
        self.zones.column(players).1
    }

    /// The places of `cards` open books in the hand: side by side, or one below the other.
    pub fn hand_cards(&self, cards: usize) -> Vec<Rect> {
        let (zone, n) = (self.zones.hand, cards.max(1) as f64);
        let slots = n.max(3.0);
        if zone.h > zone.w {
            let gap = 4.0;
            let h = ((zone.h + gap) / slots - gap).min(zone.w * 0.75);
            return (0..cards)
                .map(|i| Rect {
                    x: zone.x + (zone.w - h / 0.75) / 2.0,
                    y: zone.y + i as f64 * (h + gap),
                    w: h / 0.75,
                    h,
                })
                .collect();
        }
        let gap = zone.h * 0.07;
        let w = ((zone.w + gap) / slots - gap).min(zone.h * 4.0 / 3.0);
        let left = zone.x + (zone.w - n * (w + gap) + gap) / 2.0;
        (0..cards)
            .map(|i| {
                let h = w * 0.75;
                Rect {
                    x: left + i as f64 * (w + gap),
                    y: zone.y + (zone.h - h) / 2.0,
                    w,
                    h,
                }
            })
            .collect()
    }
}
