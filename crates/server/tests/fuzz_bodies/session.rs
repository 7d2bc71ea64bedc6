//! Whole sessions at a table: bytes choose the people and their commands, valid or not. The table is compared with a
//! simple model of the seats and of refusals. A second table replays the record of the first and has to show the same
//! to everybody.

use towers_rules::Seat;
use towers_table::{
    BotLevel, ClientMessage, Command, Decider, Entry, Header, Hex, Millis, PersonId, Record, Table,
    TableView, Who, commitment_to_number,
};

use super::choices::SessionChoices;
use super::model::{ExpectedResult, ExpectedSeats};

const CONNECTIONS: usize = 4;

struct TableRun {
    table: Table,
    again: Table,
    record: Record,
    model: ExpectedSeats,
    now: Millis,
}

fn key(connection: usize) -> String {
    format!("key {connection}")
}

/// Plays a session; returns the accepted entries.
pub fn play(bytes: &[u8]) -> Vec<Entry> {
    let mut choices = SessionChoices::new(bytes);
    let Some(settings) = choices.settings() else {
        return Vec::new();
    };
    let mut header = Header::new("fuzz", settings, "Host", &key(0), 0);
    if choices.below(4) != Some(0) {
        header = header.with_secret(Hex([3; 32]));
    }
    let table = Table::create(&header).expect("these can be played");
    let mut session = TableRun {
        again: table.clone(),
        model: ExpectedSeats::of(&table.view(None)),
        table,
        record: Record::new(header),
        now: 1,
    };
    // Usually a game starts at once, since random commands rarely start one.
    if let Some(people @ 1..) = choices.below(4) {
        session.begin(people);
    }
    while session.step(&mut choices).is_some() {}
    let text = session.record.to_text();
    towers_table::verify_text(&text).unwrap_or_else(|why| panic!("{why} in {text}"));
    session.record.entries
}

impl TableRun {
    /// Seats this many people, puts bots on the other seats, and starts a game.
    fn begin(&mut self, people: usize) {
        let seats = self.table.view(None).seats.len();
        for i in 0..seats {
            let (by, command) = if i < people {
                let sit = Command::Sit {
                    name: Some(format!("Person {i}")),
                    seat: None,
                    colour: None,
                    key: key(i),
                    program: false,
                };
                (self.who(i), sit)
            } else {
                let level = BotLevel::ALL[0];
                (self.who(0), Command::AddBot { seat: None, level })
            };
            self.submit(by, &command, ExpectedResult::Accept);
        }
        let number = Hex([0; 32]);
        let commit = Command::Commit {
            commitment: commitment_to_number(&number),
        };
        if self.table.view(None).next_commitment.is_some() {
            self.submit(self.who(0), &commit, ExpectedResult::Accept);
        }
        self.submit(self.who(0), &Command::Start, ExpectedResult::Accept);
        if self.table.draw().is_some() {
            self.submit(
                self.who(0),
                &Command::Reveal { number },
                ExpectedResult::Accept,
            );
        }
    }

    fn who(&self, connection: usize) -> Who {
        let person = self.table.person_by_key(&key(connection));
        person.map_or(Who::Stranger, Who::Person)
    }

    /// Sends a command, or lets time pass.
    fn step(&mut self, choices: &mut SessionChoices) -> Option<()> {
        let by = choices.below(CONNECTIONS + 2)?;
        self.now += [0, 1, 500, 7000][choices.below(4)?];
        if by == CONNECTIONS {
            return self.house(choices);
        }
        if by == CONNECTIONS + 1 {
            return self.bot(choices);
        }
        let person = self.table.person_by_key(&key(by));
        let waiting = self.table.waiting_for();
        let others = waiting.map_or(Vec::new(), |w| self.table.legal(w.seat));
        let game = self.table.game_view(person);
        let command = choices.command(game.as_ref(), &others)?;
        // Use the serialized form, as received from a socket.
        let message = ClientMessage::Do { id: 1, command };
        let text = serde_json::to_string(&message).expect("messages are plain data");
        let read = serde_json::from_str(&text);
        let Ok(ClientMessage::Do { mut command, .. }) = read else {
            panic!("{text} is not understood");
        };
        if let Command::Sit { key: own, .. } = &mut command {
            *own = key(by);
        }
        let who = self.who(by);
        let due = self.model.due(&self.table.view(person), who, &command);
        self.submit(who, &command, due);
        Some(())
    }

    fn house(&mut self, choices: &mut SessionChoices) -> Option<()> {
        let command = match choices.below(4)? {
            0 => Command::Reopen,
            1 => Command::Away {
                seat: Seat(choices.below(7)? as u8),
            },
            _ => {
                self.now = self.now.max(self.table.next_deadline().unwrap_or(0));
                Command::Tick
            }
        };
        self.submit(Who::House, &command, ExpectedResult::Either);
        Some(())
    }

    fn bot(&mut self, choices: &mut SessionChoices) -> Option<()> {
        let n = choices.below(256)?;
        let Some(waiting) = self.table.waiting_for() else {
            return Some(());
        };
        let legal = self.table.legal(waiting.seat);
        let act = Command::Act {
            action: legal[n % legal.len()],
            decision: Some(waiting.decision),
        };
        let due = match waiting.by {
            Decider::Bot(_) => ExpectedResult::Accept,
            Decider::Person(_) => ExpectedResult::Refuse,
        };
        self.submit(Who::Bot(waiting.seat), &act, due);
        Some(())
    }

    fn submit(&mut self, by: Who, command: &Command, due: ExpectedResult) {
        let people: Vec<PersonId> = self.table.people().map(|p| p.0).collect();
        let views = |table: &Table| -> Vec<TableView> {
            let everybody = people.iter().copied().map(Some).chain([None]);
            everybody.map(|person| table.view(person)).collect()
        };
        let before = views(&self.table);
        let seed = Hex([self.table.number() as u8; 32]);
        match self.table.prepare(self.now, by, command.clone(), &seed) {
            Err(why) => {
                assert_ne!(
                    due,
                    ExpectedResult::Accept,
                    "{by:?} {command:?} was refused: {why}"
                );
                assert_eq!(
                    views(&self.table),
                    before,
                    "what is refused changes nothing"
                );
                assert!(!why.refusal().message.is_empty());
            }
            Ok(prepared) => {
                assert_ne!(
                    due,
                    ExpectedResult::Refuse,
                    "{by:?} {command:?} was accepted"
                );
                assert_eq!(
                    views(&self.table),
                    before,
                    "nothing counts before it is stored"
                );
                let number = self.table.number();
                let line = self.table.commit(prepared).to_line();
                assert_eq!(self.table.number(), number + 1);
                self.learn(by, command, &before[0]);
                let entry: Entry = serde_json::from_str(&line).expect("entries can be read");
                self.again.replay(&entry).expect("entries can be replayed");
                assert_eq!(views(&self.again), views(&self.table), "{line}");
                self.record.entries.push(entry);
            }
        }
        // Spectators see a hand only where everybody plays from the same one (R16.1).
        let watched = self.table.view(None);
        let shares = self
            .table
            .state()
            .is_some_and(towers_rules::State::shares_hand);
        assert!(shares || watched.game.is_none_or(|g| g.view.hand.is_none()));
    }

    fn learn(&mut self, by: Who, command: &Command, before: &TableView) {
        let person = match (by, command) {
            (Who::Person(person), _) => Some(person),
            (Who::Stranger, Command::Sit { key, .. }) => self.table.person_by_key(key),
            _ => None,
        };
        self.model.learn(person, command, before);
        let leaver = person.filter(|_| *command == Command::Leave);
        self.model.check(before, &self.table.view(None), leaver);
    }
}
