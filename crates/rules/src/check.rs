//! Is this action legal, and if not, which rule says so?

use crate::action::{Action, Move};
use crate::card::Card;
use crate::error::Illegal;
use crate::ids::Seat;
use crate::spell::Spell;
use crate::state::{Actor, State};
use crate::turn::Phase;

impl State {
    /// Whether a seat may do this now.
    #[inline]
    pub fn is_legal(&self, seat: Seat, action: Action) -> bool {
        self.check(seat, action).is_ok()
    }

    /// Whether a seat may do this now, and if not, why.
    #[inline]
    pub fn check(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let actor = match self.actor() {
            Actor::Player(actor) => actor,
            Actor::Chance => return Err(Illegal::ChanceFirst),
            Actor::Nobody => return Err(Illegal::Over),
        };
        // R12.2, R12.3: the partner may offer and give while the active player chooses.
        let out_of_turn = self.turn.phase == Phase::Turn
            && self.partner(actor) == Some(seat)
            && matches!(action, Action::Offer(_) | Action::Give(_));
        if seat != actor && !out_of_turn {
            return Err(Illegal::NotYourDecision(seat));
        }
        let phase = self.turn.phase;
        match action {
            Action::Play(card, how) if phase == Phase::Turn => {
                self.check_has(seat, card)?;
                if card.dice() > 0 {
                    return Err(Illegal::RollFirst(card));
                }
                self.check_move(seat, card, 0, how)
            }
            Action::Roll(card) if phase == Phase::Turn => {
                self.check_has(seat, card)?;
                if card.dice() == 0 {
                    Err(Illegal::NoDice(card))
                } else {
                    Ok(())
                }
            }
            Action::Reroll if phase == Phase::Rolled => {
                if self.turn.rolls_left == 0 {
                    Err(Illegal::NoReroll)
                } else {
                    Ok(())
                }
            }
            Action::Accept(how) if phase == Phase::Rolled => match self.turn.card {
                Some(card) => self.check_move(seat, card, self.turn.rolled, how),
                None => Err(Illegal::WrongMoment),
            },
            Action::Refresh(tower) if phase == Phase::Turn => {
                if self.turn.played > 0 {
                    return Err(Illegal::RefreshTooLate);
                }
                if !self.may_refresh() {
                    return Err(Illegal::NoRefresh);
                }
                tower.map_or(Ok(()), |t| {
                    self.check_wander(t, self.board.tower_space(t).ahead(1))
                })
            }
            Action::Cast(cast) => {
                match phase {
                    Phase::Turn | Phase::Rolled | Phase::End => self.check_spell_moment()?,
                    Phase::Before | Phase::After => {
                        if let Some(claimed) = self.turn.claim
                            && claimed != cast.spell()
                        {
                            return Err(Illegal::OtherSpell(claimed));
                        }
                    }
                    Phase::Free if cast.spell() == Spell::FreeWizard => {}
                    Phase::Free => return Err(Illegal::OtherSpell(Spell::FreeWizard)),
                    _ => return Err(Illegal::WrongMoment),
                }
                self.check_cast(seat, cast)
            }
            Action::End if phase == Phase::End => Ok(()),
            Action::Pass
            | Action::Before(_)
            | Action::After(_)
            | Action::WithPiggyback
            | Action::Piggyback
            | Action::Done => self.check_reaction(seat, action),
            Action::Ask
            | Action::Offer(_)
            | Action::AcceptOffer
            | Action::Decline
            | Action::Return(_)
            | Action::Give(_) => self.check_partners(seat, action),
            _ => Err(Illegal::WrongMoment),
        }
    }

    /// Whether this table has refreshes (R4.4, R14.5).
    #[inline]
    pub(crate) fn may_refresh(&self) -> bool {
        self.rules.refreshes()
    }

    /// Whether the active player may cast at this moment, whatever the spell (R9.1, R13.1, R14.6).
    #[inline]
    pub(crate) fn check_spell_moment(&self) -> Result<(), Illegal> {
        if self.rules.reactions() {
            Err(Illegal::OnlyInWindows)
        } else if self.turn.cast {
            Err(Illegal::AlreadyCast)
        } else if self.shares_pieces() && self.turn.phase != Phase::End {
            Err(Illegal::SpellAfterCard)
        } else {
            Ok(())
        }
    }

    /// Whether a card may be carried out this way.
    #[inline]
    fn check_move(&self, seat: Seat, card: Card, rolled: u8, how: Move) -> Result<(), Illegal> {
        match how {
            Move::Wizard { from, piggyback } => {
                let steps = card
                    .wizard_steps(rolled)
                    .ok_or(Illegal::NotForWizards(card))?;
                let owner = self.moves_wizards_of(seat);
                self.check_walk(owner, from, from.ahead(steps), Illegal::NoWizard(from))?;
                if piggyback {
                    self.check_own_piggyback(seat, from, steps)
                } else {
                    Ok(())
                }
            }
            Move::Tower(tower) => {
                let steps = card
                    .tower_steps(rolled)
                    .ok_or(Illegal::NotForTowers(card))?;
                self.check_wander(tower, self.board.tower_space(tower).ahead(steps))
            }
            Move::Nothing if self.rules.may_decline() || !self.has_move(seat, card, rolled) => {
                Ok(())
            }
            Move::Nothing => Err(Illegal::MustMove),
        }
    }

    /// Whether a card has a legal move (R4.2).
    #[inline]
    fn has_move(&self, seat: Seat, card: Card, rolled: u8) -> bool {
        let owner = self.moves_wizards_of(seat);
        card.wizard_steps(rolled)
            .is_some_and(|n| self.walkers(owner, n, true) != 0)
            || card
                .tower_steps(rolled)
                .is_some_and(|n| !self.wanderers(n, true).is_empty())
    }

    /// Piggyback on one's own move, without reactions (R10.7).
    #[inline]
    fn check_own_piggyback(
        &self,
        seat: Seat,
        from: crate::Space,
        steps: u8,
    ) -> Result<(), Illegal> {
        let spell = Spell::Piggyback;
        if self.rules.reactions() {
            return Err(Illegal::OnlyInWindows);
        }
        if self.turn.cast {
            return Err(Illegal::AlreadyCast);
        }
        if !self.spells.contains(spell) {
            return Err(Illegal::NotInPlay(spell));
        }
        if !self.can_pay(seat, spell) {
            return Err(Illegal::TooDear(spell));
        }
        let owner = self.moves_wizards_of(seat);
        if self.board.count(self.board.exposed(from), owner) < 2 {
            return Err(Illegal::NoRider);
        }
        if self.board.has_room(from.ahead(steps), 2) {
            Ok(())
        } else {
            Err(Illegal::NoRoom(from.ahead(steps)))
        }
    }
}
