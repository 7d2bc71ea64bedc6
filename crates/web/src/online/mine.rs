//! The viewer's tables on the server: their summaries, and which wait for the viewer.

use leptos::prelude::*;
use towers_client::{MyTable, address};
use towers_table::{Invitations, ReceivedInvitation, Summary};

use crate::device::storage::shelf;
use crate::device::{http, page};

/// The polling interval in milliseconds.
pub const PAUSE: u32 = 15_000;
/// The maximum number of tables that are polled.
const MOST: usize = 20;

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
    pub fn look() -> Mine {
        let mine = Mine {
            tables: RwSignal::new(Vec::new()),
            invitations: RwSignal::new(Vec::new()),
        };
        mine.look_again();
        page::every(PAUSE, move || mine.look_again());
        mine
    }

    /// Polls all tables, if they are still on the screen.
    pub fn look_again(self) {
        let tables = shelf().tables();
        let seen = self.tables.try_update(|list| {
            let known = |table: &MyTable| {
                let before = list.iter().find(|(kept, _)| kept.table == table.table);
                before.map_or(Known::Asked, |(_, known)| known.clone())
            };
            *list = tables.iter().map(|t| (t.clone(), known(t))).collect();
        });
        if seen.is_none() {
            return;
        }
        leptos::task::spawn_local(async move {
            let asked = http::get::<Invitations>(address::INVITATIONS).await;
            if let Ok(Invitations { invitations }) = asked {
                self.invitations.try_set(invitations);
            }
        });
        for kept in tables.into_iter().take(MOST) {
            leptos::task::spawn_local(async move {
                let asked = http::get::<Summary>(&address::table(&kept.table)).await;
                let known = match asked {
                    Ok(summary) => Known::Is(Box::new(summary)),
                    Err(why) if why.is_empty() => return,
                    Err(_) => Known::Gone,
                };
                let _ = self.tables.try_update(|list| {
                    if let Some(row) = list.iter_mut().find(|(t, _)| t.table == kept.table) {
                        row.1 = known;
                    }
                });
            });
        }
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
        let mut rows = self.tables.get();
        rows.sort_by_key(|(kept, known)| !known.waits(kept));
        rows
    }

    /// The number of tables that wait for the viewer.
    pub fn waiting(self) -> usize {
        let waits = |(kept, known): &&(MyTable, Known)| known.waits(kept);
        self.tables.with(|list| list.iter().filter(waits).count())
    }

    /// Removes a table from the list.
    pub fn forget(self, table: &str) {
        shelf().forget_table(table);
        self.tables
            .update(|list| list.retain(|(t, _)| t.table != table));
    }
}
