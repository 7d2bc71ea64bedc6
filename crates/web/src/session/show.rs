//! Shows events one after the other, optionally paused and step by step.

use futures::channel::oneshot;
use leptos::prelude::*;
use towers_client::motion::Motion;
use towers_client::sound::SoundEffect;
use towers_client::{Model, Speed};

use super::Session;
use crate::device::{motion, page};

impl Session {
    /// Pauses the show after the current step, or resumes it.
    pub fn set_paused(self, paused: bool) {
        self.paused.set(paused);
        if !paused {
            self.show_next();
        }
    }

    /// Shows the next step of a paused show.
    pub fn show_next(self) {
        if let Some(next) = self.next_step.try_update_value(Option::take).flatten() {
            // The receiver is gone if the session was closed meanwhile.
            let _ = next.send(());
        }
    }

    /// Shows the remaining events at once.
    pub fn skip(self) {
        self.paused.set(false);
        self.model.update(Model::skip);
        self.show_next();
    }

    /// Waits while the show is paused, except for the player's own actions and for events without an animation.
    async fn wait_for_step(self, next: Motion) {
        let waits = self.paused.try_get_untracked() == Some(true)
            && !matches!(next, Motion::None | Motion::Turn { .. } | Motion::Freed)
            && self
                .model
                .with_untracked(|m| m.is_replaying() || m.me() != Some(m.shown.turn.active));
        if waits {
            let (sender, receiver) = oneshot::channel();
            self.next_step.set_value(Some(sender));
            self.awaits_step.set(true);
            // The sender is dropped with the session.
            let _ = receiver.await;
            self.awaits_step.try_set(false);
        }
    }

    /// Plays a sound effect if sounds are on.
    pub(super) fn play(self, effect: Option<SoundEffect>) {
        if let Some(effect) = effect {
            self.cx.play(effect);
        }
    }

    /// Shows the received events one after the other.
    pub(super) async fn show(self) {
        let mut told = Vec::new();
        let is_instant = self.cx.speed() == Speed::Instant;
        let mut most_important = None;
        while let Some(next) = self.model.try_with_untracked(Model::next_motion).flatten() {
            self.wait_for_step(next).await;
            if !self.is_open() {
                return;
            }
            // Everything was skipped meanwhile, or another show has started.
            if self.model.with_untracked(Model::next_motion) != Some(next) {
                continue;
            }
            // Browsers throttle hidden pages, but the player has to be called in time.
            let unseen = page::is_hidden();
            let millis = if unseen || self.cx.is_still() {
                0
            } else {
                self.cx.speed().millis(next.millis())
            };
            let effect = SoundEffect::of(next, self.model.with_untracked(Model::has_won));
            if is_instant {
                most_important = most_important.max(effect);
            } else if !unseen {
                self.play(effect);
            }
            if millis > 0 && motion::go_home(next, millis) {
                page::sleep(millis).await;
                if !self.is_open() {
                    return;
                }
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
            } else if next != Motion::None && !is_instant && !unseen {
                page::sleep(self.cx.speed().millis(next.millis() / 2)).await;
            }
        }
        if !self.is_open() {
            return;
        }
        // Of what happened all at once, only the most important event can be heard.
        if !page::is_hidden() {
            self.play(most_important);
        }
        if !told.is_empty() {
            self.live.set(told.join(" "));
            // It belonged to what has been shown.
            self.notice.set(None);
        }
        if self.model.with_untracked(Model::is_mine) {
            self.ticker.set(None);
        }
    }
}
