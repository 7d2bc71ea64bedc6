//! The Novice rates single moves, like a beginner in the first game.

use towers_rules::{Action, Actor, Event, Phase, Seat, State};

/// The action with the highest rating plus some randomness. It does not cast spells.
pub(crate) fn act(state: &State, seat: Seat, rng: &mut fastrand::Rng) -> Option<Action> {
    let list = state.legal_actions();
    let mut events = Vec::new();
    let mut best = None;
    for action in &list {
        let Some(value) = rating(state, seat, action, &mut events) else {
            continue;
        };
        let value = value + rng.f32() * 4.0;
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, action));
        }
    }
    best.map(|(_, action)| action).or_else(|| list.get(0))
}

/// The rating of an action; `None` if it is not considered.
fn rating(state: &State, seat: Seat, action: Action, events: &mut Vec<Event>) -> Option<f32> {
    match action {
        Action::Play(..) | Action::Accept(_) | Action::Refresh(_) | Action::RefreshFirst => {}
        // Beginners like to roll.
        Action::Roll(_) => return Some(6.0),
        Action::Reroll => return Some(5.0),
        Action::End | Action::Pass | Action::Done => return Some(0.0),
        Action::AcceptOffer | Action::Offer(_) | Action::Return(_) => return Some(0.0),
        // A claimed spell has to be cast (R13.4).
        Action::Cast(_) if state.phase() == Phase::After => return Some(-10.0),
        _ => return None,
    }
    let mut after = *state;
    events.clear();
    after.apply_unchecked(seat, action, events);
    while after.phase().is_window()
        && let Actor::Player(other) = after.actor()
    {
        after.apply_unchecked(other, Action::Pass, events);
    }
    let own = state.wizard_colour(state.moves_wizards_of(seat));
    let mut value = 0.0;
    for event in events.iter() {
        value += match *event {
            Event::WizardMoved { onto: None, .. } => 60.0,
            Event::WizardMoved { from, to, .. } => {
                // Towards the castle, but not past it.
                let far = |space: towers_rules::Space| {
                    state.castle().number().wrapping_sub(space.number()) & 15
                };
                let (before, now) = (far(state.space_of(from)), far(to));
                if now < before {
                    f32::from(before - now) * 1.5
                } else {
                    -12.0
                }
            }
            Event::Imprisoned { wizards, .. } => {
                let mine = f32::from(wizards.of(own));
                8.0 + 4.0 * (f32::from(wizards.total()) - mine) - 14.0 * mine
            }
            Event::FlaskFilled { .. } => 12.0,
            Event::Uncovered { wizards, .. } => 10.0 * f32::from(wizards.of(own)),
            Event::Refreshed { .. } => -8.0,
            _ => 0.0,
        };
    }
    Some(value)
}
