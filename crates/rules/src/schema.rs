//! JSON Schema for types whose serde is not derived: see `serde_impls`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::action::{Action, Cast, Move};
use crate::card::Card;
use crate::chance::Chance;
use crate::counts::Wizards;
use crate::ids::{Colour, Seat, Space, Surface, Tower};
use crate::outcome::SeatSet;
use crate::spell::{Costs, Spell, SpellSet};

macro_rules! texts {
    ($($type:ident: $schema:expr;)*) => {$(
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let schema: fn(&mut SchemaGenerator) -> Schema = $schema;
                schema(generator)
            }
        }
    )*};
}

texts! {
    Colour: |_| json_schema!({ "type": "string", "enum": names(&Colour::ALL) });
    Spell: |_| json_schema!({ "type": "string", "enum": names(&Spell::ALL) });
    Space: |_| json_schema!({ "type": "integer", "minimum": 0, "maximum": 15 });
    Tower: |_| json_schema!({ "type": "string", "pattern": "^[A-I]$" });
    Surface: |_| json_schema!({
        "type": "string",
        "pattern": "^([0-9]|1[0-5]|[A-I])$",
        "description": "The ground of a space, by its number, or the top of a tower, by its letter."
    });
    Card: |_| json_schema!({
        "type": "string",
        "pattern": "^(w[1-9?]+)?(t[1-9?]+)?$",
        "minLength": 2,
        "description": "A card: what a wizard and a tower move by it; ? is the die."
    });
    Wizards: |_| json_schema!({
        "type": "string",
        "pattern": "^[a-z]*$",
        "description": "A letter of its colour for each wizard."
    });
    Action: |_| json_schema!({ "type": "string", "minLength": 1, "description": "An action in the notation of the game." });
    Cast: |_| json_schema!({ "type": "string", "minLength": 2, "description": "A spell with its target." });
    Move: |_| json_schema!({ "type": "string", "description": "A wizard or a tower that is moved." });
    Chance: |_| json_schema!({ "type": "string", "minLength": 1, "description": "What chance did." });
    SpellSet: |generator| json_schema!({
        "type": "array",
        "items": generator.subschema_for::<Spell>(),
        "uniqueItems": true
    });
    SeatSet: |generator| json_schema!({
        "type": "array",
        "items": generator.subschema_for::<Seat>(),
        "uniqueItems": true
    });
    Costs: |_| json_schema!({
        "type": "object",
        "propertyNames": { "enum": names(&Spell::ALL) },
        "additionalProperties": { "type": "integer", "minimum": 0 }
    });
}

fn names<T: ToString>(all: &[T]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}
