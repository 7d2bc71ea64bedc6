//! Traces: complete games with full information, a line per decision, to be compared with other
//! implementations and to report bugs (`docs/notation.md`).

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};
use wire::Deserialize;

use crate::action::Action;
use crate::actions::Actions;
use crate::card::Card;
use crate::chance::Chance;
use crate::error::Illegal;
use crate::event::Event;
use crate::ids::{Colour, Seat};
use crate::notation::BoardText;
use crate::options::{Choice, Options, Preset};
use crate::setup::{Setup, SetupError, Spells};
use crate::spell::SpellSet;
use crate::state::{Actor, State};
use crate::turn::{Phase, Why};

/// The version of the format.
pub const VERSION: u8 = 1;

/// The first line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version, [`VERSION`].
    pub trace: u8,
    /// The edition.
    pub preset: Preset,
    /// Every rules setting.
    pub options: Options,
    /// The colours of the seats.
    pub seats: Vec<Colour>,
    /// Who starts.
    pub start: Colour,
    /// The spells in play.
    pub spells: SpellSet,
    /// Where the game's chance came from, for whoever made it.
    pub seed: String,
}

impl Header {
    /// What the table asked for.
    pub fn setup(&self) -> Setup {
        Setup {
            preset: self.preset,
            options: self.options,
            seats: self.seats.clone(),
            start: (self.options.start_setup == Choice::Chosen).then_some(self.start),
            spells: match self.options.spell_setup {
                Choice::Chosen => Spells::Chosen(self.spells),
                Choice::Random => Spells::Random(self.spells.len()),
            },
        }
    }
}

/// The second line: the deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// What chance did.
    pub chance: Vec<Chance>,
    /// The position after it.
    pub state: Position,
}

/// A line per decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Who acted.
    pub act: Colour,
    /// Every legal action of the player to act, sorted.
    pub legal: Vec<String>,
    /// What was done.
    pub r#do: Action,
    /// What chance did because of it.
    pub chance: Vec<Chance>,
    /// The position after both.
    pub state: Position,
    /// What the partner could have done out of turn, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partner_legal: Vec<String>,
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// How it ended.
    pub over: Over,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Over {
    /// The winners, in seat order.
    pub winners: Vec<Colour>,
    /// Why it ended.
    pub why: Why,
    /// Cards discarded, in solo and cooperative games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u16>,
}

/// A position as traces show it: for comparing, not for resuming.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The board in notation.
    pub board: String,
    /// The hands, sorted.
    pub hands: PerColour<Vec<Card>>,
    /// How many cards the draw pile has.
    pub draw: u8,
    /// The discard pile, the top last.
    pub discard: Vec<Card>,
    /// Empty, full and spent flasks.
    pub flasks: PerColour<[u8; 3]>,
    /// How many wizards are home.
    pub home: PerColour<u8>,
    /// Whose turn it is.
    pub active: Colour,
    /// The round.
    pub round: u16,
    /// Whether someone has finished.
    pub r#final: bool,
    /// Who is to act.
    pub to_act: Option<Colour>,
    /// The phase.
    pub phase: String,
}

impl Position {
    /// What a trace shows of a state; the order of the discard pile is not part of a state.
    pub fn of(state: &State, discard: &[Card]) -> Position {
        let owners = || state.owners().map(|o| (state.wizard_colour(o), o));
        Position {
            board: BoardText::of(state).to_string(),
            hands: (0..state.hand_count())
                .map(Seat)
                .map(|s| (state.hand_colour(s), state.hand(s).iter().collect()))
                .collect(),
            draw: state.draw_len(),
            discard: discard.to_vec(),
            flasks: owners()
                .map(|(c, o)| (c, state.flasks(o)))
                .map(|(c, f)| (c, [f.empty, f.full, f.spent]))
                .collect(),
            home: owners().map(|(c, o)| (c, state.home(o))).collect(),
            active: state.colour(state.active()),
            round: state.round(),
            r#final: state.is_final(),
            to_act: match state.actor() {
                Actor::Player(seat) => Some(state.colour(seat)),
                _ => None,
            },
            phase: state.phase().name().into(),
        }
    }
}

/// A value per colour, in seat order: an object in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerColour<T>(pub Vec<(Colour, T)>);

impl<T> FromIterator<(Colour, T)> for PerColour<T> {
    fn from_iter<I: IntoIterator<Item = (Colour, T)>>(items: I) -> Self {
        PerColour(items.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for PerColour<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(colour, value)| (colour, value)))
    }
}

struct PerColourVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PerColourVisitor<T> {
    type Value = PerColour<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with colours as keys")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = map.next_entry()? {
            items.push(item);
        }
        Ok(PerColour(items))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PerColour<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(PerColourVisitor(std::marker::PhantomData))
    }
}

/// Why a game could not be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The table cannot be played.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// An action or an outcome of chance is not legal.
    #[error("{text}: {why} ({})", .why.clause())]
    Illegal {
        /// What it was.
        text: String,
        /// Why it is refused.
        why: Illegal,
    },
    /// Whoever answers for chance had nothing to say.
    #[error("chance is asked for {0} and has no answer")]
    Chance(String),
    /// A seat that does not exist.
    #[error("nobody plays {0}")]
    Nobody(Colour),
}

/// A game that is followed line by line.
#[derive(Clone, Debug)]
pub struct Tracer {
    state: State,
    discard: Vec<Card>,
    events: Vec<Event>,
}

/// Whoever answers for chance: a generator, or a recorded game.
pub trait Dealer {
    /// What happens next by chance, in a state where it is chance's turn.
    fn deal(&mut self, state: &State) -> Option<Chance>;
}

impl<F: FnMut(&State) -> Option<Chance>> Dealer for F {
    fn deal(&mut self, state: &State) -> Option<Chance> {
        self(state)
    }
}

impl Tracer {
    /// Sets a table up and lets chance begin.
    pub fn begin(
        setup: &Setup,
        seed: &str,
        dealer: &mut impl Dealer,
    ) -> Result<(Tracer, Header, Opening), TraceError> {
        let mut tracer = Tracer {
            state: State::new(setup)?,
            discard: Vec::new(),
            events: Vec::new(),
        };
        let chance = tracer.settle(dealer)?;
        let state = &tracer.state;
        let header = Header {
            trace: VERSION,
            preset: setup.preset,
            options: state.options(),
            seats: setup.seats.clone(),
            start: state.colour(state.start()),
            spells: state.spells(),
            seed: seed.into(),
        };
        let opening = Opening {
            chance,
            state: tracer.position(),
        };
        Ok((tracer, header, opening))
    }

    /// The state as it is now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What happened since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The position as a trace shows it.
    pub fn position(&self) -> Position {
        Position::of(&self.state, &self.discard)
    }

    /// Carries out an action and what chance does because of it.
    pub fn act(
        &mut self,
        seat: Seat,
        action: Action,
        dealer: &mut impl Dealer,
    ) -> Result<Step, TraceError> {
        let mut list = Actions::new();
        self.state.legal_actions(&mut list);
        let legal = sorted(&list);
        self.state.partner_actions(&mut list);
        let partner_legal = sorted(&list);
        let act = self.state.colour(seat);
        let seen = self.events.len();
        let result = self.state.apply_watched(seat, action, &mut self.events);
        result.map_err(|why| TraceError::Illegal {
            text: action.to_string(),
            why,
        })?;
        self.pile_up(seen);
        let chance = self.settle(dealer)?;
        Ok(Step {
            act,
            legal,
            r#do: action,
            chance,
            state: self.position(),
            partner_legal,
        })
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        let outcome = self.state.outcome()?;
        let winners = outcome
            .winners
            .iter()
            .map(|s| self.state.colour(s))
            .collect();
        Some(Ending {
            over: Over {
                winners,
                why: outcome.why,
                score: outcome.score,
            },
        })
    }

    /// Lets chance act as long as it is its turn.
    fn settle(&mut self, dealer: &mut impl Dealer) -> Result<Vec<Chance>, TraceError> {
        let mut done = Vec::new();
        while let Some(request) = self.state.chance() {
            let chance = dealer
                .deal(&self.state)
                .ok_or_else(|| TraceError::Chance(format!("{request:?}")))?;
            let seen = self.events.len();
            let result = self.state.apply_chance_watched(chance, &mut self.events);
            result.map_err(|why| TraceError::Illegal {
                text: chance.to_string(),
                why,
            })?;
            self.pile_up(seen);
            done.push(chance);
        }
        Ok(done)
    }

    fn pile_up(&mut self, seen: usize) {
        for event in &self.events[seen..] {
            match *event {
                Event::Played { card, .. } | Event::Discarded { card, .. } => {
                    self.discard.push(card);
                }
                Event::Reshuffled => self.discard.clear(),
                _ => {}
            }
        }
    }
}

fn sorted(list: &Actions) -> Vec<String> {
    let mut texts: Vec<_> = list.iter().map(|a| a.to_string()).collect();
    texts.sort_unstable();
    texts
}

impl Phase {
    /// Whether chance decides.
    pub const fn is_chance(self) -> bool {
        matches!(
            self,
            Phase::DrawStart | Phase::DrawSpells | Phase::Deal | Phase::Refill | Phase::Rolling
        )
    }
}
