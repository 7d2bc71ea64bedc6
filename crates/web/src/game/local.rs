//! A table on this device: kept after every action, with bots that think in the worker.

use std::collections::HashMap;

use client::{LocalTable, Model, Need, Plan, SavedGame, Speed, Transport};
use rules::{Action, Seat};
use table::{BotLevel, ClientMessage, Command, PersonId, ServerMessage};

use super::session::Session;
use crate::context::Cx;
use crate::device::brain::{self, Question, Task};
use crate::device::page;
use crate::device::storage::shelf;
use crate::live::StoredValue;

/// A table on this device.
#[derive(Clone, Copy)]
pub struct Local {
    table: StoredValue<LocalTable>,
    saved: StoredValue<SavedGame>,
    /// What each bot has heard; none: it begins anew.
    heard: StoredValue<HashMap<(u8, bool), u64>>,
    /// The turn in which the bot partner was asked for an offer.
    offered: StoredValue<(u16, u8, u8)>,
}

impl Local {
    /// Opens a table, step by step: the page can answer in between.
    pub async fn open(plan: Plan) -> Option<(LocalTable, SavedGame)> {
        let now = page::now();
        let seed = plan
            .daily
            .as_deref()
            .map_or_else(page::seed, client::daily::seed);
        let id = format!("{now:x}");
        let mut table = LocalTable::seat(&id, &plan, now, &seed).ok()?;
        page::sleep(0).await;
        table.start(now, &seed).ok()?;
        let saved = SavedGame {
            id,
            plan,
            at: now,
            round: 1,
            over: false,
        };
        Some((table, saved))
    }

    /// Goes on with a kept game. Time did not run while it lay on the shelf.
    pub fn resume(id: &str) -> Option<(LocalTable, SavedGame)> {
        let (saved, mut table) = shelf().game(id)?;
        table.reopened(page::now());
        Some((table, saved))
    }

    /// A table, and what is kept of its game besides.
    pub fn new((mut table, saved): (LocalTable, SavedGame)) -> Local {
        while table.receive().is_some() {}
        Local {
            table: StoredValue::new(table),
            saved: StoredValue::new(saved),
            heard: StoredValue::new(HashMap::new()),
            offered: StoredValue::new((0, 0, 0)),
        }
    }

    /// Looks at the table.
    pub fn with<T>(self, look: impl FnOnce(&LocalTable) -> T) -> T {
        self.table.with_value(look)
    }

    /// The game's name.
    pub fn id(self) -> String {
        self.saved.with_value(|s| s.id.clone())
    }

    /// The game as it is kept.
    pub fn saved(self) -> SavedGame {
        self.saved.get_value()
    }

    /// What the one who looks sees.
    pub fn model(self) -> Option<Model> {
        self.with(|t| {
            let mut model = Model::new(t.view())?;
            model.remember(&t.past());
            Some(model)
        })
    }

    /// The person the device has to be handed to at the beginning.
    pub fn first_cover(self) -> Option<PersonId> {
        self.with(|table| {
            let several = table.persons().len() > 1 && !table.is_open();
            match table.need() {
                Need::Person(person, _) if several => Some(person),
                _ => None,
            }
        })
    }

    /// Somebody else looks.
    pub fn hand_to(self, person: PersonId) {
        self.table.update_value(|t| t.hand_to(person));
    }

    /// Says something to the table.
    pub fn say(self, command: Command) {
        self.table
            .update_value(|t| t.send(page::now(), ClientMessage::Do { id: 1, command }));
    }

    /// Keeps the game as it is.
    pub fn save(self, session: Session) {
        let (round, over) = session.model.with_untracked(|m| {
            let view = m.table.game.as_ref().map(|g| &g.view);
            (view.map_or(1, |v| v.round), m.table.ending.is_some())
        });
        self.saved.update_value(|s| {
            s.at = page::now();
            s.round = round;
            s.over = over;
        });
        let saved = self.saved.get_value();
        self.with(|t| shelf().keep(saved, t));
    }

    /// Where there is a clock, it is looked at again and again.
    pub fn keep_time(self, session: Session) {
        if self.with(|t| t.view().settings.clock == table::Clock::None) {
            return;
        }
        leptos::task::spawn_local(async move {
            while session.is_alive() {
                page::sleep(500).await;
                if !session.is_alive() || session.cover.get_untracked().is_some() {
                    continue;
                }
                let mut due = false;
                self.table.update_value(|t| due = t.tick(page::now()));
                if due {
                    session.run();
                }
            }
        });
    }

    /// One step; whether there is another.
    pub(super) async fn go_on(self, session: Session) -> bool {
        if self.take_in(session) {
            self.save(session);
        }
        session.show().await;
        if !session.is_alive() {
            return false;
        }
        if self.partner_offers(session).await {
            return true;
        }
        match self.with(LocalTable::need) {
            Need::Bot {
                seat,
                level,
                decision,
            } => {
                session.thinking.set(Some(seat));
                let answer = self.question(session.cx, Task::Act, seat, level).await;
                if !session.is_alive() {
                    return false;
                }
                session.thinking.set(None);
                let action = answer
                    .and_then(|a| a.action)
                    .or_else(|| self.any_action(seat));
                action.is_some_and(|action| self.bot_acts(seat, action, Some(decision)))
            }
            Need::Person(person, _) => {
                let other = self.with(|t| t.hand_over().is_some());
                if other && self.with(LocalTable::is_open) {
                    session.look_as(self, person);
                } else if other {
                    session.cover.set(Some(person));
                }
                session.announce();
                false
            }
            Need::Nothing => {
                self.finish(session);
                false
            }
        }
    }

    fn bot_acts(self, seat: Seat, action: Action, decision: Option<u64>) -> bool {
        let mut done = false;
        self.table
            .update_value(|t| done = t.bot_acts(page::now(), seat, action, decision).is_ok());
        done
    }

    /// Asks the worker.
    pub async fn question(
        self,
        cx: Cx,
        task: Task,
        seat: Seat,
        level: BotLevel,
    ) -> Option<brain::Answer> {
        let key = (seat.0, task == Task::Hint);
        let after = self.heard.with_value(|h| h.get(&key).copied());
        let (number, view, events) = self.with(|t| {
            let (view, events) = t.bot_view(seat, after.unwrap_or(0))?;
            Some((t.number(), view, events))
        })?;
        self.heard.update_value(|h| {
            h.insert(key, number);
        });
        let millis = match task {
            _ if cx.speed() == Speed::Instant => 120,
            Task::Hint => 900,
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
        let answer = brain::ask(question).await;
        if answer.is_none() {
            // A worker that broke down has forgotten everything: all bots begin anew.
            let _ = self.heard.try_update_value(HashMap::clear);
        }
        answer
    }

    /// A bot without a worker still plays, if only anything.
    fn any_action(self, seat: Seat) -> Option<Action> {
        let mut list = rules::Actions::new();
        let (view, _) = self.with(|t| t.bot_view(seat, u64::MAX))?;
        view.legal_actions(&mut list).ok()?;
        list.get(page::now() as usize % list.len().max(1))
    }

    /// A bot may offer its partner a card or flasks, once in each of the partner's decisions on a card.
    async fn partner_offers(self, session: Session) -> bool {
        let Some((seat, level)) = self.with(LocalTable::bot_partner) else {
            return false;
        };
        let moment = session
            .model
            .with_untracked(|m| (m.shown.round, m.shown.turn.active.0, m.shown.turn.played));
        if self.offered.get_value() == moment {
            return false;
        }
        self.offered.set_value(moment);
        let answer = self.question(session.cx, Task::Offer, seat, level).await;
        if !session.is_alive() {
            return false;
        }
        answer
            .and_then(|a| a.action)
            .is_some_and(|action| self.bot_acts(seat, action, None))
    }

    /// Takes in what the table says; whether anything has happened.
    fn take_in(self, session: Session) -> bool {
        let mut happened = false;
        loop {
            let mut message = None;
            self.table.update_value(|t| message = t.receive());
            match message {
                Some(ServerMessage::Happened { seen, .. }) => {
                    happened = true;
                    session.model.update(|m| m.receive(&seen));
                }
                Some(ServerMessage::Rejected { why, .. }) => session.refused(why),
                Some(_) => {}
                None => return happened,
            }
        }
    }

    fn finish(self, session: Session) {
        let daily = self.saved.with_value(|s| s.plan.daily.clone());
        let score = session.model.with_untracked(|m| {
            m.shown
                .outcome
                .filter(|o| !o.winners.is_empty())
                .and_then(|o| o.score)
        });
        if let (Some(day), Some(score)) = (daily, score) {
            shelf().keep_daily(&day, score);
        }
    }
}
