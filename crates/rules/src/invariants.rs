//! Invariants (§18), and the conditions on constructed positions.

use crate::actions::Actions;
use crate::card::{Card, DECK, HAND};
use crate::ids::{Seat, Surface};
use crate::pile::Pile;
use crate::spell::Spell;
use crate::state::{Actor, State};
use crate::turn::{Declared, Phase};
use crate::values::{RefreshDraw, SpellRight, SpellTime};

impl State {
    /// Checks all invariants. An error names the broken clause; a state made by this crate never gives one.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.check_cards()?;
        self.board.check()?;
        self.check_wizards()?;
        self.check_flasks()?;
        self.check_turn()?;
        self.check_hands()?;
        let mut actions = Actions::new();
        self.legal_actions_into(&mut actions);
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
            let seat = Seat(i as u8);
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

    /// Checks that every player will have a legal action (R18.6), even with a short hand.
    fn check_hands(&self) -> Result<(), String> {
        let turn = &self.turn;
        let choosing = self.comes_before_cards();
        if !choosing && !Phase::DECISIONS.contains(&turn.phase) {
            return Ok(());
        }
        for seat in self.seats() {
            let is_active = self.hand_owner(seat) == self.hand_owner(turn.active);
            // R14.6: no refresh after a spell in solo and cooperative games.
            let after_spell = is_active && turn.cast && self.shares_pieces();
            let needed = match (is_active, choosing) {
                (true, false) => 0,
                (true, true) if turn.played > 0 => 1 + u8::from(turn.phase == Phase::Return),
                _ => u8::from(!self.has_refresh() || after_spell),
            };
            if self.hand(seat).len() < needed {
                return Err(format!("R18.6: seat {} has no card to play", seat.0));
            }
        }
        Ok(())
    }

    /// The phase of the turn, looking through a series that interrupts it (R13.4).
    fn underlying_phase(&self) -> Phase {
        match self.turn.phase {
            Phase::Cast => self.turn.resume,
            phase => phase,
        }
    }

    /// Whether the active player is still to choose a card or a refresh for this action.
    fn comes_before_cards(&self) -> bool {
        matches!(
            self.underlying_phase(),
            Phase::Opening | Phase::Turn | Phase::Asked | Phase::Offered | Phase::Return
        )
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
            let of = |s: Seat| {
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

    /// Checks that the fields of the turn fit its phase (§19).
    fn check_turn(&self) -> Result<(), String> {
        let phase = self.turn.phase;
        let checked = self
            .check_seats()
            .and_then(|()| self.check_actions_used())
            .and_then(|()| self.check_partner_phases())
            .and_then(|()| self.check_roll())
            .and_then(|()| self.check_declared())
            .and_then(|()| self.check_series())
            .and_then(|()| self.check_windows());
        checked.map_err(|what| format!("R19: phase {} {what}", phase.name()))?;
        if phase == Phase::Over && !self.could_have_ended() {
            return Err(format!(
                "R11.6: the position does not fit the ending '{}'",
                self.turn.why.name()
            ));
        }
        if phase != Phase::Over && self.would_end_at_once() {
            return Err("R11.6: the game should be over".into());
        }
        Ok(())
    }

    fn check_seats(&self) -> Result<(), &'static str> {
        let turn = &self.turn;
        let exists = |seat: Seat| seat.0 < self.seats;
        if ![turn.active, turn.actor, turn.claimant]
            .into_iter()
            .all(exists)
            || !turn.used.iter().all(exists)
        {
            return Err("names a seat that does not exist");
        }
        let is_active = turn.actor == turn.active;
        match turn.phase {
            Phase::Asked if self.partner(turn.active) != Some(turn.actor) => {
                Err("is the partner's decision")
            }
            Phase::Turn
            | Phase::Rolled
            | Phase::Refreshed
            | Phase::End
            | Phase::Offered
            | Phase::Return
                if !is_active =>
            {
                Err("is the active player's decision")
            }
            Phase::Cast if turn.resume.is_own_choice() && !is_active => {
                Err("is the active player's decision")
            }
            _ => Ok(()),
        }
    }

    fn check_actions_used(&self) -> Result<(), &'static str> {
        let turn = &self.turn;
        let all = self.actions_per_turn();
        if turn.played > all || self.comes_before_cards() && turn.played == all {
            return Err("comes before all actions are used");
        }
        let after_card = matches!(
            self.underlying_phase(),
            Phase::Rolled
                | Phase::Rolling
                | Phase::Window
                | Phase::Closing
                | Phase::Before
                | Phase::With
                | Phase::After
        );
        if after_card && turn.played == 0 {
            return Err("comes after a card was played");
        }
        let refreshing = matches!(self.underlying_phase(), Phase::Redraw | Phase::Refreshed);
        let first = self.rules.refresh_draw() == RefreshDraw::First && self.has_refresh();
        if refreshing && (!first || turn.played != all) {
            return Err("exists only if a refresh draws new cards first (R4.5)");
        }
        if turn.cast && self.rules.reactions() {
            return Err("has rights instead of a spell per turn (R13.1)");
        }
        if turn.phase == Phase::End
            && (turn.cast
                || turn.played == 0
                || self.may_play_on()
                || !self.any_castable(turn.active)
                || self.rules.reactions())
        {
            return Err("needs a castable spell and no other action left");
        }
        let refills = matches!(turn.phase, Phase::Refill | Phase::Redraw);
        if refills && turn.owed + self.hand(turn.active).len() > HAND {
            return Err("refills to three cards");
        }
        if (refills || turn.phase == Phase::Deal) && turn.owed == 0 {
            return Err("needs cards to draw");
        }
        Ok(())
    }

    fn check_partner_phases(&self) -> Result<(), &'static str> {
        let turn = &self.turn;
        let possible = match turn.phase {
            Phase::Asked => turn.asking_used,
            Phase::Offered => turn.offering_used,
            Phase::Return => turn.asking_used || turn.offering_used,
            _ if turn.offered.is_some() => return Err("offers no card (R12.2)"),
            _ => return Ok(()),
        };
        if !self.rules.teams() || !possible {
            return Err("needs teams and an exchange that has begun");
        }
        match turn.phase {
            Phase::Offered => {
                let offered = turn.offered.zip(self.partner(turn.active));
                if offered.is_some_and(|(card, partner)| self.hand(partner).contains(card)) {
                    Ok(())
                } else {
                    Err("needs an offered card of the partner's hand")
                }
            }
            Phase::Return
                if self.hand(turn.active).len() > 4 || self.hand(turn.active).is_empty() =>
            {
                Err("needs a card to give back")
            }
            _ => Ok(()),
        }
    }

    fn check_roll(&self) -> Result<(), &'static str> {
        let turn = &self.turn;
        let at = self.underlying_phase();
        if !matches!(at, Phase::Rolled | Phase::Rolling) {
            return Ok(());
        }
        let Some(card) = turn.card else {
            return Err("needs the dice card");
        };
        let rolled = if at == Phase::Rolled { 1..=6 } else { 0..=6 };
        if turn.rolls_left >= card.dice() || !rolled.contains(&turn.rolled) {
            return Err("has a roll that the card does not allow");
        }
        Ok(())
    }

    /// Checks the declaration and the riders (R13.2, R13.8).
    fn check_declared(&self) -> Result<(), &'static str> {
        let turn = &self.turn;
        let declaring = matches!(turn.phase, Phase::Window | Phase::Before | Phase::With);
        if declaring && turn.declared == Declared::None {
            return Err("needs something declared");
        }
        if turn.phase == Phase::Over {
            return Ok(());
        }
        if !declaring && (turn.declared != Declared::None || !turn.riders.is_empty()) {
            return Err("has nothing declared");
        }
        let exists = |(colour, count)| {
            let owner = self.owner_of(colour);
            owner.is_some() && count < self.wizards_each()
        };
        let rides = !matches!(turn.declared, Declared::Tower { .. });
        if !(turn.riders.is_empty() || rides && turn.riders.iter().all(exists)) {
            return Err("has riders who do not exist (R13.8)");
        }
        match turn.declared {
            Declared::Wizard { on, owner, steps }
                if !(1..=6).contains(&steps)
                    || owner.0 >= self.seats
                    || self.board.count(on, owner) == 0 =>
            {
                Err("declares a wizard that is not there")
            }
            Declared::Tower { steps, .. } if !(1..=6).contains(&steps) => {
                Err("declares a tower move that no card makes")
            }
            _ => Ok(()),
        }
    }

    /// Checks claims and series (R13.4, R13.5).
    fn check_series(&self) -> Result<(), &'static str> {
        let turn = &self.turn;
        let phase = turn.phase;
        if phase == Phase::Over {
            return Ok(());
        }
        let repeats = match phase {
            Phase::After => turn.claim.is_none(),
            _ => phase.is_series(),
        };
        if repeats != turn.repeats.is_some() {
            return Err("does not fit the repeated spell");
        }
        if let Some(spell) = turn.repeats
            && (!self.spells.contains(spell)
                || (phase == Phase::With) != (spell == Spell::Piggyback)
                || turn.budget > self.flasks(turn.actor).full
                || !self.can_repeat(turn.actor))
        {
            return Err("has no spell that could be repeated");
        }
        if turn.repeats.is_none() && turn.budget > 0 {
            return Err("reserves flasks although no spell is repeated");
        }
        if let Some(spell) = turn.claim {
            let waits = matches!(phase, Phase::Window | Phase::Before);
            let casts = phase == Phase::After
                && turn.actor == turn.claimant
                && self.castable(turn.actor, spell);
            let shared = self.rules.spell_right() == SpellRight::Shared;
            let usable = self.spells.contains(spell) && spell != Spell::Piggyback;
            if !(waits || casts) || !shared || !usable {
                return Err("does not fit the claim");
            }
        }
        let resumes = phase == Phase::Cast;
        let to = turn.resume;
        if !resumes && to != Phase::Turn
            || resumes && !(to.is_own_choice() || matches!(to, Phase::Opening | Phase::Closing))
        {
            return Err("continues in a phase without spells");
        }
        if turn.ends
            && (!matches!(self.underlying_phase(), Phase::After | Phase::Closing)
                || turn.actor == turn.active)
        {
            return Err("comes before the end of a turn (R13.9)");
        }
        Ok(())
    }

    /// Checks windows and rights (R13.2, R13.3).
    fn check_windows(&self) -> Result<(), &'static str> {
        let turn = &self.turn;
        let phase = turn.phase;
        if !self.rules.reactions() {
            return if phase.is_window() || phase.is_series() || !turn.used.is_empty() {
                Err("exists only with reactions")
            } else {
                Ok(())
            };
        }
        let at = self.underlying_phase();
        let time = self.rules.spell_time();
        if matches!(at, Phase::Opening | Phase::Closing) && time != SpellTime::Any
            || phase == Phase::Cast && time == SpellTime::Declared
        {
            return Err("is not a time for spells at this table (R13.2)");
        }
        if self.rules.spell_right() == SpellRight::Shared
            && !turn.used.is_empty()
            && turn.used.len() != self.seats
        {
            return Err("shares one right among all (R13.1)");
        }
        if phase.is_window() && !self.is_asked(turn.actor) {
            return Err("asks only who has something to cast (R13.3)");
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
