//! What is left to chance: asked for by the rules, answered by the caller.

use crate::card::{Card, DECK, HAND};
use crate::error::Illegal;
use crate::event::{Event, Watch};
use crate::ids::{Colour, Seat};
use crate::spell::SpellSet;
use crate::state::State;
use crate::turn::Phase;

/// What chance decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// `start b`: who begins (R3.5).
    Start(Colour),
    /// `spells AW,HT`: the spells in play (R3.4).
    Spells(SpellSet),
    /// `shuffle`: the discard pile becomes the draw pile (R4.6). It has one outcome: the draw pile
    /// has no order until a card is drawn.
    Shuffle,
    /// `draw b w3`: this hand gets this card.
    Draw(Colour, Card),
    /// `roll 4`
    Roll(u8),
}

/// What the rules ask chance for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// The starting player.
    Start,
    /// So many spells.
    Spells(u8),
    /// A shuffle of the discard pile.
    Shuffle,
    /// A card for this hand.
    Draw(Seat),
    /// A roll of the die.
    Roll,
}

impl State {
    /// What chance is asked for, if it is chance's turn.
    #[inline]
    pub fn chance(&self) -> Option<Request> {
        match self.turn.phase {
            Phase::DrawStart => Some(Request::Start),
            Phase::DrawSpells => Some(Request::Spells(self.turn.owed)),
            Phase::Rolling => Some(Request::Roll),
            Phase::Refill | Phase::Deal if self.draw.is_empty() => Some(Request::Shuffle),
            Phase::Refill => Some(Request::Draw(self.hand_owner(self.turn.active))),
            Phase::Deal => Some(Request::Draw(self.dealt_to())),
            _ => None,
        }
    }

    /// Every possible outcome with its weight; its probability is its weight by the sum of all.
    pub fn chance_outcomes(&self) -> Vec<(Chance, u32)> {
        match self.chance() {
            None => Vec::new(),
            Some(Request::Start) => self
                .seats()
                .map(|s| (Chance::Start(self.colour(s)), 1))
                .collect(),
            Some(Request::Spells(k)) => SpellSet::all_of_size(k)
                .map(|set| (Chance::Spells(set), 1))
                .collect(),
            Some(Request::Shuffle) => vec![(Chance::Shuffle, 1)],
            Some(Request::Draw(seat)) => {
                let hand = self.hand_colour(seat);
                self.draw
                    .iter()
                    .map(|(card, n)| (Chance::Draw(hand, card), u32::from(n)))
                    .collect()
            }
            Some(Request::Roll) => (1..=6).map(|v| (Chance::Roll(v), 1)).collect(),
        }
    }

    /// An outcome picked by the caller: `pick(n)` answers with a number below `n`, each equally likely.
    #[inline]
    pub fn sample_chance(&self, mut pick: impl FnMut(u32) -> u32) -> Option<Chance> {
        Some(match self.chance()? {
            Request::Start => {
                Chance::Start(self.colour(Seat(pick(u32::from(self.seats)) as u8 % self.seats)))
            }
            Request::Spells(k) => {
                let sets = SpellSet::all_of_size(k).count() as u32;
                Chance::Spells(SpellSet::all_of_size(k).nth(pick(sets) as usize)?)
            }
            Request::Shuffle => Chance::Shuffle,
            Request::Draw(seat) => Chance::Draw(
                self.hand_colour(seat),
                self.draw.nth(pick(u32::from(self.draw.len())) as u8)?,
            ),
            Request::Roll => Chance::Roll(1 + (pick(6) % 6) as u8),
        })
    }

    /// Takes what chance decided. If it does not answer what was asked, nothing changes.
    pub fn apply_chance(&mut self, chance: Chance) -> Result<(), Illegal> {
        self.apply_chance_watched(chance, &mut ())
    }

    /// Lets chance act until a player is to act or the game is over: [`State::sample_chance`] and
    /// [`State::apply_chance`] in one, for whoever plays many games.
    #[inline]
    pub fn settle(&mut self, mut pick: impl FnMut(u32) -> u32, watch: &mut impl Watch) {
        if self.turn.phase == Phase::Refill && self.refill(&mut pick, watch) {
            return;
        }
        if self.turn.phase == Phase::Rolling {
            self.roll(1 + (pick(6) % 6) as u8, watch);
        }
        if self.turn.phase < Phase::Turn {
            self.settle_other(&mut pick, watch);
        }
    }

    /// Draws what is owed (R4.5) and goes on to the next turn. Does nothing if there are not so many
    /// cards, and says so.
    #[inline]
    fn refill(&mut self, pick: &mut impl FnMut(u32) -> u32, watch: &mut impl Watch) -> bool {
        let cards = self.turn.owed;
        if cards > self.draw.len() {
            return false;
        }
        let seat = self.hand_owner(self.turn.active);
        let mut hand = self.hands[seat.index()];
        for _ in 0..cards {
            let card = self.draw.take_nth(pick(u32::from(self.draw.len())) as u8);
            hand.draw(card);
            watch.see(Event::Drew {
                seat,
                card: Some(card),
            });
        }
        hand.sort();
        self.hands[seat.index()] = hand;
        self.turn.owed = 0;
        self.next_turn(watch);
        true
    }

    /// All that is left to chance but the usual refill, kept apart so that that stays small.
    #[inline(never)]
    fn settle_other(&mut self, pick: &mut impl FnMut(u32) -> u32, watch: &mut impl Watch) {
        while let Some(chance) = self.sample_chance(&mut *pick) {
            self.apply_chance_unchecked(chance, watch);
        }
    }

    /// Takes what chance decided when it is known to answer what was asked, for instance because it
    /// was just sampled. With anything else the state becomes meaningless, or this panics.
    #[inline]
    pub fn apply_chance_unchecked(&mut self, chance: Chance, watch: &mut impl Watch) {
        match chance {
            Chance::Draw(_, card) => {
                let seat = match self.turn.phase {
                    Phase::Deal => self.dealt_to(),
                    _ => self.hand_owner(self.turn.active),
                };
                self.draw_card(seat, card, watch);
            }
            Chance::Roll(value) => self.roll(value, watch),
            _ => {
                let answered = self.apply_chance_watched(chance, watch);
                debug_assert!(answered.is_ok());
            }
        }
    }

    #[inline]
    fn draw_card(&mut self, seat: Seat, card: Card, watch: &mut impl Watch) {
        self.draw.take(card);
        self.hands[seat.index()].add(card);
        self.turn.owed -= 1;
        watch.see(Event::Drew {
            seat,
            card: Some(card),
        });
        self.after_card(watch);
    }

    #[inline]
    fn roll(&mut self, value: u8, watch: &mut impl Watch) {
        self.turn.rolled = value;
        self.turn.phase = Phase::Rolled;
        watch.see(Event::Rolled {
            seat: self.turn.active,
            value,
        });
    }

    /// Like [`State::apply_chance`], and tells what happened.
    pub fn apply_chance_watched(
        &mut self,
        chance: Chance,
        watch: &mut impl Watch,
    ) -> Result<(), Illegal> {
        let request = self.chance().ok_or(Illegal::NoChance)?;
        match (request, chance) {
            (Request::Start, Chance::Start(colour)) => {
                self.start = self.seat_of(colour).ok_or(Illegal::OtherChance)?;
                watch.see(Event::StartDrawn { seat: self.start });
                self.after_start();
            }
            (Request::Spells(k), Chance::Spells(spells)) => {
                if spells.len() != k {
                    return Err(Illegal::OtherChance);
                }
                self.spells = spells;
                watch.see(Event::SpellsDrawn { spells });
                self.begin_deal();
            }
            (Request::Shuffle, Chance::Shuffle) => {
                self.draw = self.discard_pile();
                watch.see(Event::Reshuffled);
            }
            (Request::Draw(seat), Chance::Draw(colour, card)) => {
                if colour != self.hand_colour(seat) {
                    return Err(Illegal::OtherChance);
                }
                if self.draw.count(card) == 0 {
                    return Err(Illegal::NotInPile(card));
                }
                self.draw_card(seat, card, watch);
            }
            (Request::Roll, Chance::Roll(value)) => {
                if !(1..=6).contains(&value) {
                    return Err(Illegal::NoSuchRoll);
                }
                self.roll(value, watch);
            }
            _ => return Err(Illegal::OtherChance),
        }
        Ok(())
    }

    /// How a hand is called in notation: by its seat's colour, a shared one blue.
    pub fn hand_colour(&self, hand_owner: Seat) -> Colour {
        if self.shares_hand() {
            Colour::Blue
        } else {
            self.colour(hand_owner)
        }
    }

    /// Whether an empty draw pile is renewed from the discard pile (R4.6, R14.2, R14.4).
    #[inline]
    pub(crate) fn can_renew(&self) -> bool {
        let renews = !self.shares_pieces() || self.rules.renews();
        let held: u8 = self.hands.iter().map(|h| h.len()).sum();
        renews && self.draw.len() + held < DECK
    }

    /// How many hands there are.
    pub(crate) fn hand_count(&self) -> u8 {
        if self.shares_hand() { 1 } else { self.seats }
    }

    /// Who gets the next card of the deal: three cards each, in turn order (R3.3).
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

    /// Numbers that look random, the same ones for the same seed.
    fn picks(mut seed: u64) -> impl FnMut(u32) -> u32 {
        move |n| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 32) * u64::from(n) >> 32) as u32
        }
    }

    #[test]
    fn to_settle_is_to_let_chance_act_one_by_one() {
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
                quick.legal_actions(&mut list);
                let action = list.get(n * 7 % list.len()).expect("there is one");
                quick.apply_unchecked(seat, action, &mut ());
                slow.apply(seat, action).expect("it was listed");
            }
        }
    }
}
