//! Setting up a game (§3).

use crate::board::Board;
use crate::card::HAND;
use crate::counts::{Flasks, Home};
use crate::hand::Hand;
use crate::ids::{Colour, MAX_SEATS, Seat, Tower};
use crate::options::{Departure, Field, Options, Packed, Preset};
use crate::pile::Pile;
use crate::spell::{Spell, SpellSet};
use crate::state::State;
use crate::turn::{Phase, Turn};
use crate::values::{CoopHands, Mode, Selection, SpellRight, SpellTime};

/// Which spells are in play (R3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Spells {
    /// The players chose these.
    Chosen(SpellSet),
    /// This number, drawn at random.
    Random(u8),
}

/// The settings of a new game. They may be inconsistent: [`State::new`] checks them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Setup {
    /// The edition the options come from.
    pub preset: Preset,
    /// Every rules setting. `spell_setup` and `start_setup` are derived from the two fields below.
    pub options: Options,
    /// The colours of the seats, clockwise.
    pub seats: Vec<Colour>,
    /// The starting player; `None`: drawn at random (R3.5).
    pub start: Option<Colour>,
    /// The spells in play.
    pub spells: Spells,
}

impl Setup {
    /// A game of an edition as printed: the first player starts, with beginner spells, or with none in solo and
    /// cooperative games.
    pub fn new(preset: Preset, mode: Mode, players: usize) -> Setup {
        let options = preset.options(mode);
        Setup {
            preset,
            options,
            // One seat too many is enough to be rejected.
            seats: Colour::ALL
                .into_iter()
                .cycle()
                .take(players.min(MAX_SEATS + 1))
                .collect(),
            start: Some(Colour::Blue),
            spells: Spells::usual(&options),
        }
    }

    /// The fields in which this table differs from its edition's rulebook; empty if it is played as printed. Spells in
    /// play are reported as [`Field::SpellSetup`].
    pub fn departures(&self) -> Vec<Departure> {
        let mut departures = self.options.departures(self.preset);
        if !self.spells.are_printed(self.preset, &self.options) {
            departures.push(Departure {
                field: Field::SpellSetup,
                table: self.spells.to_string(),
                printed: Spells::usual(&self.options).to_string(),
            });
        }
        departures
    }
}

impl Spells {
    /// The default spells in play (§17): beginner spells, four random ones with reactions, none in solo and cooperative
    /// games.
    pub fn usual(options: &Options) -> Spells {
        match (options.mode, options.reactions) {
            (Mode::Solo | Mode::Coop, _) => Spells::Chosen(SpellSet::NONE),
            (Mode::Versus, false) => Spells::Chosen(SpellSet::BEGINNER),
            (Mode::Versus, true) => Spells::Random(4),
        }
    }

    /// Whether an edition's rulebook allows these spells in play (§17).
    pub fn are_printed(self, preset: Preset, options: &Options) -> bool {
        let beginner = self == Spells::Chosen(SpellSet::BEGINNER);
        let random = matches!(self, Spells::Random(_));
        match (options.mode, preset) {
            (Mode::Solo | Mode::Coop, _) => match self {
                Spells::Chosen(spells) => {
                    spells.is_empty() || spells.len() == 3 && preset != Preset::Oya
                }
                Spells::Random(k) => k == 0 || k == 3 && preset == Preset::Oya,
            },
            (Mode::Versus, Preset::Capstone) => beginner || random,
            (Mode::Versus, _) if !options.reactions => beginner,
            (Mode::Versus, Preset::Oya) => true,
            (Mode::Versus, Preset::Abacus1 | Preset::Abacus2) => random,
        }
    }
}

impl std::fmt::Display for Spells {
    /// The form used on the command line: codes separated by commas, `none`, or `random4`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Spells::Chosen(spells) if spells.is_empty() => f.write_str("none"),
            Spells::Chosen(spells) => write!(f, "{spells}"),
            Spells::Random(k) => write!(f, "random{k}"),
        }
    }
}

/// Why a table cannot be set up.
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
    /// Teams need 4 or 6 players.
    #[error("teams need 4 or 6 players (R12.1)")]
    TeamSize,
    /// Teams in solo or cooperative games.
    #[error("there are no teams in solo and cooperative games (R12.1)")]
    TeamMode,
    /// Reactions in solo or cooperative games.
    #[error("there are no reactions in solo and cooperative games (R13.1)")]
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
    /// More spells than there are.
    #[error("at most 8 spells can be drawn (R3.4)")]
    SpellCount,
    /// `free_any_time` needs windows before and after each action.
    #[error("free_any_time needs spell_time=any (R13.11)")]
    FreeAnyTime,
    /// `spell_right` `each` needs windows before and after each action.
    #[error("spell_right=each needs spell_time=any (R13.12)")]
    EachNeedsAny,
    /// The limit on rounds is 0.
    #[error("the limit on rounds must be at least 1 (R11.7)")]
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
    /// Checks that the settings can be played together.
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
        if options.reactions && options.spell_time != SpellTime::Any {
            if options.free_any_time {
                return Err(SetupError::FreeAnyTime);
            }
            if options.spell_right == SpellRight::Each {
                return Err(SetupError::EachNeedsAny);
            }
        }
        if options.max_rounds == Some(0) {
            return Err(SetupError::Cap);
        }
        Ok(())
    }
}

impl State {
    /// A game about to begin. Chance is next: the starting player, the spells or the deal.
    pub fn new(setup: &Setup) -> Result<State, SetupError> {
        let mut state = State::unplaced(setup)?;
        match setup.start {
            None => state.turn.phase = Phase::DrawStart,
            Some(_) => state.after_start(),
        }
        Ok(state)
    }

    /// The state without pieces on the board.
    pub(crate) fn unplaced(setup: &Setup) -> Result<State, SetupError> {
        setup.check()?;
        let mut options = setup.options;
        options.start_setup = if setup.start.is_none() {
            Selection::Random
        } else {
            Selection::Chosen
        };
        let (spells, drawn) = match setup.spells {
            Spells::Chosen(spells) => (spells, None),
            Spells::Random(k) => (SpellSet::NONE, Some(k)),
        };
        options.spell_setup = if drawn.is_some() {
            Selection::Random
        } else {
            Selection::Chosen
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

    /// Continues once the starting player is known: places the wizards (R3.2), then draws the spells if necessary.
    pub(crate) fn after_start(&mut self) {
        self.place_wizards();
        self.turn.active = self.start;
        if self.rules.spell_setup() == Selection::Random {
            self.turn.phase = Phase::DrawSpells;
        } else {
            self.begin_deal();
        }
    }

    /// Places one wizard at a time in turn order, on the first tower with a free ghost light (R3.2).
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

    /// Continues once the spells are known: hands out flasks and begins the deal (R3.1, R3.3).
    pub(crate) fn begin_deal(&mut self) {
        let flasks = self.flasks_each();
        for owner in self.owners() {
            self.flasks[owner.index()].empty = flasks;
        }
        self.turn = Turn::of(self.start);
        self.turn.phase = Phase::Deal;
        self.turn.owed = self.hand_count() * HAND;
    }

    /// The number of flasks of each owner (R3.1, R14.6).
    pub fn flasks_each(&self) -> u8 {
        match (self.shares_pieces(), self.spells.is_empty()) {
            (true, true) => 0, // R14.1
            (true, false) => SHARED.1,
            (false, _) => pieces(self.seats as usize).1,
        }
    }
}
