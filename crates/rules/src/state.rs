//! A position of the game, always legal.

use crate::board::Board;
use crate::counts::{Flasks, Home, Wizards};
use crate::hand::Hand;
use crate::ids::{Colour, MAX_SEATS, Seat, Space, Surface, Tower};
use crate::options::{Options, Packed};
use crate::pile::Pile;
use crate::spell::SpellSet;
use crate::turn::{Phase, Turn};

/// Who is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// This player.
    Player(Seat),
    /// The die, the draw pile: ask [`State::chance`].
    Chance,
    /// The game is over: ask [`State::outcome`].
    Nobody,
}

/// A position of the game. It is always legal: it comes from a [`Setup`](crate::Setup), from text that was checked, or
/// from another state by a legal action.
///
/// It is small and `Copy`, so that a search can keep and discard states freely.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) board: Board,
    pub(crate) draw: Pile,
    pub(crate) hands: [Hand; MAX_SEATS],
    pub(crate) flasks: [Flasks; MAX_SEATS],
    pub(crate) home: Home,
    pub(crate) turn: Turn,
    pub(crate) rules: Packed,
    pub(crate) colours: [Colour; MAX_SEATS],
    pub(crate) seats: u8,
    /// All bits set, or 0 if all players share one hand: `seat & own_hand` owns the hand a seat plays from.
    pub(crate) own_hand: u8,
    /// All bits set, or 0 if all players share the pieces: `seat & own_pieces` owns them.
    pub(crate) own_pieces: u8,
    pub(crate) spells: SpellSet,
    pub(crate) start: Seat,
    pub(crate) round: u16,
    /// Cards discarded during the game (R14.3).
    pub(crate) discarded: u16,
}

impl State {
    /// Who is to act.
    #[inline]
    pub fn actor(&self) -> Actor {
        match self.turn.phase {
            Phase::Over => Actor::Nobody,
            phase if phase.is_chance() => Actor::Chance,
            _ => Actor::Player(self.turn.actor),
        }
    }

    /// The kind of the next decision.
    pub fn phase(&self) -> Phase {
        self.turn.phase
    }

    /// Whose turn it is.
    pub fn active(&self) -> Seat {
        self.turn.active
    }

    /// The round, counted from 1.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// The table's rules.
    pub fn options(&self) -> Options {
        self.rules.options()
    }

    /// The spells in play.
    pub fn spells(&self) -> SpellSet {
        self.spells
    }

    /// How many players there are.
    pub fn players(&self) -> u8 {
        self.seats
    }

    /// All seats, in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats).map(Seat)
    }

    /// The starting player.
    pub fn start(&self) -> Seat {
        self.start
    }

    /// The colour of a seat.
    pub fn colour(&self, seat: Seat) -> Colour {
        self.colours[seat.index()]
    }

    /// The seat with this colour.
    pub fn seat_of(&self, colour: Colour) -> Option<Seat> {
        self.seats().find(|&s| self.colour(s) == colour)
    }

    /// The partner of a seat, in teams (R12.1).
    pub fn partner(&self, seat: Seat) -> Option<Seat> {
        self.rules
            .teams()
            .then(|| Seat((seat.0 + self.seats / 2) % self.seats))
    }

    // ---- pieces ----

    /// Whether all players share wizards and flasks (§14, §15).
    #[inline]
    pub fn shares_pieces(&self) -> bool {
        self.own_pieces == 0
    }

    /// Whether all players share one hand (R15.2).
    pub fn shares_hand(&self) -> bool {
        self.own_hand == 0
    }

    /// The owner of the wizards and flasks a seat plays with: the seat itself, or seat 0 for shared ones.
    #[inline]
    pub fn owner(&self, seat: Seat) -> Seat {
        Seat(seat.0 & self.own_pieces)
    }

    /// The seats that own wizards and flasks.
    pub fn owners(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..if self.shares_pieces() { 1 } else { self.seats }).map(Seat)
    }

    /// The colour in which an owner's wizards are written: shared ones are blue.
    #[inline]
    pub fn wizard_colour(&self, owner: Seat) -> Colour {
        if self.shares_pieces() {
            Colour::Blue
        } else {
            self.colours[owner.index()]
        }
    }

    /// The owner of the wizards of this colour.
    #[inline]
    pub fn owner_of(&self, colour: Colour) -> Option<Seat> {
        if self.shares_pieces() {
            (colour == Colour::Blue).then_some(Seat(0))
        } else {
            self.seat_of(colour)
        }
    }

    /// The owner of the wizards a seat moves with cards: the seat itself, or its partner once its own are all home
    /// (R12.4).
    #[inline]
    pub fn moves_wizards_of(&self, seat: Seat) -> Seat {
        let owner = self.owner(seat);
        match self.partner(owner) {
            Some(partner) if self.home.all_of(owner) => partner,
            _ => owner,
        }
    }

    /// The seat whose hand a seat plays from: its own, or seat 0 for a shared hand.
    #[inline]
    pub fn hand_owner(&self, seat: Seat) -> Seat {
        Seat(seat.0 & self.own_hand)
    }

    /// The hand a seat plays from.
    #[inline]
    pub fn hand(&self, seat: Seat) -> Hand {
        self.hands[self.hand_owner(seat).index()]
    }

    /// The flasks a seat pays with.
    #[inline]
    pub fn flasks(&self, seat: Seat) -> Flasks {
        self.flasks[self.owner(seat).index()]
    }

    /// How many wizards of an owner are home (R6.6).
    pub fn home(&self, owner: Seat) -> u8 {
        self.home.count(owner)
    }

    /// The number of wizards of each owner (R3.1, R14.1).
    pub fn wizards_each(&self) -> u8 {
        self.home.each()
    }

    /// The draw pile as a multiset: the order is undecided until a card is drawn.
    pub fn draw_pile(&self) -> &Pile {
        &self.draw
    }

    /// The number of cards in the draw pile.
    pub fn draw_len(&self) -> u8 {
        self.draw.len()
    }

    /// The discard pile as a multiset: the cards that are neither in a hand nor in the draw pile (R18.1).
    pub fn discard_pile(&self) -> Pile {
        let mut pile = Pile::full_deck().without(&self.draw);
        for card in self.hands.iter().flat_map(|hand| hand.iter()) {
            pile.take(card);
        }
        pile
    }

    /// The number of cards discarded during the game: the score of a solo game (R14.3).
    pub fn score(&self) -> u16 {
        self.discarded
    }

    // ---- board ----

    /// The castle's space.
    pub fn castle(&self) -> Space {
        self.board.castle()
    }

    /// The exposed surface of a space.
    pub fn exposed(&self, space: Space) -> Surface {
        self.board.exposed(space)
    }

    /// The towers on a space, from the ground up.
    pub fn towers(&self, space: Space) -> impl Iterator<Item = Tower> + use<> {
        self.board.towers(space)
    }

    /// The space a tower stands on.
    pub fn tower_space(&self, tower: Tower) -> Space {
        self.board.tower_space(tower)
    }

    /// The surface directly below a tower.
    pub fn below(&self, tower: Tower) -> Surface {
        self.board.below(tower)
    }

    /// The tower that rests on a surface.
    pub fn tower_on(&self, surface: Surface) -> Option<Tower> {
        self.board.tower_on(surface)
    }

    /// The space a surface belongs to.
    pub fn space_of(&self, surface: Surface) -> Space {
        self.board.space_of(surface)
    }

    /// The number of wizards of an owner on a surface.
    pub fn count(&self, surface: Surface, owner: Seat) -> u8 {
        self.board.count(surface, owner)
    }

    /// The wizards on a surface, by colour.
    pub fn wizards(&self, surface: Surface) -> Wizards {
        let mut wizards = Wizards::default();
        for owner in self.owners() {
            wizards.set(self.wizard_colour(owner), self.board.count(surface, owner));
        }
        wizards
    }

    // ---- the turn ----

    /// The roll that can be accepted in phase [`Phase::Rolled`].
    pub fn rolled(&self) -> Option<u8> {
        (self.turn.phase == Phase::Rolled).then_some(self.turn.rolled)
    }

    /// How many rerolls are left.
    pub fn rerolls(&self) -> u8 {
        self.turn.rolls_left
    }

    /// The number of actions used in this turn.
    pub fn actions_used(&self) -> u8 {
        self.turn.played
    }

    /// The whole turn so far, including hidden information.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Whether the spell of this turn was cast.
    pub fn has_cast(&self) -> bool {
        self.turn.cast
    }

    /// The number of actions in a turn: two, or one in solo and cooperative games (R4.1, R14.2).
    #[inline]
    pub(crate) fn actions_per_turn(&self) -> u8 {
        1 + (self.own_pieces & 1)
    }
}

impl std::fmt::Debug for State {
    /// The position in notation, which is easier to read than its bytes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
