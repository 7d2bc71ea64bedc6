//! The connections to a table, and the messages sent to them.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::ops::Range;

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::sync::mpsc;
use towers_rules::Viewer;
use towers_table::{CloseCode, Digest, Millis, PersonId, ServerMessage, Table, Update};

use super::people::{mark_of, signed_out};
use crate::cluster::Presence;
use crate::people::PersonRef;
use crate::secrets;

/// The milliseconds after which clients come back to a server that restarts.
const RETRY_AFTER: Range<Millis> = 500..1500;
const RETRY_AFTER_SPREAD: Millis = RETRY_AFTER.end - RETRY_AFTER.start;

/// A message for a connection to send.
#[derive(Clone, Debug)]
pub enum Outgoing {
    /// A text frame.
    Text(Utf8Bytes),
    /// A close frame, which ends the connection.
    Close(CloseCode, &'static str),
}

pub struct ConnectedClient {
    pub id: u64,
    /// The client's address, for limits.
    pub address: IpAddr,
    /// The key that identifies the person, if the table knows it.
    pub key: String,
    /// The person of the cookie, if there is one.
    pub person: Option<PersonRef>,
    /// The outgoing queue. If it is full, the client reads too slowly.
    pub out: mpsc::Sender<Outgoing>,
    /// The identity of the client when it was last sent an update.
    who: (Option<PersonId>, Viewer),
}

/// A connection to be added to a table.
pub struct NewClient {
    pub id: u64,
    pub address: IpAddr,
    pub key: String,
    pub person: Option<PersonRef>,
    pub out: mpsc::Sender<Outgoing>,
}

/// The connection that sent a command.
#[derive(Clone, Copy)]
pub struct Sender {
    pub client: u64,
    /// The id that the client chose for the command.
    pub id: u64,
    pub address: IpAddr,
}

impl Sender {
    /// The response to a person whose command was carried out.
    pub fn accepted(
        self,
        table: &Table,
        person: Option<PersonId>,
        happened: Option<Update>,
    ) -> Outgoing {
        text(&ServerMessage::Accepted {
            id: self.id,
            number: table.number_for(person),
            happened: happened.map(Box::new),
        })
    }
}

/// All connections of a table.
#[derive(Default)]
pub struct Clients {
    list: Vec<ConnectedClient>,
    presence: Option<(Vec<bool>, u32)>,
    /// The connections at other servers, by node.
    remote: HashMap<String, Presence>,
}

/// The usual size of a message about an action, so that writing it needs one allocation.
const USUAL_SIZE: usize = 1024;

pub fn text<T: Serialize>(message: &T) -> Outgoing {
    let mut text = Vec::with_capacity(USUAL_SIZE);
    serde_json::to_writer(&mut text, message).expect("messages are plain data");
    Outgoing::Text(Utf8Bytes::try_from(text).expect("JSON is UTF-8"))
}

impl Clients {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, id: u64) -> Option<&ConnectedClient> {
        self.list.iter().find(|c| c.id == id)
    }

    pub fn add(&mut self, join: NewClient, table: &Table) {
        let NewClient {
            id,
            address,
            key,
            person,
            out,
        } = join;
        let who = person_and_viewer(table, &key);
        self.list.push(ConnectedClient {
            id,
            address,
            key,
            person,
            out,
            who,
        });
    }

    pub fn remove(&mut self, id: u64) {
        self.list.retain(|c| c.id != id);
    }

    /// Whether a person is connected with any device to any server.
    pub fn has(&self, person: PersonId) -> bool {
        self.is_here(person) || self.remote.values().any(|e| e.people.contains(&person))
    }

    fn is_here(&self, person: PersonId) -> bool {
        self.list.iter().any(|c| c.who.0 == Some(person))
    }

    /// Whether anybody for whom bots think is connected to any server: a person with a seat, or the host of a table
    /// where only bots have seats. Spectators do not count.
    pub fn has_player(&self, table: &Table) -> bool {
        let is_here = |c: &ConnectedClient| c.who.0.is_some_and(|p| is_player(table, p));
        self.list.iter().any(is_here) || self.remote.values().any(|e| !e.people.is_empty())
    }

    /// The connections here, for other servers.
    pub fn local(&self, table: &Table) -> Presence {
        let people = table.people().map(|p| p.0);
        let people = people.filter(|p| is_player(table, *p));
        Presence {
            number: table.number(),
            people: people.filter(|p| self.is_here(*p)).collect(),
            watching: self.watching(table),
        }
    }

    /// Records the connections at another server.
    pub fn set_remote(&mut self, node: String, presence: Presence) {
        self.remote.insert(node, presence);
    }

    /// Drops the presence of servers that are no longer alive.
    pub fn forget_nodes(&mut self, is_alive: impl Fn(&str) -> bool) {
        self.remote.retain(|node, _| is_alive(node));
    }

    fn watching(&self, table: &Table) -> u32 {
        let seated = |c: &&ConnectedClient| {
            table
                .people()
                .any(|p| Some(p.0) == c.who.0 && p.2.is_some())
        };
        (self.list.len() - self.list.iter().filter(seated).count()) as u32
    }

    /// The connected people with their addresses.
    pub fn connected(&self) -> impl Iterator<Item = (Option<PersonId>, IpAddr)> {
        self.list.iter().map(|c| (c.who.0, c.address))
    }

    /// Closes the connections from an address.
    pub fn disconnect(&mut self, address: IpAddr) {
        for client in self.list.extract_if(.., |c| c.address == address) {
            let close = Outgoing::Close(CloseCode::Banned, "you may not connect to this server");
            let _ = client.out.try_send(close);
        }
    }

    /// Closes the connections with these marks.
    pub fn end(&mut self, marks: &HashSet<Digest>) {
        let is_ended =
            |c: &mut ConnectedClient| marks.contains(&mark_of(c.person.as_ref(), &c.key));
        for client in self.list.extract_if(.., is_ended) {
            let _ = client.out.try_send(signed_out());
        }
    }

    /// The address whose budget pays for the table's bots: that of the first client with a seat, or else of the first
    /// spectator.
    pub fn first_address(&self) -> Option<IpAddr> {
        let seated = |c: &&ConnectedClient| matches!(c.who.1, Viewer::Seat(_));
        let first = self.list.iter().find(seated).or(self.list.first());
        first.map(|c| c.address)
    }

    /// Whether any connected client is a person at the table.
    pub fn has_person(&self) -> bool {
        self.list.iter().any(|c| c.who.0.is_some())
    }

    /// Sends the last events to everybody who may know them. The sender of the command gets them together with the
    /// confirmation. A client whose identity has changed, by taking or losing a seat, gets a fresh view instead.
    /// Returns whether all stay connected: those who read too slowly are removed.
    pub fn send_update(&mut self, table: &Table, now: Millis, sender: Option<Sender>) -> bool {
        // Strangers get the same message: serialize it once.
        let mut serialized: Vec<(Option<PersonId>, Outgoing)> = Vec::new();
        let mut slow = Vec::new();
        let update = table.last_update();
        for client in &mut self.list {
            let who = person_and_viewer(table, &client.key);
            let sent = sender.filter(|sender| sender.client == client.id);
            let is_same = who == client.who;
            client.who = who;
            let known = serialized.iter().find(|(person, _)| *person == who.0);
            let mut messages = [None, None];
            if !is_same {
                messages[0] = Some(text(&ServerMessage::View {
                    now,
                    view: Box::new(table.view(who.0)),
                }));
                messages[1] = sent.map(|sender| sender.accepted(table, who.0, None));
            } else if let (Some((_, message)), None) = (known, sent) {
                messages[0] = Some(message.clone());
            } else if let Some(seen) = update.as_ref().and_then(|update| update.seen(who.0)) {
                let update = Update { now, seen };
                messages[0] = Some(match sent {
                    Some(sender) => sender.accepted(table, who.0, Some(update)),
                    None => text(&ServerMessage::Happened(update)),
                });
                if let (None, Some(message)) = (sent, &messages[0]) {
                    serialized.push((who.0, message.clone()));
                }
            }
            let mut all = messages.into_iter().flatten();
            if all.any(|message| client.out.try_send(message).is_err()) {
                slow.push(client.id);
            }
        }
        self.drop_slow(&slow);
        slow.is_empty()
    }

    /// Sends the presence to everybody, if it has changed.
    pub fn send_presence(&mut self, table: &Table) {
        let view_seats = table.settings().seats;
        let mut seats = vec![false; usize::from(view_seats)];
        for (id, _, seat) in table.people() {
            if let Some(here) = seat.and_then(|s| seats.get_mut(s.index())) {
                *here = self.has(id);
            }
        }
        let others: u32 = self.remote.values().map(|e| e.watching).sum();
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
        self.broadcast(&message);
    }

    /// Sends the same message to everybody.
    pub fn broadcast(&mut self, message: &Outgoing) {
        let slow: Vec<u64> = self
            .list
            .iter()
            .filter(|c| c.out.try_send(message.clone()).is_err())
            .map(|c| c.id)
            .collect();
        self.drop_slow(&slow);
    }

    /// Tells everybody to connect again, at different times: otherwise the clients of all tables would come back at once.
    pub fn send_goodbye(&mut self) {
        let ids: Vec<u64> = self.list.iter().map(|client| client.id).collect();
        for id in ids {
            let random = u16::from_le_bytes(secrets::random());
            let retry_after = RETRY_AFTER.start + u64::from(random) % RETRY_AFTER_SPREAD;
            self.send(id, text(&ServerMessage::Goodbye { retry_after }));
        }
    }

    pub fn send(&mut self, id: u64, message: Outgoing) {
        let full = self
            .get(id)
            .is_some_and(|c| c.out.try_send(message).is_err());
        if full {
            self.drop_slow(&[id]);
        }
    }

    /// The person that a client was when it was last sent an update.
    pub fn who(&self, id: u64) -> Option<PersonId> {
        self.get(id).and_then(|c| c.who.0)
    }

    pub fn presence(&self) -> Option<Outgoing> {
        let (seats, watching) = self.presence.clone()?;
        Some(text(&ServerMessage::Presence { seats, watching }))
    }

    /// Removes slow clients. Their connections notice the closed queue and end.
    fn drop_slow(&mut self, slow: &[u64]) {
        for id in slow {
            self.remove(*id);
        }
    }
}

/// Whether a person has a seat, or is the host of a table where no person has one.
fn is_player(table: &Table, person: PersonId) -> bool {
    let has_seat = |p: PersonId| {
        table
            .people()
            .any(|(id, _, seat)| id == p && seat.is_some())
    };
    has_seat(person)
        || (table.host() == Some(person) && table.people().all(|(_, _, seat)| seat.is_none()))
}

fn person_and_viewer(table: &Table, key: &str) -> (Option<PersonId>, Viewer) {
    let person = table.person_by_key(key);
    (person, table.viewer(person))
}
