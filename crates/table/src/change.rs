//! The difference that a command makes to a viewer's [`TableView`]. A view to which every change was applied equals a
//! fresh one.

use serde::{Deserialize, Deserializer, Serialize};
use towers_rules::{
    Action, Card, ClaimView, Declared, Options, Outcome, Phase, PlayerView, Seat, SeatSet,
    SeriesView, Space, SpellSet, SurfaceView, TurnView, View, Viewer, Wizards,
};

use crate::clock::Waiting;
use crate::core::Stage;
use crate::event::{ChatLine, Ending, Seen};
use crate::fair::{Device, Draw};
use crate::ids::{Digest, Millis, PersonId, Seed};
use crate::talk::CHAT_LINES;
use crate::view::{GameView, SeatView, TableView, You};

/// Items of a list that changed, each with its index.
pub type Items<T> = Vec<(u8, T)>;

/// The parts of a [`TableView`] that changed. A missing part is unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "the fields of a view")]
pub struct TableChange {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub host: Option<Option<PersonId>>,
    /// The seats that changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Items<SeatView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub you: Option<You>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub commitment: Option<Option<Digest>>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub next_commitment: Option<Option<Digest>>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub secret: Option<Option<Seed>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub devices: Option<Vec<Device>>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub draw: Option<Option<Draw>>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub seed: Option<Option<Seed>>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub ending: Option<Option<Ending>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Box<GameChange>>,
    /// New lines; the oldest are dropped when there are more than fifty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chat: Vec<ChatLine>,
}

/// The parts of a [`GameView`] that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "the fields of a view")]
pub struct GameChange {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<ViewChange>>,
    /// If present, `legal` and `optional` are complete: missing means empty.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub waiting: Option<Option<Waiting>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub legal: Vec<Action>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub optional: Vec<Action>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub banks: Option<Option<Vec<Millis>>>,
}

/// How the discard pile changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DiscardChange {
    /// Cards were discarded: insert each at its index, in this order.
    Insert(Items<Card>),
    /// The pile was reshuffled: these cards remain.
    All(Vec<Card>),
}

/// Declares the change of a type whose fields are either replaced (`all`) or have their own change type (`parts`).
macro_rules! change {
    (
        $(#[$meta:meta])*
        $name:ident of $whole:ident {
            all { $($field:ident: $type:ty,)* }
            parts { $($part:ident: $change:ty,)* }
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[allow(missing_docs, reason = "the fields of a view")]
        pub struct $name {
            $(
                #[serde(
                    default,
                    deserialize_with = "given",
                    skip_serializing_if = "Option::is_none"
                )]
                pub $field: Option<$type>,
            )*
            $(
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $part: Option<$change>,
            )*
        }

        impl Change<$whole> for $name {
            fn between(old: &$whole, new: &$whole) -> Option<$name> {
                // Destructure every field, so that adding one fails to compile here.
                let $whole { $($field,)* $($part,)* } = new;
                let change = $name {
                    $($field: changed(&old.$field, $field),)*
                    $($part: Change::between(&old.$part, $part),)*
                };
                (change != $name::default()).then_some(change)
            }

            fn apply(&self, to: &mut $whole) {
                $(replace(&mut to.$field, self.$field.as_ref());)*
                $(if let Some(change) = &self.$part {
                    change.apply(&mut to.$part);
                })*
            }
        }
    };
}

change! {
    /// The parts of a position that changed.
    ViewChange of View {
        all {
            viewer: Viewer,
            options: Options,
            spells: SpellSet,
            start: Seat,
            castle: Space,
            hand: Option<Vec<Card>>,
            draw: u8,
            score: u16,
            round: u16,
            is_final: bool,
            outcome: Option<Outcome>,
        }
        parts {
            spaces: Items<Vec<SurfaceView>>,
            players: Items<PlayerView>,
            discard: DiscardChange,
            turn: TurnChange,
        }
    }
}

change! {
    /// The parts of a turn that changed.
    TurnChange of TurnView {
        all {
            phase: Phase,
            active: Seat,
            actor: Seat,
            played: u8,
            cast: bool,
            card: Option<Card>,
            rolls_left: u8,
            rolled: u8,
            asking_used: bool,
            offering_used: bool,
            gave: SeatSet,
            offered: Option<Card>,
            declared: Declared,
            used: SeatSet,
            claim: Option<ClaimView>,
            series: Option<SeriesView>,
            resume: Phase,
            riders: Wizards,
            ends: bool,
            to_draw: u8,
        }
        parts {}
    }
}

/// The difference between two values of a type.
pub(crate) trait Change<T>: Sized {
    /// The change from the old value to the new one; `None` if they are equal.
    fn between(old: &T, new: &T) -> Option<Self>;

    fn apply(&self, to: &mut T);
}

/// Lists of the same length.
impl<T: Clone + PartialEq> Change<Vec<T>> for Items<T> {
    fn between(old: &Vec<T>, new: &Vec<T>) -> Option<Items<T>> {
        let pairs = (0..).zip(old.iter().zip(new));
        let changed: Items<T> = pairs
            .filter(|(_, (old, new))| old != new)
            .map(|(i, (_, new))| (i, new.clone()))
            .collect();
        (!changed.is_empty()).then_some(changed)
    }

    fn apply(&self, to: &mut Vec<T>) {
        for (i, item) in self {
            if let Some(old) = to.get_mut(usize::from(*i)) {
                old.clone_from(item);
            }
        }
    }
}

impl Change<Vec<Card>> for DiscardChange {
    fn between(old: &Vec<Card>, new: &Vec<Card>) -> Option<DiscardChange> {
        let mut rest = old.iter().peekable();
        let mut inserted = Vec::new();
        for (i, card) in (0..).zip(new) {
            if rest.next_if_eq(&card).is_none() {
                inserted.push((i, *card));
            }
        }
        if rest.next().is_some() {
            return Some(DiscardChange::All(new.clone()));
        }
        (!inserted.is_empty()).then_some(DiscardChange::Insert(inserted))
    }

    fn apply(&self, to: &mut Vec<Card>) {
        match self {
            DiscardChange::Insert(cards) => {
                for (i, card) in cards {
                    to.insert(usize::from(*i).min(to.len()), *card);
                }
            }
            DiscardChange::All(cards) => to.clone_from(cards),
        }
    }
}

impl GameChange {
    fn apply(&self, to: &mut GameView) {
        if let Some(view) = &self.view {
            view.apply(&mut to.view);
        }
        if let Some(waiting) = self.waiting {
            to.waiting = waiting;
            to.legal.clone_from(&self.legal);
            to.optional.clone_from(&self.optional);
        }
        replace(&mut to.banks, self.banks.as_ref());
    }
}

pub(crate) fn changed<T: Clone + PartialEq>(old: &T, new: &T) -> Option<T> {
    (old != new).then(|| new.clone())
}

fn replace<T: Clone>(old: &mut T, new: Option<&T>) {
    if let Some(new) = new {
        old.clone_from(new);
    }
}

/// Reads a field that is present, even as `null`. A missing field is unchanged.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

impl TableChange {
    fn apply(&self, table: &mut TableView) {
        // Destructure every field, so that adding one fails to compile here and below.
        let TableView {
            table: _,
            number: _,
            at: _,
            stage,
            settings: _,
            host,
            seats,
            you,
            games: _,
            commitment,
            next_commitment,
            secret,
            devices,
            draw,
            seed,
            ending,
            game,
            chat,
        } = table;
        replace(stage, self.stage.as_ref());
        replace(host, self.host.as_ref());
        self.seats.apply(seats);
        replace(you, self.you.as_ref());
        replace(commitment, self.commitment.as_ref());
        replace(next_commitment, self.next_commitment.as_ref());
        replace(secret, self.secret.as_ref());
        replace(devices, self.devices.as_ref());
        replace(draw, self.draw.as_ref());
        replace(seed, self.seed.as_ref());
        replace(ending, self.ending.as_ref());
        if let (Some(change), Some(game)) = (&self.game, game) {
            change.apply(game);
        }
        chat.extend_from_slice(&self.chat);
        let extra = chat.len().saturating_sub(CHAT_LINES);
        chat.drain(..extra);
    }
}

impl TableView {
    /// Applies an update. The view has to be the same viewer's, in the state just before the update.
    pub fn apply(&mut self, seen: &Seen) {
        match (&seen.view, &seen.changed) {
            (Some(view), _) => self.clone_from(view),
            (None, Some(change)) => change.apply(self),
            (None, None) => {}
        }
        self.number = seen.number;
        self.at = seen.at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_discard_pile_grows_by_insertions_and_is_replaced_when_it_shrinks() {
        let cards = |text: &str| -> Vec<Card> {
            text.split_whitespace()
                .map(|card| card.parse().unwrap())
                .collect()
        };
        let piles = ["", "w1 w3", "w1 w1 w3 t2", "t2", "w1 t2 t2"].map(cards);
        for old in &piles {
            for new in &piles {
                let mut pile = old.clone();
                let change = DiscardChange::between(old, new);
                assert_eq!(change.is_none(), old == new);
                if let Some(change) = change {
                    change.apply(&mut pile);
                }
                assert_eq!(&pile, new);
            }
        }
    }

    #[test]
    fn a_missing_part_is_not_null() {
        let text = r#"{"phase":"turn","card":null}"#;
        let change: TurnChange = serde_json::from_str(text).unwrap();
        assert_eq!(change.card, Some(None));
        assert_eq!(change.offered, None);
        assert_eq!(serde_json::to_string(&change).unwrap(), text);
    }
}
