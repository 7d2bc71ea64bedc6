//! A record, opened: every position and everything that happened, step by step.

use rules::{Action, Actor, Chance, Event, Seat, State, View, Viewer};
use table::{Command, Ending, NotARecord, Record, Table, Taken, Who};

/// Why a record cannot be stepped through.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReplay {
    /// It cannot be read.
    #[error("this is not a record: {0}")]
    Unreadable(#[from] NotARecord),
    /// Something in it could not have happened.
    #[error("entry {number}: {why}")]
    Refused {
        /// Which entry; 0 is the header.
        number: u64,
        /// Why.
        why: String,
    },
    /// No game was begun.
    #[error("no game was played at this table")]
    NoGame,
    /// While a game is on, nobody looks at everything.
    #[error("the game is not over yet")]
    NotOver,
}

/// One thing that somebody did, with all that followed from it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The number of the record's entry: links name it.
    pub number: u64,
    /// Who did it; none: the deal, or the table for somebody.
    pub seat: Option<Seat>,
    /// What they did.
    pub action: Option<Action>,
    /// What chance did then.
    pub chance: Vec<Chance>,
    /// What happened, nothing left out.
    pub events: Vec<Event>,
    /// The position after it.
    pub state: State,
}

/// A game that is over, step by step. The first step is the deal.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What the players were called, by seat; none: a bot, of this level.
    pub names: Vec<Result<String, table::BotLevel>>,
    /// The steps.
    pub steps: Vec<Step>,
    /// How it ended.
    pub ending: Ending,
}

/// Who looks at a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eyes {
    /// Everything is open: all hands and everybody who is imprisoned.
    All,
    /// What this player saw.
    Seat(Seat),
}

impl Replay {
    /// Opens the last game of a record that is over.
    pub fn open(text: &str) -> Result<Replay, NoReplay> {
        Replay::of(&Record::from_text(text)?)
    }

    /// Opens the last game of a record that is over.
    pub fn of(record: &Record) -> Result<Replay, NoReplay> {
        let refused = |number: u64, why: &dyn std::fmt::Display| NoReplay::Refused {
            number,
            why: why.to_string(),
        };
        let mut table = Table::create(&record.header).map_err(|e| refused(0, &e))?;
        let mut replay: Option<Replay> = None;
        let mut over = None;
        for entry in &record.entries {
            let seat = actor(&table, entry.by, &entry.command);
            let own = table.replay(entry).map_err(|e| refused(entry.number, &e))?;
            let Some(&state) = table.state() else {
                continue;
            };
            if own.seed.is_some() {
                over = replay.take().filter(is_over).or(over);
            }
            let events: Vec<Event> = table.last_events().collect();
            let current = replay.get_or_insert_with(|| Replay {
                names: names(&table),
                steps: Vec::new(),
                ending: Ending::Agreed,
            });
            if !events.is_empty() {
                current.steps.push(Step {
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

    /// The position after a step; the last one if there are fewer.
    pub fn state(&self, step: usize) -> &State {
        let last = self.steps.len().saturating_sub(1);
        &self.steps[step.min(last)].state
    }

    /// What somebody saw after a step.
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

    /// Everybody's hand after a step, as far as it is open to these eyes.
    pub fn hands(&self, step: usize, eyes: Eyes) -> Vec<Option<Vec<rules::Card>>> {
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

    /// Who decided before a step, if a player did.
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

/// Shows everybody who is imprisoned: views of strict tables hide them (R16.2).
fn open_up(state: &State, view: &mut View) {
    view.options.memory = rules::Memory::Assisted;
    for (space, levels) in rules::Space::all().zip(&mut view.spaces) {
        for level in levels {
            let surface = level
                .tower
                .map_or(rules::Surface::ground(space), rules::Tower::top);
            level.wizards = Some(state.wizards(surface));
        }
    }
}

/// Whose action a command is.
fn actor(table: &Table, by: Who, command: &Command) -> Option<Seat> {
    match (by, command) {
        (Who::Bot(seat), _) => Some(seat),
        (Who::Person(id), Command::Act { .. }) => table.you(Some(id)).seat,
        _ => None,
    }
}

fn names(table: &Table) -> Vec<Result<String, table::BotLevel>> {
    let view = table.view(None);
    let name = |taken| match taken {
        Taken::Person { name, .. } => Ok(name),
        Taken::Bot { level } => Err(level),
        Taken::Open => Ok(String::new()),
    };
    view.seats.into_iter().map(|s| name(s.taken)).collect()
}
