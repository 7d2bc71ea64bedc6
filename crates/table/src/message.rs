//! What clients and servers say to each other. Everything is JSON, with a field `type`; see
//! `docs/protocol.md`. The types live here because browsers and servers both need them.

use serde::{Deserialize, Serialize};

use crate::command::{Command, no_fields};
use crate::event::Seen;
use crate::ids::Millis;
use crate::rejection::Refusal;
use crate::view::{TableView, You};

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message: who is there, and what they have seen.
    Hello {
        /// The version of the protocol, [`PROTOCOL`](crate::PROTOCOL). A client that does not name one
        /// is older than versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<u32>,
        /// The secret that was given out by an earlier `welcome`; none: somebody new.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The number of the last update that was received; none: a fresh view, please.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<u64>,
    },
    /// A command. It is answered by `accepted` or `rejected` with the same `id`.
    Do {
        /// Chosen by the client.
        id: u64,
        /// The command.
        #[serde(rename = "do")]
        command: Command,
    },
    /// A fresh view, please.
    #[serde(deserialize_with = "no_fields")]
    View,
}

/// What a server says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The table's name in links.
        table: String,
        /// Who the server takes the client for.
        you: You,
        /// A new secret, if the client had none. It is how the client is recognized later.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The number of the last update, counted for this client.
        number: u64,
        /// What time it is at the server.
        now: Millis,
        /// The server's version.
        version: String,
        /// The version of the protocol.
        protocol: u32,
    },
    /// All that the client may know about the table.
    View {
        /// What time it is at the server.
        now: Millis,
        /// The table.
        #[serde(flatten)]
        view: Box<TableView>,
    },
    /// Something happened. Numbers follow each other without gaps, for each viewer.
    Happened(Update),
    /// A command was carried out, and is stored.
    Accepted {
        /// As the client called it.
        id: u64,
        /// The number of the update, counted for the sender.
        number: u64,
        /// What happened, in place of a message of its own; none if nothing changed, or if the
        /// sender was sent a fresh view.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        happened: Option<Box<Update>>,
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

/// What happened, at its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Update {
    /// What time it is at the server.
    pub now: Millis,
    /// What happened.
    #[serde(flatten)]
    pub seen: Seen,
}

/// A message of a client that could not be read, as far as it has to be answered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnreadCommand {
    /// The `id` of what should have been a `do`.
    pub id: u64,
}
