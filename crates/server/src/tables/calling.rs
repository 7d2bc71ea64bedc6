//! Reports decisions that wait for people who are not connected, so that they are notified.

use std::sync::Arc;

use towers_table::{Decider, Millis, PersonId, Table};

use super::registry::Registry;
use super::task::{TableMessage, TableTask};
use crate::calls::{AbsentDecision, CallEvent, DecisionNumber, is_too_short, missed_tables};
use crate::storage::StorageError;

/// The person that a key belongs to at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownPerson {
    pub is_host: bool,
    /// Whether the person is connected to any server.
    pub is_connected: bool,
}

/// What this task knows of notifications about its table.
pub struct CallState {
    open: Option<(DecisionNumber, PersonId)>,
    /// The decision about which this task has sent a notification.
    called: Option<DecisionNumber>,
    /// Whether a notification may have been sent about a decision that was open at this table.
    may_be_called: bool,
}

fn open_decision(table: &Table) -> Option<(DecisionNumber, PersonId)> {
    let waiting = table.waiting_for()?;
    let Decider::Person(person) = waiting.by else {
        return None;
    };
    let number = DecisionNumber {
        game: table.games(),
        decision: waiting.decision,
    };
    Some((number, person))
}

impl CallState {
    pub fn new(table: &Table) -> CallState {
        CallState {
            open: open_decision(table),
            called: None,
            // Another server may have called, or this one before the table was unloaded.
            may_be_called: true,
        }
    }
}

impl TableTask {
    /// Notifies the person whose decision has opened, if they are not connected, and closes notifications of decisions that
    /// were made. The server that stored the last entry calls.
    pub(super) fn call_people(&mut self, stored_here: bool) {
        let open = open_decision(&self.table);
        if open != self.calls.open {
            self.calls.open = open;
            if self.calls.may_be_called {
                self.calls.may_be_called = false;
                self.end_calls(open);
            }
        }
        let Some((number, person)) = open else {
            return;
        };
        if self.clients.has(person) || self.calls.called == Some(number) {
            return;
        }
        self.calls.may_be_called = true;
        if stored_here && let Some(decision) = self.absent_decision(number, person) {
            self.send_call(number, decision, false);
        }
    }

    fn send_call(&mut self, number: DecisionNumber, opened: AbsentDecision, is_late: bool) {
        self.calls.called = Some(number);
        let event = CallEvent::Opened { opened, is_late };
        self.shared.calls.queue.send(event, &self.shared.metrics);
    }

    /// Calls the person whose decision is open, because the server where it opened may have died before it called.
    pub(super) fn call_late(&mut self) {
        let Some((number, person)) = open_decision(&self.table) else {
            return;
        };
        if !self.clients.has(person)
            && let Some(decision) = self.absent_decision(number, person)
        {
            self.calls.may_be_called = true;
            self.send_call(number, decision, true);
        }
    }

    fn end_calls(&self, open: Option<(DecisionNumber, PersonId)>) {
        let after_all = || {
            let waiting = self.table.waiting_for();
            DecisionNumber {
                game: self.table.games(),
                // A bot may have taken over the open decision.
                decision: waiting.map_or(i64::MAX as u64, |waiting| waiting.decision + 1),
            }
        };
        let event = CallEvent::Closed {
            table: self.id.clone(),
            before: open.map_or_else(after_all, |(number, _)| number),
        };
        self.shared.calls.queue.send(event, &self.shared.metrics);
    }

    /// The open decision, unless it is over before anybody could come.
    fn absent_decision(&self, number: DecisionNumber, person: PersonId) -> Option<AbsentDecision> {
        let waiting = self.table.waiting_for()?;
        if is_too_short(waiting.deadline, self.now()) {
            return None;
        }
        let mut people: Vec<_> = self.table.people().filter(|p| p.2.is_some()).collect();
        let own = people.iter().position(|p| p.0 == person)?;
        let (_, name, _) = people.remove(own);
        let server_time = |time: u64| time.saturating_sub(self.offset());
        Some(AbsentDecision {
            table: self.id.clone(),
            key: self.table.key_of(person)?.into(),
            number,
            seat: waiting.seat.index() as u8,
            name: name.into(),
            title: self.table.settings().title.clone(),
            others: people.iter().map(|p| p.1.to_string()).collect(),
            since: server_time(waiting.since),
            deadline: waiting.deadline.map(server_time),
        })
    }

    /// The person that a key belongs to at this table.
    pub(super) fn known_person(&self, key: &str) -> KnownPerson {
        let person = self.table.person_by_key(key);
        KnownPerson {
            is_host: person.is_some() && self.table.host() == person,
            is_connected: person.is_some_and(|person| self.clients.has(person)),
        }
    }
}

impl Registry {
    /// Calls people for whom tables wait without a visit since then, and to whom no call is stored.
    pub async fn call_late(
        self: &Arc<Self>,
        visited_before: Millis,
        most: usize,
    ) -> Result<(), StorageError> {
        let storage = &*self.shared().storage;
        for table in missed_tables(storage, visited_before, most).await? {
            if let Some(mailbox) = self.open(&table).await? {
                let _ = mailbox.send(TableMessage::CallLate).await;
            }
        }
        Ok(())
    }
}
