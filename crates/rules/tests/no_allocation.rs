//! Random play does not allocate: listing, choosing and applying use the stack only.

mod common;

use common::Rng;
use common::variants::variants;
use towers_rules::{Actions, Actor, State};

/// Plays a game; returns how many actions were made.
fn play(mut state: State, list: &mut Actions, rng: &mut Rng) -> u32 {
    let mut actions = 0;
    loop {
        match state.actor() {
            Actor::Player(seat) => {
                state.legal_actions_into(list);
                let Some(action) = list.get(rng.below(list.len() as u32) as usize) else {
                    return actions;
                };
                state.apply_unchecked(seat, action, &mut ());
                actions += 1;
                if actions == 2000 {
                    return actions;
                }
            }
            Actor::Chance => {
                let Some(chance) = state.sample_chance(|n| rng.below(n)) else {
                    return actions;
                };
                if state.apply_chance(chance).is_err() {
                    return actions;
                }
            }
            Actor::Nobody => return actions,
        }
    }
}

#[test]
fn random_play_does_not_allocate() {
    let mut all = 0;
    for (name, setup) in variants() {
        let state = State::new(&setup).expect("a variant can be played");
        let mut rng = Rng::named(30, &name);
        let mut list = Actions::new();
        let mut made = 0;
        let info = allocation_counter::measure(|| {
            for _ in 0..3 {
                made += play(state, &mut list, &mut rng);
            }
        });
        assert!(made > 50, "{name}");
        assert_eq!(info.count_total, 0, "{name} allocates");
        all += made;
    }
    assert!(all > 10_000);
}

#[test]
fn the_counter_counts() {
    let info = allocation_counter::measure(|| {
        std::hint::black_box(vec![1, 2, 3]);
    });
    assert_eq!(info.count_total, 1);
}

#[test]
fn a_state_is_small() {
    let bytes = size_of::<State>();
    assert!(bytes <= 256, "{bytes} bytes");
}
