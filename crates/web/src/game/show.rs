//! Showing, one after the other, what happened.

use client::motion::Motion;
use client::{Model, Sound, Speed};

use super::session::Session;
use crate::device::{motion, page, sound};

impl Session {
    /// Shows, one after the other, what happened.
    pub(super) async fn show(self) {
        let mut told = Vec::new();
        while let Some(next) = self.model.with_untracked(Model::next_motion) {
            if !self.is_alive() {
                return;
            }
            // A page that nobody sees is slowed down by the browser, and its player has to be called in time.
            let unseen = page::is_hidden();
            let millis = if unseen || self.cx.is_still() {
                0
            } else {
                self.cx.speed().millis(next.millis())
            };
            if self.cx.preferences.with_untracked(|p| p.sound) == Sound::On
                && self.cx.speed() != Speed::Instant
                && !unseen
            {
                sound::of(next);
            }
            if millis > 0 && motion::go_home(next, millis) {
                page::sleep(millis).await;
            }
            let before = (millis > 0).then(|| motion::before(next));
            let mut step = None;
            self.model.update(|m| step = m.advance());
            if let Some(said) = step.and_then(|s| s.said) {
                told.push(self.cx.say(&said));
                self.ticker.set(Some(said));
            }
            if let Some(before) = before {
                leptos::task::tick().await;
                before.fly(millis);
                match next {
                    Motion::Roll { .. } => motion::pulse(".wt-scene [data-die]", true, millis),
                    Motion::Flask { seat } | Motion::Spell { seat } => {
                        motion::pulse(&format!("[data-seat=\"{}\"]", seat.0), false, millis);
                    }
                    _ => {}
                }
                if !matches!(next, Motion::Wizard { home: true, .. }) {
                    page::sleep(millis).await;
                }
            } else if next != Motion::None && self.cx.speed() != Speed::Instant && !unseen {
                page::sleep(self.cx.speed().millis(next.millis() / 2)).await;
            }
        }
        if !told.is_empty() {
            self.live.set(told.join(" "));
        }
        if self.model.with_untracked(Model::is_mine) {
            self.ticker.set(None);
        }
    }
}
