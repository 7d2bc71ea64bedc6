//! How a session reaches its table.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use towers_client::Model;
use towers_client::daily::DealSource;
use towers_client::hint::Hint;
use towers_rules::Seat;
use towers_table::{Command, Millis, PersonId};

use super::{Room, Session};
use crate::device::page;

/// A way to a table. There is one for a table in the page, one for a table on a server, and one for scripts; nothing else in the
/// client depends on which it is.
pub trait Transport {
    /// Sends a command to the table. What comes of it arrives by [`Session::receive`] and [`Session::refuse`].
    fn send(&self, session: Session, command: Command);

    /// Lets the table go on after everything that was received has been shown. Returns whether there is more to show.
    fn proceed(self: Rc<Self>, session: Session) -> LocalBoxFuture<'static, bool>;

    /// The session is on the screen.
    fn opened(&self, _session: Session) {}

    /// The table's clock.
    fn now(&self) -> Millis {
        page::now()
    }

    /// The id of the record of this game; empty if there is none.
    fn record_id(&self) -> String {
        String::new()
    }

    /// The day whose deal is played.
    fn daily(&self) -> Option<String> {
        None
    }

    /// Where the seed of that deal comes from.
    fn deal_source(&self) -> Option<DealSource> {
        None
    }

    /// Begins or asks for another game with the same players.
    fn rematch(&self, _session: Session) {}

    /// Whether others play here, so that what they do can be paused and shown step by step.
    fn has_show(&self) -> bool {
        true
    }

    /// Whether hints are allowed at this table.
    fn has_hints(&self) -> bool {
        false
    }

    /// What a strong bot would do at this seat.
    fn hints(self: Rc<Self>, _seat: Seat) -> LocalBoxFuture<'static, Option<Vec<Hint>>> {
        async { None }.boxed_local()
    }

    /// The partner at this device who may act out of turn.
    fn partner(&self) -> Option<PersonId> {
        None
    }

    /// Lets another person at this device look, and returns what they see.
    fn hand_to(&self, _person: PersonId) -> Option<Model> {
        None
    }

    /// The people and the talk around a table on a server.
    fn room(&self) -> Option<Room> {
        None
    }
}
