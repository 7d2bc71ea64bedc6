//! What the evaluation looks at: a short list of numbers per player.
//!
//! A player's list says how far the wizards are from the castle and from where it will probably go
//! next, who is imprisoned, how the flasks stand, when the next turn comes, and which cards were kept.

use rules::{Phase, SPACES, Seat, Space, State, Surface};

/// Where each group of features begins.
const VISIBLE: usize = 0; // visible wizards by distance to the castle
const COVERED: usize = 16; // imprisoned wizards by distance to the castle
const NEXT: usize = 32; // visible wizards by distance to the castle's next place
const AFTER: usize = 48; // and to the one after that
const LEFT: usize = 64; // wizards not home yet, one of 13
const EMPTY: usize = 77; // empty flasks, one of 7
const FULL: usize = 84; // full flasks, one of 7
const TEMPO: usize = 91; // actions left now, or turns until the next own turn, one of 10
const ORDER: usize = 101; // place in the round, one of 6
const FINAL: usize = 107; // the last round (R11.2)
const COMPANY: usize = 111; // visible wizards alone, among their own, among others
const TARGETS: usize = 114; // surfaces on which only others could be imprisoned, one of 7
const KEPT: usize = 121; // cards kept in hand by kind
const HITS: usize = 144; // kept cards that bring a wizard home; that nearly do (dice)
/// How many features there are.
pub(crate) const FEATURES: usize = 146;

/// The features of one player that are not zero.
#[derive(Clone, Copy)]
pub(crate) struct Features {
    len: usize,
    items: [(u16, f32); MOST],
}

const MOST: usize = 96;

impl Features {
    const NONE: Features = Features {
        len: 0,
        items: [(0, 0.0); MOST],
    };

    #[inline]
    fn add(&mut self, index: usize, value: f32) {
        if self.len < MOST {
            self.items[self.len] = (index as u16, value);
            self.len += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.items[..self.len]
            .iter()
            .map(|&(index, value)| (index as usize, value))
    }
}

/// The features of every owner of wizards; returns how many owners there are.
pub(crate) fn features(state: &State, out: &mut [Features; 6]) -> usize {
    let owners = state.owners().count();
    for list in out.iter_mut().take(owners) {
        list.len = 0;
    }
    places(state, owners, out);
    for owner in state.owners() {
        standing(state, owner, &mut out[owner.index()]);
    }
    kept(state, out);
    owners
}

pub(crate) const NO_FEATURES: [Features; 6] = [Features::NONE; 6];

/// Where wizards stand.
fn places(state: &State, owners: usize, out: &mut [Features; 6]) {
    let castle = state.castle();
    let mut seen = [[0u8; 6]; SPACES];
    let mut free = 0u32; // exposed shields without wizards: where the castle can go (R6.2)
    for space in Space::all() {
        let mut surface = Surface::ground(space);
        let far = ahead(space, castle);
        while let Some(tower) = state.tower_on(surface) {
            for (o, list) in out.iter_mut().enumerate().take(owners) {
                let n = state.count(surface, Seat(o as u8));
                if n > 0 {
                    list.add(COVERED + far, f32::from(n));
                }
            }
            surface = tower.top();
        }
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
    for space in Space::all() {
        let here = &seen[space.index()];
        let total: u8 = here[..owners].iter().sum();
        if total == 0 {
            continue;
        }
        for (o, list) in out.iter_mut().enumerate().take(owners) {
            let n = here[o];
            if n == 0 {
                targets[o] += 1;
                continue;
            }
            let count = f32::from(n);
            list.add(VISIBLE + ahead(space, castle), count);
            list.add(NEXT + ahead(space, next), count);
            list.add(AFTER + ahead(space, after), count);
            let company = usize::from(n > 1) + usize::from(total > n);
            list.add(COMPANY + company.min(2), count);
        }
    }
    for (o, list) in out.iter_mut().enumerate().take(owners) {
        list.add(TARGETS + targets[o].min(6), 1.0);
    }
}

/// The steps from a space clockwise to another.
#[inline]
fn ahead(from: Space, to: Space) -> usize {
    (to.number().wrapping_sub(from.number()) & 15) as usize
}

/// The first of these spaces clockwise from here; here itself if there is none (R6.3).
fn next_shield(free: u32, from: Space) -> Space {
    let turned = (free as u16).rotate_right(u32::from(from.number()) + 1);
    if turned == 0 {
        from
    } else {
        from.ahead(turned.trailing_zeros() as u8 + 1)
    }
}

/// How an owner's affairs stand.
fn standing(state: &State, owner: Seat, list: &mut Features) {
    let left = (state.wizards_each() - state.home(owner)) as usize;
    list.add(LEFT + left.min(12), 1.0);
    let flasks = state.flasks(owner);
    list.add(EMPTY + usize::from(flasks.empty).min(6), 1.0);
    list.add(FULL + usize::from(flasks.full).min(6), 1.0);
    if state.shares_pieces() {
        return;
    }
    let (seats, active, turn) = (state.players(), state.active(), state.turn());
    let over = turn.phase == Phase::Refill;
    let until = (owner.0 + seats - active.0) % seats;
    let tempo = if until > 0 {
        3 + until as usize
    } else if over {
        3 + seats as usize
    } else {
        usize::from(turn.played).min(2)
    };
    list.add(TEMPO + tempo.min(9), 1.0);
    let order = |seat: Seat| (seat.0 + seats - state.start().0) % seats;
    list.add(ORDER + order(owner) as usize, 1.0);
    if state.is_final() {
        let finished = state.has_finished(owner);
        let acts = order(owner) > order(active) || (owner == active && !over);
        list.add(FINAL + 2 * usize::from(finished) + usize::from(acts), 1.0);
    }
}

/// The cards the active player keeps, once there are fewer than a full hand.
fn kept(state: &State, out: &mut [Features; 6]) {
    let active = state.active();
    let hand = state.hand(active);
    if hand.len() >= 3 {
        return;
    }
    let walker = state.moves_wizards_of(active);
    let list = &mut out[state.owner(active).index()];
    let castle = state.castle();
    for card in hand.iter() {
        list.add(KEPT + card.index(), 1.0);
        if card.dice() > 0 {
            let near = card.wizard_steps(1).is_some()
                && (1..=6).any(|n| stands(state, walker, castle.behind(n)));
            if near {
                list.add(HITS + 1, 1.0);
            }
        } else if let Some(steps) = card.wizard_steps(0)
            && stands(state, walker, castle.behind(steps))
        {
            list.add(HITS, 1.0);
        }
    }
}

fn stands(state: &State, owner: Seat, space: Space) -> bool {
    state.count(state.exposed(space), owner) > 0
}
