//! What servers on one database tell each other, by `LISTEN` and `NOTIFY`: a few words, first
//! what, then which table, then who says it.

use std::time::Duration;

use sqlx::postgres::{PgListener, PgPool};
use table::PersonId;
use tokio::sync::mpsc;

use crate::storage::{Here, News, StorageError};

/// Where everything is said.
pub const CHANNEL: &str = "towers";
/// How many words are said at once.
const GROUP: usize = 64;
/// How long to wait before listening again.
const AGAIN: Duration = Duration::from_millis(100);

/// Who is connected here.
pub fn here(table: &str, me: &str, here: &Here) -> String {
    let people: Vec<String> = here.people.iter().map(|p| p.0.to_string()).collect();
    let (number, watching) = (here.number, here.watching);
    format!("here {table} {me} {number} {watching} {}", people.join(","))
}

/// Who is connected there?
pub fn who(table: &str, me: &str) -> String {
    format!("who {table} {me}")
}

/// Nobody looks after the table now.
pub fn released(table: &str, me: &str) -> String {
    format!("released {table} {me}")
}

/// Understands what was said; nothing if it was said here, or is not understood.
fn understand(text: &str, me: &str) -> Option<News> {
    let mut words = text.split(' ');
    let (what, table, node) = (words.next()?, words.next()?.into(), words.next()?);
    if node == me {
        return None;
    }
    match what {
        "entry" => Some(News::Entry {
            table,
            number: words.next()?.parse().ok()?,
        }),
        "here" => Some(News::Here {
            table,
            node: node.into(),
            here: Here {
                number: words.next()?.parse().ok()?,
                watching: words.next()?.parse().ok()?,
                people: words
                    .next()?
                    .split(',')
                    .filter(|id| !id.is_empty())
                    .map(|id| id.parse().ok().map(PersonId))
                    .collect::<Option<_>>()?,
            },
        }),
        "who" => Some(News::Who { table }),
        "released" => Some(News::Released { table }),
        _ => None,
    }
}

/// Begins to listen.
pub async fn listen(pool: PgPool, me: &str) -> Result<PgListener, StorageError> {
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.listen(CHANNEL).await?;
    tracing::debug!(node = me, "listening");
    Ok(listener)
}

/// Passes on what is said, for ever. After a broken connection something may have been missed.
pub async fn hear(pool: PgPool, me: String, mut listener: PgListener, tell: mpsc::Sender<News>) {
    loop {
        while let Ok(Some(said)) = listener.try_recv().await {
            if let Some(news) = understand(said.payload(), &me) {
                let _ = tell.send(news).await;
            }
        }
        drop(listener);
        listener = loop {
            tokio::time::sleep(AGAIN).await;
            match listen(pool.clone(), &me).await {
                Ok(listener) => break listener,
                Err(why) => tracing::warn!(%why, "the database does not let us listen"),
            }
        };
        let _ = tell.send(News::Missed).await;
    }
}

/// Says what there is to say, for ever.
pub async fn say(pool: PgPool, mut said: mpsc::UnboundedReceiver<String>) {
    let mut group = Vec::new();
    while said.recv_many(&mut group, GROUP).await > 0 {
        let query = "SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word";
        let query = sqlx::query(query).bind(CHANNEL).bind(&group);
        // What is lost is said again when the others say that they missed something.
        if let Err(why) = query.execute(&pool).await {
            tracing::warn!(%why, "others could not be told");
        }
        group.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_understood_and_nonsense_is_not() {
        let some = Here {
            number: 7,
            people: vec![PersonId(0), PersonId(3)],
            watching: 2,
        };
        let nobody = Here {
            number: 8,
            people: Vec::new(),
            watching: 0,
        };
        for given in [some, nobody] {
            match understand(&here("t", "a", &given), "b") {
                Some(News::Here { table, node, here }) => {
                    assert_eq!((table.as_str(), node.as_str(), here), ("t", "a", given));
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(matches!(
            understand("entry t a 12", "b"),
            Some(News::Entry { number: 12, .. })
        ));
        assert!(understand("entry t b 12", "b").is_none(), "our own words");
        for nonsense in ["", "entry", "entry t a x", "here t a 1 1 x", "fly t a"] {
            assert!(understand(nonsense, "b").is_none(), "{nonsense}");
        }
    }
}
