//! From a tree to any type. Every kind of value is offered in one form only, so that the other forms are not compiled.

use std::vec::IntoIter;

use serde::Deserializer;
use serde::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use crate::grow::{ITSELF, hand};
use crate::{Tree, Wrong};

type Read<T> = Result<T, Wrong>;

macro_rules! as_whole {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            match self {
                Tree::Whole(number) => visitor.visit_u64(number),
                _ => Err(Wrong::shape("a whole number")),
            }
        }
    )*};
}

macro_rules! as_signed {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            match self {
                Tree::Negative(number) => visitor.visit_i64(number),
                other => other.deserialize_u64(visitor),
            }
        }
    )*};
}

macro_rules! as_float {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            visitor.visit_f64(match self {
                Tree::Broken(number) => number,
                Tree::Whole(number) => number as f64,
                Tree::Negative(number) => number as f64,
                _ => return Err(Wrong::shape("a number")),
            })
        }
    )*};
}

macro_rules! as_text {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
            match self {
                Tree::Text(text) => visitor.visit_str(&text),
                _ => Err(Wrong::shape("a text")),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Tree {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self {
            Tree::Null => visitor.visit_unit(),
            Tree::Bool(value) => visitor.visit_bool(value),
            Tree::Whole(number) => visitor.visit_u64(number),
            Tree::Negative(number) => visitor.visit_i64(number),
            Tree::Broken(number) => visitor.visit_f64(number),
            Tree::Text(text) => visitor.visit_string(text),
            Tree::List(list) => visitor.visit_seq(Items(list.into_iter())),
            Tree::Map(entries) => visitor.visit_map(Fields::of(entries)),
        }
    }

    as_whole!(deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);
    as_signed!(deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64);
    as_float!(deserialize_f32 deserialize_f64);
    as_text!(deserialize_char deserialize_str deserialize_string deserialize_identifier);

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self {
            Tree::Bool(value) => visitor.visit_bool(value),
            _ => Err(Wrong::shape("yes or no")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self {
            Tree::Null => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self {
            Tree::Null => visitor.visit_unit(),
            _ => Err(Wrong::shape("nothing")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Read<V::Value> {
        if name == ITSELF {
            hand(self);
            return visitor.visit_unit();
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self {
            Tree::List(list) => visitor.visit_seq(Items(list.into_iter())),
            _ => Err(Wrong::shape("a list")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Read<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self {
            Tree::Map(entries) => visitor.visit_map(Fields::of(entries)),
            _ => Err(Wrong::shape("a map")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        visitor.visit_enum(match self {
            Tree::Text(name) => Variant(name, Tree::Null),
            Tree::Map(mut entries) if entries.len() == 1 => {
                let (name, value) = entries.remove(0);
                Variant(name, value)
            }
            _ => return Err(Wrong::shape("one of several alternatives")),
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! { i128 u128 bytes byte_buf }
}

/// The values of a list.
struct Items(IntoIter<Tree>);

impl<'de> SeqAccess<'de> for Items {
    type Error = Wrong;

    #[inline(never)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        self.0
            .next()
            .map(|value| seed.deserialize(value))
            .transpose()
    }
}

/// The entries of a map.
struct Fields {
    rest: IntoIter<(String, Tree)>,
    value: Tree,
}

impl Fields {
    fn of(entries: Vec<(String, Tree)>) -> Fields {
        Fields {
            rest: entries.into_iter(),
            value: Tree::Null,
        }
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Wrong;

    #[inline(never)]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        let Some((name, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.value = value;
        seed.deserialize(Tree::Text(name)).map(Some)
    }

    #[inline(never)]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        seed.deserialize(std::mem::replace(&mut self.value, Tree::Null))
    }
}

/// One of several alternatives: its name, and what is in it.
struct Variant(String, Tree);

impl<'de> EnumAccess<'de> for Variant {
    type Error = Wrong;
    type Variant = Tree;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Read<(V::Value, Tree)> {
        Ok((seed.deserialize(Tree::Text(self.0))?, self.1))
    }
}

impl<'de> VariantAccess<'de> for Tree {
    type Error = Wrong;

    /// With a tag inside, what else there is does not matter.
    fn unit_variant(self) -> Read<()> {
        match self {
            Tree::Null | Tree::Map(_) => Ok(()),
            _ => Err(Wrong::shape("nothing")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Read<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Read<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Read<V::Value> {
        self.deserialize_map(visitor)
    }
}
