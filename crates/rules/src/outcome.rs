//! How a game ends and who wins (§11, §12, §14).

use crate::event::{Event, Observer};
use crate::ids::Seat;
use crate::state::State;
use crate::turn::{EndReason, Phase};
use crate::values::{Mode, TeamEnd};

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// The winners; several share a victory (R11.3).
    pub winners: SeatSet,
    /// Why it ended.
    pub why: EndReason,
    /// The number of discarded cards, in solo and cooperative games (R14.3).
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "Option::is_none", default)
    )]
    pub score: Option<u16>,
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeatSet(u8);

impl SeatSet {
    /// Nobody.
    pub const NONE: SeatSet = SeatSet(0);
    /// The set with this seat added.
    #[must_use]
    pub const fn with(self, seat: Seat) -> SeatSet {
        SeatSet(self.0 | 1 << (seat.0 & 7))
    }

    /// Whether it has this seat.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// The number of seats.
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..8).map(Seat).filter(move |&s| self.contains(s))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        seats.into_iter().fold(SeatSet::NONE, SeatSet::with)
    }
}

/// The printed ratings of a solo or cooperative score, best first (R14.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Rating {
    /// Fewer than 20 cards.
    Under20,
    /// 20–23.
    To23,
    /// 24–27.
    To27,
    /// 28–30: the goal is reached.
    To30,
    /// 31–35.
    To35,
    /// 36–40.
    To40,
    /// 41–45.
    To45,
    /// More than 45.
    Over45,
}

impl Rating {
    /// All ratings, best first.
    pub const ALL: [Rating; 8] = [
        Rating::Under20,
        Rating::To23,
        Rating::To27,
        Rating::To30,
        Rating::To35,
        Rating::To40,
        Rating::To45,
        Rating::Over45,
    ];

    /// The rating of a score.
    pub const fn of(score: u16) -> Rating {
        match score {
            0..20 => Rating::Under20,
            20..=23 => Rating::To23,
            24..=27 => Rating::To27,
            28..=30 => Rating::To30,
            31..=35 => Rating::To35,
            36..=40 => Rating::To40,
            41..=45 => Rating::To45,
            _ => Rating::Over45,
        }
    }

    /// Whether the goal of 30 cards or fewer is reached.
    pub const fn reaches_goal(self) -> bool {
        matches!(
            self,
            Rating::Under20 | Rating::To23 | Rating::To27 | Rating::To30
        )
    }
}

impl State {
    /// Whether an owner, and in teams the partner too, has all wizards home and no empty flask (R11.1, R12.7).
    pub fn has_finished(&self, owner: Seat) -> bool {
        let alone = |s: Seat| self.home.all_of(s) && self.flasks[s.index()].empty == 0;
        alone(owner) && self.partner(owner).is_none_or(alone)
    }

    /// Whether a player has finished, so that this round is the last (R11.2).
    #[inline(never)]
    pub fn is_final(&self) -> bool {
        self.owners().any(|owner| self.has_finished(owner))
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.turn.phase != Phase::Over {
            return None;
        }
        let why = self.turn.why;
        let winners = match (self.rules.mode(), why) {
            (Mode::Versus, EndReason::Finished) => {
                self.best(|s| self.has_finished(s).then(|| (0, self.side(s, |f| f.full))))
            }
            // R11.5: the fewest empty flasks, then the most full ones.
            (Mode::Versus, EndReason::Stuck) => self.best(|s| {
                Some((
                    -i32::from(self.side(s, |f| f.empty)),
                    self.side(s, |f| f.full),
                ))
            }),
            (Mode::Solo | Mode::Coop, EndReason::Finished) => self.seats().collect(),
            _ => SeatSet::default(),
        };
        Some(Outcome {
            winners,
            why,
            score: self.shares_pieces().then_some(self.discarded),
        })
    }

    /// The number of flasks of a player, or of both partners together (R11.5, R12.8).
    fn side(&self, seat: Seat, number: impl Fn(crate::Flasks) -> u8) -> u8 {
        let own = number(self.flasks[seat.index()]);
        own + self
            .partner(seat)
            .map_or(0, |p| number(self.flasks[p.index()]))
    }

    /// The seats that share the best value (R11.3).
    fn best<V: Ord>(&self, value: impl Fn(Seat) -> Option<V>) -> SeatSet {
        let best = self.seats().filter_map(&value).max();
        self.seats()
            .filter(|&s| best.is_some() && value(s) == best)
            .collect()
    }

    /// Why the game ends at once in this position, if it does (R11.6).
    fn at_once(&self) -> Option<EndReason> {
        let all_home = self.owners().all(|o| self.home.all_of(o));
        let finished = self.is_final();
        if self.shares_pieces() {
            match (all_home, finished) {
                (_, true) => Some(EndReason::Finished),  // R14.3
                (true, false) => Some(EndReason::Stuck), // R14.7
                (false, false) => None,
            }
        } else if finished && self.rules.teams() && self.rules.team_end() == TeamEnd::AtOnce {
            Some(EndReason::Finished) // R12.8
        } else {
            (all_home && !finished).then_some(EndReason::Stuck) // R11.5
        }
    }

    /// Whether the position fits the reason for which the game is over.
    pub(crate) fn could_have_ended(&self) -> bool {
        match self.turn.why {
            EndReason::Finished => self.is_final(),
            EndReason::Stuck => self.at_once() == Some(EndReason::Stuck),
            EndReason::Deck => self.shares_pieces() && !self.renews() && self.draw.is_empty(),
            EndReason::Rounds => self.rules.is_last_round(self.round),
        }
    }

    pub(crate) fn would_end_at_once(&self) -> bool {
        self.at_once().is_some()
    }

    /// Ends the game if it ends at once. Called after every move and cast that brought a wizard home or filled a flask
    /// (R11.6).
    pub(crate) fn ends_at_once(&mut self, observer: &mut impl Observer) -> bool {
        let why = self.at_once();
        if let Some(why) = why {
            self.game_over(why, observer);
        }
        why.is_some()
    }

    /// Ends the game at the end of a turn, after the refill, if a condition for that holds (R11.6).
    #[inline]
    pub(crate) fn ends_with_turn(&mut self, observer: &mut impl Observer) -> bool {
        if self.shares_pieces() && !self.renews() && self.draw.is_empty() {
            self.game_over(EndReason::Deck, observer); // R14.4
            return true;
        }
        // Both are rare, while the last seat of a round comes up often.
        let capped = self.rules.is_last_round(self.round);
        if !(self.home.all_of_anyone() || capped) || self.next_seat(self.turn.active) != self.start
        {
            return false;
        }
        let why = if !self.shares_pieces() && self.is_final() {
            EndReason::Finished // R11.2
        } else if capped {
            EndReason::Rounds // R11.7
        } else {
            return false;
        };
        self.game_over(why, observer);
        true
    }

    #[inline(never)]
    fn game_over(&mut self, why: EndReason, observer: &mut impl Observer) {
        self.turn.phase = Phase::Over;
        self.turn.why = why;
        if let Some(outcome) = self.outcome() {
            observer.record(Event::Over { outcome });
        }
    }

    /// The seat of the next turn.
    #[inline]
    pub(crate) fn next_seat(&self, seat: Seat) -> Seat {
        Seat(if seat.0 + 1 == self.seats {
            0
        } else {
            seat.0 + 1
        })
    }
}
