//! Reads what is sent and stored: first as a [`Tree`], whatever the format, then from the tree.
//!
//! A type that is read from several sources is compiled once for each, and alternatives with a tag inside, such as
//! `{"event":"moved",…}`, once more for what serde keeps in between. Here a tree is the only source, and [`tagged!`] reads such
//! alternatives from it: for the browser client that is a fourteenth less to download.

#![forbid(unsafe_code)]

mod grow;
mod read;
mod tagged;
mod wrong;

pub use tagged::Tagged;
pub use wrong::Wrong;

#[doc(hidden)]
pub use serde;

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
    pub fn field<T: serde::de::DeserializeOwned>(
        &mut self,
        name: &'static str,
    ) -> Result<T, Wrong> {
        match self.take(name) {
            Some(value) => T::deserialize(value),
            None => T::deserialize(Tree::Null).map_err(|_| Wrong::missing(name)),
        }
    }
}

/// Defines alternatives with a tag inside: they are written as serde does, and read from a [`Tree`].
///
/// First the name of the tag, then the name of the type as a text, then perhaps `strict` if fields nobody knows are refused.
#[macro_export]
macro_rules! tagged {
    ($tag:literal, $text:literal $(, $strict:ident)?; $(#[$meta:meta])* pub enum $name:ident { $($body:tt)* }) => {
        $(#[$meta])*
        #[derive($crate::serde::Serialize)]
        #[serde(tag = $tag, rename_all = "snake_case")]
        pub enum $name { $($body)* }

        $crate::tagged!(@read $tag, $text, ($($strict)?), $name, $($body)*);
    };
    (@read $tag:literal, $text:literal, (), $name:ident, $($body:tt)*) => {
        const _: () = {
            #[allow(dead_code, reason = "only says how the other one is read")]
            #[derive($crate::serde::Deserialize)]
            #[serde(remote = $text, rename_all = "snake_case")]
            enum Shape { $($body)* }
            $crate::tagged!(@impl $tag, $name);
        };
    };
    (@read $tag:literal, $text:literal, (strict), $name:ident, $($body:tt)*) => {
        const _: () = {
            #[allow(dead_code, reason = "only says how the other one is read")]
            #[derive($crate::serde::Deserialize)]
            #[serde(remote = $text, rename_all = "snake_case", deny_unknown_fields)]
            enum Shape { $($body)* }
            $crate::tagged!(@impl $tag, $name);
        };
    };
    (@impl $tag:literal, $name:ident) => {
        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                let tree = <$crate::Tree as $crate::serde::Deserialize>::deserialize(from)?;
                $crate::Tagged::of(tree, $tag)
                    .and_then(Shape::deserialize)
                    .map_err($crate::serde::de::Error::custom)
            }
        }
    };
}
