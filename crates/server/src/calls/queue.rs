//! From tables to the task that notifies people. A table never waits: if the queue is full, an event is dropped and counted.

use std::time::Instant;

use tokio::sync::mpsc;
use towers_table::Millis;

use crate::metrics::Metrics;
use crate::outage::Outage;

/// The maximum number of waiting events.
const QUEUE: usize = 1024;

/// The number of a decision: its game, and its number in that game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DecisionNumber {
    pub game: u32,
    pub decision: u64,
}

/// A decision of a person who is not connected.
#[derive(Clone, Debug)]
pub struct AbsentDecision {
    pub table: String,
    /// The key by which the table recognizes the person.
    pub key: String,
    pub number: DecisionNumber,
    pub seat: u8,
    pub name: String,
    pub title: String,
    /// The names of the other players.
    pub others: Vec<String>,
    /// Times of the server, not of the table.
    pub since: Millis,
    pub deadline: Option<Millis>,
}

/// What happened at a table.
#[derive(Clone, Debug)]
pub enum CallEvent {
    Opened {
        opened: AbsentDecision,
        /// Whether it opened some time ago, and was lost with a server that stopped.
        is_late: bool,
    },
    /// All decisions before this one are taken.
    Closed {
        table: String,
        before: DecisionNumber,
    },
}

/// The sender of events.
pub struct CallQueue {
    events: mpsc::Sender<CallEvent>,
    full: Outage,
}

impl CallQueue {
    pub fn new() -> (CallQueue, mpsc::Receiver<CallEvent>) {
        let (events, receiver) = mpsc::channel(QUEUE);
        let full = Outage::new("calling people");
        (CallQueue { events, full }, receiver)
    }

    /// Passes an event on without waiting.
    pub fn send(&self, event: CallEvent, metrics: &Metrics) {
        if self.events.try_send(event).is_ok() {
            self.full.succeeded();
        } else {
            metrics.calls_dropped.increment(1);
            self.full.failed(Instant::now(), &"too many wait");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_drops_events_and_counts_them() {
        let (queue, _receiver) = CallQueue::new();
        let metrics = Metrics::default();
        for decision in 0..QUEUE as u64 + 7 {
            let event = CallEvent::Closed {
                table: "abc".into(),
                before: DecisionNumber { game: 1, decision },
            };
            queue.send(event, &metrics);
        }
        assert!(metrics.text().contains("towers_calls_dropped_total 7"));
    }
}
