//! Periodic work of a table: clocks, bots, absent players, unloading.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use towers_rules::Seat;
use towers_table::{BotLevel, Command, Decider, ErrorCode, Millis, PersonId, Stage, Who};

use super::task::{BotAnswer, TableMessage, TableTask};
use crate::bots::{BotQuestion, Mind};
use crate::secrets;

/// The interval at which visits are stored.
pub(super) const VISIT_INTERVAL: Millis = 2 * 60 * 1000;
/// The interval at which a server tries to claim a table that another one drives. It is a fallback: a released lease
/// is also announced.
const CLAIM_INTERVAL: Millis = 20 * 1000;
/// The retry interval after a failed claim.
const CLAIM_RETRY: Millis = 250;
/// The maximum time between two checks of a task.
const MAX_CHECK_INTERVAL: Millis = 60 * 1000;

fn millis(time: Duration) -> Millis {
    time.as_millis() as Millis
}

impl TableTask {
    /// Restarts a clock that ran out while no server was running.
    async fn reopen(&mut self) {
        let boot = self.shared.boot + self.offset();
        if self.table.next_deadline().is_some_and(|d| d < boot) {
            let _ = self.submit(Who::House, Command::Reopen).await;
        }
    }

    /// Does all due work; returns the time until more is due.
    pub(super) async fn keep_up(&mut self) -> Duration {
        let time = self.now();
        if time >= self.retry_at {
            self.catch_up().await;
            self.store_results().await;
        }
        if time >= self.retry_at && !self.archived && self.drives(time).await {
            self.reopen().await;
            if self.table.next_deadline().is_some_and(|d| d <= time) {
                let _ = self.submit(Who::House, Command::Tick).await;
            }
            self.mark_away().await;
            self.replace_host().await;
            self.ask_bot();
        }
        if self.clients.has_person() && time > self.visited + VISIT_INTERVAL {
            self.visit().await;
        }
        let time = self.now();
        let away_after = millis(self.shared.config.away_after);
        let waits = self.claim_at > time && self.needs_driver();
        let deadline = self.table.next_deadline();
        let next = [
            deadline.filter(|_| !self.archived && !waits),
            waits.then_some(self.claim_at),
            self.absent.values().min().map(|since| since + away_after),
            self.host_gone
                .map(|(_, since)| since + millis(self.shared.config.host_after)),
            self.rest_at(time),
            (self.retry_at > time).then_some(self.retry_at),
        ];
        let next = next
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(time + MAX_CHECK_INTERVAL);
        let next = next.max(self.retry_at.min(time + MAX_CHECK_INTERVAL));
        Duration::from_millis(next.saturating_sub(time).clamp(1, MAX_CHECK_INTERVAL))
    }

    /// Whether one server has to drive the table: a draw or a clock is running, a bot has to move or may make an
    /// offer, or a disconnected player may have to be marked as away.
    fn needs_driver(&self) -> bool {
        if self.host_successor().is_some() || self.table.draw().is_some() {
            return true;
        }
        if self.table.stage() != Stage::Playing {
            return false;
        }
        let Some(waiting) = self.table.waiting_for() else {
            return false;
        };
        let gone = |(person, _, seat): (PersonId, &str, Option<Seat>)| {
            seat.is_some() && self.table.takes_part(person) && !self.clients.has(person)
        };
        waiting.deadline.is_some()
            || TableTask::decides(waiting).is_some()
            || self.table.people().any(gone)
            || self.may_offer(waiting).is_some()
    }

    /// Whether this server drives the table's clocks and bots. Claims the table if necessary.
    async fn drives(&mut self, time: Millis) -> bool {
        if !self.needs_driver() {
            // Everybody is connected: reset the absence timers.
            self.absent.clear();
            self.host_gone = None;
            return false;
        }
        if time < self.claim_at {
            return false;
        }
        let again = match self.shared.cluster.claim(&self.id).await {
            Ok(true) => return true,
            // All tables of a server claim at the same time, so that they share one statement. Each server has its
            // own phase.
            Ok(false) => {
                (time - self.shared.phase).next_multiple_of(CLAIM_INTERVAL) + self.shared.phase
            }
            Err(why) => {
                why.log(&self.id, "claiming");
                time + CLAIM_RETRY
            }
        };
        self.claim_at = again.max(time + 1);
        self.absent.clear();
        false
    }

    /// The time for checking whether the table can be unloaded; `None` if that is past and the table is still needed,
    /// because whatever needs it wakes the task.
    fn rest_at(&self, time: Millis) -> Option<Millis> {
        let rest = self.idle_since + millis(self.shared.config.unload_after);
        let asks = self.clients.is_empty() && (rest > time || self.may_rest());
        asks.then_some(rest)
    }

    /// Whether the table can be unloaded: nobody is connected, and nothing is due soon.
    pub(super) fn may_rest(&self) -> bool {
        let time = self.now();
        let long = millis(self.shared.config.unload_after);
        self.clients.is_empty()
            && self.thinking.is_none()
            && time >= self.idle_since + long
            && self.table.next_deadline().is_none_or(|d| d > time + long)
    }

    /// Stores a visit, and restores an archived table.
    pub(super) async fn visit(&mut self) {
        let time = self.now();
        if time < self.visited + VISIT_INTERVAL && !self.archived {
            return;
        }
        self.visited = time;
        self.archived = false;
        if let Err(why) = self
            .shared
            .storage
            .visit(&self.id, self.shared.clock.now())
            .await
        {
            why.log(&self.id, "noting a visit");
        }
    }

    /// Marks players as away who have been disconnected for a while.
    async fn mark_away(&mut self) {
        if self.table.stage() != Stage::Playing {
            self.absent.clear();
            return;
        }
        let time = self.now();
        let people: Vec<(PersonId, Option<Seat>)> = self
            .table
            .people()
            .map(|(id, _, seat)| (id, seat))
            .collect();
        for (person, seat) in people {
            let Some(seat) = seat else { continue };
            if self.clients.has(person) || !self.table.takes_part(person) {
                self.absent.remove(&person);
                continue;
            }
            let since = *self.absent.entry(person).or_insert(time);
            if time >= since + millis(self.shared.config.away_after) {
                self.absent.remove(&person);
                let _ = self.submit(Who::House, Command::Away { seat }).await;
            }
        }
    }

    /// The person who replaces a disconnected host: a connected one, preferably with a seat. `None` while the host is
    /// connected.
    fn host_successor(&self) -> Option<PersonId> {
        let host = self.table.host()?;
        if self.clients.has(host) {
            return None;
        }
        let here = |(person, _, _): &(PersonId, &str, Option<Seat>)| self.clients.has(*person);
        let mut people: Vec<_> = self.table.people().filter(here).collect();
        people.sort_by_key(|(_, _, seat)| seat.is_none());
        people.first().map(|(person, ..)| *person)
    }

    /// Replaces a host who has been disconnected for a while.
    async fn replace_host(&mut self) {
        let (Some(host), Some(person)) = (self.table.host(), self.host_successor()) else {
            self.host_gone = None;
            return;
        };
        let time = self.now();
        let since = match self.host_gone {
            Some((gone, since)) if gone == host => since,
            _ => time,
        };
        self.host_gone = Some((host, since));
        if time >= since + millis(self.shared.config.host_after) {
            self.host_gone = None;
            let _ = self.submit(Who::House, Command::NewHost { person }).await;
        }
    }

    /// Lets the host mark a disconnected player as away at once.
    pub(super) async fn mark_if_gone(&mut self, by: Who, seat: Seat) {
        let is_host = matches!(by, Who::Person(person) if self.table.host() == Some(person));
        let gone = self.table.people().any(|(person, _, at)| {
            at == Some(seat) && self.table.takes_part(person) && !self.clients.has(person)
        });
        if is_host && gone {
            let _ = self.submit(Who::House, Command::Away { seat }).await;
        }
    }

    /// Asks a bot for an action, or for an offer to its partner, if there is one to ask.
    fn ask_bot(&mut self) {
        let Some(waiting) = self.table.waiting_for() else {
            return;
        };
        let offer = self.may_offer(waiting);
        let decides = TableTask::decides(waiting).map(|level| (waiting.seat, level));
        let Some((seat, level)) = offer.or(decides) else {
            return;
        };
        let offer = offer.is_some();
        let game = self.table.games();
        // Bots wait while no player is connected to any server.
        if self.thinking.is_some() || self.archived || !self.clients.has_player(&self.table) {
            return;
        }
        // If everybody is connected to other servers, such tables share one queue.
        let unknown = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let address = self.clients.first_address().unwrap_or(unknown);
        if self.minds_of_game != game {
            self.minds.clear();
            self.minds_of_game = game;
        }
        let Some((mind, question)) = self.question(seat, level, offer) else {
            return;
        };
        self.thinking = Some((game, waiting.decision));
        let (shared, own) = (Arc::clone(&self.shared), self.own.clone());
        tokio::spawn(async move {
            let (mind, action) = shared.bots.ask(address, mind, question).await;
            let answer = BotAnswer {
                game,
                decision: waiting.decision,
                seat,
                level,
                mind,
                action,
                offer,
            };
            if let Some(own) = own.upgrade() {
                let _ = own.send(TableMessage::BotAnswered(answer)).await;
            }
        });
    }

    fn question(
        &mut self,
        seat: Seat,
        level: BotLevel,
        offer: bool,
    ) -> Option<(Box<dyn Mind>, BotQuestion)> {
        let (heard, mind) = self.minds.remove(&(seat, level)).unwrap_or_else(|| {
            let seed = secrets::seed().0;
            let seed = u64::from_le_bytes(seed[..8].try_into().unwrap_or_default());
            (0, self.shared.bots.mind(level, seat, seed))
        });
        let (view, events) = self.table.bot_view(seat, heard)?;
        let legal = if offer {
            self.offers()
        } else {
            self.table.legal(seat)
        };
        let question = BotQuestion {
            view,
            events,
            legal,
            offer,
        };
        Some((mind, question))
    }

    pub(super) async fn bot_answers(&mut self, answer: BotAnswer) {
        self.thinking = None;
        if answer.offer {
            return self.bot_offers(answer).await;
        }
        let open = self.table.waiting_for().filter(|w| {
            w.decision == answer.decision
                && w.seat == answer.seat
                && w.by == Decider::Bot(answer.level)
                && self.table.games() == answer.game
        });
        if let (Some(mind), Some(_)) = (answer.mind, open) {
            // The decision is still open, so there were no events since the question, and the bot is up to date. The
            // mind of an outdated answer is dropped; its successor gets the events from the beginning.
            let heard = self.table.number();
            self.minds
                .insert((answer.seat, answer.level), (heard, mind));
        }
        if open.is_none() {
            // The person came back, or the game ended: the answer is outdated.
            return;
        }
        let act = |action| Command::Act {
            action,
            decision: Some(answer.decision),
        };
        let by = Who::Bot(answer.seat);
        let refused = match answer.action {
            Some(action) => match self.submit(by, act(action)).await {
                Err(why) if why.code == ErrorCode::Illegal => Some(why.message),
                _ => return,
            },
            None => Some("it had no answer".into()),
        };
        tracing::warn!(
            table = secrets::short(&self.id),
            level = answer.level.name(),
            why = refused,
            "a bot's answer was of no use"
        );
        if let Some(&action) = self.table.legal(answer.seat).first() {
            let _ = self.submit(by, act(action)).await;
        }
    }
}
