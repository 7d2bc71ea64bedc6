//! The policy of random games.

use super::Rng;
use super::variants::setup_of;
use towers_rules::{Action, Actions, Actor, Event, Seat, Setup, State};

/// The next seat and its action; `None` when it is not a player's turn. An eager player prefers entries, imprisoning,
/// spells and claims, so that games are short and rare rules come up often; it often saves flasks, so that a spell
/// can be repeated.
pub fn choose(state: &State, rng: &mut Rng, eager: bool) -> Option<(Seat, Action)> {
    let Actor::Player(actor) = state.actor() else {
        return None;
    };
    let mut list = Actions::new();
    if let Some(partner) = state.partner_actions_into(&mut list)
        && rng.one_in(8)
    {
        return Some((partner, any(&list, rng)));
    }
    state.legal_actions_into(&mut list);
    if eager && !rng.one_in(5) {
        let saves = !state.phase().is_series() && !rng.one_in(3);
        let likes = |action| liking(state, actor, action, saves);
        let best = list.iter().map(likes).max()?;
        let liked: Vec<_> = list.iter().filter(|&a| likes(a) == best).collect();
        return Some((actor, *rng.pick(&liked)));
    }
    Some((actor, any(&list, rng)))
}

fn any(list: &Actions, rng: &mut Rng) -> Action {
    list.get(rng.below(list.len() as u32) as usize)
        .expect("somebody who is to act can act (R18.6)")
}

fn liking(state: &State, seat: Seat, action: Action, saves: bool) -> u8 {
    let mut after = *state;
    let mut events = Vec::new();
    after.apply_unchecked(seat, action, &mut events);
    let spends = |event: &Event| matches!(event, Event::SpellCast { .. } | Event::Claimed { .. });
    if saves && events.iter().any(spends) {
        return 0;
    }
    let liking = |event: &Event| match event {
        Event::WizardMoved { onto: None, .. } => 4,
        Event::Imprisoned { .. } | Event::PiggybackCast { .. } => 3,
        Event::SpellCast { .. } | Event::Claimed { .. } => 2,
        Event::Passed { .. } if !saves => 0,
        _ => 1,
    };
    events.iter().map(liking).max().unwrap_or(0)
}

/// Plays at most this many decisions and passes every state to a callback, including those of chance.
pub fn walk(setup: &Setup, rng: &mut Rng, decisions: usize, mut look: impl FnMut(&State)) {
    let mut state = State::new(setup).expect("a table that can be played");
    let mut made = 0;
    let eager = rng.one_in(2);
    loop {
        look(&state);
        if let Some(chance) = state.sample_chance(|n| rng.below(n)) {
            state
                .apply_chance(chance)
                .expect("chance offers what it accepts");
        } else if let Some((seat, action)) = choose(&state, rng, eager) {
            if made == decisions {
                return;
            }
            made += 1;
            state.apply(seat, action).expect("it was listed");
        } else {
            return;
        }
    }
}

/// Plays one step of a random game, of a player or of chance; returns the events, or `None` when the game is over.
pub fn step(state: &mut State, rng: &mut Rng, eager: bool) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    if let Some(chance) = state.sample_chance(|n| rng.below(n)) {
        state
            .apply_chance_observed(chance, &mut events)
            .expect("an outcome");
    } else {
        let (seat, action) = choose(state, rng, eager)?;
        state
            .apply_observed(seat, action, &mut events)
            .expect("it was listed");
    }
    Some(events)
}

/// This many random legal setups, with any values in all fields.
pub fn random_tables(number: usize, name: &str) -> impl Iterator<Item = Setup> {
    let mut rng = Rng::named(0, name);
    std::iter::from_fn(move || Some(setup_of(|| rng.below(256) as u8)))
        .filter(|setup| setup.check().is_ok())
        .take(number)
}
