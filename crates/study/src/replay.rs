//! A record as a sequence of positions and events.

use serde::{Deserialize, Serialize};
use towers_rules::{Action, Actor, Chance, Event, Seat, State, View, Viewer};
use towers_table::{Command, Ending, NotARecord, NotRebuilt, Record, Table, Taken, Who};

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReplay {
    /// The text is not a record.
    #[error("this is not a record: {0}")]
    Unreadable(#[from] NotARecord),
    /// An entry is illegal.
    #[error(transparent)]
    Refused(#[from] NotRebuilt),
    /// No game was started.
    #[error("no game was played at this table")]
    NoGame,
    /// The game is still in progress, so its hidden information stays hidden.
    #[error("the game is not over yet")]
    NotOver,
}

impl NoReplay {
    /// Whether an earlier version of the program wrote the record, with other rules.
    pub fn is_earlier(&self) -> bool {
        matches!(self, NoReplay::Refused(NotRebuilt { earlier: true, .. }))
    }
}

/// One entry of a record with everything that followed from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayStep {
    /// The number of the record's entry, used in links.
    pub number: u64,
    /// The acting seat; `None` for the deal and for entries of the table itself.
    pub seat: Option<Seat>,
    pub action: Option<Action>,
    /// The outcomes of chance that followed.
    pub chance: Vec<Chance>,
    /// The events, including hidden information.
    pub events: Vec<Event>,
    /// The position after it.
    #[serde(with = "notation")]
    pub state: State,
}

/// A finished game, step by step. The first step is the deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The players by seat: a name, or the level of a bot.
    pub names: Vec<Result<String, towers_table::BotLevel>>,
    pub steps: Vec<ReplayStep>,
    pub ending: Ending,
}

/// The point of view of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eyes {
    /// Everything is visible: all hands and all prisoners.
    All,
    /// What this player saw.
    Seat(Seat),
}

impl Replay {
    /// Opens a finished game of a record: the one with this entry, or the last one.
    pub fn open(text: &str, entry: Option<u64>) -> Result<Replay, NoReplay> {
        Replay::of(&Record::from_text(text)?, entry)
    }

    /// Opens a finished game of a record: the one with this entry, or the last one. An entry between two games belongs
    /// to the earlier one.
    pub fn of(record: &Record, wanted: Option<u64>) -> Result<Replay, NoReplay> {
        let is_later = |number: u64| wanted.is_some_and(|wanted| number > wanted);
        let refused = |number, why| NotRebuilt::new(&record.header, number, why);
        let mut table = Table::create(&record.header).map_err(|e| refused(0, e))?;
        let mut replay: Option<Replay> = None;
        let mut over = None;
        for entry in &record.entries {
            let seat = actor(&table, entry.by, &entry.command);
            let own = table.replay(entry).map_err(|e| refused(entry.number, e))?;
            let Some(&state) = table.state() else {
                continue;
            };
            if own.seed.is_some() {
                over = replay.take().filter(is_over).or(over);
                if over.is_some() && is_later(entry.number) {
                    break;
                }
            }
            let events: Vec<Event> = table.last_events().collect();
            let current = replay.get_or_insert_with(|| Replay {
                names: names(&table),
                steps: Vec::new(),
                ending: Ending::Agreed,
            });
            if !events.is_empty() {
                current.steps.push(ReplayStep {
                    number: entry.number,
                    seat,
                    action: match entry.command {
                        Command::Act { action, .. } => Some(action),
                        _ => None,
                    },
                    chance: own.chance.clone(),
                    events,
                    state,
                });
            }
            if let Some(ending) = own.over {
                current.ending = ending;
                over = replay.take();
            }
        }
        over.ok_or(if replay.is_some() {
            NoReplay::NotOver
        } else {
            NoReplay::NoGame
        })
    }

    /// The position after a step, or the last one if there are fewer.
    pub fn state(&self, step: usize) -> &State {
        let last = self.steps.len().saturating_sub(1);
        &self.steps[step.min(last)].state
    }

    /// The view after a step from a point of view.
    pub fn view(&self, step: usize, eyes: Eyes) -> View {
        let state = self.state(step);
        match eyes {
            Eyes::Seat(seat) => state.view(Viewer::Seat(seat)),
            Eyes::All => {
                let mut view = state.view(Viewer::Seat(state.active()));
                open_up(state, &mut view);
                view
            }
        }
    }

    /// Every hand after a step, as far as it is visible from a point of view.
    pub fn hands(&self, step: usize, eyes: Eyes) -> Vec<Option<Vec<towers_rules::Card>>> {
        let state = self.state(step);
        let open = |seat| eyes == Eyes::All || eyes == Eyes::Seat(seat) || state.shares_hand();
        state
            .seats()
            .map(|seat| open(seat).then(|| state.hand(seat).iter().collect()))
            .collect()
    }

    /// The step of an entry, or the one before it.
    pub fn step_of(&self, number: u64) -> usize {
        let after = self.steps.partition_point(|s| s.number <= number);
        after.saturating_sub(1)
    }

    /// The player who decided before a step, if any.
    pub fn decider(&self, step: usize) -> Option<Seat> {
        let before = step.checked_sub(1)?;
        match self.state(before).actor() {
            Actor::Player(seat) => Some(self.steps.get(step)?.seat.unwrap_or(seat)),
            Actor::Chance | Actor::Nobody => None,
        }
    }
}

fn is_over(replay: &Replay) -> bool {
    replay
        .steps
        .last()
        .is_some_and(|s| s.state.outcome().is_some())
}

/// Adds all prisoners to a view, which a strict table hides (R16.2).
fn open_up(state: &State, view: &mut View) {
    view.options.memory = towers_rules::Memory::Assisted;
    for (space, levels) in towers_rules::Space::all().zip(&mut view.spaces) {
        for level in levels {
            let surface = level.tower.map_or(
                towers_rules::Surface::ground(space),
                towers_rules::Tower::top,
            );
            level.wizards = Some(state.wizards(surface));
        }
    }
}

/// Positions are serialized in their notation.
mod notation {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use towers_rules::State;

    pub fn serialize<S: Serializer>(state: &State, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(state)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<State, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// The seat that a command acts for.
fn actor(table: &Table, by: Who, command: &Command) -> Option<Seat> {
    match (by, command) {
        (Who::Bot(seat), _) => Some(seat),
        (Who::Person(id), Command::Act { .. }) => table.you(Some(id)).seat,
        _ => None,
    }
}

fn names(table: &Table) -> Vec<Result<String, towers_table::BotLevel>> {
    let view = table.view(None);
    let name = |taken| match taken {
        Taken::Person { name, .. } => Ok(name),
        Taken::Bot { level } => Err(level),
        Taken::Open => Ok(String::new()),
    };
    view.seats.into_iter().map(|s| name(s.taken)).collect()
}
