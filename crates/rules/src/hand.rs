//! The cards a player holds.

use std::fmt;

use crate::card::{Card, NO_CARD};

/// Up to four cards, sorted; four only between the two halves of an exchange (R12.2).
///
/// One word with a byte per card, the lowest card in the lowest byte. It is always written and read as a whole: a
/// narrow write followed by a wide read stalls the processor.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand(u32);

impl Hand {
    /// A hand without cards.
    pub const EMPTY: Hand = Hand(u32::MAX);

    /// How many cards it holds.
    #[inline]
    pub fn len(self) -> u8 {
        4 - (self.0 & 0x8080_8080).count_ones() as u8
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self == Hand::EMPTY
    }

    /// The cards, sorted.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        self.0
            .to_le_bytes()
            .into_iter()
            .take_while(|&c| c != NO_CARD)
            .map(Card)
    }

    /// The hand with duplicates removed; the remaining cards keep their slots.
    #[inline]
    pub(crate) fn distinct(self) -> Hand {
        let differ = self.0 ^ (self.0 << 8 | u32::from(NO_CARD));
        // The top bit of every byte that is not 0.
        let differs = (differ & 0x7F7F_7F7F).wrapping_add(0x7F7F_7F7F) | differ;
        let same = !differs >> 7 & 0x0101_0101;
        Hand(self.0 | same * u32::from(NO_CARD))
    }

    /// Whether the card of each of the three slots differs from the one before it.
    #[inline]
    pub(crate) const fn first_of_kind(self) -> [bool; 3] {
        let differ = self.0 ^ self.0 >> 8;
        [true, differ & 0xFF != 0, differ & 0xFF00 != 0]
    }

    /// The content of a slot: a card or [`NO_CARD`].
    #[inline]
    pub(crate) const fn slot(self, slot: usize) -> Card {
        Card((self.0 >> (slot * 8 % 32)) as u8)
    }

    /// Whether it holds such a card.
    pub fn contains(self, card: Card) -> bool {
        self.0.to_le_bytes().contains(&card.0)
    }

    /// The bytes of all cards that are not less than `card`; they come last.
    #[inline]
    fn from(self, card: Card) -> u32 {
        // No card exceeds 127, so the subtraction borrows only from the top bit of each byte.
        let cards = self.0 | 0x8080_8080;
        let at_least = cards.wrapping_sub(u32::from(card.0) * 0x0101_0101) & 0x8080_8080;
        (at_least >> 7) * 0xFF
    }

    #[inline]
    pub(crate) fn add(&mut self, card: Card) {
        debug_assert!(self.len() < 4);
        let from = self.from(card);
        let after = from << 8;
        let here = (from ^ after) & u32::from(card.0) * 0x0101_0101;
        self.0 = self.0 & !from | here | (self.0 << 8) & after;
    }

    /// The number of cards missing to three.
    #[inline]
    pub(crate) fn missing(self) -> u8 {
        let empty = (self.0 & 0x8080_8080).count_ones() as u8;
        empty.saturating_sub(1)
    }

    /// Puts a card before the others, which leaves the hand [unsorted](Hand::sort). Ignored if there are four already.
    #[inline]
    pub(crate) fn draw(&mut self, card: Card) {
        debug_assert!(self.len() < 4);
        self.0 = self.0 << 8 | u32::from(card.0);
    }

    /// Sorts up to three cards after drawing.
    #[inline]
    pub(crate) fn sort(&mut self) {
        debug_assert!(self.len() < 4);
        let [a, b, c, none] = self.0.to_le_bytes();
        let (a, b) = (a.min(b), a.max(b));
        let (b, c) = (b.min(c), b.max(c));
        let (a, b) = (a.min(b), a.max(b));
        self.0 = u32::from_le_bytes([a, b, c, none]);
    }

    #[inline]
    pub(crate) fn remove(&mut self, card: Card) {
        debug_assert!(self.contains(card));
        let rest = self.0 >> 8 | u32::from(NO_CARD) << 24;
        self.0 ^= (self.0 ^ rest) & self.from(card);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All hands of three cards, in every order.
    fn threes() -> impl Iterator<Item = [Card; 3]> {
        Card::all().flat_map(|a| Card::all().flat_map(move |b| Card::all().map(move |c| [a, b, c])))
    }

    #[test]
    fn a_hand_stays_sorted() {
        for cards in threes() {
            let mut sorted = cards;
            sorted.sort();
            let hand: Hand = cards.into_iter().collect();
            assert_eq!(hand.iter().collect::<Vec<_>>(), sorted);
            assert_eq!(hand.len(), 3);
            for gone in 0..3 {
                let mut rest = hand;
                rest.remove(cards[gone]);
                let others: Hand = (0..3).filter(|&i| i != gone).map(|i| cards[i]).collect();
                assert_eq!(rest, others);
                assert!(others.len() == 2 && !others.is_empty());
            }
        }
    }

    #[test]
    fn drawn_cards_are_sorted_after_the_refill() {
        for cards in threes() {
            for held in 0..3 {
                let mut hand: Hand = cards[..held].iter().copied().collect();
                assert_eq!(usize::from(hand.missing()), 3 - held);
                for &card in &cards[held..] {
                    hand.draw(card);
                }
                hand.sort();
                assert_eq!(hand, cards.into_iter().collect());
                assert_eq!(hand.missing(), 0);
            }
        }
    }

    #[test]
    fn distinct_keeps_the_first_of_equal_cards() {
        for cards in threes() {
            let hand: Hand = cards.into_iter().collect();
            let first = |slot: usize| slot == 0 || hand.slot(slot) != hand.slot(slot - 1);
            for slot in 0..3 {
                assert_eq!(hand.first_of_kind()[slot], first(slot));
                let kept = if first(slot) {
                    hand.slot(slot).0
                } else {
                    NO_CARD
                };
                assert_eq!(hand.distinct().slot(slot).0, kept);
            }
        }
    }
}
