//! The positions of the nine towers, packed into words.
//!
//! A word has a lane of seven bits for each tower, A lowest. A query is answered for all nine towers at once, without a
//! loop and without branches that the processor could not predict.
//!
//! ```text
//! bit     62 61 60 59…56   …   13 12 11 10…7    6  5  4  3…0
//! lane    I  .  g  number  …   B  .  g  number  A  .  g  number
//! ```
//!
//! A number is 0 to 15. The guard `g` above it is 0 in stored words. A query sets the guards before it subtracts: a lane
//! that would become negative borrows from its own guard instead of from the next lane, so the guards that stay set mark
//! the lanes whose number was large enough.

use crate::ids::{Space, TOWERS, Tower};
use crate::surfaces::SurfaceSet;

/// The width of a lane in bits.
const LANE: u32 = 7;
/// The lowest bit of every lane.
const ONES: u64 = 0x0102_0408_1020_4081;
/// The bit above the numbers in lanes, which are at most 15.
const GUARDS: u64 = ONES << 4;

/// A word with the same number in every lane.
#[inline]
const fn lanes(number: u8) -> u64 {
    number as u64 * ONES
}

/// The guards of the lanes in which two words differ: adding 15 to a number other than 0 carries into the guard.
#[inline]
const fn differ(one: u64, other: u64) -> u64 {
    (one ^ other).wrapping_add(lanes(15)) & GUARDS
}

/// A set of towers: the guard bits of their lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TowerSet(u64);

impl TowerSet {
    pub(crate) const ALL: TowerSet = TowerSet(GUARDS);

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The difference.
    #[inline]
    pub(crate) const fn without(self, other: TowerSet) -> TowerSet {
        TowerSet(self.0 & !other.0)
    }

    /// The index of the `n`-th tower of the set, or 9 if there are fewer.
    #[inline]
    pub(crate) const fn nth(self, n: u8) -> u8 {
        // Per lane: the number of towers of the set up to this one.
        let up_to = (self.0 >> 4).wrapping_mul(ONES);
        let exceeded = (lanes(n) | GUARDS).wrapping_sub(up_to) & GUARDS;
        exceeded.count_ones() as u8
    }

    /// The towers as nine adjacent bits, A lowest.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        // First join neighbours in pairs, then the five pairs.
        let ones = self.0 >> 4;
        let pairs = (ones | ones >> 6) & 0x0100_0C00_3000_C003;
        (pairs.wrapping_mul(0x0001_0010_0100_1001) >> 48) as u32 & 0x1FF
    }
}

/// The position of every tower: its space, and how many towers are below it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Towers {
    spaces: u64,
    levels: u64,
}

impl Towers {
    /// All towers on the ground of space 0, ignoring each other, before they are [put](Towers::put) in place.
    pub(crate) const UNPLACED: Towers = Towers {
        spaces: 0,
        levels: 0,
    };

    #[inline]
    const fn shift(tower: Tower) -> u32 {
        tower.index() as u32 * LANE
    }

    /// The spaces of the towers, without their heights.
    #[inline]
    pub(crate) const fn spaces(&self) -> TowerSpaces {
        TowerSpaces(self.spaces)
    }

    #[inline]
    pub(crate) const fn space(&self, tower: Tower) -> Space {
        Space::wrapping((self.spaces >> Towers::shift(tower)) as u8)
    }

    /// How many towers are below a tower.
    #[inline]
    pub(crate) const fn level(&self, tower: Tower) -> u8 {
        (self.levels >> Towers::shift(tower)) as u8 & 15
    }

    /// The towers of a space.
    #[inline]
    pub(crate) const fn at(&self, space: Space) -> TowerSet {
        TowerSet(differ(self.spaces, lanes(space.number())) ^ GUARDS)
    }

    /// The clockwise distance of every tower to a space, in lanes.
    #[inline]
    pub(crate) const fn distances(&self, to: Space) -> Distances {
        Distances((lanes(to.number()) | GUARDS).wrapping_sub(self.spaces) & lanes(15))
    }

    /// Whether all towers form one stack.
    #[inline]
    pub(crate) const fn all_stacked(&self) -> bool {
        // Only then does a tower have eight below it.
        self.levels & lanes(8) != 0
    }

    /// Places a tower that is not on the board yet.
    pub(crate) fn put(&mut self, tower: Tower, space: Space, level: u8) {
        let shift = Towers::shift(tower);
        self.spaces = self.spaces & !(15 << shift) | u64::from(space.number()) << shift;
        self.levels = self.levels & !(15 << shift) | u64::from(level) << shift;
    }

    /// Moves a tower and all above it from its space onto the stack on another (R7.1, R7.2).
    #[inline]
    pub(crate) fn lift(&mut self, tower: Tower, from: Space, to: Space) {
        let level = self.level(tower);
        let height = self.at(to).len() as u8;
        let not_below = (self.levels | GUARDS).wrapping_sub(lanes(level)) & GUARDS;
        let moved = (not_below & !differ(self.spaces, lanes(from.number()))) >> 4;
        // `moved` has the lowest bit of every moved lane, so the product adds the same difference to each of them. If it
        // is negative, it borrows across lanes, but the sum does not, because no resulting number is negative.
        let add = |to: u8, from: u8| moved.wrapping_mul(u64::from(to).wrapping_sub(from.into()));
        self.spaces = self.spaces.wrapping_add(add(to.number(), from.number()));
        self.levels = self.levels.wrapping_add(add(height, level));
    }

    /// Exchanges the positions of two towers that have nothing above them (R10.3).
    pub(crate) fn exchange(&mut self, one: Tower, other: Tower) {
        let (space, level) = (self.space(one), self.level(one));
        self.put(one, self.space(other), self.level(other));
        self.put(other, space, level);
    }
}

/// The space of every tower, in lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TowerSpaces(u64);

impl TowerSpaces {
    /// A placeholder before the first query.
    pub(crate) const NONE: TowerSpaces = TowerSpaces(0);

    /// The spaces of some surfaces, as a mask.
    #[inline]
    pub(crate) const fn row(self, surfaces: SurfaceSet) -> u16 {
        let mut row = surfaces.grounds();
        let mut tops = surfaces.tops();
        while tops != 0 {
            let space = self.0 >> (LANE * tops.trailing_zeros() % 64) & 15;
            row |= 1 << space;
            tops &= tops - 1;
        }
        row
    }
}

/// One of two marker bits between the numbers of the first two lanes. It is never set in distances, so steps that have
/// it always differ.
const ALWAYS: u64 = 1 << 5;
/// The marker bit that is set when no wizard can move.
const NO_WIZARD: u64 = 1 << 6;

/// The distance of every tower to a space, in lanes, and the marker bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distances(u64);

impl Distances {
    /// A placeholder before the first query.
    pub(crate) const NONE: Distances = Distances(0);

    /// The towers of `among` that do not arrive after these steps.
    #[inline]
    pub(crate) const fn other_than(self, steps: Steps, among: TowerSet) -> TowerSet {
        TowerSet((self.0 ^ steps.0).wrapping_add(lanes(15)) & among.0)
    }

    /// The distances with the marker for `number == 0` movable wizards. Computed without a comparison, which would
    /// become an unpredictable branch.
    #[inline]
    pub(crate) const fn with_walkers(self, number: u32) -> Distances {
        Distances(self.0 | (number.wrapping_sub(1) >> 25) as u64 & NO_WIZARD)
    }

    /// The choices that a card's tower move offers.
    #[inline]
    pub(crate) const fn choices(self, way: TowerPath) -> TowerChoices {
        TowerChoices((self.0 ^ way.steps.0).wrapping_add(lanes(15)) & way.counts)
    }
}

/// The moves of a card other than moving wizards, laid out so that listing actions needs no branches.
#[derive(Clone, Copy)]
pub(crate) struct TowerPath {
    /// How far it moves a tower.
    pub steps: Steps,
    /// The bits that count as choices: the guards of all towers, one of the marker bits, or none.
    counts: u64,
}

impl TowerPath {
    /// A card that moves a tower this far. The caller makes sure that one can move.
    pub(crate) const fn wander(steps: u8) -> TowerPath {
        TowerPath {
            steps: Steps::new(steps),
            counts: GUARDS,
        }
    }

    /// A card without tower moves that can always be played in one way.
    pub(crate) const ALONE: TowerPath = TowerPath {
        steps: Steps(ALWAYS),
        counts: ALWAYS,
    };

    /// A card without tower moves that can be played in one way if no wizard can move.
    pub(crate) const IDLE: TowerPath = TowerPath {
        steps: Steps(0),
        counts: NO_WIZARD,
    };

    /// An empty slot, without choices.
    pub(crate) const NONE: TowerPath = TowerPath {
        steps: Steps::new(0),
        counts: 0,
    };

    pub(crate) const fn is_none(&self) -> bool {
        self.counts == 0
    }
}

/// The choices of a card: towers to move, or playing it without a move.
#[derive(Clone, Copy)]
pub(crate) struct TowerChoices(u64);

impl TowerChoices {
    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The towers to move.
    #[inline]
    pub(crate) const fn towers(self) -> TowerSet {
        TowerSet(self.0 & GUARDS)
    }
}

/// A number of steps, repeated in every lane.
#[derive(Clone, Copy)]
pub(crate) struct Steps(u64);

impl Steps {
    #[inline]
    pub(crate) const fn number(self) -> u8 {
        self.0 as u8 & 15
    }

    #[inline]
    pub(crate) const fn new(steps: u8) -> Steps {
        Steps(lanes(steps & 15))
    }
}

const _: () = assert!(TOWERS as u32 * LANE < u64::BITS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Surface;

    fn set_of(bits: u32) -> TowerSet {
        let lane = |i: u32| u64::from(bits >> i & 1) << (LANE * i + 4);
        TowerSet((0..TOWERS as u32).map(lane).sum())
    }

    #[test]
    fn a_set_of_towers_counts_and_lists_what_is_in_it() {
        for bits in 0..1 << TOWERS {
            let set = set_of(bits);
            assert_eq!(set.bits(), bits);
            assert_eq!(set.len(), bits.count_ones());
            assert_eq!(set.is_empty(), bits == 0);
            let listed: Vec<u8> = (0..=TOWERS as u8).map(|n| set.nth(n)).collect();
            let mut expected: Vec<u8> = (0..TOWERS as u8).filter(|t| bits >> t & 1 == 1).collect();
            expected.resize(TOWERS + 1, TOWERS as u8);
            assert_eq!(listed, expected);
        }
    }

    /// Towers spread out: A on 3, each of the others three spaces after the one before.
    fn spread() -> Towers {
        let mut towers = Towers::UNPLACED;
        for tower in Tower::all() {
            towers.put(tower, Space::wrapping(3 + 3 * tower.index() as u8), 0);
        }
        towers
    }

    #[test]
    fn surfaces_have_the_spaces_of_their_grounds_and_towers() {
        let towers = spread();
        for one in Surface::all() {
            for other in Surface::all() {
                let space = |surface: Surface| match surface.tower() {
                    Some(tower) => towers.space(tower),
                    None => Space::wrapping(surface.raw()),
                };
                let both = SurfaceSet::only(one).or(SurfaceSet::only(other));
                let row = space(one).bit() | space(other).bit();
                assert_eq!(towers.spaces().row(both), row);
            }
        }
    }

    #[test]
    fn a_way_has_the_towers_that_do_not_reach_the_castle_or_its_mark() {
        let towers = spread();
        for castle in Space::all() {
            for wizards in 0..3 {
                let distances = towers.distances(castle).with_walkers(wizards);
                for steps in 1..=6 {
                    let may_go = |t: &Tower| towers.space(*t).ahead(steps) != castle;
                    let bits: u32 = Tower::all().filter(may_go).map(|t| 1 << t.index()).sum();
                    let way = TowerPath::wander(steps);
                    assert_eq!(way.steps.number(), steps);
                    assert_eq!(distances.choices(way).towers().bits(), bits);
                    assert_eq!(distances.choices(way).len(), bits.count_ones());
                }
                assert_eq!(distances.choices(TowerPath::ALONE).len(), 1);
                let idle = distances.choices(TowerPath::IDLE);
                assert_eq!(idle.len(), u32::from(wizards == 0));
                assert!(idle.towers().is_empty());
                assert_eq!(distances.choices(TowerPath::NONE).len(), 0);
            }
        }
    }
}
