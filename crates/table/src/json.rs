//! JSON as it is sent and stored.

use serde::de::DeserializeOwned;
use wire::Tree;

/// Reads a value from JSON. The error says what is wrong.
///
/// Browsers read everything by this way: see [`wire`] for why.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let tree: Tree = serde_json::from_str(text).map_err(|e| e.to_string())?;
    T::deserialize(tree).map_err(|e| e.to_string())
}
