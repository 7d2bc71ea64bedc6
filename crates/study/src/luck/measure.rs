//! The luck of dice and draws, measured over a whole game.

use towers_bots::{Estimate, estimate};
use towers_rules::{Action, Actor, Chance, ChanceRequest, Event, Seat, State};

use super::Luck;
use crate::replay::{Replay, ReplayStep};

/// The luck of each player, by seat.
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

/// Replays a step and rates every card before it is drawn.
fn follow(before: &State, step: &ReplayStep, all: &mut [Luck]) -> Option<()> {
    let mut state = *before;
    if let (Some(seat), Some(action)) = (step.seat, step.action) {
        state.apply(seat, action).ok()?;
    }
    for &chance in &step.chance {
        // Automatic passes happen between two outcomes of chance.
        while let Actor::Player(seat) = state.actor() {
            state.apply(seat, Action::Pass).ok()?;
        }
        if let (Chance::Draw(..), Some(ChanceRequest::Draw(hand))) = (chance, state.chance()) {
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

/// The value of a drawn card above the mean of all cards that could have been drawn.
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
