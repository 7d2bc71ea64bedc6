//! Derives serde's `Deserialize` for types that are read from a `wire::Tree`: field after field by its name.
//!
//! What serde derives is made for every format, and reads a map in whatever order it comes: a hundred bytes of program for every field.
//! From a tree a field is taken by its name. The attributes are those of serde; one that is not known here is refused.

mod attributes;
mod read;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives how a type is read from a tree.
#[proc_macro_derive(Deserialize, attributes(serde))]
pub fn deserialize(tokens: TokenStream) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    read::derive(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
