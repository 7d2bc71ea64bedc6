//! What happened in a game, counted.

use rules::{Event, Seat, State};
use serde::Serialize;
use wire::Deserialize;

use crate::luck::{Luck, luck};
use crate::replay::Replay;

/// What one player did and suffered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerStatistics {
    /// Own wizards home at the end of each round.
    pub home_by_round: Vec<u8>,
    /// Wizards of others this player imprisoned.
    pub imprisoned: u32,
    /// Own wizards this player imprisoned.
    pub imprisoned_own: u32,
    /// Own wizards that others imprisoned.
    pub suffered: u32,
    /// Flasks filled.
    pub filled: u32,
    /// Flasks spent.
    pub spent: u32,
    /// Spells cast.
    pub spells: u32,
    /// Cards played.
    pub cards: u32,
    /// Cards that moved nothing.
    pub wasted: u32,
    /// Cards discarded by refreshing.
    pub refreshed: u32,
    /// Spaces own wizards walked.
    pub walked: u32,
    /// Turns taken.
    pub turns: u32,
    /// Luck of dice and draws.
    pub luck: Luck,
}

/// What happened in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Rounds played.
    pub rounds: u16,
    /// Actions carried out.
    pub actions: u32,
    /// How often the castle moved.
    pub castle_moves: u32,
    /// By seat.
    pub players: Vec<PlayerStatistics>,
}

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
                    // Headwind goes back by one.
                    self.of(owner).walked += u32::from(if forward == 15 { 0 } else { forward });
                }
            }
            _ => {}
        }
    }

    /// The last look at a round is what counts for it.
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
