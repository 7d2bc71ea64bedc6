//! Whole sessions: bytes choose who says what at a table, sense or nonsense. A simple model of the
//! seats, and of what has to be refused, is held against the table; a second table is fed with the
//! record of the first and has to show the same to everybody.

use rules::{Action, Seat};
use table::{
    BotLevel, ClientMessage, Command, Decider, Emote, Entry, Header, Hex, Millis, PassAhead,
    PersonId, Record, Settings, Stage, Table, TableView, Taken, Who,
};

/// Tables of different kinds.
const SETTINGS: [&str; 8] = [
    "{}",
    r#"{"seats":3,"options":{"reactions":true},"spells":{"random":6},"reaction_seconds":5}"#,
    r#"{"seats":4,"options":{"teams":true}}"#,
    r#"{"options":{"mode":"solo"}}"#,
    r#"{"seats":2,"clock":{"kind":"move","seconds":5},"options":{"memory":"strict"}}"#,
    r#"{"seats":2,"clock":{"kind":"bank","seconds":60,"increment":2}}"#,
    r#"{"seats":3,"options":{"mode":"coop"}}"#,
    r#"{"seats":2,"options":{"max_rounds":1}}"#,
];

const TEXTS: [&str; 8] = [
    "Ann",
    "Ben",
    "<b>Cy</b>",
    "",
    "\u{202e}nnA",
    "Di\u{0}",
    "ann",
    "a name that is far too long to be called out at a table",
];

/// How many connections say something.
const CONNECTIONS: usize = 4;

/// Bytes that choose; when there are no more, the session is over.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> Option<usize> {
        self.0.next().map(|b| usize::from(*b) % n.max(1))
    }

    /// A seat that may be left out.
    fn seat(&mut self) -> Option<Seat> {
        let n = self.below(8).unwrap_or(7);
        (n < 7).then_some(Seat(n as u8))
    }
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq)]
enum Holder {
    Nobody,
    Person(PersonId),
    Bot(BotLevel),
}

struct Session {
    table: Table,
    again: Table,
    record: Record,
    seats: Vec<Holder>,
    now: Millis,
}

/// What has to come of a command.
#[derive(PartialEq, Debug)]
enum Due {
    Accept,
    Refuse,
    Either,
}

fn key(connection: usize) -> String {
    format!("key {connection}")
}

/// Plays a session.
pub fn play(bytes: &[u8]) {
    let mut choices = Choices(bytes.iter());
    let Some(kind) = choices.below(SETTINGS.len()) else {
        return;
    };
    let settings: Settings = serde_json::from_str(SETTINGS[kind]).expect("these are settings");
    let header = Header::new("fuzz", settings, "Host", &key(0), 0);
    let table = Table::create(&header).expect("these can be played");
    let mut session = Session {
        again: table.clone(),
        seats: vec![Holder::Nobody; table.view(None).seats.len()],
        table,
        record: Record::new(header),
        now: 1,
    };
    while session.step(&mut choices).is_some() {}
    let text = session.record.to_text();
    table::verify_text(&text).unwrap_or_else(|why| panic!("{why} in {text}"));
}

impl Session {
    /// Somebody says something, or time passes.
    fn step(&mut self, choices: &mut Choices) -> Option<()> {
        let by = choices.below(CONNECTIONS + 2)?;
        self.now += [0, 1, 500, 7000][choices.below(4)?];
        if by == CONNECTIONS {
            return self.house(choices);
        }
        if by == CONNECTIONS + 1 {
            return self.bot(choices);
        }
        let person = self.table.person_by_key(&key(by));
        let who = person.map_or(Who::Stranger, Who::Person);
        let command = self.command(person, choices)?;
        // As it comes through the socket.
        let message = ClientMessage::Do { id: 1, command };
        let text = serde_json::to_string(&message).expect("messages are plain data");
        let read = serde_json::from_str(&text);
        let Ok(ClientMessage::Do { mut command, .. }) = read else {
            panic!("{text} is not understood");
        };
        if let Command::Sit { key: own, .. } = &mut command {
            *own = key(by);
        }
        let due = self.due(who, &command);
        self.submit(who, &command, &due);
        Some(())
    }

    fn house(&mut self, choices: &mut Choices) -> Option<()> {
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
        self.submit(Who::House, &command, &Due::Either);
        Some(())
    }

    fn bot(&mut self, choices: &mut Choices) -> Option<()> {
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
            Decider::Bot(_) => Due::Accept,
            Decider::Person(_) => Due::Refuse,
        };
        self.submit(Who::Bot(waiting.seat), &act, &due);
        Some(())
    }

    fn command(&self, person: Option<PersonId>, choices: &mut Choices) -> Option<Command> {
        let levels = BotLevel::ALL;
        Some(match choices.below(20)? {
            0 | 1 => Command::Sit {
                name: Some(TEXTS[choices.below(TEXTS.len())?].into()),
                seat: choices.seat(),
                colour: None,
                key: "mine".into(),
            },
            2 => Command::Leave,
            3 => Command::Ready {
                ready: choices.below(2)? == 0,
            },
            4 => Command::AddBot {
                seat: choices.seat(),
                level: levels[choices.below(levels.len())?],
            },
            5 => Command::Remove {
                seat: Seat(choices.below(7)? as u8),
            },
            6 => Command::Start,
            7 => Command::Chat {
                text: TEXTS[choices.below(TEXTS.len())?].into(),
            },
            8 => match choices.below(4)? {
                0 => Command::Emote { emote: Emote::Wow },
                1 => Command::PassAhead {
                    until: Some(PassAhead::Turn),
                },
                2 => Command::Replace {
                    seat: Seat(choices.below(7)? as u8),
                    level: None,
                },
                _ => Command::Tick,
            },
            9 => Command::Back,
            10 => Command::End {
                agree: choices.below(2)? == 0,
            },
            11 => Command::Rematch,
            12 => Command::Configure {
                settings: serde_json::from_str(SETTINGS[choices.below(SETTINGS.len())?])
                    .expect("these are settings"),
            },
            // Mostly they play.
            _ => self.act(person, choices)?,
        })
    }

    /// Something to do in the game: what is legal, what is legal for somebody else, what was legal.
    fn act(&self, person: Option<PersonId>, choices: &mut Choices) -> Option<Command> {
        let n = choices.below(256)?;
        let game = self.table.game_view(person);
        let waiting = self.table.waiting_for();
        let mut list: Vec<Action> = game.iter().flat_map(|g| &g.legal).copied().collect();
        if list.is_empty() {
            list = game.iter().flat_map(|g| &g.optional).copied().collect();
        }
        if list.is_empty() {
            list = waiting.map_or(Vec::new(), |w| self.table.legal(w.seat));
        }
        let decision = waiting.map(|w| w.decision);
        Some(match list.get(n % list.len().max(1)) {
            Some(&action) => Command::Act {
                action,
                decision: if n == 255 { Some(0) } else { decision },
            },
            None => Command::Start,
        })
    }

    /// What the rules of the table say about a command, as far as that is simple.
    fn due(&self, by: Who, command: &Command) -> Due {
        let Who::Person(person) = by else {
            return match command {
                Command::Sit { .. } if self.table.stage() != Stage::Playing => Due::Either,
                _ => Due::Refuse,
            };
        };
        let view = self.table.view(Some(person));
        let playing = view.stage == Stage::Playing;
        match command {
            Command::Tick | Command::Reopen | Command::Away { .. } => Due::Refuse,
            Command::Sit { .. } | Command::Ready { .. } if playing => Due::Refuse,
            Command::Configure { .. } | Command::AddBot { .. } | Command::Remove { .. }
                if playing || !view.you.host =>
            {
                Due::Refuse
            }
            Command::Start if playing || !view.you.host => Due::Refuse,
            Command::Start if self.seats.contains(&Holder::Nobody) => Due::Refuse,
            Command::Act { action, decision } => Session::due_act(&view, *action, *decision),
            _ => Due::Either,
        }
    }

    fn due_act(view: &TableView, action: Action, decision: Option<u64>) -> Due {
        let Some(game) = &view.game else {
            return Due::Refuse;
        };
        let open = game.waiting.map(|w| w.decision);
        if open.is_none() || decision.is_some_and(|d| Some(d) != open) {
            return Due::Refuse;
        }
        if game.legal.contains(&action) || game.optional.contains(&action) {
            return Due::Accept;
        }
        Due::Refuse
    }

    fn submit(&mut self, by: Who, command: &Command, due: &Due) {
        let people: Vec<PersonId> = self.table.people().map(|p| p.0).collect();
        let views = |table: &Table| -> Vec<TableView> {
            let everybody = people.iter().copied().map(Some).chain([None]);
            everybody.map(|person| table.view(person)).collect()
        };
        let before = views(&self.table);
        let seed = Hex([self.table.number() as u8; 32]);
        match self.table.prepare(self.now, by, command.clone(), &seed) {
            Err(why) => {
                assert_ne!(*due, Due::Accept, "{by:?} {command:?} was refused: {why}");
                assert_eq!(
                    views(&self.table),
                    before,
                    "what is refused changes nothing"
                );
                assert!(!why.refusal().code.is_empty());
            }
            Ok(prepared) => {
                assert_ne!(*due, Due::Refuse, "{by:?} {command:?} was accepted");
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
        // Spectators see a hand where everybody plays from the same one, and nowhere else (R16.1).
        let watched = self.table.view(None);
        let shares = self.table.state().is_some_and(rules::State::shares_hand);
        assert!(shares || watched.game.is_none_or(|g| g.view.hand.is_none()));
    }

    /// What an accepted command does to the seats.
    fn learn(&mut self, by: Who, command: &Command, before: &TableView) {
        let person = match (by, command) {
            (Who::Person(person), _) => Some(person),
            (Who::Stranger, Command::Sit { key, .. }) => self.table.person_by_key(key),
            _ => None,
        };
        let own = person.and_then(|p| self.seats.iter().position(|s| *s == Holder::Person(p)));
        let open = self.seats.iter().position(|s| *s == Holder::Nobody);
        match (command, person) {
            (Command::Sit { seat, .. }, Some(person)) => {
                let seat = seat
                    .map(Seat::index)
                    .or(own)
                    .or(open)
                    .expect("there is one");
                if let Some(own) = own {
                    self.seats[own] = Holder::Nobody;
                }
                self.seats[seat] = Holder::Person(person);
            }
            (Command::Leave, _) if before.stage != Stage::Playing => {
                if let Some(own) = own {
                    self.seats[own] = Holder::Nobody;
                }
            }
            (Command::AddBot { seat, level }, _) => {
                let seat = seat.map(Seat::index).or(open).expect("there is one");
                self.seats[seat] = Holder::Bot(*level);
            }
            (Command::Remove { seat }, _) => self.seats[seat.index()] = Holder::Nobody,
            (Command::Configure { settings }, _) => {
                self.seats
                    .resize(usize::from(settings.seats), Holder::Nobody);
            }
            _ => {}
        }
        let view = self.table.view(None);
        // Who left during a game is gone for good some time after its end.
        for (i, seat) in view.seats.iter().enumerate() {
            let leaves = *command == Command::Leave && own == Some(i);
            let left = leaves || before.seats.get(i).is_some_and(|s| s.left);
            if left && seat.taken == Taken::Open && view.stage != Stage::Playing {
                self.seats[i] = Holder::Nobody;
            }
        }
        let shown: Vec<Holder> = view
            .seats
            .iter()
            .map(|seat| match &seat.taken {
                Taken::Open => Holder::Nobody,
                Taken::Person { person, .. } => Holder::Person(*person),
                Taken::Bot { level } => Holder::Bot(*level),
            })
            .collect();
        assert_eq!(shown, self.seats, "after {by:?} {command:?}");
    }
}
