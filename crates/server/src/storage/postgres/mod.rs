//! Tables in `PostgreSQL`: for several servers on one database.

mod news;
mod nodes;
mod patience;
mod write;

use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sqlx::Row;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use table::{Entry, Millis};
use tokio::sync::mpsc;

use self::nodes::Nodes;
use self::patience::Patience;
use self::write::Writers;
use super::{
    Here, NewEntry, NewTable, News, Pending, Storage, StorageError, Stored, entry, signed, sql,
};
use crate::secrets;
use crate::tables::now;

/// How long anything may take, a restart of the database included.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a try to get a connection may take; then there is another.
const TRY: Duration = Duration::from_secs(2);
/// How long the database may take to come up when the server starts.
const START: Duration = Duration::from_secs(30);
/// How many news may wait.
const NEWS: usize = 4096;

/// Tables in `PostgreSQL`.
pub struct Postgres {
    readers: PgPool,
    writers: Writers,
    nodes: Arc<Nodes>,
    /// For what does not have to survive: signs of life, and news.
    steady: PgPool,
    say: mpsc::UnboundedSender<String>,
    news: Mutex<Option<mpsc::Receiver<News>>>,
    since: Millis,
    tasks: Vec<tokio::task::AbortHandle>,
}

impl Postgres {
    /// Connects and brings the database up to date.
    pub async fn open(url: &str) -> Result<Postgres, StorageError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|why| StorageError::Failed(why.to_string()))?
            .application_name("towers");
        let pool = |most: u32, options: &PgConnectOptions, wait| {
            PgPoolOptions::new()
                .max_connections(most)
                .acquire_timeout(wait)
                .connect_lazy_with(options.clone())
        };
        let first = pool(1, &options, START);
        sqlx::migrate!("./migrations")
            .run(&first)
            .await
            .map_err(|why| StorageError::Failed(why.to_string()))?;
        first.close().await;
        let light = options.clone().options([("synchronous_commit", "off")]);
        let steady = pool(3, &light, TRY);
        let readers = pool(6, &options, TRY);
        let me = secrets::table_id();
        let (tell, news) = mpsc::channel(NEWS);
        let nodes = Arc::new(Nodes::new(me.clone(), tell.clone()));
        let since = nodes.register(&steady).await?;
        let (say, said) = mpsc::unbounded_channel();
        let listening = news::listen(steady.clone(), &me).await?;
        let tasks = [
            tokio::spawn(Arc::clone(&nodes).beat(steady.clone())),
            tokio::spawn(news::hear(steady.clone(), me.clone(), listening, tell)),
            tokio::spawn(news::say(steady.clone(), said)),
        ];
        Ok(Postgres {
            writers: Writers::new(&options, &me),
            readers,
            nodes,
            steady,
            say,
            news: Mutex::new(Some(news)),
            since,
            tasks: tasks
                .iter()
                .map(tokio::task::JoinHandle::abort_handle)
                .collect(),
        })
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Storage for Postgres {
    fn create(&self, table: NewTable) -> Pending<'_, ()> {
        Box::pin(self.writers.create(table))
    }

    fn append(&self, entry: NewEntry) -> Pending<'_, ()> {
        Box::pin(self.writers.append(entry))
    }

    fn load<'a>(&'a self, table: &'a str) -> Pending<'a, Option<Stored>> {
        Box::pin(async move {
            // One statement sees one moment: an entry that comes in between is not half there.
            let query = "SELECT header, archived, ARRAY(SELECT line FROM entries \
                         WHERE table_id = tables.id ORDER BY number) FROM tables WHERE id = $1";
            let mut patience = Patience::new();
            let row = loop {
                let asked = sqlx::query(query).bind(table);
                match asked.fetch_optional(&self.readers).await {
                    Ok(row) => break row,
                    Err(why) => patience.bear(why).await?,
                }
            };
            let Some(row) = row else { return Ok(None) };
            let mut text: String = row.try_get(0)?;
            let archived: Option<i64> = row.try_get(1)?;
            let lines: Vec<String> = row.try_get(2)?;
            for line in lines {
                text.push('\n');
                text.push_str(&line);
            }
            Stored::read(text, archived.is_some()).await.map(Some)
        })
    }

    fn entries_after<'a>(&'a self, table: &'a str, number: u64) -> Pending<'a, Vec<Entry>> {
        Box::pin(async move {
            let mut patience = Patience::new();
            let rows = loop {
                let asked = sqlx::query(sql::ENTRIES_AFTER)
                    .bind(table)
                    .bind(signed(number));
                match asked.fetch_all(&self.readers).await {
                    Ok(rows) => break rows,
                    Err(why) => patience.bear(why).await?,
                }
            };
            rows.iter().map(|row| entry(row.try_get(0)?)).collect()
        })
    }

    fn visit<'a>(&'a self, table: &'a str, at: Millis) -> Pending<'a, ()> {
        Box::pin(async move {
            let query = sqlx::query(sql::VISIT).bind(table).bind(signed(at));
            query.execute(&self.readers).await?;
            Ok(())
        })
    }

    fn listed(&self, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(async move {
            let query = sqlx::query(sql::LISTED).bind(i64::from(most));
            let rows = query.fetch_all(&self.readers).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    fn summary<'a>(&'a self, table: &'a str) -> Pending<'a, Option<String>> {
        Box::pin(async move {
            let query = sqlx::query(sql::SUMMARY).bind(table);
            let row = query.fetch_optional(&self.readers).await?;
            row.map(|row| Ok(row.try_get(0)?)).transpose()
        })
    }

    fn due(&self, now: Millis, most: u32) -> Pending<'_, Vec<String>> {
        Box::pin(self.nodes.due(&self.readers, now, most))
    }

    fn archive(&self, visited_before: Millis, now: Millis) -> Pending<'_, u64> {
        Box::pin(async move {
            let query = sqlx::query(sql::ARCHIVE)
                .bind(signed(visited_before))
                .bind(signed(now));
            let done = query.execute(&self.readers).await?.rows_affected();
            self.nodes.tidy(&self.readers).await?;
            Ok(done)
        })
    }

    fn check(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            sqlx::query(sql::CHECK).execute(&self.readers).await?;
            if self.nodes.is_certain() {
                Ok(())
            } else {
                Err(StorageError::Failed("it takes no signs of life".into()))
            }
        })
    }

    fn close(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            self.writers.close().await;
            for task in &self.tasks {
                task.abort();
            }
            let left = self.nodes.leave(&self.readers).await;
            self.readers.close().await;
            self.steady.close().await;
            left
        })
    }

    fn since(&self) -> Millis {
        self.since.min(now())
    }

    fn claim<'a>(&'a self, table: &'a str) -> Pending<'a, bool> {
        Box::pin(self.nodes.claim(&self.readers, table))
    }

    fn release<'a>(&'a self, table: &'a str) -> Pending<'a, ()> {
        Box::pin(async move {
            if self.nodes.release(&self.readers, table).await? {
                let _ = self.say.send(news::released(table, self.nodes.me()));
            }
            Ok(())
        })
    }

    fn announce(&self, table: &str, here: &Here) {
        let _ = self.say.send(news::here(table, self.nodes.me(), here));
    }

    fn ask_who(&self, table: &str) {
        let _ = self.say.send(news::who(table, self.nodes.me()));
    }

    fn news(&self) -> Option<mpsc::Receiver<News>> {
        let mut news = self
            .news
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        news.take()
    }
}
