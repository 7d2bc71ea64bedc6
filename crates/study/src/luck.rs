//! Luck as a number, with what it means.
//!
//! *Dice*: how far the sum of all rolls is above what dice show on average, in standard deviations. Between −2 and 2 is what
//! nearly everybody gets. A high roll is not always a good one: the number says whether dice were high, not whether they helped.
//!
//! *Cards*: every card that was drawn is compared with all that could have been drawn at that moment: what the evaluation makes of
//! the position with it, less the average over all of them. The sum is in points of the chance to win (or, when all play together,
//! in cards saved). It is as good as the evaluation, no better.

use bots::{Estimate, estimate};
use rules::{Action, Actor, Chance, Event, Seat, State};
use serde::Serialize;
use wire::Deserialize;

use crate::replay::{Replay, Step};

/// A player's luck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Luck {
    /// How many rolls there were.
    pub rolls: u32,
    /// What they add up to.
    pub pips: u32,
    /// How many cards were drawn after the deal.
    pub draws: u32,
    /// What they were worth beyond the average draw: chance to win from 0 to 1, or cards saved.
    pub cards: f32,
}

impl Luck {
    /// How far the dice are above the average, in standard deviations; none without rolls.
    pub fn dice(&self) -> Option<f32> {
        let n = self.rolls as f32;
        let variance = 35.0 / 12.0;
        (self.rolls > 0).then(|| (self.pips as f32 - 3.5 * n) / (n * variance).sqrt())
    }
}

/// Everybody's luck, by seat.
pub fn luck(replay: &Replay) -> Vec<Luck> {
    let players = replay.state(0).players();
    let mut all = vec![Luck::default(); usize::from(players)];
    for step in &replay.steps {
        for event in &step.events {
            if let Event::Rolled { seat, value } = *event {
                let luck = &mut all[seat.index()];
                luck.rolls += 1;
                luck.pips += u32::from(value);
            }
        }
    }
    for two in replay.steps.windows(2) {
        follow(&two[0].state, &two[1], &mut all);
    }
    all
}

/// Carries a step out once more, and looks at every card before it is drawn.
fn follow(before: &State, step: &Step, all: &mut [Luck]) -> Option<()> {
    let mut state = *before;
    if let (Some(seat), Some(action)) = (step.seat, step.action) {
        state.apply(seat, action).ok()?;
    }
    for &chance in &step.chance {
        // Those who pass ahead are passed for between two outcomes of chance.
        while let Actor::Player(seat) = state.actor() {
            state.apply(seat, Action::Pass).ok()?;
        }
        if let (Chance::Draw(..), Some(rules::Request::Draw(hand))) = (chance, state.chance()) {
            let seat = if state.shares_hand() {
                state.active()
            } else {
                hand
            };
            let luck = all.get_mut(seat.index())?;
            luck.draws += 1;
            luck.cards += surplus(&state, chance, hand)?;
        }
        state.apply_chance(chance).ok()?;
    }
    Some(())
}

/// What a card is worth beyond the average of all that could be drawn.
fn surplus(state: &State, drawn: Chance, seat: Seat) -> Option<f32> {
    let value = |chance: Chance| {
        let mut after = *state;
        after.apply_chance(chance).ok()?;
        Some(match estimate(&after) {
            Estimate::Win(chances) => *chances.get(seat.index())?,
            Estimate::Cards(cards) => -cards,
        })
    };
    let (mut sum, mut weights) = (0.0, 0.0);
    for (chance, weight) in state.chance_outcomes() {
        sum += value(chance)? * weight as f32;
        weights += weight as f32;
    }
    Some(value(drawn)? - sum / weights)
}
