//! Previews of links in chats: what a link is about, in words and as a picture.
//!
//! A picture is a function of what a spectator sees. Its drawing identifies it: the same drawing is painted once and then
//! taken from the cache, so that a cached picture is never outdated.

mod describe;
mod icons;
mod painter;
mod picture;
mod plain_svg;
mod subject;
mod tags;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use towers_client::{Language, LocalTable, daily};
use towers_rules::{View, Viewer};
use towers_study::puzzle::{Puzzle, book, of_the_day};
use towers_study::replay::Replay;
use towers_table::{Digest, Stage, Summary};

use describe::PreviewTexts;
use painter::PaintError;
use picture::Picture;

pub use icons::{ICONS, Icon};
pub use subject::Subject;
pub use tags::{LinkText, PageHead};

use crate::daily::day_of;
use crate::storage::StorageError;
use crate::tables::Shared;

/// The maximum size of the cache, in bytes.
const CACHE_BYTES: u64 = 24 * 1024 * 1024;
/// The maximum number of cached pictures.
const CACHE_PICTURES: u64 = 256;
/// The number of pictures painted at once. Each needs a core for some tenths of a second.
const PAINTERS: usize = 2;
/// The number of days for which there is a picture of the puzzle of the day.
const PUZZLE_DAYS: i64 = 32;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Paint(#[from] PaintError),
    #[error("rendering was cancelled")]
    Interrupted,
}

#[derive(Clone)]
struct PictureSize;

impl Weighter<Digest, Bytes> for PictureSize {
    fn weight(&self, _: &Digest, picture: &Bytes) -> u64 {
        // Small pictures count more, which limits their number.
        (picture.len() as u64).max(CACHE_BYTES / CACHE_PICTURES)
    }
}

/// Painted pictures, and the painters.
pub struct Previews {
    pictures: Cache<Digest, Bytes, PictureSize>,
    /// Puzzles of the day, by day.
    puzzles: Cache<String, Option<Puzzle>>,
    painters: Arc<Semaphore>,
}

impl Default for Previews {
    fn default() -> Previews {
        Previews {
            pictures: Cache::with_weighter(CACHE_PICTURES as usize, CACHE_BYTES, PictureSize),
            puzzles: Cache::new(PUZZLE_DAYS as usize * 2),
            painters: Arc::new(Semaphore::new(PAINTERS)),
        }
    }
}

/// A picture that can be painted.
pub struct Sketch {
    /// The digest of its drawing.
    pub digest: Digest,
    svg: String,
    paint: fn(&str) -> Result<Vec<u8>, PaintError>,
    /// The right to paint.
    permit: OwnedSemaphorePermit,
}

/// The words about a subject; `None` if it does not exist.
pub async fn describe(
    shared: &Shared,
    subject: &Subject,
    language: Language,
) -> Result<Option<LinkText>, StorageError> {
    let texts = PreviewTexts::of(language);
    Ok(match subject {
        Subject::Start => Some(texts.start()),
        Subject::Daily => Some(texts.daily(&day_of(shared.clock.now())?.to_string())),
        Subject::Table(id) => summary(shared, id).await?.map(|table| texts.table(&table)),
        Subject::Replay(id, _) => summary(shared, id).await?.map(|table| texts.replay(&table)),
        Subject::Puzzle(key) => match puzzle_day(shared, key)? {
            Some(_) => Some(texts.daily_puzzle()),
            None => book_puzzle(key).and_then(|puzzle| texts.puzzle(&puzzle)),
        },
    })
}

async fn summary(shared: &Shared, id: &str) -> Result<Option<Summary>, StorageError> {
    let Some(text) = shared.storage.summary(id).await? else {
        return Ok(None);
    };
    let summary = serde_json::from_str(&text);
    Ok(Some(
        summary.map_err(|why| StorageError::Corrupt(why.to_string()))?,
    ))
}

fn book_puzzle(key: &str) -> Option<Puzzle> {
    static BOOK: LazyLock<HashMap<String, Puzzle>> = LazyLock::new(|| {
        let puzzles = book().into_iter();
        puzzles.map(|puzzle| (puzzle.key(), puzzle)).collect()
    });
    BOOK.get(key).cloned()
}

fn puzzle_day(shared: &Shared, key: &str) -> Result<Option<String>, StorageError> {
    let today = day_of(shared.clock.now())?;
    if key == "today" {
        return Ok(Some(today.to_string()));
    }
    // A reader's clock may be ahead.
    let days = (-1..PUZZLE_DAYS).filter_map(|ago| today.checked_sub(Duration::days(ago)));
    Ok(days.map(|day| day.to_string()).find(|day| day == key))
}

impl Previews {
    /// Sketches the picture of a subject; `None` if it does not exist. Waits for a painter.
    pub async fn sketch(
        &self,
        shared: &Shared,
        subject: &Subject,
        language: Language,
    ) -> Result<Option<Sketch>, PreviewError> {
        let permit = self.painter().await?;
        let texts = PreviewTexts::of(language);
        let Some(picture) = self.picture(shared, subject, texts).await? else {
            return Ok(None);
        };
        let svg = spawn_blocking(move || picture.drawing()).await;
        let svg = svg.map_err(|_| PreviewError::Interrupted)??;
        Ok(Some(Sketch::new(svg, Picture::paint, permit)))
    }

    /// Sketches an icon or a screenshot.
    pub async fn sketch_icon(&self, icon: &Icon) -> Result<Sketch, PreviewError> {
        let permit = self.painter().await?;
        Ok(Sketch::new(icon.drawing()?, Icon::paint, permit))
    }

    async fn painter(&self) -> Result<OwnedSemaphorePermit, PreviewError> {
        let painter = Arc::clone(&self.painters).acquire_owned().await;
        painter.map_err(|_| PreviewError::Interrupted)
    }

    async fn picture(
        &self,
        shared: &Shared,
        subject: &Subject,
        texts: PreviewTexts,
    ) -> Result<Option<Picture>, PreviewError> {
        Ok(match subject {
            Subject::Start => texts.start_picture(),
            Subject::Daily => {
                let deals = shared.daily.deals(&*shared.storage, shared.clock.now());
                let deal = deals.await?.today;
                let view = daily_view(&deal.day, &deal.seed);
                view.map(|view| texts.daily_picture(&deal.day, &view))
            }
            Subject::Table(id) => match summary(shared, id).await? {
                Some(table) => {
                    let view = match table.stage {
                        Stage::Lobby => None,
                        Stage::Playing | Stage::Over => spectators_view(shared, id).await?,
                    };
                    texts.table_picture(&table, view.as_ref())
                }
                None => None,
            },
            Subject::Replay(id, entry) => {
                let replay = replay(shared, id, *entry).await?;
                replay.map(|replay| texts.replay_picture(&replay, *entry))
            }
            Subject::Puzzle(key) => {
                let puzzle = match puzzle_day(shared, key)? {
                    Some(day) => self.puzzle_of(day).await?,
                    None => book_puzzle(key),
                };
                puzzle.and_then(|puzzle| texts.puzzle_picture(&puzzle))
            }
        })
    }

    /// The puzzle of a day. Generating it takes a while.
    async fn puzzle_of(&self, day: String) -> Result<Option<Puzzle>, PreviewError> {
        let generate = async {
            let day = day.clone();
            let puzzle = spawn_blocking(move || of_the_day(&day)).await;
            puzzle.map_err(|_| PreviewError::Interrupted)
        };
        self.puzzles.get_or_insert_async(&day, generate).await
    }

    /// The painted picture, as PNG.
    pub async fn paint(&self, sketch: Sketch) -> Result<Bytes, PreviewError> {
        let Sketch {
            digest,
            svg,
            paint,
            permit,
        } = sketch;
        let painting = async move {
            let painting = spawn_blocking(move || {
                // Kept until it is painted, even if the request is cancelled.
                let _permit = permit;
                paint(&svg)
            });
            let painted = painting.await.map_err(|_| PreviewError::Interrupted)?;
            Ok(Bytes::from(painted?))
        };
        self.pictures.get_or_insert_async(&digest, painting).await
    }
}

impl Sketch {
    fn new(
        svg: String,
        paint: fn(&str) -> Result<Vec<u8>, PaintError>,
        permit: OwnedSemaphorePermit,
    ) -> Sketch {
        Sketch {
            digest: Digest::digest(&[svg.as_bytes()]),
            svg,
            paint,
            permit,
        }
    }
}

/// The game at a table as spectators see it.
async fn spectators_view(shared: &Shared, id: &str) -> Result<Option<View>, StorageError> {
    let Some(stored) = shared.storage.load(id).await? else {
        return Ok(None);
    };
    let table = stored.rebuild().await?;
    Ok(table.game_view(None).map(|game| game.view))
}

/// The finished game of a table with this entry, or the last one.
async fn replay(
    shared: &Shared,
    id: &str,
    entry: Option<u64>,
) -> Result<Option<Replay>, PreviewError> {
    let Some(stored) = shared.storage.load(id).await? else {
        return Ok(None);
    };
    let replay = spawn_blocking(move || Replay::of(&stored.record.published()?, entry).ok());
    replay.await.map_err(|_| PreviewError::Interrupted)
}

/// The beginning of the deal of the day, without its hand.
fn daily_view(day: &str, seed: &towers_table::Seed) -> Option<View> {
    let game = LocalTable::open("daily", &daily::plan(day, "-"), 0, seed).ok()?;
    let table = game.record().rebuild().ok()?;
    Some(table.state()?.view(Viewer::Spectator))
}
