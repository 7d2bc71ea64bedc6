//! The input of the evaluation when all wizards are shared: solo and cooperative games (§14, §15).
//!
//! There are no opponents, and every card counts. So these features look further ahead than those for games against
//! each other: to the castle's next three places, to the cards that would bring a wizard home at each of them, and to
//! the wizards on and under towers.

use towers_rules::{Card, Phase, SPACES, Seat, Space, SpellSet, State, Tower};

use crate::features::{ahead, next_shield};

/// The first index of each group of features.
const VISIBLE: usize = 0; // visible wizards by distance to the castle: one, two, three or more
const LIFTED: usize = 48; // of these, how many stand on towers
const COVERED: usize = 64; // wizards under one tower, by distance
const DEEPLY_COVERED: usize = 80; // wizards under more towers
const NEXT: usize = 96; // visible wizards by distance to the castle's next place: one, two or more
const AFTER: usize = 128; // and to the one after that
const THIRD: usize = 160; // and to the third
const WIZARDS_LEFT: usize = 176; // wizards not home yet, one of 13
const HOME_DISTANCES: usize = 189; // from which of the distances 1 to 5 somebody can come home, one of 32
const NEXT_HOME_DISTANCES: usize = 221; // at the next place
const AFTER_HOME_DISTANCES: usize = 253; // at the one after that
const GAP: usize = 285; // from the castle to its next place
const GAP_AFTER: usize = 301; // from there to the one after that
const KEPT_CARDS: usize = 317; // cards kept in hand by kind
const HOME_CARDS: usize = 340; // kept cards that bring somebody home now; maybe (dice); next; after that
const MAYBE: usize = HOME_CARDS + 1;
const CHAIN: usize = 344; // two kept cards that bring somebody home one after the other
const HEIGHT: usize = 345; // the castle stands on the ground, on one tower, on more
const EMPTY: usize = 348; // empty flasks, one of 7
const FULL: usize = 355; // full flasks, one of 7
const SPELL: usize = 362; // spells in play
const WIZARDS_AND_FLASKS: usize = 370; // wizards left, up to 7, with empty flasks: one of 56
const COVERING: usize = 426; // kept cards that could imprison somebody while there is an empty flask
const MAY_CAST: usize = 427; // a spell may still be cast in this turn
/// The number of features.
pub(crate) const FEATURES: usize = 428;

/// The owner of all wizards.
const ALL: Seat = Seat(0);
/// The distances from which a card without dice can bring a wizard home, as bits.
const CARDS: u16 = 0b11_1110;

/// Passes every non-zero feature and how often it occurs to `add`.
#[inline]
pub(crate) fn features(state: &State, mut add: impl FnMut(usize, u8)) {
    let castle = state.castle();
    let seen = places(state, castle, &mut add);
    let free = free_shields(state, &seen, castle);
    let next = next_shield(free, castle);
    let free = free & !(1 << next.number());
    let after = next_shield(free, next);
    let third = next_shield(free & !(1 << after.number()), after);
    let mut reach = [0u16; 3];
    for (space, &n) in Space::all().zip(&seen) {
        if n == 0 {
            continue;
        }
        let [now, then, later] = [castle, next, after].map(|place| ahead(space, place));
        add(VISIBLE + 16 * usize::from(n.min(3) - 1) + now, 1);
        add(NEXT + 16 * usize::from(n.min(2) - 1) + then, 1);
        add(AFTER + 16 * usize::from(n.min(2) - 1) + later, 1);
        add(THIRD + ahead(space, third), 1);
        for (mask, far) in reach.iter_mut().zip([now, then, later]) {
            *mask |= 1 << far;
        }
    }
    for (mask, group) in
        reach
            .iter()
            .zip([HOME_DISTANCES, NEXT_HOME_DISTANCES, AFTER_HOME_DISTANCES])
    {
        add(group + usize::from((mask & CARDS) >> 1), 1);
    }
    add(GAP + ahead(castle, next), 1);
    add(GAP_AFTER + ahead(next, after), 1);
    add(HEIGHT + height(state, castle), 1);
    let left = usize::from(state.wizards_each() - state.home(ALL));
    add(WIZARDS_LEFT + left.min(12), 1);
    kept(state, reach, &mut add);
    if state.spells() != SpellSet::NONE {
        flasks(state, &seen, left, &mut add);
    }
}

/// Adds the positions of wizards; returns the number visible on each space.
#[inline]
fn places(state: &State, castle: Space, add: &mut impl FnMut(usize, u8)) -> [u8; SPACES] {
    for tower in Tower::all() {
        let n = state.count(state.below(tower), ALL);
        if n > 0 {
            let space = state.tower_space(tower);
            let top = state.exposed(space) == tower.top();
            let group = if top { COVERED } else { DEEPLY_COVERED };
            add(group + ahead(space, castle), n);
        }
    }
    let mut seen = [0; SPACES];
    for (space, seen) in Space::all().zip(&mut seen) {
        let surface = state.exposed(space);
        *seen = state.count(surface, ALL);
        if *seen > 0 && surface.tower().is_some() {
            add(LIFTED + ahead(space, castle), *seen);
        }
    }
    seen
}

/// The number of towers on a space; 2 stands for two or more.
fn height(state: &State, space: Space) -> usize {
    let top = state.exposed(space).tower();
    let below = top.and_then(|tower| state.below(tower).tower());
    usize::from(top.is_some()) + usize::from(below.is_some())
}

/// The spaces where the castle can go (R6.2), as bits.
fn free_shields(state: &State, seen: &[u8; SPACES], castle: Space) -> u32 {
    let mut free = 0;
    for (space, &n) in Space::all().zip(seen) {
        if n == 0 && space != castle && state.exposed(space).has_shield() {
            free |= 1 << space.number();
        }
    }
    free
}

/// Adds the cards that are kept, once the hand is not full.
fn kept(state: &State, reach: [u16; 3], add: &mut impl FnMut(usize, u8)) {
    let hand = state.hand(state.active());
    if hand.len() >= 3 {
        return;
    }
    let (mut now, mut then) = (0u8, 0u8); // kept cards that bring somebody home, as bits
    for (i, card) in hand.iter().enumerate() {
        add(KEPT_CARDS + card.index(), 1);
        if card.dice() > 0 {
            if card.wizard_steps(1).is_some() && reach[0] & 0b111_1110 != 0 {
                add(MAYBE, 1);
            }
        } else if let Some(steps) = card.wizard_steps(0) {
            for (mask, feature) in reach.iter().zip([0, 2, 3]) {
                if mask >> steps & 1 == 1 {
                    add(HOME_CARDS + feature, 1);
                }
            }
            now |= ((reach[0] >> steps & 1) as u8) << i;
            then |= ((reach[1] >> steps & 1) as u8) << i;
        }
    }
    // One of the two cards now, the other afterwards.
    if now != 0 && then != 0 && (now | then).count_ones() > 1 {
        add(CHAIN, 1);
    }
}

/// Adds the flasks, which have to be full before the last wizard is home (R14.7).
fn flasks(state: &State, seen: &[u8; SPACES], left: usize, add: &mut impl FnMut(usize, u8)) {
    let flasks = state.flasks(ALL);
    let empty = usize::from(flasks.empty).min(6);
    add(EMPTY + empty, 1);
    add(FULL + usize::from(flasks.full).min(6), 1);
    add(WIZARDS_AND_FLASKS + 7 * left.min(7) + empty, 1);
    for spell in state.spells().iter() {
        add(SPELL + spell as usize, 1);
    }
    if state.phase() == Phase::End {
        add(MAY_CAST, 1);
    }
    let hand = state.hand(state.active());
    if empty > 0 && hand.len() < 3 {
        let could = hand.iter().filter(|&card| covers(state, seen, card));
        let could = could.count() as u8;
        if could > 0 {
            add(COVERING, could);
        }
    }
}

/// Whether a card could put a tower on a wizard.
fn covers(state: &State, seen: &[u8; SPACES], card: Card) -> bool {
    let Some(steps) = card.tower_steps(0) else {
        return false;
    };
    Space::all()
        .any(|space| state.exposed(space).tower().is_some() && seen[space.ahead(steps).index()] > 0)
}

/// The cost of a feature in cards, by the rule of thumb that tuning starts from: prisoners cost extra, cards that would
/// bring a wizard home save some.
#[cfg(feature = "tuning")]
pub(crate) fn rule_of_thumb(feature: usize) -> f32 {
    let distances = |mask: usize| mask.count_ones() as f32;
    match feature {
        COVERED..DEEPLY_COVERED => 0.7,
        DEEPLY_COVERED..NEXT => 1.2,
        HOME_DISTANCES..NEXT_HOME_DISTANCES => -0.25 * distances(feature - HOME_DISTANCES),
        NEXT_HOME_DISTANCES..AFTER_HOME_DISTANCES => {
            -0.15 * distances(feature - NEXT_HOME_DISTANCES)
        }
        AFTER_HOME_DISTANCES..GAP => -0.1 * distances(feature - AFTER_HOME_DISTANCES),
        HOME_CARDS => -0.6,
        CHAIN => -0.4,
        MAYBE..CHAIN => -0.2,
        EMPTY..FULL => (feature - EMPTY) as f32,
        WIZARDS_AND_FLASKS..COVERING => {
            // R14.7: the flasks have to be filled first.
            let (left, empty) = (
                (feature - WIZARDS_AND_FLASKS) / 7,
                (feature - WIZARDS_AND_FLASKS) % 7,
            );
            if empty > 0 && left <= empty { 3.0 } else { 0.0 }
        }
        COVERING => -0.3,
        _ => 0.0,
    }
}
