//! The 90 movement cards (R2.5).

use std::fmt;

use crate::action::Move;
use crate::towers::TowerWay;

/// How many kinds of cards there are.
pub const KINDS: usize = 23;
/// How many cards there are in all.
pub const DECK: u8 = 90;
/// How many cards a hand is refilled to (R4.5).
pub const HAND: u8 = 3;
/// What an empty slot of a hand holds instead of a card.
pub(crate) const NO_CARD: u8 = u8::MAX;

/// A movement card. The order of the kinds is the bytewise order of their texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub(crate) u8);

struct Kind {
    text: &'static str,
    wizard: u8,
    tower: u8,
    dice: u8,
    copies: u8,
}

const fn kind(text: &'static str, wizard: u8, tower: u8, dice: u8, copies: u8) -> Kind {
    Kind {
        text,
        wizard,
        tower,
        dice,
        copies,
    }
}

/// R2.5. For dice cards `wizard` and `tower` say which ways there are.
const TABLE: [Kind; KINDS] = [
    kind("t1", 0, 1, 0, 4),
    kind("t2", 0, 2, 0, 4),
    kind("t3", 0, 3, 0, 4),
    kind("t4", 0, 4, 0, 4),
    kind("t5", 0, 5, 0, 4),
    kind("t??", 0, 1, 2, 3),
    kind("t???", 0, 1, 3, 1),
    kind("w1", 1, 0, 0, 4),
    kind("w1t1", 1, 1, 0, 3),
    kind("w1t5", 1, 5, 0, 6),
    kind("w2", 2, 0, 0, 4),
    kind("w2t2", 2, 2, 0, 3),
    kind("w2t4", 2, 4, 0, 6),
    kind("w3", 3, 0, 0, 4),
    kind("w3t3", 3, 3, 0, 3),
    kind("w4", 4, 0, 0, 4),
    kind("w4t2", 4, 2, 0, 6),
    kind("w4t4", 4, 4, 0, 3),
    kind("w5", 5, 0, 0, 4),
    kind("w5t1", 5, 1, 0, 6),
    kind("w??", 1, 0, 2, 3),
    kind("w???", 1, 0, 3, 1),
    kind("w?t?", 1, 1, 1, 6),
];

/// What a card can do with its numbers, laid out so that listing actions needs no branches.
#[derive(Clone, Copy)]
pub(crate) struct Ways {
    /// What it does with towers, or that it can be played without a move.
    pub tower: TowerWay,
    /// All bits if it can move a wizard, otherwise none.
    pub wizards: u64,
    /// How far it moves a wizard.
    pub wizard: u8,
}

impl Ways {
    /// Whether this is what a card can do, and not what an empty slot can.
    pub(crate) const fn is_card(&self) -> bool {
        !self.tower.is_none()
    }
}

/// What every card can do; what is not a card can do nothing.
static WAYS: [Ways; 32] = {
    let mut all = [Ways {
        tower: TowerWay::NONE,
        wizards: 0,
        wizard: 0,
    }; 32];
    let mut i = 0;
    while i < KINDS {
        let kind = &TABLE[i];
        all[i] = Ways {
            // R4.2: without a legal move it is discarded. A dice card is rolled in any case (R4.8).
            tower: match (kind.tower, kind.dice) {
                (0, 0) => TowerWay::IDLE,
                (steps, 0) => TowerWay::wander(steps),
                _ => TowerWay::ALONE,
            },
            wizards: if kind.wizard > 0 && kind.dice == 0 {
                u64::MAX
            } else {
                0
            },
            wizard: kind.wizard,
        };
        i += 1;
    }
    all
};

impl Card {
    /// The card kind with an index that is known to be one.
    #[inline]
    pub(crate) const fn at(index: u8) -> Card {
        debug_assert!(index < KINDS as u8);
        Card(index)
    }

    /// What the card can do with its numbers; what is not a card can do nothing.
    #[inline]
    pub(crate) fn ways(self) -> &'static Ways {
        &WAYS[self.0 as usize % WAYS.len()]
    }

    /// How far a card with numbers moves something.
    #[inline]
    pub(crate) fn steps_of(self, how: Move) -> u8 {
        match how {
            Move::Wizard { .. } => self.ways().wizard,
            Move::Tower(_) => self.ways().tower.steps.number(),
            Move::Nothing => 0,
        }
    }

    /// The card kind with this index, 0–22.
    pub const fn new(index: u8) -> Option<Card> {
        if index < KINDS as u8 {
            Some(Card(index))
        } else {
            None
        }
    }

    /// The card kind with this text.
    pub fn from_text(text: &str) -> Option<Card> {
        Card::all().find(|card| card.text() == text)
    }

    /// All 23 kinds.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..KINDS as u8).map(Card)
    }

    /// The kind as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    const fn kind(self) -> &'static Kind {
        const KINDS_TABLE: &[Kind; KINDS] = &TABLE;
        &KINDS_TABLE[self.0 as usize]
    }

    /// How notation writes it.
    pub fn text(self) -> &'static str {
        self.kind().text
    }

    /// How many copies the deck has.
    pub const fn copies(self) -> u8 {
        self.kind().copies
    }

    /// How many dice it shows, 0 for a card with numbers (R4.8).
    pub fn dice(self) -> u8 {
        self.kind().dice
    }

    /// How far it moves a wizard, if it can move one: its number, or what was rolled.
    #[inline]
    pub fn wizard_steps(self, rolled: u8) -> Option<u8> {
        let kind = self.kind();
        match (kind.wizard, kind.dice) {
            (0, _) => None,
            (n, 0) => Some(n),
            _ => Some(rolled),
        }
    }

    /// How far it moves a tower, if it can move one: its number, or what was rolled.
    #[inline]
    pub fn tower_steps(self, rolled: u8) -> Option<u8> {
        let kind = self.kind();
        match (kind.tower, kind.dice) {
            (0, _) => None,
            (n, 0) => Some(n),
            _ => Some(rolled),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
