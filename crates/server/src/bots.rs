//! Bots on a bounded pool: they never block a socket, the number of concurrent ones is limited, and addresses share the
//! pool fairly.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use towers_bots::{Bot, Budget, Strength};
use towers_rules::{Action, Event, Seat, View};
use towers_table::BotLevel;

use crate::config;
use crate::fair_queue::FairQueue;
use crate::metrics::Metrics;

/// Creates a [`Mind`] for each bot at a table.
pub trait Thinker: Send + Sync + 'static {
    /// A mind for one seat and one game. `seed` is for its own random choices.
    fn mind(&self, level: BotLevel, seat: Seat, seed: u64) -> Box<dyn Mind>;
}

/// A bot at one seat during one game; it may remember what it observed.
pub trait Mind: Send {
    /// Chooses one of the question's legal actions, or an offer if it is asked for one.
    fn think(&mut self, question: &BotQuestion, budget: Duration) -> Option<Action>;
}

/// The bots that a server uses.
pub fn thinker() -> Arc<dyn Thinker> {
    Arc::new(Levels)
}

/// The bots of the crate `towers-bots`.
struct Levels;

/// A bot, created when it sees the game for the first time.
struct BotMind {
    level: BotLevel,
    seat: Seat,
    seed: u64,
    bot: Option<Bot>,
}

impl Thinker for Levels {
    fn mind(&self, level: BotLevel, seat: Seat, seed: u64) -> Box<dyn Mind> {
        Box::new(BotMind {
            level,
            seat,
            seed,
            bot: None,
        })
    }
}

impl Mind for BotMind {
    fn think(&mut self, question: &BotQuestion, budget: Duration) -> Option<Action> {
        let BotQuestion {
            view,
            events,
            legal,
            offer,
        } = question;
        let (level, seat, seed) = (self.level, self.seat, self.seed);
        let bot = self
            .bot
            .get_or_insert_with(|| Bot::new(bot_level(level), seat, seed, view));
        for event in events {
            bot.observe(event);
        }
        if *offer {
            return bot.offer(view);
        }
        let begun = Instant::now();
        let action = bot.act(view, Budget::Time(budget), &|| begun.elapsed());
        action.or_else(|| legal.first().copied())
    }
}

/// The strength for a table's bot level.
fn bot_level(level: BotLevel) -> Strength {
    match level {
        BotLevel::Novice => Strength::Novice,
        BotLevel::Apprentice => Strength::Apprentice,
        BotLevel::Adept => Strength::Adept,
        BotLevel::Master => Strength::Master,
    }
}

pub struct Pool {
    thinker: Arc<dyn Thinker>,
    queue: FairQueue<IpAddr>,
    settings: config::BotSettings,
    metrics: Arc<Metrics>,
}

pub struct BotQuestion {
    pub view: View,
    /// The events since the last question. There may be a gap after a very long game; the view is always complete.
    pub events: Vec<Event>,
    /// The legal actions; never empty.
    pub legal: Vec<Action>,
    /// Whether it is asked for an offer to its partner out of turn (R12.2, R12.3).
    pub offer: bool,
}

impl Pool {
    /// A pool for these bots.
    pub fn new(
        thinker: Arc<dyn Thinker>,
        settings: config::BotSettings,
        metrics: Arc<Metrics>,
    ) -> Pool {
        Pool {
            thinker,
            queue: FairQueue::new(settings.threads),
            settings,
            metrics,
        }
    }

    pub fn mind(&self, level: BotLevel, seat: Seat, seed: u64) -> Box<dyn Mind> {
        self.thinker.mind(level, seat, seed)
    }

    /// Lets a bot think for a table opened from this address. Returns the mind with its action; neither if it failed.
    pub async fn ask(
        &self,
        address: IpAddr,
        mut mind: Box<dyn Mind>,
        question: BotQuestion,
    ) -> (Option<Box<dyn Mind>>, Option<Action>) {
        let begun = Instant::now();
        let permit = self.queue.acquire(address).await;
        self.metrics.bot_queue.record(begun.elapsed());
        let offer = question.offer;
        let budget = self.settings.budget;
        let metrics = Arc::clone(&self.metrics);
        let (tell, thought) = oneshot::channel();
        let thinking = std::thread::Builder::new().name("bot".into());
        let thinking = thinking.spawn(move || {
            lower_priority();
            let begun = Instant::now();
            let action = mind.think(&question, budget);
            metrics.thought.record(begun.elapsed());
            if action.is_some() {
                metrics.bot_moves.increment(1);
            }
            let _ = tell.send((mind, action));
        });
        if let Err(why) = thinking {
            tracing::error!(%why, "cannot start a thread for a bot");
        }
        let thought = thought.await;
        drop(permit);
        // A pause lets people follow the game; without an offer there is nothing to follow.
        let silent = offer && !matches!(thought, Ok((_, Some(_))));
        if !silent && let Some(rest) = self.settings.pause.checked_sub(begun.elapsed()) {
            tokio::time::sleep(rest).await;
        }
        if let Ok((mind, action)) = thought {
            (Some(mind), action)
        } else {
            tracing::error!("a bot panicked");
            (None, None)
        }
    }
}

/// Lowers the priority of a thinking thread, so that people are served first.
fn lower_priority() {
    // On Linux this affects one thread; elsewhere it would affect the whole process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}
