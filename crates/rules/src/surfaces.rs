//! Sets of surfaces.

use crate::ids::{SPACES, Space, Surface};

/// A set of surfaces: a bit for each, grounds first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SurfaceSet(u32);

impl SurfaceSet {
    pub(crate) const NONE: SurfaceSet = SurfaceSet(0);
    /// The grounds of all spaces.
    pub(crate) const GROUNDS: SurfaceSet = SurfaceSet(0xFFFF);

    /// The surfaces that satisfy a predicate.
    pub(crate) fn where_true(is_in: impl Fn(Surface) -> bool) -> SurfaceSet {
        Surface::all()
            .filter(|&surface| is_in(surface))
            .fold(SurfaceSet::NONE, |set, surface| {
                set.or(SurfaceSet::only(surface))
            })
    }

    #[inline]
    pub(crate) const fn only(surface: Surface) -> SurfaceSet {
        SurfaceSet(1 << (surface.raw() % 32))
    }

    /// The set of one surface if `is_in`, otherwise empty; without a branch.
    #[inline]
    pub(crate) const fn only_if(surface: Surface, is_in: bool) -> SurfaceSet {
        SurfaceSet((is_in as u32) << (surface.raw() % 32))
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The union.
    #[inline]
    pub(crate) const fn or(self, other: SurfaceSet) -> SurfaceSet {
        SurfaceSet(self.0 | other.0)
    }

    /// The intersection.
    #[inline]
    pub(crate) const fn and(self, other: SurfaceSet) -> SurfaceSet {
        SurfaceSet(self.0 & other.0)
    }

    /// The difference.
    #[inline]
    pub(crate) const fn without(self, other: SurfaceSet) -> SurfaceSet {
        SurfaceSet(self.0 & !other.0)
    }

    /// The spaces whose ground is in the set.
    #[inline]
    pub(crate) const fn grounds(self) -> u16 {
        self.0 as u16
    }

    /// The towers whose top is in the set, a bit each.
    #[inline]
    pub(crate) const fn tops(self) -> u32 {
        self.0 >> SPACES
    }

    /// The exposed surfaces of some spaces.
    pub(crate) fn of_spaces(spaces: u16, exposed: impl Fn(Space) -> Surface) -> SurfaceSet {
        Space::all()
            .filter(|space| spaces & space.bit() != 0)
            .fold(SurfaceSet::NONE, |set, space| {
                set.or(SurfaceSet::only(exposed(space)))
            })
    }
}
