//! A game: its beginning, its actions, its end.

use rules::{Action, Actor, Event as GameEvent, Phase, Seat, State};

use crate::command::{PassAhead, Who};
use crate::core::{Core, Game, Log, Origin, Stage};
use crate::dice::Dice;
use crate::event::{Ending, Event, TableEvent};
use crate::ids::PersonId;
use crate::rejection::Rejection;
use crate::seat::{colours, seats};
use crate::settings::{Clock, SettingsError};

impl Core {
    /// Begins a game, if all seats are taken.
    pub(crate) fn begin(&mut self, origin: Origin, log: &mut Log) -> Result<(), Rejection> {
        self.check_no_game()?;
        if !self.is_full() {
            return Err(Rejection::OpenSeats);
        }
        let seed = match origin {
            Origin::Fresh(seed) => *seed,
            Origin::Recorded(seed) => *seed.ok_or(Rejection::NoGame)?,
        };
        let colours = colours(&self.places);
        let state =
            State::new(&self.settings.setup(colours.clone())).map_err(SettingsError::Rules)?;
        let bank = match self.settings.clock {
            Clock::Bank { seconds, .. } => u64::from(seconds) * 1000,
            _ => 0,
        };
        for place in &mut self.places {
            place.ready = false;
            place.wants_end = false;
            place.wants_rematch = false;
            place.pass_ahead = None;
            place.stand_in = None;
            place.away = false;
        }
        self.games += 1;
        let commitment = seed.commitment();
        self.game = Some(Game {
            state,
            dice: Dice::new(&seed),
            seed,
            commitment,
            decisions: 0,
            since: self.at,
            banks: vec![bank; self.places.len()],
            ending: None,
        });
        log.seed = Some(seed);
        log.tell(TableEvent::Started {
            game: self.games,
            commitment,
            colours,
        });
        self.settle(log)
    }

    pub(crate) fn act(
        &mut self,
        by: Who,
        action: Action,
        decision: Option<u64>,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let open = self.playing()?.decisions;
        let seat = if let Who::Bot(seat) = by {
            self.place(seat)?.bot().ok_or(Rejection::NoBot)?;
            seat
        } else {
            let (_, seat) = self.check_seated(by)?;
            if self.place(seat)?.bot().is_some() {
                return Err(Rejection::BotPlays);
            }
            seat
        };
        if decision.is_some_and(|d| d != open) {
            return Err(Rejection::Stale);
        }
        self.carry_out(seat, action, log)
    }

    /// Carries out an action, and everything that follows without anybody deciding.
    pub(crate) fn carry_out(
        &mut self,
        seat: Seat,
        action: Action,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        self.charge();
        self.step(seat, action, log)?;
        self.settle(log)
    }

    fn step(&mut self, seat: Seat, action: Action, log: &mut Log) -> Result<(), Rejection> {
        let at = self.at;
        let bank = matches!(self.settings.clock, Clock::Bank { .. });
        let game = self.playing()?;
        let waited_for = game.state.actor();
        let mut events = Vec::new();
        game.state.apply_watched(seat, action, &mut events)?;
        game.decisions += 1;
        // A gift of the partner must not give the one who is thinking more time.
        if bank || waited_for == Actor::Player(seat) || game.state.phase() != Phase::Turn {
            game.since = at;
        }
        log.events.extend(events.into_iter().map(Event::Game));
        Ok(())
    }

    /// Lets chance act, passes for those who pass ahead, and ends the game if it is over.
    fn settle(&mut self, log: &mut Log) -> Result<(), Rejection> {
        log.changes_game = true;
        loop {
            let game = self.playing()?;
            let mut events = Vec::new();
            while let Some(chance) = game.dice.deal(&game.state) {
                game.state.apply_chance_watched(chance, &mut events)?;
                log.chance.push(chance);
            }
            log.events.extend(events.into_iter().map(Event::Game));
            match (game.state.phase(), game.state.actor()) {
                (Phase::Window | Phase::Free, Actor::Player(seat))
                    if self.place(seat)?.pass_ahead.is_some() =>
                {
                    self.step(seat, Action::Pass, log)?;
                }
                _ => break,
            }
        }
        self.after_turns(log);
        let outcome = self.playing()?.state.outcome();
        if let Some(outcome) = outcome {
            self.finish(Ending::Played(outcome), log);
        }
        Ok(())
    }

    /// What the end of a turn changes around the game: banks, and passing ahead for this turn.
    fn after_turns(&mut self, log: &Log) {
        let increment = match self.settings.clock {
            Clock::Bank { increment, .. } => u64::from(increment) * 1000,
            _ => 0,
        };
        for event in &log.events {
            match *event {
                Event::Game(GameEvent::TurnEnded { seat }) => {
                    let game = self.game.as_mut();
                    if let Some(bank) = game.and_then(|g| g.banks.get_mut(seat.index())) {
                        *bank += increment;
                    }
                }
                Event::Game(GameEvent::TurnBegan { .. }) => {
                    for place in &mut self.places {
                        if place.pass_ahead == Some(PassAhead::Turn) {
                            place.pass_ahead = None;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    pub(crate) fn pass_ahead(
        &mut self,
        by: Who,
        until: Option<PassAhead>,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let (_, seat) = self.check_seated(by)?;
        let game = self.playing()?;
        let asked = matches!(game.state.phase(), Phase::Window | Phase::Free)
            && game.state.actor() == Actor::Player(seat);
        let place = self.place_mut(seat)?;
        if place.bot().is_some() {
            return Err(Rejection::BotPlays);
        }
        place.pass_ahead = until;
        log.tell(TableEvent::PassAheadIs { seat, until });
        if asked && until.is_some() {
            self.charge();
            self.settle(log)?;
        }
        Ok(())
    }

    /// The game is over: the seed is no secret any more, and leavers' seats are free.
    fn finish(&mut self, ending: Ending, log: &mut Log) {
        let Some(game) = &mut self.game else { return };
        game.ending = Some(ending);
        log.ending = Some(ending);
        log.changes_game = true;
        log.tell(TableEvent::GameOver {
            ending,
            seed: game.seed,
        });
        let left: Vec<(Seat, PersonId)> = seats(&self.places)
            .filter(|(_, place)| place.left)
            .filter_map(|(seat, place)| Some((seat, place.person()?)))
            .collect();
        for (seat, person) in left {
            self.dismiss(person, Some(seat), false, log);
        }
        for place in &mut self.places {
            place.stand_in = None;
            place.away = false;
            place.wants_end = false;
        }
        self.find_host(log);
    }

    pub(crate) fn end(&mut self, by: Who, agree: bool, log: &mut Log) -> Result<(), Rejection> {
        self.playing()?;
        let (_, seat) = self.check_seated(by)?;
        let place = self.place_mut(seat)?;
        if !place.takes_part() {
            return Err(Rejection::BotPlays);
        }
        place.wants_end = agree;
        log.tell(TableEvent::EndWished { seat, agree });
        self.check_end_agreed(log);
        Ok(())
    }

    /// Ends the game if everybody who takes part wishes so, and somebody does.
    pub(crate) fn check_end_agreed(&mut self, log: &mut Log) {
        let mut part = self.places.iter().filter(|p| p.takes_part()).peekable();
        let agreed = part.peek().is_some() && part.all(|p| p.wants_end);
        if agreed && self.stage() == Stage::Playing {
            self.finish(Ending::Agreed, log);
        }
    }

    pub(crate) fn rematch(
        &mut self,
        by: Who,
        origin: Origin,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        if self.stage() != Stage::Over {
            return Err(Rejection::NotOver);
        }
        let (_, seat) = self.check_seated(by)?;
        self.place_mut(seat)?.wants_rematch = true;
        log.tell(TableEvent::RematchWished { seat });
        let everybody = self.places.iter().filter(|p| p.person().is_some());
        if self.is_full() && everybody.into_iter().all(|p| p.wants_rematch) {
            self.begin(origin, log)?;
        }
        Ok(())
    }
}
