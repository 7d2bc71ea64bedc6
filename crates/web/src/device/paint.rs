//! Paint order: a large screen opens in stages, a few steps between two frames, so that the page stays responsive on a slow phone.

use std::cell::RefCell;

use futures::channel::oneshot;
use leptos::prelude::*;

use super::page::{next_frame, sleep};

/// A stage of opening a screen. Earlier stages are painted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The frame of a game, the main buttons of the first page.
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
    /// The prompt. It is read aloud, so everything else is there before it.
    Prompt,
    /// Bots start to play.
    Play,
    /// The finer layers of the landscape.
    Landscape,
    /// The moving parts of the air.
    Air,
}

/// The number of steps that run alone in their frame, since code is slowest when it runs first.
const SINGLE_STEPS: usize = 40;
/// The number of steps in a frame after that.
const STEPS_PER_FRAME: usize = 5;

struct Queue {
    waiting: Vec<(Stage, oneshot::Sender<()>)>,
    steps_run: usize,
    is_running: bool,
}

impl Queue {
    /// The first step of the earliest stage.
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
pub async fn step(stage: Stage) {
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

/// Runs the steps until none waits.
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

/// Becomes true when a step of this stage may run.
pub fn reached(stage: Stage) -> RwSignal<bool> {
    let reached = RwSignal::new(false);
    leptos::task::spawn_local(async move {
        step(stage).await;
        reached.try_set(true);
    });
    reached
}
