//! JSON Schema of messages and stored data, generated from the types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use crate::code::PROTOCOL;
use crate::daily::DailyDeals;
use crate::event::AnyEvent;
use crate::http::{OpenTable, Summary};
use crate::message::{ClientMessage, ServerMessage};
use crate::record::{Entry, Header};
use crate::settings::Settings;

/// The names of all schemas.
pub const SCHEMAS: [&str; 9] = [
    "client_message",
    "server_message",
    "event",
    "settings",
    "record_header",
    "record_entry",
    "daily_deals",
    "open_table",
    "table_summary",
];

/// The schema with this name, one of [`SCHEMAS`].
pub fn schema(name: &str) -> Option<Value> {
    Some(match name {
        "client_message" => read_by_servers::<ClientMessage>(),
        "server_message" => written_by_servers::<ServerMessage>(),
        "event" => written_by_servers::<AnyEvent>(),
        "settings" => read_by_servers::<Settings>(),
        "record_header" => written_by_servers::<Header>(),
        "record_entry" => written_by_servers::<Entry>(),
        "daily_deals" => written_by_servers::<DailyDeals>(),
        "open_table" => read_by_servers::<OpenTable>(),
        "table_summary" => written_by_servers::<Summary>(),
        _ => return None,
    })
}

/// All schemas, and the protocol version they belong to.
pub fn schemas() -> Value {
    let all: Map<String, Value> = SCHEMAS
        .into_iter()
        .filter_map(|name| Some((name.to_string(), schema(name)?)))
        .collect();
    serde_json::json!({ "protocol": PROTOCOL, "schemas": all })
}

fn written_by_servers<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().into()
}

fn read_by_servers<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    // Missing settings default to the rulebook of the edition.
    let is_settings = T::schema_name() == Settings::schema_name();
    if is_settings {
        schema.remove("required");
    }
    let mut value: Value = schema.into();
    for name in ["Settings", "Options"] {
        if let Some(part) = value.pointer_mut(&format!("/$defs/{name}")) {
            part.as_object_mut().map(|part| part.remove("required"));
        }
    }
    value
}
