//! Lists of actions.
//!
//! A list holds groups: "card w3 with the wizard on any of these spaces". A group is one bit mask,
//! so listing takes as long as there are kinds of actions, not as long as there are actions.

use crate::action::{Action, Cast, Direction, Move, WizardTarget};
use crate::bits::{nth_bit, nth_space};
use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{Colour, Space, TOWERS, Tower};
use crate::spell::Spell;
use crate::surfaces::SurfaceSet;
use crate::towers::{Distances, TowerSpaces, TowerWay};

/// The most groups a position can have besides those of cards and refresh, and a few to spare.
const GROUPS: usize = 64;
/// How many different cards a hand has at most when one is to be played.
pub(crate) const SLOTS: usize = 3;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// A list of legal actions, kept to be filled again and again: it never allocates.
#[derive(Clone, Debug)]
pub struct Actions {
    turn: TurnActions,
    groups: [Group; GROUPS],
    /// Per group: how many actions it and those before it have.
    ends: [u16; GROUPS],
    len: usize,
    total: u32,
}

/// What nearly every list has: cards to play, and the refresh. There are seven groups, wizards and
/// towers for each of three cards, then the refresh, always in the same place. Only how many actions
/// they have is worked out beforehand; what an action is, when it is asked for.
#[derive(Clone, Copy, Debug)]
struct TurnActions {
    /// The card of every slot; what is not there has no actions.
    hand: Hand,
    /// Per slot: the surfaces whose wizard it can move.
    walkers: [SurfaceSet; SLOTS],
    /// Where the towers stand.
    spaces: TowerSpaces,
    /// How far the towers are from the castle, where they cannot go.
    distances: Distances,
    /// Per group, a byte each: how many actions it and those before it have.
    ends: u64,
}

/// A refresh moves a tower by 1, or none (R4.4).
pub(crate) const REFRESH: TowerWay = TowerWay::wander_or_not(1);

impl TurnActions {
    #[inline]
    const fn len(&self) -> usize {
        (self.ends >> 56) as usize
    }

    /// The `n`-th action, which there must be.
    #[inline]
    fn get(&self, n: u8) -> Action {
        // There are fewer than 128, so each byte borrows from its own top bit alone.
        let exceeded = (u64::from(n) * ONES | HIGHS).wrapping_sub(self.ends) & HIGHS;
        let group = exceeded.count_ones() as usize;
        let before = (self.ends << 8 >> (8 * group % 64)) as u8;
        let n = n.wrapping_sub(before);
        let slot = group / 2;
        if slot >= SLOTS {
            return Action::Refresh(match n {
                0 => None,
                n => Tower::new(self.distances.choices(REFRESH).towers().nth(n - 1)),
            });
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
        let towers = self.distances.choices(card.ways().tower).towers();
        match Tower::new(towers.nth(n)) {
            Some(tower) => Action::Play(card, Move::Tower(tower)),
            None if card.dice() > 0 => Action::Roll(card),
            None => Action::Play(card, Move::Nothing),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Group {
    head: Head,
    mask: u32,
}

/// What the actions of a group have in common; the bits of the mask say where they differ.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Head {
    /// A wizard of this space, another with it (R10.7).
    PlayPair(Card),
    /// A roll: bits 0–15 the wizards' spaces, then the towers, then [`ALONE`] and [`REROLL`].
    Accept,
    AcceptPair,
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

/// Where the towers begin in the mask of a roll; the spaces come first.
pub(crate) const FIRST_TOWER: u8 = 16;
/// The bit of a roll that moves nothing.
pub(crate) const ALONE: u8 = FIRST_TOWER + TOWERS as u8;
/// The bit for rolling again.
pub(crate) const REROLL: u8 = ALONE + 1;

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
pub(crate) enum One {
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
                ends: 0,
            },
            groups: [Group {
                head: Head::Accept,
                mask: 0,
            }; GROUPS],
            ends: [0; GROUPS],
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
    pub fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let turn = (0..self.turn.len()).map(|n| self.turn.get(n as u8));
        turn.chain(self.groups[..self.len].iter().flat_map(|group| {
            let head = group.head;
            (0..32)
                .filter(move |bit| group.mask >> bit & 1 == 1)
                .map(move |bit| head.action(bit))
        }))
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

    /// A list of nothing but the cards and the refresh of a turn. Per slot, the surfaces whose wizard
    /// can be moved; per group, a byte each, how many actions it has.
    #[inline]
    pub(crate) fn set_turn(
        &mut self,
        hand: Hand,
        walkers: [SurfaceSet; SLOTS],
        spaces: TowerSpaces,
        distances: Distances,
        counts: u64,
    ) {
        // Every byte of the product is the sum of the counts up to there.
        let ends = counts.wrapping_mul(ONES);
        self.turn = TurnActions {
            hand,
            walkers,
            spaces,
            distances,
            ends,
        };
        self.len = 0;
        self.total = (ends >> 56) as u32;
    }

    /// Adds a group, unless it is empty.
    #[inline]
    pub(crate) fn push(&mut self, head: Head, mask: u32) {
        debug_assert!(self.len < GROUPS);
        let slot = self.len % GROUPS;
        self.total += mask.count_ones();
        self.groups[slot] = Group { head, mask };
        self.ends[slot] = self.total as u16;
        self.len += usize::from(mask != 0);
    }

    pub(crate) fn one(&mut self, one: One) {
        self.push(Head::One(one), 1);
    }
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
            Head::Accept if bit == REROLL => Action::Reroll,
            Head::Accept => Action::Accept(moved(bit)),
            Head::PlayPair(card) => Action::Play(card, pair),
            Head::AcceptPair => Action::Accept(pair),
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
