//! Whole sessions with a real server through real sockets: people connect, disconnect, reconnect, and send valid and
//! invalid commands. The events they receive have no gaps, are the same for all, and agree with the model of a table.

use towers_rules::Action;
use towers_table::{
    BotLevel, ClientMessage, Command, Decider, ServerMessage, Stage, TableView, Taken, Who,
};
use tungstenite::protocol::Message;

use super::choices::SessionChoices;
use super::host::{FuzzServer, LastSeen, TableConnection};
use super::model::{ExpectedResult, ExpectedSeats};

const PEOPLE: usize = 3;

/// A person who may be connected, and can reconnect.
#[derive(Default)]
struct RemotePerson {
    link: Option<TableConnection>,
    token: Option<String>,
    last: Option<LastSeen>,
}

struct OnlineRun<'a> {
    host: &'a FuzzServer,
    table: String,
    people: Vec<RemotePerson>,
    /// A spectator.
    watcher: Option<TableConnection>,
    model: ExpectedSeats,
    last: TableView,
    /// Actions that were legal for somebody.
    others: Vec<Action>,
    said: u64,
    done: Done,
}

/// The results of a session.
#[derive(Default)]
pub struct Done {
    pub accepted: Vec<Command>,
    /// The number of reconnections.
    pub came_back: u64,
    /// Whether there is a record of a finished game.
    pub record: bool,
}

/// Plays a session.
pub fn play(host: &FuzzServer, bytes: &[u8]) -> Done {
    let mut choices = SessionChoices::new(bytes);
    let Some(settings) = choices.settings() else {
        return Done::default();
    };
    let (table, token) = host.open_table(&settings);
    let mut watcher = host.connect(&table, None, None);
    let last = watcher.view();
    let mut session = OnlineRun {
        host,
        people: (0..PEOPLE).map(|_| RemotePerson::default()).collect(),
        watcher: Some(watcher),
        model: ExpectedSeats::of(&last),
        last,
        table,
        others: Vec::new(),
        said: 0,
        done: Done::default(),
    };
    session.people[0].token = Some(token);
    // Usually a game starts at once, since random commands rarely start one.
    if let Some(people @ 1..) = choices.below(PEOPLE + 1) {
        session.begin(people);
        if people == 2 {
            session.come_and_go();
        }
    }
    while session.step(&mut choices).is_some() {}
    session.read_record();
    session.done
}

impl OnlineRun<'_> {
    /// Seats this many people, puts bots on the other seats, and starts a game.
    fn begin(&mut self, people: usize) {
        for i in 0..self.last.seats.len() {
            let (by, command) = if i < people {
                let sit = Command::Sit {
                    name: Some(format!("Person {i}")),
                    seat: None,
                    colour: None,
                    key: String::new(),
                    program: false,
                };
                (i, sit)
            } else {
                let level = BotLevel::ALL[0];
                (0, Command::AddBot { seat: None, level })
            };
            assert!(self.say(by, &command), "there is room");
        }
        assert!(self.say(0, &Command::Start), "all seats are taken");
    }

    /// The player to act plays; the host chats, disconnects and reconnects, is replaced by a bot, takes the seat back;
    /// a game ends and leaves a record, another starts.
    fn come_and_go(&mut self) {
        for i in 0..2 {
            let view = self.look(i);
            if let Some(action) = view.game.and_then(|game| game.legal.first().copied()) {
                let decision = None;
                self.say(i, &Command::Act { action, decision });
            }
        }
        let text = "is anybody there?".into();
        self.say(0, &Command::Chat { text });
        self.break_off(0);
        self.say(0, &Command::Leave);
        self.break_off(0);
        self.say(0, &Command::Back);
        for i in 0..2 {
            self.say(i, &Command::End { agree: true });
        }
        self.read_record();
        for i in 0..2 {
            self.say(i, &Command::Rematch);
        }
    }

    /// The connection of a person, opened if necessary.
    fn link(&mut self, i: usize) -> &mut TableConnection {
        if self.people[i]
            .link
            .as_ref()
            .is_some_and(TableConnection::is_stale)
        {
            self.break_off(i);
        }
        let RemotePerson { link, token, last } = &mut self.people[i];
        link.get_or_insert_with(|| {
            let link = self.host.connect(&self.table, token.as_deref(), *last);
            self.done.came_back += u64::from(last.is_some());
            *token = Some(link.token.clone());
            link
        })
    }

    fn step(&mut self, choices: &mut SessionChoices) -> Option<()> {
        let i = choices.below(PEOPLE)?;
        match choices.below(16)? {
            0 => self.break_off(i),
            1 => self.nonsense(i, choices)?,
            2 => {
                for i in 0..PEOPLE {
                    self.break_off(i);
                }
                self.watcher = None;
            }
            // A second hello is ignored.
            3 => self.link(i).say(&ClientMessage::Hello {
                protocol: None,
                token: None,
                seen: Some(7),
            }),
            // The same person on another device: both receive the same messages.
            4 => {
                let token = self.link(i).token.clone();
                let mut device = self.host.connect(&self.table, Some(&token), None);
                let view = device.view();
                self.same(i, &view);
            }
            _ => {
                let view = self.look(i);
                let command = choices.command(view.game.as_deref(), &self.others)?;
                self.say(i, &command);
            }
        }
        self.watch();
        Some(())
    }

    /// Closes a connection; its owner remembers the last event received.
    fn break_off(&mut self, i: usize) {
        let person = &mut self.people[i];
        if let Some(link) = person.link.take() {
            person.last = Some(LastSeen {
                number: link.seen,
                person: link.person,
            });
        }
    }

    /// Sends bytes that are no message: the only reaction is an error.
    fn nonsense(&mut self, i: usize, choices: &mut SessionChoices) -> Option<()> {
        let n = choices.below(64)?;
        let as_text = choices.below(2)? == 0;
        let bytes = choices.bytes(n);
        let text = String::from_utf8_lossy(bytes).into_owned();
        if serde_json::from_slice::<ClientMessage>(bytes).is_ok()
            || serde_json::from_str::<ClientMessage>(&text).is_ok()
        {
            return Some(());
        }
        let link = self.link(i);
        link.send(if as_text {
            Message::text(text.clone())
        } else {
            Message::binary(bytes.to_vec())
        });
        loop {
            match link.next() {
                ServerMessage::Error { why } => {
                    assert_eq!(why.code, "bad_message");
                    return Some(());
                }
                ServerMessage::Rejected { id, why } => {
                    assert_eq!(why.code, "bad_message");
                    assert!(
                        text.contains(&id.to_string()),
                        "the answer names its command"
                    );
                    return Some(());
                }
                ServerMessage::Accepted { .. } => panic!("nothing was asked"),
                _ => {}
            }
        }
    }

    /// Whether anybody is connected for whom bots play: a person with a seat, or the host if no person has one.
    fn is_player_here(&self, view: &TableView) -> bool {
        let links = self.people.iter().filter_map(|person| person.link.as_ref());
        let here: Vec<_> = links.filter_map(|link| link.person).collect();
        let seated: Vec<_> = view
            .seats
            .iter()
            .filter_map(|seat| match seat.taken {
                Taken::Person { person, .. } => Some(person),
                _ => None,
            })
            .collect();
        if seated.is_empty() {
            view.host.is_some_and(|host| here.contains(&host))
        } else {
            seated.iter().any(|person| here.contains(person))
        }
    }

    /// The view of a person when no bot is about to act. The model has to agree.
    fn look(&mut self, i: usize) -> TableView {
        let mut view = self.link(i).view();
        let is_bots = |view: &TableView| {
            let waiting = view.game.as_ref().and_then(|game| game.waiting);
            waiting.is_some_and(|w| matches!(w.by, Decider::Bot(_)))
        };
        while is_bots(&view) && self.is_player_here(&view) {
            // Wait for the bot's next event.
            let seen = view.number;
            while self.link(i).seen == seen {
                self.link(i).next();
            }
            view = self.link(i).view();
        }
        self.model.check(&self.last, &view, None);
        self.last = view.clone();
        if let Some(game) = &view.game
            && !game.legal.is_empty()
        {
            self.others.clone_from(&game.legal);
        }
        view
    }

    /// Sends a command; returns whether it was accepted.
    fn say(&mut self, i: usize, command: &Command) -> bool {
        let before = self.look(i);
        let who = before.you.person.map_or(Who::Stranger, Who::Person);
        let due = self.model.due(&before, who, command);
        self.said += 1;
        let said = self.said;
        let link = self.link(i);
        link.say(&ClientMessage::Do {
            id: said,
            command: command.clone(),
        });
        let answer = loop {
            match link.next() {
                ServerMessage::Accepted { id, number, .. } => break (id, Ok(number)),
                ServerMessage::Rejected { id, why } => break (id, Err(why)),
                ServerMessage::Error { why } => panic!("{command:?} is not understood: {why:?}"),
                _ => {}
            }
        };
        assert_eq!(answer.0, said, "answers come in order");
        let after = link.view();
        let accepted = answer.1.is_ok();
        if accepted {
            self.done.accepted.push(command.clone());
        }
        // A bot or the server itself may have acted in between. Numbers of two persons cannot be compared.
        let alone = match &answer.1 {
            Ok(number) if before.you.person != after.you.person => *number == after.number,
            _ => after.number == before.number + u64::from(accepted),
        };
        if !alone {
            self.model = ExpectedSeats::of(&after);
            self.last = after;
            return accepted;
        }
        match answer.1 {
            Ok(number) => {
                assert_ne!(
                    due,
                    ExpectedResult::Refuse,
                    "{who:?} {command:?} was accepted"
                );
                assert_eq!(number, after.number);
                let person = after.you.person.or(before.you.person);
                self.model.learn(person, command, &before);
                let leaver = person.filter(|_| *command == Command::Leave);
                self.model.check(&before, &after, leaver);
            }
            Err(why) => {
                assert_ne!(
                    due,
                    ExpectedResult::Accept,
                    "{who:?} {command:?} was refused: {why:?}"
                );
                assert_eq!(after, before, "what is refused changes nothing");
            }
        }
        self.last = after;
        accepted
    }

    /// The person's own connection shows the same view, unless there were events since.
    fn same(&mut self, i: usize, view: &TableView) {
        let own = self.link(i).view();
        assert!(own.number >= view.number);
        assert!(own.number > view.number || own == *view, "{own:?} {view:?}");
    }

    /// A spectator sees what everybody sees, and never a hand.
    fn watch(&mut self) {
        let (host, table) = (self.host, &self.table);
        if self.watcher.as_ref().is_some_and(TableConnection::is_stale) {
            self.watcher = None;
        }
        let links = self.people.iter_mut().filter_map(|p| p.link.as_mut());
        let mut link = links.into_iter().find(|link| !link.is_stale());
        let before = link.as_mut().map(|link| link.view());
        let watcher = self
            .watcher
            .get_or_insert_with(|| host.connect(table, None, None));
        let view = watcher.view();
        let after = link.map(TableConnection::view);
        assert!(view.you.person.is_none() && view.you.seat.is_none());
        if let (Some(before), Some(after)) = (before, after)
            && before.number == after.number
        {
            let public = |view: &TableView| {
                let TableView {
                    seats,
                    chat,
                    ending,
                    seed,
                    ..
                } = view.clone();
                (view.stage, seats, chat, ending, seed)
            };
            assert_eq!(public(&view), public(&after));
        }
        self.model.check(&self.last, &view, None);
        self.last = view;
    }

    /// The record of a finished game can be downloaded, and verifies.
    fn read_record(&mut self) {
        self.watch();
        let path = format!("/api/tables/{}/record", self.table);
        let (status, body) = self.host.http("GET", &path, "");
        if self.last.stage == Stage::Over {
            assert_eq!(status, 200, "{body}");
        }
        if status == 200 {
            towers_table::verify_text(&body).unwrap_or_else(|why| panic!("{why} in {body}"));
            self.done.record = true;
        }
    }
}
