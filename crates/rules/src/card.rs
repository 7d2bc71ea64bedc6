//! The 90 movement cards (R2.5).

use std::fmt;

use crate::action::Move;
use crate::towers::TowerPath;

/// The number of card kinds.
pub const KINDS: usize = 23;
/// The number of cards in the deck.
pub const DECK: u8 = 90;
/// The number of cards a hand is refilled to (R4.5).
pub const HAND: u8 = 3;
/// The value of an empty hand slot.
pub(crate) const NO_CARD: u8 = u8::MAX;

/// A movement card. Kinds are ordered by their notation, bytewise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub(crate) u8);

struct CardKind {
    text: &'static str,
    wizard: u8,
    tower: u8,
    dice: u8,
    copies: u8,
}

const fn kind(text: &'static str, wizard: u8, tower: u8, dice: u8, copies: u8) -> CardKind {
    CardKind {
        text,
        wizard,
        tower,
        dice,
        copies,
    }
}

/// R2.5. For a dice card, non-zero `wizard` and `tower` say what it can move.
const TABLE: [CardKind; KINDS] = [
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

/// The moves of a card with numbers, laid out so that listing actions needs no branches.
#[derive(Clone, Copy)]
pub(crate) struct CardMoves {
    /// Its tower moves, or that it can be played without a move.
    pub tower: TowerPath,
    /// All bits set if the card can move a wizard, otherwise 0.
    pub wizards: u64,
    /// How far it moves a wizard.
    pub wizard: u8,
}

impl CardMoves {
    /// Whether this belongs to a card and not to an empty slot.
    pub(crate) const fn is_card(&self) -> bool {
        !self.tower.is_none()
    }
}

/// The moves of every card kind; an index that is no card has none.
static CARD_MOVES: [CardMoves; 32] = {
    let mut all = [CardMoves {
        tower: TowerPath::NONE,
        wizards: 0,
        wizard: 0,
    }; 32];
    let mut i = 0;
    while i < KINDS {
        let kind = &TABLE[i];
        all[i] = CardMoves {
            // R4.2: a card without a legal move is discarded. A dice card is rolled in any case (R4.8).
            tower: match (kind.tower, kind.dice) {
                (0, 0) => TowerPath::IDLE,
                (steps, 0) => TowerPath::wander(steps),
                _ => TowerPath::ALONE,
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
    /// The card kind with a valid index.
    #[inline]
    pub(crate) const fn at(index: u8) -> Card {
        debug_assert!(index < KINDS as u8);
        Card(index)
    }

    /// The moves of the card; an empty slot has none.
    #[inline]
    pub(crate) fn moves(self) -> &'static CardMoves {
        &CARD_MOVES[self.0 as usize % CARD_MOVES.len()]
    }

    /// How far a card with numbers moves a piece.
    #[inline]
    pub(crate) fn steps_of(self, how: Move) -> u8 {
        match how {
            Move::Wizard { .. } => self.moves().wizard,
            Move::Tower(_) => self.moves().tower.steps.number(),
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

    const fn kind(self) -> &'static CardKind {
        const KINDS_TABLE: &[CardKind; KINDS] = &TABLE;
        &KINDS_TABLE[self.0 as usize]
    }

    /// Its text in notation.
    pub fn text(self) -> &'static str {
        self.kind().text
    }

    /// How many copies the deck contains.
    pub const fn copies(self) -> u8 {
        self.kind().copies
    }

    /// The number of dice on the card, 0 for a card with numbers (R4.8).
    pub fn dice(self) -> u8 {
        self.kind().dice
    }

    /// How far it moves a wizard: its number, or the roll for a dice card. `None` if it moves none.
    #[inline]
    pub fn wizard_steps(self, rolled: u8) -> Option<u8> {
        let kind = self.kind();
        match (kind.wizard, kind.dice) {
            (0, _) => None,
            (n, 0) => Some(n),
            _ => Some(rolled),
        }
    }

    /// How far it moves a tower: its number, or the roll for a dice card. `None` if it moves none.
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
