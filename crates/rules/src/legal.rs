//! Listing legal actions.
//!
//! A list holds groups: "card w3 with the wizard on any of these spaces". A group is one bit mask,
//! so listing takes as long as there are kinds of actions, not as long as there are actions.

use crate::action::{Action, Cast, Direction, Move, WizardTarget};
use crate::card::Card;
use crate::ids::{Colour, Seat, Space, Tower};
use crate::spell::Spell;
use crate::state::{Actor, Phase, State};

/// The most groups a position can have, and a few to spare.
const GROUPS: usize = 48;

/// A list of legal actions, kept to be filled again and again: it never allocates.
#[derive(Clone, Debug)]
pub struct Actions {
    groups: [Group; GROUPS],
    len: usize,
    total: u32,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    head: Head,
    mask: u32,
}

/// What the actions of a group have in common; the bits of the mask say where they differ.
#[derive(Clone, Copy, Debug)]
enum Head {
    PlayWizard(Card),
    PlayPair(Card),
    PlayTower(Card),
    AcceptWizard,
    AcceptPair,
    AcceptTower,
    /// Bit 0: without a tower; bit n + 1: with tower n.
    Refresh,
    /// The bit says where.
    Spell(CastHead),
    Before(CastHead),
    /// The bit is the spell.
    After,
    /// The bit is the number of flasks.
    Give,
    /// The bit is the card.
    Offer,
    Return,
    /// One action; the mask is 1.
    One(One),
}

#[derive(Clone, Copy, Debug)]
enum CastHead {
    AdvanceWizard(Colour, bool),
    HeadwindWizard(Colour, bool),
    AdvanceTower,
    HeadwindTower,
    Swap(Space),
    Nudge,
    Free(Option<Colour>),
}

#[derive(Clone, Copy, Debug)]
enum One {
    PlayNothing(Card),
    Roll(Card),
    AcceptNothing,
    Reroll,
    End,
    Pass,
    WithPiggyback,
    Piggyback,
    Done,
    Ask,
    AcceptOffer,
    Decline,
}

impl Default for Actions {
    fn default() -> Actions {
        Actions {
            groups: [Group {
                head: Head::Refresh,
                mask: 0,
            }; GROUPS],
            len: 0,
            total: 0,
        }
    }
}

impl Actions {
    /// An empty list.
    pub fn new() -> Actions {
        Actions::default()
    }

    /// How many actions it has.
    #[inline]
    pub fn len(&self) -> usize {
        self.total as usize
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The `n`-th action.
    #[inline]
    pub fn get(&self, n: usize) -> Option<Action> {
        let mut n = u32::try_from(n).ok()?;
        for group in &self.groups[..self.len] {
            let here = group.mask.count_ones();
            if n < here {
                let mut mask = group.mask;
                for _ in 0..n {
                    mask &= mask - 1;
                }
                return Some(group.head.action(mask.trailing_zeros() as u8));
            }
            n -= here;
        }
        None
    }

    /// All actions.
    pub fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        self.groups[..self.len].iter().flat_map(|group| {
            let head = group.head;
            (0..32)
                .filter(move |bit| group.mask >> bit & 1 == 1)
                .map(move |bit| head.action(bit))
        })
    }

    /// Whether the list has this action.
    pub fn contains(&self, action: Action) -> bool {
        self.iter().any(|a| a == action)
    }

    fn clear(&mut self) {
        self.len = 0;
        self.total = 0;
    }

    #[inline]
    fn push(&mut self, head: Head, mask: u32) {
        debug_assert!(self.len < GROUPS);
        if mask != 0 {
            self.groups[self.len] = Group { head, mask };
            self.len += 1;
            self.total += mask.count_ones();
        }
    }

    fn one(&mut self, one: One) {
        self.push(Head::One(one), 1);
    }
}

impl Head {
    fn action(self, bit: u8) -> Action {
        let space = Space::wrapping(bit);
        let tower = || Tower::at(bit.min(8));
        let card = || Card::new(bit).unwrap_or_else(|| unreachable!("only bits of cards are set"));
        match self {
            Head::PlayWizard(card) => Action::Play(
                card,
                Move::Wizard {
                    from: space,
                    piggyback: false,
                },
            ),
            Head::PlayPair(card) => Action::Play(
                card,
                Move::Wizard {
                    from: space,
                    piggyback: true,
                },
            ),
            Head::PlayTower(card) => Action::Play(card, Move::Tower(tower())),
            Head::AcceptWizard => Action::Accept(Move::Wizard {
                from: space,
                piggyback: false,
            }),
            Head::AcceptPair => Action::Accept(Move::Wizard {
                from: space,
                piggyback: true,
            }),
            Head::AcceptTower => Action::Accept(Move::Tower(tower())),
            Head::Refresh => Action::Refresh(bit.checked_sub(1).and_then(Tower::new)),
            Head::Spell(cast) => Action::Cast(cast.cast(bit)),
            Head::Before(cast) => Action::Before(cast.cast(bit)),
            Head::After => Action::After(Spell::ALL[bit as usize & 7]),
            Head::Give => Action::Give(bit),
            Head::Offer => Action::Offer(card()),
            Head::Return => Action::Return(card()),
            Head::One(one) => match one {
                One::PlayNothing(card) => Action::Play(card, Move::Nothing),
                One::Roll(card) => Action::Roll(card),
                One::AcceptNothing => Action::Accept(Move::Nothing),
                One::Reroll => Action::Reroll,
                One::End => Action::End,
                One::Pass => Action::Pass,
                One::WithPiggyback => Action::WithPiggyback,
                One::Piggyback => Action::Piggyback,
                One::Done => Action::Done,
                One::Ask => Action::Ask,
                One::AcceptOffer => Action::AcceptOffer,
                One::Decline => Action::Decline,
            },
        }
    }
}

impl CastHead {
    fn cast(self, bit: u8) -> Cast {
        let space = Space::wrapping(bit);
        let tower = || Tower::at(bit.min(8));
        match self {
            CastHead::AdvanceWizard(colour, declared) => Cast::AdvanceWizard(WizardTarget {
                space,
                colour,
                declared,
            }),
            CastHead::HeadwindWizard(colour, declared) => Cast::HeadwindWizard(WizardTarget {
                space,
                colour,
                declared,
            }),
            CastHead::AdvanceTower => Cast::AdvanceTower(tower()),
            CastHead::HeadwindTower => Cast::HeadwindTower(tower()),
            CastHead::Swap(one) => Cast::SwapTowers(one, space),
            CastHead::Nudge => Cast::NudgeCastle(if bit == 0 {
                Direction::Clockwise
            } else {
                Direction::CounterClockwise
            }),
            CastHead::Free(prefer) => Cast::FreeWizard(tower(), prefer),
        }
    }
}

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
        list.clear();
        let Actor::Player(seat) = self.actor() else {
            return;
        };
        match self.turn.phase {
            Phase::Turn => self.list_turn(seat, list),
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
    fn list_turn(&self, seat: Seat, list: &mut Actions) {
        let owner = self.moves_wizards_of(seat);
        let visible = self.board.visible(owner);
        let full = self.board.full();
        let pairs =
            !self.options.reactions && !self.turn.cast && self.can_pay(seat, Spell::Piggyback);
        for card in self.hand(seat).kinds() {
            if card.dice() > 0 {
                list.one(One::Roll(card));
                continue;
            }
            let before = list.total;
            if let Some(steps) = card.wizard_steps(0) {
                let walkers = visible & !full.rotate_right(u32::from(steps));
                list.push(Head::PlayWizard(card), u32::from(walkers));
                if pairs {
                    list.push(Head::PlayPair(card), u32::from(self.pairs(owner, steps)));
                }
            }
            if let Some(steps) = card.tower_steps(0) {
                list.push(
                    Head::PlayTower(card),
                    u32::from(self.wanderers(steps, true)),
                );
            }
            if list.total == before || self.options.may_decline {
                list.one(One::PlayNothing(card));
            }
        }
        if self.turn.played == 0 && self.may_refresh() {
            list.push(Head::Refresh, u32::from(self.wanderers(1, true)) << 1 | 1);
        }
        if self.flasks(seat).full > 0 && self.check_spell_moment().is_ok() {
            self.list_casts(seat, Head::Spell, list);
        }
        if self.options.teams {
            if !self.turn.exchanged {
                list.one(One::Ask);
            }
            self.list_gifts(seat, list);
        }
    }

    fn list_rolled(&self, seat: Seat, list: &mut Actions) {
        let Some(card) = self.turn.card else { return };
        let rolled = self.turn.rolled;
        let owner = self.moves_wizards_of(seat);
        if let Some(steps) = card.wizard_steps(rolled) {
            list.push(
                Head::AcceptWizard,
                u32::from(self.walkers(owner, steps, true)),
            );
            if !self.options.reactions && !self.turn.cast && self.can_pay(seat, Spell::Piggyback) {
                list.push(Head::AcceptPair, u32::from(self.pairs(owner, steps)));
            }
        }
        if let Some(steps) = card.tower_steps(rolled) {
            list.push(Head::AcceptTower, u32::from(self.wanderers(steps, true)));
        }
        if list.is_empty() || self.options.may_decline {
            list.one(One::AcceptNothing);
        }
        if self.turn.rolls_left > 0 {
            list.one(One::Reroll);
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
        for spell in self.spells.iter() {
            self.list_spell(seat, spell, head, list);
        }
    }

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
            Spell::AdvanceTower => list.push(
                head(CastHead::AdvanceTower),
                u32::from(self.wanderers(2, true)),
            ),
            Spell::HeadwindTower => list.push(
                head(CastHead::HeadwindTower),
                u32::from(self.wanderers(2, false)),
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
                let towers = u32::from(self.liftable());
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
