//! Clients that connect to a table: their identity, and the events they missed.

use towers_table::{CloseCode, Command, PROTOCOL, ServerMessage, Update, Who};

use super::clients::{NewClient, Outgoing, text};
use super::task::{Join, TableTask};
use crate::people::SeatKeys;
use crate::secrets;

/// The maximum number of missed events sent one by one; a client that missed more gets a fresh view.
const CATCH_UP: usize = 100;

impl TableTask {
    /// Welcomes a client and sends what it missed.
    pub(super) async fn join(&mut self, join: Join) {
        let Join {
            client,
            address,
            token,
            person: owner,
            keys,
            seen,
            out,
        } = join;
        let (key, fresh) = self.choose_key(token, &keys);
        let mut person = self.table.person_by_key(&key);
        // Spectators cannot keep out those who play here.
        let you = self.table.you(person);
        let most = self.shared.config.limits.connections_per_table;
        let most = if you.seat.is_some() || you.host {
            most * 2
        } else {
            most
        };
        if self.clients.len() >= most {
            let full = Outgoing::Close(CloseCode::Full, "too many people watch this table");
            let _ = out.try_send(full);
            return;
        }
        if seen.is_some_and(|seen| seen > self.table.number_for(person)) {
            // The client has seen entries from another server that are not known here.
            self.behind = true;
            self.catch_up().await;
            person = self.table.person_by_key(&key);
        }
        let new = NewClient {
            id: client,
            address,
            key,
            person: owner,
            out,
        };
        self.clients.add(new, &self.table);
        let welcome = ServerMessage::Welcome {
            table: self.id.clone(),
            you: self.table.you(person),
            token: fresh,
            number: self.table.number_for(person),
            now: self.now(),
            version: env!("CARGO_PKG_VERSION").into(),
            protocol: PROTOCOL,
        };
        self.clients.send(client, text(&welcome));
        let missed = seen
            .and_then(|number| self.table.since(person, number))
            .filter(|list| (1..=CATCH_UP).contains(&list.len()));
        match missed {
            Some(list) => {
                for seen in list {
                    let now = self.now();
                    let message = ServerMessage::Happened(Update { now, seen });
                    self.clients.send(client, text(&message));
                }
            }
            // Nothing was missed, or too much: a fresh view includes the open decision.
            None => self.send_view(client),
        }
        if let Some(presence) = self.clients.presence() {
            self.clients.send(client, presence);
        }
        self.send_presence();
        if let Some(person) = person {
            let key = self.table.key_of(person).unwrap_or_default();
            if keys.is_hidden || !keys.stored.iter().any(|stored| stored == key) {
                self.link_person(client).await;
            }
            self.visit().await;
            if self.table.is_only_away(person) {
                let _ = self.submit(Who::Person(person), Command::Back).await;
            }
            if self.table.is_replaced_host(person) {
                let _ = self.submit(Who::House, Command::NewHost { person }).await;
            }
        }
    }

    /// The key by which the table recognizes a client, and a token for the client if it has none. A client acts with its
    /// token if the table knows it, else as the person of its cookie.
    fn choose_key(&self, token: Option<String>, keys: &SeatKeys) -> (String, Option<String>) {
        let token = token.filter(|_| !keys.refuses_token);
        let fresh = match token {
            Some(_) => None,
            None => Some(keys.token.clone().unwrap_or_else(secrets::token)),
        };
        let key = |token: &String| secrets::key(&self.id, token);
        let own = token.as_ref().map(key);
        let mut candidates = own.iter().chain(&keys.stored);
        let known = candidates.find(|key| self.table.person_by_key(key).is_some());
        let of_person = || {
            keys.stored
                .first()
                .cloned()
                .or(keys.token.as_ref().map(key))
        };
        let chosen = known.cloned().or_else(of_person).or(own);
        let chosen = chosen.or_else(|| fresh.as_ref().map(key));
        (chosen.unwrap_or_default(), fresh)
    }

    pub(super) fn send_view(&mut self, client: u64) {
        let view = ServerMessage::View {
            now: self.now(),
            view: Box::new(self.table.view(self.clients.who(client))),
        };
        self.clients.send(client, text(&view));
    }
}
