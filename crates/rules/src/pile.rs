//! Cards that lie somewhere without an order: the draw pile, the discard pile.

use std::fmt;

use crate::card::{Card, KINDS};

/// A multiset of cards.
///
/// A byte for each kind, in three words: how many cards there are of it and of all kinds before. To
/// find a card by its number among them all is to count the bytes it exceeds, without a branch:
/// what is drawn cannot be foreseen.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pile([u64; 3]);

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// The top bits of all kinds but the last, and of no byte that stands for none.
const TOPS: [u64; 3] = [HIGHS, HIGHS, HIGHS >> 8 * (25 - KINDS)];

/// The most cards a pile can count: more than the deck has.
const MOST: u8 = 127;

/// A single card of each kind, as a pile counts it.
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

    /// What is left of this pile without another that is part of it.
    pub(crate) fn without(mut self, part: &Pile) -> Pile {
        for (word, less) in self.0.iter_mut().zip(part.0) {
            *word = word.wrapping_sub(less);
        }
        self
    }

    /// How many of this kind and of all kinds before.
    const fn up_to(&self, kind: usize) -> u8 {
        (self.0[kind / 8] >> (kind % 8 * 8)) as u8
    }

    /// How many of this kind.
    pub const fn count(&self, card: Card) -> u8 {
        match card.index() {
            0 => self.up_to(0),
            kind => self.up_to(kind) - self.up_to(kind - 1),
        }
    }

    /// How many cards in all.
    #[inline]
    pub const fn len(&self) -> u8 {
        (self.0[2] >> 56) as u8
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `n`-th card when they lie sorted; picking `n` evenly draws evenly.
    #[inline]
    pub fn nth(&self, n: u8) -> Option<Card> {
        let mut rest = *self;
        (n < self.len()).then(|| rest.take_nth(n))
    }

    /// Takes out the `n`-th card, which there must be.
    #[inline]
    pub(crate) fn take_nth(&mut self, n: u8) -> Card {
        debug_assert!(n < self.len());
        let number = u64::from(n) * ONES | HIGHS;
        let mut kind = 0;
        for (word, tops) in self.0.iter_mut().zip(TOPS) {
            // No count is more than 90, so each byte borrows from its own top bit alone.
            let exceeded = number.wrapping_sub(*word) & tops;
            kind += exceeded.count_ones();
            *word -= (exceeded ^ HIGHS) >> 7;
        }
        Card::at(kind as u8)
    }

    /// The kinds it has, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (Card, u8)> + '_ {
        Card::all()
            .map(|card| (card, self.count(card)))
            .filter(|&(_, n)| n > 0)
    }

    /// Adds one card, unless there are more already than any game has.
    #[inline]
    pub fn add(&mut self, card: Card) {
        let fits = u64::from(self.len() < MOST);
        for (word, more) in self.0.iter_mut().zip(SINGLE[card.index()]) {
            *word += more * fits;
        }
    }

    /// Takes one card out, if it has one.
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
