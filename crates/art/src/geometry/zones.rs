//! The zones of the canvas: the board, the players, the prompt, the hand, the buttons.

use super::Rect;

/// A window lower than this, in pixels, has the hand beside the board.
const LOW: f64 = 640.0;
/// A window as wide as this, in pixels, has room for the log.
const WIDE: f64 = 1280.0;
/// A window that is not low has room for a narrow one from this width on.
const NARROW_LOG: f64 = 1120.0;
/// The smallest height of a log, in pixels.
const MIN_LOG: f64 = 120.0;

/// The zones of a canvas, which do not overlap.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Zones {
    /// Pixels per em of the text around the board: it grows with the window.
    pub em: f64,
    /// The area of the board, stacks included.
    pub board: Rect,
    /// The prompt: the state of the turn and the current question.
    pub prompt: Rect,
    /// Where the cards of the hand lie: in a row, or in a column if it is higher than wide.
    pub hand: Rect,
    /// The buttons of a turn, filled from the bottom.
    pub actions: Rect,
    /// The buttons around the game, filled from the bottom.
    pub tools: Rect,
    /// The players: a row, or a column with the log below.
    pub players: Rect,
    /// Whether the log stands below the players.
    pub has_log: bool,
}

impl Zones {
    /// The zones of a game. With a coach, who explains more than a game asks, the prompt is higher.
    pub(super) fn of(width: f64, height: f64, coach: bool) -> Zones {
        if width < height * 0.95 {
            Zones::upright(width, height, coach)
        } else if height < LOW {
            Zones::low(width, height, coach)
        } else {
            Zones::wide(width, height, coach)
        }
    }

    /// Those of a game without a hand and without buttons: the board takes their room.
    pub(super) fn board_view(width: f64, height: f64) -> Zones {
        let mut zones = Zones::of(width, height, false);
        let m = zones.players.y;
        if width < height * 0.95 {
            zones.board.h = height - zones.board.y - m;
            return zones;
        }
        zones.players.h = height - 2.0 * m;
        if zones.is_low() {
            zones.board.w = width - zones.board.x - m;
            zones.prompt.w = width - zones.prompt.x - m;
        } else {
            zones.board.h = height - zones.board.y - m;
        }
        zones
    }

    /// The whole canvas is board.
    pub(super) fn picture(width: f64, height: f64) -> Zones {
        let wide = width >= height * 0.95;
        Zones {
            em: 16.0,
            board: Rect {
                x: width * if wide { 0.07 } else { 0.0 },
                y: 0.0,
                w: width * if wide { 0.86 } else { 1.0 },
                h: height * 0.9,
            },
            ..Zones::default()
        }
    }

    /// Players above, then the prompt, the board, the buttons of the turn, the hand, and the tools at the lower edge.
    fn upright(width: f64, height: f64, coach: bool) -> Zones {
        let more = if coach {
            (height * 0.12).min(110.0)
        } else {
            0.0
        };
        let u = (width / 390.0).min(height / 844.0);
        let em = (16.0 * u).clamp(15.0, 22.0);
        let m = 6.0 * u;
        let players = Rect {
            x: m,
            y: m,
            w: width - 2.0 * m,
            h: (56.0 * u).max(46.0),
        };
        let prompt = Rect {
            x: m,
            y: players.y + players.h + 4.0,
            w: width - 2.0 * m,
            h: (2.65 * em).max(42.0) + more,
        };
        let tools = Rect {
            x: 0.0,
            y: height - (3.4 * em).max(54.0),
            w: width,
            h: (3.4 * em).max(54.0),
        };
        let card = ((width - 2.0 * m) / 3.0 * 0.75 - 4.0).min(height * 0.13);
        let hand = Rect {
            x: m,
            y: tools.y - card - 6.0,
            w: width - 2.0 * m,
            h: card,
        };
        let actions = Rect {
            x: m,
            y: hand.y - 52.0,
            w: width - 2.0 * m,
            h: 48.0,
        };
        let top = prompt.y + prompt.h;
        Zones {
            em,
            board: Rect {
                x: 0.0,
                y: top,
                w: width,
                h: actions.y - top,
            },
            prompt,
            hand,
            actions,
            tools,
            players,
            has_log: false,
        }
    }

    /// Players, log and tools in a column on the right; the hand below the board, the buttons of the turn beside it.
    fn wide(width: f64, height: f64, coach: bool) -> Zones {
        let more = if coach { height * 0.06 } else { 0.0 };
        let em = (width * 0.0115).min(height * 0.019).clamp(16.0, 26.0);
        let has_log = width >= NARROW_LOG;
        let column = match width {
            WIDE.. => 17.5,
            NARROW_LOG.. => 15.0,
            _ => 12.5,
        } * em;
        let m = 0.6 * em;
        let board = width - column - m;
        let tools = Rect {
            x: board,
            y: height - m - 8.9 * em,
            w: column,
            h: 8.9 * em,
        };
        let prompt = Rect {
            x: m,
            y: m,
            w: board - 2.0 * m,
            h: 3.3 * em + more,
        };
        let card = (height * 0.152).min((board - 28.0 * em) / 3.0 * 0.75);
        let hand_w = card * 4.25;
        let hand = Rect {
            x: (board - hand_w) / 2.0,
            y: height - card - m,
            w: hand_w,
            h: card,
        };
        let actions = Rect {
            x: hand.x + hand_w + m,
            y: hand.y,
            w: (board - hand.x - hand_w - 2.0 * m).min(15.0 * em),
            h: card,
        };
        let top = prompt.y + prompt.h;
        Zones {
            em,
            board: Rect {
                x: 0.0,
                y: top,
                w: board,
                h: hand.y - 1.0 * em - top,
            },
            prompt,
            hand,
            actions,
            tools,
            players: Rect {
                x: board,
                y: m,
                w: column,
                h: tools.y - 2.0 * m,
            },
            has_log,
        }
    }

    /// For low windows: players and tools in a column on the left, hand and buttons in a column on the right, and the
    /// full height for the board.
    fn low(width: f64, height: f64, coach: bool) -> Zones {
        let em = 16.0;
        let has_log = width >= WIDE;
        let m = 6.0;
        let left = if coach {
            width * 0.3
        } else if has_log {
            260.0
        } else {
            (width * 0.2).clamp(132.0, 190.0)
        };
        let card = (width * 0.16).min((height - 124.0) / 3.0 / 0.75).min(170.0);
        let right = width - card - 2.0 * m;
        let rows = 4.0 * 32.0;
        let tools = Rect {
            x: m,
            y: height - m - rows,
            w: left,
            h: rows,
        };
        let prompt = Rect {
            x: left + 2.0 * m,
            y: 4.0,
            w: right - left - 3.0 * m,
            h: 42.0,
        };
        let hand = Rect {
            x: right + m,
            y: m,
            w: card,
            h: 3.0 * (card * 0.75 + 4.0),
        };
        let top = hand.y + hand.h + m;
        let actions = Rect {
            x: right,
            y: top,
            w: card + 2.0 * m,
            h: height - top - m,
        };
        if coach {
            return Zones::low_with_coach(height, left, right, hand, actions);
        }
        Zones {
            em,
            board: Rect {
                x: left + m,
                y: prompt.y + prompt.h,
                w: right - left - m,
                h: height - 4.0 - prompt.y - prompt.h,
            },
            prompt,
            hand,
            actions,
            tools,
            players: Rect {
                x: m,
                y: m,
                w: left,
                h: tools.y - 2.0 * m,
            },
            has_log,
        }
    }

    /// The coach goes below the players, the tools take the place of the turn's buttons.
    fn low_with_coach(height: f64, left: f64, right: f64, hand: Rect, actions: Rect) -> Zones {
        let m = 6.0;
        let players = Rect {
            x: m,
            y: m,
            w: left,
            h: height * 0.34,
        };
        let y = players.y + players.h + m;
        Zones {
            em: 16.0,
            board: Rect {
                x: left + m,
                y: 4.0,
                w: right - left - m,
                h: height - 8.0,
            },
            prompt: Rect {
                x: m,
                y,
                w: left,
                h: height - y - m,
            },
            hand,
            actions,
            tools: actions,
            players,
            has_log: false,
        }
    }

    /// Whether hand and buttons stand beside the board because the window is low.
    pub fn is_low(&self) -> bool {
        self.hand.h > self.hand.w
    }

    /// Where notices of an online table lie: below the board beside the hand, or over the players where there is no room
    /// left.
    pub fn notices(&self) -> Rect {
        if self.hand.w <= self.hand.h || self.hand.x < 200.0 {
            return self.players;
        }
        let m = 0.5 * self.em;
        Rect {
            x: m,
            w: self.hand.x - 2.0 * m,
            ..self.hand
        }
    }

    /// Pixels between the panels of the players.
    pub(super) fn gap(&self) -> f64 {
        (0.02 * self.players.h).min(0.35 * self.em)
    }

    /// The height of a panel for `players` players, and the remaining area for the log.
    pub(super) fn column(&self, players: usize) -> (f64, Option<Rect>) {
        let n = players.clamp(1, 6) as f64;
        let gap = self.gap();
        let kept = if self.has_log { MIN_LOG + gap } else { 0.0 };
        let each = ((self.players.h - kept + gap) / n - gap).min(5.6 * self.em);
        let used = n * (each + gap);
        let log = self.has_log.then_some(Rect {
            y: self.players.y + used,
            h: self.players.h - used,
            ..self.players
        });
        (each, log)
    }
}
