//! Background tasks that go on after a panic.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use metrics::Counter;

/// The delay before a task is started again.
const PAUSE: Duration = Duration::from_millis(100);

/// Runs a task until it returns. After a panic it is counted and started again.
pub async fn supervise<F>(name: &'static str, panics: Counter, mut start: impl FnMut() -> F)
where
    F: Future<Output = ()>,
{
    // The future is dropped with whatever it was changing, and the next one is made from scratch.
    while AssertUnwindSafe(async { start().await })
        .catch_unwind()
        .await
        .is_err()
    {
        panics.increment(1);
        tracing::error!(task = name, "a task panicked and is started again");
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::{Mutex, mpsc};

    use super::*;

    #[tokio::test]
    async fn a_task_that_panics_is_started_again_until_it_returns() {
        let (tell, told) = mpsc::unbounded_channel();
        let told = Arc::new(Mutex::new(told));
        for message in ["a", "panic", "b", "panic", "end", "after the end"] {
            tell.send(message).unwrap();
        }
        let mut heard = Vec::new();
        let (note, mut notes) = mpsc::unbounded_channel();
        supervise("a test", Counter::noop(), || {
            let (told, note) = (Arc::clone(&told), note.clone());
            async move {
                while let Some(message) = told.lock().await.recv().await {
                    match message {
                        "panic" => panic!("on purpose"),
                        "end" => return,
                        _ => note.send(message).unwrap(),
                    }
                }
            }
        })
        .await;
        while let Ok(message) = notes.try_recv() {
            heard.push(message);
        }
        assert_eq!(heard, ["a", "b"]);
    }
}
