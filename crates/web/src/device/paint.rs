//! Paint order: a large screen opens in stages, a few steps per frame, so that the page stays responsive on slow
//! phones.

use std::cell::RefCell;

use futures::channel::oneshot;
use leptos::prelude::*;

use super::page::{next_frame, sleep};

/// A stage of opening a screen. Earlier stages are painted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaintStage {
    /// The frame of a game and the main buttons of the first page.
    Frame,
    /// The content below the main buttons of the first page.
    BelowFold,
    /// Sky and ground of the landscape, and the empty board.
    Ground,
    /// The pieces on the board, in portions.
    Pieces,
    Hand,
    Players,
    Actions,
    Targets,
    Tools,
    /// The prompt. Screen readers announce it, so everything else is painted before it.
    Prompt,
    /// Bots start to play.
    Play,
    /// The finer layers of the landscape.
    Landscape,
    /// The animated part of the landscape.
    Air,
}

/// The number of initial steps that get a frame each, since code is slowest on its first run.
const SINGLE_STEPS: usize = 40;
/// The number of steps per frame after that.
const STEPS_PER_FRAME: usize = 5;

struct Queue {
    waiting: Vec<(PaintStage, oneshot::Sender<()>)>,
    steps_run: usize,
    is_running: bool,
}

impl Queue {
    /// Takes the first step of the earliest stage.
    fn next(&mut self) -> Option<oneshot::Sender<()>> {
        let stages = self.waiting.iter().enumerate().map(|(i, w)| (w.0, i));
        let first = stages.min();
        self.is_running = first.is_some();
        let (_, index) = first?;
        self.steps_run += 1;
        Some(self.waiting.remove(index).1)
    }
}

thread_local! {
    static QUEUE: RefCell<Queue> = const {
        RefCell::new(Queue {
            waiting: Vec::new(),
            steps_run: 0,
            is_running: false,
        })
    };
}

/// Waits until a step of this stage may run.
pub async fn step(stage: PaintStage) {
    let (sender, receiver) = oneshot::channel();
    let was_running = QUEUE.with_borrow_mut(|queue| {
        queue.waiting.push((stage, sender));
        std::mem::replace(&mut queue.is_running, true)
    });
    if !was_running {
        leptos::task::spawn_local(run());
    }
    let _ = receiver.await;
}

/// Runs the queued steps.
async fn run() {
    loop {
        next_frame().await;
        sleep(0).await;
        let several = QUEUE.with_borrow(|queue| queue.steps_run >= SINGLE_STEPS);
        for _ in 0..if several { STEPS_PER_FRAME } else { 1 } {
            let Some(step) = QUEUE.with_borrow_mut(Queue::next) else {
                return;
            };
            // The receiver may be gone.
            let _ = step.send(());
        }
    }
}

/// A signal that becomes true when a step of this stage may run.
pub fn reached(stage: PaintStage) -> RwSignal<bool> {
    let reached = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        step(stage).await;
        reached.try_set(true);
    });
    reached
}
