//! A table on a server, through a connection that may break.
//!
//! Who drives it owns the socket: it says when it opened and closed and hands over what came in. Everything else is decided
//! here: who one is, what was missed, what has to be said again, and when to try again.

use table::{ClientMessage, Command, Millis, Refusal, Seen, ServerMessage, TableView};

use crate::room;

/// The longest pause between two attempts, in milliseconds.
const LONGEST_PAUSE: u32 = 15_000;

/// What a message from the server means for the screen.
#[derive(Debug, PartialEq)]
pub enum Heard {
    /// Nothing to show.
    Nothing,
    /// Who one is at this table from now on: to be kept.
    Token(String),
    /// The table as it is; what was shown before may be old.
    Anew,
    /// Something happened; true: also ask for a fresh view.
    Happened(Box<Seen>, bool),
    /// A command was carried out.
    Accepted,
    /// A command was refused.
    Refused(Refusal),
    /// Somebody came or went.
    Presence,
}

/// Why a connection is not tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// There is no such table.
    NoTable,
    /// Too many people are there.
    Full,
    /// The server does not want to hear any more.
    Refused,
}

/// What to do when the connection broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Connect again after so many milliseconds.
    Retry(u32),
    /// Give up.
    GiveUp(Gone),
}

/// A table on a server.
#[derive(Clone, Debug, Default)]
pub struct Link {
    token: Option<String>,
    /// The table as far as it is known.
    pub room: Option<TableView>,
    /// For each seat, whether its person is connected.
    pub present: Vec<bool>,
    /// How many others watch.
    pub watching: u32,
    /// The server's clock minus this one's, in milliseconds.
    pub ahead: i64,
    open: bool,
    attempts: u32,
    next_id: u64,
    unanswered: Vec<(u64, Command)>,
    pause: Option<u32>,
}

impl Link {
    /// A table where one is known by this token, or not at all.
    pub fn new(token: Option<String>) -> Link {
        Link {
            token,
            ..Link::default()
        }
    }

    /// Whether the server has said welcome and not been lost since.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Whether something was said that the server has not answered.
    pub fn is_waiting(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// The socket opened: the first thing to say.
    pub fn opened(&mut self) -> ClientMessage {
        ClientMessage::Hello {
            token: self.token.clone(),
            seen: self.room.as_ref().map(|r| r.number),
        }
    }

    /// The socket closed, or never opened.
    pub fn closed(&mut self, code: u16) -> Next {
        self.open = false;
        match code {
            4004 => return Next::GiveUp(Gone::NoTable),
            4003 => return Next::GiveUp(Gone::Full),
            4000 | 1009 => return Next::GiveUp(Gone::Refused),
            _ => {}
        }
        let usual = (500_u32 << self.attempts.min(6)).min(LONGEST_PAUSE);
        self.attempts += 1;
        Next::Retry(self.pause.take().unwrap_or(usual))
    }

    /// Something to be done. It is remembered until the server answers; if the connection is down, it is said later or never.
    pub fn say(&mut self, command: Command) -> ClientMessage {
        self.next_id += 1;
        let id = self.next_id;
        self.unanswered.push((id, command.clone()));
        ClientMessage::Do { id, command }
    }

    /// What was said but not answered before the connection broke, and can be said again without harm: an action that answers a
    /// decision is never carried out twice. The rest is forgotten.
    pub fn again(&mut self) -> Vec<ClientMessage> {
        let open = self
            .room
            .as_ref()
            .and_then(|r| r.game.as_ref()?.waiting)
            .map(|w| w.decision);
        self.unanswered.retain(|(_, command)| {
            matches!(command, Command::Act { decision, .. } if decision.is_some() && *decision == open)
        });
        let repeat = |(id, command): &(u64, Command)| ClientMessage::Do {
            id: *id,
            command: command.clone(),
        };
        self.unanswered.iter().map(repeat).collect()
    }

    /// Takes in what the server said.
    pub fn hear(&mut self, now: Millis, message: ServerMessage) -> Heard {
        match message {
            ServerMessage::Welcome {
                token,
                now: theirs,
                you,
                ..
            } => {
                self.open = true;
                self.attempts = 0;
                self.set_clock(now, theirs);
                if let Some(room) = &mut self.room {
                    room.you = you;
                }
                token.map_or(Heard::Nothing, |token| {
                    self.token = Some(token.clone());
                    Heard::Token(token)
                })
            }
            ServerMessage::View { now: theirs, view } => {
                self.set_clock(now, theirs);
                self.room = Some(*view);
                Heard::Anew
            }
            ServerMessage::Happened { now: theirs, seen } => {
                self.set_clock(now, theirs);
                let Some(room) = &mut self.room else {
                    return Heard::Nothing;
                };
                if seen.number <= room.number {
                    return Heard::Nothing;
                }
                let stale = room::follow(room, &seen);
                Heard::Happened(Box::new(seen), stale)
            }
            ServerMessage::Accepted { id, .. } => {
                self.unanswered.retain(|(i, _)| *i != id);
                Heard::Accepted
            }
            ServerMessage::Rejected { id, why } => {
                self.unanswered.retain(|(i, _)| *i != id);
                Heard::Refused(why)
            }
            ServerMessage::Presence { seats, watching } => {
                self.present = seats;
                self.watching = watching;
                Heard::Presence
            }
            ServerMessage::Error { why } => Heard::Refused(why),
            ServerMessage::Goodbye { retry_after } => {
                self.pause = Some(retry_after.min(u64::from(LONGEST_PAUSE)) as u32);
                Heard::Nothing
            }
        }
    }

    fn set_clock(&mut self, now: Millis, theirs: Millis) {
        self.ahead = i64::try_from(theirs).unwrap_or(0) - i64::try_from(now).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{BotLevel, Header, Hex, PersonId, Settings, Table, Who};

    fn table() -> Table {
        let settings = Settings::new(rules::Preset::Capstone, rules::Mode::Versus, 2);
        let mut table = Table::create(&Header::new("t", settings, "Ann", "", 0)).unwrap();
        let ann = Who::Person(PersonId(0));
        let sit = Command::Sit {
            name: None,
            seat: None,
            colour: None,
            key: String::new(),
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
    fn a_token_is_kept_and_said_again_with_what_was_seen() {
        let table = table();
        let mut link = Link::new(None);
        assert_eq!(
            link.opened(),
            ClientMessage::Hello {
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
        };
        assert_eq!(link.hear(2000, welcome), Heard::Token("secret".into()));
        assert_eq!(link.ahead, 3000);
        assert_eq!(link.hear(2000, view(&table)), Heard::Anew);
        link.closed(1006);
        assert_eq!(
            link.opened(),
            ClientMessage::Hello {
                token: Some("secret".into()),
                seen: Some(table.number())
            }
        );
    }

    #[test]
    fn pauses_grow_and_some_ends_are_final() {
        let mut link = Link::new(None);
        assert_eq!(link.closed(1006), Next::Retry(500));
        assert_eq!(link.closed(1006), Next::Retry(1000));
        for _ in 0..10 {
            link.closed(1006);
        }
        assert_eq!(link.closed(1006), Next::Retry(LONGEST_PAUSE));
        link.hear(0, ServerMessage::Goodbye { retry_after: 700 });
        assert_eq!(link.closed(1012), Next::Retry(700));
        assert_eq!(link.closed(4004), Next::GiveUp(Gone::NoTable));
    }

    #[test]
    fn only_an_action_for_the_open_decision_is_said_again() {
        let table = table();
        let mut link = Link::new(None);
        link.hear(0, view(&table));
        let game = table.view(Some(PersonId(0))).game.unwrap();
        let decision = game.waiting.unwrap().decision;
        let action: rules::Action = "end".parse().unwrap();
        let act = |decision| Command::Act { action, decision };
        link.say(act(Some(decision)));
        link.say(act(Some(decision + 1)));
        link.say(Command::Chat { text: "hi".into() });
        let again = link.again();
        assert_eq!(again.len(), 1);
        assert!(
            matches!(&again[0], ClientMessage::Do { id: 1, command } if *command == act(Some(decision)))
        );
        assert!(link.is_waiting());
        link.hear(0, ServerMessage::Accepted { id: 1, number: 9 });
        assert!(!link.is_waiting());
    }

    #[test]
    fn what_was_heard_before_is_not_heard_twice() {
        let mut table = table();
        let mut link = Link::new(None);
        link.hear(0, view(&table));
        table
            .submit(
                2,
                Who::Person(PersonId(0)),
                Command::Chat { text: "hi".into() },
                &Hex([3; 32]),
            )
            .unwrap();
        let seen = table.seen(Some(PersonId(0))).unwrap();
        let happened = || ServerMessage::Happened {
            now: 2,
            seen: seen.clone(),
        };
        assert!(matches!(
            link.hear(0, happened()),
            Heard::Happened(_, false)
        ));
        assert_eq!(link.hear(0, happened()), Heard::Nothing);
        assert_eq!(link.room.as_ref().map(|r| r.chat.len()), Some(1));
    }
}
