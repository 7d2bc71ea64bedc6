//! Lists of actions.
//!
//! A list holds groups such as "card w3 with the wizard on any of these spaces". A group is one bit mask, so the cost
//! of listing grows with the number of groups, not with the number of actions.

use std::ops::Range;
use std::slice;

use crate::action::{Action, Cast, Direction, Move, WizardTarget};
use crate::bits::{nth_bit, nth_space};
use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{Colour, Space, TOWERS, Tower};
use crate::spell::Spell;
use crate::surfaces::SurfaceSet;
use crate::towers::{Distances, TowerPath, TowerSpaces};

/// Upper bound on the groups of a position besides those of cards and refresh.
const MAX_GROUPS: usize = 64;
/// The most different cards in a hand of which one is to be played.
pub(crate) const SLOTS: usize = 3;

const BYTE_ONES: u64 = 0x0101_0101_0101_0101;
const BYTE_HIGH_BITS: u64 = BYTE_ONES << 7;

/// A list of legal actions. It never allocates. A hot loop can refill the same list with
/// [`State::legal_actions_into`](crate::State::legal_actions_into).
///
/// ```
/// let state = towers_rules::examples::opening();
/// let actions = state.legal_actions();
/// let refreshes = actions.iter().filter(|action| action.to_string().starts_with("refresh"));
/// assert_eq!(refreshes.count(), 9);
/// ```
#[derive(Clone, Debug)]
pub struct Actions {
    turn: TurnActions,
    groups: [Group; MAX_GROUPS],
    /// Per group: the number of actions in it and in all groups before it.
    ends: [u16; MAX_GROUPS],
    len: usize,
    total: u32,
}

/// Cards to play and the refresh, which nearly every list has. The seven groups have fixed places: wizards and towers
/// for each of three cards, then the refresh. Only the counts are computed when the list is filled; an action is built
/// when it is read.
///
/// ```text
/// byte of `ends`   0        1       2        3       4        5       6        7
/// group            wizards  towers  wizards  towers  wizards  towers  refresh  -
/// card in slot     0        0       1        1       2        2
/// value            the number of actions of this group and of those before it; byte 7: of all
/// ```
#[derive(Clone, Copy, Debug)]
struct TurnActions {
    /// The card in each slot; an empty slot has no actions.
    hand: Hand,
    /// Per slot: the surfaces whose wizard it can move.
    walkers: [SurfaceSet; SLOTS],
    /// Where the towers stand.
    spaces: TowerSpaces,
    /// The distance of each tower from the castle, where it cannot go.
    distances: Distances,
    /// Whether a refresh names its tower only after the new cards are drawn (R4.5).
    refresh_first: bool,
    /// See the table above.
    ends: u64,
}

/// A refresh moves a tower by 1 (R4.4).
pub(crate) const REFRESH: TowerPath = TowerPath::wander(1);

impl TurnActions {
    #[inline]
    const fn len(&self) -> usize {
        (self.ends >> 56) as usize
    }

    /// The `n`-th action, which must exist.
    #[inline]
    fn get(&self, n: u8) -> Action {
        // Subtracts every byte of `ends` from `n`. There are fewer than 128 actions, so each byte borrows from its own top
        // bit alone, which stays set in the groups that end before the `n`-th action.
        let exceeded =
            (u64::from(n) * BYTE_ONES | BYTE_HIGH_BITS).wrapping_sub(self.ends) & BYTE_HIGH_BITS;
        let group = exceeded.count_ones() as usize;
        let before = (self.ends << 8 >> (8 * group % 64)) as u8;
        let n = n.wrapping_sub(before);
        let slot = group / 2;
        if slot >= SLOTS {
            if self.refresh_first {
                return Action::RefreshFirst;
            }
            // The entry after all towers moves no tower.
            let towers = self.distances.choices(REFRESH).towers();
            return Action::Refresh(Tower::new(towers.nth(n)));
        }
        let card = self.hand.slot(slot);
        if group.is_multiple_of(2) {
            let walkers = self.spaces.row(self.walkers[slot]);
            let from = Space::wrapping(nth_space(walkers, n.into()));
            return Action::Play(
                card,
                Move::Wizard {
                    from,
                    piggyback: false,
                },
            );
        }
        let towers = self.distances.choices(card.moves().tower).towers();
        match Tower::new(towers.nth(n)) {
            Some(tower) => Action::Play(card, Move::Tower(tower)),
            None if card.dice() > 0 => Action::Roll(card),
            None => Action::Play(card, Move::Nothing),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Group {
    head: GroupHead,
    mask: u32,
}

/// The part that the actions of a group share; each bit of the mask completes one action.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GroupHead {
    /// A wizard of this space, another with it (R10.7).
    PlayPair(Card),
    /// A roll or the tower of a refresh: bits 0–15 the wizards' spaces, then the towers, then [`NO_MOVE`] and [`REROLL`].
    Accept,
    AcceptPair,
    /// The bit is the space or the tower.
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
    SingleAction(SingleAction),
}

/// The first tower's bit in the mask of a roll; the spaces come first.
pub(crate) const FIRST_TOWER: u8 = 16;
/// The bit for moving nothing after a roll.
pub(crate) const NO_MOVE: u8 = FIRST_TOWER + TOWERS as u8;
/// The bit for rolling again.
pub(crate) const REROLL: u8 = NO_MOVE + 1;

#[derive(Clone, Copy, Debug)]
pub(crate) enum CastHead {
    AdvanceWizard(Colour, bool),
    HeadwindWizard(Colour, bool),
    AdvanceTower,
    HeadwindTower,
    Swap(Space),
    Nudge,
    Free(Option<Colour>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum SingleAction {
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
            turn: TurnActions {
                hand: Hand::EMPTY,
                walkers: [SurfaceSet::NONE; SLOTS],
                spaces: TowerSpaces::NONE,
                distances: Distances::NONE,
                refresh_first: false,
                ends: 0,
            },
            groups: [Group {
                head: GroupHead::Accept,
                mask: 0,
            }; MAX_GROUPS],
            ends: [0; MAX_GROUPS],
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

    /// The number of actions.
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
        if n < self.turn.len() {
            Some(self.turn.get(n as u8))
        } else {
            self.get_other(n)
        }
    }

    /// The `n`-th action, if it is neither a card nor a refresh.
    fn get_other(&self, n: usize) -> Option<Action> {
        let ends = &self.ends[..self.len];
        let group = ends.iter().position(|&end| n < usize::from(end))?;
        let Group { head, mask } = self.groups[group];
        let before = usize::from(ends[group]) - mask.count_ones() as usize;
        Some(head.action(nth_bit(mask, (n - before) as u32)))
    }

    /// All actions.
    pub fn iter(&self) -> ActionsIter<'_> {
        ActionsIter {
            turn: &self.turn,
            cards: 0..self.turn.len() as u8,
            groups: self.groups[..self.len].iter(),
            head: GroupHead::Accept,
            mask: 0,
            left: self.len(),
        }
    }

    /// A random action, each equally likely; `None` if the list is empty.
    #[cfg(feature = "rand")]
    pub fn choose<R: rand::Rng + ?Sized>(&self, rng: &mut R) -> Option<Action> {
        use rand::RngExt as _;
        (!self.is_empty())
            .then(|| rng.random_range(0..self.len()))
            .and_then(|n| self.get(n))
    }

    /// Whether the list has this action.
    pub fn contains(&self, action: Action) -> bool {
        self.iter().any(|a| a == action)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.turn.ends = 0;
        self.len = 0;
        self.total = 0;
    }

    /// Replaces the list by the cards and the refresh of a turn. `walkers` holds, per slot, the surfaces whose wizard
    /// can move; `counts` holds one byte per group, its number of actions.
    #[inline]
    pub(crate) fn set_turn(
        &mut self,
        hand: Hand,
        walkers: [SurfaceSet; SLOTS],
        spaces: TowerSpaces,
        distances: Distances,
        refresh_first: bool,
        counts: u64,
    ) {
        // Every byte of the product is the sum of the counts up to that byte.
        let ends = counts.wrapping_mul(BYTE_ONES);
        self.turn = TurnActions {
            hand,
            walkers,
            spaces,
            distances,
            refresh_first,
            ends,
        };
        self.len = 0;
        self.total = (ends >> 56) as u32;
    }

    /// Adds a group, unless it is empty.
    #[inline]
    pub(crate) fn push(&mut self, head: GroupHead, mask: u32) {
        debug_assert!(self.len < MAX_GROUPS);
        let slot = self.len % MAX_GROUPS;
        self.total += mask.count_ones();
        self.groups[slot] = Group { head, mask };
        self.ends[slot] = self.total as u16;
        self.len += usize::from(mask != 0);
    }

    pub(crate) fn one(&mut self, one: SingleAction) {
        self.push(GroupHead::SingleAction(one), 1);
    }
}

impl<'a> IntoIterator for &'a Actions {
    type Item = Action;
    type IntoIter = ActionsIter<'a>;

    fn into_iter(self) -> ActionsIter<'a> {
        self.iter()
    }
}

/// Iterates over the actions of a list, see [`Actions::iter`].
#[derive(Clone, Debug)]
pub struct ActionsIter<'a> {
    turn: &'a TurnActions,
    /// The remaining actions of `turn`, by number.
    cards: Range<u8>,
    groups: slice::Iter<'a, Group>,
    /// The current group and its remaining bits.
    head: GroupHead,
    mask: u32,
    left: usize,
}

impl Iterator for ActionsIter<'_> {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        self.left = self.left.saturating_sub(1);
        if let Some(n) = self.cards.next() {
            return Some(self.turn.get(n));
        }
        while self.mask == 0 {
            let group = self.groups.next()?;
            (self.head, self.mask) = (group.head, group.mask);
        }
        let bit = self.mask.trailing_zeros();
        self.mask &= self.mask - 1;
        Some(self.head.action(bit as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ActionsIter<'_> {}

impl std::iter::FusedIterator for ActionsIter<'_> {}

impl GroupHead {
    #[inline]
    fn action(self, bit: u8) -> Action {
        let space = Space::wrapping(bit);
        let card = || Card::new(bit).unwrap_or_else(|| unreachable!("only bits of cards are set"));
        let pair = Move::Wizard {
            from: space,
            piggyback: true,
        };
        match self {
            GroupHead::Accept if bit == REROLL => Action::Reroll,
            GroupHead::Accept => Action::Accept(moved(bit)),
            GroupHead::PlayPair(card) => Action::Play(card, pair),
            GroupHead::AcceptPair => Action::Accept(pair),
            GroupHead::Spell(cast) => Action::Cast(cast.cast(bit)),
            GroupHead::Before(cast) => Action::Before(cast.cast(bit)),
            GroupHead::After => Action::After(Spell::ALL[bit as usize & 7]),
            GroupHead::Give => Action::Give(bit),
            GroupHead::Offer => Action::Offer(card()),
            GroupHead::Return => Action::Return(card()),
            GroupHead::SingleAction(one) => match one {
                SingleAction::End => Action::End,
                SingleAction::Pass => Action::Pass,
                SingleAction::WithPiggyback => Action::WithPiggyback,
                SingleAction::Piggyback => Action::Piggyback,
                SingleAction::Done => Action::Done,
                SingleAction::Ask => Action::Ask,
                SingleAction::AcceptOffer => Action::AcceptOffer,
                SingleAction::Decline => Action::Decline,
            },
        }
    }
}

/// The move that a bit of a card's mask stands for.
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
