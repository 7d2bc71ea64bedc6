//! Everybody who is connected to a table, and what they are sent.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use rules::Viewer;
use serde::Serialize;
use table::{PersonId, ServerMessage, Table};
use tokio::sync::mpsc;

use crate::metrics::{Metrics, count};
use crate::storage::Here;

/// Close codes of ours; 1000 to 1015 are the protocol's.
pub mod close {
    /// The first message was not a `hello`, or too late.
    pub const NO_HELLO: u16 = 4000;
    /// Too many messages.
    pub const TOO_FAST: u16 = 4029;
    /// The client does not read what it is sent.
    pub const TOO_SLOW: u16 = 4008;
    /// There is no such table.
    pub const NO_TABLE: u16 = 4004;
    /// Too many people are at the table.
    pub const FULL: u16 = 4003;
    /// The server restarts: come back.
    pub const RESTART: u16 = 1012;
    /// The server is at its end.
    pub const BROKEN: u16 = 1011;
    /// A message was too big.
    pub const TOO_BIG: u16 = 1009;
}

/// What a connection is to send.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// A message.
    Text(Utf8Bytes),
    /// Good bye.
    Close(u16, &'static str),
}

/// A connection at a table.
pub struct Client {
    /// Its number.
    pub id: u64,
    /// How the table knows who it is, if it does.
    pub key: String,
    /// The way to it. If it is full, the client reads too slowly.
    pub out: mpsc::Sender<Outgoing>,
    /// Who it was when it was last told something.
    who: (Option<PersonId>, Viewer),
}

/// All connections of a table.
#[derive(Default)]
pub struct Clients {
    list: Vec<Client>,
    presence: Option<(Vec<bool>, u32)>,
    /// Who is connected at other servers.
    elsewhere: HashMap<String, Here>,
}

/// A message as text.
pub fn text<T: Serialize>(message: &T) -> Outgoing {
    let text = serde_json::to_string(message);
    Outgoing::Text(text.expect("messages are plain data").into())
}

impl Clients {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, id: u64) -> Option<&Client> {
        self.list.iter().find(|c| c.id == id)
    }

    pub fn add(&mut self, id: u64, key: String, out: mpsc::Sender<Outgoing>, table: &Table) {
        let who = identify(table, &key);
        self.list.push(Client { id, key, out, who });
    }

    pub fn remove(&mut self, id: u64) {
        self.list.retain(|c| c.id != id);
    }

    /// Whether a person is connected, by any device, at any server.
    pub fn has(&self, person: PersonId) -> bool {
        self.is_here(person) || self.elsewhere.values().any(|e| e.people.contains(&person))
    }

    fn is_here(&self, person: PersonId) -> bool {
        self.list.iter().any(|c| c.who.0 == Some(person))
    }

    /// Whether nobody is connected at any server.
    pub fn nobody(&self) -> bool {
        let away = |e: &Here| e.people.is_empty() && e.watching == 0;
        self.list.is_empty() && self.elsewhere.values().all(away)
    }

    /// Who is connected here, for other servers.
    pub fn here(&self, table: &Table) -> Here {
        let people = table.people().filter(|p| p.2.is_some()).map(|p| p.0);
        Here {
            number: table.number(),
            people: people.filter(|p| self.is_here(*p)).collect(),
            watching: self.watching(table),
        }
    }

    /// Others tell who is connected there.
    pub fn hear(&mut self, node: String, here: Here) {
        self.elsewhere.insert(node, here);
    }

    /// Servers that are gone have nobody.
    pub fn forget_nodes(&mut self, is_alive: impl Fn(&str) -> bool) {
        self.elsewhere.retain(|node, _| is_alive(node));
    }

    fn watching(&self, table: &Table) -> u32 {
        let seated = |c: &&Client| {
            table
                .people()
                .any(|p| Some(p.0) == c.who.0 && p.2.is_some())
        };
        (self.list.len() - self.list.iter().filter(seated).count()) as u32
    }

    /// Whether anybody who is connected has a place at the table.
    pub fn has_person(&self) -> bool {
        self.list.iter().any(|c| c.who.0.is_some())
    }

    /// Tells everybody what happened last. Who is somebody else by now, because they took a seat or
    /// lost it, gets a fresh view instead.
    pub fn tell_last(&mut self, table: &Table, now: u64, metrics: &Metrics) {
        // Most viewers are told the same: write it down once for each.
        let mut written: Vec<(Option<PersonId>, Outgoing)> = Vec::new();
        let mut slow = Vec::new();
        for client in &mut self.list {
            let who = identify(table, &client.key);
            let message = if who == client.who {
                let person = match who.1 {
                    Viewer::Seat(_) => who.0,
                    Viewer::Spectator => None,
                };
                if let Some((_, message)) = written.iter().find(|(p, _)| *p == person) {
                    message.clone()
                } else {
                    let Some(seen) = table.seen(person) else {
                        continue;
                    };
                    let message = text(&ServerMessage::Happened { now, seen });
                    written.push((person, message.clone()));
                    message
                }
            } else {
                client.who = who;
                text(&ServerMessage::View {
                    now,
                    view: Box::new(table.view(who.0)),
                })
            };
            if client.out.try_send(message).is_err() {
                slow.push(client.id);
            }
        }
        self.drop_slow(&slow, metrics);
    }

    /// Tells everybody who is there, if that has changed.
    pub fn tell_presence(&mut self, table: &Table, metrics: &Metrics) {
        let view_seats = table.settings().seats;
        let mut seats = vec![false; usize::from(view_seats)];
        for (id, _, seat) in table.people() {
            if let Some(here) = seat.and_then(|s| seats.get_mut(s.index())) {
                *here = self.has(id);
            }
        }
        let others: u32 = self.elsewhere.values().map(|e| e.watching).sum();
        let watching = self.watching(table) + others;
        let presence = (seats, watching);
        if self.presence.as_ref() == Some(&presence) {
            return;
        }
        let message = text(&ServerMessage::Presence {
            seats: presence.0.clone(),
            watching,
        });
        self.presence = Some(presence);
        self.tell_all(&message, metrics);
    }

    /// Tells everybody the same.
    pub fn tell_all(&mut self, message: &Outgoing, metrics: &Metrics) {
        let slow: Vec<u64> = self
            .list
            .iter()
            .filter(|c| c.out.try_send(message.clone()).is_err())
            .map(|c| c.id)
            .collect();
        self.drop_slow(&slow, metrics);
    }

    /// Tells one.
    pub fn tell(&mut self, id: u64, message: Outgoing, metrics: &Metrics) {
        let full = self
            .get(id)
            .is_some_and(|c| c.out.try_send(message).is_err());
        if full {
            self.drop_slow(&[id], metrics);
        }
    }

    /// Who it is now that was someone else when last told something.
    pub fn who(&self, id: u64) -> Option<PersonId> {
        self.get(id).and_then(|c| c.who.0)
    }

    pub fn presence(&self) -> Option<Outgoing> {
        let (seats, watching) = self.presence.clone()?;
        Some(text(&ServerMessage::Presence { seats, watching }))
    }

    /// Without their way out, connections find that they were too slow and close.
    fn drop_slow(&mut self, slow: &[u64], metrics: &Metrics) {
        for id in slow {
            count(&metrics.slow_readers);
            self.remove(*id);
        }
    }
}

fn identify(table: &Table, key: &str) -> (Option<PersonId>, Viewer) {
    let person = table.person_by_key(key);
    (person, table.viewer(person))
}
