//! A table on this device: the same authority that a server runs. Several persons share the device.

use std::collections::VecDeque;

use towers_rules::{Action, Event, Phase, Seat, View, Viewer};
use towers_table::{
    BotLevel, ClientMessage, Command, Decider, Header, Millis, PersonId, Record, Rejection, Seed,
    Seen, ServerMessage, Stage, Table, TableView, Taken, Update, Who,
};

use crate::model::Model;
use crate::plan::{Plan, Sitter};

/// What the table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A person decides.
    Person(PersonId, Seat),
    /// A bot decides.
    Bot {
        seat: Seat,
        level: BotLevel,
        decision: u64,
    },
    /// Nothing: the game is over.
    Nothing,
}

/// Why a stored game cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReopened {
    /// There is no such game.
    Missing,
    /// An earlier version of the program stored it, with other rules.
    Earlier,
    /// It cannot be read, or does not follow the rules.
    Damaged,
}

/// A table on this device.
#[derive(Clone, Debug)]
pub struct LocalTable {
    table: Table,
    record: Record,
    viewer: PersonId,
    /// Whether the device was handed to a person who may act out of turn. It stays with them until they act or hand it
    /// on.
    is_lent: bool,
    outbox: VecDeque<ServerMessage>,
}

impl LocalTable {
    /// Opens a table for a plan and starts the game.
    pub fn open(id: &str, plan: &Plan, now: Millis, seed: &Seed) -> Result<LocalTable, Rejection> {
        let mut local = LocalTable::seat(id, plan, now, seed)?;
        local.start(now, seed)?;
        Ok(local)
    }

    /// Opens a table for a plan and seats all players without starting the game.
    pub fn seat(id: &str, plan: &Plan, now: Millis, seed: &Seed) -> Result<LocalTable, Rejection> {
        let host = plan.host().map_or("1", |(_, name)| name);
        let header = Header::new(id, plan.settings.clone(), host, "", now);
        let mut local = LocalTable {
            table: Table::create(&header)?,
            record: Record::new(header),
            viewer: PersonId(0),
            is_lent: false,
            outbox: VecDeque::new(),
        };
        let mut first = true;
        for (i, (colour, sitter)) in plan.seats.iter().enumerate() {
            let Sitter::Person { name } = sitter else {
                continue;
            };
            let by = if first {
                Who::Person(PersonId(0))
            } else {
                Who::Stranger
            };
            let sit = Command::Sit {
                name: Some(name.clone()),
                seat: Some(Seat(i as u8)),
                colour: Some(*colour),
                key: String::new(),
                program: false,
            };
            local.submit(now, by, sit, seed)?;
            first = false;
        }
        for (i, (_, sitter)) in plan.seats.iter().enumerate() {
            if let Sitter::Bot { level } = sitter {
                let add = Command::AddBot {
                    seat: Some(Seat(i as u8)),
                    level: *level,
                };
                local.submit(now, Who::Person(PersonId(0)), add, seed)?;
            }
        }
        Ok(local)
    }

    /// Starts the game once all players are seated.
    pub fn start(&mut self, now: Millis, seed: &Seed) -> Result<(), Rejection> {
        self.submit(now, Who::Person(PersonId(0)), Command::Start, seed)?;
        self.follow_decider();
        Ok(())
    }

    /// Sets for all persons at this device whether they are asked before and after every action (R13.2).
    pub fn set_stops(&mut self, now: Millis, everywhere: bool) -> Result<(), Rejection> {
        for person in self.persons() {
            let stops = Command::Stops { everywhere };
            self.submit(now, Who::Person(person), stops, &towers_table::Hex([0; 32]))?;
        }
        Ok(())
    }

    /// Makes the person who decides the viewer.
    fn follow_decider(&mut self) {
        if let Need::Person(person, _) = self.need() {
            self.viewer = person;
        }
    }

    /// Restores a stored table.
    pub fn reopen(text: &str) -> Result<LocalTable, NotReopened> {
        let record = Record::from_text(text).map_err(|_| NotReopened::Damaged)?;
        let table = record.rebuild().map_err(|why| {
            if why.earlier {
                NotReopened::Earlier
            } else {
                NotReopened::Damaged
            }
        })?;
        let mut local = LocalTable {
            table,
            record,
            viewer: PersonId(0),
            is_lent: false,
            outbox: VecDeque::new(),
        };
        local.follow_decider();
        Ok(local)
    }

    /// The record, for storage.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// What the table waits for.
    pub fn need(&self) -> Need {
        match self.table.waiting_for() {
            None => Need::Nothing,
            Some(waiting) => match waiting.by {
                Decider::Person(person) => Need::Person(person, waiting.seat),
                Decider::Bot(level) => Need::Bot {
                    seat: waiting.seat,
                    level,
                    decision: waiting.decision,
                },
            },
        }
    }

    /// The persons at this device.
    pub fn persons(&self) -> Vec<PersonId> {
        self.table
            .people()
            .filter(|(_, _, seat)| seat.is_some())
            .map(|(id, ..)| id)
            .collect()
    }

    /// The current viewer.
    pub fn viewer(&self) -> PersonId {
        self.viewer
    }

    /// Hands the device to a person and switches to their view.
    pub fn hand_to(&mut self, person: PersonId) {
        self.is_lent = self.may_act_out_of_turn() == Some(person);
        self.viewer = person;
    }

    /// The person who must take the device before the game can continue.
    pub fn hand_over(&self) -> Option<PersonId> {
        self.decides_elsewhere().filter(|_| !self.is_lent)
    }

    /// The person who decides, if they are not the current viewer.
    fn decides_elsewhere(&self) -> Option<PersonId> {
        match self.need() {
            Need::Person(person, _) if person != self.viewer => Some(person),
            _ => None,
        }
    }

    /// Whether all persons may see the same, so that the device need not be handed over.
    pub fn is_open(&self) -> bool {
        self.table
            .state()
            .is_some_and(towers_rules::State::shares_hand)
    }

    /// The table as the current viewer may see it.
    pub fn view(&self) -> TableView {
        self.table.view(Some(self.viewer))
    }

    /// The events since the table opened, as far as the current viewer may still read them.
    pub fn past(&self) -> Vec<Seen> {
        (0..self.table.number())
            .find_map(|n| self.table.since(Some(self.viewer), n))
            .unwrap_or_default()
    }

    /// The model of the game for the current viewer, with its log.
    pub fn model(&self) -> Option<Model> {
        let mut model = Model::new(self.view())?;
        if self.persons().len() > 1 {
            model.share();
        }
        model.remember(&self.past());
        Some(model)
    }

    /// The view of a bot, and the events it observed after this number.
    pub fn bot_view(&self, seat: Seat, after: u64) -> Option<(View, Vec<Event>)> {
        self.table.bot_view(seat, after)
    }

    /// The view for a hint at this seat: in the player's own opening window, the choice of a card (R13.2).
    pub fn hint_view(&self, seat: Seat, after: u64) -> Option<(View, Vec<Event>)> {
        let (view, events) = self.bot_view(seat, after)?;
        let state = self.table.state()?;
        let own_opening = view.turn.phase == Phase::Opening && view.turn.active == seat;
        if own_opening && view.turn.actor == seat {
            return Some((state.after_opening().view(Viewer::Seat(seat)), events));
        }
        Some((view, events))
    }

    /// The number of the last event.
    pub fn number(&self) -> u64 {
        self.table.number()
    }

    /// A bot that may offer its partner something now (R12.2, R12.3).
    pub fn bot_partner(&self) -> Option<(Seat, BotLevel)> {
        let (seat, _) = self.table.state()?.partner_actions()?;
        match self.table.view(None).seats.get(seat.index())?.taken {
            Taken::Bot { level } => Some((seat, level)),
            _ => None,
        }
    }

    /// The person at this device who may offer their partner something now.
    fn may_act_out_of_turn(&self) -> Option<PersonId> {
        let (seat, _) = self.table.state()?.partner_actions()?;
        let mut people = self.table.people();
        people
            .find(|(_, _, at)| *at == Some(seat))
            .map(|(id, ..)| id)
    }

    /// If one of two partners at this device decides and the other may offer something, the one who is not the viewer.
    pub fn human_partner(&self) -> Option<PersonId> {
        let partner = self.may_act_out_of_turn()?;
        if partner == self.viewer {
            self.decides_elsewhere()
        } else {
            Some(partner)
        }
    }

    /// Submits a bot's decision.
    pub fn bot_acts(
        &mut self,
        now: Millis,
        seat: Seat,
        action: Action,
        decision: Option<u64>,
    ) -> Result<(), Rejection> {
        self.submit(
            now,
            Who::Bot(seat),
            Command::Act { action, decision },
            &towers_table::Hex([0; 32]),
        )
    }

    /// Applies what is due by the clock. Returns whether anything was due.
    pub fn tick(&mut self, now: Millis) -> bool {
        self.table.next_deadline().is_some_and(|at| now >= at)
            && self
                .submit(now, Who::House, Command::Tick, &towers_table::Hex([0; 32]))
                .is_ok()
    }

    /// Restarts the clock of the open decision after the table was closed for a while.
    pub fn reopened(&mut self, now: Millis) {
        if self.table.next_deadline().is_some() {
            // A rejection is ignored: a finished game has no clock.
            let _ = self.submit(
                now,
                Who::House,
                Command::Reopen,
                &towers_table::Hex([0; 32]),
            );
        }
    }

    /// Starts another game with the same players.
    pub fn rematch(&mut self, now: Millis, seed: &Seed) -> Result<(), Rejection> {
        for person in self.persons() {
            if self.table.stage() == Stage::Over {
                self.submit(now, Who::Person(person), Command::Rematch, seed)?;
            }
        }
        Ok(())
    }

    fn submit(
        &mut self,
        now: Millis,
        by: Who,
        command: Command,
        seed: &Seed,
    ) -> Result<(), Rejection> {
        let entry = self.table.submit(now, by, command, seed)?;
        self.is_lent = false;
        self.record.entries.push(entry);
        if let Some(seen) = self.table.seen(Some(self.viewer)) {
            self.outbox
                .push_back(ServerMessage::Happened(Update { now, seen }));
        }
        Ok(())
    }

    /// Handles a message from the current viewer, as a server would.
    pub fn send(&mut self, now: Millis, message: ClientMessage) {
        match message {
            ClientMessage::Hello { .. } | ClientMessage::View => {
                let view = Box::new(self.view());
                self.outbox.push_back(ServerMessage::View { now, view });
            }
            ClientMessage::Do { id, command } => {
                let answer = match self.submit(
                    now,
                    Who::Person(self.viewer),
                    command,
                    &towers_table::Hex([0; 32]),
                ) {
                    Ok(()) => ServerMessage::Accepted {
                        id,
                        number: self.number(),
                        happened: None,
                    },
                    Err(why) => ServerMessage::Rejected {
                        id,
                        why: why.refusal(),
                    },
                };
                self.outbox.push_back(answer);
            }
        }
    }

    /// The next message for the current viewer.
    pub fn receive(&mut self) -> Option<ServerMessage> {
        self.outbox.pop_front()
    }
}

#[cfg(test)]
mod tests;
