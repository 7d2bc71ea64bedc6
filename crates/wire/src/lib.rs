//! Reads what is sent and stored: first as a [`Tree`], whatever the format, then from the tree.
//!
//! A type that is read from several sources is compiled once for each. Here a tree is the only source, and what is derived by this
//! crate's `Deserialize` takes one field after the other out of it, by name: for the browser client that is a tenth less to download.

#![forbid(unsafe_code)]

mod grow;
mod read;
mod wrong;

use serde::de::DeserializeOwned;

#[doc(hidden)]
pub use serde;
pub use serde::de::Deserialize;
pub use wire_derive::Deserialize;
pub use wrong::Wrong;

/// A value of any shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number from zero on.
    Whole(u64),
    /// A number below zero.
    Negative(i64),
    /// A number with a fraction.
    Broken(f64),
    /// A text.
    Text(String),
    /// Several values.
    List(Vec<Tree>),
    /// Values with names, in the order given.
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// The value of this name, if this is a map that has one.
    pub fn get(&self, name: &str) -> Option<&Tree> {
        let Tree::Map(entries) = self else {
            return None;
        };
        entries.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// Takes the value of this name out, if this is a map that has one.
    pub fn take(&mut self, name: &str) -> Option<Tree> {
        let Tree::Map(entries) = self else {
            return None;
        };
        let at = entries.iter().position(|(n, _)| n == name)?;
        Some(entries.remove(at).1)
    }

    /// Takes a field out and reads it; a missing one is read as nothing.
    #[inline(never)]
    pub fn field<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T, Wrong> {
        match self.take(name) {
            Some(value) => T::deserialize(value),
            None => T::deserialize(Tree::Null).map_err(|_| Wrong::missing(name)),
        }
    }

    /// Takes a field out and reads it; a missing one is as usual.
    #[inline(never)]
    pub fn field_or<T: DeserializeOwned>(
        &mut self,
        name: &'static str,
        usual: T,
    ) -> Result<T, Wrong> {
        self.take(name).map_or(Ok(usual), T::deserialize)
    }

    /// Takes out all that is left.
    #[must_use]
    pub fn rest(&mut self) -> Tree {
        std::mem::replace(self, Tree::Null)
    }

    /// Refuses what has no fields.
    pub fn must_be_map(&self) -> Result<(), Wrong> {
        match self {
            Tree::Map(_) => Ok(()),
            _ => Err(Wrong::shape("a map")),
        }
    }

    /// Refuses fields that are left.
    pub fn must_be_empty(&self) -> Result<(), Wrong> {
        match self {
            Tree::Map(rest) => match rest.first() {
                Some((name, _)) => Err(Wrong::unknown(name)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Which of several alternatives this is: by a text, or by a map with one entry of which the value is left.
    pub fn alternative(&mut self, names: &[&str]) -> Result<usize, Wrong> {
        match self.rest() {
            Tree::Text(name) => find(&name, names),
            Tree::Map(mut entries) if entries.len() == 1 => {
                let (name, value) = entries.remove(0);
                *self = value;
                find(&name, names)
            }
            _ => Err(Wrong::shape("one of several alternatives")),
        }
    }

    /// Which of several alternatives this is, by the entry that says so; the others are left.
    pub fn tagged_alternative(
        &mut self,
        tag: &'static str,
        names: &[&str],
    ) -> Result<usize, Wrong> {
        match self.take(tag) {
            Some(Tree::Text(name)) => find(&name, names),
            Some(_) => Err(Wrong::shape("a text as tag")),
            None => Err(Wrong::missing(tag)),
        }
    }
}

fn find(name: &str, names: &[&str]) -> Result<usize, Wrong> {
    let found = names.iter().position(|n| *n == name);
    found.ok_or_else(|| Wrong::alternative(name, names))
}

/// Reads a tree first, and then from the tree.
pub fn through<'de, D: serde::Deserializer<'de>, T>(
    from: D,
    read: impl FnOnce(Tree) -> Result<T, Wrong>,
) -> Result<T, D::Error> {
    read(Tree::deserialize(from)?).map_err(serde::de::Error::custom)
}

/// Defines alternatives with a tag inside, such as `{"event":"moved",…}`.
///
/// First the name of the tag, then perhaps `strict` if fields nobody knows are refused.
#[macro_export]
macro_rules! tagged {
    ($tag:literal; $($body:tt)*) => {
        #[derive($crate::serde::Serialize, $crate::Deserialize)]
        #[serde(tag = $tag, rename_all = "snake_case")]
        $($body)*
    };
    ($tag:literal, strict; $($body:tt)*) => {
        #[derive($crate::serde::Serialize, $crate::Deserialize)]
        #[serde(tag = $tag, rename_all = "snake_case", deny_unknown_fields)]
        $($body)*
    };
}
