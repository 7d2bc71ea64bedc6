//! Wizards walk, towers wander, the castle flees, flasks fill (§5–§8).

use crate::error::Illegal;
use crate::event::{Event, Watch};
use crate::ids::{Seat, Space, Surface, Tower};
use crate::state::State;
use crate::towers::{Steps, TowerSet};

/// What a move or a cast did that may end a turn or the game.
#[derive(Clone, Copy, Default)]
pub(crate) struct Effect {
    /// A wizard came home.
    pub entered: bool,
    /// A flask was filled.
    pub filled: bool,
}

impl State {
    // ---- which moves there are ----

    /// The spaces from which a wizard of this owner can walk so far: it can be seen, and there is
    /// room where it lands (R5.1–R5.3). The castle's surface is never full.
    #[inline]
    pub(crate) fn walkers(&self, owner: Seat, steps: u8, clockwise: bool) -> u16 {
        let full = self.board.full();
        let no_room = if clockwise {
            full.rotate_right(u32::from(steps))
        } else {
            full.rotate_left(u32::from(steps))
        };
        self.board.visible(owner) & !no_room
    }

    /// The towers that can wander so far: all but those that would land on the castle (R7.1–R7.3).
    #[inline]
    pub(crate) fn wanderers(&self, steps: u8, clockwise: bool) -> TowerSet {
        let steps = if clockwise { steps } else { 16 - steps };
        self.board
            .distances_to_castle()
            .other_than(Steps::new(steps), TowerSet::ALL)
    }

    /// The spaces from which two wizards of this owner can walk together (R10.7).
    pub(crate) fn pairs(&self, owner: Seat, steps: u8) -> u16 {
        let mut pairs = 0;
        let mut walkers = self.walkers(owner, steps, true);
        while walkers != 0 {
            let from = Space::wrapping(walkers.trailing_zeros() as u8);
            walkers &= walkers - 1;
            if self.board.count(self.board.exposed(from), owner) >= 2
                && self.board.has_room(from.ahead(steps), 2)
            {
                pairs |= from.bit();
            }
        }
        pairs
    }

    /// Whether a visible wizard of this owner may walk from here, and if not, why.
    pub(crate) fn check_walk(
        &self,
        owner: Seat,
        from: Space,
        to: Space,
        missing: Illegal,
    ) -> Result<(), Illegal> {
        if self.board.count(self.board.exposed(from), owner) == 0 {
            Err(missing)
        } else if self.board.has_room(to, 1) {
            Ok(())
        } else {
            Err(Illegal::NoRoom(to))
        }
    }

    /// Whether a tower may wander there, and if not, why.
    pub(crate) fn check_wander(&self, tower: Tower, to: Space) -> Result<(), Illegal> {
        if to == self.board.castle() {
            Err(Illegal::OntoCastle(tower))
        } else {
            Ok(())
        }
    }

    // ---- making them ----

    /// A wizard leaves a surface and steps onto a space, or into the castle there (R5.2, R5.4).
    /// The castle does not move yet: several wizards may enter together (R6.4).
    #[inline]
    pub(crate) fn step(
        &mut self,
        owner: Seat,
        from: Surface,
        to: Space,
        watch: &mut impl Watch,
    ) -> bool {
        self.board.take_wizard(from, owner);
        let enters = to == self.board.castle();
        let onto = if enters {
            self.home.set(owner, self.home.count(owner) + 1);
            None
        } else {
            let surface = self.board.exposed(to);
            self.board.add_wizard(surface, owner);
            Some(surface)
        };
        watch.hear(|| Event::WizardMoved {
            colour: self.wizard_colour(owner),
            from,
            to,
            onto,
        });
        enters
    }

    /// One wizard walks; if it enters, the castle moves on (R5.4, R6.2).
    #[inline]
    pub(crate) fn walk(
        &mut self,
        owner: Seat,
        from: Surface,
        to: Space,
        watch: &mut impl Watch,
    ) -> Effect {
        let entered = self.step(owner, from, to, watch);
        if entered {
            self.castle_flees(watch);
        }
        Effect {
            entered,
            filled: false,
        }
    }

    /// The castle moves clockwise to the next exposed raven shield without wizards (R6.2), or stays
    /// if there is none (R6.3).
    pub(crate) fn castle_flees(&mut self, watch: &mut impl Watch) {
        let from = self.board.castle();
        self.castle_goes(self.board.landings() & !from.bit(), true, watch);
    }

    /// The castle moves to the next of these spaces in a direction.
    pub(crate) fn castle_goes(&mut self, spaces: u16, clockwise: bool, watch: &mut impl Watch) {
        if spaces == 0 {
            return;
        }
        let from = self.board.castle();
        let turned = spaces.rotate_right(u32::from(from.number()));
        let to = if clockwise {
            from.ahead(turned.trailing_zeros() as u8)
        } else {
            from.behind(1 + turned.leading_zeros() as u8)
        };
        self.board.put_castle(to);
        watch.see(Event::CastleMoved { from, to });
    }

    /// A tower wanders so many steps clockwise with everything on it; covering wizards fills a flask (§7, §8).
    #[inline(always)]
    pub(crate) fn wander(
        &mut self,
        by: Seat,
        tower: Tower,
        steps: u8,
        watch: &mut impl Watch,
    ) -> Effect {
        let from = self.board.tower_space(tower);
        let to = from.ahead(steps);
        let below = self.board.below(tower);
        let onto = self.board.exposed(to);
        let covered = self.board.move_stack(tower, from, to);
        watch.see(Event::TowerMoved { tower, from, to });
        watch.hear(|| Event::Uncovered {
            surface: below,
            wizards: self.wizards(below),
        });
        if covered {
            watch.hear(|| Event::Imprisoned {
                seat: by,
                surface: onto,
                wizards: self.wizards(onto),
            });
        }
        Effect {
            entered: false,
            filled: self.fill_flask(by, onto, watch),
        }
    }

    /// If there are wizards on a surface that was covered, fills one empty flask of the player's, or of
    /// the partner's if there is none (R8.1, R8.2, R12.5).
    #[inline(always)]
    fn fill_flask(&mut self, by: Seat, covered: Surface, watch: &mut impl Watch) -> bool {
        let mut owner = self.owner(by);
        if self.rules.teams()
            && self.flasks[owner.index()].empty == 0
            && let Some(partner) = self.partner(owner)
        {
            owner = partner;
        }
        let flasks = &mut self.flasks[owner.index()];
        // Flasks are empty early in a game, but who is covered can never be foreseen: that comes last.
        let fills = flasks.empty > 0 && self.board.has_wizards(covered);
        if fills {
            flasks.empty -= 1;
            flasks.full += 1;
            watch.see(Event::FlaskFilled { seat: owner });
        }
        fills
    }
}
