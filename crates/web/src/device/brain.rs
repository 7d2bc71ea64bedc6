//! The worker in which bots think.

use std::cell::RefCell;
use std::collections::HashMap;

use js_sys::{Function, Promise};
use rules::{Action, Event, Seat, View};
use serde::Serialize;
use table::BotLevel;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};
use wire::Deserialize;

use super::page;

/// What is asked of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// What do you do?
    Act,
    /// Do you offer your partner something?
    Offer,
    /// What should this player do, and why?
    Hint,
}

/// A question for the worker.
#[derive(Debug, Serialize, Deserialize)]
pub struct Question {
    pub id: u32,
    pub task: Task,
    /// The game, so that bots remember the right one.
    pub game: String,
    pub seat: Seat,
    pub level: BotLevel,
    /// Whether the bot begins anew.
    pub fresh: bool,
    pub view: View,
    pub events: Vec<Event>,
    /// How long it may think, in milliseconds.
    pub millis: u32,
}

/// Other work for the worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Makes the puzzle of a day.
    Daily {
        /// The day, such as `2026-11-15`.
        day: String,
    },
    /// Says what a bot would have played, for some steps of a game that is over.
    Review {
        /// The record.
        record: String,
        /// The first step.
        first: usize,
        /// How many steps.
        steps: usize,
        /// How long it may think about each, in playouts.
        playouts: u32,
    },
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Made {
    /// A puzzle, as a line.
    Puzzle(Option<String>),
    /// What a bot would have played, step by step; fewer than asked for when the game has no more.
    Review(Vec<Option<study::review::Opinion>>),
}

/// Something with the number of its question.
#[derive(Debug, Serialize, serde::Deserialize)]
pub struct Numbered<T> {
    pub id: u32,
    pub work: T,
}

/// Lets the worker do a job; none if there is no worker.
pub async fn make(job: Job) -> Option<Made> {
    let answer = send(move |id| serde_json::to_string(&Numbered { id, work: job }).ok()).await?;
    let made: Numbered<Made> = table::read(&answer).ok()?;
    Some(made.work)
}

/// The worker's answer.
#[derive(Debug, Serialize, Deserialize)]
pub struct Answer {
    pub id: u32,
    pub action: Option<Action>,
    pub hints: Vec<client::hint::Hint>,
}

/// The number of an answer, whatever else is in it.
#[derive(Deserialize)]
struct Number {
    id: u32,
}

struct Brain {
    worker: Worker,
    waiting: HashMap<u32, Function>,
    next: u32,
}

thread_local! {
    static BRAIN: RefCell<Option<Brain>> = const { RefCell::new(None) };
}

/// Asks, and waits for the answer; none if there is no worker.
pub async fn ask(mut question: Question) -> Option<Answer> {
    let answer = send(move |id| {
        question.id = id;
        serde_json::to_string(&question).ok()
    });
    table::read(&answer.await?).ok()
}

/// Sends a text with a number in it, and waits for the one with the same number.
async fn send(text: impl FnOnce(u32) -> Option<String>) -> Option<String> {
    let promise = BRAIN.with_borrow_mut(|kept| {
        if kept.is_none() {
            *kept = start();
        }
        let brain = kept.as_mut()?;
        brain.next += 1;
        let id = brain.next;
        let text = text(id)?;
        let promise = Promise::new(&mut |done, _| {
            brain.waiting.insert(id, done);
        });
        brain.worker.post_message(&JsValue::from_str(&text)).ok()?;
        Some(promise)
    })?;
    JsFuture::from(promise).await.ok()?.as_string()
}

/// Stops thinking: whatever was asked is not answered.
pub fn stop() {
    BRAIN.with_borrow_mut(|kept| {
        if let Some(brain) = kept.take() {
            brain.worker.terminate();
        }
    });
}

/// The worker broke down: nobody waits for it any longer, and the next question finds a new one.
fn break_down() {
    let Some(brain) = BRAIN.with_borrow_mut(Option::take) else {
        return;
    };
    brain.worker.terminate();
    for done in brain.waiting.into_values() {
        let _ = done.call1(&JsValue::NULL, &JsValue::NULL);
    }
}

fn start() -> Option<Brain> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&page::meta("worker")?, &options).ok()?;
    let hear = Closure::<dyn Fn(MessageEvent)>::new(|event: MessageEvent| {
        let Some(text) = event.data().as_string() else {
            return;
        };
        let Ok(answer) = table::read::<Number>(&text) else {
            break_down();
            return;
        };
        let done = BRAIN.with_borrow_mut(|kept| kept.as_mut()?.waiting.remove(&answer.id));
        if let Some(done) = done {
            let _ = done.call1(&JsValue::NULL, &event.data());
        }
    });
    worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
    hear.forget();
    Some(Brain {
        worker,
        waiting: HashMap::new(),
        next: 0,
    })
}
