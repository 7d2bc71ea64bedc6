//! A game on this device: the table, what is shown of it, and the bots at it.

use std::collections::HashMap;

use client::motion::Motion;
use client::reason::Reason;
use client::{
    Intent, LocalTable, Message, Model, Need, Pick, Plan, SavedGame, Sound, Speed, Transport,
};
use leptos::prelude::*;
use rules::{Action, Seat, Space};
use table::{BotLevel, ClientMessage, Command, PassAhead, PersonId, ServerMessage};

use crate::context::Cx;
use crate::device::brain::{self, Question, Task};
use crate::device::storage::shelf;
use crate::device::{motion, page, sound};

/// A game on this device.
#[derive(Clone, Copy)]
pub struct Session {
    cx: Cx,
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
    table: StoredValue<LocalTable>,
    saved: StoredValue<SavedGame>,
    /// What each bot has heard; none: it begins anew.
    heard: StoredValue<HashMap<(u8, bool), u64>>,
    running: StoredValue<bool>,
    alive: StoredValue<bool>,
    /// The turn in which the bot partner was asked for an offer.
    offered: StoredValue<(u16, u8, u8)>,
    /// Who carries out what is done here, if no table does: a lesson, a puzzle, a replay.
    script: Option<Callback<Action>>,
}

impl Session {
    /// Opens a table and begins.
    pub fn open(cx: Cx, plan: &Plan) -> Option<Session> {
        let now = page::now();
        let seed = plan
            .daily
            .as_deref()
            .map_or_else(page::seed, client::daily::seed);
        let id = format!("{now:x}");
        let table = LocalTable::open(&id, plan, now, &seed).ok()?;
        let saved = SavedGame {
            id,
            plan: plan.clone(),
            at: now,
            round: 1,
            over: false,
        };
        Session::with(cx, table, saved)
    }

    /// Goes on with a kept game.
    pub fn resume(cx: Cx, id: &str) -> Option<Session> {
        let (saved, table) = shelf().game(id)?;
        Session::with(cx, table, saved)
    }

    fn with(cx: Cx, mut table: LocalTable, saved: SavedGame) -> Option<Session> {
        while table.receive().is_some() {}
        let mut model = Model::new(table.view())?;
        model.remember(&table.past());
        let several = table.persons().len() > 1 && !table.is_open();
        let cover = match table.need() {
            Need::Person(person, _) if several => Some(person),
            _ => None,
        };
        let session = Session {
            cx,
            model: RwSignal::new(model),
            cover: RwSignal::new(cover),
            live: RwSignal::new(String::new()),
            ticker: RwSignal::new(None),
            notice: RwSignal::new(None),
            thinking: RwSignal::new(None),
            hints: RwSignal::new(None),
            opened: RwSignal::new(None),
            aside: RwSignal::new(false),
            table: StoredValue::new(table),
            saved: StoredValue::new(saved),
            heard: StoredValue::new(HashMap::new()),
            running: StoredValue::new(false),
            alive: StoredValue::new(true),
            offered: StoredValue::new((0, 0, 0)),
            script: None,
        };
        session.save();
        Some(session)
    }

    /// Something that is played without a table: what is done is handed to `script`, which answers with
    /// [`Session::tell`].
    pub fn scripted(cx: Cx, model: Model, script: Callback<Action>) -> Option<Session> {
        let plan = Plan::solo("1", false);
        let table = LocalTable::open("", &plan, 0, &table::Hex([0; 32])).ok()?;
        let saved = SavedGame {
            id: String::new(),
            plan,
            at: 0,
            round: 1,
            over: true,
        };
        Some(Session {
            cx,
            model: RwSignal::new(model),
            cover: RwSignal::new(None),
            live: RwSignal::new(String::new()),
            ticker: RwSignal::new(None),
            notice: RwSignal::new(None),
            thinking: RwSignal::new(None),
            hints: RwSignal::new(None),
            opened: RwSignal::new(None),
            aside: RwSignal::new(false),
            table: StoredValue::new(table),
            saved: StoredValue::new(saved),
            heard: StoredValue::new(HashMap::new()),
            running: StoredValue::new(false),
            alive: StoredValue::new(true),
            offered: StoredValue::new((0, 0, 0)),
            script: Some(script),
        })
    }

    /// Shows what a script brought about.
    pub fn tell(self, seen: table::Seen) {
        self.model.update(|m| m.receive(seen));
        self.run();
    }

    /// The game's name.
    pub fn id(self) -> String {
        self.saved.with_value(|s| s.id.clone())
    }

    /// How the game was set up.
    pub fn plan(self) -> Plan {
        self.saved.with_value(|s| s.plan.clone())
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
        self.command(Command::Act {
            action,
            decision: None,
        });
    }

    /// Passes in this turn's windows without being asked again.
    pub fn pass_turn(self) {
        self.command(Command::PassAhead {
            until: Some(PassAhead::Turn),
        });
    }

    fn command(self, command: Command) {
        self.notice.set(None);
        self.hints.set(None);
        self.opened.set(None);
        if let Some(script) = self.script {
            if let Command::Act { action, .. } = command {
                script.run(action);
            }
            return;
        }
        self.table
            .update_value(|t| t.send(page::now(), ClientMessage::Do { id: 1, command }));
        self.run();
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
            self.choose(|c| {
                c.reset();
                true
            });
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

    /// The device was handed over.
    pub fn uncover(self) {
        if let Some(person) = self.cover.get_untracked() {
            self.look_as(person);
        }
        self.cover.set(None);
        self.run();
    }

    /// Hands the device to the partner, who may offer something.
    pub fn hand_to(self, person: PersonId) {
        self.cover.set(Some(person));
    }

    fn look_as(self, person: PersonId) {
        self.table.update_value(|t| t.hand_to(person));
        let fresh = self.table.with_value(|t| {
            let mut model = Model::new(t.view())?;
            model.remember(&t.past());
            Some(model)
        });
        if let Some(mut fresh) = fresh {
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
        let person = self.table.with_value(LocalTable::human_partner)?;
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
        let plan = self.plan();
        self.cx.begin(&plan);
    }

    /// Shows again what happened since the last turn.
    pub fn replay(self) {
        self.model.update(Model::replay);
        self.run();
    }

    /// Asks a bot what it would do here.
    pub fn ask_hint(self) {
        let Some(seat) = self
            .model
            .with_untracked(|m| m.me().filter(|_| m.is_mine()))
        else {
            return;
        };
        self.thinking.set(Some(seat));
        leptos::task::spawn_local(async move {
            let hints = self
                .question(Task::Hint, seat, BotLevel::Master)
                .await
                .map(|a| a.hints);
            self.thinking.set(None);
            if self.model.with_untracked(Model::is_mine) {
                self.hints.set(hints);
            }
        });
    }

    async fn question(self, task: Task, seat: Seat, level: BotLevel) -> Option<brain::Answer> {
        let key = (seat.0, task == Task::Hint);
        let after = self.heard.with_value(|h| h.get(&key).copied());
        let (number, view, events) = self.table.with_value(|t| {
            let (view, events) = t.bot_view(seat, after.unwrap_or(0))?;
            Some((t.number(), view, events))
        })?;
        self.heard.update_value(|h| {
            h.insert(key, number);
        });
        let millis = match task {
            Task::Hint => 900,
            _ if self.cx.speed() == Speed::Instant => 120,
            _ => 600,
        };
        let question = Question {
            id: 0,
            task,
            game: self.id(),
            seat,
            level,
            fresh: after.is_none(),
            view,
            events,
            millis,
        };
        brain::ask(question).await
    }

    /// Shows what happened, lets bots act, and stops when a person is to decide.
    pub fn run(self) {
        if self.running.get_value() {
            return;
        }
        self.running.set_value(true);
        leptos::task::spawn_local(async move {
            while self.alive.get_value() && self.go_on().await {}
            self.running.try_set_value(false);
        });
    }

    /// One step; whether there is another.
    async fn go_on(self) -> bool {
        if self.script.is_some() {
            self.show().await;
            return false;
        }
        if self.take_in() {
            self.save();
        }
        self.show().await;
        if !self.alive.get_value() {
            return false;
        }
        if self.partner_offers().await {
            return true;
        }
        match self.table.with_value(LocalTable::need) {
            Need::Bot {
                seat,
                level,
                decision,
            } => {
                self.thinking.set(Some(seat));
                let answer = self.question(Task::Act, seat, level).await;
                if !self.alive.get_value() {
                    return false;
                }
                self.thinking.set(None);
                let Some(action) = answer
                    .and_then(|a| a.action)
                    .or_else(|| self.any_action(seat))
                else {
                    return false;
                };
                let mut done = false;
                self.table.update_value(|t| {
                    done = t
                        .bot_acts(page::now(), seat, action, Some(decision))
                        .is_ok();
                });
                done
            }
            Need::Person(person, _) => {
                let other = self.table.with_value(|t| t.hand_over().is_some());
                if other && self.table.with_value(LocalTable::is_open) {
                    self.look_as(person);
                } else if other {
                    self.cover.set(Some(person));
                }
                if self.model.with_untracked(Model::is_mine) {
                    self.live.update(|l| {
                        l.push(' ');
                        l.push_str(&self.cx.t("live.your_turn"));
                    });
                }
                false
            }
            Need::Nothing => {
                self.finish();
                false
            }
        }
    }

    /// A bot without a worker still plays, if only anything.
    fn any_action(self, seat: Seat) -> Option<Action> {
        let mut list = rules::Actions::new();
        let (view, _) = self.table.with_value(|t| t.bot_view(seat, u64::MAX))?;
        view.legal_actions(&mut list).ok()?;
        list.get(page::now() as usize % list.len().max(1))
    }

    /// A bot may offer its partner a card or flasks, once in each of the partner's decisions on a card.
    async fn partner_offers(self) -> bool {
        let Some((seat, level)) = self.table.with_value(LocalTable::bot_partner) else {
            return false;
        };
        let moment = self
            .model
            .with_untracked(|m| (m.shown.round, m.shown.turn.active.0, m.shown.turn.played));
        if self.offered.get_value() == moment {
            return false;
        }
        self.offered.set_value(moment);
        let answer = self.question(Task::Offer, seat, level).await;
        let Some(action) = answer.and_then(|a| a.action) else {
            return false;
        };
        let mut done = false;
        self.table
            .update_value(|t| done = t.bot_acts(page::now(), seat, action, None).is_ok());
        done
    }

    /// Takes in what the table says; whether anything has happened.
    fn take_in(self) -> bool {
        let mut happened = false;
        loop {
            let mut message = None;
            self.table.update_value(|t| message = t.receive());
            match message {
                Some(ServerMessage::Happened { seen, .. }) => {
                    happened = true;
                    self.model.update(|m| m.receive(seen));
                }
                Some(ServerMessage::Rejected { why, .. }) => {
                    self.live.set(why.message.clone());
                    self.notice.set(Some(Reason {
                        message: client::words::say("why.refused").with("why", why.message),
                        clause: "",
                    }));
                }
                Some(_) => {}
                None => return happened,
            }
        }
    }

    /// Shows, one after the other, what happened.
    async fn show(self) {
        let mut told = Vec::new();
        while let Some(next) = self.model.with_untracked(Model::next_motion) {
            if !self.alive.get_value() {
                return;
            }
            let millis = if self.cx.is_still() {
                0
            } else {
                self.cx.speed().millis(next.millis())
            };
            if self.cx.preferences.with_untracked(|p| p.sound) == Sound::On
                && self.cx.speed() != Speed::Instant
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
            } else if next != Motion::None && self.cx.speed() != Speed::Instant {
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

    fn finish(self) {
        let daily = self.saved.with_value(|s| s.plan.daily.clone());
        let score = self.model.with_untracked(|m| {
            m.shown
                .outcome
                .filter(|o| !o.winners.is_empty())
                .and_then(|o| o.score)
        });
        if let (Some(day), Some(score)) = (daily, score) {
            shelf().keep_daily(&day, score);
        }
    }

    fn save(self) {
        let (round, over) = self.model.with_untracked(|m| {
            let view = m.table.game.as_ref().map(|g| &g.view);
            (view.map_or(1, |v| v.round), m.table.ending.is_some())
        });
        self.saved.update_value(|s| {
            s.at = page::now();
            s.round = round;
            s.over = over;
        });
        let saved = self.saved.get_value();
        self.table.with_value(|t| shelf().keep(saved, t));
    }
}
