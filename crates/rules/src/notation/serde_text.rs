//! What has a text travels as that text.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::reader::{ParseError, Reader};
use crate::action::{Action, Cast, Move};
use crate::card::Card;
use crate::chance::Chance;
use crate::counts::Wizards;
use crate::ids::{Colour, Surface, Tower};
use crate::spell::{Costs, Spell, SpellSet};

macro_rules! from_str {
    ($($type:ty => $read:ident),*) => {$(
        impl FromStr for $type {
            type Err = ParseError;

            #[inline]
            fn from_str(text: &str) -> Result<Self, ParseError> {
                let mut reader = Reader::new(text);
                let value = reader.$read()?;
                reader.end()?;
                Ok(value)
            }
        }
    )*};
}

from_str!(Colour => colour, Tower => tower, Card => card, Spell => spell);

struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    #[inline]
    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a text in the game's notation")
    }

    #[inline]
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            #[inline]
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_str(Text(PhantomData))
            }
        }
    )*};
}

as_text!(
    Colour, Tower, Card, Spell, Surface, Wizards, Action, Cast, Move, Chance
);

impl Serialize for SpellSet {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(Some(usize::from(self.len())))?;
        for spell in self.iter() {
            list.serialize_element(&spell)?;
        }
        list.end()
    }
}

struct SpellList;

impl<'de> Visitor<'de> for SpellList {
    type Value = SpellSet;

    #[inline]
    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a list of spell codes")
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<SpellSet, A::Error> {
        let mut set = SpellSet::NONE;
        while let Some(spell) = list.next_element::<Spell>()? {
            if set.contains(spell) {
                return Err(A::Error::custom(format!("spell {spell} is listed twice")));
            }
            set = set.with(spell);
        }
        Ok(set)
    }
}

impl<'de> Deserialize<'de> for SpellSet {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(SpellList)
    }
}

impl Serialize for Costs {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(Spell::ALL.len()))?;
        for spell in Spell::ALL {
            map.serialize_entry(&spell, &self.of(spell))?;
        }
        map.end()
    }
}

struct CostMap;

impl<'de> Visitor<'de> for CostMap {
    type Value = Costs;

    #[inline]
    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a cost for each spell code")
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Costs, A::Error> {
        let mut costs = Costs::usual();
        while let Some((spell, cost)) = map.next_entry::<Spell, u8>()? {
            costs = costs.with(spell, cost);
        }
        Ok(costs)
    }
}

impl<'de> Deserialize<'de> for Costs {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(CostMap)
    }
}
