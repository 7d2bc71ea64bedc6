//! Listing legal actions.
//!
//! A list holds groups: "card w3 with the wizard on any of these spaces". A group is one bit mask,
//! so listing takes as long as there are kinds of actions, not as long as there are actions.

use crate::action::{Action, Cast, Direction, Move, WizardTarget};
use crate::card::{ALONE, Card, FIRST_TOWER};
use crate::ids::{Colour, Seat, Space, Tower};
use crate::spell::Spell;
use crate::state::{Actor, Phase, State};

/// The most groups a position can have, and a few to spare.
const GROUPS: usize = 64;

/// A list of legal actions, kept to be filled again and again: it never allocates.
#[derive(Clone, Debug)]
pub struct Actions {
    groups: [Group; GROUPS],
    /// Per group: how many actions it and those before it have.
    ends: [u16; GROUPS],
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
    /// A card: bits 0–15 the wizards' spaces, then the towers, then [`ALONE`].
    Play(Card),
    /// A wizard of this space, another with it (R10.7).
    PlayPair(Card),
    /// A roll: bits as for a card, then [`REROLL`].
    Accept,
    AcceptPair,
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

/// The bit for rolling again.
const REROLL: u8 = ALONE + 1;

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
            ends: [u16::MAX; GROUPS],
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
        // The first few are looked at all at once, the rest one by one.
        let first = (0..4)
            .map(|i| usize::from(usize::from(self.ends[i]) <= n))
            .sum();
        let group = match first {
            4 => {
                4 + self.ends[4..]
                    .iter()
                    .position(|&end| n < usize::from(end))?
            }
            group => group,
        };
        if group >= self.len {
            return None;
        }
        let Group { head, mask } = self.groups[group];
        let before = usize::from(self.ends[group]) - mask.count_ones() as usize;
        Some(head.action(nth_bit(mask, (n - before) as u32)))
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
        self.ends[..4].fill(u16::MAX);
    }

    /// Adds a group; an empty one is overwritten by the next. Without a branch: whether a card has
    /// a move is nothing that can be foreseen.
    #[inline(always)]
    fn push(&mut self, head: Head, mask: u32) {
        debug_assert!(self.len < GROUPS);
        let slot = self.len % GROUPS;
        self.total += mask.count_ones();
        self.groups[slot] = Group { head, mask };
        self.ends[slot] = self.total as u16;
        self.len += usize::from(mask != 0);
    }

    fn one(&mut self, one: One) {
        self.push(Head::One(one), 1);
    }
}

/// The position of the `n`-th set bit of a byte.
static NTH_OF_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The position of the `n`-th set bit, counted from 0: halved twice, then looked up.
#[inline]
fn nth_bit(mut mask: u32, mut n: u32) -> u8 {
    let mut at = 0u32;
    for width in [16, 8] {
        let low = (mask & ((1 << width) - 1)).count_ones();
        if n >= low {
            n -= low;
            mask >>= width;
            at += width;
        }
    }
    at as u8 + NTH_OF_BYTE[mask as usize & 0xFF][n as usize & 7]
}

impl Head {
    #[inline]
    fn action(self, bit: u8) -> Action {
        let space = Space::wrapping(bit);
        let card = || Card::new(bit).unwrap_or_else(|| unreachable!("only bits of cards are set"));
        let pair = Move::Wizard {
            from: space,
            piggyback: true,
        };
        match self {
            Head::Play(card) if bit == ALONE && card.dice() > 0 => Action::Roll(card),
            Head::Play(card) => Action::Play(card, moved(bit)),
            Head::Accept if bit == REROLL => Action::Reroll,
            Head::Accept => Action::Accept(moved(bit)),
            Head::PlayPair(card) => Action::Play(card, pair),
            Head::AcceptPair => Action::Accept(pair),
            Head::Refresh => Action::Refresh(bit.checked_sub(1).and_then(Tower::new)),
            Head::Spell(cast) => Action::Cast(cast.cast(bit)),
            Head::Before(cast) => Action::Before(cast.cast(bit)),
            Head::After => Action::After(Spell::ALL[bit as usize & 7]),
            Head::Give => Action::Give(bit),
            Head::Offer => Action::Offer(card()),
            Head::Return => Action::Return(card()),
            Head::One(one) => match one {
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

/// What a bit of a card's mask moves.
#[inline]
fn moved(bit: u8) -> Move {
    match bit.checked_sub(FIRST_TOWER) {
        None => Move::Wizard {
            from: Space::wrapping(bit),
            piggyback: false,
        },
        Some(tower) => Tower::new(tower).map_or(Move::Nothing, Move::Tower),
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
        let castle = self.board.castle();
        let flasks = self.flasks(seat).full;
        let decline = u32::from(self.rules.may_decline()) << ALONE;
        for (card, there) in self.hand(seat).slots() {
            if card.is_none() {
                break;
            }
            let ways = card.ways();
            let walkers = visible & !full.rotate_right(u32::from(ways.wizard));
            let blocked = self.board.tower_mask(castle.behind(ways.tower));
            let roll = 1 << ALONE;
            let able = u32::from(walkers) | u32::from(!blocked) << FIRST_TOWER | roll;
            let moves = able & ways.mask;
            // R4.2: without a legal move it is discarded. A dice card is rolled in any case (R4.8).
            let mask = moves | u32::from(moves == 0) << ALONE | decline;
            list.push(Head::Play(card), if there { mask } else { 0 });
        }
        if self.turn.played == 0 && self.may_refresh() {
            list.push(Head::Refresh, u32::from(self.wanderers(1, true)) << 1 | 1);
        }
        if flasks > 0 && !self.rules.reactions() && !self.turn.cast {
            self.list_own_spells(seat, owner, list);
        }
        if self.rules.teams() {
            if !self.turn.exchanged {
                list.one(One::Ask);
            }
            self.list_gifts(seat, list);
        }
    }

    /// The spells of the active player without reactions, Piggyback with a card among them.
    fn list_own_spells(&self, seat: Seat, owner: Seat, list: &mut Actions) {
        if self.can_pay(seat, Spell::Piggyback) {
            for (card, there) in self.hand(seat).slots() {
                let ways = card.ways();
                if there && ways.mask & 1 != 0 {
                    list.push(
                        Head::PlayPair(card),
                        u32::from(self.pairs(owner, ways.wizard)),
                    );
                }
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
            .map_or(0, |steps| self.wanderers(steps, true));
        let moves = u32::from(walkers) | u32::from(wanderers) << FIRST_TOWER;
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
