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
    /// The bits of a card's mask that it can ever have: spaces, towers, and the roll.
    pub mask: u32,
    /// How far it moves a wizard and a tower, if it does.
    pub wizard: u8,
    pub tower: u8,
}

/// Where the towers begin in the mask of a card or a roll; the spaces come first.
pub(crate) const FIRST_TOWER: u8 = 16;
/// The bit of a card that moves nothing, or is rolled.
pub(crate) const ALONE: u8 = FIRST_TOWER + 9;

const fn ways() -> [Ways; 32] {
    let mut all = [Ways {
        mask: 0,
        wizard: 0,
        tower: 0,
    }; 32];
    let mut i = 0;
    while i < KINDS {
        let kind = &TABLE[i];
        let walks = if kind.wizard > 0 { 0xFFFF } else { 0 };
        let wanders = if kind.tower > 0 {
            0x1FF << FIRST_TOWER
        } else {
            0
        };
        let mask = if kind.dice > 0 {
            1 << ALONE
        } else {
            walks | wanders
        };
        all[i] = Ways {
            mask,
            wizard: kind.wizard,
            tower: kind.tower,
        };
        i += 1;
    }
    all
}

static WAYS: [Ways; 32] = ways();

impl Card {
    /// Whether this is an empty slot of a hand.
    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self.0 == NO_CARD
    }

    /// What the card can do with its numbers; what is not a card can do nothing.
    #[inline]
    pub(crate) fn ways(self) -> Ways {
        WAYS[self.0 as usize % WAYS.len()]
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

    fn kind(self) -> &'static Kind {
        static KINDS_TABLE: [Kind; KINDS] = TABLE;
        &KINDS_TABLE[self.0 as usize]
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
///
/// One word, a byte per card, the first card lowest: written and read whole, since a narrow write
/// followed by a wide read stalls a processor.
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

    /// The first three slots, each with whether it is not the same as the one before; empty slots
    /// come last.
    /// A hand has more than three only during an exchange.
    #[inline]
    pub(crate) fn slots(self) -> [(Card, bool); 3] {
        let [a, b, c, _] = self.0.to_le_bytes();
        [(Card(a), true), (Card(b), b != a), (Card(c), c != b)]
    }

    /// Whether it holds such a card.
    pub fn contains(self, card: Card) -> bool {
        self.0.to_le_bytes().contains(&card.0)
    }

    /// The bits of all cards before the first one that is not less than this.
    #[inline]
    fn before(self, card: Card) -> u32 {
        // No card is more than 127, so a byte minus this one borrows from its own top bit alone.
        let cards = self.0 & 0x7F7F_7F7F | 0x8080_8080;
        let at_least = cards.wrapping_sub(u32::from(card.0) * 0x0101_0101) & 0x8080_8080;
        (at_least & at_least.wrapping_neg())
            .wrapping_shr(7)
            .wrapping_sub(1)
    }

    #[inline]
    pub(crate) fn add(&mut self, card: Card) {
        debug_assert!(self.len() < 4);
        let before = self.before(card);
        let here = before.wrapping_add(1);
        self.0 = self.0 & before | here.wrapping_mul(u32::from(card.0)) | (self.0 & !before) << 8;
    }

    #[inline]
    pub(crate) fn remove(&mut self, card: Card) {
        debug_assert!(self.contains(card));
        let before = self.before(card);
        self.0 = self.0 & before | (self.0 >> 8 | 0xFF00_0000) & !before;
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

/// A multiset of cards: how many of each kind, a byte for each in three words.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pile([u64; 3]);

impl Pile {
    /// No cards.
    pub const EMPTY: Pile = Pile([0; 3]);

    /// All 90 cards.
    pub fn full_deck() -> Pile {
        let mut pile = Pile::EMPTY;
        for card in Card::all() {
            for _ in 0..card.copies() {
                pile.add(card);
            }
        }
        pile
    }

    /// How many of this kind.
    pub const fn count(&self, card: Card) -> u8 {
        (self.0[card.0 as usize / 8] >> (card.0 % 8 * 8)) as u8
    }

    /// How many cards in all.
    #[inline]
    pub fn len(&self) -> u8 {
        self.0
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
    pub fn nth(&self, n: u8) -> Option<Card> {
        Card::new(self.place_of(n))
    }

    /// Takes out the `n`-th card, which there must be.
    #[inline]
    pub(crate) fn take_nth(&mut self, n: u8) -> Card {
        let place = self.place_of(n).min(KINDS as u8 - 1);
        self.0[place as usize / 8] -= 1 << (place % 8 * 8);
        Card(place)
    }

    #[inline]
    fn place_of(&self, n: u8) -> u8 {
        // Every byte of a word of sums is the number of cards up to and including its kind.
        let [a, b, c] = self.0.map(|word| word.wrapping_mul(ONES));
        let first = (a >> 56) as u8;
        let second = first + (b >> 56) as u8;
        // Picked without a branch: which word it is cannot be foreseen.
        let word = usize::from(n >= first) + usize::from(n >= second);
        let (sums, before) = ([a, b, c][word], [0, first, second][word]);
        let base = 8 * word as u8;
        let reached = (sums | HIGHS).wrapping_sub(u64::from(n - before + 1) * ONES) & HIGHS;
        base + (reached.trailing_zeros() / 8) as u8
    }

    /// The kinds it has, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (Card, u8)> + '_ {
        Card::all()
            .map(|card| (card, self.count(card)))
            .filter(|&(_, n)| n > 0)
    }

    /// Adds one card.
    #[inline]
    pub fn add(&mut self, card: Card) {
        self.0[card.0 as usize / 8] += 1 << (card.0 % 8 * 8);
    }

    /// Takes one card out, if it has one.
    #[inline]
    pub fn take(&mut self, card: Card) -> bool {
        let had = self.count(card) > 0;
        self.0[card.0 as usize / 8] -= u64::from(had) << (card.0 % 8 * 8);
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
