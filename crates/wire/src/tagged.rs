//! Alternatives with a tag inside.

use serde::Deserializer;
use serde::de::Visitor;

use crate::read::Variant;
use crate::{Tree, Wrong};

/// A map of which one entry says which alternative it is.
pub struct Tagged {
    name: String,
    rest: Tree,
}

impl Tagged {
    /// From a map and the name of that entry.
    pub fn of(mut tree: Tree, tag: &'static str) -> Result<Tagged, Wrong> {
        match tree.take(tag) {
            Some(Tree::Text(name)) => Ok(Tagged { name, rest: tree }),
            Some(_) => Err(Wrong::shape("a text as tag")),
            None => Err(Wrong::missing(tag)),
        }
    }
}

impl<'de> Deserializer<'de> for Tagged {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_enum(Variant(self.name, self.rest))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
