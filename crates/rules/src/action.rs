//! Actions: what players decide.

use crate::card::Card;
use crate::ids::{Colour, Space, Tower};
use crate::spell::Spell;

/// A player's decision. The [notation](crate::notation) writes it as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `w3:w5`: play a card with numbers and carry out its move (R4.1).
    Play(Card, Move),
    /// `t??`: play a dice card; a roll follows (R4.8).
    Roll(Card),
    /// `reroll`: give up the result and roll again (R4.8).
    Reroll,
    /// `:w5`: accept the roll and move; after `refresh`, `:tC` or `:-` says which tower moves.
    Accept(Move),
    /// `refresh:tC`, `refresh:-`: discard the hand, perhaps move a tower by 1 (R4.4).
    Refresh(Option<Tower>),
    /// `refresh`: discard the hand and draw new cards; then accept a tower or nothing (R4.5).
    RefreshFirst,
    /// `AT:C`: cast a spell.
    Cast(Cast),
    /// `end`: end the turn.
    End,
    /// `pass`: cast and claim nothing in a window (R13.3).
    Pass,
    /// `before AT:C`: cast a spell before the declared move (R13.4).
    Before(Cast),
    /// `after AT`: claim a spell for after the move (R13.4).
    After(Spell),
    /// `with PB`: ride along with the declared wizard (R13.8).
    WithPiggyback,
    /// `PB`: one more rider (R13.8).
    Piggyback,
    /// `done`: no more repeats of the spell (R13.5).
    Done,
    /// `ask`: ask the partner for a card (R12.2).
    Ask,
    /// `offer w3`: the partner offers a card (R12.2).
    Offer(Card),
    /// `accept`: take the offered card.
    AcceptOffer,
    /// `decline`: refuse the request or the offer.
    Decline,
    /// `return w3`: give a card back.
    Return(Card),
    /// `give 2`: give the partner full flasks (R12.3).
    Give(u8),
}

/// How a card is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Move the wizard you control on this space; with `piggyback`, one more of yours with it (R10.7).
    Wizard {
        /// The space the wizard stands on.
        from: Space,
        /// Whether Piggyback is cast with the move.
        piggyback: bool,
    },
    /// Move this tower and everything on it.
    Tower(Tower),
    /// Nothing moves (R4.2).
    Nothing,
}

/// A spell with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cast {
    /// R10.1
    AdvanceWizard(WizardTarget),
    /// R10.2
    AdvanceTower(Tower),
    /// R10.3: the lower space first.
    SwapTowers(Space, Space),
    /// R10.4
    HeadwindWizard(WizardTarget),
    /// R10.5
    HeadwindTower(Tower),
    /// R10.6
    NudgeCastle(Direction),
    /// R10.8: the tower to lift and, in teams, the preferred colour (R12.6).
    FreeWizard(Tower, Option<Colour>),
}

impl Cast {
    /// Which spell it is.
    pub const fn spell(self) -> Spell {
        match self {
            Cast::AdvanceWizard(_) => Spell::AdvanceWizard,
            Cast::AdvanceTower(_) => Spell::AdvanceTower,
            Cast::SwapTowers(..) => Spell::SwapTowers,
            Cast::HeadwindWizard(_) => Spell::HeadwindWizard,
            Cast::HeadwindTower(_) => Spell::HeadwindTower,
            Cast::NudgeCastle(_) => Spell::NudgeCastle,
            Cast::FreeWizard(..) => Spell::FreeWizard,
        }
    }
}

/// A visible wizard as the target of a spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WizardTarget {
    /// The space the wizard stands on.
    pub space: Space,
    /// The colour of the wizard; those of one colour are interchangeable.
    pub colour: Colour,
    /// Whether the target is the declared wizard; set only when another wizard of its colour stands there too (R13.10).
    pub declared: bool,
}

/// A direction around the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Written `+`: towards higher numbers of spaces.
    Clockwise,
    /// Written `-`: towards lower numbers of spaces.
    CounterClockwise,
}
