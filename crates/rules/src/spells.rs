//! Casting: castable spells, targets and effects (§9, §10).

use crate::action::{Cast, Direction, WizardTarget};
use crate::error::Illegal;
use crate::event::{Event, Observer};
use crate::ids::{CAPACITY, SPACES, Seat, Space, Surface, Tower};
use crate::moves::Effect;
use crate::spell::Spell;
use crate::state::State;
use crate::towers::TowerSet;
use crate::turn::Declared;
use crate::values::EntryEnds;

impl State {
    /// Whether a spell is in play and a seat can pay for it (R9.2, R9.5).
    #[inline]
    pub(crate) fn can_pay(&self, seat: Seat, spell: Spell) -> bool {
        self.spells.contains(spell) && self.flasks(seat).full >= self.rules.cost(spell)
    }

    /// Whether a spell other than Piggyback is castable now (R9.5).
    pub(crate) fn castable(&self, seat: Seat, spell: Spell) -> bool {
        if !self.can_pay(seat, spell) {
            return false;
        }
        match spell {
            Spell::AdvanceWizard | Spell::HeadwindWizard => self
                .owners()
                .any(|o| self.walkers(o, 1, spell == Spell::AdvanceWizard) != 0),
            Spell::AdvanceTower | Spell::HeadwindTower => {
                !self.wanderers(2, spell == Spell::AdvanceTower).is_empty()
            }
            Spell::SwapTowers => self.swappable().count_ones() >= 2,
            Spell::NudgeCastle => self.nudge_spaces() != 0,
            Spell::FreeWizard => !self.liftable().is_empty(),
            Spell::Piggyback => false,
        }
    }

    /// Whether any spell other than Piggyback is castable now, which keeps a turn open (R4.7).
    #[inline]
    pub(crate) fn any_castable(&self, seat: Seat) -> bool {
        self.flasks(seat).full > 0 && self.any_of_spells_castable(seat)
    }

    #[inline(never)]
    fn any_of_spells_castable(&self, seat: Seat) -> bool {
        self.spells.iter().any(|spell| self.castable(seat, spell))
    }

    /// The spaces whose topmost tower can be swapped: all with a tower (R10.3).
    pub(crate) fn swappable(&self) -> u16 {
        Tower::all().fold(0, |mask, t| mask | self.board.tower_space(t).bit())
    }

    /// The spaces the castle can be nudged to: any other space without a visible wizard (R10.6). If there is none, the
    /// spell has no target and cannot be paid.
    pub(crate) fn nudge_spaces(&self) -> u16 {
        self.board.without_wizards() & !self.board.castle().bit()
    }

    /// The towers that can be lifted to free a wizard: those in stacks whose top is not full (R10.8).
    pub(crate) fn liftable(&self) -> TowerSet {
        let mut towers = TowerSet::ALL;
        let mut full = self.board.full();
        while full != 0 {
            let space = Space::wrapping(full.trailing_zeros() as u8);
            towers = towers.without(self.board.towers_at(space));
            full &= full - 1;
        }
        towers
    }

    /// The space and colour where a target has to say whether it is the declared wizard: another visible one of its
    /// colour stands beside it (R13.10).
    pub(crate) fn ambiguous(&self) -> Option<(Space, Seat)> {
        match self.turn.declared {
            Declared::Wizard { on, owner, .. }
                if self.board.is_exposed(on) && self.board.count(on, owner) >= 2 =>
            {
                Some((self.board.space_of(on), owner))
            }
            _ => None,
        }
    }

    /// Checks a spell with its target, apart from the moment of casting (R9.2, R9.5, §10).
    pub(crate) fn check_cast(&self, seat: Seat, cast: Cast) -> Result<(), Illegal> {
        let spell = cast.spell();
        if !self.spells.contains(spell) {
            return Err(Illegal::NotInPlay(spell));
        }
        if !self.can_pay(seat, spell) {
            return Err(Illegal::TooDear(spell));
        }
        match cast {
            Cast::AdvanceWizard(target) => self.check_target(target, target.space.ahead(1)),
            Cast::HeadwindWizard(target) => self.check_target(target, target.space.behind(1)),
            Cast::AdvanceTower(tower) => {
                self.check_wander(tower, self.board.tower_space(tower).ahead(2))
            }
            Cast::HeadwindTower(tower) => {
                self.check_wander(tower, self.board.tower_space(tower).behind(2))
            }
            Cast::SwapTowers(one, other) => {
                if one >= other {
                    return Err(Illegal::SwapOrder);
                }
                for space in [one, other] {
                    if self.board.exposed(space).tower().is_none() {
                        return Err(Illegal::NoTower(space));
                    }
                }
                Ok(())
            }
            Cast::NudgeCastle(_) => {
                if self.nudge_spaces() == 0 {
                    return Err(Illegal::NowhereToGo);
                }
                Ok(())
            }
            Cast::FreeWizard(tower, prefer) => {
                let top = self.board.exposed(self.board.tower_space(tower));
                if self.board.total(top) == CAPACITY {
                    return Err(Illegal::StackFull(tower));
                }
                let fits = match prefer {
                    None => !self.rules.teams(),
                    Some(colour) => self.free_preferences(seat).contains(&Some(colour)),
                };
                if fits {
                    Ok(())
                } else {
                    Err(Illegal::Preference)
                }
            }
        }
    }

    /// The colours that can be preferred when freeing: the caster's and, in teams, the partner's (R12.6).
    pub(crate) fn free_preferences(&self, seat: Seat) -> [Option<crate::Colour>; 2] {
        match self.partner(seat) {
            Some(partner) => [Some(self.colour(seat)), Some(self.colour(partner))],
            None => [None, None],
        }
    }

    fn check_target(&self, target: WizardTarget, to: Space) -> Result<(), Illegal> {
        let owner = self
            .owner_of(target.colour)
            .ok_or(Illegal::NoTarget(target.space))?;
        self.check_walk(owner, target.space, to, Illegal::NoTarget(target.space))?;
        if target.declared && self.ambiguous() != Some((target.space, owner)) {
            return Err(Illegal::DeclaredMark);
        }
        Ok(())
    }

    /// Turns full flasks into spent ones (R9.2).
    pub(crate) fn pay(&mut self, seat: Seat, spell: Spell) -> u8 {
        let cost = self.rules.cost(spell);
        let owner = self.owner(seat);
        let flasks = &mut self.flasks[owner.index()];
        flasks.full -= cost;
        flasks.spent += cost;
        cost
    }

    /// Pays for a spell and carries it out.
    pub(crate) fn cast(&mut self, seat: Seat, cast: Cast, observer: &mut impl Observer) -> Effect {
        let cost = self.pay(seat, cast.spell());
        observer.record(Event::SpellCast { seat, cast, cost });
        match cast {
            Cast::AdvanceWizard(target) => self.push(target, target.space.ahead(1), observer),
            Cast::HeadwindWizard(target) => self.push(target, target.space.behind(1), observer),
            Cast::AdvanceTower(tower) => self.wander(seat, tower, 2, observer),
            Cast::HeadwindTower(tower) => self.wander(seat, tower, SPACES as u8 - 2, observer),
            Cast::SwapTowers(one, other) => {
                if let Some((under_one, under_other)) = self.board.swap_tops(one, other) {
                    observer.record(Event::TowersSwapped { one, other });
                    observer.record_with(|| Event::Peeked {
                        surface: under_one,
                        wizards: self.wizards(under_one),
                    });
                    observer.record_with(|| Event::Peeked {
                        surface: under_other,
                        wizards: self.wizards(under_other),
                    });
                }
                Effect::default()
            }
            Cast::NudgeCastle(direction) => {
                self.castle_goes(
                    self.nudge_spaces(),
                    direction == Direction::Clockwise,
                    observer,
                );
                Effect::default()
            }
            Cast::FreeWizard(tower, prefer) => self.free(seat, tower, prefer, observer),
        }
    }

    /// Pushes a visible wizard one space and keeps track of the declared one (R13.6, R13.10).
    fn push(&mut self, target: WizardTarget, to: Space, observer: &mut impl Observer) -> Effect {
        let Some(owner) = self.owner_of(target.colour) else {
            return Effect::default();
        };
        let from = self.board.exposed(target.space);
        let is_declared = match self.turn.declared {
            Declared::Wizard {
                on, owner: whose, ..
            } => {
                on == from
                    && whose == owner
                    && (target.declared || self.board.count(on, owner) == 1)
            }
            _ => false,
        };
        let entered = to == self.board.castle();
        let onto = self.board.exposed(to);
        let effect = self.walk(owner, from, to, observer);
        if is_declared {
            self.follow_declared(onto, entered);
        }
        effect
    }

    /// Lifts a tower, frees a wizard from the surface directly below, puts the tower back (R10.8).
    fn free(
        &mut self,
        seat: Seat,
        tower: Tower,
        prefer: Option<crate::Colour>,
        observer: &mut impl Observer,
    ) -> Effect {
        let below = self.board.below(tower);
        observer.record_with(|| Event::Peeked {
            surface: below,
            wizards: self.wizards(below),
        });
        let own = self.owner(seat);
        let first = prefer
            .and_then(|colour| self.owner_of(colour))
            .unwrap_or(own);
        let found = [Some(first), Some(own), self.partner(own)]
            .into_iter()
            .flatten()
            .find(|&owner| self.board.count(below, owner) > 0);
        let Some(owner) = found else {
            observer.record(Event::NobodyFreed { seat });
            return Effect::default();
        };
        // R13.10: of two wizards of a colour, the declared one is freed.
        let is_declared = matches!(self.turn.declared,
            Declared::Wizard { on, owner: whose, .. } if on == below && whose == owner);
        let space = self.board.tower_space(tower);
        let onto = self.board.exposed(space);
        let effect = self.walk(owner, below, space, observer);
        if is_declared {
            self.follow_declared(onto, effect.entered);
        }
        effect
    }

    /// Updates the declared wizard after a spell moved it or brought it home (R13.6).
    fn follow_declared(&mut self, onto: Surface, entered: bool) {
        if entered {
            self.turn.declared = Declared::Nothing;
        } else if let Declared::Wizard { on, .. } = &mut self.turn.declared {
            *on = onto;
        }
    }

    /// The owner of the wizards a seat moves with cards, and how many of them are home; compared after a cast (R9.3).
    pub(crate) fn own_home(&self, seat: Seat) -> (Seat, u8) {
        let owner = self.moves_wizards_of(seat);
        (owner, self.home.count(owner))
    }

    /// Whether a cast of the active player ends the turn, given [`State::own_home`] before the cast (R9.3).
    pub(crate) fn cast_ends_turn(&self, effect: Effect, (owner, home): (Seat, u8)) -> bool {
        match self.rules.entry_ends() {
            EntryEnds::Any => effect.entered,
            EntryEnds::Own => self.home.count(owner) > home,
        }
    }

    /// Whether a seat can add a rider to the declared wizard (R13.8).
    pub(crate) fn can_ride(&self, seat: Seat) -> bool {
        self.can_pay(seat, Spell::Piggyback) && self.check_ride(seat).is_ok()
    }

    pub(crate) fn check_ride(&self, seat: Seat) -> Result<(), Illegal> {
        let Declared::Wizard { on, owner, steps } = self.turn.declared else {
            return Err(Illegal::NoWizardMove);
        };
        if !self.board.is_exposed(on) {
            return Err(Illegal::DeclaredHidden);
        }
        let rider = self.moves_wizards_of(seat);
        let paid = self.turn.riders.of(self.wizard_colour(rider));
        if self.board.count(on, rider) <= paid + u8::from(rider == owner) {
            return Err(Illegal::NoRider);
        }
        let to = self.board.space_of(on).ahead(steps);
        if self.board.has_room(to, self.turn.riders.total() + 2) {
            Ok(())
        } else {
            Err(Illegal::NoRoom(to))
        }
    }

    /// Moves two wizards of an owner together: one entry event (R6.4, R10.7).
    pub(crate) fn walk_in_pair(
        &mut self,
        owner: Seat,
        from: Surface,
        to: Space,
        observer: &mut impl Observer,
    ) -> Effect {
        let entered = self.step(owner, from, to, observer);
        self.step(owner, from, to, observer);
        if entered {
            self.castle_flees(observer);
        }
        Effect {
            entered,
            filled: false,
        }
    }
}
