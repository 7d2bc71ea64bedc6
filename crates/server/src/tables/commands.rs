//! Executing commands at a table: check, store, and only then inform everybody.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use towers_rules::Seat;
use towers_table::{
    ClientMessage, Command, ErrorCode, Prepared, Refusal, Rejection, ServerMessage, TableView, Who,
};

use super::clients::{Sender, text};
use super::summary::changed_meta;
use super::task::TableTask;
use super::upkeep::VISIT_INTERVAL;
use crate::history::GameResult;
use crate::refusal::{refusal, too_fast};
use crate::secrets;
use crate::storage::{NewEntry, StorageError};

/// The maximum number of attempts when another writer was faster.
const MAX_ATTEMPTS: usize = 8;

impl TableTask {
    pub(super) async fn receive(&mut self, client: u64, message: ClientMessage) {
        let (id, mut command) = match message {
            ClientMessage::Do { id, command } => (id, command),
            ClientMessage::View => return self.send_view(client),
            // The session handles the first `hello`; later ones are ignored.
            ClientMessage::Hello { .. } => return,
        };
        let Some(who) = self.clients.get(client) else {
            return;
        };
        let (proved, address) = (who.key.clone(), who.address);
        if let Command::Sit { key, .. } = &mut command {
            // Derive the key from the client's token, and ignore the key in the message.
            key.clone_from(&proved);
        }
        let sender = Sender {
            client,
            id,
            address,
        };
        let by = self.author(&proved);
        if by == Who::Stranger
            && matches!(command, Command::Sit { .. })
            && self.banned.contains(&address)
        {
            let why = Rejection::Banned.refusal();
            return self
                .clients
                .send(client, text(&ServerMessage::Rejected { id, why }));
        }
        let banned = match &command {
            Command::Ban { seat } => self.addresses_at(*seat, address),
            _ => Vec::new(),
        };
        let sits = matches!(command, Command::Sit { .. });
        let mut result = self.submit_for(by, command.clone(), sender).await;
        if result.is_err() && self.author(&proved) != by {
            // The person took a seat at another server, and this server has only now read that entry.
            let by = self.author(&proved);
            result = self.submit_for(by, command, sender).await;
        }
        match result {
            Ok(()) => {
                self.banned.extend(banned);
                if sits {
                    self.link_person(client).await;
                }
            }
            Err(why) => {
                let answer = ServerMessage::Rejected { id, why };
                self.clients.send(client, text(&answer));
            }
        }
    }

    /// The addresses of the person on a seat, without those of other people at the table.
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

    fn author(&self, key: &str) -> Who {
        match self.table.person_by_key(key) {
            Some(person) => Who::Person(person),
            None => Who::Stranger,
        }
    }

    /// Executes a command of the server itself or of a bot.
    pub(super) async fn submit(&mut self, by: Who, command: Command) -> Result<(), Refusal> {
        self.carry_out(by, command, None).await
    }

    /// Executes a command of a client and confirms it.
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

    /// Takes an entry from the budgets of the address and the table. Moves are free, so that a game can always
    /// continue, and so are numbers for the dice, which are accepted once and only if they are asked for.
    fn take_from_budgets(&self, command: &Command, address: IpAddr) -> Result<(), Refusal> {
        if matches!(command, Command::Act { .. } | Command::Reveal { .. }) {
            return Ok(());
        }
        let budgets = &self.shared.budgets;
        let taken = budgets.entries_at_table.take(&(self.id.clone(), address));
        let taken = taken.and_then(|()| budgets.entries_of_address.take(&address));
        let taken = taken.and_then(|()| budgets.entries_of_table.take(&self.id));
        taken.map_err(|after| {
            self.shared.metrics.over_limit.increment(1);
            too_fast(after)
        })
    }

    /// Whether a command has no effect for anybody, so that it need not be stored.
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

    /// Executes and stores a command, then informs everybody. A refused command changes nothing.
    async fn carry_out(
        &mut self,
        by: Who,
        command: Command,
        sender: Option<Sender>,
    ) -> Result<(), Refusal> {
        let metrics = Arc::clone(&self.shared.metrics);
        let begun = Instant::now();
        let is_person = matches!(by, Who::Person(_) | Who::Stranger);
        // Another server may have stored entries that are not known here: read them before refusing a command.
        let mut may_be_stale = is_person && self.shared.storage.is_shared();
        for _ in 0..MAX_ATTEMPTS {
            if self.behind {
                self.read_on()
                    .await
                    .map_err(|why| self.storage_failed(&why))?;
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
                    let person = self.clients.who(sender.client);
                    let answer = sender.accepted(&self.table, person, None);
                    self.clients.send(sender.client, answer);
                    return Ok(());
                }
                self.take_from_budgets(&command, sender.address)?;
            }
            let entry = prepared.entry();
            // Not with every entry, because the column has an index.
            let is_visit = is_person && self.now() >= self.visited + VISIT_INTERVAL;
            let visited = is_visit.then(|| self.shared.clock.now());
            let new = NewEntry {
                table: self.id.clone(),
                number: entry.number,
                line: prepared.line().into(),
                visited,
                meta: changed_meta(&self.table, &prepared, self.offset()),
            };
            match self.shared.storage.append(new).await {
                Ok(()) => {
                    metrics.stored.record(begun.elapsed());
                    metrics.commands.increment(1);
                    if visited.is_some() {
                        self.visited = self.now();
                    }
                    let result = GameResult::of(&self.table, prepared.preview());
                    let seats = (!prepared.is_in_game()).then(|| self.seats_by_key());
                    self.table.commit(prepared);
                    self.send_update(sender);
                    self.call_people(true);
                    if let Some(seats) = seats {
                        self.store_seats(&seats).await;
                    }
                    if let Some(result) = result {
                        self.results.push(result);
                        self.store_results().await;
                    }
                    return Ok(());
                }
                Err(StorageError::Conflict) => {
                    metrics.conflicts.increment(1);
                    self.behind = true;
                }
                Err(why) => {
                    metrics.store_failed.record(begun.elapsed());
                    // The write may have succeeded without a response: read the log before the next write.
                    self.behind = true;
                    return Err(self.storage_failed(&why));
                }
            }
        }
        Err(refusal(
            ErrorCode::Busy,
            "too many commands at this table at once: try again",
        ))
    }
}
