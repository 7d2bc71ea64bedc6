//! The board as surfaces: what stands on what.
//!
//! Every wizard stands on one of 25 surfaces and every tower rests on one. Moving a stack is one assignment, because
//! the pieces on it keep their surfaces. The other fields are derived from these two and only make queries fast: the
//! exposed surface of each space, the surfaces where each owner's wizards stand, and the space of each tower.

use crate::ids::{CAPACITY, MAX_SEATS, SPACES, SURFACES, Seat, Space, Surface, TOWERS, Tower};
use crate::surfaces::SurfaceSet;
use crate::towers::{Distances, TowerSet, TowerSpaces, Towers};

/// The lowest bit of the total in a surface's word.
const TOTAL_SHIFT: u32 = 12;

/// Wizards, towers and castle. Wizards are counted per owner; owners are seats, or seat 0 alone
/// when the wizards are shared (R14.1, R15.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Board {
    /// Per surface: a count for each owner, `width` bits wide, and the total from bit 12 on.
    wizards: [u16; SURFACES],
    /// Per owner: the surfaces where they have wizards.
    stands: [SurfaceSet; MAX_SEATS],
    /// The surfaces that have no room (R5.3).
    full: SurfaceSet,
    /// The surfaces that have no tower on them.
    open: SurfaceSet,
    /// Per space: its exposed surface.
    exposed: [u8; SPACES],
    towers: Towers,
    /// Per tower: the surface it rests on.
    rests_on: [u8; TOWERS],
    /// The castle's space; it always stands on the exposed surface there (R6.1).
    castle: u8,
    /// The width of an owner's count in bits: 3 for up to four owners (up to 6 wizards on a surface), 2 for five or six
    /// owners (3 wizards each, R3.1).
    width: u8,
}

impl Board {
    /// Sixteen empty spaces without towers; the castle on space 0.
    pub(crate) fn bare(owners: u8) -> Board {
        Board {
            wizards: [0; SURFACES],
            stands: [SurfaceSet::NONE; MAX_SEATS],
            full: SurfaceSet::NONE,
            open: SurfaceSet::GROUNDS,
            exposed: std::array::from_fn(|i| i as u8),
            towers: Towers::UNPLACED,
            rests_on: [0; TOWERS],
            castle: 0,
            width: if owners > 4 { 2 } else { 3 },
        }
    }

    /// The castle on space 0, tower A on 1 … I on 9 (R2.1, R2.3).
    pub(crate) fn start(owners: u8) -> Board {
        let mut board = Board::bare(owners);
        for tower in Tower::all() {
            board.put_tower(tower, Space::wrapping(tower.index() as u8 + 1));
        }
        board
    }

    /// Puts a tower that is not on the board yet on top of a space.
    pub(crate) fn put_tower(&mut self, tower: Tower, space: Space) {
        let onto = self.exposed(space);
        let level = onto.tower().map_or(0, |below| self.towers.level(below) + 1);
        self.rests_on[tower.index()] = onto.raw();
        self.towers.put(tower, space, level);
        self.exposed[space.index()] = tower.top().raw();
        self.open = self
            .open
            .without(SurfaceSet::only(onto))
            .or(SurfaceSet::only(tower.top()));
    }

    pub(crate) fn put_castle(&mut self, space: Space) {
        self.castle = space.number();
    }

    // ---- queries ----

    #[inline]
    pub(crate) fn castle(&self) -> Space {
        Space::wrapping(self.castle)
    }

    #[inline]
    pub(crate) fn exposed(&self, space: Space) -> Surface {
        Surface::at(self.exposed[space.index()])
    }

    #[inline]
    pub(crate) fn tower_space(&self, tower: Tower) -> Space {
        self.towers.space(tower)
    }

    /// The space a surface belongs to.
    #[inline]
    pub(crate) fn space_of(&self, surface: Surface) -> Space {
        match surface.tower() {
            Some(tower) => self.tower_space(tower),
            None => Space::wrapping(surface.raw()),
        }
    }

    /// The tower that rests on a surface.
    pub(crate) fn tower_on(&self, surface: Surface) -> Option<Tower> {
        Tower::all().find(|&t| self.below(t) == surface)
    }

    #[inline]
    pub(crate) fn is_exposed(&self, surface: Surface) -> bool {
        self.exposed(self.space_of(surface)) == surface
    }

    /// The towers of a space, from the ground up.
    pub(crate) fn towers(&self, space: Space) -> impl Iterator<Item = Tower> + use<> {
        let mut stack = [None; TOWERS];
        let mut height = 0;
        let mut surface = self.exposed(space);
        while let (Some(tower), true) = (surface.tower(), height < TOWERS) {
            stack[height] = Some(tower);
            height += 1;
            surface = self.below(tower);
        }
        stack.into_iter().take(height).rev().flatten()
    }

    #[inline]
    pub(crate) fn towers_at(&self, space: Space) -> TowerSet {
        self.towers.at(space)
    }

    /// How many steps every tower is away from the castle.
    #[inline]
    pub(crate) fn distances_to_castle(&self) -> Distances {
        self.towers.distances(self.castle())
    }

    /// Whether a surface is full or all towers form one stack. Otherwise every card that moves wizards or towers can
    /// move any of them.
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        !self.full.and(self.open).is_empty() || self.towers.all_stacked()
    }

    /// The surface directly below a tower.
    #[inline]
    pub(crate) fn below(&self, tower: Tower) -> Surface {
        Surface::at(self.rests_on[tower.index()])
    }

    /// How many wizards of an owner stand on a surface.
    #[inline]
    pub(crate) fn count(&self, surface: Surface, owner: Seat) -> u8 {
        (self.wizards[surface.index()] >> (owner.0 * self.width)) as u8 & ((1 << self.width) - 1)
    }

    /// How many wizards stand on a surface.
    #[inline]
    pub(crate) fn total(&self, surface: Surface) -> u8 {
        (self.wizards[surface.index()] >> TOTAL_SHIFT) as u8
    }

    /// Whether wizards stand on a surface. It cannot panic, so the compiler removes it where the result is not used.
    #[inline]
    pub(crate) fn has_wizards(&self, surface: Surface) -> bool {
        self.wizards.get(surface.index()).is_some_and(|&w| w != 0)
    }

    /// The exposed surfaces on which a wizard of this owner stands.
    #[inline]
    pub(crate) fn in_sight(&self, owner: Seat) -> SurfaceSet {
        self.stands[owner.index()].and(self.open)
    }

    /// The spaces where a wizard of this owner can be seen.
    #[inline]
    pub(crate) fn visible(&self, owner: Seat) -> u16 {
        self.towers.spaces().row(self.in_sight(owner))
    }

    /// The spaces whose exposed surface has no room (R5.3).
    #[inline]
    pub(crate) fn full(&self) -> u16 {
        self.towers.spaces().row(self.full.and(self.open))
    }

    /// The spaces where the castle may land on its own: an exposed raven shield and no wizard (R6.2).
    pub(crate) fn landings(&self) -> u16 {
        let shields = SurfaceSet::where_true(Surface::has_shield);
        let free = self.open.and(shields).without(self.occupied());
        self.towers.spaces().row(free)
    }

    /// The spaces with no wizard in sight.
    pub(crate) fn without_wizards(&self) -> u16 {
        let free = self.open.without(self.occupied());
        self.towers.spaces().row(free)
    }

    /// The surfaces with wizards.
    fn occupied(&self) -> SurfaceSet {
        self.stands
            .into_iter()
            .fold(SurfaceSet::NONE, SurfaceSet::or)
    }

    /// Where the towers stand.
    #[inline]
    pub(crate) fn tower_spaces(&self) -> TowerSpaces {
        self.towers.spaces()
    }

    /// Whether this many more wizards may step onto a space: it has room, or the castle (R5.2, R5.3).
    #[inline]
    pub(crate) fn has_room(&self, space: Space, wizards: u8) -> bool {
        space == self.castle() || self.total(self.exposed(space)) + wizards <= CAPACITY
    }

    // ---- changes ----

    #[inline]
    pub(crate) fn add_wizard(&mut self, surface: Surface, owner: Seat) {
        debug_assert!(self.total(surface) < CAPACITY);
        let wizards = &mut self.wizards[surface.index()];
        *wizards += (1 << (owner.0 * self.width)) + (1 << TOTAL_SHIFT);
        let full = *wizards >> TOTAL_SHIFT == u16::from(CAPACITY);
        let stands = &mut self.stands[owner.index()];
        *stands = stands.or(SurfaceSet::only(surface));
        self.full = self.full.or(SurfaceSet::only_if(surface, full));
    }

    #[inline]
    pub(crate) fn take_wizard(&mut self, surface: Surface, owner: Seat) {
        debug_assert!(self.count(surface, owner) > 0);
        let wizards = &mut self.wizards[surface.index()];
        *wizards -= (1 << (owner.0 * self.width)) + (1 << TOTAL_SHIFT);
        let none = self.count(surface, owner) == 0;
        let stands = &mut self.stands[owner.index()];
        *stands = stands.without(SurfaceSet::only_if(surface, none));
        self.full = self.full.without(SurfaceSet::only(surface));
    }

    /// Moves a tower and everything on it onto what stands on `to` (R7.1, R7.2); the castle rides
    /// along (R7.4). Returns whether wizards were newly covered (R8.1, R8.3).
    #[inline(always)]
    pub(crate) fn move_stack(&mut self, tower: Tower, from: Space, to: Space) -> bool {
        let below = self.below(tower);
        let onto = self.exposed(to);
        self.towers.lift(tower, from, to);
        self.rests_on[tower.index()] = onto.raw();
        self.exposed[to.index()] = self.exposed[from.index()];
        self.exposed[from.index()] = below.raw();
        self.open = self
            .open
            .without(SurfaceSet::only(onto))
            .or(SurfaceSet::only(below));
        // If the castle was here, it stood on top of the lifted stack: nothing else can carry it (R6.1).
        let rides = self.castle == from.number();
        self.castle = if rides { to.number() } else { self.castle };
        self.has_wizards(onto)
    }

    /// Exchanges the topmost towers of two spaces; the castle rides along (R7.4, R10.3). Returns the uncovered
    /// surfaces.
    pub(crate) fn swap_tops(&mut self, one: Space, other: Space) -> Option<(Surface, Surface)> {
        let (a, b) = (self.exposed(one).tower()?, self.exposed(other).tower()?);
        let (under_a, under_b) = (self.below(a), self.below(b));
        self.rests_on[b.index()] = under_a.raw();
        self.rests_on[a.index()] = under_b.raw();
        self.exposed.swap(one.index(), other.index());
        self.towers.exchange(a, b);
        if self.castle == one.number() {
            self.castle = other.number();
        } else if self.castle == other.number() {
            self.castle = one.number();
        }
        Some((under_a, under_b))
    }

    /// Checks R18.2–R18.4 and every derived field.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let mut seen = 0u16;
        for space in Space::all() {
            let mut top = Surface::ground(space);
            for (level, tower) in self.towers(space).enumerate() {
                if self.below(tower) != top {
                    return Err("R18.3: a tower's resting place is wrong");
                }
                top = tower.top();
                if self.tower_space(tower) != space {
                    return Err("R18.3: a tower's space is wrong");
                }
                if usize::from(self.towers.level(tower)) != level {
                    return Err("R18.3: a tower's height is wrong");
                }
                seen |= 1 << tower.index();
            }
            if self.exposed(space) != top {
                return Err("R18.3: an exposed surface is wrong");
            }
        }
        if seen != (1 << TOWERS) - 1 {
            return Err("R18.3: a tower is missing");
        }
        for surface in Surface::all() {
            let owners = 12 / self.width;
            let sum: u8 = (0..owners).map(|o| self.count(surface, Seat(o))).sum();
            if sum != self.total(surface) || sum > CAPACITY {
                return Err("R18.2: wizards of a surface do not add up");
            }
        }
        if self.open != SurfaceSet::where_true(|s| self.is_exposed(s)) {
            return Err("the set of exposed surfaces is wrong");
        }
        if self.full != SurfaceSet::where_true(|s| self.total(s) == CAPACITY) {
            return Err("the set of full surfaces is wrong");
        }
        for (owner, &stands) in self.stands.iter().enumerate() {
            let owner = Seat(owner as u8);
            let has = |s| owner.0 < 12 / self.width && self.count(s, owner) > 0;
            if stands != SurfaceSet::where_true(has) {
                return Err("the surfaces of an owner's wizards are wrong");
            }
        }
        if self.total(self.exposed(self.castle())) > 0 {
            return Err("R18.4: wizards stand on the castle's surface");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
