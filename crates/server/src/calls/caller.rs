//! The task that notifies people. It takes events of tables from the queue, makes calls that are due, and never makes a
//! table wait.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use towers_table::Millis;

use super::delivery::{Delivery, Parcel, REQUESTS};
use super::notice::{Occasion, PushMessage, WebhookNote};
use super::plan::{CallPlan, OpenDecision};
use super::queue::{AbsentDecision, CallEvent, DecisionNumber};
use super::store::{CallSettings, CallStore, CalledPerson, DueCall, StoredCall};
use crate::storage::StorageError;
use crate::tables::{Registry, Shared};

/// The maximum number of unfinished deliveries.
const DELIVERIES: usize = 2000;

/// Intervals of the task.
#[derive(Clone, Copy, Debug)]
pub struct CallTiming {
    /// How often due calls are looked for.
    pub sweep: Duration,
    /// The delay before the second attempt of a delivery.
    pub first_retry: Duration,
    /// The time for which a due call is left to a server that has its table in memory and knows who is connected.
    pub elsewhere: Millis,
}

impl Default for CallTiming {
    fn default() -> CallTiming {
        CallTiming {
            sweep: Duration::from_secs(10),
            first_retry: Duration::from_secs(2),
            elsewhere: 30 * 1000,
        }
    }
}

/// Sends notifications until the queue is closed, even after a panic.
pub async fn call_people(
    registry: Arc<Registry>,
    mut events: mpsc::Receiver<CallEvent>,
    timing: CallTiming,
) {
    let metrics = Arc::clone(&registry.shared().metrics);
    let mut caller = Caller {
        shared: Arc::clone(registry.shared()),
        registry,
        timing,
        deliveries: JoinSet::new(),
        slots: Arc::new(Semaphore::new(REQUESTS)),
    };
    loop {
        let working = AssertUnwindSafe(caller.work(&mut events));
        if working.catch_unwind().await.is_ok() {
            return;
        }
        metrics.panics.increment(1);
        tracing::error!("the task that calls people panicked and is restarted");
    }
}

struct Caller {
    registry: Arc<Registry>,
    shared: Arc<Shared>,
    timing: CallTiming,
    deliveries: JoinSet<()>,
    slots: Arc<Semaphore>,
}

impl Caller {
    async fn work(&mut self, events: &mut mpsc::Receiver<CallEvent>) {
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
            }
        }
    }

    async fn handle(&mut self, event: CallEvent) {
        match event {
            CallEvent::Opened(opened) => {
                if let Err(why) = self.tell_webhook(&opened).await {
                    why.log(&opened.table, "calling a webhook");
                }
                if let Err(why) = self.opened(&opened).await {
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

    async fn opened(&mut self, opened: &AbsentDecision) -> Result<(), StorageError> {
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
        // Stored as done before it is sent, so that nobody is notified twice.
        let at_once = plan.call_at.take_if(|at| *at <= now).is_some();
        let (is_new, gone) = store.opened(opened, plan, at_once).await?;
        self.tell_gone(&opened.table, &gone).await?;
        if is_new && at_once {
            self.call(&person, opened.into(), Occasion::Turn).await?;
        }
        Ok(())
    }

    async fn closed(&mut self, table: &str, before: DecisionNumber) -> Result<(), StorageError> {
        let gone = CallStore::of(&self.shared).closed(table, before).await?;
        self.tell_gone(table, &gone).await
    }

    /// Sends a notification to all devices of a person.
    async fn call(
        &mut self,
        person: &CalledPerson,
        call: StoredCall,
        occasion: Occasion,
    ) -> Result<(), StorageError> {
        let language = person.settings.language;
        let message = |waiting| PushMessage::call(&call.subject, occasion, language, waiting);
        let number = Some(call.number);
        self.push(
            &person.person,
            &call.subject.table,
            number,
            call.deadline,
            message,
        )
        .await
    }

    /// Closes the notifications of people whose decision was taken.
    async fn tell_gone(&mut self, table: &str, keys: &[String]) -> Result<(), StorageError> {
        for key in keys {
            let person = CallStore::of(&self.shared).person(table, key).await?;
            let Some(person) = person else { continue };
            let message = |waiting| PushMessage::gone(table, waiting);
            self.push(&person.person, table, None, None, message)
                .await?;
        }
        Ok(())
    }

    async fn push(
        &mut self,
        person: &str,
        table: &str,
        number: Option<DecisionNumber>,
        until: Option<Millis>,
        message: impl Fn(u32) -> PushMessage,
    ) -> Result<(), StorageError> {
        let shared = Arc::clone(&self.shared);
        let store = CallStore::of(&shared);
        let subscriptions = store.subscriptions(person).await?;
        if subscriptions.is_empty() {
            return Ok(());
        }
        let waiting = u32::try_from(store.waiting(person).await?.len()).unwrap_or(u32::MAX);
        let message = message(waiting);
        let is_silent = matches!(message, PushMessage::Gone { .. });
        for subscription in subscriptions {
            let Ok(receiver) = subscription.receiver(&shared.calls.pusher.poster) else {
                store.forget(&subscription).await?;
                continue;
            };
            if is_silent && !receiver.accepts_silent_messages() {
                continue;
            }
            let message = message.clone();
            self.deliver(Delivery {
                parcel: Parcel::Push {
                    subscription,
                    receiver: Box::new(receiver),
                    message,
                },
                table: table.into(),
                number,
                until,
                first_retry: self.timing.first_retry,
            });
        }
        Ok(())
    }

    async fn tell_webhook(&mut self, opened: &AbsentDecision) -> Result<(), StorageError> {
        let store = CallStore::of(&self.shared);
        let webhook = store.take_webhook(&opened.table, opened.number).await?;
        let Some(webhook) = webhook else {
            return Ok(());
        };
        let note = WebhookNote {
            title: &opened.title,
            name: &opened.name,
            seat: opened.seat,
            game: opened.number.game,
            decision: opened.number.decision,
            deadline: opened.deadline,
            link: &format!("{}/t/{}", webhook.origin, opened.table),
            language: webhook.language,
        };
        self.deliver(Delivery {
            parcel: Parcel::Webhook {
                address: webhook.address,
                body: note.body(webhook.form),
            },
            table: opened.table.clone(),
            number: Some(opened.number),
            until: opened.deadline,
            first_retry: self.timing.first_retry,
        });
        Ok(())
    }

    fn deliver(&mut self, delivery: Delivery) {
        if self.deliveries.len() >= DELIVERIES {
            self.shared.metrics.calls_dropped.increment(1);
            return;
        }
        let (shared, slots) = (Arc::clone(&self.shared), Arc::clone(&self.slots));
        self.deliveries.spawn(delivery.run(shared, slots));
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
        let known = self.registry.identify(&due.table, &due.key).await;
        let store = CallStore::of(&self.shared);
        let Some((is_reminder, call)) = store.take(due, now).await? else {
            return Ok(());
        };
        let left = call.deadline.map(|deadline| deadline.saturating_sub(now));
        if known.is_some_and(|person| person.is_connected) || left == Some(0) {
            return Ok(());
        }
        let person = store.person(&call.subject.table, &call.key).await?;
        let Some(person) = person.filter(|person| !person.is_muted) else {
            return Ok(());
        };
        let occasion = match left.filter(|_| is_reminder) {
            Some(left) => Occasion::Reminder { left },
            None => Occasion::Turn,
        };
        self.call(&person, call, occasion).await
    }
}
