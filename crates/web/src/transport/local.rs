//! A table in the page. It is stored after every action, and its bots run in the worker.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use towers_client::daily::DealSource;
use towers_client::hint::Hint;
use towers_client::worker::{Decision, DecisionRequest, Task};
use towers_client::{LocalTable, Model, Need, NotReopened, Plan, SavedGame, SavedResult, Speed};
use towers_rules::{Action, Seat};
use towers_table::{BotLevel, ClientMessage, Command, Ending, PersonId, ServerMessage, Update};

use super::daily;
use crate::context::{Cx, Request};
use crate::device::storage::shelf;
use crate::device::{page, worker};
use crate::session::{Session, Transport};

/// How often the clock of the table is checked, in milliseconds.
const CLOCK_PERIOD: u32 = 500;

/// A table in the page.
pub struct Local {
    cx: Cx,
    table: RefCell<LocalTable>,
    saved: RefCell<SavedGame>,
    /// The last event that was sent to each bot, by seat and whether it gives hints. A bot that is missing starts
    /// without observations.
    told: RefCell<HashMap<(u8, bool), u64>>,
    /// The round, active seat and number of played cards at which the bot partner was last asked for an offer.
    offered: Cell<(u16, u8, u8)>,
}

impl Local {
    /// Starts a game in steps, so that the page stays responsive.
    pub async fn start(cx: Cx, mut plan: Plan) -> Option<Rc<Local>> {
        let seed = match plan.daily.take() {
            Some(day) => {
                let deal = daily::deal(&day).await;
                plan.daily = Some(deal.day);
                plan.deal_source = Some(deal.source);
                deal.seed
            }
            None => page::seed(),
        };
        let now = page::now();
        let id = format!("{now:x}");
        let mut table = LocalTable::seat(&id, &plan, now, &seed).ok()?;
        page::sleep(0).await;
        table.start(now, &seed).ok()?;
        let stops = cx.preferences.with_untracked(|p| p.stops_everywhere);
        if stops && plan.settings.options.reactions {
            table.set_stops(now, stops).ok()?;
        }
        let saved = SavedGame {
            id,
            plan,
            at: now,
            round: 1,
            over: false,
            result: None,
        };
        Some(Local::new(cx, table, saved))
    }

    /// Resumes a stored game. Its clock was stopped meanwhile.
    pub fn resume(cx: Cx, id: &str) -> Result<Rc<Local>, NotReopened> {
        let (saved, mut table) = shelf().game(id)?;
        table.reopened(page::now());
        Ok(Local::new(cx, table, saved))
    }

    fn new(cx: Cx, mut table: LocalTable, saved: SavedGame) -> Rc<Local> {
        while table.receive().is_some() {}
        Rc::new(Local {
            cx,
            table: RefCell::new(table),
            saved: RefCell::new(saved),
            told: RefCell::new(HashMap::new()),
            offered: Cell::new((0, 0, 0)),
        })
    }

    /// Creates a session for this table.
    pub fn session(self: Rc<Self>) -> Option<Session> {
        let (model, cover) = (self.model()?, self.first_cover());
        let has_clock = self.table.borrow().view().settings.clock != towers_table::Clock::None;
        let session = Session::detached(self.cx, Rc::clone(&self) as Rc<dyn Transport>, model);
        session.cover.set(cover);
        if has_clock {
            leptos::task::spawn_local(self.keep_time(session));
        }
        Some(session)
    }

    pub fn id(&self) -> String {
        self.saved.borrow().id.clone()
    }

    fn model(&self) -> Option<Model> {
        self.table.borrow().model()
    }

    /// The person who has to take the device first.
    fn first_cover(&self) -> Option<PersonId> {
        let table = self.table.borrow();
        let several = table.persons().len() > 1 && !table.is_open();
        match table.need() {
            Need::Person(person, _) if several => Some(person),
            _ => None,
        }
    }

    /// Stores the game.
    fn save(&self, session: Session) {
        let (round, over) = session.model.with_untracked(|m| {
            let view = m.table.game.as_ref().map(|g| &g.view);
            (view.map_or(1, |v| v.round), m.table.ending.is_some())
        });
        let mut saved = self.saved.borrow_mut();
        let was_over = saved.over;
        saved.at = page::now();
        saved.round = round;
        saved.over = over;
        saved.result = session.model.with_untracked(result);
        let table = self.table.borrow();
        if over
            && !was_over
            && let Some(day) = &saved.plan.daily
        {
            daily::send(day, table.record());
        }
        shelf().keep(saved.clone(), &table);
    }

    /// Checks the clock while the session is open.
    async fn keep_time(self: Rc<Self>, session: Session) {
        loop {
            page::sleep(CLOCK_PERIOD).await;
            match session.cover.try_get_untracked() {
                None => return,
                Some(Some(_)) => continue,
                Some(None) => {}
            }
            let is_due = self.table.borrow_mut().tick(page::now());
            if is_due {
                self.deliver(session);
                session.run();
            }
        }
    }

    /// Delivers the table's messages, and stores the game if there were events.
    fn deliver(&self, session: Session) {
        let mut has_update = false;
        loop {
            let message = self.table.borrow_mut().receive();
            match message {
                Some(ServerMessage::Happened(Update { seen, .. })) => {
                    has_update = true;
                    session.receive(&seen);
                }
                Some(ServerMessage::Rejected { why, .. }) => session.refuse(&why),
                Some(_) => {}
                None => break,
            }
        }
        if has_update {
            self.save(session);
        }
    }

    /// Submits a bot's action. Returns whether the table accepted it.
    fn bot_acts(
        &self,
        session: Session,
        seat: Seat,
        action: Action,
        decision: Option<u64>,
    ) -> bool {
        let acted = self
            .table
            .borrow_mut()
            .bot_acts(page::now(), seat, action, decision);
        self.deliver(session);
        acted.is_ok()
    }

    /// Asks a bot in the worker.
    async fn ask(&self, task: Task, seat: Seat, level: BotLevel) -> Option<Decision> {
        let key = (seat.0, task == Task::Hint);
        let after = self.told.borrow().get(&key).copied();
        let (number, view, events) = {
            let table = self.table.borrow();
            let after = after.unwrap_or(0);
            let (view, events) = match task {
                Task::Hint => table.hint_view(seat, after)?,
                _ => table.bot_view(seat, after)?,
            };
            (table.number(), view, events)
        };
        self.told.borrow_mut().insert(key, number);
        let millis = match task {
            _ if self.cx.speed() == Speed::Instant => 120,
            Task::Hint => 900,
            _ => 600,
        };
        let position = DecisionRequest {
            task,
            game: self.id(),
            seat,
            level,
            fresh: after.is_none(),
            view,
            events,
            millis,
        };
        let answer = worker::decide(position).await;
        if answer.is_none() {
            // A worker that failed has lost its bots.
            self.told.borrow_mut().clear();
        }
        answer
    }

    /// A legal action for a bot whose worker does not answer.
    fn any_action(&self, seat: Seat) -> Option<Action> {
        let (view, _) = self.table.borrow().bot_view(seat, u64::MAX)?;
        let list = view.legal_actions().ok()?;
        list.get(page::now() as usize % list.len().max(1))
    }

    /// Asks the bot partner for an offer of a card or flasks, once per card decision of its partner (R12.2, R12.3).
    async fn partner_offers(&self, session: Session) -> bool {
        let Some((seat, level)) = self.table.borrow().bot_partner() else {
            return false;
        };
        let moment = session
            .model
            .with_untracked(|m| (m.shown.round, m.shown.turn.active.0, m.shown.turn.played));
        if self.offered.replace(moment) == moment {
            return false;
        }
        let answer = self.ask(Task::Offer, seat, level).await;
        if !session.is_open() {
            return false;
        }
        answer
            .and_then(|a| a.action)
            .is_some_and(|action| self.bot_acts(session, seat, action, None))
    }

    /// Lets the next bot act, or covers the screen to hand the device over. Returns whether there is something to show.
    async fn next(&self, session: Session) -> bool {
        if !session.is_open() || self.partner_offers(session).await {
            return session.is_open();
        }
        if !session.is_open() {
            return false;
        }
        let need = self.table.borrow().need();
        match need {
            Need::Bot {
                seat,
                level,
                decision,
            } => {
                session.thinking.set(Some(seat));
                let answer = self.ask(Task::Act, seat, level).await;
                if !session.is_open() {
                    return false;
                }
                session.thinking.set(None);
                let action = answer
                    .and_then(|a| a.action)
                    .or_else(|| self.any_action(seat));
                action.is_some_and(|action| self.bot_acts(session, seat, action, Some(decision)))
            }
            Need::Person(person, _) => {
                let is_other = self.table.borrow().hand_over().is_some();
                let is_open = self.table.borrow().is_open();
                if is_other && is_open {
                    session.look_as(person);
                } else if is_other {
                    session.cover.set(Some(person));
                }
                session.announce();
                false
            }
            Need::Nothing => {
                self.keep_score(session);
                false
            }
        }
    }

    /// Stores the score of a solo or cooperative game that was won.
    fn keep_score(&self, session: Session) {
        let score = session.model.with_untracked(|m| {
            m.shown
                .outcome
                .filter(|o| !o.winners.is_empty())
                .and_then(|o| o.score)
        });
        let Some(score) = score else { return };
        session
            .model
            .with_untracked(|m| shelf().keep_best(&m.table.settings, score));
        if let Some(day) = self.daily() {
            shelf().keep_daily(&day, score);
        }
    }
}

/// The result of a game, for the list of stored games.
fn result(model: &Model) -> Option<SavedResult> {
    let winners = match model.table.ending? {
        Ending::Agreed => Vec::new(),
        Ending::Played(outcome) => {
            let seats = (0..model.table.seats.len()).map(|i| Seat(i as u8));
            let won = seats.filter(|seat| outcome.winners.contains(*seat));
            won.map(|seat| model.names.of(seat)).collect()
        }
    };
    let score = match model.table.ending? {
        Ending::Played(outcome) => outcome.score,
        Ending::Agreed => None,
    };
    Some(SavedResult { winners, score })
}

impl Transport for Local {
    fn send(&self, session: Session, command: Command) {
        let message = ClientMessage::Do { id: 1, command };
        self.table.borrow_mut().send(page::now(), message);
        self.deliver(session);
        session.run();
    }

    fn proceed(self: Rc<Self>, session: Session) -> LocalBoxFuture<'static, bool> {
        async move { self.next(session).await }.boxed_local()
    }

    fn opened(&self, session: Session) {
        self.save(session);
    }

    fn record_id(&self) -> String {
        self.id()
    }

    fn daily(&self) -> Option<String> {
        self.saved.borrow().plan.daily.clone()
    }

    fn deal_source(&self) -> Option<DealSource> {
        self.saved.borrow().plan.deal_source
    }

    fn rematch(&self, _session: Session) {
        let plan = self.saved.borrow().plan.clone();
        self.cx.request(Request::NewGame(plan));
    }

    fn has_hints(&self) -> bool {
        self.saved.borrow().plan.hints
    }

    fn hints(self: Rc<Self>, seat: Seat) -> LocalBoxFuture<'static, Option<Vec<Hint>>> {
        async move {
            let answer = self.ask(Task::Hint, seat, BotLevel::Master).await;
            answer.map(|a| a.hints)
        }
        .boxed_local()
    }

    fn partner(&self) -> Option<PersonId> {
        self.table.borrow().human_partner()
    }

    fn hand_to(&self, person: PersonId) -> Option<Model> {
        self.table.borrow_mut().hand_to(person);
        self.model()
    }
}
