//! What must always hold (§18), and what a constructed position must satisfy.

use crate::actions::Actions;
use crate::card::{Card, DECK, HAND};
use crate::ids::Surface;
use crate::pile::Pile;
use crate::spell::Spell;
use crate::state::{Actor, State};
use crate::turn::{Declared, Phase};

impl State {
    /// Checks everything that must always hold. An error says which clause is broken; a state made
    /// by this crate never gives one.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.check_cards()?;
        self.board.check()?;
        self.check_wizards()?;
        self.check_flasks()?;
        self.check_turn()?;
        self.check_hands()?;
        let mut actions = Actions::new();
        self.legal_actions(&mut actions);
        if matches!(self.actor(), Actor::Player(_)) && actions.is_empty() {
            return Err("R18.6: the player to act has no legal action".into());
        }
        if self.actor() == Actor::Chance && self.chance_outcomes().is_empty() {
            return Err("R18.6: chance is to act and has no outcome".into());
        }
        Ok(())
    }

    fn check_cards(&self) -> Result<(), String> {
        let mut held = self.draw;
        for hand in &self.hands {
            for card in hand.iter() {
                held.add(card);
            }
        }
        let deck = Pile::full_deck();
        if let Some(card) = Card::all().find(|&c| held.count(c) > deck.count(c)) {
            return Err(format!(
                "R18.1: there are only {} cards {card}",
                deck.count(card)
            ));
        }
        for (i, hand) in self.hands.iter().enumerate() {
            let seat = crate::Seat(i as u8);
            let used = i < usize::from(self.hand_count());
            let most = match self.turn.phase {
                Phase::Return if seat == self.turn.active => HAND + 1,
                _ if used => HAND,
                _ => 0,
            };
            if hand.len() > most {
                return Err(format!(
                    "R4.5: the hand of seat {i} has more than {most} cards"
                ));
            }
        }
        if u16::from(DECK - held.len()) > self.discarded {
            return Err(
                "R14.3: more cards lie on the discard pile than were ever discarded".into(),
            );
        }
        Ok(())
    }

    /// Whether everybody will have something to do (R18.6), though hands may be short.
    fn check_hands(&self) -> Result<(), String> {
        let turn = &self.turn;
        let choosing = matches!(
            turn.phase,
            Phase::Turn | Phase::Asked | Phase::Offered | Phase::Return
        );
        if !choosing && !Phase::DECISIONS.contains(&turn.phase) {
            return Ok(());
        }
        for seat in self.seats() {
            let is_active = self.hand_owner(seat) == self.hand_owner(turn.active);
            let needed = match (is_active, choosing) {
                (true, false) => 0,
                (true, true) if turn.played > 0 => 1 + u8::from(turn.phase == Phase::Return),
                _ => u8::from(!self.may_refresh()),
            };
            if self.hand(seat).len() < needed {
                return Err(format!("R18.6: seat {} has no card to play", seat.0));
            }
        }
        Ok(())
    }

    fn check_wizards(&self) -> Result<(), String> {
        if self.turn.phase == Phase::DrawStart {
            // R3.2: where the wizards stand depends on who starts.
            let none = Surface::all().all(|s| self.board.total(s) == 0);
            return none
                .then_some(())
                .ok_or_else(|| "R3.2: wizards stand before it is known who starts".into());
        }
        for owner in self.owners() {
            let out: u8 = Surface::all().map(|s| self.board.count(s, owner)).sum();
            if out + self.home(owner) != self.wizards_each() {
                return Err(format!(
                    "R18.2: {} has {out} wizards out and {} home, which is not {}",
                    self.wizard_colour(owner),
                    self.home(owner),
                    self.wizards_each()
                ));
            }
        }
        let all: u8 = Surface::all().map(|s| self.board.total(s)).sum();
        let owned: u8 = self
            .owners()
            .map(|o| self.wizards_each() - self.home(o))
            .sum();
        if all != owned {
            return Err("R18.2: there are wizards that belong to nobody".into());
        }
        Ok(())
    }

    fn check_flasks(&self) -> Result<(), String> {
        if matches!(self.turn.phase, Phase::DrawStart | Phase::DrawSpells) {
            return Ok(());
        }
        for owner in self.owners() {
            let of = |s: crate::Seat| {
                let f = self.flasks[s.index()];
                u16::from(f.empty) + u16::from(f.full) + u16::from(f.spent)
            };
            let (sum, owners) = match self.partner(owner) {
                Some(partner) => (of(owner) + of(partner), 2),
                None => (of(owner), 1),
            };
            if sum != owners * u16::from(self.flasks_each())
                || self.flasks[owner.index()].empty > self.flasks_each()
            {
                return Err(format!(
                    "R18.5: the flasks of seat {} do not add up",
                    owner.0
                ));
            }
        }
        Ok(())
    }

    /// Whether what is known about the turn fits its phase (§19).
    fn check_turn(&self) -> Result<(), String> {
        let turn = &self.turn;
        let phase = turn.phase;
        let wrong = |what: &str| Err(format!("R19: phase {} {what}", phase.name()));
        if turn.active.0 >= self.seats
            || turn.actor.0 >= self.seats
            || turn.claimant.0 >= self.seats
        {
            return wrong("names a seat that does not exist");
        }
        let partner_acts = phase == Phase::Asked;
        let others_act = matches!(
            phase,
            Phase::Window | Phase::Before | Phase::With | Phase::After | Phase::Free
        );
        if others_act && !self.rules.reactions() {
            return wrong("exists only with reactions");
        }
        if matches!(phase, Phase::Asked | Phase::Offered | Phase::Return)
            && (!self.rules.teams() || turn.exchanged)
        {
            return wrong("needs teams and an exchange that is not used up");
        }
        if partner_acts && self.partner(turn.active) != Some(turn.actor) {
            return wrong("is the partner's decision");
        }
        if matches!(
            phase,
            Phase::Turn | Phase::Rolled | Phase::End | Phase::Offered | Phase::Return
        ) && turn.actor != turn.active
        {
            return wrong("is the active player's decision");
        }
        if matches!(
            phase,
            Phase::Turn | Phase::Asked | Phase::Offered | Phase::Return
        ) && turn.played >= self.actions_per_turn()
            || turn.played > self.actions_per_turn()
        {
            return wrong("comes before all actions are used");
        }
        if (matches!(phase, Phase::Rolled | Phase::Rolling) || others_act) && turn.played == 0 {
            return wrong("comes after a card was played");
        }
        if matches!(
            phase,
            Phase::Turn | Phase::Asked | Phase::Offered | Phase::Return
        ) && (turn.declared != Declared::None
            || turn.claim.is_some()
            || turn.ends
            || turn.riders > 0)
        {
            return wrong("has nothing declared or claimed");
        }
        if phase == Phase::End
            && (turn.cast
                || turn.played == 0
                || self.may_play_on()
                || !self.any_castable(turn.active)
                || self.rules.reactions())
        {
            return wrong("is only there while a spell can be cast and nothing else is left");
        }
        match phase {
            Phase::Rolled | Phase::Rolling => {
                let Some(card) = turn.card else {
                    return wrong("needs the dice card");
                };
                let rolled = if phase == Phase::Rolled { 1..=6 } else { 0..=6 };
                if turn.rolls_left >= card.dice() || !rolled.contains(&turn.rolled) {
                    return wrong("has a roll that the card does not allow");
                }
            }
            Phase::Offered => {
                let offered = turn.offered.zip(self.partner(turn.active));
                if !offered.is_some_and(|(card, partner)| self.hand(partner).contains(card)) {
                    return wrong("needs an offered card of the partner's hand");
                }
            }
            Phase::Return
                if self.hand(turn.active).len() > 4 || self.hand(turn.active).is_empty() =>
            {
                return wrong("needs a card to give back");
            }
            Phase::Window | Phase::Before | Phase::With if turn.declared == Declared::None => {
                return wrong("needs something declared");
            }
            Phase::After | Phase::Free | Phase::Over
                if turn.declared != Declared::None && phase != Phase::Over =>
            {
                return wrong("comes after the declared move");
            }
            _ => {}
        }
        if let Declared::Wizard { on, owner, steps } = turn.declared
            && (!(1..=6).contains(&steps)
                || owner.0 >= self.seats
                || self.board.count(on, owner) == 0)
        {
            return wrong("declares a wizard that is not there");
        }
        if let Declared::Tower { steps, .. } = turn.declared
            && !(1..=6).contains(&steps)
        {
            return wrong("declares a tower move that no card makes");
        }
        let claims = matches!(phase, Phase::Before | Phase::With | Phase::After);
        match turn.claim {
            Some(spell) if claims => {
                if turn.actor != turn.claimant || !self.spells.contains(spell) {
                    return wrong("is the claimant's decision about a spell in play");
                }
                let possible = match phase {
                    Phase::With => spell == Spell::Piggyback && self.can_ride(turn.actor),
                    _ => self.castable(turn.actor, spell),
                };
                if !possible || (phase == Phase::With) != (turn.riders > 0) {
                    return wrong("has nothing that could be cast");
                }
            }
            None if !claims => {}
            _ if phase == Phase::Over => {}
            _ => return wrong("and the claim do not fit"),
        }
        if phase == Phase::Window && !(self.any_castable(turn.actor) || self.can_ride(turn.actor)) {
            return wrong("asks only who has something to claim (R13.3)");
        }
        if phase == Phase::Free
            && !(self.rules.free_any_time() && self.castable(turn.actor, Spell::FreeWizard))
        {
            return wrong("asks only who could free a wizard (R13.11)");
        }
        if phase == Phase::Refill && turn.owed + self.hand(turn.active).len() > HAND {
            return wrong("refills to three cards");
        }
        if matches!(phase, Phase::Refill | Phase::Deal) && turn.owed == 0 {
            return wrong("needs cards to draw");
        }
        if phase == Phase::Over && !self.could_have_ended() {
            return Err(format!(
                "R11.6: the game is not over like that, '{}'",
                turn.why.name()
            ));
        }
        if phase != Phase::Over && self.would_end_at_once() {
            return Err("R11.6: the game would be over".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Actor, Mode, Preset, Seat, Setup, State, Surface};

    #[test]
    fn r18_2_a_wizard_of_nobody_is_noticed() {
        let setup = Setup::new(Preset::Capstone, Mode::Versus, 2);
        let mut state = State::new(&setup).expect("a game of two");
        while state.actor() == Actor::Chance {
            state.settle(|_| 0, &mut ());
        }
        assert_eq!(state.check_invariants(), Ok(()));
        state.board.add_wizard(Surface::at(12), Seat(2));
        let why = state.check_invariants().unwrap_err();
        assert_eq!(why, "R18.2: there are wizards that belong to nobody");
    }
}
