//! The task that notifies people. It takes events of tables from the queue, makes calls that are due, and never makes a
//! table wait.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use towers_table::Millis;

use super::delivery::{Delivery, Parcel, REQUESTS};
use super::notice::{Occasion, PushMessage, WebhookNote};
use super::plan::{CallPlan, OpenDecision};
use super::queue::{AbsentDecision, CallEvent, DecisionNumber};
use super::store::{CallSettings, CallStore, CalledPerson, DueCall, StoredCall, StoredWebhook};
use crate::fair_queue::FairQueue;
use crate::storage::StorageError;
use crate::tables::{Registry, Shared};

/// The maximum number of calls that are being delivered.
const DELIVERIES: usize = 2000;
/// The maximum number of them for one table, so that slow receivers of a few tables do not keep all others waiting.
const DELIVERIES_OF_TABLE: usize = 16;

/// Intervals of the task.
#[derive(Clone, Copy, Debug)]
pub struct CallTiming {
    /// How often due calls are looked for.
    pub sweep: Duration,
    /// The delay before the second attempt of a delivery.
    pub first_retry: Duration,
    /// The time for which a due call is left to a server that has its table in memory and knows who is connected.
    pub elsewhere: Millis,
    /// The time after which a call is made again, because the server that made it has stopped before it was delivered.
    /// Longer than all attempts of a delivery.
    pub again: Millis,
}

impl Default for CallTiming {
    fn default() -> CallTiming {
        CallTiming {
            sweep: Duration::from_secs(10),
            first_retry: Duration::from_secs(2),
            elsewhere: 30 * 1000,
            again: 180 * 1000,
        }
    }
}

/// Sends notifications until the queue is closed, even after a panic. Once `stopping` is true, it finishes what is in the
/// queue and on the way, and returns.
pub async fn call_people(
    registry: Arc<Registry>,
    mut events: mpsc::Receiver<CallEvent>,
    timing: CallTiming,
    mut stopping: watch::Receiver<bool>,
) {
    let metrics = Arc::clone(&registry.shared().metrics);
    let mut caller = Caller {
        shared: Arc::clone(registry.shared()),
        registry,
        timing,
        deliveries: JoinSet::new(),
        of_tables: HashMap::new(),
        slots: FairQueue::new(REQUESTS),
    };
    loop {
        let working = AssertUnwindSafe(caller.work(&mut events, &mut stopping));
        if working.catch_unwind().await.is_ok() {
            return;
        }
        metrics.panics.increment(1);
        tracing::error!("the task that calls people panicked and is restarted");
    }
}

/// Waits until the server stops.
async fn wait_until_true(stopping: &mut watch::Receiver<bool>) {
    // An error means that the server is gone.
    let _ = stopping.wait_for(|is_stopping| *is_stopping).await;
}

struct Caller {
    registry: Arc<Registry>,
    shared: Arc<Shared>,
    timing: CallTiming,
    deliveries: JoinSet<()>,
    /// A token for each table, of which every delivery for that table has a copy.
    of_tables: HashMap<String, Arc<()>>,
    slots: FairQueue<String>,
}

impl Caller {
    async fn work(
        &mut self,
        events: &mut mpsc::Receiver<CallEvent>,
        stopping: &mut watch::Receiver<bool>,
    ) {
        let mut tick = interval(self.timing.sweep);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) => self.handle(event).await,
                    None => return,
                },
                _ = tick.tick() => self.sweep().await,
                Some(_) = self.deliveries.join_next() => {}
                () = wait_until_true(stopping) => return self.finish(events).await,
            }
        }
    }

    /// Makes the calls that are in the queue, and waits until all are delivered.
    async fn finish(&mut self, events: &mut mpsc::Receiver<CallEvent>) {
        events.close();
        while let Some(event) = events.recv().await {
            self.handle(event).await;
        }
        while self.deliveries.join_next().await.is_some() {}
    }

    async fn handle(&mut self, event: CallEvent) {
        match event {
            CallEvent::Opened { opened, is_late } => {
                if let Err(why) = self.call_webhook(&opened).await {
                    why.log(&opened.table, "calling a webhook");
                }
                if let Err(why) = self.opened(&opened, is_late).await {
                    why.log(&opened.table, "calling a person");
                }
            }
            CallEvent::Closed { table, before } => {
                if let Err(why) = self.closed(&table, before).await {
                    why.log(&table, "ending a call");
                }
            }
        }
    }

    /// Plans the calls for a decision. One that was found late is called after a while, unless the person has connected
    /// in the meantime.
    async fn opened(&mut self, opened: &AbsentDecision, is_late: bool) -> Result<(), StorageError> {
        let shared = Arc::clone(&self.shared);
        let store = CallStore::of(&shared);
        let Some(person) = store.person(&opened.table, &opened.key).await? else {
            return Ok(());
        };
        let now = shared.clock.now();
        let decision = OpenDecision {
            since: opened.since,
            deadline: opened.deadline,
        };
        let mut plan = if person.is_muted {
            CallPlan::default()
        } else {
            let CallSettings { quiet, zone, .. } = &person.settings;
            CallPlan::new(decision, *quiet, zone, now)
        };
        if is_late {
            plan.call_at = plan.call_at.map(|at| at.max(now + self.timing.elsewhere));
        }
        // Stored before it is sent, so that no other server sends it; and as due again, in case this server stops meanwhile.
        let again = now + self.timing.again;
        let at_once = plan.call_at.is_some_and(|at| at <= now);
        if at_once {
            plan.call_at = Some(again);
        }
        let (is_new, gone) = store.opened(opened, plan, at_once).await?;
        self.send_gone(&opened.table, &gone).await?;
        if is_new && at_once {
            self.call(&person, opened.into(), Occasion::Turn, again)
                .await?;
        }
        Ok(())
    }

    async fn closed(&mut self, table: &str, before: DecisionNumber) -> Result<(), StorageError> {
        let gone = CallStore::of(&self.shared).closed(table, before).await?;
        self.send_gone(table, &gone).await
    }

    /// Sends a notification to all devices of a person. When all have got it, it is no longer due `again`.
    async fn call(
        &mut self,
        person: &CalledPerson,
        call: StoredCall,
        occasion: Occasion,
        again: Millis,
    ) -> Result<(), StorageError> {
        let language = person.settings.language;
        let message = |waiting| PushMessage::call(&call.subject, occasion, language, waiting);
        let table = call.subject.table.clone();
        let deliveries = self
            .push(
                &person.person,
                &table,
                Some(call.number),
                call.deadline,
                message,
            )
            .await?;
        let (shared, number) = (Arc::clone(&self.shared), call.number);
        self.deliver(&call.subject.table, deliveries, async move {
            let settled = CallStore::of(&shared).settle(&table, number, again).await;
            if let Err(why) = settled {
                why.log(&table, "storing that somebody was called");
            }
        });
        Ok(())
    }

    /// Closes the notifications of people whose decision was taken.
    async fn send_gone(&mut self, table: &str, keys: &[String]) -> Result<(), StorageError> {
        for key in keys {
            let person = CallStore::of(&self.shared).person(table, key).await?;
            let Some(person) = person else { continue };
            let message = |waiting| PushMessage::gone(table, waiting);
            let deliveries = self.push(&person.person, table, None, None, message);
            let deliveries = deliveries.await?;
            self.deliver(table, deliveries, async {});
        }
        Ok(())
    }

    /// The deliveries of a message to all devices of a person.
    async fn push(
        &self,
        person: &str,
        table: &str,
        number: Option<DecisionNumber>,
        until: Option<Millis>,
        message: impl Fn(u32) -> PushMessage,
    ) -> Result<Vec<Delivery>, StorageError> {
        let shared = &*self.shared;
        let store = CallStore::of(shared);
        let subscriptions = store.subscriptions(person).await?;
        if subscriptions.is_empty() {
            return Ok(Vec::new());
        }
        let waiting = u32::try_from(store.waiting(person).await?.len()).unwrap_or(u32::MAX);
        let message = message(waiting);
        let is_silent = matches!(message, PushMessage::Gone { .. });
        let mut deliveries = Vec::new();
        for subscription in subscriptions {
            let Ok(receiver) = subscription.receiver(&shared.calls.pusher.poster) else {
                store.forget(&subscription).await?;
                continue;
            };
            if is_silent && !receiver.accepts_silent_messages() {
                continue;
            }
            deliveries.push(Delivery {
                parcel: Parcel::Push {
                    subscription,
                    receiver: Box::new(receiver),
                    message: message.clone(),
                },
                table: table.into(),
                number,
                until,
                first_retry: self.timing.first_retry,
            });
        }
        Ok(deliveries)
    }

    async fn call_webhook(&mut self, opened: &AbsentDecision) -> Result<(), StorageError> {
        let store = CallStore::of(&self.shared);
        let webhook = store.take_webhook(&opened.table, opened.number).await?;
        if let Some(webhook) = webhook {
            let call = StoredCall::from(opened);
            self.note(&webhook, &call, opened.seat, &opened.name, Occasion::Turn);
        }
        Ok(())
    }

    /// Tells the webhook of a table that the time of a player runs out.
    async fn remind_webhook(
        &mut self,
        call: &StoredCall,
        left: Millis,
    ) -> Result<(), StorageError> {
        let store = CallStore::of(&self.shared);
        let table = &call.subject.table;
        if let Some(webhook) = store.webhook(table).await?
            && let Some((seat, name)) = store.seat_of(table, &call.key).await?
        {
            self.note(&webhook, call, seat, &name, Occasion::Reminder { left });
        }
        Ok(())
    }

    /// Sends a note about a player's decision to a webhook.
    fn note(
        &mut self,
        webhook: &StoredWebhook,
        call: &StoredCall,
        seat: u8,
        name: &str,
        occasion: Occasion,
    ) {
        let table = &call.subject.table;
        let note = WebhookNote {
            occasion,
            title: &call.subject.title,
            name,
            seat,
            game: call.number.game,
            decision: call.number.decision,
            deadline: call.deadline,
            link: &format!("{}/t/{table}", webhook.origin),
            language: webhook.language,
        };
        let delivery = Delivery {
            parcel: Parcel::Webhook {
                address: webhook.address.clone(),
                body: note.body(webhook.form),
            },
            table: table.clone(),
            number: Some(call.number),
            until: call.deadline,
            first_retry: self.timing.first_retry,
        };
        self.deliver(table, vec![delivery], async {});
    }

    /// Makes deliveries, then runs `then`.
    fn deliver(
        &mut self,
        table: &str,
        deliveries: Vec<Delivery>,
        then: impl Future<Output = ()> + Send + 'static,
    ) {
        self.of_tables
            .retain(|_, token| Arc::strong_count(token) > 1);
        let token = self.of_tables.entry(table.into()).or_default();
        let is_full = Arc::strong_count(token) > DELIVERIES_OF_TABLE;
        if is_full || self.deliveries.len() >= DELIVERIES {
            self.shared.metrics.calls_dropped.increment(1);
            return;
        }
        let token = Arc::clone(token);
        let (shared, slots) = (Arc::clone(&self.shared), self.slots.clone());
        self.deliveries.spawn(async move {
            let run = |delivery: Delivery| delivery.run(Arc::clone(&shared), slots.clone());
            join_all(deliveries.into_iter().map(run)).await;
            then.await;
            drop(token);
        });
    }

    /// Sends the notifications that are due.
    async fn sweep(&mut self) {
        let now = self.shared.clock.now();
        match CallStore::of(&self.shared).due(now).await {
            Ok(list) => {
                for due in list {
                    if let Err(why) = self.make_due_call(&due, now).await {
                        why.log(&due.table, "making a due call");
                    }
                }
            }
            Err(why) => why.log("", "looking for due calls"),
        }
    }

    async fn make_due_call(&mut self, due: &DueCall, now: Millis) -> Result<(), StorageError> {
        if !self.registry.has(&due.table) && due.due + self.timing.elsewhere > now {
            return Ok(());
        }
        let known = self.registry.known_person(&due.table, &due.key).await;
        let shared = Arc::clone(&self.shared);
        let store = CallStore::of(&shared);
        let again = now + self.timing.again;
        let Some((is_reminder, call)) = store.take(due, now, again).await? else {
            return Ok(());
        };
        let left = call.deadline.map(|deadline| deadline.saturating_sub(now));
        let is_connected = known.is_some_and(|person| person.is_connected);
        let person = store.person(&call.subject.table, &call.key).await?;
        if let Some(left) = left.filter(|left| is_reminder && !is_connected && *left > 0) {
            self.remind_webhook(&call, left).await?;
        }
        let called = person.filter(|person| !person.is_muted && !is_connected && left != Some(0));
        let Some(person) = called else {
            return store.settle(&due.table, call.number, again).await;
        };
        let occasion = match left.filter(|_| is_reminder) {
            Some(left) => Occasion::Reminder { left },
            None => Occasion::Turn,
        };
        self.call(&person, call, occasion, again).await
    }
}
