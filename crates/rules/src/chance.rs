//! Chance: the rules request an outcome, the caller supplies it.

use crate::card::{Card, DECK, HAND};
use crate::error::Illegal;
use crate::event::{Event, Observer};
use crate::ids::{Colour, Seat};
use crate::spell::SpellSet;
use crate::state::State;
use crate::turn::Phase;
use crate::values::SoloDeck;

/// An outcome of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// `start b`: who begins (R3.5).
    Start(Colour),
    /// `spells AW,HT`: the spells in play (R3.4).
    Spells(SpellSet),
    /// `shuffle`: the discard pile becomes the draw pile (R4.6). There is only one outcome, because the draw pile has
    /// no order until a card is drawn.
    Shuffle,
    /// `draw b w3`: this hand gets this card.
    Draw(Colour, Card),
    /// `roll 4`: the value of the die (R4.8).
    Roll(u8),
}

/// What the rules ask chance for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChanceRequest {
    /// The starting player.
    Start,
    /// This number of spells, to be drawn at random (R3.4).
    Spells(u8),
    /// A shuffle of the discard pile.
    Shuffle,
    /// A card for this hand.
    Draw(Seat),
    /// A roll of the die.
    Roll,
}

impl State {
    /// The outcome the rules wait for; `None` when it is not chance's turn.
    #[inline]
    pub fn chance(&self) -> Option<ChanceRequest> {
        match self.turn.phase {
            Phase::DrawStart => Some(ChanceRequest::Start),
            Phase::DrawSpells => Some(ChanceRequest::Spells(self.turn.owed)),
            Phase::Rolling => Some(ChanceRequest::Roll),
            Phase::Refill | Phase::Deal | Phase::Redraw if self.draw.is_empty() => {
                Some(ChanceRequest::Shuffle)
            }
            Phase::Refill | Phase::Redraw => {
                Some(ChanceRequest::Draw(self.hand_owner(self.turn.active)))
            }
            Phase::Deal => Some(ChanceRequest::Draw(self.dealt_to())),
            _ => None,
        }
    }

    /// Every possible outcome with its weight. The probability of an outcome is its weight divided by the sum of all
    /// weights.
    pub fn chance_outcomes(&self) -> Vec<(Chance, u32)> {
        match self.chance() {
            None => Vec::new(),
            Some(ChanceRequest::Start) => self
                .seats()
                .map(|s| (Chance::Start(self.colour(s)), 1))
                .collect(),
            Some(ChanceRequest::Spells(k)) => SpellSet::all_of_size(k)
                .map(|set| (Chance::Spells(set), 1))
                .collect(),
            Some(ChanceRequest::Shuffle) => vec![(Chance::Shuffle, 1)],
            Some(ChanceRequest::Draw(seat)) => {
                let hand = self.hand_colour(seat);
                self.draw
                    .iter()
                    .map(|(card, n)| (Chance::Draw(hand, card), u32::from(n)))
                    .collect()
            }
            Some(ChanceRequest::Roll) => (1..=6).map(|v| (Chance::Roll(v), 1)).collect(),
        }
    }

    /// A random outcome: `pick(n)` returns a number below `n`, each equally likely.
    #[inline]
    pub fn sample_chance(&self, mut pick: impl FnMut(u32) -> u32) -> Option<Chance> {
        Some(match self.chance()? {
            ChanceRequest::Start => {
                Chance::Start(self.colour(Seat(pick(u32::from(self.seats)) as u8 % self.seats)))
            }
            ChanceRequest::Spells(k) => {
                let sets = SpellSet::all_of_size(k).count() as u32;
                Chance::Spells(SpellSet::all_of_size(k).nth(pick(sets) as usize)?)
            }
            ChanceRequest::Shuffle => Chance::Shuffle,
            ChanceRequest::Draw(seat) => Chance::Draw(
                self.hand_colour(seat),
                self.draw.nth(pick(u32::from(self.draw.len())) as u8)?,
            ),
            ChanceRequest::Roll => Chance::Roll(1 + (pick(6) % 6) as u8),
        })
    }

    /// Applies an outcome of chance. An outcome that was not requested changes nothing.
    pub fn apply_chance(&mut self, chance: Chance) -> Result<(), Illegal> {
        self.apply_chance_observed(chance, &mut ())
    }

    /// Applies random outcomes ([`State::sample_chance`], [`State::apply_chance`]) until a player is to act or the game
    /// is over.
    #[inline]
    pub fn settle(&mut self, mut pick: impl FnMut(u32) -> u32, observer: &mut impl Observer) {
        if self.turn.phase == Phase::Refill && self.refill(&mut pick, observer) {
            return;
        }
        if self.turn.phase == Phase::Rolling {
            self.roll(1 + (pick(6) % 6) as u8, observer);
        }
        if self.turn.phase < Phase::Turn {
            self.settle_other(&mut pick, observer);
        }
    }

    /// Applies outcomes drawn from a generator of the crate `rand` until a player is to act or the game is over.
    ///
    /// ```
    /// use rand::SeedableRng;
    /// use towers_rules::{Actor, Mode, Preset, Setup, State};
    /// let mut rng = rand::rngs::SmallRng::seed_from_u64(7);
    /// let mut state = State::new(&Setup::new(Preset::Capstone, Mode::Versus, 2))?;
    /// state.settle_with(&mut rng);
    /// assert_eq!(state.actor(), Actor::Player(state.start()));
    /// # Ok::<(), towers_rules::SetupError>(())
    /// ```
    #[cfg(feature = "rand")]
    pub fn settle_with<R: rand::Rng + ?Sized>(&mut self, rng: &mut R) {
        use rand::RngExt as _;
        self.settle(|n| rng.random_range(0..n), &mut ());
    }

    /// Refills the hand (R4.5) and starts the next turn. If there are too few cards, does nothing and returns `false`.
    #[inline]
    fn refill(&mut self, pick: &mut impl FnMut(u32) -> u32, observer: &mut impl Observer) -> bool {
        let cards = self.turn.owed;
        if cards > self.draw.len() {
            return false;
        }
        let seat = self.hand_owner(self.turn.active);
        let mut hand = self.hands[seat.index()];
        for _ in 0..cards {
            let card = self.draw.take_nth(pick(u32::from(self.draw.len())) as u8);
            hand.draw(card);
            observer.record(Event::Drew {
                seat,
                card: Some(card),
            });
        }
        hand.sort();
        self.hands[seat.index()] = hand;
        self.turn.owed = 0;
        self.next_turn(observer);
        true
    }

    /// Applies every outcome other than the usual refill; separate, so that the refill stays small.
    #[inline(never)]
    fn settle_other(&mut self, pick: &mut impl FnMut(u32) -> u32, observer: &mut impl Observer) {
        while let Some(chance) = self.sample_chance(&mut *pick) {
            self.apply_chance_unchecked(chance, observer);
        }
    }

    /// Applies an outcome that is known to be legal, for instance one that was just sampled. Any other outcome corrupts
    /// the state or panics.
    #[inline]
    pub fn apply_chance_unchecked(&mut self, chance: Chance, observer: &mut impl Observer) {
        match chance {
            Chance::Draw(_, card) => {
                let seat = match self.turn.phase {
                    Phase::Deal => self.dealt_to(),
                    _ => self.hand_owner(self.turn.active),
                };
                self.draw_card(seat, card, observer);
            }
            Chance::Roll(value) => self.roll(value, observer),
            _ => {
                let answered = self.apply_chance_observed(chance, observer);
                debug_assert!(answered.is_ok());
            }
        }
    }

    #[inline]
    fn draw_card(&mut self, seat: Seat, card: Card, observer: &mut impl Observer) {
        self.draw.take(card);
        self.hands[seat.index()].add(card);
        self.turn.owed -= 1;
        observer.record(Event::Drew {
            seat,
            card: Some(card),
        });
        self.after_card(observer);
    }

    #[inline]
    fn roll(&mut self, value: u8, observer: &mut impl Observer) {
        self.turn.rolled = value;
        self.turn.phase = Phase::Rolled;
        observer.record(Event::Rolled {
            seat: self.turn.active,
            value,
        });
    }

    /// Like [`State::apply_chance`]; the observer receives the events.
    pub fn apply_chance_observed(
        &mut self,
        chance: Chance,
        observer: &mut impl Observer,
    ) -> Result<(), Illegal> {
        let request = self.chance().ok_or(Illegal::NoChance)?;
        match (request, chance) {
            (ChanceRequest::Start, Chance::Start(colour)) => {
                self.start = self.seat_of(colour).ok_or(Illegal::OtherChance)?;
                observer.record(Event::StartDrawn { seat: self.start });
                self.after_start();
            }
            (ChanceRequest::Spells(k), Chance::Spells(spells)) => {
                if spells.len() != k {
                    return Err(Illegal::OtherChance);
                }
                self.spells = spells;
                observer.record(Event::SpellsDrawn { spells });
                self.begin_deal();
            }
            (ChanceRequest::Shuffle, Chance::Shuffle) => {
                self.draw = self.discard_pile();
                observer.record(Event::Reshuffled);
            }
            (ChanceRequest::Draw(seat), Chance::Draw(colour, card)) => {
                if colour != self.hand_colour(seat) {
                    return Err(Illegal::OtherChance);
                }
                if self.draw.count(card) == 0 {
                    return Err(Illegal::NotInPile(card));
                }
                self.draw_card(seat, card, observer);
            }
            (ChanceRequest::Roll, Chance::Roll(value)) => {
                if !(1..=6).contains(&value) {
                    return Err(Illegal::NoSuchRoll);
                }
                self.roll(value, observer);
            }
            _ => return Err(Illegal::OtherChance),
        }
        Ok(())
    }

    /// The colour that names a hand in notation: that of its seat; a shared hand is blue.
    pub fn hand_colour(&self, hand_owner: Seat) -> Colour {
        if self.shares_hand() {
            Colour::Blue
        } else {
            self.colour(hand_owner)
        }
    }

    /// Whether an empty draw pile is refilled from the discard pile (R4.6, R14.2, R14.4).
    #[inline]
    pub(crate) fn can_renew(&self) -> bool {
        let renews = !self.shares_pieces() || self.renews();
        let held: u8 = self.hands.iter().map(|h| h.len()).sum();
        renews && self.draw.len() + held < DECK
    }

    /// Whether the draw pile is refilled in solo and cooperative games (R14.4).
    #[inline]
    pub(crate) fn renews(&self) -> bool {
        self.rules.solo_deck() == SoloDeck::Renew
    }

    pub(crate) fn hand_count(&self) -> u8 {
        if self.shares_hand() { 1 } else { self.seats }
    }

    /// The seat that gets the next card of the deal: three cards each, in turn order (R3.3).
    fn dealt_to(&self) -> Seat {
        if self.shares_hand() {
            return Seat(0);
        }
        let dealt = self.hand_count() * HAND - self.turn.owed;
        Seat((self.start.0 + dealt / HAND) % self.seats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Actions, Actor, Mode, Preset, Setup, Spells};

    /// Pseudo-random numbers from a seed.
    fn picks(mut seed: u64) -> impl FnMut(u32) -> u32 {
        move |n| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 32) * u64::from(n) >> 32) as u32
        }
    }

    #[test]
    fn settling_equals_applying_chance_one_by_one() {
        for players in 2..=6 {
            let mut setup = Setup::new(Preset::Capstone, Mode::Versus, players);
            setup.start = None;
            setup.spells = Spells::Random(2);
            let mut quick = State::new(&setup).expect("the setup is legal");
            let mut slow = quick;
            let seed = players as u64;
            let (mut one, mut other) = (picks(seed), picks(seed));
            let mut list = Actions::new();
            for n in 0..400 {
                quick.settle(&mut one, &mut ());
                while let Some(chance) = slow.sample_chance(&mut other) {
                    slow.apply_chance(chance)
                        .expect("it answers what was asked");
                }
                assert_eq!(quick, slow);
                let Actor::Player(seat) = quick.actor() else {
                    break;
                };
                quick.legal_actions_into(&mut list);
                let action = list.get(n * 7 % list.len()).expect("there is one");
                quick.apply_unchecked(seat, action, &mut ());
                slow.apply(seat, action).expect("it was listed");
            }
        }
    }
}
