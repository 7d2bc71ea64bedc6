//! A position of the game, always legal.

use crate::board::Board;
use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{Colour, MAX_SEATS, Seat, Space, Surface, Tower};
use crate::options::Options;
use crate::packed::Packed;
use crate::pile::Pile;
use crate::spell::{Spell, SpellSet};

/// A player's flasks (R2.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, wire::Deserialize)]
pub struct Flasks {
    /// Still to fill.
    pub empty: u8,
    /// Full, to pay with.
    pub full: u8,
    /// Paid, out of the game; they count as filled (R9.2).
    pub spent: u8,
}

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

/// What kind of decision is next (§19). The first five wait for chance.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, wire::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The starting player is drawn (R3.5).
    DrawStart,
    /// The spells in play are drawn (R3.4).
    DrawSpells,
    /// The first hands are dealt (R3.3).
    Deal,
    /// The hand is refilled (R4.5).
    Refill,
    /// The die rolls (R4.8).
    Rolling,
    /// The active player chooses a card or a refresh.
    Turn,
    /// A roll can be accepted or rolled again.
    Rolled,
    /// Everything is played, but a spell could be cast (R4.7).
    End,
    /// The partner was asked for a card (R12.2).
    Asked,
    /// The partner offers a card.
    Offered,
    /// The active player gives a card back.
    Return,
    /// Claims for the declared action (R13.3).
    Window,
    /// The claimant may cast again before the move.
    Before,
    /// The claimant may take more riders along.
    With,
    /// The claimant casts after the move.
    After,
    /// Free a Wizard at any time (R13.11).
    Free,
    /// The game is over.
    Over,
}

impl Phase {
    /// The name that traces use; phases of chance never appear in one.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::DrawStart => "draw_start",
            Phase::DrawSpells => "draw_spells",
            Phase::Deal => "deal",
            Phase::Refill => "refill",
            Phase::Rolling => "rolling",
            Phase::Turn => "turn",
            Phase::Rolled => "rolled",
            Phase::End => "end",
            Phase::Asked => "asked",
            Phase::Offered => "offered",
            Phase::Return => "return",
            Phase::Window => "window",
            Phase::Before => "before",
            Phase::With => "with",
            Phase::After => "after",
            Phase::Free => "free",
            Phase::Over => "over",
        }
    }

    /// All phases in which a player decides.
    pub const DECISIONS: [Phase; 11] = [
        Phase::Turn,
        Phase::Rolled,
        Phase::End,
        Phase::Asked,
        Phase::Offered,
        Phase::Return,
        Phase::Window,
        Phase::Before,
        Phase::With,
        Phase::After,
        Phase::Free,
    ];
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, wire::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Someone has finished (R11.1, R12.7, R14.3).
    Finished,
    /// All wizards are home and nobody can finish (R11.5, R14.7).
    Stuck,
    /// The draw pile ran out in solo (R14.4).
    Deck,
    /// The cap on rounds (R11.7).
    Rounds,
}

impl Why {
    /// The name that traces and positions use.
    pub const fn name(self) -> &'static str {
        match self {
            Why::Finished => "finished",
            Why::Stuck => "stuck",
            Why::Deck => "deck",
            Why::Rounds => "rounds",
        }
    }
}

wire::tagged! {
    "what";
    /// What was declared and waits for its window to close (R13.2).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Declared {
        /// Nothing is declared, or the move has been made.
        None,
        /// "No legal move", a refresh without a tower, or a piece that came home meanwhile.
        Nothing,
        /// A wizard of this owner on this surface.
        Wizard {
            /// Where it stands now.
            on: Surface,
            /// Whose it is.
            owner: Seat,
            /// How far it is to go.
            steps: u8,
        },
        /// A tower.
        Tower {
            /// Which.
            tower: Tower,
            /// How far it is to go.
            steps: u8,
        },
    }
}

/// What is known about the turn so far. Everything in it is public but for the offered card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, wire::Deserialize)]
pub struct Turn {
    /// The kind of decision that is next.
    pub phase: Phase,
    /// Whose turn it is.
    pub active: Seat,
    /// Who decides now; only meaningful in phases of decision.
    pub actor: Seat,
    /// Actions used; a refresh uses all.
    pub played: u8,
    /// Whether the spell of this turn was cast (R9.1).
    pub cast: bool,
    /// The dice card that was rolled for.
    pub card: Option<Card>,
    /// Rerolls left.
    pub rolls_left: u8,
    /// What the die shows.
    pub rolled: u8,
    /// Whether the exchange of this turn is used up (R12.2).
    pub exchanged: bool,
    /// Bit 0: the active player gave flasks, bit 1: the partner did (R12.3).
    pub gave: u8,
    /// The card the partner offers unasked; known to the partners only.
    pub offered: Option<Card>,
    /// What was declared (R13.2).
    pub declared: Declared,
    /// The spell that was claimed (R13.3).
    pub claim: Option<Spell>,
    /// Who claimed it.
    pub claimant: Seat,
    /// Whether the claimed spell was cast once (R13.4).
    pub claim_cast: bool,
    /// Riders paid for so far (R13.8).
    pub riders: u8,
    /// Whether an entry ends the turn after this action (R13.9).
    pub ends: bool,
    /// Cards still to be dealt or drawn.
    pub owed: u8,
    /// Why the game ended, once it has.
    pub why: Why,
}

impl Turn {
    pub(crate) const fn of(active: Seat) -> Turn {
        Turn {
            phase: Phase::Turn,
            active,
            actor: active,
            played: 0,
            cast: false,
            card: None,
            rolls_left: 0,
            rolled: 0,
            exchanged: false,
            gave: 0,
            offered: None,
            declared: Declared::None,
            claim: None,
            claimant: active,
            claim_cast: false,
            riders: 0,
            ends: false,
            owed: 0,
            why: Why::Finished,
        }
    }
}

/// A position of the game. It is always legal: it comes from a [`Setup`](crate::Setup), from text
/// that was checked, or from another state by a legal action.
///
/// It is `Copy` and small, so that a search can keep and throw away as many as it likes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) board: Board,
    pub(crate) draw: Pile,
    pub(crate) hands: [Hand; MAX_SEATS],
    pub(crate) flasks: [Flasks; MAX_SEATS],
    pub(crate) home: [u8; MAX_SEATS],
    pub(crate) turn: Turn,
    pub(crate) rules: Packed,
    pub(crate) colours: [Colour; MAX_SEATS],
    pub(crate) seats: u8,
    /// All bits, or none if one hand is everybody's: `seat & own_hand` owns the hand a seat plays from.
    pub(crate) own_hand: u8,
    /// All bits, or none if the pieces are everybody's: `seat & own_pieces` owns them.
    pub(crate) own_pieces: u8,
    pub(crate) spells: SpellSet,
    pub(crate) start: Seat,
    /// Wizards per owner.
    pub(crate) each: u8,
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
            Phase::DrawStart | Phase::DrawSpells | Phase::Deal | Phase::Refill | Phase::Rolling => {
                Actor::Chance
            }
            _ => Actor::Player(self.turn.actor),
        }
    }

    /// The kind of decision that is next.
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

    /// Whether one hand of cards is everybody's (R15.2).
    pub fn shares_hand(&self) -> bool {
        self.own_hand == 0
    }

    /// Who owns the wizards and flasks that a seat plays with: itself, or seat 0 for all.
    #[inline]
    pub fn owner(&self, seat: Seat) -> Seat {
        Seat(seat.0 & self.own_pieces)
    }

    /// Those who own wizards and flasks.
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

    /// Whose wizards a seat moves with cards: its own, or its partner's once its own are all home
    /// (R12.4).
    #[inline]
    pub fn moves_wizards_of(&self, seat: Seat) -> Seat {
        let owner = self.owner(seat);
        match self.partner(owner) {
            Some(partner) if self.home[owner.index()] == self.each => partner,
            _ => owner,
        }
    }

    /// Where a seat's hand is kept: with itself, or with seat 0 for all.
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

    /// How many of an owner's wizards are home (R6.6).
    pub fn home(&self, owner: Seat) -> u8 {
        self.home[owner.index()]
    }

    /// How many wizards each owner has (R3.1, R14.1).
    pub fn wizards_each(&self) -> u8 {
        self.each
    }

    /// The draw pile as a multiset: its order is not decided until a card is drawn.
    pub fn draw_pile(&self) -> &Pile {
        &self.draw
    }

    /// How many cards the draw pile has.
    pub fn draw_len(&self) -> u8 {
        self.draw.len()
    }

    /// The discard pile as a multiset: what is neither in a hand nor in the draw pile (R18.1).
    pub fn discard_pile(&self) -> Pile {
        let mut pile = Pile::full_deck().without(&self.draw);
        for card in self.hands.iter().flat_map(|hand| hand.iter()) {
            pile.take(card);
        }
        pile
    }

    /// How many cards were discarded during the game: the score of a solo game (R14.3).
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

    /// The towers of a space, from the ground up.
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

    /// How many wizards of an owner stand on a surface.
    pub fn count(&self, surface: Surface, owner: Seat) -> u8 {
        self.board.count(surface, owner)
    }

    /// The wizards on a surface, by colour.
    pub fn wizards(&self, surface: Surface) -> Wizards {
        let mut wizards = Wizards::default();
        for owner in self.owners() {
            wizards.0[self.wizard_colour(owner) as usize] += self.board.count(surface, owner);
        }
        wizards
    }

    // ---- the turn ----

    /// The roll that can be accepted, in phase [`Phase::Rolled`].
    pub fn rolled(&self) -> Option<u8> {
        (self.turn.phase == Phase::Rolled).then_some(self.turn.rolled)
    }

    /// How many rerolls are left.
    pub fn rerolls(&self) -> u8 {
        self.turn.rolls_left
    }

    /// How many actions of this turn are used.
    pub fn actions_used(&self) -> u8 {
        self.turn.played
    }

    /// Everything about the turn so far, hidden things included.
    pub fn turn(&self) -> &Turn {
        &self.turn
    }

    /// Whether the spell of this turn was cast.
    pub fn has_cast(&self) -> bool {
        self.turn.cast
    }

    /// How many actions a turn has: two, or one in solo and cooperative games (R4.1, R14.2).
    #[inline]
    pub(crate) fn actions_per_turn(&self) -> u8 {
        if self.shares_pieces() { 1 } else { 2 }
    }
}

/// Wizards by colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wizards(pub(crate) [u8; MAX_SEATS]);

impl Wizards {
    /// How many of a colour.
    pub const fn of(self, colour: Colour) -> u8 {
        self.0[colour as usize]
    }

    /// How many in all.
    pub fn total(self) -> u8 {
        self.0.iter().sum()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.total() == 0
    }

    /// Colours with how many, in notation order.
    pub fn iter(self) -> impl Iterator<Item = (Colour, u8)> {
        Colour::ALL
            .into_iter()
            .map(move |c| (c, self.of(c)))
            .filter(|&(_, n)| n > 0)
    }

    /// Adds one.
    pub fn add(&mut self, colour: Colour) {
        self.0[colour as usize] = self.0[colour as usize].saturating_add(1);
    }
}

impl std::fmt::Debug for State {
    /// The position in notation, which is easier to read than its bytes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::notation::write_position(self))
    }
}
