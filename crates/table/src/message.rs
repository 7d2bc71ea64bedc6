//! Messages between clients and servers. All of them are JSON with a field `type`, see `docs/protocol.md`. The types
//! are defined here because browsers and servers both need them.

use serde::{Deserialize, Serialize};

use crate::command::{Command, no_fields};
use crate::event::Seen;
use crate::ids::Millis;
use crate::rejection::Refusal;
use crate::view::{TableView, You};

/// A message from a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message: identifies the client and the last update it received.
    Hello {
        /// The protocol version, [`PROTOCOL`](crate::PROTOCOL). Clients from before versioning do not send it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<u32>,
        /// The secret from an earlier `welcome`; `None` for a new client.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The number of the last update received; `None` to request a fresh view.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<u64>,
    },
    /// A command. It is answered by `accepted` or `rejected` with the same `id`.
    Do {
        /// An id chosen by the client.
        id: u64,
        /// The command to carry out.
        #[serde(rename = "do")]
        command: Command,
    },
    /// Requests a fresh view.
    #[serde(deserialize_with = "no_fields")]
    View,
}

/// A message from a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to `hello`.
    Welcome {
        /// The id of the table, as in links.
        table: String,
        /// The identity of the client at this table.
        you: You,
        /// A new secret, if the client had none. The client is recognized by it later.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// The number of the last update, counted for this client.
        number: u64,
        /// The current time of the server.
        now: Millis,
        /// The server's version.
        version: String,
        /// The version of the protocol.
        protocol: u32,
    },
    /// The whole table, redacted for the client.
    View {
        /// The current time of the server.
        now: Millis,
        /// The view of the client.
        #[serde(flatten)]
        view: Box<TableView>,
    },
    /// An event group. Numbers have no gaps for each viewer.
    Happened(Update),
    /// A command was carried out and stored.
    Accepted {
        /// The id that the client chose.
        id: u64,
        /// The number of the update, counted for the sender.
        number: u64,
        /// The events, instead of a separate `happened` message; `None` if nothing changed, or if the sender was sent
        /// a fresh view.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        happened: Option<Box<Update>>,
    },
    /// A command was refused and changed nothing.
    Rejected {
        /// The id that the client chose.
        id: u64,
        /// The reason.
        #[serde(flatten)]
        why: Refusal,
    },
    /// The current connections.
    Presence {
        /// For each seat, whether its person is connected.
        seats: Vec<bool>,
        /// The number of spectators.
        watching: u32,
    },
    /// A message was malformed, or there were too many. The connection may be closed next.
    Error {
        /// The reason.
        #[serde(flatten)]
        why: Refusal,
    },
    /// The server is stopping. Clients should reconnect later.
    Goodbye {
        /// The delay before reconnecting, in milliseconds.
        retry_after: Millis,
    },
}

/// An event group with the time of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Update {
    /// The current time of the server.
    pub now: Millis,
    /// The events and changes.
    #[serde(flatten)]
    pub seen: Seen,
}

/// The part of a malformed client message that is needed to answer it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnreadCommand {
    /// The `id` of the intended `do`.
    pub id: u64,
}
