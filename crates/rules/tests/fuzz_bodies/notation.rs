//! Parsing arbitrary text gives a value that survives a round trip, or an error with a column inside the text; never a
//! panic.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use towers_rules::notation::{Diagram, ParseError};
use towers_rules::{
    Action, Actions, Actor, Card, Cast, Chance, Colour, Knowledge, Move, Spell, SpellSet, State,
    Surface, Tower, View, Viewer, Wizards,
};

/// Parses a text as every type that has a notation.
pub fn read(text: &str) {
    same_again::<Action>(text);
    same_again::<Cast>(text);
    same_again::<Move>(text);
    same_again::<Chance>(text);
    same_again::<Diagram>(text);
    same_again::<Wizards>(text);
    same_again::<Surface>(text);
    same_again::<SpellSet>(text);
    same_again::<Card>(text);
    same_again::<Spell>(text);
    same_again::<Tower>(text);
    same_again::<Colour>(text);
    match text.parse::<State>() {
        Err(error) => points_into(&error, text),
        Ok(state) => position(&state),
    }
    if let Ok(view) = serde_json::from_str::<View>(text)
        && let Ok(state) = view.sample(&Knowledge::default(), |n| n / 2)
    {
        position(&state);
    }
}

/// Notation is canonical, so a parsed value prints as the text it was parsed from.
fn same_again<T: FromStr<Err = ParseError> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string(), text),
        Err(error) => points_into(&error, text),
    }
}

fn points_into(error: &ParseError, text: &str) {
    assert!((1..=text.chars().count() + 1).contains(&error.column));
    assert!(!error.message.is_empty());
}

/// A parsed position is legal, survives a round trip, and can be played on.
fn position(state: &State) {
    state.check_invariants().expect("what is read is legal");
    if !state.phase().is_chance() {
        let text = state.to_string();
        assert_eq!(text.parse::<State>().as_ref(), Ok(state), "{text}");
    }
    for viewer in state.seats().map(Viewer::Seat).chain([Viewer::Spectator]) {
        let view = state.view(viewer);
        let sample = view.sample(&Knowledge::default(), |n| n / 2);
        assert_eq!(sample.map(|s| s.view(viewer)).as_ref(), Ok(&view));
    }
    let mut state = *state;
    let mut list = Actions::new();
    for step in 0..40 {
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => {
                let chance = state.sample_chance(|n| step % n).expect("it is its turn");
                state
                    .apply_chance(chance)
                    .expect("chance offers what it accepts");
            }
            Actor::Player(seat) => {
                state.legal_actions_into(&mut list);
                let n = (step as usize * 7) % list.len().max(1);
                let action = list.get(n).expect("there is an action (R18.6)");
                state.apply(seat, action).expect("it was listed");
            }
        }
        state.check_invariants().expect("the rules hold");
    }
}
