//! Listing legal actions.

use crate::actions::{ALONE, Actions, CastHead, FIRST_TOWER, Head, One, REFRESH, REROLL, SLOTS};
use crate::ids::{Seat, Space};
use crate::spell::Spell;
use crate::state::{Actor, State};
use crate::surfaces::SurfaceSet;
use crate::towers::Distances;
use crate::turn::Phase;

impl State {
    /// Lists every legal action of the player who is to act; none if it is chance or nobody.
    ///
    /// ```
    /// use rules::{Actions, Actor};
    /// let state = rules::examples::opening();
    /// let mut actions = Actions::new();
    /// state.legal_actions(&mut actions);
    /// let Actor::Player(seat) = state.actor() else { panic!("a player begins") };
    /// assert!(actions.iter().all(|action| state.is_legal(seat, action)));
    /// ```
    #[inline]
    pub fn legal_actions(&self, list: &mut Actions) {
        if self.turn.phase == Phase::Turn {
            self.list_turn(list);
        } else {
            self.list_other(list);
        }
    }

    /// The actions of all phases but the most common one, kept apart so that that one stays small.
    #[inline(never)]
    fn list_other(&self, list: &mut Actions) {
        list.clear();
        let Actor::Player(seat) = self.actor() else {
            return;
        };
        match self.turn.phase {
            Phase::Rolled => self.list_rolled(seat, list),
            Phase::End => {
                self.list_casts(seat, Head::Spell, list);
                list.one(One::End);
            }
            Phase::Asked => {
                self.list_cards(seat, Head::Offer, list);
                list.one(One::Decline);
            }
            Phase::Offered => {
                list.one(One::AcceptOffer);
                list.one(One::Decline);
            }
            Phase::Return => self.list_cards(seat, Head::Return, list),
            Phase::Window => self.list_window(seat, list),
            Phase::With => {
                list.one(One::Piggyback);
                list.one(One::Done);
            }
            Phase::Before | Phase::After => {
                if let Some(spell) = self.turn.claim {
                    self.list_spell(seat, spell, Head::Spell, list);
                }
                if self.turn.phase == Phase::Before || self.turn.claim_cast {
                    list.one(One::Done);
                }
            }
            Phase::Free => {
                self.list_spell(seat, Spell::FreeWizard, Head::Spell, list);
                list.one(One::Pass);
            }
            _ => {}
        }
    }

    /// Lists what the active player's partner may do out of turn (R12.2, R12.3); returns whose these
    /// actions are.
    pub fn partner_actions(&self, list: &mut Actions) -> Option<Seat> {
        list.clear();
        let partner = self.partner(self.turn.active)?;
        if self.turn.phase != Phase::Turn {
            return None;
        }
        if !self.turn.exchanged {
            self.list_cards(partner, Head::Offer, list);
        }
        self.list_gifts(partner, list);
        (!list.is_empty()).then_some(partner)
    }

    #[inline]
    fn list_turn(&self, list: &mut Actions) {
        let seat = self.turn.actor;
        if self.board.is_crowded() || self.rules.changes_turns() {
            self.list_unusual_turn(seat, list);
        } else {
            self.list_cards_to_play(seat, self.owner(seat), list);
        }
    }

    /// Cards to play, the refresh and spells where a card moves whatever it can.
    #[inline(always)]
    fn list_cards_to_play(&self, seat: Seat, owner: Seat, list: &mut Actions) {
        let hand = self.hand(seat);
        let walkers = self.board.in_sight(owner);
        let distances = self.board.distances_to_castle().with_walkers(walkers.len());
        let wizards = u64::from(walkers.len());
        let first_of_kind = hand.first_of_kind();
        let count = |slot: usize| {
            let ways = hand.slot(slot).ways();
            let towers = u64::from(distances.choices(ways.tower).len());
            // What can be done with a card is listed once, however many of it there are.
            (wizards & ways.wizards | towers << 8) * u64::from(first_of_kind[slot])
        };
        let cards = count(0) | count(1) << 16 | count(2) << 32;
        list.set_turn(
            hand,
            [walkers; SLOTS],
            self.board.tower_spaces(),
            distances,
            cards | self.refreshes(distances),
        );
        if self.flasks(seat).full > 0 {
            self.list_own_spells(seat, owner, list);
        }
    }

    /// The same where some surface is full (R5.3), all towers stand on one space or nobody has to move.
    fn list_cards_one_by_one(&self, seat: Seat, owner: Seat, list: &mut Actions) {
        let hand = self.hand(seat);
        let distances = self.board.distances_to_castle();
        let distinct = hand.distinct();
        let mut counts = self.refreshes(distances);
        let walkers = std::array::from_fn(|slot| {
            let ways = distinct.slot(slot).ways();
            let spaces = self.walkers(owner, ways.wizard, true) & ways.wizards as u16;
            let walkers = spaces.count_ones();
            let towers = distances.choices(ways.tower).towers().len();
            let nothing = walkers + towers == 0;
            let alone = u32::from(ways.is_card() && (nothing || self.rules.may_decline()));
            counts |= u64::from(walkers | (towers + alone) << 8) << (16 * slot);
            SurfaceSet::of_spaces(spaces, |space| self.board.exposed(space))
        });
        let spaces = self.board.tower_spaces();
        list.set_turn(hand, walkers, spaces, distances, counts);
        if self.flasks(seat).full > 0 {
            self.list_own_spells(seat, owner, list);
        }
    }

    /// The actions of a turn with partners, or where what a card can do has to be looked at.
    #[inline(never)]
    fn list_unusual_turn(&self, seat: Seat, list: &mut Actions) {
        let owner = self.moves_wizards_of(seat);
        if self.board.is_crowded() || self.rules.may_decline() {
            self.list_cards_one_by_one(seat, owner, list);
        } else {
            self.list_cards_to_play(seat, owner, list);
        }
        if self.rules.teams() {
            if !self.turn.exchanged {
                list.one(One::Ask);
            }
            self.list_gifts(seat, list);
        }
    }

    /// How many refreshes there are, without a tower and with one, in its place among the counts.
    #[inline]
    fn refreshes(&self, distances: Distances) -> u64 {
        let may_refresh = (self.turn.played == 0) & self.may_refresh();
        (u64::from(distances.choices(REFRESH).len()) << 48) * u64::from(may_refresh)
    }

    /// The spells of the active player without reactions, Piggyback with a card among them.
    #[inline(never)]
    fn list_own_spells(&self, seat: Seat, owner: Seat, list: &mut Actions) {
        if self.turn.cast || self.rules.reactions() {
            return;
        }
        if self.can_pay(seat, Spell::Piggyback) {
            let hand = self.hand(seat).distinct();
            for card in (0..SLOTS).map(|slot| hand.slot(slot)) {
                let ways = card.ways();
                let pairs = u64::from(self.pairs(owner, ways.wizard)) & ways.wizards;
                list.push(Head::PlayPair(card), pairs as u32);
            }
        }
        if self.check_spell_moment().is_ok() {
            self.list_casts(seat, Head::Spell, list);
        }
    }

    fn list_rolled(&self, seat: Seat, list: &mut Actions) {
        let Some(card) = self.turn.card else { return };
        let rolled = self.turn.rolled;
        let owner = self.moves_wizards_of(seat);
        let walks = card.wizard_steps(rolled);
        let walkers = walks.map_or(0, |steps| self.walkers(owner, steps, true));
        let wanderers = card
            .tower_steps(rolled)
            .map_or(0, |steps| self.wanderers(steps, true).bits());
        let moves = u32::from(walkers) | wanderers << FIRST_TOWER;
        let nothing = u32::from(moves == 0 || self.rules.may_decline()) << ALONE;
        let again = u32::from(self.turn.rolls_left > 0) << REROLL;
        list.push(Head::Accept, moves | nothing | again);
        if let Some(steps) = walks
            && !self.rules.reactions()
            && !self.turn.cast
            && self.can_pay(seat, Spell::Piggyback)
        {
            list.push(Head::AcceptPair, u32::from(self.pairs(owner, steps)));
        }
        if self.check_spell_moment().is_ok() {
            self.list_casts(seat, Head::Spell, list);
        }
    }

    fn list_window(&self, seat: Seat, list: &mut Actions) {
        self.list_casts(seat, Head::Before, list);
        let after = self
            .spells
            .iter()
            .filter(|&s| self.castable(seat, s))
            .fold(0, |mask, s| mask | 1 << s as u32);
        list.push(Head::After, after);
        if self.can_ride(seat) {
            list.one(One::WithPiggyback);
        }
        list.one(One::Pass);
    }

    fn list_casts(&self, seat: Seat, head: fn(CastHead) -> Head, list: &mut Actions) {
        if self.flasks(seat).full == 0 {
            return; // R9.2: no spell is free.
        }
        for spell in self.spells.iter() {
            self.list_spell(seat, spell, head, list);
        }
    }

    #[inline(never)]
    fn list_spell(&self, seat: Seat, spell: Spell, head: fn(CastHead) -> Head, list: &mut Actions) {
        if !self.can_pay(seat, spell) {
            return;
        }
        match spell {
            Spell::AdvanceWizard | Spell::HeadwindWizard => {
                let forward = spell == Spell::AdvanceWizard;
                let kind = if forward {
                    CastHead::AdvanceWizard
                } else {
                    CastHead::HeadwindWizard
                };
                let ambiguous = self.ambiguous();
                for owner in self.owners() {
                    let walkers = self.walkers(owner, 1, forward);
                    let colour = self.wizard_colour(owner);
                    list.push(head(kind(colour, false)), u32::from(walkers));
                    if let Some((space, declared)) = ambiguous
                        && declared == owner
                    {
                        list.push(head(kind(colour, true)), u32::from(walkers & space.bit()));
                    }
                }
            }
            Spell::AdvanceTower => {
                list.push(head(CastHead::AdvanceTower), self.wanderers(2, true).bits());
            }
            Spell::HeadwindTower => list.push(
                head(CastHead::HeadwindTower),
                self.wanderers(2, false).bits(),
            ),
            Spell::SwapTowers => {
                let mut spaces = self.swappable();
                while spaces != 0 {
                    let one = Space::wrapping(spaces.trailing_zeros() as u8);
                    spaces &= spaces - 1;
                    list.push(head(CastHead::Swap(one)), u32::from(spaces));
                }
            }
            Spell::NudgeCastle => list.push(
                head(CastHead::Nudge),
                if self.nudge_spaces() == 0 { 0 } else { 0b11 },
            ),
            Spell::FreeWizard => {
                let towers = self.liftable().bits();
                let [own, partner] = self.free_preferences(seat);
                list.push(head(CastHead::Free(own)), towers);
                if partner.is_some() {
                    list.push(head(CastHead::Free(partner)), towers);
                }
            }
            Spell::Piggyback => {}
        }
    }

    fn list_cards(&self, seat: Seat, head: Head, list: &mut Actions) {
        list.push(
            head,
            self.hand(seat)
                .iter()
                .fold(0, |mask, card| mask | 1 << card.index()),
        );
    }

    fn list_gifts(&self, seat: Seat, list: &mut Actions) {
        if self.turn.gave >> u8::from(seat != self.turn.active) & 1 == 0 {
            list.push(Head::Give, (2 << self.flasks(seat).full) - 2);
        }
    }
}
