//! Traces: complete games with full information, one line per decision, for comparing implementations and reporting
//! bugs (`docs/notation.md`).

use std::fmt;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};

use crate::action::Action;
use crate::actions::Actions;
use crate::card::Card;
use crate::chance::Chance;
use crate::error::Illegal;
use crate::event::Event;
use crate::ids::{Colour, Seat};
use crate::options::{Options, Preset};
use crate::setup::{Setup, SetupError, Spells};
use crate::spell::SpellSet;
use crate::state::{Actor, State};
use crate::turn::EndReason;
use crate::values::Selection;

/// The version of the format.
pub const VERSION: u8 = 2;

/// The first line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceHeader {
    /// The version of the format: [`VERSION`] in new traces.
    pub trace: u8,
    /// The edition the options come from.
    pub preset: Preset,
    /// Every rules setting.
    pub options: Options,
    /// The colours of the seats, clockwise.
    pub seats: Vec<Colour>,
    /// The starting player.
    pub start: Colour,
    /// The spells in play.
    pub spells: SpellSet,
    /// The seed of the generator that played the game, in the form its program prints.
    pub seed: String,
}

impl TraceHeader {
    /// The setup of the game.
    pub fn setup(&self) -> Setup {
        Setup {
            preset: self.preset,
            options: self.options,
            seats: self.seats.clone(),
            start: (self.options.start_setup == Selection::Chosen).then_some(self.start),
            spells: match self.options.spell_setup {
                Selection::Chosen => Spells::Chosen(self.spells),
                Selection::Random => Spells::Random(self.spells.len()),
            },
        }
    }
}

/// The second line of a trace: the deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceOpening {
    /// The outcomes of chance.
    pub chance: Vec<Chance>,
    /// The position after the deal.
    pub state: TracePosition,
}

/// One decision, on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceStep {
    /// Who acted.
    pub act: Colour,
    /// Every legal action of the player to act, sorted.
    pub legal: Vec<String>,
    /// The partner's legal actions out of turn, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partner_legal: Vec<String>,
    /// The chosen action.
    pub r#do: Action,
    /// The outcomes of chance that followed.
    pub chance: Vec<Chance>,
    /// The position after the action and the chance.
    pub state: TracePosition,
}

/// The last line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEnding {
    /// How it ended.
    pub over: Over,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Over {
    /// The winners, in seat order.
    pub winners: Vec<Colour>,
    /// Why it ended.
    pub why: EndReason,
    /// The number of discarded cards, in solo and cooperative games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<u16>,
}

/// A position in a trace, for comparing and not for resuming.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracePosition {
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
    /// The round, counted from 1.
    pub round: u16,
    /// Whether someone has finished.
    pub r#final: bool,
    /// Who is to act.
    pub to_act: Option<Colour>,
    /// The kind of the next decision.
    pub phase: String,
}

impl TracePosition {
    /// The trace position of a state; the order of the discard pile is not part of a state.
    pub fn of(state: &State, discard: &[Card]) -> TracePosition {
        let owners = || state.owners().map(|o| (state.wizard_colour(o), o));
        TracePosition {
            board: state.diagram().to_string(),
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
        let mut items: Vec<(Colour, T)> = Vec::new();
        while let Some((colour, value)) = map.next_entry()? {
            if items.iter().any(|(c, _)| *c == colour) {
                return Err(serde::de::Error::custom(format!(
                    "colour {colour} is listed twice"
                )));
            }
            items.push((colour, value));
        }
        Ok(PerColour(items))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PerColour<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(PerColourVisitor(std::marker::PhantomData))
    }
}

/// Why a game cannot be traced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The table cannot be set up.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// An action or an outcome of chance is not legal.
    #[error("{text}: {why} ({})", .why.clause())]
    Illegal {
        /// The action or outcome.
        text: String,
        /// The broken rule.
        why: Illegal,
    },
    /// The source of chance has no outcome left.
    #[error("there is no outcome of chance for {0}")]
    Chance(String),
    /// No seat has this colour.
    #[error("nobody plays {0}")]
    Nobody(Colour),
}

/// A game that is traced decision by decision.
#[derive(Clone, Debug)]
pub struct Tracer {
    state: State,
    discard: Vec<Card>,
    events: Vec<Event>,
}

/// The source of chance: a generator, or a recorded game.
pub trait Dealer {
    /// The next outcome of chance in a state where it is chance's turn.
    fn deal(&mut self, state: &State) -> Option<Chance>;
}

impl<F: FnMut(&State) -> Option<Chance>> Dealer for F {
    fn deal(&mut self, state: &State) -> Option<Chance> {
        self(state)
    }
}

impl Tracer {
    /// Sets up a game and lets chance begin.
    pub fn begin(
        setup: &Setup,
        seed: &str,
        dealer: &mut impl Dealer,
    ) -> Result<(Tracer, TraceHeader, TraceOpening), TraceError> {
        let mut tracer = Tracer {
            state: State::new(setup)?,
            discard: Vec::new(),
            events: Vec::new(),
        };
        let chance = tracer.settle(dealer)?;
        let state = &tracer.state;
        let header = TraceHeader {
            trace: VERSION,
            preset: setup.preset,
            options: state.options(),
            seats: setup.seats.clone(),
            start: state.colour(state.start()),
            spells: state.spells(),
            seed: seed.into(),
        };
        let opening = TraceOpening {
            chance,
            state: tracer.position(),
        };
        Ok((tracer, header, opening))
    }

    /// The state as it is now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The current position in a trace.
    pub fn position(&self) -> TracePosition {
        TracePosition::of(&self.state, &self.discard)
    }

    /// Applies an action and the chance that follows.
    pub fn act(
        &mut self,
        seat: Seat,
        action: Action,
        dealer: &mut impl Dealer,
    ) -> Result<TraceStep, TraceError> {
        let mut list = self.state.legal_actions();
        let legal = sorted(&list);
        self.state.partner_actions_into(&mut list);
        let partner_legal = sorted(&list);
        let act = self.state.colour(seat);
        let seen = self.events.len();
        let result = self.state.apply_observed(seat, action, &mut self.events);
        result.map_err(|why| TraceError::Illegal {
            text: action.to_string(),
            why,
        })?;
        self.pile_up(seen);
        let chance = self.settle(dealer)?;
        Ok(TraceStep {
            act,
            legal,
            r#do: action,
            chance,
            state: self.position(),
            partner_legal,
        })
    }

    /// The last line of the trace, if the game is over.
    pub fn ending(&self) -> Option<TraceEnding> {
        let outcome = self.state.outcome()?;
        let winners = outcome
            .winners
            .iter()
            .map(|s| self.state.colour(s))
            .collect();
        Some(TraceEnding {
            over: Over {
                winners,
                why: outcome.why,
                score: outcome.score,
            },
        })
    }

    /// Lets chance act until a player is to act or the game is over.
    fn settle(&mut self, dealer: &mut impl Dealer) -> Result<Vec<Chance>, TraceError> {
        let mut done = Vec::new();
        while let Some(request) = self.state.chance() {
            let chance = dealer
                .deal(&self.state)
                .ok_or_else(|| TraceError::Chance(format!("{request:?}")))?;
            let seen = self.events.len();
            let result = self.state.apply_chance_observed(chance, &mut self.events);
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
