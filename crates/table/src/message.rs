//! What clients and servers say to each other. Everything is JSON, with a field `type`; see
//! `docs/protocol.md`. The types live here because browsers and servers both need them.

use serde::de::Error;
use serde::{Deserializer, Serialize};
use wire::{Deserialize, Tree, Wrong};

use crate::command::Command;
use crate::event::Seen;
use crate::ids::Millis;
use crate::rejection::Refusal;
use crate::view::{TableView, You};

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message: who is there, and what they have seen.
    Hello {
        /// The secret that was given out by an earlier `welcome`; none: somebody new.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The number of the last happening that was seen; none: a fresh view, please.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<u64>,
    },
    /// Something to be done. It is answered by `accepted` or `rejected` with the same `id`.
    Do {
        /// Chosen by the client.
        id: u64,
        /// What.
        #[serde(rename = "do")]
        command: Command,
    },
    /// A fresh view, please.
    View,
}

/// What a server says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The table's name in links.
        table: String,
        /// Who the server takes the client for.
        you: You,
        /// A new secret, if the client had none: whoever has it is the same person.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The number of the last happening.
        number: u64,
        /// What time it is at the server.
        now: Millis,
        /// The server's version.
        version: String,
    },
    /// All that the client may know about the table.
    View {
        /// What time it is at the server.
        now: Millis,
        /// The table.
        #[serde(flatten)]
        view: Box<TableView>,
    },
    /// Something happened. Numbers follow each other without gaps.
    Happened {
        /// What time it is at the server.
        now: Millis,
        /// What.
        #[serde(flatten)]
        seen: Seen,
    },
    /// A command was carried out, and is stored.
    Accepted {
        /// As the client called it.
        id: u64,
        /// The number of what happened.
        number: u64,
    },
    /// A command was refused; nothing has changed.
    Rejected {
        /// As the client called it.
        id: u64,
        /// Why.
        #[serde(flatten)]
        why: Refusal,
    },
    /// Who is connected right now.
    Presence {
        /// For each seat, whether its person is.
        seats: Vec<bool>,
        /// How many others watch.
        watching: u32,
    },
    /// A message could not be understood, or there were too many. The connection may be closed next.
    Error {
        /// Why.
        #[serde(flatten)]
        why: Refusal,
    },
    /// The server stops; connect again after a while.
    Goodbye {
        /// After so many milliseconds.
        retry_after: Millis,
    },
}

impl<'de> Deserialize<'de> for ServerMessage {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<ServerMessage, D::Error> {
        ServerMessage::of(Tree::deserialize(from)?).map_err(Error::custom)
    }
}

impl ServerMessage {
    /// What is read here is what is written by the fields above; those that are flattened are read from what is left.
    fn of(mut from: Tree) -> Result<ServerMessage, Wrong> {
        let kind: String = from.field("type")?;
        Ok(match kind.as_str() {
            "welcome" => ServerMessage::Welcome {
                table: from.field("table")?,
                you: from.field("you")?,
                token: from.field("token")?,
                number: from.field("number")?,
                now: from.field("now")?,
                version: from.field("version")?,
            },
            "view" => ServerMessage::View {
                now: from.field("now")?,
                view: Box::new(TableView::deserialize(from)?),
            },
            "happened" => ServerMessage::Happened {
                now: from.field("now")?,
                seen: Seen::deserialize(from)?,
            },
            "accepted" => ServerMessage::Accepted {
                id: from.field("id")?,
                number: from.field("number")?,
            },
            "rejected" => ServerMessage::Rejected {
                id: from.field("id")?,
                why: Refusal::deserialize(from)?,
            },
            "presence" => ServerMessage::Presence {
                seats: from.field("seats")?,
                watching: from.field("watching")?,
            },
            "error" => ServerMessage::Error {
                why: Refusal::deserialize(from)?,
            },
            "goodbye" => ServerMessage::Goodbye {
                retry_after: from.field("retry_after")?,
            },
            _ => return Err(Wrong::custom(format!("no message is called '{kind}'"))),
        })
    }
}
