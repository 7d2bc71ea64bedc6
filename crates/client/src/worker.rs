//! Messages between the page and its worker, as JSON.
//!
//! Bots, puzzle solver and review are a separate program (`towers-worker`) that runs beside the page, so that the page
//! stays small and is never blocked by a search. The page sends a [`JobRequest`]; the worker sends one [`JobResponse`] with
//! the same id.

use serde::{Deserialize, Serialize};
use towers_rules::{Action, Event, Seat, View};
use towers_study::replay::Replay;
use towers_study::review::{Curve, Opinion};
use towers_study::statistics::Statistics;
use towers_table::BotLevel;

use crate::hint::Hint;

/// A job with an id that identifies its response.
#[derive(Debug, Serialize, Deserialize)]
pub struct JobRequest {
    /// Chosen by the page.
    pub id: u32,
    pub job: Job,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct JobResponse {
    pub id: u32,
    pub result: JobResult,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Lets a bot decide or advise; answered by [`JobResult::Decision`].
    Decide(Box<DecisionRequest>),
    /// Makes the puzzle of a day such as `2026-11-15`; answered by [`JobResult::Puzzle`].
    DailyPuzzle { day: String },
    /// Solves a puzzle; answered by [`JobResult::Solutions`].
    SolvePuzzle {
        /// The puzzle as a line of text.
        puzzle: String,
    },
    /// Evaluates every step of a finished game; answered by [`JobResult::Curve`].
    Evaluate {
        /// The finished game.
        replay: Box<Replay>,
    },
    /// Counts the events of a finished game; answered by [`JobResult::Statistics`].
    Count {
        /// The finished game.
        replay: Box<Replay>,
    },
    /// Compares some steps of a finished game with a bot's play; answered by [`JobResult::Opinions`].
    Review {
        replay: Box<Replay>,
        /// The first step.
        first: usize,
        steps: usize,
        /// The number of playouts for each step.
        playouts: u32,
    },
}

/// The result of a [`Job`]; `None` if the puzzle is malformed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobResult {
    /// The bot's decision or advice.
    Decision(Decision),
    /// A puzzle as a line of text.
    Puzzle(Option<String>),
    /// Every solution, the shortest first.
    Solutions(Option<Vec<Vec<Action>>>),
    /// The estimate after every step.
    Curve(Curve),
    Statistics(Statistics),
    /// One entry for each step; fewer than requested when the game has no more.
    Opinions(Vec<Option<Opinion>>),
}

/// The task of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Its own decision.
    Act,
    /// An offer to its partner.
    Offer,
    /// Advice for the person at this seat.
    Hint,
}

/// A decision to be made, with everything that the seat may know.
#[derive(Debug, Serialize, Deserialize)]
pub struct DecisionRequest {
    pub task: Task,
    /// The name of the game. Bots of one game keep their observations between requests.
    pub game: String,
    pub seat: Seat,
    pub level: BotLevel,
    /// Whether the bot discards its earlier observations.
    pub fresh: bool,
    pub view: View,
    /// The events that the seat observed since its last request.
    pub events: Vec<Event>,
    /// How long the bot may think, in milliseconds.
    pub millis: u32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Decision {
    /// For [`Task::Act`] and [`Task::Offer`]: the action, if any.
    pub action: Option<Action>,
    /// For [`Task::Hint`]: the best actions, best first.
    pub hints: Vec<Hint>,
}
