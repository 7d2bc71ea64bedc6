//! Hand-written serde implementations: types with a notation are serialised as text.

use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::action::{Action, Cast, Move};
use crate::card::Card;
use crate::chance::Chance;
use crate::counts::Wizards;
use crate::ids::{Colour, Seat, Space, Surface, Tower};
use crate::outcome::SeatSet;
use crate::spell::{Costs, Spell, SpellSet};

struct NotationVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for NotationVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a text in the game's notation")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_str(NotationVisitor(PhantomData))
            }
        }
    )*};
}

as_text!(
    Colour, Tower, Card, Spell, Surface, Wizards, Action, Cast, Move, Chance
);

impl Serialize for SpellSet {
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

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a list of spell codes")
    }

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
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(SpellList)
    }
}

impl Serialize for Costs {
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

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("a cost for each spell code")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Costs, A::Error> {
        let mut costs = Costs::usual();
        while let Some((spell, cost)) = map.next_entry::<Spell, u8>()? {
            costs = costs.with(spell, cost);
        }
        Ok(costs)
    }
}

impl<'de> Deserialize<'de> for Costs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(CostMap)
    }
}

impl Serialize for SeatSet {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Vec::<Seat>::deserialize(from)?.into_iter().collect())
    }
}

impl<'de> Deserialize<'de> for Space {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(from)?;
        Space::new(number).ok_or_else(|| D::Error::custom("spaces are numbered 0 to 15 (R2.1)"))
    }
}
