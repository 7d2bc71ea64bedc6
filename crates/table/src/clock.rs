//! Time limits of decisions, and what happens when they expire.

use serde::{Deserialize, Serialize};
use towers_rules::{Action, Actor, Seat, State};

use crate::command::Who;
use crate::core::{Core, Log, Origin, Stage};
use crate::event::{StandInReason, TableEvent};
use crate::ids::{Millis, PersonId};
use crate::level::BotLevel;
use crate::play::is_own_opening;
use crate::rejection::Rejection;
use crate::settings::Clock;

/// How long a reaction window or a series of casts waits for a player who is away, in milliseconds.
pub const AWAY_REACTION: Millis = 3_000;
/// The minimum bank of a player who comes back, in milliseconds.
pub const RETURN_BANK: Millis = 30_000;
/// The minimum bank of a player after a bot made one move for them, in milliseconds.
pub const TIME_OUT_BANK: Millis = 10_000;

const DAY: Millis = 24 * 3600 * 1000;

/// The open decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// The number of the decision. An action that names another one is refused.
    pub decision: u64,
    /// The seat that decides.
    pub seat: Seat,
    /// The person or bot that answers.
    pub by: Decider,
    /// The time at which the decision opened.
    pub since: Millis,
    /// The time at which the table stops waiting; `None` if there is no limit.
    pub deadline: Option<Millis>,
}

/// The person or bot that answers a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Decider {
    /// A person whose client sends the action.
    Person(PersonId),
    /// A bot. The driver asks it for an action and submits that.
    Bot(BotLevel),
}

/// What happens when the time is up.
enum Due {
    /// The table passes for the player, or ends their series of casts.
    Answer(Action),
    /// A bot makes one move, or takes over.
    StandIn,
}

/// What happens with reactions to somebody who is away, and so keeps the others waiting; `None` in decisions of the
/// player's own turn. A claimed spell has to be cast (R13.4), so a bot chooses its target.
fn due_for_absent(state: &State, seat: Seat) -> Option<Due> {
    let phase = state.phase();
    if phase.is_window() && !is_own_opening(state, seat) {
        Some(Due::Answer(Action::Pass))
    } else if phase.is_series() {
        let can_end = state.is_legal(seat, Action::Done);
        Some(if can_end {
            Due::Answer(Action::Done)
        } else {
            Due::StandIn
        })
    } else {
        None
    }
}

impl Core {
    /// The open decision.
    pub(crate) fn waiting(&self) -> Option<Waiting> {
        let game = self.game.as_ref().filter(|g| g.ending.is_none())?;
        let Actor::Player(seat) = game.state.actor() else {
            return None;
        };
        let place = self.places.get(seat.index())?;
        let by = match place.bot() {
            Some(level) => Decider::Bot(level),
            None => Decider::Person(place.person()?),
        };
        Some(Waiting {
            decision: game.decisions,
            seat,
            by,
            since: game.since,
            deadline: self.limit(seat).map(|(time, _)| game.since + time),
        })
    }

    /// The time limit of the open decision, and what happens when it expires. Bots have no limit here, because their
    /// driver gives them a budget.
    fn limit(&self, seat: Seat) -> Option<(Millis, Due)> {
        let game = self.game.as_ref()?;
        let place = self.places.get(seat.index())?;
        if place.bot().is_some() {
            return None;
        }
        if game.state.phase().is_window()
            && !is_own_opening(&game.state, seat)
            && let Some(seconds) = self.settings.reaction_seconds
        {
            let time = u64::from(seconds) * 1000;
            let time = if place.away {
                time.min(AWAY_REACTION)
            } else {
                time
            };
            return Some((time, Due::Answer(Action::Pass)));
        }
        let time = match self.settings.clock {
            // Without any limit, nobody has to wait for somebody who is away. Earlier versions had no time here, so
            // they wrote no entry that could be replayed differently.
            Clock::None if place.away => {
                return due_for_absent(&game.state, seat).map(|due| (AWAY_REACTION, due));
            }
            Clock::None => return None,
            Clock::Move { seconds } => u64::from(seconds) * 1000,
            Clock::Bank { .. } => game.banks.get(seat.index()).copied()?,
            Clock::Days { days } => u64::from(days) * DAY,
        };
        Some((time, Due::StandIn))
    }

    /// Deducts the elapsed time from the bank of the player to act.
    pub(crate) fn charge(&mut self) {
        if !matches!(self.settings.clock, Clock::Bank { .. }) {
            return;
        }
        let Some(waiting) = self.waiting() else {
            return;
        };
        if !matches!(self.limit(waiting.seat), Some((_, Due::StandIn))) {
            return;
        }
        let at = self.at;
        if let Some(game) = &mut self.game
            && let Some(bank) = game.banks.get_mut(waiting.seat.index())
        {
            *bank = bank.saturating_sub(at.saturating_sub(game.since));
            game.since = at;
        }
    }

    /// The end of the running draw, or the deadline of the open decision.
    pub(crate) fn next_deadline(&self) -> Option<Millis> {
        match self.draw() {
            Some(draw) => Some(draw.until),
            None => self.waiting().and_then(|waiting| waiting.deadline),
        }
    }

    pub(crate) fn tick(&mut self, by: Who, origin: Origin, log: &mut Log) -> Result<(), Rejection> {
        Core::check_house(by)?;
        if let Some(draw) = self.draw() {
            return self.end_draw(&draw, origin, log);
        }
        let waiting = self.waiting().ok_or(Rejection::NotDue)?;
        if waiting.deadline.is_none_or(|deadline| self.at < deadline) {
            return Err(Rejection::NotDue);
        }
        let (_, due) = self.limit(waiting.seat).ok_or(Rejection::NotDue)?;
        match due {
            Due::Answer(action) => {
                log.tell(TableEvent::PassedFor { seat: waiting.seat });
                self.carry_out(waiting.seat, action, log)
            }
            Due::StandIn => {
                self.charge();
                self.time_out(waiting.seat, log)
            }
        }
    }

    /// Lets a bot make one move for a person whose time is up. After too many timeouts in a row, the bot takes over.
    fn time_out(&mut self, seat: Seat, log: &mut Log) -> Result<(), Rejection> {
        let (level, most) = (self.settings.stand_in, self.settings.time_outs);
        let place = self.place_mut(seat)?;
        place.time_outs = place.time_outs.saturating_add(1);
        let one_move = place.time_outs < most;
        let why = if one_move {
            StandInReason::OneMove
        } else {
            StandInReason::TimeUp
        };
        self.stand_in(seat, level, why, log)?;
        self.place_mut(seat)?.one_move = one_move;
        self.forget_end_wishes(log);
        Ok(())
    }

    /// Returns the seat to its person if the bot was to make only one move.
    pub(crate) fn end_one_move(&mut self, seat: Seat, log: &mut Log) -> Result<(), Rejection> {
        let place = self.place_mut(seat)?;
        if !place.one_move || place.stand_in.is_none() {
            return Ok(());
        }
        place.stand_in = None;
        place.one_move = false;
        if let Some(game) = &mut self.game
            && let Some(bank) = game.banks.get_mut(seat.index())
        {
            *bank = (*bank).max(TIME_OUT_BANK);
        }
        log.tell(TableEvent::MoveMade { seat });
        Ok(())
    }

    /// Lets a bot play for a person.
    pub(crate) fn stand_in(
        &mut self,
        seat: Seat,
        level: BotLevel,
        why: StandInReason,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let place = self.place_mut(seat)?;
        place.stand_in = Some(level);
        place.one_move = false;
        place.wants_end = false;
        place.pass_ahead = None;
        place.intent = None;
        log.tell(TableEvent::StoodIn { seat, level, why });
        Ok(())
    }

    pub(crate) fn replace(
        &mut self,
        by: Who,
        seat: Seat,
        level: Option<BotLevel>,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let (_, own) = match self.check_host(by) {
            // A host without a seat may do this, too.
            Ok(id) => (id, self.seat_of(id)),
            Err(not_host) => {
                let (id, seat) = self.check_seated(by)?;
                let host = self.host.and_then(|h| self.seat_of(h));
                let away = host.is_some_and(|s| !self.places[s.index()].takes_part());
                if !away {
                    return Err(not_host);
                }
                (id, Some(seat))
            }
        };
        self.playing()?;
        let place = self.place(seat)?;
        if place.person().is_none() {
            return Err(Rejection::NobodyThere);
        }
        if !place.away || place.stand_in.is_some() || own == Some(seat) {
            return Err(Rejection::NotAway);
        }
        let level = level.unwrap_or(self.settings.stand_in);
        self.charge();
        self.stand_in(seat, level, StandInReason::Away, log)
    }

    pub(crate) fn back(&mut self, by: Who, log: &mut Log) -> Result<(), Rejection> {
        self.playing()?;
        let (id, seat) = self.check_seated(by)?;
        let place = self.place_mut(seat)?;
        if !place.away && !place.left && place.stand_in.is_none() {
            return Err(Rejection::NotGone);
        }
        let played_for = place.stand_in.is_some();
        place.take_back();
        place.left = false;
        let at = self.at;
        let game = self.playing()?;
        if played_for {
            if game.state.actor() == Actor::Player(seat) {
                game.since = at;
            }
            if let Some(bank) = game.banks.get_mut(seat.index()) {
                *bank = (*bank).max(RETURN_BANK);
            }
        }
        log.tell(TableEvent::CameBack { seat });
        self.find_host(log);
        self.return_host(id, log);
        Ok(())
    }

    pub(crate) fn mark_away(
        &mut self,
        by: Who,
        seat: Seat,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        Core::check_house(by)?;
        self.playing()?;
        let at = self.at;
        let place = self.place_mut(seat)?;
        if !place.takes_part() {
            return Err(Rejection::NotDue);
        }
        place.away = true;
        place.away_since = Some(at);
        place.wants_end = false;
        log.tell(TableEvent::WentAway { seat });
        self.forget_end_wishes(log);
        Ok(())
    }

    pub(crate) fn reopen(&mut self, by: Who, log: &mut Log) -> Result<(), Rejection> {
        Core::check_house(by)?;
        if self.drawing_since.is_some() {
            self.reopen_draw(log);
            return Ok(());
        }
        if self.stage() != Stage::Playing {
            return Err(Rejection::NoGame);
        }
        let at = self.at;
        self.playing()?.since = at;
        log.tell(TableEvent::Reopened);
        Ok(())
    }
}
