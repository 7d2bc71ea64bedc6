//! Arbitrary bytes from a socket or a request: they are parsed and serialize to the same meaning, or they are refused;
//! never a panic.

use serde::Serialize;
use serde::de::DeserializeOwned;
use towers_table::{ClientMessage, Command, Entry, Header, Record, ServerMessage, Settings, Table};

/// Parses bytes with every parser of the server and the client.
pub fn read(bytes: &[u8]) {
    same_again::<ClientMessage>(bytes);
    same_again::<ServerMessage>(bytes);
    same_again::<Command>(bytes);
    same_again::<Entry>(bytes);
    if let Some(settings) = same_again::<Settings>(bytes)
        && settings.check().is_ok()
    {
        let header = Header::new("fuzz", settings, "Ann", "", 0);
        let table = Table::create(&header);
        // A title may still be refused.
        if let Ok(table) = table {
            assert!(table.view(None).seats.len() <= 6);
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(record) = Record::from_text(text)
    {
        let again = Record::from_text(&record.to_text());
        assert_eq!(again.expect("what is written can be read"), record);
        let _ = record.rebuild();
        let _ = towers_table::verify_text(text);
    }
}

fn same_again<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(
    bytes: &[u8],
) -> Option<T> {
    let read: T = serde_json::from_slice(bytes).ok()?;
    let text = serde_json::to_string(&read).expect("messages are plain data");
    let again: T = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{why} in {text}"));
    assert_eq!(again, read, "{text}");
    Some(read)
}
