//! The protocol of a connection to a table on a server. Connections may break.
//!
//! The caller owns the socket and the [`TableView`]: it reports when the socket opens and closes, passes on messages,
//! and applies updates. This module decides which token to send, which updates are new, which commands to repeat, and
//! when to reconnect.

use towers_table::{
    ClientMessage, CloseCode, Command, Millis, PROTOCOL, Refusal, Seen, ServerMessage, TableView,
    Update, You,
};

/// The longest pause between two attempts to connect, on average.
const MAX_PAUSE_MILLIS: u32 = 10_000;

/// The client's reaction to a message from the server.
#[derive(Debug, PartialEq)]
pub enum LinkUpdate {
    Nothing,
    /// The connection is open. Store the token if there is a new one.
    Welcome {
        token: Option<String>,
        you: Box<You>,
    },
    /// A snapshot of the table. It replaces the known table.
    Snapshot(Box<TableView>),
    /// Events to apply to the table.
    Update(Box<Seen>),
    /// Updates are missing; a snapshot is needed.
    Gap,
    Refused(Refusal),
    /// [`Link::present`] and [`Link::watching`] have changed.
    Presence,
}

/// Why the client does not reconnect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedForGood {
    NoSuchTable,
    /// Too many people are connected to the table.
    Full,
    /// The server rejects this client.
    Refused,
    /// The server uses another protocol version; the page must be reloaded.
    Outdated,
    /// An earlier version of the server stored the table, with other rules.
    Earlier,
}

/// The reaction to a lost connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reconnect {
    AfterMillis(u32),
    Never(ClosedForGood),
}

/// The state of a connection to a table.
#[derive(Clone, Debug, Default)]
pub struct Link {
    token: Option<String>,
    /// The number of the last update that was received.
    last_number: Option<u64>,
    /// Whether the person of each seat is connected.
    pub present: Vec<bool>,
    /// The number of spectators.
    pub watching: u32,
    /// The server's clock minus the local clock, in milliseconds.
    pub clock_offset: i64,
    attempts: u32,
    next_id: u64,
    unanswered: Vec<(u64, Command)>,
    /// The delay that the server requested before the next attempt, in milliseconds.
    retry_after: Option<u32>,
}

impl Link {
    /// A connection with the token of an earlier visit, if any.
    pub fn new(token: Option<String>) -> Link {
        Link {
            token,
            ..Link::default()
        }
    }

    /// Whether a command is unanswered.
    pub fn is_waiting(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// The first message after the socket opened.
    pub fn hello(&self) -> ClientMessage {
        ClientMessage::Hello {
            protocol: Some(PROTOCOL),
            token: self.token.clone(),
            seen: self.last_number,
        }
    }

    /// Handles a socket that the server closed with this code; `None` if it broke or could not be opened. A random byte
    /// spreads the next attempts of all clients of a server that is gone.
    pub fn closed(&mut self, code: Option<u16>, random: u8) -> Reconnect {
        match code.and_then(CloseCode::from_number) {
            Some(CloseCode::NoTable) => return Reconnect::Never(ClosedForGood::NoSuchTable),
            Some(CloseCode::Full) => return Reconnect::Never(ClosedForGood::Full),
            Some(CloseCode::Outdated) => return Reconnect::Never(ClosedForGood::Outdated),
            Some(CloseCode::Earlier) => return Reconnect::Never(ClosedForGood::Earlier),
            Some(
                CloseCode::NoHello
                | CloseCode::TooBig
                | CloseCode::NotText
                | CloseCode::Malformed
                | CloseCode::Banned,
            ) => return Reconnect::Never(ClosedForGood::Refused),
            Some(
                CloseCode::Broken | CloseCode::Restart | CloseCode::TooSlow | CloseCode::TooFast,
            )
            | None => {}
        }
        let usual = (500_u32 << self.attempts.min(6)).min(MAX_PAUSE_MILLIS);
        self.attempts += 1;
        let spread = usual / 2 + usual * u32::from(random) / 255;
        Reconnect::AfterMillis(self.retry_after.take().unwrap_or(spread))
    }

    /// Wraps a command in a message. The command is kept until the server answers.
    pub fn command(&mut self, command: Command) -> ClientMessage {
        self.next_id += 1;
        let id = self.next_id;
        self.unanswered.push((id, command.clone()));
        ClientMessage::Do { id, command }
    }

    /// The unanswered commands to repeat after a lost connection: only actions that answer the decision that is still
    /// open, so that none is carried out twice. The others are dropped.
    pub fn repeat(&mut self, open: Option<u64>) -> Vec<ClientMessage> {
        self.unanswered.retain(|(_, command)| {
            matches!(command, Command::Act { decision, .. } if decision.is_some() && *decision == open)
        });
        let repeat = |(id, command): &(u64, Command)| ClientMessage::Do {
            id: *id,
            command: command.clone(),
        };
        self.unanswered.iter().map(repeat).collect()
    }

    /// Handles a message from the server.
    pub fn receive(&mut self, now: Millis, message: ServerMessage) -> LinkUpdate {
        match message {
            ServerMessage::Welcome {
                token,
                now: theirs,
                you,
                ..
            } => {
                self.attempts = 0;
                self.set_clock(now, theirs);
                if token.is_some() {
                    self.token.clone_from(&token);
                }
                LinkUpdate::Welcome {
                    token,
                    you: Box::new(you),
                }
            }
            ServerMessage::View { now: theirs, view } => {
                self.set_clock(now, theirs);
                self.last_number = Some(view.number);
                LinkUpdate::Snapshot(view)
            }
            ServerMessage::Happened(update) => self.update(now, update),
            ServerMessage::Accepted { id, happened, .. } => {
                self.unanswered.retain(|(i, _)| *i != id);
                happened.map_or(LinkUpdate::Nothing, |update| self.update(now, *update))
            }
            ServerMessage::Rejected { id, why } => {
                let is_draw = |command: &Command| {
                    matches!(command, Command::Commit { .. } | Command::Reveal { .. })
                };
                let is_own_doing = self
                    .unanswered
                    .iter()
                    .any(|(i, command)| *i == id && is_draw(command));
                self.unanswered.retain(|(i, _)| *i != id);
                if is_own_doing {
                    // Not shown to the player; a number that arrives too late is not used.
                    return LinkUpdate::Nothing;
                }
                LinkUpdate::Refused(why)
            }
            ServerMessage::Presence { seats, watching } => {
                self.present = seats;
                self.watching = watching;
                LinkUpdate::Presence
            }
            ServerMessage::Error { why } => LinkUpdate::Refused(why),
            ServerMessage::Goodbye { retry_after } => {
                self.retry_after = Some(retry_after.min(u64::from(MAX_PAUSE_MILLIS)) as u32);
                LinkUpdate::Nothing
            }
        }
    }

    /// Accepts each update once, in order, and only after a snapshot.
    fn update(&mut self, now: Millis, update: Update) -> LinkUpdate {
        let Update { now: theirs, seen } = update;
        self.set_clock(now, theirs);
        match self.last_number {
            None => LinkUpdate::Nothing,
            Some(last) if seen.number <= last => LinkUpdate::Nothing,
            Some(last) if seen.number > last + 1 && seen.view.is_none() => LinkUpdate::Gap,
            Some(_) => {
                self.last_number = Some(seen.number);
                LinkUpdate::Update(Box::new(seen))
            }
        }
    }

    fn set_clock(&mut self, now: Millis, theirs: Millis) {
        self.clock_offset = i64::try_from(theirs).unwrap_or(0) - i64::try_from(now).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use towers_table::{BotLevel, Header, Hex, PersonId, Settings, Table, Who};

    fn table() -> Table {
        let settings = Settings::new(
            towers_rules::Preset::Capstone,
            towers_rules::Mode::Versus,
            2,
        );
        let mut table = Table::create(&Header::new("t", settings, "Ann", "", 0)).unwrap();
        let ann = Who::Person(PersonId(0));
        let sit = Command::Sit {
            name: None,
            seat: None,
            colour: None,
            key: String::new(),
            program: false,
        };
        let bot = Command::AddBot {
            seat: None,
            level: BotLevel::Novice,
        };
        for command in [sit, bot, Command::Start] {
            table.submit(1, ann, command, &Hex([3; 32])).unwrap();
        }
        table
    }

    fn view(table: &Table) -> ServerMessage {
        ServerMessage::View {
            now: 5000,
            view: Box::new(table.view(Some(PersonId(0)))),
        }
    }

    #[test]
    fn the_token_and_the_last_number_are_sent_when_reconnecting() {
        let table = table();
        let mut link = Link::new(None);
        assert_eq!(
            link.hello(),
            ClientMessage::Hello {
                protocol: Some(PROTOCOL),
                token: None,
                seen: None
            }
        );
        let welcome = ServerMessage::Welcome {
            table: "t".into(),
            you: table.view(None).you,
            token: Some("secret".into()),
            number: 3,
            now: 5000,
            version: String::new(),
            protocol: PROTOCOL,
        };
        let you = Box::new(table.view(None).you);
        let token = Some("secret".into());
        assert_eq!(
            link.receive(2000, welcome),
            LinkUpdate::Welcome { token, you }
        );
        assert_eq!(link.clock_offset, 3000);
        let snapshot = Box::new(table.view(Some(PersonId(0))));
        assert_eq!(
            link.receive(2000, view(&table)),
            LinkUpdate::Snapshot(snapshot)
        );
        link.closed(None, 0);
        assert_eq!(
            link.hello(),
            ClientMessage::Hello {
                protocol: Some(PROTOCOL),
                token: Some("secret".into()),
                seen: Some(table.number())
            }
        );
    }

    #[test]
    fn pauses_grow_and_some_ends_are_final() {
        let mut link = Link::new(None);
        // Half as long to one and a half times as long, as the random byte says.
        let first = |random| Link::new(None).closed(None, random);
        assert_eq!(first(0), Reconnect::AfterMillis(250));
        assert_eq!(first(255), Reconnect::AfterMillis(750));
        let firsts: BTreeSet<_> = (0..=255)
            .map(|random| format!("{:?}", first(random)))
            .collect();
        assert!(firsts.len() > 200, "{}", firsts.len());
        link.closed(None, 0);
        assert_eq!(link.closed(None, 0), Reconnect::AfterMillis(500));
        assert_eq!(link.closed(None, 255), Reconnect::AfterMillis(3000));
        for _ in 0..10 {
            link.closed(None, 0);
        }
        for (random, part) in [(0, 1), (255, 3)] {
            let wanted = Reconnect::AfterMillis(MAX_PAUSE_MILLIS / 2 * part);
            assert_eq!(link.closed(None, random), wanted);
        }
        // The server has chosen a random time itself.
        link.receive(0, ServerMessage::Goodbye { retry_after: 700 });
        assert_eq!(link.closed(Some(1012), 9), Reconnect::AfterMillis(700));
        assert_eq!(
            link.closed(Some(4004), 0),
            Reconnect::Never(ClosedForGood::NoSuchTable)
        );
    }

    #[test]
    fn only_an_action_for_the_open_decision_is_repeated() {
        let table = table();
        let mut link = Link::new(None);
        link.receive(0, view(&table));
        let game = table.view(Some(PersonId(0))).game.unwrap();
        let decision = game.waiting.unwrap().decision;
        let action: towers_rules::Action = "end".parse().unwrap();
        let act = |decision| Command::Act { action, decision };
        link.command(act(Some(decision)));
        link.command(act(Some(decision + 1)));
        link.command(Command::Chat { text: "hi".into() });
        let again = link.repeat(Some(decision));
        assert_eq!(again.len(), 1);
        assert!(
            matches!(&again[0], ClientMessage::Do { id: 1, command } if *command == act(Some(decision)))
        );
        assert!(link.is_waiting());
        let accepted = ServerMessage::Accepted {
            id: 1,
            number: 9,
            happened: None,
        };
        link.receive(0, accepted);
        assert!(!link.is_waiting());
    }

    #[test]
    fn an_update_is_applied_once() {
        let mut table = table();
        let mut link = Link::new(None);
        link.receive(0, view(&table));
        table
            .submit(
                2,
                Who::Person(PersonId(0)),
                Command::Chat { text: "hi".into() },
                &Hex([3; 32]),
            )
            .unwrap();
        let seen = table.seen(Some(PersonId(0))).unwrap();
        let update = || Update {
            now: 2,
            seen: seen.clone(),
        };
        let happened = || ServerMessage::Happened(update());
        assert!(matches!(link.receive(0, happened()), LinkUpdate::Update(_)));
        assert_eq!(link.receive(0, happened()), LinkUpdate::Nothing);
        let again = ServerMessage::Accepted {
            id: 1,
            number: seen.number,
            happened: Some(Box::new(update())),
        };
        assert_eq!(link.receive(0, again), LinkUpdate::Nothing);
    }

    #[test]
    fn a_gap_asks_for_a_snapshot() {
        let mut table = table();
        let mut link = Link::new(None);
        link.receive(0, view(&table));
        let mut say = |text: &str| {
            let chat = Command::Chat { text: text.into() };
            let ann = Who::Person(PersonId(0));
            table.submit(2, ann, chat, &Hex([3; 32])).unwrap();
            let seen = table.seen(Some(PersonId(0))).unwrap();
            ServerMessage::Happened(Update { now: 2, seen })
        };
        let (first, second) = (say("one"), say("two"));
        assert_eq!(link.receive(0, second.clone()), LinkUpdate::Gap);
        assert!(matches!(link.receive(0, first), LinkUpdate::Update(_)));
        assert!(matches!(link.receive(0, second), LinkUpdate::Update(_)));
    }

    #[test]
    fn every_close_code_is_known_and_an_outdated_page_does_not_come_back() {
        let never = |code: CloseCode| {
            let closed = Link::new(None).closed(Some(code.number()), 0);
            matches!(closed, Reconnect::Never(_)).then_some(closed)
        };
        assert_eq!(
            never(CloseCode::Outdated),
            Some(Reconnect::Never(ClosedForGood::Outdated))
        );
        let earlier = Some(Reconnect::Never(ClosedForGood::Earlier));
        assert_eq!(never(CloseCode::Earlier), earlier);
        assert_eq!(never(CloseCode::Restart), None);
        assert_eq!(never(CloseCode::TooFast), None);
        assert!(never(CloseCode::Banned).is_some());
    }
}
