//! The worker beside the page: bots, puzzle solver and review (`towers-worker`).
//!
//! It is loaded on the first request, never before the first paint. Every function returns `None` if there is no
//! worker, if it failed, or if it was stopped before it answered.

use std::cell::RefCell;
use std::collections::HashMap;

use futures::channel::oneshot;
use gloo_events::EventListener;
use towers_client::worker::{Decision, DecisionRequest, Job, JobRequest, JobResponse, JobResult};
use towers_rules::Action;
use towers_study::puzzle::Puzzle;
use towers_study::replay::Replay;
use towers_study::review::{Curve, Opinion};
use towers_study::statistics::Statistics;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, WorkerOptions, WorkerType};

use super::page;

/// Lets a bot decide or advise.
pub async fn decide(position: DecisionRequest) -> Option<Decision> {
    match request(Job::Decide(Box::new(position))).await? {
        JobResult::Decision(decision) => Some(decision),
        _ => None,
    }
}

/// Makes the puzzle of a day such as `2026-11-15`.
pub async fn daily_puzzle(day: String) -> Option<Puzzle> {
    match request(Job::DailyPuzzle { day }).await? {
        JobResult::Puzzle(line) => line?.parse().ok(),
        _ => None,
    }
}

/// Every solution of a puzzle, the shortest first.
pub async fn solutions(puzzle: &Puzzle) -> Option<Vec<Vec<Action>>> {
    let puzzle = puzzle.to_string();
    match request(Job::SolvePuzzle { puzzle }).await? {
        JobResult::Solutions(solutions) => solutions,
        _ => None,
    }
}

/// The estimate after every step of a finished game.
pub async fn curve(replay: Replay) -> Option<Curve> {
    let replay = Box::new(replay);
    match request(Job::Evaluate { replay }).await? {
        JobResult::Curve(curve) => Some(curve),
        _ => None,
    }
}

/// The statistics of a finished game.
pub async fn statistics(replay: Replay) -> Option<Statistics> {
    let replay = Box::new(replay);
    match request(Job::Count { replay }).await? {
        JobResult::Statistics(statistics) => Some(statistics),
        _ => None,
    }
}

/// A bot's opinions on some steps of a finished game; fewer than `steps` at its end.
pub async fn opinions(
    replay: Replay,
    first: usize,
    steps: usize,
    playouts: u32,
) -> Option<Vec<Option<Opinion>>> {
    let job = Job::Review {
        replay: Box::new(replay),
        first,
        steps,
        playouts,
    };
    match request(job).await? {
        JobResult::Opinions(opinions) => Some(opinions),
        _ => None,
    }
}

/// Stops the worker. The next request starts a new one.
pub fn stop() {
    // Requests without a response are cancelled when their senders are dropped.
    let stopped = WORKER.with_borrow_mut(Option::take);
    drop(stopped);
}

/// A running worker and its pending requests.
struct Worker {
    handle: web_sys::Worker,
    waiting: HashMap<u32, oneshot::Sender<JobResult>>,
    next_id: u32,
    _listeners: [EventListener; 2],
}

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

impl Worker {
    fn start() -> Option<Worker> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let handle = web_sys::Worker::new_with_options(&page::meta("worker")?, &options).ok()?;
        let on_message = EventListener::new(&handle, "message", |event| {
            let data = event.dyn_ref::<MessageEvent>().map(MessageEvent::data);
            let text = data.and_then(|data| data.as_string());
            receive(&text.unwrap_or_default());
        });
        // A worker that cannot be loaded fires this event.
        let on_error = EventListener::new(&handle, "error", |_| stop());
        Some(Worker {
            handle,
            waiting: HashMap::new(),
            next_id: 0,
            _listeners: [on_message, on_error],
        })
    }

    fn send(&mut self, job: Job) -> Option<oneshot::Receiver<JobResult>> {
        self.next_id += 1;
        let id = self.next_id;
        let text = serde_json::to_string(&JobRequest { id, job }).ok()?;
        self.handle.post_message(&JsValue::from_str(&text)).ok()?;
        let (sender, receiver) = oneshot::channel();
        self.waiting.insert(id, sender);
        Some(receiver)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.handle.terminate();
    }
}

async fn request(job: Job) -> Option<JobResult> {
    let receiver = WORKER.with_borrow_mut(|kept| {
        if kept.is_none() {
            *kept = Worker::start();
        }
        kept.as_mut()?.send(job)
    })?;
    receiver.await.ok()
}

/// Passes a response to its receiver. A malformed text means that the worker failed.
fn receive(text: &str) {
    let Ok(JobResponse { id, result }) = serde_json::from_str(text) else {
        stop();
        return;
    };
    let sender = WORKER.with_borrow_mut(|kept| kept.as_mut()?.waiting.remove(&id));
    if let Some(sender) = sender {
        // The receiver may be gone.
        let _ = sender.send(result);
    }
}
