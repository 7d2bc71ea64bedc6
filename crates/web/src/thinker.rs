//! What runs in the worker: bots at their seats.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;

use bots::{Advice, Bot, Budget, Level, Promise, Reason};
use client::hint::{Hint, Why};
use table::BotLevel;

use crate::device::brain::{Answer, Job, Made, Numbered, Question, Task};

thread_local! {
    static BOTS: RefCell<HashMap<(String, u8, bool), Bot>> = RefCell::new(HashMap::new());
}

/// Answers a question. What cannot be read is answered with nothing.
pub fn answer(text: &str) -> String {
    if let Ok(Numbered { id, work }) = table::read::<Numbered<Job>>(text) {
        let work = make(work);
        return serde_json::to_string(&Numbered { id, work }).unwrap_or_default();
    }
    let Ok(question) = table::read::<Question>(text) else {
        return String::new();
    };
    let answer = BOTS.with_borrow_mut(|bots| think(bots, &question));
    serde_json::to_string(&answer).unwrap_or_default()
}

/// Does a job.
fn make(job: Job) -> Made {
    match job {
        Job::Daily { day } => {
            let puzzle = study::puzzle::of_the_day(&day);
            Made::Puzzle(puzzle.map(|p| p.to_string()))
        }
        Job::Review {
            record,
            first,
            steps,
            playouts,
        } => {
            let Ok(replay) = study::replay::Replay::open(&record) else {
                return Made::Review(Vec::new());
            };
            let mut reviewer = study::review::Reviewer::new(&replay);
            reviewer.skip_to(first);
            let opinions = (0..steps).map_while(|_| reviewer.next(playouts));
            Made::Review(opinions.collect())
        }
    }
}

fn think(bots: &mut HashMap<(String, u8, bool), Bot>, question: &Question) -> Answer {
    let Question {
        task,
        game,
        seat,
        view,
        ..
    } = question;
    let key = (game.clone(), seat.0, *task == Task::Hint);
    if question.fresh {
        bots.retain(|(kept, ..), _| kept == game);
        bots.remove(&key);
    }
    let bot = bots
        .entry(key)
        .or_insert_with(|| Bot::new(level(question), *seat, seed(question), view));
    for event in &question.events {
        bot.observe(event);
    }
    let clock = || Duration::from_secs_f64(js_sys::Date::now() / 1000.0);
    let budget = Budget::Time(Duration::from_millis(question.millis.into()));
    let mut answer = Answer {
        id: question.id,
        action: None,
        hints: Vec::new(),
    };
    match task {
        Task::Act => answer.action = bot.act(view, budget, &clock),
        Task::Offer => answer.action = bot.offer(view),
        Task::Hint => {
            answer.hints = bot
                .explain(view, budget, &clock, 3)
                .into_iter()
                .map(hint)
                .collect();
        }
    }
    answer
}

fn level(question: &Question) -> Level {
    match question.level {
        BotLevel::Novice => Level::Novice,
        BotLevel::Apprentice => Level::Apprentice,
        BotLevel::Adept => Level::Adept,
        BotLevel::Master => Level::Master,
    }
}

fn seed(question: &Question) -> u64 {
    let letters = question
        .game
        .bytes()
        .fold(0u64, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into()));
    letters ^ u64::from(question.seat.0) << 56
}

fn hint(advice: Advice) -> Hint {
    let (win, cards) = match advice.promise {
        Promise::Win(chance) => (Some((chance * 100.0).clamp(0.0, 100.0).round() as u8), None),
        Promise::Cards(cards) => (None, Some(cards.clamp(0.0, 250.0).round() as u8)),
    };
    let why = advice
        .reasons
        .into_iter()
        .map(|reason| match reason {
            Reason::Wins => Why::Wins,
            Reason::BringsHome { wizards } => Why::Home(wizards),
            Reason::FillsFlask { flasks } => Why::Flask(flasks),
            Reason::Imprisons { wizards } => Why::Imprisons(wizards),
            Reason::Frees { wizards } => Why::Frees(wizards),
            Reason::Advances { spaces } => Why::Advances(spaces),
            Reason::MovesCastle => Why::Castle,
            Reason::Rolls => Why::Rolls,
            Reason::Refreshes => Why::Refreshes,
            Reason::Waits => Why::Waits,
        })
        .collect();
    Hint {
        action: advice.action,
        win,
        cards,
        why,
    }
}
