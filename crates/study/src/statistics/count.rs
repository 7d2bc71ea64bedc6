//! Counting the events of a game.

use towers_rules::{Event, Seat, State};

use super::{PlayerStatistics, Statistics};
use crate::luck::luck;
use crate::replay::Replay;

/// Counts a game.
pub fn statistics(replay: &Replay) -> Statistics {
    let first = replay.state(0);
    let mut all = Statistics {
        rounds: 0,
        actions: 0,
        castle_moves: 0,
        players: vec![PlayerStatistics::default(); usize::from(first.players())],
    };
    for (i, step) in replay.steps.iter().enumerate() {
        let before = replay.state(i.saturating_sub(1));
        all.actions += u32::from(step.action.is_some());
        all.rounds = all.rounds.max(step.state.round());
        for event in &step.events {
            all.count(event, before);
        }
        all.note_homes(&step.state);
    }
    for (player, luck) in all.players.iter_mut().zip(luck(replay)) {
        player.luck = luck;
    }
    all
}

impl Statistics {
    fn of(&mut self, seat: Seat) -> &mut PlayerStatistics {
        &mut self.players[seat.index()]
    }

    fn count(&mut self, event: &Event, state: &State) {
        match *event {
            Event::TurnEnded { seat } => self.of(seat).turns += 1,
            Event::Played { seat, .. } => self.of(seat).cards += 1,
            Event::NothingMoved { seat } | Event::Prevented { seat } => self.of(seat).wasted += 1,
            Event::Discarded { seat, .. } => self.of(seat).refreshed += 1,
            Event::FlaskFilled { seat } => self.of(seat).filled += 1,
            Event::SpellCast { seat, cost, .. } | Event::PiggybackCast { seat, cost } => {
                let player = self.of(seat);
                player.spells += 1;
                player.spent += u32::from(cost);
            }
            Event::CastleMoved { .. } => self.castle_moves += 1,
            Event::Imprisoned { seat, wizards, .. } => {
                for (colour, n) in wizards.iter() {
                    let n = u32::from(n);
                    let whose = state.owner_of(colour);
                    if whose == Some(state.owner(seat)) {
                        self.of(seat).imprisoned_own += n;
                    } else {
                        self.of(seat).imprisoned += n;
                        if let Some(whose) = whose {
                            self.of(whose).suffered += n;
                        }
                    }
                }
            }
            Event::WizardMoved {
                colour, from, to, ..
            } => {
                if let Some(owner) = state.owner_of(colour) {
                    let from = state.space_of(from).number();
                    let forward = to.number().wrapping_sub(from) & 15;
                    // Headwind goes back one space.
                    self.of(owner).walked += u32::from(if forward == 15 { 0 } else { forward });
                }
            }
            _ => {}
        }
    }

    /// Sets the number of wizards home in the current round; the last call in a round counts.
    fn note_homes(&mut self, state: &State) {
        let round = usize::from(state.round());
        for seat in state.seats() {
            let home = state.home(state.owner(seat));
            let list = &mut self.of(seat).home_by_round;
            let last = list.last().copied().unwrap_or(0);
            list.resize(round, last);
            if let Some(here) = list.last_mut() {
                *here = home;
            }
        }
    }
}
