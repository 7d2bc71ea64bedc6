//! Windows in which everybody may cast (§13).

use crate::action::{Action, Cast, Move};
use crate::error::Illegal;
use crate::event::{Event, Timing, Watch};
use crate::ids::Seat;
use crate::moves::Effect;
use crate::spell::Spell;
use crate::state::State;
use crate::turn::{Declared, Phase};

impl State {
    /// Declares an action and opens its window (R13.2, R13.3).
    pub(crate) fn declare(&mut self, how: Move, steps: u8, watch: &mut impl Watch) {
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
        self.turn.claim = None;
        self.turn.claim_cast = false;
        self.turn.riders = 0;
        watch.see(Event::Declared {
            seat,
            what: how,
            steps,
        });
        self.turn.phase = Phase::Window;
        self.ask_from(seat, watch);
    }

    /// The seats from one on, clockwise, as long as they have not come round to the active player.
    fn seats_from(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let (seats, active) = (self.seats, self.turn.active.0);
        let asked = (first.0 + seats - active) % seats;
        (asked..seats).map(move |i| Seat((active + i) % seats))
    }

    /// Asks the next player who has something to claim, from this seat on; nobody: go on.
    fn ask_from(&mut self, first: Seat, watch: &mut impl Watch) {
        let free = self.turn.phase == Phase::Free;
        let can_claim = |&seat: &Seat| {
            if free {
                self.castable(seat, Spell::FreeWizard)
            } else {
                self.any_castable(seat) || self.can_ride(seat)
            }
        };
        // Most of the time nobody has anything to pay with: then nobody needs to be asked.
        let full = self.flasks.iter().fold(0, |all, flasks| all | flasks.full);
        let next = if full == 0 {
            None
        } else {
            self.seats_from(first).find(can_claim)
        };
        match next {
            Some(seat) => self.turn.actor = seat,
            None if free => self.action_over(watch),
            None => self.resolve(watch),
        }
    }

    /// Asks on after this seat; the round of questions ends before it reaches the active player again.
    fn ask_after(&mut self, seat: Seat, watch: &mut impl Watch) {
        let next = self.next_seat(seat);
        if next != self.turn.active {
            self.ask_from(next, watch);
        } else if self.turn.phase == Phase::Free {
            self.action_over(watch);
        } else {
            self.resolve(watch);
        }
    }

    /// What a claim or a pass in a window does.
    pub(crate) fn react(&mut self, seat: Seat, action: Action, watch: &mut impl Watch) {
        match action {
            Action::Pass => {
                watch.see(Event::Passed { seat });
                self.ask_after(seat, watch);
            }
            Action::Before(cast) => {
                self.claim(seat, cast.spell(), Timing::Before, watch);
                self.turn.phase = Phase::Before;
                self.cast_in_window(seat, cast, watch);
            }
            Action::After(spell) => {
                self.claim(seat, spell, Timing::After, watch);
                self.resolve(watch);
            }
            Action::WithPiggyback => {
                self.claim(seat, Spell::Piggyback, Timing::With, watch);
                self.turn.phase = Phase::With;
                self.ride(seat, watch);
            }
            Action::Piggyback => self.ride(seat, watch),
            Action::Done if self.turn.phase == Phase::After => self.open_free_window(watch),
            _ => self.resolve(watch),
        }
    }

    fn claim(&mut self, seat: Seat, spell: Spell, when: Timing, watch: &mut impl Watch) {
        self.turn.claim = Some(spell);
        self.turn.claimant = seat;
        self.turn.actor = seat;
        watch.see(Event::Claimed { seat, spell, when });
    }

    /// One more rider is paid for (R13.8).
    fn ride(&mut self, seat: Seat, watch: &mut impl Watch) {
        let cost = self.pay(seat, Spell::Piggyback);
        watch.see(Event::PiggybackCast { seat, cost });
        self.turn.riders += 1;
        if !self.can_ride(seat) {
            self.resolve(watch);
        }
    }

    /// A cast before or after the move, or in the free window (R13.4, R13.5, R13.9, R13.11).
    pub(crate) fn cast_in_window(&mut self, seat: Seat, cast: Cast, watch: &mut impl Watch) {
        let effect = self.cast(seat, cast, watch);
        if self.is_over_after(effect, watch) {
            return;
        }
        let ends = effect.entered && seat == self.turn.active;
        self.turn.ends |= ends;
        match self.turn.phase {
            Phase::Free => self.ask_after(seat, watch),
            // R13.9: the declared move is not made, nothing is repeated.
            Phase::Before if ends => self.open_free_window(watch),
            Phase::Before if !self.castable(seat, cast.spell()) => self.resolve(watch),
            Phase::After if ends || !self.castable(seat, cast.spell()) => {
                self.open_free_window(watch);
            }
            _ => self.turn.claim_cast = true,
        }
    }

    /// Makes the declared move if it is still legal (R13.6), then the claimed *after* spell.
    fn resolve(&mut self, watch: &mut impl Watch) {
        let seat = self.turn.active;
        let declared = std::mem::replace(&mut self.turn.declared, Declared::None);
        let riders = std::mem::take(&mut self.turn.riders);
        let effect = match declared {
            Declared::Wizard { on, owner, steps } => {
                let to = self.board.space_of(on).ahead(steps);
                if self.board.is_exposed(on) && self.board.has_room(to, 1 + riders) {
                    let rider = self.moves_wizards_of(self.turn.claimant);
                    self.walk_together(owner, on, to, (rider, riders), watch)
                } else {
                    self.prevented(watch)
                }
            }
            Declared::Tower { tower, steps } => {
                let to = self.board.tower_space(tower).ahead(steps);
                if self.check_wander(tower, to).is_ok() {
                    self.wander(seat, tower, steps, watch)
                } else {
                    self.prevented(watch)
                }
            }
            Declared::Nothing | Declared::None => {
                watch.see(Event::NothingMoved { seat });
                Effect::default()
            }
        };
        if self.is_over_after(effect, watch) {
            return;
        }
        self.turn.ends |= effect.entered;
        let claimant = self.turn.claimant;
        match self.turn.claim {
            // Only an *after* claim is still waiting when its window closes; else nothing is paid.
            Some(spell) if self.turn.phase == Phase::Window && self.castable(claimant, spell) => {
                self.turn.phase = Phase::After;
                self.turn.actor = claimant;
            }
            _ => self.open_free_window(watch),
        }
    }

    fn prevented(&self, watch: &mut impl Watch) -> Effect {
        watch.see(Event::Prevented {
            seat: self.turn.active,
        });
        Effect::default()
    }

    /// The second window of the first printing (R13.11).
    fn open_free_window(&mut self, watch: &mut impl Watch) {
        self.undeclare();
        self.turn.claim = None;
        self.turn.claim_cast = false;
        self.turn.riders = 0;
        if self.rules.free_any_time() && self.spells.contains(Spell::FreeWizard) {
            self.turn.phase = Phase::Free;
            self.ask_from(self.turn.active, watch);
        } else {
            self.action_over(watch);
        }
    }

    fn action_over(&mut self, watch: &mut impl Watch) {
        if self.turn.ends || !self.may_play_on() {
            self.end_turn(watch);
        } else {
            self.turn.phase = Phase::Turn;
            self.turn.actor = self.turn.active;
            self.turn.claimant = self.turn.active;
        }
    }

    /// Whether a claim, a pass or `done` is legal now for the one who is to act.
    pub(crate) fn check_reaction(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let phase = self.turn.phase;
        match action {
            Action::Pass if matches!(phase, Phase::Window | Phase::Free) => Ok(()),
            Action::Before(cast) if phase == Phase::Window => self.check_cast(seat, cast),
            Action::After(spell) if phase == Phase::Window => {
                if spell == Spell::Piggyback {
                    Err(Illegal::WrongMoment)
                } else if !self.spells.contains(spell) {
                    Err(Illegal::NotInPlay(spell))
                } else if !self.can_pay(seat, spell) {
                    Err(Illegal::TooDear(spell))
                } else if self.castable(seat, spell) {
                    Ok(())
                } else {
                    Err(Illegal::NothingToCast(spell))
                }
            }
            Action::WithPiggyback if phase == Phase::Window => self.check_claim_ride(seat),
            Action::Piggyback if phase == Phase::With => self.check_claim_ride(seat),
            Action::Done if matches!(phase, Phase::Before | Phase::With) => Ok(()),
            Action::Done if phase == Phase::After => {
                if self.turn.claim_cast {
                    Ok(())
                } else {
                    Err(Illegal::MustCast)
                }
            }
            _ => Err(Illegal::WrongMoment),
        }
    }

    fn check_claim_ride(&self, seat: Seat) -> Result<(), Illegal> {
        if !self.spells.contains(Spell::Piggyback) {
            return Err(Illegal::NotInPlay(Spell::Piggyback));
        }
        if !self.can_pay(seat, Spell::Piggyback) {
            return Err(Illegal::TooDear(Spell::Piggyback));
        }
        self.check_ride(seat)
    }
}
