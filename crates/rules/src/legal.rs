//! Listing legal actions.

use crate::actions::{
    Actions, CastHead, FIRST_TOWER, GroupHead, NO_MOVE, REFRESH, REROLL, SLOTS, SingleAction,
};
use crate::ids::{Seat, Space};
use crate::spell::{Spell, SpellSet};
use crate::state::{Actor, State};
use crate::surfaces::SurfaceSet;
use crate::towers::Distances;
use crate::turn::Phase;
use crate::values::Gifts;

impl State {
    /// Every legal action of the player to act; empty when chance is to act or the game is over.
    ///
    /// ```
    /// let state = towers_rules::examples::opening();
    /// for action in &state.legal_actions() {
    ///     assert!(state.is_legal(state.active(), action));
    /// }
    /// ```
    pub fn legal_actions(&self) -> Actions {
        let mut list = Actions::new();
        self.legal_actions_into(&mut list);
        list
    }

    /// Like [`State::legal_actions`], reusing a list in hot loops.
    ///
    /// ```
    /// use towers_rules::Actions;
    /// let state = towers_rules::examples::opening();
    /// let mut actions = Actions::new();
    /// state.legal_actions_into(&mut actions);
    /// assert_eq!(actions.len(), state.legal_actions().len());
    /// ```
    #[inline]
    pub fn legal_actions_into(&self, list: &mut Actions) {
        if self.turn.phase == Phase::Turn {
            self.list_turn(list);
        } else {
            self.list_other(list);
        }
    }

    /// Lists the actions of all phases but the most common one; separate, so that the common one stays small.
    #[inline(never)]
    fn list_other(&self, list: &mut Actions) {
        list.clear();
        let Actor::Player(seat) = self.actor() else {
            return;
        };
        match self.turn.phase {
            Phase::Rolled => self.list_rolled(seat, list),
            Phase::Refreshed => self.list_refreshed(seat, list),
            Phase::End => {
                self.list_casts(seat, self.spells, GroupHead::Spell, list);
                list.one(SingleAction::End);
                self.list_gifts(seat, list);
            }
            Phase::Asked => {
                self.list_cards(seat, GroupHead::Offer, list);
                list.one(SingleAction::Decline);
            }
            Phase::Offered => {
                list.one(SingleAction::AcceptOffer);
                list.one(SingleAction::Decline);
            }
            Phase::Return => self.list_cards(seat, GroupHead::Return, list),
            Phase::Window => self.list_window(seat, list),
            Phase::With => {
                list.one(SingleAction::Piggyback);
                list.one(SingleAction::Done);
            }
            Phase::Cast | Phase::Before | Phase::After => {
                if let Some(spell) = self.turn.repeats.or(self.turn.claim) {
                    self.list_spell(seat, spell, GroupHead::Spell, list);
                }
                if self.turn.repeats.is_some() {
                    list.one(SingleAction::Done);
                }
            }
            Phase::Opening | Phase::Closing => {
                self.list_casts(seat, self.rights(seat), GroupHead::Spell, list);
                list.one(SingleAction::Pass);
            }
            _ => {}
        }
    }

    /// The actions of the active player's partner out of turn (R12.2, R12.3), and the partner's seat.
    pub fn partner_actions(&self) -> Option<(Seat, Actions)> {
        let mut list = Actions::new();
        let seat = self.partner_actions_into(&mut list)?;
        Some((seat, list))
    }

    /// Like [`State::partner_actions`], reusing a list.
    pub fn partner_actions_into(&self, list: &mut Actions) -> Option<Seat> {
        list.clear();
        let partner = self.partner(self.turn.active)?;
        if !self.allows_gifts() {
            return None;
        }
        if self.turn.phase == Phase::Turn && !self.turn.offering_used {
            self.list_cards(partner, GroupHead::Offer, list);
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

    /// Lists cards, the refresh and spells on a board where every card can move all its pieces.
    #[inline(always)]
    fn list_cards_to_play(&self, seat: Seat, owner: Seat, list: &mut Actions) {
        let hand = self.hand(seat);
        let walkers = self.board.in_sight(owner);
        let distances = self.board.distances_to_castle().with_walkers(walkers.len());
        let wizards = u64::from(walkers.len());
        let first_of_kind = hand.first_of_kind();
        let count = |slot: usize| {
            let ways = hand.slot(slot).moves();
            let towers = u64::from(distances.choices(ways.tower).len());
            // Equal cards are listed once.
            (wizards & ways.wizards | towers << 8) * u64::from(first_of_kind[slot])
        };
        let cards = count(0) | count(1) << 16 | count(2) << 32;
        list.set_turn(
            hand,
            [walkers; SLOTS],
            self.board.tower_spaces(),
            distances,
            self.rules.refreshes_first(),
            cards | self.refreshes(distances),
        );
        if self.flasks(seat).full > 0 {
            self.list_own_spells(seat, owner, list);
        }
    }

    /// Lists cards one by one: a surface is full (R5.3), all towers stand on one space, or moving is optional.
    fn list_cards_one_by_one(&self, seat: Seat, owner: Seat, list: &mut Actions) {
        let hand = self.hand(seat);
        let distances = self.board.distances_to_castle();
        let distinct = hand.distinct();
        let mut counts = self.refreshes(distances);
        let walkers = std::array::from_fn(|slot| {
            let ways = distinct.slot(slot).moves();
            let spaces = self.walkers(owner, ways.wizard, true) & ways.wizards as u16;
            let walkers = spaces.count_ones();
            let towers = distances.choices(ways.tower).towers().len();
            let nothing = walkers + towers == 0;
            let alone = u32::from(ways.is_card() && (nothing || self.rules.may_decline()));
            counts |= u64::from(walkers | (towers + alone) << 8) << (16 * slot);
            SurfaceSet::of_spaces(spaces, |space| self.board.exposed(space))
        });
        let spaces = self.board.tower_spaces();
        let refresh_first = self.rules.refreshes_first();
        list.set_turn(hand, walkers, spaces, distances, refresh_first, counts);
        if self.flasks(seat).full > 0 {
            self.list_own_spells(seat, owner, list);
        }
    }

    /// Lists the actions of a turn with partners, or of one in which each card has to be examined.
    #[inline(never)]
    fn list_unusual_turn(&self, seat: Seat, list: &mut Actions) {
        let owner = self.moves_wizards_of(seat);
        if self.board.is_crowded() || self.rules.may_decline() {
            self.list_cards_one_by_one(seat, owner, list);
        } else {
            self.list_cards_to_play(seat, owner, list);
        }
        if self.rules.teams() {
            if !self.turn.asking_used {
                list.one(SingleAction::Ask);
            }
            self.list_gifts(seat, list);
        }
    }

    /// The number of refreshes, with a tower and perhaps without one (R4.4, R4.5), shifted to its place among the
    /// counts.
    #[inline]
    #[allow(
        clippy::needless_bitwise_bool,
        reason = "without branches: listing the actions of a turn is what searches do most"
    )]
    fn refreshes(&self, distances: Distances) -> u64 {
        // R14.6: no refresh after a spell in solo and cooperative games.
        let after_spell = self.turn.cast & self.shares_pieces();
        let may_refresh = (self.turn.played == 0) & self.has_refresh() & !after_spell;
        let towers = distances.choices(REFRESH).len();
        let without = self.rules.may_leave_towers() | (towers == 0);
        let ways = if self.rules.refreshes_first() {
            1
        } else {
            towers + u32::from(without)
        };
        (u64::from(ways) << 48) * u64::from(may_refresh)
    }

    /// Lists the spells of the active player in phase turn, including Piggyback with a card.
    #[inline(never)]
    fn list_own_spells(&self, seat: Seat, owner: Seat, list: &mut Actions) {
        if self.rules.reactions() {
            self.list_casts(seat, self.rights(seat), GroupHead::Spell, list);
            return;
        }
        if self.turn.cast {
            return;
        }
        if self.can_pay(seat, Spell::Piggyback) {
            let hand = self.hand(seat).distinct();
            for card in (0..SLOTS).map(|slot| hand.slot(slot)) {
                let ways = card.moves();
                let pairs = u64::from(self.pairs(owner, ways.wizard)) & ways.wizards;
                list.push(GroupHead::PlayPair(card), pairs as u32);
            }
        }
        self.list_casts_of_turn(seat, list);
    }

    /// Lists the spells that the active player may cast while choosing, with reactions (R13.2) or without (R9.1).
    fn list_casts_of_turn(&self, seat: Seat, list: &mut Actions) {
        if self.rules.reactions() {
            self.list_casts(seat, self.rights(seat), GroupHead::Spell, list);
        } else if self.check_spell_moment().is_ok() {
            self.list_casts(seat, self.spells, GroupHead::Spell, list);
        }
    }

    fn list_refreshed(&self, seat: Seat, list: &mut Actions) {
        let towers = self.wanderers(1, true).bits();
        let without = towers == 0 || self.rules.may_leave_towers();
        list.push(
            GroupHead::Accept,
            towers << FIRST_TOWER | u32::from(without) << NO_MOVE,
        );
        self.list_casts_of_turn(seat, list);
        self.list_gifts(seat, list);
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
        let nothing = u32::from(moves == 0 || self.rules.may_decline()) << NO_MOVE;
        let again = u32::from(self.turn.rolls_left > 0) << REROLL;
        list.push(GroupHead::Accept, moves | nothing | again);
        if let Some(steps) = walks
            && !self.rules.reactions()
            && !self.turn.cast
            && self.can_pay(seat, Spell::Piggyback)
        {
            list.push(GroupHead::AcceptPair, u32::from(self.pairs(owner, steps)));
        }
        self.list_casts_of_turn(seat, list);
        self.list_gifts(seat, list);
    }

    fn list_window(&self, seat: Seat, list: &mut Actions) {
        let rights = self.rights(seat);
        self.list_casts(seat, rights, GroupHead::Before, list);
        let after = self
            .claims(seat)
            .iter()
            .filter(|&s| self.castable(seat, s))
            .fold(0, |mask, s| mask | 1 << s as u32);
        list.push(GroupHead::After, after);
        if rights.contains(Spell::Piggyback) && self.can_ride(seat) {
            list.one(SingleAction::WithPiggyback);
        }
        list.one(SingleAction::Pass);
    }

    fn list_casts(
        &self,
        seat: Seat,
        spells: SpellSet,
        head: fn(CastHead) -> GroupHead,
        list: &mut Actions,
    ) {
        if self.flasks(seat).full == 0 {
            return; // R9.2: no spell is free.
        }
        for spell in spells.iter() {
            self.list_spell(seat, spell, head, list);
        }
    }

    #[inline(never)]
    fn list_spell(
        &self,
        seat: Seat,
        spell: Spell,
        head: fn(CastHead) -> GroupHead,
        list: &mut Actions,
    ) {
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

    fn list_cards(&self, seat: Seat, head: GroupHead, list: &mut Actions) {
        list.push(
            head,
            self.hand(seat)
                .iter()
                .fold(0, |mask, card| mask | 1 << card.index()),
        );
    }

    fn list_gifts(&self, seat: Seat, list: &mut Actions) {
        let is_active = seat == self.turn.active;
        let may_give = self.rules.teams() && !(is_active && self.rules.gifts() == Gifts::ToActive);
        if may_give && self.turn.gave >> u8::from(!is_active) & 1 == 0 {
            list.push(GroupHead::Give, (2 << self.flasks(seat).full) - 2);
        }
    }
}
