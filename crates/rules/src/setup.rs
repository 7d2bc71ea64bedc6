//! From what a table asks for to a game that can begin (§3).

use serde::Serialize;
use wire::Deserialize;

use crate::board::Board;
use crate::card::HAND;
use crate::counts::{Flasks, Home};
use crate::hand::Hand;
use crate::ids::{Colour, MAX_SEATS, Seat, Tower};
use crate::options::{Choice, CoopHands, Memory, Mode, Options, Preset};
use crate::packed::Packed;
use crate::pile::Pile;
use crate::spell::{Spell, SpellSet};
use crate::state::State;
use crate::turn::{Phase, Turn};

/// Which spells are in play (R3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spells {
    /// These.
    Chosen(SpellSet),
    /// So many, drawn at random.
    Random(u8),
}

/// What a table asks for. It may be nonsense: [`State::new`] says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The edition the options come from.
    pub preset: Preset,
    /// Every rules setting. `spell_setup` and `start_setup` follow from the two fields below.
    pub options: Options,
    /// The colours of the seats, clockwise.
    pub seats: Vec<Colour>,
    /// Who starts; none: drawn at random (R3.5).
    pub start: Option<Colour>,
    /// The spells in play.
    pub spells: Spells,
}

impl Setup {
    /// A table of an edition with so many players, everything as usual: the first player starts;
    /// beginner spells, none in solo and cooperative games.
    #[inline]
    pub fn new(preset: Preset, mode: Mode, players: usize) -> Setup {
        let spells = if mode == Mode::Versus {
            SpellSet::BEGINNER
        } else {
            SpellSet::NONE
        };
        let mut setup = Setup {
            preset,
            options: preset.options(mode),
            // One too many is enough to be refused.
            seats: Colour::ALL
                .into_iter()
                .cycle()
                .take(players.min(MAX_SEATS + 1))
                .collect(),
            start: Some(Colour::Blue),
            spells: Spells::Chosen(spells),
        };
        setup.options.memory = setup.usual_memory();
        setup
    }

    /// R16.2: solo, cooperative and beginner tables are assisted.
    #[inline]
    pub fn usual_memory(&self) -> Memory {
        let beginner = self.spells == Spells::Chosen(SpellSet::BEGINNER);
        if self.options.mode != Mode::Versus
            || (beginner && !self.options.teams && !self.options.reactions)
        {
            Memory::Assisted
        } else {
            Memory::Strict
        }
    }
}

/// Why a table cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Too few or too many players for the mode.
    #[error(
        "versus and cooperative games have 2 to 6 players, a solo game has 1 (R3.1, R14.1, R15.1)"
    )]
    Players,
    /// Two seats have the same colour.
    #[error("two seats have the same colour (R2.6)")]
    SameColour,
    /// Teams of something else than 4 or 6 players.
    #[error("teams need 4 or 6 players (R12.1)")]
    TeamSize,
    /// Teams in solo or cooperative games.
    #[error("there are no teams in solo and cooperative games (R12.1)")]
    TeamMode,
    /// Reactions in solo or cooperative games.
    #[error("there are no reactions in solo and cooperative games (R14.6)")]
    ReactionMode,
    /// The edition has no such mode.
    #[error("this edition has no solo and no cooperative game (R17)")]
    Edition,
    /// The starting player has no seat.
    #[error("the starting player has no seat (R3.5)")]
    Start,
    /// A cost is not 1 to 3.
    #[error("a spell costs 1 to 3 flasks (R10)")]
    Cost,
    /// There are eight spells.
    #[error("at most 8 spells can be drawn (R3.4)")]
    SpellCount,
    /// A cap of no rounds.
    #[error("a cap on rounds is at least 1 (R11.7)")]
    Cap,
}

/// Wizards and flasks per player (R3.1).
const fn pieces(players: usize) -> (u8, u8) {
    match players {
        2 => (5, 6),
        3 | 4 => (4, 5),
        _ => (3, 4),
    }
}

/// Shared wizards and flasks (R14.1, R14.6).
const SHARED: (u8, u8) = (12, 6);

/// The ghost lights of tower spaces 1–9 (R2.4).
pub const GHOST_LIGHTS: [u8; 9] = [3, 3, 3, 2, 2, 2, 1, 1, 1];

impl Setup {
    /// Whether this can be played.
    #[inline]
    pub fn check(&self) -> Result<(), SetupError> {
        let (players, options) = (self.seats.len(), &self.options);
        let shared = options.mode != Mode::Versus;
        let fits = match options.mode {
            Mode::Solo => players == 1,
            Mode::Versus | Mode::Coop => (2..=MAX_SEATS).contains(&players),
        };
        if !fits {
            return Err(SetupError::Players);
        }
        if (1..players).any(|i| self.seats[..i].contains(&self.seats[i])) {
            return Err(SetupError::SameColour);
        }
        if options.teams && shared {
            return Err(SetupError::TeamMode);
        }
        if options.teams && players != 4 && players != 6 {
            return Err(SetupError::TeamSize);
        }
        if options.reactions && shared {
            return Err(SetupError::ReactionMode);
        }
        if shared && !self.preset.has_solo() {
            return Err(SetupError::Edition);
        }
        if self
            .start
            .is_some_and(|colour| !self.seats.contains(&colour))
        {
            return Err(SetupError::Start);
        }
        if Spell::ALL
            .iter()
            .any(|&s| !(1..=3).contains(&options.costs.of(s)))
        {
            return Err(SetupError::Cost);
        }
        if matches!(self.spells, Spells::Random(9..)) {
            return Err(SetupError::SpellCount);
        }
        if options.max_rounds == Some(0) {
            return Err(SetupError::Cap);
        }
        Ok(())
    }
}

impl State {
    /// A game that is about to begin: chance is next, with the starting player, the spells or the
    /// deal.
    #[inline]
    pub fn new(setup: &Setup) -> Result<State, SetupError> {
        let mut state = State::unplaced(setup)?;
        match setup.start {
            None => state.turn.phase = Phase::DrawStart,
            Some(_) => state.after_start(),
        }
        Ok(state)
    }

    /// Everything but pieces on the board.
    #[inline]
    pub(crate) fn unplaced(setup: &Setup) -> Result<State, SetupError> {
        setup.check()?;
        let mut options = setup.options;
        options.start_setup = if setup.start.is_none() {
            Choice::Random
        } else {
            Choice::Chosen
        };
        let (spells, drawn) = match setup.spells {
            Spells::Chosen(spells) => (spells, None),
            Spells::Random(k) => (SpellSet::NONE, Some(k)),
        };
        options.spell_setup = if drawn.is_some() {
            Choice::Random
        } else {
            Choice::Chosen
        };
        let seats = setup.seats.len();
        let mut colours = Colour::ALL;
        colours[..seats].copy_from_slice(&setup.seats);
        let shared = options.mode != Mode::Versus;
        let start = setup
            .start
            .and_then(|c| setup.seats.iter().position(|&s| s == c))
            .unwrap_or(0);
        let mut turn = Turn::of(Seat(start as u8));
        turn.owed = drawn.unwrap_or(0);
        Ok(State {
            board: Board::start(if shared { 1 } else { seats as u8 }),
            draw: Pile::full_deck(),
            hands: [Hand::EMPTY; MAX_SEATS],
            flasks: [Flasks::default(); MAX_SEATS],
            home: Home::none_of(if shared { SHARED.0 } else { pieces(seats).0 }),
            turn,
            rules: Packed::new(&options),
            colours,
            seats: seats as u8,
            own_hand: if options.mode == Mode::Coop && options.coop_hands == CoopHands::Shared {
                0
            } else {
                u8::MAX
            },
            own_pieces: if shared { 0 } else { u8::MAX },
            spells,
            start: Seat(start as u8),
            round: 1,
            discarded: 0,
        })
    }

    /// The starting player is known: wizards are placed (R3.2), then spells are drawn or known.
    #[inline]
    pub(crate) fn after_start(&mut self) {
        self.place_wizards();
        self.turn.active = self.start;
        if self.rules.random_spells() {
            self.turn.phase = Phase::DrawSpells;
        } else {
            self.begin_deal();
        }
    }

    /// One wizard at a time in turn order, on the first tower with a ghost light to spare (R3.2).
    #[inline]
    fn place_wizards(&mut self) {
        let owners = self.owners().count() as u8;
        let first = self.owner(self.start).0;
        let mut placed = 0;
        for (tower, lights) in Tower::all().zip(GHOST_LIGHTS) {
            for _ in 0..lights {
                if placed < owners * self.home.each() {
                    self.board
                        .add_wizard(tower.top(), Seat((first + placed) % owners));
                    placed += 1;
                }
            }
        }
    }

    /// The spells are known: flasks are handed out and the deal begins (R3.1, R3.3).
    #[inline]
    pub(crate) fn begin_deal(&mut self) {
        let flasks = self.flasks_each();
        for owner in self.owners() {
            self.flasks[owner.index()].empty = flasks;
        }
        self.turn = Turn::of(self.start);
        self.turn.phase = Phase::Deal;
        self.turn.owed = self.hand_count() * HAND;
    }

    /// How many flasks each owner has in all (R3.1, R14.6).
    #[inline]
    pub fn flasks_each(&self) -> u8 {
        match (self.shares_pieces(), self.spells.is_empty()) {
            (true, true) => 0, // R14.1
            (true, false) => SHARED.1,
            (false, _) => pieces(self.seats as usize).1,
        }
    }
}
