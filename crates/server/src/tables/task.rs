//! The task of one table, which handles one message at a time. Commands are executed in [`super::commands`], clients
//! join in [`super::joining`].

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use towers_rules::{Action, Seat};
use towers_table::{
    BotLevel, ClientMessage, CloseCode, Digest, Entry, ErrorCode, Millis, PersonId, Refusal, Table,
};

use super::Shared;
use super::calling::{CallState, KnownPerson};
use super::clients::{Clients, Outgoing, Sender};
use super::moderation::ConnectedPerson;
use super::registry::Registry;
use super::summary::wake;
use crate::bots::Mind;
use crate::cluster::Presence;
use crate::history::{self, GameResult};
use crate::people::{PersonRef, SeatKeys};
use crate::refusal::refusal;
use crate::storage::StorageError;

pub enum TableMessage {
    /// A client connects.
    Join(Join),
    /// A client sent a message.
    Command {
        client: u64,
        message: ClientMessage,
    },
    /// A client's connection has ended.
    Disconnected {
        client: u64,
    },
    BotAnswered(BotAnswer),
    /// An entry of this table was stored, usually by another server.
    EntryWritten {
        number: u64,
        line: Option<String>,
    },
    /// The connections at another server.
    RemotePresence {
        node: String,
        presence: Presence,
    },
    /// Another server asks for the connections here.
    PresenceRequested,
    /// Another server no longer drives this table.
    LeaseReleased,
    /// A server has joined or left the cluster.
    NodesChanged,
    /// Notifications of other servers may have been lost.
    LaggedBehind,
    /// Nobody may have called the person for whom the table waits.
    CallLate,
    /// The server asks who a key is.
    Identify {
        key: String,
        tell: oneshot::Sender<KnownPerson>,
    },
    /// An operator lists connected people.
    ListPeople(oneshot::Sender<Vec<ConnectedPerson>>),
    /// An operator has banned an address.
    Disconnect(IpAddr),
    /// Devices were removed: the connections with these marks end.
    EndConnections(Arc<HashSet<Digest>>),
    /// The people with these keys are deleted and leave.
    Depart {
        keys: Vec<String>,
        done: oneshot::Sender<()>,
    },
    /// An operator unloads the table.
    Unload {
        code: CloseCode,
        reason: &'static str,
    },
    /// The server is stopping.
    Stop,
}

/// A client that connects.
pub struct Join {
    /// The connection's number.
    pub client: u64,
    /// The client's address, for limits.
    pub address: IpAddr,
    /// The client's token, if it has one.
    pub token: Option<String>,
    /// The person of the cookie, if there is one.
    pub person: Option<PersonRef>,
    /// The keys with which it may act.
    pub keys: SeatKeys,
    /// The number of the last event received.
    pub seen: Option<u64>,
    /// The outgoing queue of the connection.
    pub out: mpsc::Sender<Outgoing>,
}

pub struct BotAnswer {
    pub game: u32,
    pub decision: u64,
    pub seat: Seat,
    pub level: BotLevel,
    pub mind: Option<Box<dyn Mind>>,
    pub action: Option<Action>,
    /// Whether the bot was asked for an offer to its partner.
    pub offer: bool,
}

/// A table with its connections, bots and timers.
pub struct TableTask {
    pub(super) registry: Arc<Registry>,
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
    pub(super) table: Table,
    pub(super) clients: Clients,
    inbox: mpsc::Receiver<TableMessage>,
    pub(super) own: mpsc::WeakSender<TableMessage>,
    /// The bots of this game: the number of the last entry sent to each, and its memory.
    pub(super) minds: HashMap<(Seat, BotLevel), (u64, Box<dyn Mind>)>,
    pub(super) minds_of_game: u32,
    /// The decision that a bot is thinking about.
    pub(super) thinking: Option<(u32, u64)>,
    /// The decision at which a bot was last asked for an offer to its partner.
    pub(super) offered: Option<(u32, u64)>,
    /// Disconnected players, and since when.
    pub(super) absent: HashMap<PersonId, Millis>,
    /// The host, if not connected, and since when.
    pub(super) host_gone: Option<(PersonId, Millis)>,
    /// How far the table's time is ahead of the server's.
    offset: Millis,
    /// The time since which nobody is connected.
    pub(super) idle_since: Millis,
    /// The time of the last visit that was stored.
    pub(super) visited: Millis,
    /// Whether the table is archived: it stays passive until a person connects.
    pub(super) archived: bool,
    /// The time of the next attempt after a storage failure.
    pub(super) retry_at: Millis,
    /// Whether the database may have entries that are not known here. They are read before the next write.
    pub(super) behind: bool,
    /// The presence that was last announced to other servers.
    announced: Presence,
    /// Addresses of people whom the host has banned, while the table is in memory. Addresses are never stored.
    pub(super) banned: HashSet<IpAddr>,
    /// The time of the next attempt to claim the table.
    pub(super) claim_at: Millis,
    pub(super) calls: CallState,
    /// Results of finished games that are not stored yet.
    pub(super) results: Vec<GameResult>,
}

impl TableTask {
    pub fn new(
        registry: Arc<Registry>,
        table: Table,
        archived: bool,
        inbox: mpsc::Receiver<TableMessage>,
        own: mpsc::WeakSender<TableMessage>,
    ) -> TableTask {
        let mut task = TableTask {
            shared: Arc::clone(registry.shared()),
            registry,
            id: table.id().into(),
            calls: CallState::new(&table),
            table,
            clients: Clients::default(),
            inbox,
            own,
            minds: HashMap::new(),
            minds_of_game: 0,
            thinking: None,
            offered: None,
            absent: HashMap::new(),
            host_gone: None,
            idle_since: 0,
            offset: 0,
            visited: 0,
            archived,
            retry_at: 0,
            behind: false,
            announced: Presence::default(),
            banned: HashSet::new(),
            claim_at: 0,
            results: Vec::new(),
        };
        task.follow_table_time();
        task.idle_since = task.now();
        task
    }

    /// The time at this table. It never goes backward: see [`follow_table_time`].
    ///
    /// [`follow_table_time`]: TableTask::follow_table_time
    pub(super) fn now(&self) -> Millis {
        self.shared.clock.now() + self.offset
    }

    pub(super) fn offset(&self) -> Millis {
        self.offset
    }

    /// Catches up with the time of the last entry. That can be ahead, if the clock of the computer was set back or
    /// another server's clock is ahead. Deadlines are relative to it, so the table's time continues from there.
    pub(super) fn follow_table_time(&mut self) {
        self.offset += self.table.at().saturating_sub(self.now());
    }

    /// Runs until the table is no longer needed in memory, or the server stops.
    pub async fn run(mut self) {
        self.shared.cluster.request_presence(&self.id);
        if self.offset > 0 {
            // The stored time was set by another clock.
            self.note_wake().await;
        }
        loop {
            let pause = self.keep_up().await;
            let message = tokio::select! {
                message = self.inbox.recv() => message,
                () = tokio::time::sleep(pause) => {
                    if self.may_rest() {
                        self.note_wake().await;
                        break;
                    }
                    continue;
                }
            };
            match message {
                Some(TableMessage::Stop) | None => {
                    self.send_goodbye();
                    break;
                }
                Some(TableMessage::Unload { code, reason }) => {
                    let close = Outgoing::Close(code, reason);
                    self.clients.broadcast(&close);
                    break;
                }
                Some(message) => self.handle(message).await,
            }
        }
        self.leave().await;
    }

    /// Stores the time at which a server has to load the table again.
    async fn note_wake(&mut self) {
        let wake = wake(&self.table).filter(|_| !self.archived);
        let wake = wake.map(|at| at.saturating_sub(self.offset));
        let noting = self
            .shared
            .storage
            .set_wake(&self.id, self.table.number(), wake);
        if let Err(why) = noting.await {
            why.log(&self.id, "storing its wake time");
        }
    }

    /// Removes the task from the registry. Clients that have joined since are told to reconnect.
    async fn leave(mut self) {
        self.registry.forget(&self.id);
        if let Err(why) = self.shared.cluster.release(&self.id).await {
            why.log(&self.id, "releasing");
        }
        self.shared.metrics.tables.decrement(1.0);
        self.inbox.close();
        while let Some(message) = self.inbox.recv().await {
            if let TableMessage::Join(join) = message {
                let _ = join
                    .out
                    .try_send(Outgoing::Close(CloseCode::Restart, "try again"));
            }
        }
    }

    fn send_goodbye(&mut self) {
        self.clients.send_goodbye();
        let close = Outgoing::Close(CloseCode::Restart, "the server restarts");
        self.clients.broadcast(&close);
    }

    async fn handle(&mut self, message: TableMessage) {
        match message {
            TableMessage::Join(join) => self.join(join).await,
            TableMessage::Command { client, message } => self.receive(client, message).await,
            TableMessage::Disconnected { client } => {
                self.clients.remove(client);
                self.send_presence();
                if self.clients.is_empty() {
                    self.idle_since = self.now();
                }
            }
            TableMessage::BotAnswered(answer) => self.bot_answers(answer).await,
            TableMessage::EntryWritten { number, line } => {
                let told = line.and_then(|line| serde_json::from_str::<Entry>(&line).ok());
                if !told.is_some_and(|entry| self.follow(&entry)) {
                    self.catch_up_to(number).await;
                }
            }
            TableMessage::RemotePresence { node, presence } => {
                let number = presence.number;
                self.clients.set_remote(node, presence);
                self.catch_up_to(number).await;
                self.send_presence();
            }
            TableMessage::PresenceRequested => self.announce(),
            TableMessage::LeaseReleased => self.claim_at = 0,
            TableMessage::NodesChanged => {
                let registry = Arc::clone(&self.registry);
                self.clients.forget_nodes(|node| registry.is_alive(node));
                self.claim_at = 0;
                self.announce();
                self.send_presence();
            }
            TableMessage::LaggedBehind => {
                self.behind = true;
                self.claim_at = 0;
                self.catch_up().await;
                self.announce();
                self.shared.cluster.request_presence(&self.id);
            }
            TableMessage::CallLate => self.call_late(),
            TableMessage::Identify { key, tell } => {
                let _ = tell.send(self.known_person(&key));
            }
            TableMessage::ListPeople(tell) => {
                let _ = tell.send(self.connected_people());
            }
            TableMessage::Disconnect(address) => {
                self.clients.disconnect(address);
                self.send_presence();
            }
            TableMessage::EndConnections(marks) => {
                self.clients.end(&marks);
                self.send_presence();
            }
            TableMessage::Depart { keys, done } => {
                self.depart(&keys).await;
                let _ = done.send(());
            }
            TableMessage::Unload { .. } | TableMessage::Stop => {}
        }
    }

    pub(super) fn announce(&mut self) {
        self.announced = self.clients.local(&self.table);
        self.shared
            .cluster
            .announce_presence(&self.id, &self.announced);
    }

    /// Applies an entry that another server has stored if it is the next one; returns whether it was.
    pub(super) fn follow(&mut self, entry: &Entry) -> bool {
        let is_next = !self.behind && entry.number == self.table.number() + 1;
        let followed = is_next && self.table.replay(entry).is_ok();
        if followed {
            self.follow_table_time();
            self.send_update(None);
            self.call_people(false);
        }
        followed
    }

    /// Reads the entries up to a number that another server knows.
    pub(super) async fn catch_up_to(&mut self, number: u64) {
        if number > self.table.number() {
            self.behind = true;
            self.catch_up().await;
        }
    }

    /// Reads entries of other servers, if there may be any.
    pub(super) async fn catch_up(&mut self) {
        if self.behind
            && let Err(why) = self.read_on().await
        {
            self.storage_failed(&why);
        }
    }

    pub(super) fn send_update(&mut self, sender: Option<Sender>) {
        let now = self.now();
        let all_stay = self.clients.send_update(&self.table, now, sender);
        // Nobody comes, leaves or changes seats within a game.
        if !all_stay || !self.table.last_is_in_game() {
            self.send_presence();
        }
    }

    /// Informs clients and other servers about the connections here, if they have changed.
    pub(super) fn send_presence(&mut self) {
        self.clients.send_presence(&self.table);
        let local = self.clients.local(&self.table);
        let announced = &self.announced;
        if (&local.people, local.watching) != (&announced.people, announced.watching) {
            self.announce();
        }
    }

    /// Reads and applies the entries of other servers.
    pub(super) async fn read_on(&mut self) -> Result<(), StorageError> {
        let number = self.table.number();
        for entry in self.shared.storage.entries_after(&self.id, number).await? {
            let done = self.table.replay(&entry);
            done.map_err(|why| StorageError::Corrupt(why.to_string()))?;
            self.follow_table_time();
            self.send_update(None);
            self.call_people(false);
        }
        self.behind = false;
        Ok(())
    }

    /// Stores the results of finished games. If that fails, it is tried again later.
    pub(super) async fn store_results(&mut self) {
        while let Some(result) = self.results.first() {
            let (storage, people) = (&*self.shared.storage, &self.shared.people);
            match history::store(storage, people, result).await {
                Err(why @ StorageError::Failed(_)) => {
                    self.storage_failed(&why);
                    return;
                }
                Err(why) => why.log(&self.id, "storing its results"),
                Ok(_) => {}
            }
            self.results.remove(0);
        }
    }

    pub(super) fn storage_failed(&mut self, why: &StorageError) -> Refusal {
        self.shared.metrics.storage_errors.increment(1);
        why.log(&self.id, "storing");
        self.retry_at = self.now() + Duration::from_secs(1).as_millis() as Millis;
        refusal(
            ErrorCode::NotStored,
            "the server could not store this now: try again",
        )
    }
}
