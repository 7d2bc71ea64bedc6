//! The connection of a session to its table.

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

/// A transport to a table: in the page, on a server, or a script. Nothing else in the client depends on which one it
/// is.
pub trait Transport {
    /// Sends a command to the table. The response arrives by [`Session::receive`] and [`Session::refuse`].
    fn send(&self, session: Session, command: Command);

    /// Lets the table proceed after all received events have been shown. Returns whether there is more to show.
    fn proceed(self: Rc<Self>, session: Session) -> LocalBoxFuture<'static, bool>;

    /// Called when the session is on the screen.
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

    /// Starts or requests another game with the same players.
    fn rematch(&self, _session: Session) {}

    /// Whether there are other players whose actions can be paused and shown step by step.
    fn has_show(&self) -> bool {
        true
    }

    /// Whether hints are allowed at this table.
    fn has_hints(&self) -> bool {
        false
    }

    /// The hints of a strong bot for this seat.
    fn hints(self: Rc<Self>, _seat: Seat) -> LocalBoxFuture<'static, Option<Vec<Hint>>> {
        async { None }.boxed_local()
    }

    /// The partner at this device who may act out of turn.
    fn partner(&self) -> Option<PersonId> {
        None
    }

    /// Hands the device to another person and returns their view.
    fn hand_to(&self, _person: PersonId) -> Option<Model> {
        None
    }

    /// The room around a table on a server.
    fn room(&self) -> Option<Room> {
        None
    }
}
