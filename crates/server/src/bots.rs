//! Bots on a bounded pool: they never block a socket, and no more of them think at once than the
//! host allows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rules::{Action, Actions, Event, Seat, View};
use table::BotLevel;
use tokio::sync::Semaphore;

use crate::config;
use crate::metrics::{Metrics, count};

/// Somebody who can play: makes a [`Mind`] for each seat that a bot plays.
pub trait Thinker: Send + Sync + 'static {
    /// A mind for one seat and one game. `seed` is for its own dice.
    fn mind(&self, level: BotLevel, seat: Seat, seed: u64) -> Box<dyn Mind>;
}

/// A bot at one seat during one game; it may remember.
pub trait Mind: Send {
    /// What to do now. `events` is what the seat has seen since it was last asked; it may be
    /// incomplete after a restart, the view never is.
    fn think(&mut self, view: &View, events: &[Event], budget: Duration) -> Option<Action>;
}

/// The bots of this server: the one place where they are chosen.
pub fn thinker() -> Arc<dyn Thinker> {
    Arc::new(AnyLegal)
}

/// Plays any legal action.
struct AnyLegal;

struct AnyLegalMind(u64);

impl Thinker for AnyLegal {
    fn mind(&self, _: BotLevel, _: Seat, seed: u64) -> Box<dyn Mind> {
        Box::new(AnyLegalMind(seed | 1))
    }
}

impl Mind for AnyLegalMind {
    fn think(&mut self, view: &View, _: &[Event], _: Duration) -> Option<Action> {
        let mut list = Actions::new();
        view.legal_actions(&mut list).ok()?;
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        list.get(self.0 as usize % list.len().max(1))
    }
}

/// Where bots think.
pub struct Pool {
    thinker: Arc<dyn Thinker>,
    places: Semaphore,
    settings: config::Bots,
    metrics: Arc<Metrics>,
}

/// A question for a bot.
pub struct Question {
    /// The bot.
    pub mind: Box<dyn Mind>,
    /// What it sees.
    pub view: View,
    /// What it has seen since it was last asked.
    pub events: Vec<Event>,
}

impl Pool {
    /// A pool for these bots.
    pub fn new(thinker: Arc<dyn Thinker>, settings: config::Bots, metrics: Arc<Metrics>) -> Pool {
        Pool {
            thinker,
            places: Semaphore::new(settings.threads.max(1)),
            settings,
            metrics,
        }
    }

    /// A mind for a seat.
    pub fn mind(&self, level: BotLevel, seat: Seat, seed: u64) -> Box<dyn Mind> {
        self.thinker.mind(level, seat, seed)
    }

    /// Lets a bot think. It comes back with its answer; none if it had none or failed.
    pub async fn ask(&self, question: Question) -> (Option<Box<dyn Mind>>, Option<Action>) {
        let begun = Instant::now();
        let place = self.places.acquire().await;
        let budget = self.settings.budget;
        let metrics = Arc::clone(&self.metrics);
        let thought = tokio::task::spawn_blocking(move || {
            let Question {
                mut mind,
                view,
                events,
            } = question;
            let begun = Instant::now();
            let action = mind.think(&view, &events, budget);
            metrics.thought.observe(begun.elapsed());
            count(&metrics.bot_moves);
            (mind, action)
        })
        .await;
        drop(place);
        // People want to see what happens.
        if let Some(rest) = self.settings.pause.checked_sub(begun.elapsed()) {
            tokio::time::sleep(rest).await;
        }
        match thought {
            Ok((mind, action)) => (Some(mind), action),
            Err(why) => {
                tracing::error!(%why, "a bot failed");
                (None, None)
            }
        }
    }
}

/// What is done for a bot that has no answer: the first legal action.
pub fn makeshift(view: &View) -> Option<Action> {
    let mut list = Actions::new();
    view.legal_actions(&mut list).ok()?;
    list.get(0)
}
