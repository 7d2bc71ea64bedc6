//! Unordered cards: the draw pile and the discard pile.

use std::fmt;

use crate::card::{Card, KINDS};

/// A multiset of cards.
///
/// Three words with one byte per kind: the number of cards of that kind and of all kinds before it. The `n`-th card is
/// found by counting the bytes it exceeds. That takes no branch, and the processor could not predict one, since draws
/// are random.
///
/// ```text
/// word 0, byte 0   cards of kind 0
/// word 0, byte 1   cards of kinds 0 and 1
/// word 1, byte 0   cards of kinds 0 to 8
/// word 2, byte 6   cards of kinds 0 to 22, the last one
/// word 2, byte 7   the same: the number of cards
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pile([u64; 3]);

const BYTE_ONES: u64 = 0x0101_0101_0101_0101;
const BYTE_HIGH_BITS: u64 = BYTE_ONES << 7;

/// The top bits of the bytes of all kinds but the last; the unused byte has none.
const TOPS: [u64; 3] = [
    BYTE_HIGH_BITS,
    BYTE_HIGH_BITS,
    BYTE_HIGH_BITS >> 8 * (25 - KINDS),
];

/// The most cards a pile can count, more than the deck contains.
const MAX_COUNT: u8 = 127;

/// One card of each kind in the representation of a pile.
const SINGLE: &[[u64; 3]; KINDS] = &{
    let mut all = [[0; 3]; KINDS];
    let mut card = 0;
    while card < KINDS {
        let mut kind = card;
        while kind < 24 {
            all[card][kind / 8] |= 1 << (kind % 8 * 8);
            kind += 1;
        }
        card += 1;
    }
    all
};

impl Pile {
    /// No cards.
    pub const EMPTY: Pile = Pile([0; 3]);

    /// All 90 cards.
    pub const fn full_deck() -> Pile {
        const DECK: Pile = {
            let mut pile = Pile::EMPTY;
            let mut kind = 0;
            while kind < KINDS {
                let copies = Card::at(kind as u8).copies() as u64;
                let mut word = 0;
                while word < 3 {
                    pile.0[word] += SINGLE[kind][word] * copies;
                    word += 1;
                }
                kind += 1;
            }
            pile
        };
        DECK
    }

    /// The cards of this pile minus those of another, which must be part of it.
    pub(crate) fn without(mut self, part: &Pile) -> Pile {
        for (word, less) in self.0.iter_mut().zip(part.0) {
            *word = word.wrapping_sub(less);
        }
        self
    }

    /// The number of cards of this kind and of all kinds before it.
    const fn up_to(&self, kind: usize) -> u8 {
        (self.0[kind / 8] >> (kind % 8 * 8)) as u8
    }

    /// The number of cards of this kind.
    pub const fn count(&self, card: Card) -> u8 {
        match card.index() {
            0 => self.up_to(0),
            kind => self.up_to(kind) - self.up_to(kind - 1),
        }
    }

    /// The number of cards of all kinds.
    #[inline]
    pub const fn len(&self) -> u8 {
        (self.0[2] >> 56) as u8
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `n`-th card in sorted order. A uniform `n` gives a uniform draw.
    #[inline]
    pub fn nth(&self, n: u8) -> Option<Card> {
        let mut rest = *self;
        (n < self.len()).then(|| rest.take_nth(n))
    }

    /// Removes the `n`-th card, which must exist.
    #[inline]
    pub(crate) fn take_nth(&mut self, n: u8) -> Card {
        debug_assert!(n < self.len());
        let number = u64::from(n) * BYTE_ONES | BYTE_HIGH_BITS;
        let mut kind = 0;
        for (word, tops) in self.0.iter_mut().zip(TOPS) {
            // No count exceeds 127, so the subtraction borrows only from the top bit of each byte, which stays set where
            // the `n`-th card is of a later kind.
            let exceeded = number.wrapping_sub(*word) & tops;
            kind += exceeded.count_ones();
            *word -= (exceeded ^ BYTE_HIGH_BITS) >> 7;
        }
        Card::at(kind as u8)
    }

    /// The kinds in the pile with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Card, u8)> + '_ {
        Card::all()
            .map(|card| (card, self.count(card)))
            .filter(|&(_, n)| n > 0)
    }

    /// Adds a card. Ignored beyond 127 cards, more than any game has.
    #[inline]
    pub fn add(&mut self, card: Card) {
        let fits = u64::from(self.len() < MAX_COUNT);
        for (word, more) in self.0.iter_mut().zip(SINGLE[card.index()]) {
            *word += more * fits;
        }
    }

    /// Removes a card; returns whether there was one.
    #[inline]
    pub fn take(&mut self, card: Card) -> bool {
        let had = self.count(card) > 0;
        for (word, less) in self.0.iter_mut().zip(SINGLE[card.index()]) {
            *word -= less * u64::from(had);
        }
        had
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_card_of_a_pile_is_that_of_a_sorted_one() {
        let mut pile = Pile::full_deck();
        let mut cards: Vec<Card> = pile
            .iter()
            .flat_map(|(card, n)| std::iter::repeat_n(card, n.into()))
            .collect();
        assert_eq!(cards.len(), 90);
        let mut number = 7;
        while !cards.is_empty() {
            assert_eq!(usize::from(pile.len()), cards.len());
            for (n, &card) in cards.iter().enumerate() {
                assert_eq!(pile.nth(n as u8), Some(card));
            }
            assert_eq!(pile.nth(cards.len() as u8), None);
            number = (number * 31 + 5) % cards.len();
            assert_eq!(pile.take_nth(number as u8), cards.remove(number));
            number += 11;
        }
        assert!(pile.is_empty() && !pile.take(Card::at(0)));
    }
}
