//! The turn as one viewer knows it.

use crate::card::Card;
use crate::counts::Wizards;
use crate::ids::Seat;
use crate::outcome::SeatSet;
use crate::spell::Spell;
use crate::state::State;
use crate::turn::{Declared, EndReason, Phase, Turn};
use crate::view::Viewer;

/// The turn so far, part of a [`View`](crate::View).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TurnView {
    /// The kind of the open decision.
    pub phase: Phase,
    /// Whose turn it is.
    pub active: Seat,
    /// The seat to act; only meaningful when a player decides.
    pub actor: Seat,
    /// Actions used; a refresh uses all of them.
    pub played: u8,
    /// Whether the spell of this turn was cast (R9.1).
    pub cast: bool,
    /// The dice card that was rolled for.
    pub card: Option<Card>,
    /// Rerolls left.
    pub rolls_left: u8,
    /// What the die shows; 0 without a roll.
    pub rolled: u8,
    /// Whether the active player may no longer ask for an exchange (R12.2).
    pub asking_used: bool,
    /// Whether the partner may no longer offer an exchange (R12.2).
    pub offering_used: bool,
    /// The partners who gave flasks this turn (R12.3).
    pub gave: SeatSet,
    /// The card the partner offers unasked; known to the partner alone (R12.2).
    pub offered: Option<Card>,
    /// The declaration (R13.2).
    pub declared: Declared,
    /// The seats without a right to cast in this action (R13.3).
    pub used: SeatSet,
    /// The spell that will be cast after the move (R13.4).
    pub claim: Option<ClaimView>,
    /// The spell that is being repeated (R13.5).
    pub series: Option<SeriesView>,
    /// The phase that follows [`Phase::Cast`].
    pub resume: Phase,
    /// Riders paid for so far, by colour (R13.8).
    pub riders: Wizards,
    /// Whether the turn ends after this action because a wizard came home (R13.9).
    pub ends: bool,
    /// The number of cards still to be dealt or drawn.
    pub to_draw: u8,
}

/// A spell that was claimed for after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClaimView {
    /// The seat that claimed it.
    pub seat: Seat,
    /// The spell it has to cast.
    pub spell: Spell,
}

/// A spell that its caster may cast again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SeriesView {
    /// The spell.
    pub spell: Spell,
    /// How many full flasks may still pay for it.
    pub flasks: u8,
}

/// Bits of [`Turn::gave`].
const ACTIVE_GAVE: u8 = 1;
const PARTNER_GAVE: u8 = 2;

impl State {
    /// The turn as a viewer may know it.
    pub(crate) fn turn_seen_by(&self, viewer: Viewer) -> TurnView {
        // Every field is named, so that adding one forces a decision here.
        let Turn {
            phase,
            active,
            actor,
            played,
            cast,
            card,
            rolls_left,
            rolled,
            asking_used,
            offering_used,
            gave,
            offered,
            declared,
            used,
            claim,
            claimant,
            repeats,
            budget,
            resume,
            riders,
            ends,
            owed,
            why: _,
        } = self.turn;
        let partner = self.partner(active);
        let givers = [
            (gave & ACTIVE_GAVE != 0).then_some(active),
            partner.filter(|_| gave & PARTNER_GAVE != 0),
        ];
        TurnView {
            phase,
            active,
            actor,
            played,
            cast,
            card,
            rolls_left,
            rolled,
            asking_used,
            offering_used,
            gave: givers.into_iter().flatten().collect(),
            offered: offered.filter(|_| partner.is_some_and(|p| viewer == Viewer::Seat(p))),
            declared,
            used,
            claim: claim.map(|spell| ClaimView {
                seat: claimant,
                spell,
            }),
            series: repeats.map(|spell| SeriesView {
                spell,
                flasks: budget,
            }),
            resume,
            riders,
            ends,
            to_draw: owed,
        }
    }
}

impl TurnView {
    /// The spell that is to be cast, or cast again.
    pub fn spell(&self) -> Option<Spell> {
        let repeated = self.series.map(|series| series.spell);
        repeated.or(self.claim.map(|claim| claim.spell))
    }

    /// The turn of a state that looks like this; `why` is the reason for the end, if the game is over.
    pub(crate) fn turn(&self, partner: Option<Seat>, why: Option<EndReason>) -> Turn {
        let by_active = u8::from(self.gave.contains(self.active)) * ACTIVE_GAVE;
        let by_partner = u8::from(partner.is_some_and(|p| self.gave.contains(p))) * PARTNER_GAVE;
        let fresh = Turn::of(self.active);
        Turn {
            phase: self.phase,
            active: self.active,
            actor: self.actor,
            played: self.played,
            cast: self.cast,
            card: self.card,
            rolls_left: self.rolls_left,
            rolled: self.rolled,
            asking_used: self.asking_used,
            offering_used: self.offering_used,
            gave: by_active | by_partner,
            offered: self.offered,
            declared: self.declared,
            used: self.used,
            claim: self.claim.map(|claim| claim.spell),
            claimant: self.claim.map_or(self.active, |claim| claim.seat),
            repeats: self.series.map(|series| series.spell),
            budget: self.series.map_or(0, |series| series.flasks),
            resume: self.resume,
            riders: self.riders,
            ends: self.ends,
            owed: self.to_draw,
            why: why.unwrap_or(fresh.why),
        }
    }
}
