//! The benefits of advice are true: they are compared with the position afterwards.

use towers_bots::{Benefit, Bot, Budget, NoClock, Strength};
use towers_rules::{Actions, Actor, Memory, Mode, Preset, Setup, State, Viewer};

/// Random positions of a two-player game in which everything is visible.
fn positions() -> Vec<State> {
    let mut setup = Setup::new(Preset::Capstone, Mode::Versus, 2);
    setup.options.memory = Memory::Assisted;
    let mut rng = fastrand::Rng::with_seed(11);
    let mut list = Actions::new();
    let mut found = Vec::new();
    let mut state = State::new(&setup).expect("a legal table");
    while found.len() < 40 && state.outcome().is_none() {
        if let Actor::Player(seat) = state.actor() {
            found.push(state);
            state.legal_actions_into(&mut list);
            let action = list.get(rng.usize(0..list.len())).expect("R18.6");
            state.apply_unchecked(seat, action, &mut ());
        } else {
            let chance = state.sample_chance(|n| rng.u32(0..n)).expect("chance");
            state.apply_chance(chance).expect("an answer");
        }
    }
    found
}

#[test]
fn hints_promise_what_their_line_does() {
    let (mut homes, mut fills) = (0, 0);
    for state in positions() {
        let Actor::Player(seat) = state.actor() else {
            continue;
        };
        let view = state.view(Viewer::Seat(seat));
        let mut bot = Bot::new(Strength::Adept, seat, 1, &view);
        for advice in bot.explain(&view, Budget::Iterations(1), &NoClock, 5) {
            let mut after = state;
            for &action in &advice.line {
                assert!(after.is_legal(seat, action), "{action} of {advice:?}");
                after.apply_unchecked(seat, action, &mut ());
            }
            let home = after.home(seat) - state.home(seat);
            let filled = state.flasks(seat).empty - after.flasks(seat).empty;
            let says = |reason| advice.benefits.contains(&reason);
            for wizards in 1..=2 {
                let brings = Benefit::BringsHome { wizards };
                assert_eq!(says(brings), home == wizards, "{advice:?}");
                let fills = Benefit::FillsFlask { flasks: wizards };
                assert_eq!(says(fills), filled == wizards, "{advice:?}");
            }
            homes += home;
            fills += filled;
        }
    }
    assert!(homes > 0 && fills > 0, "nothing was tested");
}
