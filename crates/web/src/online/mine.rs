//! The viewer's tables on the server: their summaries, and which wait for the viewer.

use leptos::prelude::*;
use towers_client::{MyTable, address};
use towers_table::{OwnTable, OwnTables, ReceivedInvitation, Summary};

use crate::device::storage::shelf;
use crate::device::{http, page};

/// The polling interval in milliseconds.
pub const POLL_MILLIS: u32 = 15_000;
/// The maximum number of tables that are polled one by one.
const MAX_POLLED: usize = 20;

/// What is known of a table.
#[derive(Clone, PartialEq)]
pub enum Known {
    Asked,
    Is(Box<Summary>),
    Gone,
}

impl Known {
    /// Whether the table waits for the viewer.
    fn waits(&self, kept: &MyTable) -> bool {
        matches!(self, Known::Is(summary) if summary.waits_for(kept.seat))
    }
}

/// The viewer's tables and invitations, polled while they are on the screen.
#[derive(Clone, Copy)]
pub struct Mine {
    tables: RwSignal<Vec<(MyTable, Known)>>,
    invitations: RwSignal<Vec<ReceivedInvitation>>,
}

impl Mine {
    /// Starts polling.
    pub fn poll() -> Mine {
        let tables = shelf().tables().into_iter();
        let mine = Mine {
            tables: RwSignal::new(tables.map(|kept| (kept, Known::Asked)).collect()),
            invitations: RwSignal::new(Vec::new()),
        };
        mine.refresh();
        page::every(POLL_MILLIS, move || mine.refresh());
        mine
    }

    /// Polls all tables, if they are still on the screen: those of the person with one request, others that only this
    /// device knows one by one.
    pub fn refresh(self) {
        leptos::task::spawn_local(async move {
            let Ok(own) = http::get::<OwnTables>(address::LOBBY).await else {
                return;
            };
            let mut others = shelf().tables();
            others.retain(|kept| own.tables.iter().all(|own| own.table != kept.table));
            let seen = self.tables.try_update(|list| {
                let before = std::mem::take(list);
                list.extend(own.tables.into_iter().filter_map(row));
                for kept in &others {
                    let before = before.iter().find(|(row, _)| row.table == kept.table);
                    let known = before.map_or(Known::Asked, |(_, known)| known.clone());
                    list.push((kept.clone(), known));
                }
            });
            if seen.is_none() {
                return;
            }
            self.invitations.try_set(own.invitations);
            for kept in others.into_iter().take(MAX_POLLED) {
                leptos::task::spawn_local(self.fetch(kept.table));
            }
        });
    }

    async fn fetch(self, table: String) {
        let asked = http::get::<Summary>(&address::table(&table)).await;
        let known = match asked {
            Ok(summary) => Known::Is(Box::new(summary)),
            Err(why) if why.is_empty() => return,
            Err(_) => Known::Gone,
        };
        let _ = self.tables.try_update(|list| {
            if let Some(row) = list.iter_mut().find(|(t, _)| t.table == table) {
                row.1 = known;
            }
        });
    }

    /// The invitations to tables, latest first.
    pub fn invitations(self) -> Vec<ReceivedInvitation> {
        self.invitations.get()
    }

    /// Whether the viewer has any tables.
    pub fn any(self) -> bool {
        self.tables.with(|list| !list.is_empty())
    }

    /// Whether this is one of the viewer's tables.
    pub fn has(self, table: &str) -> bool {
        self.tables
            .with(|list| list.iter().any(|(t, _)| t.table == table))
    }

    /// All tables, first those that wait for the viewer.
    pub fn rows(self) -> Vec<(MyTable, Known)> {
        let tables = self.tables.get().into_iter();
        let (mut rows, others): (Vec<_>, Vec<_>) =
            tables.partition(|(kept, known)| known.waits(kept));
        rows.extend(others);
        rows
    }

    /// The number of tables that wait for the viewer.
    pub fn waiting(self) -> usize {
        let waits = |(kept, known): &&(MyTable, Known)| known.waits(kept);
        self.tables.with(|list| list.iter().filter(waits).count())
    }

    /// Removes a table from the list, on all devices of the person.
    pub fn forget(self, table: &str) {
        shelf().forget_table(table);
        self.tables
            .update(|list| list.retain(|(t, _)| t.table != table));
        let hide = address::hide(table);
        leptos::task::spawn_local(async move {
            http::send(&hide, &()).await;
        });
    }
}

/// A table of the person that the server knows. The cookie opens it, also without a token.
fn row(own: OwnTable) -> Option<(MyTable, Known)> {
    let kept = MyTable {
        table: own.table,
        token: String::new(),
        at: 0,
        seat: own.seat,
    };
    Some((kept, Known::Is(own.summary?)))
}
