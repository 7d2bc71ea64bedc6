//! The policies that choose actions in traces.

use clap::ValueEnum;
use towers_rules::{Action, Actions, Actor, Event, Seat, State};

use crate::chance::Seeded;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// Every legal action equally likely.
    Uniform,
    /// Prefer entries, imprisoning, spells and claims: games are short and rare rules come up often.
    Eager,
}

/// The partner uses an open offer or gift once in this many times.
const PARTNER_INTERVAL: u32 = 8;
/// The eager policy chooses uniformly once in this many times.
const UNIFORM_INTERVAL: u32 = 6;

impl Policy {
    /// The next action and the seat that takes it.
    pub fn choose(
        self,
        state: &State,
        list: &mut Actions,
        dice: &mut Seeded,
    ) -> Option<(Seat, Action)> {
        let Actor::Player(actor) = state.actor() else {
            return None;
        };
        if let Some(partner) = state.partner_actions_into(list)
            && dice.below(PARTNER_INTERVAL) == 0
        {
            return Some((partner, list.get(dice.below(list.len() as u32) as usize)?));
        }
        state.legal_actions_into(list);
        if self == Policy::Eager && dice.below(UNIFORM_INTERVAL) != 0 {
            let best = list.iter().map(|a| preference(state, actor, a)).max()?;
            let keen: Vec<_> = list
                .iter()
                .filter(|&a| preference(state, actor, a) == best)
                .collect();
            return Some((actor, keen[dice.below(keen.len() as u32) as usize]));
        }
        Some((actor, list.get(dice.below(list.len() as u32) as usize)?))
    }
}

/// The preference of the eager policy for an action, most preferred first: entries, imprisoning, spells and claims.
fn preference(state: &State, seat: Seat, action: Action) -> u8 {
    let mut after = *state;
    let mut events = Vec::new();
    after.apply_unchecked(seat, action, &mut events);
    let liked = |event: &Event| match event {
        Event::WizardMoved { onto: None, .. } => 4,
        Event::Imprisoned { .. } => 3,
        Event::SpellCast { .. } | Event::PiggybackCast { .. } | Event::Claimed { .. } => 2,
        Event::Passed { .. } => 0,
        _ => 1,
    };
    events.iter().map(liked).max().unwrap_or(0)
}
