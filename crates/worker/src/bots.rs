//! Bots at their seats.

use std::collections::HashMap;
use std::time::Duration;

use towers_bots::{Advice, Benefit, Bot, Budget, Expectation, Strength};
use towers_client::hint::{Hint, HintReason};
use towers_client::worker::{Decision, DecisionRequest, Task};
use towers_table::BotLevel;

/// The number of actions in advice.
const MAX_HINTS: usize = 3;

/// The key of a bot: game, seat, and whether it advises a person instead of playing.
type Key = (String, u8, bool);

/// The bots of a game. Each remembers what its seat has observed.
#[derive(Default)]
pub struct Bots(HashMap<Key, Bot>);

impl Bots {
    /// Lets the bot of a seat decide or advise.
    pub fn decide(&mut self, position: &DecisionRequest, clock: &dyn Fn() -> Duration) -> Decision {
        let bot = self.bot(position);
        for event in &position.events {
            bot.observe(event);
        }
        let view = &position.view;
        let budget = Budget::Time(Duration::from_millis(position.millis.into()));
        let mut decision = Decision::default();
        match position.task {
            Task::Act => decision.action = bot.act(view, budget, &clock),
            Task::Offer => decision.action = bot.offer(view),
            Task::Hint => {
                let advice = bot.explain(view, budget, &clock, MAX_HINTS);
                decision.hints = advice.into_iter().map(hint).collect();
            }
        }
        decision
    }

    /// The games that have bots.
    #[cfg(test)]
    pub fn games(&self) -> Vec<&str> {
        let mut games: Vec<&str> = self.0.keys().map(|(game, ..)| game.as_str()).collect();
        games.sort_unstable();
        games.dedup();
        games
    }

    /// The bot of a seat. Creating one for a new game drops those of all other games.
    fn bot(&mut self, position: &DecisionRequest) -> &mut Bot {
        let DecisionRequest { game, seat, .. } = position;
        let key = (game.clone(), seat.0, position.task == Task::Hint);
        if position.fresh {
            self.0.retain(|(kept, ..), _| kept == game);
            self.0.remove(&key);
        }
        self.0.entry(key).or_insert_with(|| {
            let strength = strength(position.level);
            Bot::new(strength, *seat, seed(position), &position.view)
        })
    }
}

fn strength(level: BotLevel) -> Strength {
    match level {
        BotLevel::Novice => Strength::Novice,
        BotLevel::Apprentice => Strength::Apprentice,
        BotLevel::Adept => Strength::Adept,
        BotLevel::Master => Strength::Master,
    }
}

fn seed(position: &DecisionRequest) -> u64 {
    let letters = position
        .game
        .bytes()
        .fold(0u64, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into()));
    letters ^ u64::from(position.seat.0) << 56
}

fn hint(advice: Advice) -> Hint {
    let (win, cards) = match advice.expectation {
        Expectation::Win(chance) => (Some(percent(chance)), None),
        Expectation::Cards(cards) => (None, Some(rounded(cards, 250))),
    };
    Hint {
        action: advice.action,
        win,
        cards,
        why: advice.benefits.into_iter().map(why).collect(),
    }
}

fn percent(chance: f32) -> u8 {
    rounded(chance * 100.0, 100)
}

/// The nearest number from 0 to `most`.
#[allow(clippy::cast_sign_loss, reason = "the cast saturates")]
fn rounded(number: f32, most: u8) -> u8 {
    (number.round() as u8).min(most)
}

fn why(benefit: Benefit) -> HintReason {
    match benefit {
        Benefit::Wins => HintReason::Wins,
        Benefit::BringsHome { wizards } => HintReason::Home(wizards),
        Benefit::FillsFlask { flasks } => HintReason::Flask(flasks),
        Benefit::Imprisons { wizards } => HintReason::Imprisons(wizards),
        Benefit::Frees { wizards } => HintReason::Frees(wizards),
        Benefit::Advances { spaces } => HintReason::Advances(spaces),
        Benefit::MovesCastle => HintReason::Castle,
        Benefit::Rolls => HintReason::Rolls,
        Benefit::Refreshes => HintReason::Refreshes,
        Benefit::Waits => HintReason::Waits,
    }
}
