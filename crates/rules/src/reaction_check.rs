//! Legality of passes, claims and casts with reactions (§13).

use crate::action::Action;
use crate::error::Illegal;
use crate::ids::Seat;
use crate::spell::Spell;
use crate::state::State;
use crate::turn::Phase;
use crate::values::{SpellRight, SpellTime};

impl State {
    /// Checks a pass, a claim or `done` of the player to act.
    pub(crate) fn check_reaction(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let phase = self.turn.phase;
        match action {
            Action::Pass if phase.is_window() => Ok(()),
            Action::Before(cast) if phase == Phase::Window => {
                self.check_right(seat, cast.spell())?;
                self.check_cast(seat, cast)
            }
            Action::After(spell) if phase == Phase::Window => {
                if spell == Spell::Piggyback {
                    Err(Illegal::WrongMoment)
                } else if self.rules.spell_right() == SpellRight::Each {
                    Err(Illegal::NoClaims)
                } else if self.rules.free_any_time() && spell == Spell::FreeWizard {
                    Err(Illegal::FreeIsNotClaimed)
                } else if !self.spells.contains(spell) {
                    Err(Illegal::NotInPlay(spell))
                } else if !self.can_pay(seat, spell) {
                    Err(Illegal::TooDear(spell))
                } else {
                    self.check_right(seat, spell)?;
                    if self.castable(seat, spell) {
                        Ok(())
                    } else {
                        Err(Illegal::NothingToCast(spell))
                    }
                }
            }
            Action::WithPiggyback if phase == Phase::Window => self.check_claim_ride(seat),
            Action::Piggyback if phase == Phase::With => {
                self.check_budget(Spell::Piggyback)?;
                self.check_ride(seat)
            }
            Action::Done if phase == Phase::After && self.turn.repeats.is_none() => {
                Err(Illegal::MustCast)
            }
            Action::Done if phase.is_series() => Ok(()),
            _ => Err(Illegal::WrongMoment),
        }
    }

    /// Checks a cast that does not refer to the declared move, apart from its target (R13.2–R13.5).
    pub(crate) fn check_reaction_cast(&self, seat: Seat, spell: Spell) -> Result<(), Illegal> {
        match self.turn.phase {
            Phase::Opening | Phase::Closing => self.check_right(seat, spell),
            phase if phase.is_own_choice() => {
                if self.rules.spell_time() == SpellTime::Declared {
                    return Err(Illegal::OnlyInWindows);
                }
                self.check_right(seat, spell)
            }
            Phase::Cast | Phase::Before | Phase::After => {
                match self.turn.repeats.or(self.turn.claim) {
                    Some(other) if other != spell => return Err(Illegal::OtherSpell(other)),
                    _ => {}
                }
                if self.turn.repeats.is_some() {
                    self.check_budget(spell)?;
                }
                Ok(())
            }
            _ => Err(Illegal::WrongMoment),
        }
    }

    fn check_right(&self, seat: Seat, spell: Spell) -> Result<(), Illegal> {
        let needs_none = self.rules.free_any_time() && spell == Spell::FreeWizard;
        if needs_none || !self.turn.used.contains(seat) {
            Ok(())
        } else {
            Err(Illegal::NoRight)
        }
    }

    fn check_budget(&self, spell: Spell) -> Result<(), Illegal> {
        if self.turn.budget < self.rules.cost(spell) {
            Err(Illegal::FilledInSeries(spell))
        } else {
            Ok(())
        }
    }

    fn check_claim_ride(&self, seat: Seat) -> Result<(), Illegal> {
        if !self.spells.contains(Spell::Piggyback) {
            return Err(Illegal::NotInPlay(Spell::Piggyback));
        }
        if !self.can_pay(seat, Spell::Piggyback) {
            return Err(Illegal::TooDear(Spell::Piggyback));
        }
        self.check_right(seat, Spell::Piggyback)?;
        self.check_ride(seat)
    }
}
