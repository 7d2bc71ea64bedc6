//! The task of one table: takes one command after the other, stores it, and only then tells
//! everybody.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use towers_rules::{Action, Seat};
use towers_table::{
    BotLevel, ClientMessage, CloseCode, Command, Entry, ErrorCode, Millis, PROTOCOL, PersonId,
    Prepared, Refusal, Rejection, ServerMessage, Table, TableView, Update, Who,
};

use super::Shared;
use super::clients::{Clients, NewClient, Outgoing, Sender, text};
use super::moderation::ConnectedPerson;
use super::registry::Registry;
use super::summary::{changed_meta, wake};
use super::upkeep::VISIT;
use crate::bots::Mind;
use crate::cluster::Presence;
use crate::refusal::{refusal, too_fast};
use crate::secrets;
use crate::storage::{NewEntry, StorageError};

/// How often a command is tried again when another writer was faster.
const TRIES: usize = 8;
/// How many missed happenings are told one by one; who missed more gets a fresh view.
const CATCH_UP: usize = 100;

/// A message to a table's task.
pub enum TableMessage {
    /// A client connects.
    Join(Join),
    /// A client sends something.
    Command { client: u64, message: ClientMessage },
    /// A client's connection has ended.
    Disconnected { client: u64 },
    /// A bot has answered its question.
    BotAnswered(BotAnswer),
    /// An entry of this table was stored, by another server as a rule.
    EntryWritten { number: u64, line: Option<String> },
    /// Who is connected at another server.
    RemotePresence { node: String, presence: Presence },
    /// Another server asks who is connected here.
    PresenceRequested,
    /// Another server no longer drives this table.
    LeaseReleased,
    /// A server has joined or left the cluster.
    NodesChanged,
    /// Messages of other servers may have been lost.
    LaggedBehind,
    /// An operator asks who is connected.
    ListPeople(oneshot::Sender<Vec<ConnectedPerson>>),
    /// An operator has banned an address.
    Disconnect(IpAddr),
    /// An operator takes the table out of memory.
    Unload {
        code: CloseCode,
        reason: &'static str,
    },
    /// The server stops.
    Stop,
}

/// Somebody connects.
pub struct Join {
    /// The connection's number.
    pub client: u64,
    /// Where it comes from, for limits.
    pub address: IpAddr,
    /// Their secret, if they have one.
    pub token: Option<String>,
    /// The last happening they saw.
    pub seen: Option<u64>,
    /// The way to them.
    pub out: mpsc::Sender<Outgoing>,
}

/// What a bot has thought.
pub struct BotAnswer {
    pub game: u32,
    pub decision: u64,
    pub seat: Seat,
    pub level: BotLevel,
    pub mind: Option<Box<dyn Mind>>,
    pub action: Option<Action>,
    /// Whether it was asked for an offer to its partner.
    pub offer: bool,
}

/// A table and everything around it.
pub struct TableTask {
    pub(super) registry: Arc<Registry>,
    pub(super) shared: Arc<Shared>,
    pub(super) id: String,
    pub(super) table: Table,
    pub(super) clients: Clients,
    inbox: mpsc::Receiver<TableMessage>,
    pub(super) own: mpsc::WeakSender<TableMessage>,
    /// The bots of this game: how far they have heard, and what they remember.
    pub(super) minds: HashMap<(Seat, BotLevel), (u64, Box<dyn Mind>)>,
    pub(super) minds_of_game: u32,
    /// The decision that a bot thinks about.
    pub(super) thinking: Option<(u32, u64)>,
    /// The decision for which a bot was asked whether it offers its partner something.
    pub(super) offered: Option<(u32, u64)>,
    /// Since when people who play are not connected.
    pub(super) absent: HashMap<PersonId, Millis>,
    /// The host, if not connected, and since when.
    pub(super) host_gone: Option<(PersonId, Millis)>,
    /// How far the table's time is ahead of the server's.
    offset: Millis,
    /// Since when nobody is connected.
    pub(super) idle_since: Millis,
    /// When the database was last told that people are here.
    pub(super) visited: Millis,
    /// Put away: nothing goes on here until a person comes.
    pub(super) archived: bool,
    /// When to try again what the database would not take.
    pub(super) retry_at: Millis,
    /// The database may have more than we know: to be read before anything else is written.
    pub(super) behind: bool,
    /// What other servers were last told about who is connected here.
    announced: Presence,
    /// Addresses of people whom the host removed for good, while the table is in memory. Addresses are never stored.
    banned: HashSet<IpAddr>,
    /// When to ask again whether this server is to look after the table.
    pub(super) claim_at: Millis,
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
        };
        task.follow_table_time();
        task.idle_since = task.now();
        task
    }

    /// The time at this table. It never runs backward: see [`follow_table_time`].
    ///
    /// [`follow_table_time`]: TableTask::follow_table_time
    pub(super) fn now(&self) -> Millis {
        self.shared.clock.now() + self.offset
    }

    pub(super) fn offset(&self) -> Millis {
        self.offset
    }

    /// Catches up with the time of the last entry. It can be ahead if the clock of the computer was
    /// set back, or if another server's clock is ahead: deadlines count from that time, so the
    /// table's time goes on from there.
    fn follow_table_time(&mut self) {
        self.offset += self.table.at().saturating_sub(self.now());
    }

    /// Runs until nobody needs the table in memory any more, or the server stops.
    pub async fn run(mut self) {
        self.shared.cluster.request_presence(&self.id);
        if self.offset > 0 {
            // What the database has is in the time of another clock.
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
                    self.say_goodbye();
                    break;
                }
                Some(TableMessage::Unload { code, reason }) => {
                    let close = Outgoing::Close(code, reason);
                    self.clients.tell_all(&close);
                    break;
                }
                Some(message) => self.take(message).await,
            }
        }
        self.leave().await;
    }

    /// The table leaves the memory: from now on the database has to know when to look after it.
    async fn note_wake(&mut self) {
        let wake = wake(&self.table).filter(|_| !self.archived);
        let wake = wake.map(|at| at.saturating_sub(self.offset));
        let noting = self
            .shared
            .storage
            .set_wake(&self.id, self.table.number(), wake);
        if let Err(why) = noting.await {
            why.log(&self.id, "noting when it is due");
        }
    }

    /// Nobody finds this task any more. Who has come in meanwhile connects again.
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

    fn say_goodbye(&mut self) {
        let goodbye = text(&ServerMessage::Goodbye { retry_after: 1000 });
        self.clients.tell_all(&goodbye);
        let close = Outgoing::Close(CloseCode::Restart, "the server restarts");
        self.clients.tell_all(&close);
    }

    async fn take(&mut self, message: TableMessage) {
        match message {
            TableMessage::Join(join) => self.join(join).await,
            TableMessage::Command { client, message } => self.hear(client, message).await,
            TableMessage::Disconnected { client } => {
                self.clients.remove(client);
                self.tell_presence();
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
                self.tell_presence();
            }
            TableMessage::PresenceRequested => self.announce(),
            TableMessage::LeaseReleased => self.claim_at = 0,
            TableMessage::NodesChanged => {
                let registry = Arc::clone(&self.registry);
                self.clients.forget_nodes(|node| registry.is_alive(node));
                self.claim_at = 0;
                self.announce();
                self.tell_presence();
            }
            TableMessage::LaggedBehind => {
                self.behind = true;
                self.claim_at = 0;
                self.catch_up().await;
                self.announce();
                self.shared.cluster.request_presence(&self.id);
            }
            TableMessage::ListPeople(tell) => {
                let _ = tell.send(self.connected_people());
            }
            TableMessage::Disconnect(address) => {
                self.clients.disconnect(address);
                self.tell_presence();
            }
            TableMessage::Unload { .. } | TableMessage::Stop => {}
        }
    }

    fn announce(&mut self) {
        self.announced = self.clients.local(&self.table);
        self.shared
            .cluster
            .announce_presence(&self.id, &self.announced);
    }

    /// Takes in an entry that another server has stored, if it is the next one; says whether it was.
    fn follow(&mut self, entry: &Entry) -> bool {
        let is_next = !self.behind && entry.number == self.table.number() + 1;
        let followed = is_next && self.table.replay(entry).is_ok();
        if followed {
            self.follow_table_time();
            self.tell_last(None);
        }
        followed
    }

    /// Another server knows the table up to a number.
    async fn catch_up_to(&mut self, number: u64) {
        if number > self.table.number() {
            self.behind = true;
            self.catch_up().await;
        }
    }

    /// Reads what others have written, if there may be something.
    pub(super) async fn catch_up(&mut self) {
        if self.behind
            && let Err(why) = self.read_on().await
        {
            self.broken(&why);
        }
    }

    async fn join(&mut self, join: Join) {
        let Join {
            client,
            address,
            token,
            seen,
            out,
        } = join;
        if self.clients.len() >= self.shared.config.limits.connections_per_table {
            let full = Outgoing::Close(CloseCode::Full, "too many people watch this table");
            let _ = out.try_send(full);
            return;
        }
        self.catch_up_to(seen.unwrap_or(0)).await;
        let fresh = match token {
            Some(_) => None,
            None => Some(secrets::token()),
        };
        let secret = token.as_ref().or(fresh.as_ref());
        let key = secret
            .map(|t| secrets::key(&self.id, t))
            .unwrap_or_default();
        let person = self.table.person_by_key(&key);
        let new = NewClient {
            id: client,
            address,
            key,
            out,
        };
        self.clients.add(new, &self.table);
        let welcome = ServerMessage::Welcome {
            table: self.id.clone(),
            you: self.table.you(person),
            token: fresh,
            number: self.table.number(),
            now: self.now(),
            version: env!("CARGO_PKG_VERSION").into(),
            protocol: PROTOCOL,
        };
        self.clients.tell(client, text(&welcome));
        let missed = seen
            .and_then(|number| self.table.since(person, number))
            .filter(|list| (1..=CATCH_UP).contains(&list.len()));
        match missed {
            Some(list) => {
                for seen in list {
                    let now = self.now();
                    let message = ServerMessage::Happened(Update { now, seen });
                    self.clients.tell(client, text(&message));
                }
            }
            // Nothing was missed, or too much: the open decision comes with a fresh view.
            None => self.send_view(client),
        }
        if let Some(presence) = self.clients.presence() {
            self.clients.tell(client, presence);
        }
        self.tell_presence();
        if let Some(person) = person {
            self.visit().await;
            if self.table.is_only_away(person) {
                let _ = self.submit(Who::Person(person), Command::Back).await;
            }
        }
    }

    fn send_view(&mut self, client: u64) {
        let view = ServerMessage::View {
            now: self.now(),
            view: Box::new(self.table.view(self.clients.who(client))),
        };
        self.clients.tell(client, text(&view));
    }

    async fn hear(&mut self, client: u64, message: ClientMessage) {
        let (id, mut command) = match message {
            ClientMessage::Do { id, command } => (id, command),
            ClientMessage::View => return self.send_view(client),
            // The session has dealt with the first one, and there is no second.
            ClientMessage::Hello { .. } => return,
        };
        let Some(who) = self.clients.get(client) else {
            return;
        };
        let (proved, address) = (who.key.clone(), who.address);
        if let Command::Sit { key, .. } = &mut command {
            // Whatever a client writes here: the key is what it has proved to know.
            key.clone_from(&proved);
        }
        let sender = Sender {
            client,
            id,
            address,
        };
        let by = self.identify(&proved);
        if by == Who::Stranger
            && matches!(command, Command::Sit { .. })
            && self.banned.contains(&address)
        {
            let why = Rejection::Banned.refusal();
            return self
                .clients
                .tell(client, text(&ServerMessage::Rejected { id, why }));
        }
        let banned = match &command {
            Command::Ban { seat } => self.addresses_at(*seat, address),
            _ => Vec::new(),
        };
        let mut result = self.submit_for(by, command.clone(), sender).await;
        if result.is_err() && self.identify(&proved) != by {
            // They took a seat at another server, of which this one has only just read.
            let by = self.identify(&proved);
            result = self.submit_for(by, command, sender).await;
        }
        match result {
            Ok(()) => self.banned.extend(banned),
            Err(why) => {
                let answer = ServerMessage::Rejected { id, why };
                self.clients.tell(client, text(&answer));
            }
        }
    }

    /// Where the person on a seat is connected from, as far as nobody else at the table is.
    fn addresses_at(&self, seat: Seat, host: IpAddr) -> Vec<IpAddr> {
        let mut people = self.table.people();
        let person = people.find(|p| p.2 == Some(seat)).map(|p| p.0);
        let shared = |address: IpAddr| {
            address == host
                || self
                    .clients
                    .connected()
                    .any(|(who, from)| from == address && who.is_some() && who != person)
        };
        let connected = self.clients.connected();
        connected
            .filter(|(who, address)| person.is_some() && *who == person && !shared(*address))
            .map(|(_, address)| address)
            .collect()
    }

    fn identify(&self, key: &str) -> Who {
        match self.table.person_by_key(key) {
            Some(person) => Who::Person(person),
            None => Who::Stranger,
        }
    }

    /// Carries out a command of the server itself or of a bot.
    pub(super) async fn submit(&mut self, by: Who, command: Command) -> Result<(), Refusal> {
        self.carry_out(by, command, None).await
    }

    /// Carries out a command of a client, and tells it so.
    async fn submit_for(
        &mut self,
        by: Who,
        command: Command,
        sender: Sender,
    ) -> Result<(), Refusal> {
        if matches!(command, Command::Configure { .. }) {
            self.shared.disk.check()?;
        }
        if let Command::Replace { seat, .. } = command {
            self.mark_if_gone(by, seat).await;
        }
        self.carry_out(by, command, Some(sender)).await
    }

    /// Counts an entry for the address and the table. Moves are free: a game can always go on.
    fn take_from_budgets(&self, command: &Command, address: IpAddr) -> Result<(), Refusal> {
        if matches!(command, Command::Act { .. }) {
            return Ok(());
        }
        let budgets = &self.shared.budgets;
        let taken = budgets.entries_of_table.take(&self.id);
        let taken = taken.and_then(|()| budgets.entries_of_address.take(&address));
        taken.map_err(|after| {
            self.shared.metrics.over_limit.increment(1);
            too_fast(after)
        })
    }

    /// Whether a command leaves everything as it is, for whoever sent it and for everybody else: it
    /// need not be stored then.
    fn changes_nothing(&self, by: Who, prepared: &Prepared) -> bool {
        let is_idempotent = matches!(
            prepared.entry().command,
            Command::Sit { .. }
                | Command::Ready { .. }
                | Command::Configure { .. }
                | Command::AddBot { .. }
                | Command::PassAhead { .. }
                | Command::Stops { .. }
                | Command::End { .. }
                | Command::Commit { .. }
                | Command::Mute { .. }
        );
        let Who::Person(person) = by else {
            return false;
        };
        if !is_idempotent {
            return false;
        }
        if let Command::Configure { settings } = &prepared.entry().command
            && **settings == *self.table.settings()
        {
            return true;
        }
        let before = self.table.view(Some(person));
        let after = prepared.preview().view(Some(person));
        before
            == TableView {
                number: before.number,
                at: before.at,
                ..after
            }
    }

    /// Carries out a command, stores it, tells everybody. Nothing has changed if it is refused.
    async fn carry_out(
        &mut self,
        by: Who,
        command: Command,
        sender: Option<Sender>,
    ) -> Result<(), Refusal> {
        let metrics = Arc::clone(&self.shared.metrics);
        let begun = Instant::now();
        let is_person = matches!(by, Who::Person(_) | Who::Stranger);
        // What another server has stored may not have been heard of yet: before a person is told no,
        // the database is asked.
        let mut may_be_stale = is_person && self.shared.storage.is_shared();
        for _ in 0..TRIES {
            if self.behind {
                self.read_on().await.map_err(|why| self.broken(&why))?;
                may_be_stale = false;
            }
            let seed = secrets::seed();
            let prepared = match self.table.prepare(self.now(), by, command.clone(), &seed) {
                Ok(prepared) => prepared,
                Err(_) if may_be_stale => {
                    self.behind = true;
                    continue;
                }
                Err(why) => {
                    metrics.rejected.increment(1);
                    return Err(why.refusal());
                }
            };
            if let Some(sender) = sender {
                if self.changes_nothing(by, &prepared) {
                    let answer = sender.accepted(&self.table, None);
                    self.clients.tell(sender.client, answer);
                    return Ok(());
                }
                self.take_from_budgets(&command, sender.address)?;
            }
            let entry = prepared.entry();
            // Noted now and then: the column has an index.
            let is_visit = is_person && self.now() >= self.visited + VISIT;
            let visited = is_visit.then(|| self.shared.clock.now());
            let new = NewEntry {
                table: self.id.clone(),
                number: entry.number,
                line: entry.to_line(),
                visited,
                meta: changed_meta(&self.table, &prepared, self.offset),
            };
            match self.shared.storage.append(new).await {
                Ok(()) => {
                    metrics.stored.record(begun.elapsed());
                    metrics.commands.increment(1);
                    if visited.is_some() {
                        self.visited = self.now();
                    }
                    self.table.commit(prepared);
                    self.tell_last(sender);
                    return Ok(());
                }
                Err(StorageError::Conflict) => {
                    metrics.conflicts.increment(1);
                    self.behind = true;
                }
                Err(why) => {
                    metrics.store_failed.record(begun.elapsed());
                    // Its answer may have been lost: look before anything else is written.
                    self.behind = true;
                    return Err(self.broken(&why));
                }
            }
        }
        Err(refusal(
            ErrorCode::Busy,
            "too much happens at this table at once: try again",
        ))
    }

    fn tell_last(&mut self, sender: Option<Sender>) {
        let now = self.now();
        self.clients.tell_last(&self.table, now, sender);
        self.tell_presence();
    }

    /// Tells everybody here and elsewhere who is connected, if that has changed.
    fn tell_presence(&mut self) {
        self.clients.tell_presence(&self.table);
        let local = self.clients.local(&self.table);
        let announced = &self.announced;
        if (&local.people, local.watching) != (&announced.people, announced.watching) {
            self.announce();
        }
    }

    /// Somebody else has written to this table: take that in.
    async fn read_on(&mut self) -> Result<(), StorageError> {
        let number = self.table.number();
        for entry in self.shared.storage.entries_after(&self.id, number).await? {
            let done = self.table.replay(&entry);
            done.map_err(|why| StorageError::Corrupt(why.to_string()))?;
            self.follow_table_time();
            self.tell_last(None);
        }
        self.behind = false;
        Ok(())
    }

    fn broken(&mut self, why: &StorageError) -> Refusal {
        self.shared.metrics.storage_errors.increment(1);
        why.log(&self.id, "storing");
        self.retry_at = self.now() + Duration::from_secs(1).as_millis() as Millis;
        refusal(
            ErrorCode::NotStored,
            "the server could not store this now: try again",
        )
    }
}
