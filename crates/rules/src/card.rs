//! The 90 movement cards (R2.5), hands, and the draw pile as a multiset.

use std::fmt;

/// How many kinds of cards there are.
pub const KINDS: usize = 23;
/// How many cards there are in all.
pub const DECK: u8 = 90;
/// How many cards a hand is refilled to (R4.5).
pub const HAND: u8 = 3;

/// A movement card. The order of the kinds is the bytewise order of their texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

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
static TABLE: [Kind; KINDS] = [
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

impl Card {
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

    fn kind(self) -> &'static Kind {
        &TABLE[self.0 as usize]
    }

    /// How notation writes it.
    pub fn text(self) -> &'static str {
        self.kind().text
    }

    /// How many copies the deck has.
    pub fn copies(self) -> u8 {
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

const NO_CARD: u8 = u8::MAX;

/// Up to four cards, sorted; four only between the two halves of an exchange (R12.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand([u8; 4]);

impl Hand {
    /// A hand without cards.
    pub const EMPTY: Hand = Hand([NO_CARD; 4]);

    /// How many cards it holds.
    #[inline]
    pub fn len(self) -> u8 {
        (u32::from_le_bytes(self.0) & 0x8080_8080).count_zeros() as u8 - 28
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.0[0] == NO_CARD
    }

    /// The cards, sorted.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        self.0.into_iter().take_while(|&c| c != NO_CARD).map(Card)
    }

    /// The kinds in it, each once.
    #[inline]
    pub(crate) fn kinds(self) -> impl Iterator<Item = Card> {
        let mut last = NO_CARD;
        self.iter()
            .filter(move |card| std::mem::replace(&mut last, card.0) != card.0)
    }

    /// Whether it holds such a card.
    pub fn contains(self, card: Card) -> bool {
        self.0.contains(&card.0)
    }

    #[inline]
    pub(crate) fn add(&mut self, card: Card) {
        debug_assert!(self.len() < 4);
        let mut carry = card.0;
        for slot in &mut self.0 {
            let low = carry.min(*slot);
            carry = carry.max(*slot);
            *slot = low;
        }
    }

    #[inline]
    pub(crate) fn remove(&mut self, card: Card) {
        debug_assert!(self.contains(card));
        let [a, b, c, d] = self.0;
        let gone = card.0;
        // Close the gap: everything from the first such card on moves up one place.
        self.0 = if a == gone {
            [b, c, d, NO_CARD]
        } else if b == gone {
            [a, c, d, NO_CARD]
        } else if c == gone {
            [a, b, d, NO_CARD]
        } else {
            [a, b, c, NO_CARD]
        };
    }
}

impl FromIterator<Card> for Hand {
    /// Panics in debug builds on more than four cards.
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Hand {
        let mut hand = Hand::EMPTY;
        for card in cards {
            hand.add(card);
        }
        hand
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(Card::text)).finish()
    }
}

/// A multiset of cards: how many of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pile([u8; KINDS + 1]);

impl Pile {
    /// No cards.
    pub const EMPTY: Pile = Pile([0; KINDS + 1]);

    /// All 90 cards.
    pub fn full_deck() -> Pile {
        let mut pile = Pile::EMPTY;
        for card in Card::all() {
            pile.0[card.index()] = card.copies();
        }
        pile
    }

    /// How many of this kind.
    pub const fn count(&self, card: Card) -> u8 {
        self.0[card.0 as usize]
    }

    /// How many cards in all.
    #[inline]
    pub fn len(&self) -> u8 {
        self.words()
            .iter()
            .map(|w| (w.wrapping_mul(ONES) >> 56) as u8)
            .sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Pile::EMPTY
    }

    /// The `n`-th card when they lie sorted; picking `n` evenly draws evenly.
    #[inline]
    pub fn nth(&self, mut n: u8) -> Option<Card> {
        for (i, word) in self.words().into_iter().enumerate() {
            // Every byte of `sums` is the number of cards up to and including its kind.
            let sums = word.wrapping_mul(ONES);
            let total = (sums >> 56) as u8;
            if n < total {
                let reached = (sums | HIGHS).wrapping_sub(u64::from(n + 1) * ONES) & HIGHS;
                return Some(Card(i as u8 * 8 + (reached.trailing_zeros() / 8) as u8));
            }
            n -= total;
        }
        None
    }

    /// The kinds it has, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (Card, u8)> + '_ {
        Card::all()
            .map(|card| (card, self.count(card)))
            .filter(|&(_, n)| n > 0)
    }

    #[inline]
    fn words(&self) -> [u64; 3] {
        let word = |i: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&self.0[i..i + 8]);
            u64::from_le_bytes(bytes)
        };
        [word(0), word(8), word(16)]
    }

    /// Adds one card.
    #[inline]
    pub fn add(&mut self, card: Card) {
        self.0[card.index()] += 1;
    }

    /// Takes one card out, if it has one.
    #[inline]
    pub fn take(&mut self, card: Card) -> bool {
        let count = &mut self.0[card.index()];
        let had = *count > 0;
        *count -= u8::from(had);
        had
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

impl FromIterator<Card> for Pile {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Pile {
        let mut pile = Pile::EMPTY;
        for card in cards {
            pile.add(card);
        }
        pile
    }
}

impl fmt::Debug for Pile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.iter().map(|(card, n)| (card.text(), n)))
            .finish()
    }
}
