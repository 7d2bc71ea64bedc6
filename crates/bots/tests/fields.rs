//! Bots can play every setup that the rules allow: any value of any field, any mode, spells and number of players.

mod common;

use std::collections::HashSet;

use common::{BotTable, random_setup};
use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_rules::{Action, Actions, Actor, Field, Phase, Spell, State, Viewer};

const TABLES: u64 = 160;
/// More decisions than a game of at most 17 rounds can have.
const MAX_ACTIONS: usize = 20_000;
const SMALL_BUDGET: Budget = Budget::Iterations(3);

/// Every decision is checked for legality by the table, and every game ends.
#[test]
fn games_of_bots_end_with_any_value_of_any_field() {
    let mut values = HashSet::new();
    let mut phases = HashSet::new();
    let mut kinds = HashSet::new();
    for seed in 0..TABLES {
        let mut rng = fastrand::Rng::with_seed(seed);
        let setup = random_setup(&mut rng);
        let same = Strength::ALL[seed as usize % 4];
        let mixed = seed % 3 == 0;
        let mut table = BotTable::new(&setup, seed, |seat| {
            if mixed {
                Strength::ALL[(seat + seed as usize) % 4]
            } else {
                same
            }
        });
        table.play(MAX_ACTIONS, SMALL_BUDGET);
        assert!(table.state.outcome().is_some(), "no end: {setup:?}");
        for &field in Field::ALL {
            values.insert((field, table.state.options().get(field)));
        }
        for (phase, action) in table.decided {
            phases.insert(phase);
            kinds.insert(std::mem::discriminant(&action));
        }
    }
    for &field in Field::ALL {
        for value in field.values() {
            let met = values.contains(&(field, (*value).to_string()));
            assert!(met, "{field}={value} did not occur");
        }
    }
    // Series of riders are too rare to rely on: `windows.rs` tests them.
    for phase in Phase::DECISIONS.into_iter().filter(|&p| p != Phase::With) {
        assert!(phases.contains(&phase), "nobody decided in {phase:?}");
    }
    // Spells are used in every possible way.
    for action in [
        Action::RefreshFirst,
        Action::WithPiggyback,
        Action::Done,
        Action::Pass,
        Action::AcceptOffer,
        Action::Give(1),
        Action::After(Spell::AdvanceTower),
    ] {
        let met = kinds.contains(&std::mem::discriminant(&action));
        assert!(met, "nobody played {action}");
    }
}

/// Random players who save their flasks reach positions that bots avoid.
#[test]
fn every_level_acts_legally_in_every_phase_of_random_games() {
    let mut rng = fastrand::Rng::with_seed(8);
    let mut list = Actions::new();
    let mut asked = [0; Phase::DECISIONS.len()];
    for _ in 0..TABLES {
        let mut setup = random_setup(&mut rng);
        setup.options.max_rounds = Some(40);
        let mut state = State::new(&setup).expect("a legal table");
        for _ in 0..2000 {
            let Actor::Player(seat) = state.actor() else {
                let Some(chance) = state.sample_chance(|n| rng.u32(0..n)) else {
                    break;
                };
                state.apply_chance(chance).expect("an answer");
                continue;
            };
            let phase = Phase::DECISIONS.iter().position(|&p| p == state.phase());
            let times = &mut asked[phase.expect("a phase in which a player decides")];
            if *times < 4 || rng.u8(0..100) == 0 {
                *times += 1;
                let view = state.view(Viewer::Seat(seat));
                for level in Strength::ALL {
                    let mut bot = Bot::new(level, seat, rng.u64(..), &view);
                    let action = bot
                        .act(&view, SMALL_BUDGET, &NoClock)
                        .expect("its decision");
                    let legal = state.is_legal(seat, action);
                    assert!(legal, "{level}: {action} in {state:?}");
                }
            }
            if rng.u8(0..10) == 0
                && let Some(partner) = state.partner_actions_into(&mut list)
            {
                let action = list.get(rng.usize(0..list.len())).expect("not empty");
                state.apply_unchecked(partner, action, &mut ());
                continue;
            }
            state.legal_actions_into(&mut list);
            let mut action = list.get(rng.usize(0..list.len())).expect("R18.6");
            if list.contains(Action::Pass) && rng.u8(0..10) > 0 {
                action = Action::Pass;
            }
            state.apply_unchecked(seat, action, &mut ());
        }
    }
    for (phase, n) in Phase::DECISIONS.into_iter().zip(asked) {
        assert!(n > 3 || phase == Phase::With, "{phase:?}: {n} times");
    }
}
