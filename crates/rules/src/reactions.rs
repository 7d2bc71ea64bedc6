//! Spells with reactions: windows, rights, claims and series (§13).
//!
//! An action has up to three windows in which the players are asked in turn: opening, declared (phase *window*) and
//! closing. The rights of the action hold for all three. A caster may repeat the spell at once; that is a series, with
//! a phase of its own.

use crate::Wizards;
use crate::action::{Action, Cast, Move};
use crate::event::{Event, Observer, Timing};
use crate::ids::{Seat, Space, Surface};
use crate::moves::Effect;
use crate::outcome::SeatSet;
use crate::spell::{Spell, SpellSet};
use crate::state::State;
use crate::turn::{Declared, Phase};
use crate::values::{SpellRight, SpellTime};

impl State {
    // ---- rights ----

    /// Whether a seat may still cast a spell in this action (R13.3), unless an entry ended its turn (R13.9).
    fn has_right(&self, seat: Seat) -> bool {
        !self.turn.used.contains(seat)
    }

    /// The spells a seat has a right to cast now, whether or not it can pay for them (R13.3, R13.11).
    pub(crate) fn rights(&self, seat: Seat) -> SpellSet {
        let may_cast = match self.turn.phase {
            Phase::Opening | Phase::Window | Phase::Closing => true,
            phase => {
                phase.is_own_choice()
                    && seat == self.turn.active
                    && self.rules.spell_time() != SpellTime::Declared
            }
        };
        if !may_cast || self.turn.ends && seat == self.turn.active {
            SpellSet::NONE
        } else if self.has_right(seat) {
            self.spells
        } else {
            self.free_of_rights()
        }
    }

    /// The spells that need no right (R13.11).
    fn free_of_rights(&self) -> SpellSet {
        if self.rules.free_any_time() {
            self.spells.and(SpellSet::NONE.with(Spell::FreeWizard))
        } else {
            SpellSet::NONE
        }
    }

    /// The spells a seat may claim for after the move (R13.4), except those that need no claim (R13.11).
    pub(crate) fn claims(&self, seat: Seat) -> SpellSet {
        if self.rules.spell_right() == SpellRight::Shared && self.has_right(seat) {
            self.spells.without(self.free_of_rights())
        } else {
            SpellSet::NONE
        }
    }

    /// Uses up the right to cast or claim a spell (R13.3).
    fn use_right(&mut self, seat: Seat, spell: Spell) {
        if !self.free_of_rights().contains(spell) {
            self.turn.used = match self.rules.spell_right() {
                SpellRight::Shared => self.seats().collect(),
                SpellRight::Each => self.turn.used.with(seat),
            };
        }
    }

    // ---- windows ----

    /// Begins an action: everyone has a right again, and the active player chooses (R13.2).
    #[inline(never)]
    pub(crate) fn begin_action(&mut self, observer: &mut impl Observer) {
        self.turn.phase = Phase::Turn;
        self.turn.actor = self.turn.active;
        self.turn.used = SeatSet::NONE;
        if self.rules.opens_actions() {
            self.open(Phase::Opening, observer);
        }
    }

    /// Opens a window. If there is nobody to ask, the action goes on.
    fn open(&mut self, window: Phase, observer: &mut impl Observer) {
        self.turn.phase = window;
        self.ask_from(self.turn.active, observer);
    }

    /// Whether a seat has a choice in the open window (R13.3).
    pub(crate) fn is_asked(&self, seat: Seat) -> bool {
        if self.flasks(seat).full == 0 {
            return false; // R9.2: no spell is free.
        }
        let spells = self.rights(seat);
        let rides = self.turn.phase == Phase::Window && spells.contains(Spell::Piggyback);
        spells.iter().any(|spell| self.castable(seat, spell)) || rides && self.can_ride(seat)
    }

    /// The seats clockwise from `first` up to the one before the active player.
    fn seats_from(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let (seats, active) = (self.seats, self.turn.active.0);
        let asked = (first.0 + seats - active) % seats;
        (asked..seats).map(move |i| Seat((active + i) % seats))
    }

    /// Asks the next player with a choice, starting at this seat.
    #[inline]
    fn ask_from(&mut self, first: Seat, observer: &mut impl Observer) {
        // Usually nobody can pay for a spell, so nobody has to be asked.
        let full = self.flasks.iter().fold(0, |all, flasks| all | flasks.full);
        let next = if full == 0 {
            None
        } else {
            self.next_asked(first)
        };
        match next {
            Some(seat) => self.turn.actor = seat,
            None => self.close(observer),
        }
    }

    /// The next player with a choice, starting at this seat.
    #[inline(never)]
    fn next_asked(&self, first: Seat) -> Option<Seat> {
        self.seats_from(first).find(|&seat| self.is_asked(seat))
    }

    /// Asks the players after this seat; the round ends before the active player.
    fn ask_after(&mut self, seat: Seat, observer: &mut impl Observer) {
        let next = self.next_seat(seat);
        if next == self.turn.active {
            self.close(observer);
        } else {
            self.ask_from(next, observer);
        }
    }

    /// Closes the window after everyone was asked.
    fn close(&mut self, observer: &mut impl Observer) {
        match self.turn.phase {
            Phase::Opening => {
                self.turn.phase = Phase::Turn;
                self.turn.actor = self.turn.active;
            }
            Phase::Closing => self.action_over(observer),
            _ => self.resolve(observer),
        }
    }

    /// The position after everyone passes in the opening window, where the active player chooses (R13.2).
    #[must_use]
    pub fn after_opening(&self) -> State {
        let mut state = *self;
        while let (Phase::Opening, seat) = (state.turn.phase, state.turn.actor) {
            state.ask_after(seat, &mut ());
        }
        state
    }

    /// Declares an action and opens its window (R13.2, R13.3).
    pub(crate) fn declare(&mut self, how: Move, steps: u8, observer: &mut impl Observer) {
        let seat = self.turn.active;
        self.turn.declared = match how {
            Move::Wizard { from, .. } => Declared::Wizard {
                on: self.board.exposed(from),
                owner: self.moves_wizards_of(seat),
                steps,
            },
            Move::Tower(tower) => Declared::Tower { tower, steps },
            Move::Nothing => Declared::Nothing,
        };
        observer.record(Event::Declared {
            seat,
            what: how,
            steps,
        });
        self.open(Phase::Window, observer);
    }

    /// Applies a pass, a claim or the end of a series.
    pub(crate) fn react(&mut self, seat: Seat, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Pass => {
                observer.record(Event::Passed { seat });
                self.ask_after(seat, observer);
            }
            Action::Before(cast) => {
                let spell = cast.spell();
                let when = Timing::Before;
                observer.record(Event::Claimed { seat, spell, when });
                self.cast_in_series(seat, cast, observer);
            }
            Action::After(spell) => {
                let when = Timing::After;
                observer.record(Event::Claimed { seat, spell, when });
                self.use_right(seat, spell);
                self.turn.claim = Some(spell);
                self.turn.claimant = seat;
                self.ask_after(seat, observer);
            }
            Action::WithPiggyback => {
                let (spell, when) = (Spell::Piggyback, Timing::With);
                observer.record(Event::Claimed { seat, spell, when });
                self.ride(seat, observer);
            }
            Action::Piggyback => self.ride(seat, observer),
            _ => self.series_over(observer),
        }
    }

    // ---- series ----

    /// Takes the flasks of a cast out of its series' budget, or begins a series (R13.5).
    fn count_in_series(&mut self, seat: Seat, spell: Spell) {
        let cost = self.rules.cost(spell);
        if self.turn.repeats.is_some() {
            self.turn.budget -= cost;
            return;
        }
        self.turn.repeats = Some(spell);
        self.turn.budget = self.flasks(seat).full - cost;
        match self.turn.phase {
            Phase::After => self.turn.claim = None,
            phase => {
                self.use_right(seat, spell);
                self.turn.phase = match (phase, spell) {
                    (Phase::Window, Spell::Piggyback) => Phase::With,
                    (Phase::Window, _) => Phase::Before,
                    _ => {
                        self.turn.resume = phase;
                        Phase::Cast
                    }
                };
            }
        }
    }

    /// Whether the current series can continue (R13.5).
    pub(crate) fn can_repeat(&self, seat: Seat) -> bool {
        let Some(spell) = self.turn.repeats else {
            return false;
        };
        self.turn.budget >= self.rules.cost(spell)
            && match spell {
                Spell::Piggyback => self.can_ride(seat),
                _ => self.castable(seat, spell),
            }
    }

    /// Casts a spell with reactions, as the first of a series or as a repeat (R13.4, R13.5, R13.9).
    pub(crate) fn cast_in_series(&mut self, seat: Seat, cast: Cast, observer: &mut impl Observer) {
        self.count_in_series(seat, cast.spell());
        let own = self.own_home(seat);
        let effect = self.cast(seat, cast, observer);
        if self.is_over_after(effect, observer) {
            return;
        }
        if seat == self.turn.active && self.cast_ends_turn(effect, own) {
            // R13.9: the declared piece does not move, and nobody else is asked.
            self.forget_action();
            self.end_turn(observer);
        } else if !self.can_repeat(seat) {
            self.series_over(observer);
        }
    }

    /// Pays for one more rider (R13.8).
    fn ride(&mut self, seat: Seat, observer: &mut impl Observer) {
        self.count_in_series(seat, Spell::Piggyback);
        let cost = self.pay(seat, Spell::Piggyback);
        observer.record(Event::PiggybackCast { seat, cost });
        self.turn
            .riders
            .add(self.wizard_colour(self.moves_wizards_of(seat)));
        if !self.can_repeat(seat) {
            self.series_over(observer);
        }
    }

    /// Ends a series and resumes the game where it was interrupted (R13.4).
    fn series_over(&mut self, observer: &mut impl Observer) {
        let caster = self.turn.actor;
        self.turn.repeats = None;
        self.turn.budget = 0;
        match self.turn.phase {
            Phase::After => self.close_action(observer),
            Phase::Cast => {
                self.turn.phase = std::mem::replace(&mut self.turn.resume, Phase::Turn);
                if self.turn.phase.is_window() {
                    self.ask_after(caster, observer);
                }
            }
            _ => {
                self.turn.phase = Phase::Window;
                self.ask_after(caster, observer);
            }
        }
    }

    // ---- the move ----

    /// Makes the declared move if it is still legal (R13.6), then lets the claimant cast.
    fn resolve(&mut self, observer: &mut impl Observer) {
        let seat = self.turn.active;
        let effect = match self.turn.declared {
            Declared::Wizard { on, owner, steps } => {
                let to = self.board.space_of(on).ahead(steps);
                let riders = self.riders_left(on, owner);
                if self.board.is_exposed(on) && self.board.has_room(to, 1 + riders.total()) {
                    self.walk_with_riders(owner, on, to, riders, observer)
                } else {
                    self.prevented(observer)
                }
            }
            Declared::Tower { tower, steps } => {
                let to = self.board.tower_space(tower).ahead(steps);
                if self.check_wander(tower, to).is_ok() {
                    self.wander(seat, tower, steps, observer)
                } else {
                    self.prevented(observer)
                }
            }
            Declared::Nothing | Declared::None => {
                observer.record(Event::NothingMoved { seat });
                Effect::default()
            }
        };
        if self.is_over_after(effect, observer) {
            return;
        }
        self.turn.declared = Declared::None;
        self.turn.riders = Wizards::NONE;
        self.turn.ends = effect.entered;
        let claimant = self.turn.claimant;
        match self.turn.claim {
            // R13.9: a claim of the active player lapses when the turn has ended.
            Some(spell)
                if !(self.turn.ends && claimant == seat) && self.castable(claimant, spell) =>
            {
                self.turn.phase = Phase::After;
                self.turn.actor = claimant;
            }
            _ => self.close_action(observer),
        }
    }

    /// The riders paid for that still stand beside the declared wizard, by colour (R13.8).
    fn riders_left(&self, on: Surface, declared: Seat) -> Wizards {
        let mut riders = self.turn.riders;
        if riders.is_empty() {
            return riders;
        }
        for owner in self.owners() {
            let colour = self.wizard_colour(owner);
            let beside = self.board.count(on, owner) - u8::from(owner == declared);
            riders.set(colour, riders.of(colour).min(beside));
        }
        riders
    }

    /// Moves the declared wizard and its riders together: one entry event (R6.4, R13.8).
    fn walk_with_riders(
        &mut self,
        owner: Seat,
        from: Surface,
        to: Space,
        riders: Wizards,
        observer: &mut impl Observer,
    ) -> Effect {
        if riders.is_empty() {
            return self.walk(owner, from, to, observer);
        }
        let mut entered = self.step(owner, from, to, observer);
        for rider in self.owners() {
            for _ in 0..riders.of(self.wizard_colour(rider)) {
                entered |= self.step(rider, from, to, observer);
            }
        }
        if entered {
            self.castle_flees(observer);
        }
        Effect {
            entered,
            filled: false,
        }
    }

    fn prevented(&self, observer: &mut impl Observer) -> Effect {
        observer.record(Event::Prevented {
            seat: self.turn.active,
        });
        Effect::default()
    }

    /// Opens the closing window, if there is one, after the move and the claimed spell (R13.2).
    fn close_action(&mut self, observer: &mut impl Observer) {
        self.turn.claim = None;
        self.turn.claimant = self.turn.active;
        if self.rules.opens_actions() {
            self.open(Phase::Closing, observer);
        } else {
            self.action_over(observer);
        }
    }

    fn action_over(&mut self, observer: &mut impl Observer) {
        let ends = self.turn.ends;
        self.forget_action();
        if ends || !self.may_play_on() {
            self.end_turn(observer);
        } else {
            self.begin_action(observer);
        }
    }

    /// Clears the declaration, the claim and the series.
    fn forget_action(&mut self) {
        let turn = &mut self.turn;
        turn.declared = Declared::None;
        turn.riders = Wizards::NONE;
        turn.claim = None;
        turn.claimant = turn.active;
        turn.repeats = None;
        turn.budget = 0;
        turn.resume = Phase::Turn;
        turn.used = SeatSet::NONE;
        turn.ends = false;
        self.forget_roll();
    }

    /// Refreshes where nobody can react (R13.2).
    pub(crate) fn refresh_unseen(&mut self, how: Move, observer: &mut impl Observer) {
        let effect = match how {
            Move::Tower(tower) => self.wander(self.turn.active, tower, 1, observer),
            _ => Effect::default(),
        };
        if !self.is_over_after(effect, observer) {
            self.forget_action();
            self.end_turn(observer);
        }
    }
}
