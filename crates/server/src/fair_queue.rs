//! A fair queue for a bounded number of places: those who wait take turns, so that one who asks often does not delay the
//! others. Bots think by the turns of addresses; a table has one open question at a time, so within an address the tables
//! take turns, too. Notifications are delivered by the turns of tables.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// A bounded number of places, shared fairly between keys.
pub struct FairQueue<K: Clone + Eq + Hash>(Arc<Mutex<QueueState<K>>>);

struct QueueState<K: Clone + Eq + Hash> {
    free: usize,
    /// Waiting keys, the next one first.
    turns: VecDeque<K>,
    waiting: HashMap<K, VecDeque<oneshot::Sender<FairPermit<K>>>>,
}

/// A place, released when dropped.
pub struct FairPermit<K: Clone + Eq + Hash> {
    /// `None` only while the place is handed over.
    queue: Option<FairQueue<K>>,
}

impl<K: Clone + Eq + Hash> Clone for FairQueue<K> {
    fn clone(&self) -> FairQueue<K> {
        FairQueue(Arc::clone(&self.0))
    }
}

impl<K: Clone + Eq + Hash> FairQueue<K> {
    pub fn new(places: usize) -> FairQueue<K> {
        FairQueue(Arc::new(Mutex::new(QueueState {
            free: places.max(1),
            turns: VecDeque::new(),
            waiting: HashMap::new(),
        })))
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place.
    pub async fn acquire(&self, key: K) -> FairPermit<K> {
        let turn = {
            let mut queue = self.lock();
            if queue.free > 0 {
                queue.free -= 1;
                return self.permit();
            }
            let (give, turn) = oneshot::channel();
            if !queue.waiting.contains_key(&key) {
                queue.turns.push_back(key.clone());
            }
            queue.waiting.entry(key).or_default().push_back(give);
            turn
        };
        // The sender is dropped with the queue only, and the queue lives as long as `self`.
        turn.await.unwrap_or_else(|_| self.permit())
    }

    fn permit(&self) -> FairPermit<K> {
        FairPermit {
            queue: Some(self.clone()),
        }
    }

    /// Hands a place to the next in line.
    fn pass_on(&self) {
        loop {
            let mut queue = self.lock();
            let Some(key) = queue.turns.pop_front() else {
                queue.free += 1;
                return;
            };
            let waiting = queue.waiting.get_mut(&key);
            let next = waiting.and_then(VecDeque::pop_front);
            if queue.waiting.get(&key).is_some_and(|w| !w.is_empty()) {
                queue.turns.push_back(key);
            } else {
                queue.waiting.remove(&key);
            }
            drop(queue);
            let Some(next) = next else { continue };
            match next.send(self.permit()) {
                Ok(()) => return,
                // This waiter is gone: continue with the next one, without releasing the place twice.
                Err(mut permit) => permit.queue = None,
            }
        }
    }
}

impl<K: Clone + Eq + Hash> Drop for FairPermit<K> {
    fn drop(&mut self) {
        if let Some(queue) = self.queue.take() {
            queue.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use futures_util::FutureExt;

    use super::*;

    fn ip(last: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(10, 0, 0, last))
    }

    #[tokio::test]
    async fn addresses_take_turns_however_much_one_asks() {
        let queue = FairQueue::new(1);
        let first = queue.acquire(ip(1)).await;
        let mut greedy: Vec<_> = (0..60).map(|_| Box::pin(queue.acquire(ip(1)))).collect();
        for waiting in &mut greedy {
            assert!(waiting.now_or_never().is_none());
        }
        let mut other = Box::pin(queue.acquire(ip(2)));
        assert!((&mut other).now_or_never().is_none());
        drop(first);
        let second = (&mut greedy[0]).now_or_never();
        assert!(second.is_some(), "first come, first served");
        drop(second);
        let third = other.now_or_never();
        assert!(third.is_some(), "then it is the other's turn");
        // A cancelled waiter is skipped, and no place is lost.
        drop(greedy);
        drop(third);
        assert!(queue.acquire(ip(3)).now_or_never().is_some());
        let queue = queue.lock();
        assert_eq!(
            (queue.free, queue.waiting.len(), queue.turns.len()),
            (1, 0, 0)
        );
    }
}
