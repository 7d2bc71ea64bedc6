//! Paint order: a large screen opens in stages, for a few milliseconds per frame, so that the page stays responsive on
//! slow phones.

use std::cell::RefCell;

use futures::channel::oneshot;
use leptos::prelude::*;

use super::page::{next_frame, now, sleep};

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

/// After this many milliseconds of steps in a frame, the next one waits for the next frame. Code is slowest on its first
/// run, so the first steps fill a frame each.
const FRAME_BUDGET: u64 = 6;

struct Queue {
    waiting: Vec<(PaintStage, oneshot::Sender<()>)>,
    is_running: bool,
}

impl Queue {
    /// Takes the first step of the earliest stage.
    fn next(&mut self) -> Option<oneshot::Sender<()>> {
        let stages = self.waiting.iter().enumerate().map(|(i, w)| (w.0, i));
        let first = stages.min();
        self.is_running = first.is_some();
        let (_, index) = first?;
        Some(self.waiting.remove(index).1)
    }
}

thread_local! {
    static QUEUE: RefCell<Queue> = const {
        RefCell::new(Queue {
            waiting: Vec::new(),
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
        let begun = now();
        while now().saturating_sub(begun) < FRAME_BUDGET {
            let Some(step) = QUEUE.with_borrow_mut(Queue::next) else {
                return;
            };
            // The receiver may be gone.
            let _ = step.send(());
            // The step, and what follows from it in the page.
            leptos::task::tick().await;
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
