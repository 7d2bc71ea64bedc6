//! Casting: what can be cast, on what, and what it does (§9, §10).

use crate::action::{Cast, Direction, WizardTarget};
use crate::error::Illegal;
use crate::event::{Event, Watch};
use crate::ids::{CAPACITY, SPACES, Seat, Space, Surface, Tower};
use crate::moves::Effect;
use crate::spell::Spell;
use crate::state::State;
use crate::towers::TowerSet;
use crate::turn::Declared;

impl State {
    /// Whether a seat could pay for a spell that is in play (R9.2, R9.5).
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

    /// Whether any spell other than Piggyback is castable now: what keeps a turn open (R4.7).
    #[inline]
    pub(crate) fn any_castable(&self, seat: Seat) -> bool {
        self.flasks(seat).full > 0 && self.any_of_spells_castable(seat)
    }

    #[inline(never)]
    fn any_of_spells_castable(&self, seat: Seat) -> bool {
        self.spells.iter().any(|spell| self.castable(seat, spell))
    }

    /// The spaces whose topmost tower can be swapped: with a tower, without the castle (R10.3).
    pub(crate) fn swappable(&self) -> u16 {
        let towers = Tower::all().fold(0, |mask, t| mask | self.board.tower_space(t).bit());
        towers & !self.board.castle().bit()
    }

    /// Where the castle can be nudged to: any other space with no wizard in sight (R10.6). With none,
    /// the spell has no target and burns no flasks.
    pub(crate) fn nudge_spaces(&self) -> u16 {
        self.board.without_wizards() & !self.board.castle().bit()
    }

    /// The towers that can be lifted to free someone: not in a stack whose top is full (R10.8).
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

    /// Where the declared wizard stands beside another of its colour in the open, so that a spell has
    /// to say which one it means (R13.10).
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

    /// Whether a spell with its target may be cast by this seat, apart from when (R9.2, R9.5, §10).
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
                    if space == self.board.castle() {
                        return Err(Illegal::UnderCastle(space));
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

    /// The colours that can be preferred when freeing: yours and your partner's in teams (R12.6).
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
    pub(crate) fn cast(&mut self, seat: Seat, cast: Cast, watch: &mut impl Watch) -> Effect {
        let cost = self.pay(seat, cast.spell());
        watch.see(Event::SpellCast { seat, cast, cost });
        match cast {
            Cast::AdvanceWizard(target) => self.push(target, target.space.ahead(1), watch),
            Cast::HeadwindWizard(target) => self.push(target, target.space.behind(1), watch),
            Cast::AdvanceTower(tower) => self.wander(seat, tower, 2, watch),
            Cast::HeadwindTower(tower) => self.wander(seat, tower, SPACES as u8 - 2, watch),
            Cast::SwapTowers(one, other) => {
                if let Some((under_one, under_other)) = self.board.swap_tops(one, other) {
                    watch.see(Event::TowersSwapped { one, other });
                    watch.hear(|| Event::Peeked {
                        surface: under_one,
                        wizards: self.wizards(under_one),
                    });
                    watch.hear(|| Event::Peeked {
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
                    watch,
                );
                Effect::default()
            }
            Cast::FreeWizard(tower, prefer) => self.free(seat, tower, prefer, watch),
        }
    }

    /// A visible wizard is pushed one space; the declared one is followed (R13.6, R13.10).
    fn push(&mut self, target: WizardTarget, to: Space, watch: &mut impl Watch) -> Effect {
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
        let effect = self.walk(owner, from, to, watch);
        if is_declared && let Declared::Wizard { on, .. } = &mut self.turn.declared {
            if entered {
                self.turn.declared = Declared::Nothing;
            } else {
                *on = onto;
            }
        }
        effect
    }

    /// Lifts a tower, frees a wizard from the surface directly below, puts the tower back (R10.8).
    fn free(
        &mut self,
        seat: Seat,
        tower: Tower,
        prefer: Option<crate::Colour>,
        watch: &mut impl Watch,
    ) -> Effect {
        let below = self.board.below(tower);
        watch.hear(|| Event::Peeked {
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
        if let Some(owner) = found {
            self.walk(owner, below, self.board.tower_space(tower), watch)
        } else {
            watch.see(Event::NobodyFreed { seat });
            Effect::default()
        }
    }

    /// Whether a seat can take one more rider along with the declared wizard (R13.8).
    pub(crate) fn can_ride(&self, seat: Seat) -> bool {
        self.can_pay(seat, Spell::Piggyback) && self.check_ride(seat).is_ok()
    }

    pub(crate) fn check_ride(&self, seat: Seat) -> Result<(), Illegal> {
        let Declared::Wizard { on, owner, steps } = self.turn.declared else {
            return Err(Illegal::NoWizardMove);
        };
        let rider = self.moves_wizards_of(seat);
        let taken = self.turn.riders + u8::from(rider == owner);
        if self.board.count(on, rider) <= taken {
            return Err(Illegal::NoRider);
        }
        let to = self.board.space_of(on).ahead(steps);
        if self.board.has_room(to, self.turn.riders + 2) {
            Ok(())
        } else {
            Err(Illegal::NoRoom(to))
        }
    }

    /// The wizard of an owner on a surface, and so many riders of another, walk together: one entry
    /// event (R6.4, R10.7, R13.8).
    pub(crate) fn walk_together(
        &mut self,
        owner: Seat,
        from: Surface,
        to: Space,
        (rider, riders): (Seat, u8),
        watch: &mut impl Watch,
    ) -> Effect {
        let mut entered = self.step(owner, from, to, watch);
        for _ in 0..riders {
            entered |= self.step(rider, from, to, watch);
        }
        if entered {
            self.castle_flees(watch);
        }
        Effect {
            entered,
            filled: false,
        }
    }
}
