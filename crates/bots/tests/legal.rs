//! Every level returns a legal action in every variant and preset, also from odd positions.

mod common;

use bots::{Bot, Budget, Level, NoClock};
use common::{Table, variants};
use rules::{Actions, Actor, State};

/// Actions of a game that bots choose; the rest of the game is not needed here.
const LONGEST: usize = 16;
const TINY: Budget = Budget::Iterations(6);

#[test]
fn every_level_acts_legally_in_every_variant() {
    for (i, setup) in variants().into_iter().enumerate() {
        for level in Level::ALL {
            let mut table = Table::new(&setup, i as u64, |_| level);
            table.play(LONGEST, TINY);
        }
    }
}

#[test]
fn levels_play_each_other_to_the_end() {
    for (i, setup) in variants().into_iter().enumerate().step_by(5) {
        let mut table = Table::new(&setup, 100 + i as u64, |seat| Level::ALL[seat % 3]);
        table.play(100_000, TINY);
        assert!(table.state.outcome().is_some());
    }
}

/// Random play leads to positions that no sensible player would reach; bots that sit down there know
/// nothing of what went before.
#[test]
fn every_level_acts_legally_when_it_sits_down_in_a_strange_position() {
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
                        let view = state.view(rules::Viewer::Seat(seat));
                        for level in Level::ALL {
                            let mut bot = Bot::new(level, seat, rng.u64(..), &view);
                            let action = bot.act(&view, TINY, &NoClock).expect("its turn");
                            assert!(
                                state.is_legal(seat, action),
                                "{level}: {action} in {state:?}"
                            );
                        }
                    }
                    state.legal_actions(&mut list);
                    let action = list.get(rng.usize(0..list.len())).expect("R18.6");
                    state.apply_unchecked(seat, action, &mut ());
                }
            }
        }
    }
}

#[test]
fn a_bot_is_silent_when_others_decide() {
    let state = rules::examples::opening();
    let seat = rules::Seat(1);
    let view = state.view(rules::Viewer::Seat(seat));
    let mut bot = Bot::new(Level::Master, seat, 1, &view);
    assert_eq!(bot.act(&view, TINY, &NoClock), None);
    assert_eq!(bot.offer(&view), None);
    assert!(bot.explain(&view, TINY, &NoClock, 3).is_empty());
}

#[test]
fn advice_is_legal_and_sorted() {
    let state = rules::examples::opening();
    let seat = rules::Seat(0);
    let view = state.view(rules::Viewer::Seat(seat));
    for level in Level::ALL {
        let mut bot = Bot::new(level, seat, 1, &view);
        let advice = bot.explain(&view, Budget::Iterations(200), &NoClock, 3);
        assert!(!advice.is_empty() && advice.len() <= 3);
        for one in &advice {
            assert!(state.is_legal(seat, one.action));
            assert_eq!(one.line.first(), Some(&one.action));
        }
    }
}
