//! A session: a game on the screen and the player's input.

mod decide;
mod room;
mod show;
mod transport;

pub use room::{Connection, Room};
pub use transport::Transport;

use std::rc::Rc;

use futures::channel::oneshot;
use leptos::prelude::*;
use towers_client::daily::DealSource;
use towers_client::reason::Reason;
use towers_client::sound::SoundEffect;
use towers_client::{Hover, Message, Model, Thing};
use towers_rules::Seat;
use towers_table::{Command, PassAhead, PersonId, Refusal, Seen};

use crate::context::Cx;
use crate::device::page;
use crate::device::paint::{self, PaintStage};
use crate::device::storage::shelf;

/// Choices stored for a game: to play without the memory aid, and when to be asked.
const UNAIDED: &str = "unaided";
const STOPS: &str = "stops";

/// A game on the screen. Its signals and its transport are disposed of together by [`Session::close`].
#[derive(Clone, Copy)]
pub struct Session {
    cx: Cx,
    transport: StoredValue<Rc<dyn Transport>, LocalStorage>,
    pub model: RwSignal<Model>,
    /// The person who has to take the device.
    pub cover: RwSignal<Option<PersonId>>,
    /// The announcement for screen readers.
    pub live: RwSignal<String>,
    /// The event being shown.
    pub ticker: RwSignal<Option<Message>>,
    /// Why an action was not possible.
    pub notice: RwSignal<Option<Reason>>,
    /// The seat of the bot that is thinking.
    pub thinking: RwSignal<Option<Seat>>,
    /// The hints of a bot.
    pub hints: RwSignal<Option<Vec<towers_client::hint::Hint>>>,
    /// The item shown in detail.
    pub opened: RwSignal<Option<Thing>>,
    /// What the pointer hovers over.
    pub hover: RwSignal<Option<Hover>>,
    /// Whether the actions of others are shown step by step.
    pub paused: RwSignal<bool>,
    /// Whether the show waits for the next step.
    pub awaits_step: RwSignal<bool>,
    /// Releases the next step.
    next_step: StoredValue<Option<oneshot::Sender<()>>, LocalStorage>,
    /// The decision that was sent to the table and is unanswered.
    sent: StoredValue<Option<u64>>,
    /// Whether the result was closed to look at the board.
    pub aside: RwSignal<bool>,
    is_running: StoredValue<bool>,
    is_closed: StoredValue<bool>,
    owner: StoredValue<Option<Owner>>,
}

impl Session {
    /// A session with this model, owned by the current component or task.
    pub fn new(cx: Cx, transport: Rc<dyn Transport>, model: Model) -> Session {
        let session = Session {
            cx,
            transport: StoredValue::new_local(transport),
            model: RwSignal::new(model),
            cover: RwSignal::new(None),
            live: RwSignal::new(String::new()),
            ticker: RwSignal::new(None),
            notice: RwSignal::new(None),
            thinking: RwSignal::new(None),
            hints: RwSignal::new(None),
            opened: RwSignal::new(None),
            hover: RwSignal::new(None),
            paused: RwSignal::new(false),
            awaits_step: RwSignal::new(false),
            next_step: StoredValue::new_local(None),
            sent: StoredValue::new(None),
            aside: RwSignal::new(false),
            is_running: StoredValue::new(false),
            is_closed: StoredValue::new(false),
            owner: StoredValue::new(None),
        };
        session.follow_stops();
        session
    }

    /// A session that outlives the screen it was opened on, until [`Session::close`].
    pub fn detached(cx: Cx, transport: Rc<dyn Transport>, model: Model) -> Session {
        let owner = Owner::new();
        let session = owner.with(|| Session::new(cx, transport, model));
        session.owner.set_value(Some(owner));
        session
    }

    /// Ends the session. Its memory is released once the screen no longer shows it.
    pub fn close(self) {
        // Set before the worker stops, so that tasks waiting for the worker find the session closed.
        self.is_closed.try_set_value(true);
        crate::device::worker::stop();
        if let Some(owner) = self.owner.try_update_value(Option::take).flatten() {
            leptos::task::spawn_local(async move {
                page::sleep(0).await;
                owner.cleanup();
            });
        }
    }

    /// Whether the session has been neither closed nor disposed of.
    pub fn is_open(self) -> bool {
        self.is_closed.try_get_value() == Some(false)
    }

    fn transport(self) -> Rc<dyn Transport> {
        self.transport.get_value()
    }

    /// Starts or resumes the game once its screen is painted.
    pub fn start(self) {
        leptos::task::spawn_local(async move {
            page::sleep(0).await;
            if !self.is_open() {
                return;
            }
            self.transport().opened(self);
            paint::step(PaintStage::Play).await;
            if self.is_open() {
                if shelf().has_chosen(UNAIDED, &self.record_id()) {
                    self.model.update(|m| m.set_memory_aid(false));
                }
                // At the start of a game on this device, all its persons get the preference.
                if self.room().is_some() && !shelf().has_chosen(STOPS, &self.record_id()) {
                    self.send_stops();
                }
                self.run();
            }
        });
    }

    /// The id of the record of this game; empty if there is none.
    pub fn record_id(self) -> String {
        self.transport().record_id()
    }

    /// The day whose deal is played.
    pub fn daily(self) -> Option<String> {
        self.transport().daily()
    }

    /// Where the seed of that deal comes from.
    pub fn deal_source(self) -> Option<DealSource> {
        self.transport().deal_source()
    }

    /// The room around the table, if the table is on a server.
    pub fn room(self) -> Option<Room> {
        self.transport().room()
    }

    /// Whether there are other players whose actions can be paused and shown step by step.
    pub fn has_show(self) -> bool {
        self.transport().has_show()
    }

    /// Whether hints are allowed at this table.
    pub fn has_hints(self) -> bool {
        self.transport().has_hints()
    }

    /// The table's clock, as long as the session is open.
    pub fn now(self) -> Option<u64> {
        Some(self.transport.try_get_value()?.now())
    }

    /// Applies an update from the table and shows it.
    pub fn receive(self, seen: &Seen) {
        let before = self.model.with_untracked(Model::decision);
        self.model.update(|m| m.receive(seen));
        if self.model.with_untracked(Model::decision) != before {
            self.forget_decision();
        }
        self.run();
    }

    /// Clears everything that belongs to a finished decision.
    fn forget_decision(self) {
        self.sent.set_value(None);
        self.notice.set(None);
        self.hints.set(None);
        self.hover.set(None);
    }

    /// Shows why the table refused a command.
    pub fn refuse(self, why: &Refusal) {
        self.sent.set_value(None);
        self.play(Some(SoundEffect::Refused));
        self.say_why(Some(Reason {
            message: towers_client::refusal::words(why),
            clause: "",
        }));
    }

    /// Passes for the rest of this turn.
    pub fn pass_turn(self) {
        self.command(Command::PassAhead {
            until: Some(PassAhead::Turn),
        });
    }

    /// Sets for this game whether to ask before and after every action (R13.2).
    pub fn set_stops(self, everywhere: bool) {
        shelf().keep_choice(STOPS, &self.record_id(), true);
        self.command(Command::Stops { everywhere });
    }

    /// Sends the preference whenever it changes.
    fn follow_stops(self) {
        Effect::new(move |before: Option<bool>| {
            let wanted = self.cx.preferences.with(|p| p.stops_everywhere);
            if before.is_some_and(|before| before != wanted) && self.is_open() {
                self.send_stops();
            }
            wanted
        });
    }

    /// Sends that preference to the table if it differs.
    fn send_stops(self) {
        let wanted = self.cx.preferences.with_untracked(|p| p.stops_everywhere);
        let differs = self.model.with_untracked(|m| {
            let you = &m.table.you;
            m.shown.options.reactions && you.seat.is_some() && you.stops_everywhere != wanted
        });
        if differs {
            self.command(Command::Stops { everywhere: wanted });
        }
    }

    /// Turns the memory aid on or off on this device only, for this game.
    pub fn set_memory_aid(self, on: bool) {
        shelf().keep_choice(UNAIDED, &self.record_id(), !on);
        self.model.update(|m| m.set_memory_aid(on));
    }

    /// Sends a command to the table.
    pub fn command(self, command: Command) {
        self.notice.set(None);
        self.hints.set(None);
        self.opened.set(None);
        self.hover.set(None);
        self.transport().send(self, command);
    }

    /// Hands the device to the person at the cover.
    pub fn uncover(self) {
        if let Some(person) = self.cover.get_untracked() {
            self.look_as(person);
        }
        self.cover.set(None);
        self.run();
    }

    /// Covers the screen to hand the device to the partner, who may offer something.
    pub fn hand_to(self, person: PersonId) {
        self.cover.set(Some(person));
    }

    /// Shows the table as another person at this device sees it.
    pub fn look_as(self, person: PersonId) {
        if let Some(mut fresh) = self.transport().hand_to(person) {
            self.model.with_untracked(|old| {
                if old.is_unaided() {
                    fresh.set_memory_aid(false);
                }
                fresh.top = old.top;
                fresh.die = old.die;
                fresh.trail = old.trail;
            });
            self.model.set(fresh);
        }
    }

    /// The partner at this device who may act out of turn, with their name.
    pub fn partner_here(self) -> Option<(PersonId, String)> {
        let person = self.transport().partner()?;
        Some((person, self.name_of(person)))
    }

    pub fn name_of(self, person: PersonId) -> String {
        let name = |m: &Model| towers_client::names::name_of_person(&m.table.seats, person);
        self.model.with_untracked(name).unwrap_or_default()
    }

    /// Starts or requests another game with the same players.
    pub fn again(self) {
        self.transport().rematch(self);
    }

    /// Replays the events since the viewer's last turn.
    pub fn replay(self) {
        self.model.update(Model::replay);
        self.run();
    }

    /// Asks a bot for hints.
    pub fn ask_hint(self) {
        let seat = self
            .model
            .with_untracked(|m| m.me().filter(|_| m.is_mine()));
        let Some(seat) = seat else {
            return;
        };
        self.thinking.set(Some(seat));
        leptos::task::spawn_local(async move {
            let hints = self.transport().hints(seat).await;
            if !self.is_open() {
                return;
            }
            self.thinking.set(None);
            if self.model.with_untracked(Model::is_mine) {
                self.hints.set(hints);
            }
        });
    }

    /// Shows received events and lets the table proceed until a person has to decide.
    pub fn run(self) {
        if self.is_running.try_get_value() != Some(false) {
            return;
        }
        self.is_running.set_value(true);
        leptos::task::spawn_local(async move {
            loop {
                self.show().await;
                let Some(transport) = self.transport.try_get_value() else {
                    return;
                };
                let has_more = transport.proceed(self).await;
                if !(has_more && self.is_open()) {
                    break;
                }
            }
            self.is_running.try_update_value(|running| *running = false);
            // The decision is on the screen: the line is free for everything else.
            page::sleep(0).await;
            page::keep_offline();
        });
    }

    /// Announces the player's turn to screen readers.
    pub fn announce(self) {
        if self.model.with_untracked(Model::is_mine) {
            let yours = self.cx.t("live.your_turn");
            // Announce it once, even if the table repeats it.
            if !self.live.with_untracked(|l| l.ends_with(&yours)) {
                self.live.update(|l| *l = format!("{l} {yours}"));
                if !page::is_hidden() {
                    self.play(Some(SoundEffect::YourTurn));
                }
            }
        }
    }
}
