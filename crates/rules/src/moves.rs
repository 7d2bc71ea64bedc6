//! Moving wizards, towers and the castle; filling flasks (§5–§8).

use crate::error::Illegal;
use crate::event::{Event, Observer};
use crate::ids::{Seat, Space, Surface, Tower};
use crate::state::State;
use crate::towers::{Steps, TowerSet};

/// The effects of a move or a cast that may end a turn or the game.
#[derive(Clone, Copy, Default)]
pub(crate) struct Effect {
    /// A wizard came home.
    pub entered: bool,
    /// A flask was filled.
    pub filled: bool,
}

impl State {
    // ---- legal moves ----

    /// The spaces from which a wizard of this owner can walk `steps`: it is visible, and its destination has room
    /// (R5.1–R5.3). The castle's surface is never full.
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

    /// The towers that can wander `steps`: all but those that would land on the castle (R7.1–R7.3).
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

    /// Checks whether a visible wizard of this owner may walk from here.
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

    /// Checks whether a tower may wander there.
    pub(crate) fn check_wander(&self, tower: Tower, to: Space) -> Result<(), Illegal> {
        if to == self.board.castle() {
            Err(Illegal::OntoCastle(tower))
        } else {
            Ok(())
        }
    }

    // ---- making moves ----

    /// Moves a wizard from a surface onto a space, or into the castle there (R5.2, R5.4). The castle stays for now:
    /// several wizards may enter together (R6.4).
    #[inline]
    pub(crate) fn step(
        &mut self,
        owner: Seat,
        from: Surface,
        to: Space,
        observer: &mut impl Observer,
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
        observer.record_with(|| Event::WizardMoved {
            colour: self.wizard_colour(owner),
            from,
            to,
            onto,
        });
        enters
    }

    /// Moves one wizard; if it enters the castle, the castle moves on (R5.4, R6.2).
    #[inline]
    pub(crate) fn walk(
        &mut self,
        owner: Seat,
        from: Surface,
        to: Space,
        observer: &mut impl Observer,
    ) -> Effect {
        let entered = self.step(owner, from, to, observer);
        if entered {
            self.castle_flees(observer);
        }
        Effect {
            entered,
            filled: false,
        }
    }

    /// Moves the castle clockwise to the next exposed raven shield without wizards (R6.2). It stays if there is none
    /// (R6.3).
    pub(crate) fn castle_flees(&mut self, observer: &mut impl Observer) {
        let from = self.board.castle();
        self.castle_goes(self.board.landings() & !from.bit(), true, observer);
    }

    /// Moves the castle to the next of these spaces in a direction.
    pub(crate) fn castle_goes(
        &mut self,
        spaces: u16,
        clockwise: bool,
        observer: &mut impl Observer,
    ) {
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
        observer.record(Event::CastleMoved { from, to });
    }

    /// Moves a tower and everything on it clockwise; covering wizards fills a flask (§7, §8).
    #[inline(always)]
    pub(crate) fn wander(
        &mut self,
        by: Seat,
        tower: Tower,
        steps: u8,
        observer: &mut impl Observer,
    ) -> Effect {
        let from = self.board.tower_space(tower);
        let to = from.ahead(steps);
        let below = self.board.below(tower);
        let onto = self.board.exposed(to);
        let covered = self.board.move_stack(tower, from, to);
        observer.record(Event::TowerMoved { tower, from, to });
        observer.record_with(|| Event::Uncovered {
            surface: below,
            wizards: self.wizards(below),
        });
        if covered {
            observer.record_with(|| Event::Imprisoned {
                seat: by,
                surface: onto,
                wizards: self.wizards(onto),
            });
        }
        Effect {
            entered: false,
            filled: self.fill_flask(by, onto, observer),
        }
    }

    /// Fills one empty flask of the player, or else of the partner, if wizards stand on the covered surface (R8.1,
    /// R8.2, R12.5).
    #[inline(always)]
    fn fill_flask(&mut self, by: Seat, covered: Surface, observer: &mut impl Observer) -> bool {
        let mut owner = self.owner(by);
        if self.rules.teams()
            && self.flasks[owner.index()].empty == 0
            && let Some(partner) = self.partner(owner)
        {
            owner = partner;
        }
        let flasks = &mut self.flasks[owner.index()];
        // Tested last, because this condition is the hardest one to predict for the processor.
        let fills = flasks.empty > 0 && self.board.has_wizards(covered);
        if fills {
            flasks.empty -= 1;
            flasks.full += 1;
            observer.record(Event::FlaskFilled { seat: owner });
        }
        fills
    }
}
