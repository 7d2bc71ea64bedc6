//! The task of one table: takes one command after the other, stores it, and only then tells
//! everybody.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rules::{Action, Seat};
use table::{
    BotLevel, ClientMessage, Command, Millis, PersonId, Refusal, ServerMessage, Table, Who,
};
use tokio::sync::mpsc;

use super::clients::{Clients, Outgoing, close, text};
use super::registry::Registry;
use super::summary::meta;
use super::{Shared, now};
use crate::bots::Mind;
use crate::metrics::{count, uncount};
use crate::secrets;
use crate::storage::{Here, NewEntry, StorageError};

/// How often a command is tried again when another writer was faster.
const TRIES: usize = 8;
/// How many missed happenings are told one by one; who missed more gets a fresh view.
const CATCH_UP: usize = 100;

/// What a table's task can be told.
pub enum ToTable {
    /// Somebody connects.
    Join(Join),
    /// A client has a message.
    Say {
        /// Which client.
        client: u64,
        /// What.
        message: ClientMessage,
    },
    /// A connection is gone.
    Gone {
        /// Which.
        client: u64,
    },
    /// A bot has thought.
    Bot(Answer),
    /// Another server has written to this table.
    Written {
        /// Which entry.
        number: u64,
    },
    /// Who is connected at another server.
    Elsewhere {
        /// Which.
        node: String,
        /// Who.
        here: Here,
    },
    /// Another server wants to know who is connected here.
    Who,
    /// Another server does not look after this table any more.
    Released,
    /// A server has come or gone.
    NodesChanged,
    /// Something that other servers told was not heard.
    Missed,
    /// The server stops.
    Stop,
}

/// Somebody connects.
pub struct Join {
    /// The connection's number.
    pub client: u64,
    /// Their secret, if they have one.
    pub token: Option<String>,
    /// The last happening they saw.
    pub seen: Option<u64>,
    /// The way to them.
    pub out: mpsc::Sender<Outgoing>,
}

/// What a bot has thought.
pub struct Answer {
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
    inbox: mpsc::Receiver<ToTable>,
    pub(super) own: mpsc::WeakSender<ToTable>,
    /// The bots of this game: how far they have heard, and what they remember.
    pub(super) minds: HashMap<(Seat, BotLevel), (u64, Box<dyn Mind>)>,
    pub(super) minds_of_game: u32,
    /// The decision that a bot thinks about.
    pub(super) thinking: Option<(u32, u64)>,
    /// The decision for which a bot was asked whether it offers its partner something.
    pub(super) offered: Option<(u32, u64)>,
    /// Since when people who play are not connected.
    pub(super) absent: HashMap<PersonId, Millis>,
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
    /// What other servers were last told about who is here.
    told: Here,
    /// When to ask again whether this server is to look after the table.
    pub(super) claim_at: Millis,
}

impl TableTask {
    pub fn new(
        registry: Arc<Registry>,
        table: Table,
        archived: bool,
        inbox: mpsc::Receiver<ToTable>,
        own: mpsc::WeakSender<ToTable>,
    ) -> TableTask {
        TableTask {
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
            idle_since: now(),
            visited: 0,
            archived,
            retry_at: 0,
            behind: false,
            told: Here::default(),
            claim_at: 0,
        }
    }

    /// Runs until nobody needs the table in memory any more, or the server stops.
    pub async fn run(mut self) {
        self.shared.storage.ask_who(&self.id);
        loop {
            let pause = self.keep_up().await;
            let message = tokio::select! {
                message = self.inbox.recv() => message,
                () = tokio::time::sleep(pause) => {
                    if self.may_rest() {
                        break;
                    }
                    continue;
                }
            };
            match message {
                Some(ToTable::Stop) | None => {
                    self.say_goodbye();
                    break;
                }
                Some(message) => self.take(message).await,
            }
        }
        self.leave().await;
    }

    /// Nobody finds this task any more. Who has come in meanwhile connects again.
    async fn leave(mut self) {
        self.registry.forget(&self.id);
        if let Err(why) = self.shared.storage.release(&self.id).await {
            tracing::warn!(table = secrets::short(&self.id), %why, "releasing failed");
        }
        uncount(&self.shared.metrics.tables);
        self.inbox.close();
        while let Some(message) = self.inbox.recv().await {
            if let ToTable::Join(join) = message {
                let _ = join
                    .out
                    .try_send(Outgoing::Close(close::RESTART, "try again"));
            }
        }
    }

    fn say_goodbye(&mut self) {
        let goodbye = text(&ServerMessage::Goodbye { retry_after: 1000 });
        self.clients.tell_all(&goodbye, &self.shared.metrics);
        let close = Outgoing::Close(close::RESTART, "the server restarts");
        self.clients.tell_all(&close, &self.shared.metrics);
    }

    async fn take(&mut self, message: ToTable) {
        match message {
            ToTable::Join(join) => self.join(join).await,
            ToTable::Say { client, message } => self.hear(client, message).await,
            ToTable::Gone { client } => {
                self.clients.remove(client);
                self.tell_presence();
                if self.clients.is_empty() {
                    self.idle_since = now();
                }
            }
            ToTable::Bot(answer) => self.bot_answers(answer).await,
            ToTable::Written { number } => self.catch_up_to(number).await,
            ToTable::Elsewhere { node, here } => {
                let number = here.number;
                self.clients.hear(node, here);
                self.catch_up_to(number).await;
                self.tell_presence();
            }
            ToTable::Who => self.announce(),
            ToTable::Released => self.claim_at = 0,
            ToTable::NodesChanged => {
                let registry = Arc::clone(&self.registry);
                self.clients.forget_nodes(|node| registry.is_alive(node));
                self.claim_at = 0;
                self.announce();
                self.tell_presence();
            }
            ToTable::Missed => {
                self.behind = true;
                self.catch_up().await;
                self.announce();
                self.shared.storage.ask_who(&self.id);
            }
            ToTable::Stop => {}
        }
    }

    fn announce(&mut self) {
        self.told = self.clients.here(&self.table);
        self.shared.storage.announce(&self.id, &self.told);
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
            token,
            seen,
            out,
        } = join;
        if self.clients.len() >= self.shared.config.limits.connections_per_table {
            let full = Outgoing::Close(close::FULL, "too many people watch this table");
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
        self.clients.add(client, key, out, &self.table);
        let metrics = Arc::clone(&self.shared.metrics);
        let welcome = ServerMessage::Welcome {
            table: self.id.clone(),
            you: self.table.you(person),
            token: fresh,
            number: self.table.number(),
            now: now(),
            version: env!("CARGO_PKG_VERSION").into(),
        };
        self.clients.tell(client, text(&welcome), &metrics);
        let missed = seen
            .and_then(|number| self.table.since(person, number))
            .filter(|list| list.len() <= CATCH_UP);
        match missed {
            Some(list) => {
                for seen in list {
                    let message = ServerMessage::Happened { now: now(), seen };
                    self.clients.tell(client, text(&message), &metrics);
                }
            }
            None => self.send_view(client),
        }
        if let Some(presence) = self.clients.presence() {
            self.clients.tell(client, presence, &metrics);
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
            now: now(),
            view: Box::new(self.table.view(self.clients.who(client))),
        };
        self.clients.tell(client, text(&view), &self.shared.metrics);
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
        let by = match self.table.person_by_key(&who.key) {
            Some(person) => Who::Person(person),
            None => Who::Stranger,
        };
        if let Command::Sit { key, .. } = &mut command {
            // Whatever a client writes here: the key is what it has proved to know.
            key.clone_from(&who.key);
        }
        let answer = match self.submit(by, command).await {
            Ok(number) => ServerMessage::Accepted { id, number },
            Err(why) => ServerMessage::Rejected { id, why },
        };
        let metrics = Arc::clone(&self.shared.metrics);
        self.clients.tell(client, text(&answer), &metrics);
    }

    /// Carries out a command, stores it, tells everybody. Nothing has changed if it is refused.
    pub(super) async fn submit(&mut self, by: Who, command: Command) -> Result<u64, Refusal> {
        let metrics = Arc::clone(&self.shared.metrics);
        let begun = Instant::now();
        for _ in 0..TRIES {
            if self.behind {
                self.read_on().await.map_err(|why| self.broken(&why))?;
            }
            let seed = secrets::seed();
            let prepared = self
                .table
                .prepare(now(), by, command.clone(), &seed)
                .map_err(|why| {
                    count(&metrics.rejected);
                    why.refusal()
                })?;
            let entry = prepared.entry();
            let visited = matches!(by, Who::Person(_) | Who::Stranger).then_some(entry.at);
            let new = NewEntry {
                table: self.id.clone(),
                number: entry.number,
                line: entry.to_line(),
                visited,
                meta: meta(&prepared.preview()),
            };
            match self.shared.storage.append(new).await {
                Ok(()) => {
                    metrics.stored.observe(begun.elapsed());
                    count(&metrics.commands);
                    self.visited = visited.unwrap_or(self.visited);
                    let number = self.table.commit(prepared).number;
                    self.tell_last();
                    return Ok(number);
                }
                Err(StorageError::Conflict) => {
                    count(&metrics.conflicts);
                    self.behind = true;
                }
                Err(why) => {
                    // Its answer may have been lost: look before anything else is written.
                    self.behind = true;
                    return Err(self.broken(&why));
                }
            }
        }
        Err(Refusal {
            code: "busy".into(),
            message: "too much happens at this table at once: try again".into(),
            clause: None,
        })
    }

    fn tell_last(&mut self) {
        let metrics = &self.shared.metrics;
        self.clients.tell_last(&self.table, now(), metrics);
        self.tell_presence();
    }

    /// Tells everybody here and elsewhere who is connected, if that has changed.
    fn tell_presence(&mut self) {
        self.clients
            .tell_presence(&self.table, &self.shared.metrics);
        let here = self.clients.here(&self.table);
        if (&here.people, here.watching) != (&self.told.people, self.told.watching) {
            self.announce();
        }
    }

    /// Somebody else has written to this table: take that in.
    async fn read_on(&mut self) -> Result<(), StorageError> {
        let number = self.table.number();
        for entry in self.shared.storage.entries_after(&self.id, number).await? {
            let done = self.table.replay(&entry);
            done.map_err(|why| StorageError::Corrupt(why.to_string()))?;
            self.tell_last();
        }
        self.behind = false;
        Ok(())
    }

    fn broken(&mut self, why: &StorageError) -> Refusal {
        count(&self.shared.metrics.storage_errors);
        tracing::error!(table = secrets::short(&self.id), %why, "storing failed");
        self.retry_at = now() + Duration::from_secs(1).as_millis() as Millis;
        Refusal {
            code: "not_stored".into(),
            message: "the server could not store this now: try again".into(),
            clause: None,
        }
    }
}
