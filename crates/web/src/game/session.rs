//! A game on the screen: what is shown of it, and what a player does.

use std::ops::Deref;

use client::reason::Reason;
use client::{Intent, LocalTable, Message, Model, Pick, SavedGame};
use leptos::prelude::*;
use rules::{Action, Seat, Space};
use table::{BotLevel, Command, PassAhead, PersonId};

use super::local::Local;
use crate::context::Cx;
use crate::device::brain::{self, Task};
use crate::device::{page, turns};
use crate::live::{RwSignal, StoredValue};
use crate::online::Online;

/// Where the table is.
#[derive(Clone, Copy)]
#[allow(
    clippy::large_enum_variant,
    reason = "handles of signals, copied by the dozen and few in number"
)]
pub enum Way {
    /// On this device.
    Local(Local),
    /// On a server.
    Online(Online),
    /// Nowhere: a lesson, a puzzle or a replay carries out what is done, and answers with [`Session::tell`].
    Script(Callback<Action>),
}

/// A game on the screen, as a reference: it goes into every closure of its screen, and is as small as can be.
#[derive(Clone, Copy)]
pub struct Session(&'static Shown);

impl Deref for Session {
    type Target = Shown;

    fn deref(&self) -> &Shown {
        self.0
    }
}

/// A game on the screen. These handles are never given back; what they lead to is, when its owner goes.
pub struct Shown {
    pub(super) cx: Cx,
    /// Where the table is.
    pub way: Way,
    /// What is shown.
    pub model: RwSignal<Model>,
    /// The person the device has to be handed to.
    pub cover: RwSignal<Option<PersonId>>,
    /// What was said last, for those who listen.
    pub live: RwSignal<String>,
    /// What happens right now, for those who look.
    pub ticker: RwSignal<Option<Message>>,
    /// Why something was not possible.
    pub notice: RwSignal<Option<Reason>>,
    /// The bot that thinks.
    pub thinking: RwSignal<Option<Seat>>,
    /// What a bot would do.
    pub hints: RwSignal<Option<Vec<client::hint::Hint>>>,
    /// The stack that is opened.
    pub opened: RwSignal<Option<Space>>,
    /// Whether the result was put aside to look at the board.
    pub aside: RwSignal<bool>,
    running: StoredValue<bool>,
    alive: StoredValue<bool>,
}

impl Session {
    /// A game with this model, wherever its table is.
    pub fn new(cx: Cx, way: Way, model: Model) -> Session {
        Session(Box::leak(Box::new(Shown {
            cx,
            way,
            model: RwSignal::new(model),
            cover: RwSignal::new(None),
            live: RwSignal::new(String::new()),
            ticker: RwSignal::new(None),
            notice: RwSignal::new(None),
            thinking: RwSignal::new(None),
            hints: RwSignal::new(None),
            opened: RwSignal::new(None),
            aside: RwSignal::new(false),
            running: StoredValue::new(false),
            alive: StoredValue::new(true),
        })))
    }

    /// A game at a table on this device.
    pub fn at(cx: Cx, local: Local) -> Option<Session> {
        let session = Session::new(cx, Way::Local(local), local.model()?);
        session.cover.set(local.first_cover());
        local.keep_time(session);
        Some(session)
    }

    /// Keeps the game as it is and lets it go on, new or resumed, when the screen is there.
    pub fn set_off(self) {
        leptos::task::spawn_local(async move {
            page::sleep(0).await;
            if let Some(local) = self.local().filter(|_| self.is_alive()) {
                local.save(self);
            }
            turns::turn(9).await;
            if self.is_alive() {
                self.run();
            }
        });
    }

    /// The part of the address that leads here.
    pub fn address(self) -> String {
        match self.way {
            Way::Local(local) => format!("game/{}", local.id()),
            Way::Online(online) => format!("t/{}", online.id()),
            Way::Script(_) => String::new(),
        }
    }

    /// The name under which the record of this game is found.
    pub fn record_name(self) -> String {
        match self.way {
            Way::Local(local) => local.id(),
            Way::Online(online) => online.id(),
            Way::Script(_) => String::new(),
        }
    }

    /// Shows what a script brought about.
    pub fn tell(self, seen: table::Seen) {
        self.model.update(|m| m.receive(&seen));
        self.run();
    }

    /// The kept game, if it is one of this device.
    pub fn saved(self) -> Option<SavedGame> {
        match self.way {
            Way::Local(local) => Some(local.saved()),
            Way::Online(_) | Way::Script(_) => None,
        }
    }

    /// The table on a server, if it is there.
    pub fn online(self) -> Option<Online> {
        match self.way {
            Way::Online(online) => Some(online),
            Way::Local(_) | Way::Script(_) => None,
        }
    }

    fn local(self) -> Option<Local> {
        match self.way {
            Way::Local(local) => Some(local),
            Way::Online(_) | Way::Script(_) => None,
        }
    }

    /// Whether the table allows hints.
    pub fn has_hints(self) -> bool {
        self.local().is_some_and(|l| l.saved().plan.hints)
    }

    /// Whether this game is still the one on the screen.
    pub fn is_alive(self) -> bool {
        self.alive.try_get_value() == Some(true)
    }

    /// The game is left: nothing goes on in the background.
    pub fn close(self) {
        self.alive.set_value(false);
        brain::stop();
    }

    /// Does what the player confirmed.
    pub fn confirm(self) {
        if let Some(action) = self.model.with_untracked(|m| m.choice.pending()) {
            self.act(action);
        }
    }

    /// Hands an action to the table.
    pub fn act(self, action: Action) {
        let decision = self.model.with_untracked(|m| {
            let game = m.table.game.as_ref()?;
            let answers = game.legal.contains(&action);
            game.waiting.filter(|_| answers).map(|w| w.decision)
        });
        self.command(Command::Act { action, decision });
    }

    /// What the first hint begins with.
    pub fn hinted(self) -> Option<Intent> {
        let action = self.hints.with(|h| h.as_ref()?.first().map(|h| h.action))?;
        let own = self.model.with(Model::own_colour);
        Some(client::choice::parts(action, own).0)
    }

    /// Passes in this turn's windows without being asked again.
    pub fn pass_turn(self) {
        self.command(Command::PassAhead {
            until: Some(PassAhead::Turn),
        });
    }

    /// Says something to the table.
    pub fn command(self, command: Command) {
        self.notice.set(None);
        self.hints.set(None);
        self.opened.set(None);
        match self.way {
            Way::Local(local) => {
                local.say(command);
                self.run();
            }
            Way::Online(online) => online.say(command),
            Way::Script(script) => {
                if let Command::Act { action, .. } = command {
                    script.run(action);
                }
            }
        }
    }

    /// Changes the decision being made.
    pub fn choose(self, change: impl FnOnce(&mut client::Choice) -> bool) -> bool {
        self.notice.set(None);
        let mut done = false;
        self.model.update(|m| done = change(&mut m.choice));
        if let Some(preview) = self.model.with_untracked(Model::preview) {
            let lines: Vec<_> = preview.lines.iter().map(|l| self.cx.say(l)).collect();
            self.live.set(lines.join(" "));
        }
        done
    }

    /// Takes back what was picked.
    pub fn take_back(self) {
        self.choose(|c| {
            c.reset();
            true
        });
    }

    /// Sets out to do something; what needs no piece is done at once.
    pub fn begin(self, intent: Intent) {
        let at_once = matches!(
            intent,
            Intent::Reroll
                | Intent::End
                | Intent::Pass
                | Intent::Done
                | Intent::Ask
                | Intent::Accept
                | Intent::Decline
        );
        let again = self
            .model
            .with_untracked(|m| m.choice.intent() == Some(intent));
        if again && !at_once {
            self.take_back();
        } else if self.choose(|c| c.begin(intent)) && at_once {
            self.confirm();
        }
    }

    /// Picks a piece, or says why that is not possible.
    pub fn pick(self, pick: Pick) {
        self.opened.set(None);
        if !self.choose(|c| c.pick(pick)) {
            self.explain(pick);
        }
    }

    /// Says why a piece cannot be picked.
    pub fn explain(self, pick: Pick) {
        let why = self.model.with_untracked(|m| {
            let mine = m.is_mine();
            m.me()
                .filter(|_| mine)
                .and_then(|me| client::reason::why_not_pick(&m.shown, me, m.choice.intent(), pick))
        });
        self.say_why(why);
    }

    /// Shows a reason, also to those who listen.
    pub fn say_why(self, why: Option<Reason>) {
        if let Some(why) = why {
            self.live.set(self.cx.say(&why.message));
            self.notice.set(Some(why));
        }
    }

    /// The table refused something.
    pub fn refused(self, why: table::Refusal) {
        self.say_why(Some(Reason {
            message: client::refusal::words(&why),
            clause: "",
        }));
    }

    /// The device was handed over.
    pub fn uncover(self) {
        if let Some((person, local)) = self.cover.get_untracked().zip(self.local()) {
            self.look_as(local, person);
        }
        self.cover.set(None);
        self.run();
    }

    /// Hands the device to the partner, who may offer something.
    pub fn hand_to(self, person: PersonId) {
        self.cover.set(Some(person));
    }

    pub(super) fn look_as(self, local: Local, person: PersonId) {
        local.hand_to(person);
        if let Some(mut fresh) = local.model() {
            self.model.with_untracked(|old| {
                fresh.top = old.top;
                fresh.die = old.die;
                fresh.trail = old.trail;
            });
            self.model.set(fresh);
        }
    }

    /// The partner at this device who could offer something, and what they are called.
    pub fn partner_here(self) -> Option<(PersonId, String)> {
        let person = self.local()?.with(LocalTable::human_partner)?;
        Some((person, self.name_of(person)))
    }

    /// What a person is called.
    pub fn name_of(self, person: PersonId) -> String {
        self.model.with_untracked(|m| {
            let named = m.table.seats.iter().find_map(|seat| match &seat.taken {
                table::Taken::Person { person: p, name } if *p == person => Some(name.clone()),
                _ => None,
            });
            named.unwrap_or_default()
        })
    }

    /// Another game with the same people.
    pub fn again(self) {
        match self.way {
            Way::Local(local) => self.cx.begin(local.saved().plan),
            Way::Online(online) => online.say(Command::Rematch),
            Way::Script(_) => {}
        }
    }

    /// Shows again what happened since the last turn.
    pub fn replay(self) {
        self.model.update(Model::replay);
        self.run();
    }

    /// Asks a bot what it would do here.
    pub fn ask_hint(self) {
        let seat = self
            .model
            .with_untracked(|m| m.me().filter(|_| m.is_mine()));
        let (Some(seat), Some(local)) = (seat, self.local()) else {
            return;
        };
        self.thinking.set(Some(seat));
        leptos::task::spawn_local(async move {
            let hints = local
                .question(self.cx, Task::Hint, seat, BotLevel::Master)
                .await
                .map(|a| a.hints);
            if !self.is_alive() {
                return;
            }
            self.thinking.set(None);
            if self.model.with_untracked(Model::is_mine) {
                self.hints.set(hints);
            }
        });
    }

    /// Shows what happened, lets bots at this device act, and stops when a person is to decide.
    pub fn run(self) {
        if self.running.get_value() {
            return;
        }
        self.running.set_value(true);
        leptos::task::spawn_local(async move {
            while self.is_alive() && self.go_on().await {}
            self.running.set_value(false);
        });
    }

    /// One step; whether there is another.
    async fn go_on(self) -> bool {
        match self.way {
            Way::Local(local) => local.go_on(self).await,
            Way::Online(online) => {
                self.show().await;
                if self.is_alive() {
                    online.shown(self);
                    return self.model.with_untracked(Model::is_busy);
                }
                false
            }
            Way::Script(_) => {
                self.show().await;
                self.is_alive() && self.model.with_untracked(Model::is_busy)
            }
        }
    }

    /// Says that a decision is the player's, to those who listen.
    pub fn announce(self) {
        if self.model.with_untracked(Model::is_mine) {
            let yours = self.cx.t("live.your_turn");
            // Once is enough, however often the table says so.
            if !self.live.with_untracked(|l| l.ends_with(&yours)) {
                self.live.update(|l| *l = format!("{l} {yours}"));
            }
        }
    }
}
