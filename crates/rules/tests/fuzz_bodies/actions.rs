//! Bytes choose a setup, the outcomes of chance, and the actions tried, legal or not. The invariants hold; a refused
//! action changes nothing; positions survive a round trip through notation; views do not depend on hidden information.

use towers_rules::{Action, Actions, Actor, Knowledge, Seat, State, Viewer};

use super::super::common::universe::universe;
use super::super::common::variants::setup_of;

/// Bytes as decisions; zeros when there are no more.
struct ByteChoices<'a>(&'a [u8]);

impl ByteChoices<'_> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn below(&mut self, n: u32) -> u32 {
        let number = u32::from(self.byte()) << 8 | u32::from(self.byte());
        number % n.max(1)
    }
}

/// All actions, computed once.
pub fn all_actions() -> Vec<Action> {
    universe()
}

/// Plays the game that the bytes encode.
pub fn play(bytes: &[u8], all: &[Action]) {
    let mut choices = ByteChoices(bytes);
    let setup = setup_of(|| choices.byte());
    let Ok(mut state) = State::new(&setup) else {
        return;
    };
    let mut list = Actions::new();
    while !choices.0.is_empty() {
        state.check_invariants().expect("the rules hold");
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => {
                let chance = state.sample_chance(|n| choices.below(n));
                let chance = chance.expect("it is chance's turn");
                state
                    .apply_chance(chance)
                    .expect("chance offers what it accepts");
            }
            Actor::Player(seat) => match choices.byte() {
                0..200 => {
                    state.legal_actions_into(&mut list);
                    let n = choices.below(list.len() as u32) as usize;
                    let action = list.get(n).expect("there is an action (R18.6)");
                    assert!(
                        state.is_legal(seat, action),
                        "{action} is listed in {state:?}"
                    );
                    state.apply(seat, action).expect("it was listed");
                }
                200..215 => {
                    if let Some(partner) = state.partner_actions_into(&mut list) {
                        let n = choices.below(list.len() as u32) as usize;
                        let action = list.get(n).expect("there is one");
                        state.apply(partner, action).expect("it was listed");
                    }
                }
                who => {
                    let action = all[choices.below(all.len() as u32) as usize];
                    let seat = if who < 235 { seat } else { Seat(who % 8) };
                    attempt(&mut state, &mut list, seat, action);
                    if who % 8 == 0 {
                        look(&state, &mut choices);
                    }
                }
            },
        }
    }
}

/// Checks the round trip through notation and the views of all seats.
fn look(state: &State, choices: &mut ByteChoices) {
    let text = state.to_string();
    if !state.phase().is_chance() {
        assert_eq!(text.parse::<State>().as_ref(), Ok(state), "{text}");
    }
    let mut list = Actions::new();
    for viewer in state.seats().map(Viewer::Seat).chain([Viewer::Spectator]) {
        let view = state.view(viewer);
        let other = view.sample(&Knowledge::default(), |n| choices.below(n));
        let other = other.unwrap_or_else(|e| panic!("{e} for {viewer:?} in {text}"));
        assert_eq!(other.view(viewer), view, "{text}");
        if view.to_act().map(Viewer::Seat) == Some(viewer) {
            state.legal_actions_into(&mut list);
            let real: Vec<_> = list.iter().collect();
            other.legal_actions_into(&mut list);
            assert!(list.iter().eq(real), "{text}");
        }
    }
}

/// Tries an action that may be illegal.
fn attempt(state: &mut State, list: &mut Actions, seat: Seat, action: Action) {
    let before = *state;
    let mut events = Vec::new();
    let applied = state.apply_observed(seat, action, &mut events);
    before.legal_actions_into(list);
    let listed = before.actor() == Actor::Player(seat) && list.contains(action);
    let partner = before.partner_actions_into(list);
    let offered = partner == Some(seat) && list.contains(action);
    assert_eq!(applied.is_ok(), listed || offered, "{action} in {before:?}");
    if let Err(why) = applied {
        assert_eq!(*state, before, "{action} was refused");
        assert!(events.is_empty() && why.clause().starts_with('R'));
    }
}
