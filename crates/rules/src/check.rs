//! Checking one action: legal, or refused with the rule it breaks.

use crate::action::{Action, Move};
use crate::card::Card;
use crate::error::Illegal;
use crate::ids::{Seat, Tower};
use crate::spell::Spell;
use crate::state::{Actor, State};
use crate::turn::Phase;
use crate::values::{RefreshDraw, RefreshTower, SoloSpell};

impl State {
    /// Whether an action of a seat is legal now.
    #[inline]
    pub fn is_legal(&self, seat: Seat, action: Action) -> bool {
        self.check(seat, action).is_ok()
    }

    /// Checks an action of a seat; an error says why it is not legal now.
    #[inline]
    pub fn check(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let actor = match self.actor() {
            Actor::Player(actor) => actor,
            Actor::Chance => return Err(Illegal::ChanceFirst),
            Actor::Nobody => return Err(Illegal::Over),
        };
        // R12.2, R12.3: the partner may offer and give while the active player decides.
        let out_of_turn = self.partner(self.turn.active) == Some(seat)
            && match action {
                Action::Offer(_) => self.turn.phase == Phase::Turn,
                Action::Give(_) => self.allows_gifts(),
                _ => false,
            };
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
            Action::Accept(how) if phase == Phase::Refreshed => match how {
                Move::Tower(tower) => self.check_refresh_tower(Some(tower)),
                Move::Nothing => self.check_refresh_tower(None),
                Move::Wizard { .. } => Err(Illegal::WrongMoment),
            },
            Action::Refresh(tower) if phase == Phase::Turn => {
                self.check_refresh(RefreshDraw::Last)?;
                self.check_refresh_tower(tower)
            }
            Action::RefreshFirst if phase == Phase::Turn => self.check_refresh(RefreshDraw::First),
            Action::Cast(cast) => {
                if self.rules.reactions() {
                    self.check_reaction_cast(seat, cast.spell())?;
                } else {
                    self.check_spell_moment()?;
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

    /// Whether the table plays with refreshes (R4.4, R14.5).
    #[inline]
    pub(crate) fn has_refresh(&self) -> bool {
        self.rules.has_refresh()
    }

    /// Whether the active player may refresh now, in this order of drawing and choosing the tower (R4.4, R4.5, R14.5,
    /// R14.6).
    fn check_refresh(&self, draw: RefreshDraw) -> Result<(), Illegal> {
        if self.turn.played > 0 {
            Err(Illegal::RefreshTooLate)
        } else if !self.has_refresh() {
            Err(Illegal::NoRefresh)
        } else if self.shares_pieces() && self.turn.cast {
            Err(Illegal::RefreshAfterSpell)
        } else if self.rules.refresh_draw() != draw {
            Err(Illegal::RefreshOrder(draw == RefreshDraw::Last))
        } else {
            Ok(())
        }
    }

    /// Whether a refresh may move this tower, or none (R4.4).
    fn check_refresh_tower(&self, tower: Option<Tower>) -> Result<(), Illegal> {
        match tower {
            Some(tower) => self.check_wander(tower, self.board.tower_space(tower).ahead(1)),
            None if self.rules.refresh_tower() == RefreshTower::Must
                && !self.wanderers(1, true).is_empty() =>
            {
                Err(Illegal::MustMoveTower)
            }
            None => Ok(()),
        }
    }

    /// Whether the active player may cast any spell now, without reactions (R9.1, R14.6).
    #[inline]
    pub(crate) fn check_spell_moment(&self) -> Result<(), Illegal> {
        let phase = self.turn.phase;
        if !(phase.is_own_choice() || phase == Phase::End) {
            Err(Illegal::WrongMoment)
        } else if self.turn.cast {
            Err(Illegal::AlreadyCast)
        } else if self.shares_pieces()
            && (phase == Phase::Refreshed
                || phase != Phase::End && self.rules.solo_spell() == SoloSpell::After)
        {
            Err(Illegal::SpellAfterCard)
        } else {
            Ok(())
        }
    }

    /// Whether a card may be played with this move.
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

    /// Whether Piggyback may be cast on the caster's own move, without reactions (R10.7).
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
