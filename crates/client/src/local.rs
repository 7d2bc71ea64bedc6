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

/// A table on this device.
#[derive(Clone, Debug)]
pub struct LocalTable {
    table: Table,
    record: Record,
    looking: PersonId,
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
            looking: PersonId(0),
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
        self.look();
        Ok(())
    }

    /// Makes the person who decides the viewer.
    fn look(&mut self) {
        if let Need::Person(person, _) = self.need() {
            self.looking = person;
        }
    }

    /// Restores a stored table.
    pub fn reopen(text: &str) -> Option<LocalTable> {
        let record = Record::from_text(text).ok()?;
        let table = record.rebuild().ok()?;
        let mut local = LocalTable {
            table,
            record,
            looking: PersonId(0),
            is_lent: false,
            outbox: VecDeque::new(),
        };
        local.look();
        Some(local)
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
    pub fn looking(&self) -> PersonId {
        self.looking
    }

    /// Hands the device to a person and switches to their view.
    pub fn hand_to(&mut self, person: PersonId) {
        self.is_lent = self.may_act_out_of_turn() == Some(person);
        self.looking = person;
    }

    /// The person who must take the device before the game can continue.
    pub fn hand_over(&self) -> Option<PersonId> {
        self.decides_elsewhere().filter(|_| !self.is_lent)
    }

    /// The person who decides, if they are not the current viewer.
    fn decides_elsewhere(&self) -> Option<PersonId> {
        match self.need() {
            Need::Person(person, _) if person != self.looking => Some(person),
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
        self.table.view(Some(self.looking))
    }

    /// The events since the table opened, as far as the current viewer may still read them.
    pub fn past(&self) -> Vec<Seen> {
        (0..self.table.number())
            .find_map(|n| self.table.since(Some(self.looking), n))
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
        if partner == self.looking {
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
        if let Some(seen) = self.table.seen(Some(self.looking)) {
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
                    Who::Person(self.looking),
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
mod tests {
    use super::*;
    use towers_table::Hex;

    fn seed() -> Seed {
        Hex([5; 32])
    }

    /// Plays the first legal action until nobody has to act, at most `most` times.
    fn play(local: &mut LocalTable, most: usize) {
        for _ in 0..most {
            let seat = match local.need() {
                Need::Nothing => return,
                Need::Person(person, seat) => {
                    local.hand_to(person);
                    seat
                }
                Need::Bot { seat, .. } => seat,
            };
            let (view, _) = local.bot_view(seat, 0).unwrap();
            let list = view.legal_actions().unwrap();
            let action = list.get(local.number() as usize * 7 % list.len()).unwrap();
            if matches!(local.need(), Need::Bot { .. }) {
                local.bot_acts(1, seat, action, None).unwrap();
            } else {
                let command = Command::Act {
                    action,
                    decision: None,
                };
                local.send(1, ClientMessage::Do { id: 1, command });
            }
            while let Some(message) = local.receive() {
                assert!(
                    !matches!(message, ServerMessage::Rejected { .. }),
                    "{message:?}"
                );
            }
        }
    }

    #[test]
    fn a_game_with_a_chosen_start_can_be_verified() {
        let mut plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
        plan.settings.start = towers_table::Start::Seat(Seat(0));
        let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
        play(&mut local, 5000);
        assert_eq!(local.need(), Need::Nothing);
        let verified = towers_table::verify_text(&local.record().to_text());
        assert!(verified.is_ok(), "{verified:?}");
    }

    #[test]
    fn a_kept_game_goes_on_where_it_was() {
        let plan = Plan::against_bots("Ann", 2, BotLevel::Novice);
        let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
        play(&mut local, 40);
        let again = LocalTable::reopen(&local.record().to_text()).unwrap();
        assert_eq!(again.need(), local.need());
        assert_eq!(again.view().game, local.view().game);
        assert!(!again.past().is_empty());
    }

    #[test]
    fn a_solo_game_comes_to_its_end_and_can_be_played_again() {
        let plan = Plan::solo("Ann", true);
        let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
        play(&mut local, 3000);
        assert_eq!(local.need(), Need::Nothing);
        assert!(local.view().ending.is_some());
        local.rematch(2, &Hex([6; 32])).unwrap();
        assert_ne!(local.need(), Need::Nothing);
    }

    #[test]
    fn the_device_is_handed_over_and_shows_each_their_own_cards() {
        let plan = Plan::hot_seat(&["Ann".into(), "Ben".into()]);
        let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
        let first = local.looking();
        let hand = |local: &LocalTable| local.view().game.unwrap().view.hand;
        let seen = hand(&local);
        for _ in 0..20 {
            if local.hand_over().is_some() {
                break;
            }
            play(&mut local, 1);
        }
        let Need::Person(second, _) = local.need() else {
            panic!("a person is to act")
        };
        local.hand_to(second);
        assert_ne!(first, second, "the turn goes to the other person");
        assert_ne!(hand(&local), seen, "who sees their own cards");
        assert_eq!(local.hand_over(), None);
    }

    #[test]
    fn r12_2_a_partner_keeps_the_device_until_a_card_is_offered() {
        let names = ["Ann", "Ben", "Cleo", "Dan"].map(String::from);
        let mut plan = Plan::hot_seat(&names);
        plan.settings.options.teams = true;
        let mut local = LocalTable::open("t", &plan, 0, &seed()).unwrap();
        let Need::Person(active, _) = local.need() else {
            panic!("a person is to act")
        };
        let partner = local.human_partner().expect("the partner may offer a card");
        assert_ne!(active, partner);
        local.hand_to(partner);
        assert_eq!((local.looking(), local.hand_over()), (partner, None));
        // The partner can hand the device back.
        assert_eq!(local.human_partner(), Some(active));
        local.hand_to(active);
        assert_eq!((local.looking(), local.hand_over()), (active, None));
        local.hand_to(partner);
        let game = local.view().game.unwrap();
        let offer = game
            .optional
            .iter()
            .find(|a| matches!(a, Action::Offer(_)))
            .copied()
            .expect("a card can be offered");
        let command = Command::Act {
            action: offer,
            decision: None,
        };
        local.send(1, ClientMessage::Do { id: 1, command });
        assert_eq!(local.hand_over(), Some(active));
    }
}
