//! The boards that everybody may see, kept for a moment: to count all results takes long at a server with many games.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use towers_rules::Preset;

use super::deals::{self, ScoreCount};
use super::store::name_of;
use crate::storage::{Storage, StorageError};

/// How long a board is shown before it is counted again.
const KEPT: Duration = Duration::from_secs(10);
/// The maximum number of boards in memory.
const MAX_BOARDS: usize = 64;

/// A board and when it was counted.
type KeptBoard = (Instant, Vec<ScoreCount>);

/// Boards by day, and by edition.
#[derive(Default)]
pub struct Boards {
    days: Mutex<HashMap<String, KeptBoard>>,
    editions: Mutex<HashMap<String, KeptBoard>>,
}

impl Boards {
    pub async fn of_day(
        &self,
        storage: &dyn Storage,
        day: &str,
    ) -> Result<Vec<ScoreCount>, StorageError> {
        kept(&self.days, day, deals::board(storage, day)).await
    }

    /// The best results in solo games with an edition.
    pub async fn of_edition(
        &self,
        storage: &dyn Storage,
        edition: Preset,
    ) -> Result<Vec<ScoreCount>, StorageError> {
        let edition = name_of(&edition);
        kept(
            &self.editions,
            &edition,
            deals::solo_board(storage, &edition),
        )
        .await
    }

    /// Counts the results of days again when they are asked for next.
    pub async fn forget_days(&self) {
        self.days.lock().await.clear();
    }
}

/// The board under a key; counts it if it is not cached. Concurrent requests wait for the same result.
async fn kept(
    boards: &Mutex<HashMap<String, KeptBoard>>,
    key: &str,
    count: impl Future<Output = Result<Vec<ScoreCount>, StorageError>>,
) -> Result<Vec<ScoreCount>, StorageError> {
    let mut boards = boards.lock().await;
    boards.retain(|_, (counted, _)| counted.elapsed() < KEPT);
    if let Some((_, board)) = boards.get(key) {
        return Ok(board.clone());
    }
    let board = count.await?;
    if boards.len() >= MAX_BOARDS {
        boards.clear();
    }
    boards.insert(key.into(), (Instant::now(), board.clone()));
    Ok(board)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn a_board_is_counted_once_for_many_who_ask() {
        let boards = Mutex::default();
        let counts = Cell::new(0);
        let count = || async {
            counts.set(counts.get() + 1);
            tokio::task::yield_now().await;
            Ok(Vec::new())
        };
        let ask = || kept(&boards, "2026-11-15", count());
        let (one, other, third) = tokio::join!(ask(), ask(), ask());
        assert!(one.is_ok() && other.is_ok() && third.is_ok());
        assert_eq!(counts.get(), 1);
        kept(&boards, "2026-11-16", count()).await.unwrap();
        assert_eq!(counts.get(), 2);
        for day in 0..1000 {
            kept(&boards, &day.to_string(), count()).await.unwrap();
        }
        assert!(boards.lock().await.len() <= MAX_BOARDS);
    }
}
