//! Bots on a bounded pool: they never block a socket, and no more of them think at once than the
//! host allows.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bots::{Bot, Budget};
use rules::{Action, Event, Seat, View};
use table::BotLevel;
use tokio::sync::{Semaphore, oneshot};

use crate::config;
use crate::metrics::{Metrics, count};

/// Somebody who can play: makes a [`Mind`] for each seat that a bot plays.
pub trait Thinker: Send + Sync + 'static {
    /// A mind for one seat and one game. `seed` is for its own dice.
    fn mind(&self, level: BotLevel, seat: Seat, seed: u64) -> Box<dyn Mind>;
}

/// A bot at one seat during one game; it may remember.
pub trait Mind: Send {
    /// What to do now: one of the question's legal actions; or what to offer, if it is asked that.
    fn think(&mut self, question: &Question, budget: Duration) -> Option<Action>;
}

/// The bots of this server: the one place where they are chosen.
pub fn thinker() -> Arc<dyn Thinker> {
    Arc::new(Levels)
}

/// The players of the `bots` crate.
struct Levels;

/// One of them, made when it sees the game for the first time.
struct Player {
    level: BotLevel,
    seat: Seat,
    seed: u64,
    bot: Option<Bot>,
}

impl Thinker for Levels {
    fn mind(&self, level: BotLevel, seat: Seat, seed: u64) -> Box<dyn Mind> {
        Box::new(Player {
            level,
            seat,
            seed,
            bot: None,
        })
    }
}

impl Mind for Player {
    fn think(&mut self, question: &Question, budget: Duration) -> Option<Action> {
        let Question {
            view,
            events,
            legal,
            offer,
        } = question;
        let (level, seat, seed) = (self.level, self.seat, self.seed);
        let bot = self
            .bot
            .get_or_insert_with(|| Bot::new(level, seat, seed, view));
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

/// Where bots think.
pub struct Pool {
    thinker: Arc<dyn Thinker>,
    places: Semaphore,
    settings: config::Bots,
    metrics: Arc<Metrics>,
}

/// A question for a bot.
pub struct Question {
    /// What it sees.
    pub view: View,
    /// What it has seen since it was last asked. There may be a gap in it after a very long game;
    /// the view is always complete.
    pub events: Vec<Event>,
    /// What it may do; never empty.
    pub legal: Vec<Action>,
    /// Whether it is not its decision, but may offer its partner something (R12.2, R12.3).
    pub offer: bool,
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
    pub async fn ask(
        &self,
        mut mind: Box<dyn Mind>,
        question: Question,
    ) -> (Option<Box<dyn Mind>>, Option<Action>) {
        let begun = Instant::now();
        let place = self.places.acquire().await;
        let offer = question.offer;
        let budget = self.settings.budget;
        let metrics = Arc::clone(&self.metrics);
        let (tell, thought) = oneshot::channel();
        let thinking = std::thread::Builder::new().name("bot".into());
        let thinking = thinking.spawn(move || {
            give_way();
            let begun = Instant::now();
            let action = mind.think(&question, budget);
            metrics.thought.observe(begun.elapsed());
            if action.is_some() {
                count(&metrics.bot_moves);
            }
            let _ = tell.send((mind, action));
        });
        if let Err(why) = thinking {
            tracing::error!(%why, "no bot can think");
        }
        let thought = thought.await;
        drop(place);
        // People want to see what happens; that there is no offer, nobody needs to see.
        let silent = offer && !matches!(thought, Ok((_, Some(_))));
        if !silent && let Some(rest) = self.settings.pause.checked_sub(begun.elapsed()) {
            tokio::time::sleep(rest).await;
        }
        if let Ok((mind, action)) = thought {
            (Some(mind), action)
        } else {
            tracing::error!("a bot failed");
            (None, None)
        }
    }
}

/// People go first: a thread that thinks takes what the others leave of the processor.
fn give_way() {
    // Linux knows it by thread; elsewhere it would slow down the whole program.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}
