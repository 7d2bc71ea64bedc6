//! How traces choose among legal actions.

use clap::ValueEnum;
use rules::{Action, Actions, Actor, Event, Seat, State};

use crate::chance::Seeded;

/// A way to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// Every legal action equally often.
    Uniform,
    /// Prefer entries, imprisoning, spells and claims: games are short and rare rules come up often.
    Eager,
}

/// How often the partner uses an offer or a gift that is open out of turn.
const PARTNER_ONE_IN: u32 = 8;
/// How often the eager policy chooses evenly all the same.
const EVEN_ONE_IN: u32 = 6;

impl Policy {
    /// Whose action comes next, and which.
    pub fn choose(
        self,
        state: &State,
        list: &mut Actions,
        dice: &mut Seeded,
    ) -> Option<(Seat, Action)> {
        let Actor::Player(actor) = state.actor() else {
            return None;
        };
        if let Some(partner) = state.partner_actions(list)
            && dice.below(PARTNER_ONE_IN) == 0
        {
            return Some((partner, list.get(dice.below(list.len() as u32) as usize)?));
        }
        state.legal_actions(list);
        if self == Policy::Eager && dice.below(EVEN_ONE_IN) != 0 {
            let best = list.iter().map(|a| keenness(state, actor, a)).max()?;
            let keen: Vec<_> = list
                .iter()
                .filter(|&a| keenness(state, actor, a) == best)
                .collect();
            return Some((actor, keen[dice.below(keen.len() as u32) as usize]));
        }
        Some((actor, list.get(dice.below(list.len() as u32) as usize)?))
    }
}

/// What the eager policy likes about an action, most first: entries, imprisoning, spells and claims.
fn keenness(state: &State, seat: Seat, action: Action) -> u8 {
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
