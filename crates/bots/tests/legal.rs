//! Every level returns a legal action in every variant and preset, even in unusual positions.

mod common;

use common::{BotTable, variants};
use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_rules::{Actions, Actor, State};

/// The number of actions played; the rest of a game is not needed here.
const MAX_ACTIONS: usize = 16;
const SMALL_BUDGET: Budget = Budget::Iterations(6);

#[test]
fn every_level_acts_legally_in_every_variant() {
    for (i, setup) in variants().into_iter().enumerate() {
        for level in Strength::ALL {
            let mut table = BotTable::new(&setup, i as u64, |_| level);
            table.play(MAX_ACTIONS, SMALL_BUDGET);
        }
    }
}

#[test]
fn levels_play_each_other_to_the_end() {
    for (i, setup) in variants().into_iter().enumerate().step_by(5) {
        let mut table = BotTable::new(&setup, 100 + i as u64, |seat| Strength::ALL[seat % 3]);
        table.play(100_000, SMALL_BUDGET);
        assert!(table.state.outcome().is_some());
    }
}

/// Random play reaches positions that no sensible player would; bots that join there know nothing of the game before.
#[test]
fn every_level_acts_legally_when_it_joins_an_unusual_position() {
    let mut rng = fastrand::Rng::with_seed(5);
    let mut list = Actions::new();
    for setup in variants() {
        let mut state = State::new(&setup).expect("a legal table");
        for step in 0..250 {
            match state.actor() {
                Actor::Nobody => break,
                Actor::Chance => {
                    let chance = state.sample_chance(|n| rng.u32(0..n)).expect("chance");
                    state.apply_chance(chance).expect("an answer");
                }
                Actor::Player(seat) => {
                    if step % 24 == 0 {
                        let view = state.view(towers_rules::Viewer::Seat(seat));
                        for level in Strength::ALL {
                            let mut bot = Bot::new(level, seat, rng.u64(..), &view);
                            let action = bot.act(&view, SMALL_BUDGET, &NoClock).expect("its turn");
                            assert!(
                                state.is_legal(seat, action),
                                "{level}: {action} in {state:?}"
                            );
                        }
                    }
                    state.legal_actions_into(&mut list);
                    let action = list.get(rng.usize(0..list.len())).expect("R18.6");
                    state.apply_unchecked(seat, action, &mut ());
                }
            }
        }
    }
}

#[test]
fn a_bot_is_silent_when_others_decide() {
    let state = towers_rules::examples::opening();
    let seat = towers_rules::Seat(1);
    let view = state.view(towers_rules::Viewer::Seat(seat));
    let mut bot = Bot::new(Strength::Master, seat, 1, &view);
    assert_eq!(bot.act(&view, SMALL_BUDGET, &NoClock), None);
    assert_eq!(bot.offer(&view), None);
    assert!(bot.explain(&view, SMALL_BUDGET, &NoClock, 3).is_empty());
}

#[test]
fn advice_is_legal_and_sorted() {
    let state = towers_rules::examples::opening();
    let seat = towers_rules::Seat(0);
    let view = state.view(towers_rules::Viewer::Seat(seat));
    for level in Strength::ALL {
        let mut bot = Bot::new(level, seat, 1, &view);
        let advice = bot.explain(&view, Budget::Iterations(200), &NoClock, 3);
        assert!(!advice.is_empty() && advice.len() <= 3);
        for one in &advice {
            assert!(state.is_legal(seat, one.action));
            assert_eq!(one.line.first(), Some(&one.action));
        }
    }
}
