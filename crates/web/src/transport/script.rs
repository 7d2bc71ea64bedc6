//! Lessons, puzzles and replays: a script answers the actions of the player.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use towers_client::Model;
use towers_rules::Action;
use towers_table::Command;

use crate::session::{Session, Transport};

/// A script in place of a table. It answers with [`Session::receive`].
pub struct Script {
    on_action: Option<Callback<Action>>,
}

impl Script {
    /// A script that handles actions.
    pub fn new(on_action: Callback<Action>) -> Rc<Script> {
        Rc::new(Script {
            on_action: Some(on_action),
        })
    }

    /// A script that ignores actions, for viewing only.
    pub fn silent() -> Rc<Script> {
        Rc::new(Script { on_action: None })
    }
}

impl Transport for Script {
    fn send(&self, _session: Session, command: Command) {
        if let (Command::Act { action, .. }, Some(on_action)) = (command, self.on_action) {
            on_action.run(action);
        }
    }

    fn has_show(&self) -> bool {
        false
    }

    fn proceed(self: Rc<Self>, session: Session) -> LocalBoxFuture<'static, bool> {
        async move { session.model.try_with_untracked(Model::is_busy) == Some(true) }.boxed_local()
    }
}
