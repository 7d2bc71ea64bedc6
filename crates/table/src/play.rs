//! A game from its start to its end.

use std::sync::Arc;

use towers_rules::{Action, Actor, Event as GameEvent, Phase, Seat, SpellRight, State};

use crate::command::{PassAhead, Who};
use crate::core::{Core, Game, Log, Origin, Stage};
use crate::dice::Dice;
use crate::event::{AnyEvent, Ending, TableEvent};
use crate::fair::seed_of_game;
use crate::ids::PersonId;
use crate::rejection::Rejection;
use crate::seat::{Place, colours, seats};
use crate::settings::{Clock, SettingsError};

/// Whether a seat is asked before its own action: the ordinary moment to choose a card (R13.2).
pub(crate) fn is_own_opening(state: &State, seat: Seat) -> bool {
    state.phase() == Phase::Opening
        && seat == state.active()
        && state.actor() == Actor::Player(seat)
}

/// The given action of the turn, if it would be legal after everyone passed in the opening window.
fn turn_action(state: &State, seat: Seat, action: Action) -> Option<Action> {
    state
        .after_opening()
        .is_legal(seat, action)
        .then_some(action)
}

/// The choices of the player to act: the legal actions, and in their own opening window those of the turn as well.
/// Choosing one of the latter passes, and the table continues with it once everyone else was asked.
pub(crate) fn offered_actions(state: &State) -> Vec<Action> {
    let mut list = state.legal_actions();
    let mut actions: Vec<Action> = list.iter().collect();
    if is_own_opening(state, state.active()) {
        state.after_opening().legal_actions_into(&mut list);
        let of_turn = list.iter().filter(|action| !actions.contains(action));
        let of_turn: Vec<_> = of_turn.collect();
        actions.extend(of_turn);
    }
    actions
}

/// Whether players are asked in a window by default: before their own action, after somebody else's declaration, and
/// where they could not cast later.
fn is_default_stop(state: &State, seat: Seat) -> bool {
    let own = seat == state.active();
    match state.phase() {
        Phase::Opening => own,
        Phase::Closing => own && state.actions_used() > 1,
        _ => !own || state.options().spell_right == SpellRight::Shared || can_ride(state),
    }
}

fn can_ride(state: &State) -> bool {
    let list = state.legal_actions();
    list.contains(Action::WithPiggyback)
}

impl Core {
    /// Begins a game. All seats are taken, and every device has revealed its number or is too late.
    pub(crate) fn begin(&mut self, origin: Origin, log: &mut Log) -> Result<(), Rejection> {
        let (seed, commitment, secret, devices) = if let Some(chain) = self.chain {
            let (secret, devices) = self.sources(chain, origin)?;
            let seed = seed_of_game(&secret, &devices);
            (seed, chain.commitment, Some(secret), devices)
        } else {
            let seed = match origin {
                Origin::Fresh(seed) => *seed,
                Origin::Recorded { seed, .. } => seed.ok_or(Rejection::NoGame)?,
            };
            (seed, seed.commitment(), None, Vec::new())
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
            place.intent = None;
            if place.left {
                place.away = false;
            } else {
                place.take_back();
            }
            place.time_outs = 0;
        }
        self.drawing_since = None;
        for person in Arc::make_mut(&mut self.people) {
            person.commitment = None;
            person.number = None;
        }
        self.games += 1;
        self.game = Some(Game {
            state,
            dice: Dice::new(&seed),
            seed,
            commitment,
            secret,
            devices: devices.clone(),
            decisions: 0,
            since: self.at,
            banks: vec![bank; self.places.len()],
            ending: None,
        });
        log.seed = Some(seed);
        log.secret = secret;
        log.commitment = Some(commitment);
        log.tell(TableEvent::Started {
            game: self.games,
            commitment,
            colours,
            devices,
        });
        self.settle(log)
    }

    pub(crate) fn act(
        &mut self,
        by: Who,
        action: Action,
        decision: Option<u64>,
        origin: Origin,
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
        // A replayed action was not stale when it was accepted, and older versions counted decisions differently.
        let is_new = matches!(origin, Origin::Fresh(_));
        if is_new && decision.is_some_and(|d| d != open) {
            return Err(Rejection::Stale);
        }
        if !matches!(by, Who::Bot(_)) {
            self.place_mut(seat)?.time_outs = 0;
        }
        let state = &self.playing()?.state;
        if is_own_opening(state, seat)
            && !state.is_legal(seat, action)
            && let Some(chosen) = turn_action(state, seat, action)
        {
            // The chosen action waits until everyone else was asked.
            self.place_mut(seat)?.intent = Some(chosen);
            self.carry_out(seat, Action::Pass, log)?;
        } else {
            self.carry_out(seat, action, log)?;
        }
        if self.version >= 3 && matches!(by, Who::Person(_)) {
            self.forget_end_wishes(log);
        }
        self.end_one_move(seat, log)
    }

    /// Carries out an action, and everything that follows from it without a decision.
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
        let open = (game.state.actor(), game.state.phase());
        let is_own = open.0 == Actor::Player(seat);
        let offered = (!is_own).then(|| offered_actions(&game.state));
        let mut events = Vec::new();
        game.state.apply_observed(seat, action, &mut events)?;
        let is_same = !is_own && open == (game.state.actor(), game.state.phase());
        // A partner's gift must not make the choice of the player to act stale. It can be given once in a turn
        // (R12.3), so a repeated message does no harm.
        if !is_same || offered != Some(offered_actions(&game.state)) {
            game.decisions += 1;
        }
        // Nor must it give them more time.
        if bank || !is_same {
            game.since = at;
        }
        log.events.extend(events.into_iter().map(AnyEvent::Game));
        Ok(())
    }

    /// Resolves chance, passes for those who pass ahead, and finishes the game if it is over.
    fn settle(&mut self, log: &mut Log) -> Result<(), Rejection> {
        loop {
            let game = self.playing()?;
            let mut events = Vec::new();
            while let Some(chance) = game.dice.deal(&game.state) {
                game.state.apply_chance_observed(chance, &mut events)?;
                log.chance.push(chance);
            }
            log.events.extend(events.into_iter().map(AnyEvent::Game));
            let Actor::Player(seat) = game.state.actor() else {
                break;
            };
            if game.state.phase().is_window() {
                if self.is_asked(seat)? {
                    break;
                }
                self.step(seat, Action::Pass, log)?;
            } else if game.state.phase() == Phase::Turn
                && let Some(action) = self.place_mut(seat)?.intent.take()
                && self.playing()?.state.is_legal(seat, action)
            {
                self.step(seat, action, log)?;
            } else {
                break;
            }
        }
        self.after_turns(log);
        let outcome = self.playing()?.state.outcome();
        if let Some(outcome) = outcome {
            self.finish(Ending::Played(outcome), log);
        }
        Ok(())
    }

    /// Applies the end of a turn to banks, and to passing ahead for one turn.
    fn after_turns(&mut self, log: &Log) {
        let increment = match self.settings.clock {
            Clock::Bank { increment, .. } => u64::from(increment) * 1000,
            _ => 0,
        };
        for event in &log.events {
            match *event {
                AnyEvent::Game(GameEvent::TurnEnded { seat }) => {
                    let game = self.game.as_mut();
                    if let Some(bank) = game.and_then(|g| g.banks.get_mut(seat.index())) {
                        *bank += increment;
                    }
                }
                AnyEvent::Game(GameEvent::TurnBegan { .. }) => {
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

    /// Whether the player of a seat is asked in the open window; otherwise the table passes for them.
    fn is_asked(&mut self, seat: Seat) -> Result<bool, Rejection> {
        let place = self.place(seat)?;
        if place.bot().is_some() {
            return Ok(true);
        }
        if place.pass_ahead.is_some() {
            return Ok(false);
        }
        let (everywhere, away) = (place.stops_everywhere, place.away);
        let state = &self.playing()?.state;
        Ok(match state.phase() {
            Phase::Opening | Phase::Closing if away => false,
            _ => everywhere || is_default_stop(state, seat),
        })
    }

    pub(crate) fn set_stops(
        &mut self,
        by: Who,
        everywhere: bool,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let (_, seat) = self.check_seated(by)?;
        self.place_mut(seat)?.stops_everywhere = everywhere;
        log.tell(TableEvent::StopsAre { seat, everywhere });
        Ok(())
    }

    pub(crate) fn pass_ahead(
        &mut self,
        by: Who,
        until: Option<PassAhead>,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let (_, seat) = self.check_seated(by)?;
        let game = self.playing()?;
        let asked = game.state.phase().is_window() && game.state.actor() == Actor::Player(seat);
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

    /// Finishes the game: reveals the seed, and frees the seats of people who left.
    fn finish(&mut self, ending: Ending, log: &mut Log) {
        let Some(game) = &mut self.game else { return };
        game.ending = Some(ending);
        log.ending = Some(ending);
        log.tell(TableEvent::GameOver {
            ending,
            seed: game.seed,
            secret: game.secret,
        });
        if let (Some(chain), Some(secret)) = (&mut self.chain, game.secret) {
            chain.commitment = secret;
        }
        let left: Vec<(Seat, PersonId)> = seats(&self.places)
            .filter(|(_, place)| place.left)
            .filter_map(|(seat, place)| Some((seat, place.person()?)))
            .collect();
        for (seat, person) in left {
            self.remove_person(person, Some(seat), false, log);
        }
        for place in &mut self.places {
            place.take_back();
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

    /// Ends the game if everybody who has not left it agrees. People who are away count, too: nobody loses a game by
    /// an agreement that they could not refuse.
    pub(crate) fn check_end_agreed(&mut self, log: &mut Log) {
        // Earlier versions did not count people who were away.
        let counts = |p: &&Place| match self.version {
            1 | 2 => p.takes_part(),
            _ => p.person().is_some() && !p.left,
        };
        let mut people = self.places.iter().filter(counts).peekable();
        let agreed = people.peek().is_some() && people.all(|p| p.wants_end);
        if agreed && self.stage() == Stage::Playing {
            self.finish(Ending::Agreed, log);
        }
    }

    /// Withdraws all agreements to end the game. They lapse when somebody acts, leaves or goes away.
    pub(crate) fn forget_end_wishes(&mut self, log: &mut Log) {
        if self.version < 3 {
            return self.check_end_agreed(log);
        }
        for (i, place) in self.places.iter_mut().enumerate() {
            if std::mem::take(&mut place.wants_end) {
                let seat = Seat(i as u8);
                log.tell(TableEvent::EndWished { seat, agree: false });
            }
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
        self.check_no_game()?;
        let (_, seat) = self.check_seated(by)?;
        self.place_mut(seat)?.wants_rematch = true;
        log.tell(TableEvent::RematchWished { seat });
        let everybody = self.places.iter().filter(|p| p.person().is_some());
        if self.is_full() && everybody.into_iter().all(|p| p.wants_rematch) {
            self.start(origin, log)?;
        }
        Ok(())
    }
}
