//! The input of the evaluation: a sparse list of features per player.
//!
//! The features of a player are the distances of the wizards to the castle and to its next places, the prisoners, the
//! flasks, the turns until the player's next turn, and the cards kept in hand.

use towers_rules::{Phase, SPACES, Seat, Space, State, Tower};

/// The first index of each group of features.
const VISIBLE: usize = 0; // visible wizards by distance to the castle
const COVERED: usize = 16; // imprisoned wizards by distance to the castle
const NEXT: usize = 32; // visible wizards by distance to the castle's next place
const AFTER: usize = 48; // and to the one after that
const WIZARDS_LEFT: usize = 64; // wizards not home yet, one of 13
const EMPTY: usize = 77; // empty flasks, one of 7
const FULL: usize = 84; // full flasks, one of 7
const TEMPO: usize = 91; // in the middle of the player's turn, or turns until the next one, one of 10
const ORDER: usize = 101; // place in the round, one of 6
const FINAL: usize = 107; // the last round (R11.2)
const NEIGHBOURS: usize = 111; // visible wizards alone, among their own, among others
const TARGETS: usize = 114; // surfaces on which only others could be imprisoned, one of 7
const KEPT_CARDS: usize = 121; // cards kept in hand by kind
const HOME_CARDS: usize = 144; // kept cards that bring a wizard home now; maybe (dice); there next; after that
const HOME_DISTANCES: usize = 148; // from how many of the distances 1 to 5 a wizard can come home, one of 6
const NEXT_HOME_DISTANCES: usize = 154; // and at the castle's next place, one of 6
/// The tempo of a turn that has one action left.
const MIDDLE: usize = 1;
/// The number of features.
pub(crate) const FEATURES: usize = 160;

/// A consumer of features: the net that adds them up, or the tuning tool that records them.
pub(crate) trait Sink {
    /// A non-zero feature of an owner, and how often it occurs.
    fn add(&mut self, owner: usize, feature: usize, times: u8);
}

/// Computes the features of every owner; returns the number of owners.
#[inline]
pub(crate) fn features(state: &State, out: &mut impl Sink) -> usize {
    let owners = state.owners().count();
    let castles = places(state, owners, out);
    for owner in state.owners() {
        standing(state, owner, out);
    }
    kept(state, castles, out);
    owners
}

/// Adds the positions of wizards; returns the castle's space and its next two places.
#[inline]
fn places(state: &State, owners: usize, out: &mut impl Sink) -> [Space; 3] {
    let castle = state.castle();
    let mut seen = [[0u8; 6]; SPACES];
    let mut free = 0u32; // exposed shields without wizards: where the castle can go (R6.2)
    for tower in Tower::all() {
        let surface = state.below(tower);
        for o in 0..owners {
            let n = state.count(surface, Seat(o as u8));
            if n > 0 {
                let far = ahead(state.tower_space(tower), castle);
                out.add(o, COVERED + far, n);
            }
        }
    }
    for space in Space::all() {
        let surface = state.exposed(space);
        let here = &mut seen[space.index()];
        let mut total = 0;
        for (o, n) in here.iter_mut().enumerate().take(owners) {
            *n = state.count(surface, Seat(o as u8));
            total += *n;
        }
        if total == 0 && surface.has_shield() && space != castle {
            free |= 1 << space.number();
        }
    }
    let next = next_shield(free, castle);
    let after = next_shield(free & !(1 << next.number()), next);
    let mut targets = [0usize; 6];
    let mut reach = [[0u16; 2]; 6]; // distances from which wizards could come home
    for space in Space::all() {
        let here = &seen[space.index()];
        let total: u8 = here[..owners].iter().sum();
        if total == 0 {
            continue;
        }
        for (o, &n) in here.iter().enumerate().take(owners) {
            if n == 0 {
                targets[o] += 1;
                continue;
            }
            out.add(o, VISIBLE + ahead(space, castle), n);
            reach[o][0] |= 1 << ahead(space, castle);
            reach[o][1] |= 1 << ahead(space, next);
            out.add(o, NEXT + ahead(space, next), n);
            out.add(o, AFTER + ahead(space, after), n);
            let company = usize::from(n > 1) + usize::from(total > n);
            out.add(o, NEIGHBOURS + company, n);
        }
    }
    for (o, &n) in targets.iter().enumerate().take(owners) {
        out.add(o, TARGETS + n.min(6), 1);
        let [now, then] = reach[o].map(|r| (r & 0b11_1110).count_ones() as usize);
        out.add(o, HOME_DISTANCES + now, 1);
        out.add(o, NEXT_HOME_DISTANCES + then, 1);
    }
    [castle, next, after]
}

/// The steps from a space clockwise to another.
#[inline]
pub(crate) fn ahead(from: Space, to: Space) -> usize {
    (to.number().wrapping_sub(from.number()) & 15) as usize
}

/// The first of these spaces clockwise from here, or here if there is none (R6.3).
pub(crate) fn next_shield(free: u32, from: Space) -> Space {
    let turned = (free as u16).rotate_right(u32::from(from.number()) + 1);
    if turned == 0 {
        from
    } else {
        from.ahead(turned.trailing_zeros() as u8 + 1)
    }
}

/// Adds the wizards left, the flasks and the tempo of an owner.
fn standing(state: &State, owner: Seat, out: &mut impl Sink) {
    let o = owner.index();
    let left = (state.wizards_each() - state.home(owner)) as usize;
    out.add(o, WIZARDS_LEFT + left.min(12), 1);
    let flasks = state.flasks(owner);
    out.add(o, EMPTY + usize::from(flasks.empty).min(6), 1);
    out.add(o, FULL + usize::from(flasks.full).min(6), 1);
    if state.shares_pieces() {
        return;
    }
    let (seats, turn) = (state.players(), state.turn());
    // The net was trained on positions at the end and in the middle of turns. The start of a turn is the end of the one
    // before; a turn in which everything is played counts as ended.
    let (active, over) = match turn.played {
        0 => (Seat((turn.active.0 + seats - 1) % seats), true),
        1 => (turn.active, turn.phase == Phase::Refill),
        _ => (turn.active, true),
    };
    let until = (owner.0 + seats - active.0) % seats;
    let tempo = if until > 0 {
        3 + until as usize
    } else if over {
        3 + seats as usize
    } else {
        MIDDLE
    };
    out.add(o, TEMPO + tempo.min(9), 1);
    let order = |seat: Seat| (seat.0 + seats - state.start().0) % seats;
    out.add(o, ORDER + order(owner) as usize, 1);
    if state.is_final() {
        let finished = state.has_finished(owner);
        let acts = order(owner) > order(active) || (owner == active && !over);
        out.add(o, FINAL + 2 * usize::from(finished) + usize::from(acts), 1);
    }
}

/// Adds the cards that the active player keeps, once the hand is not full.
fn kept(state: &State, [castle, next, after]: [Space; 3], out: &mut impl Sink) {
    let active = state.active();
    let hand = state.hand(active);
    if hand.len() >= 3 {
        return;
    }
    let walker = state.moves_wizards_of(active);
    let o = state.owner(active).index();
    for card in hand.iter() {
        out.add(o, KEPT_CARDS + card.index(), 1);
        if card.dice() > 0 {
            let near = card.wizard_steps(1).is_some()
                && (1..=6).any(|n| stands(state, walker, castle.behind(n)));
            if near {
                out.add(o, HOME_CARDS + 1, 1);
            }
        } else if let Some(steps) = card.wizard_steps(0) {
            for (place, feature) in [(castle, 0), (next, 2), (after, 3)] {
                if stands(state, walker, place.behind(steps)) {
                    out.add(o, HOME_CARDS + feature, 1);
                }
            }
        }
    }
}

fn stands(state: &State, owner: Seat, space: Space) -> bool {
    state.count(state.exposed(space), owner) > 0
}
