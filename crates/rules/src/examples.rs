//! Example positions for documentation and tests.

use crate::state::State;

/// Two players, beginner spells, blue to move with `t5`, `w1` and `w3`.
pub fn opening() -> State {
    OPENING.parse().expect("the example is a legal position")
}

const OPENING: &str = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/- seats=b,y memory=assisted spells=AW,AT hands=b:t5,w1,w3;y:w2,w2t4,w?t?";
