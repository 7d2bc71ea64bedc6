//! Carrying out an action: the flow of a turn (§4, §19).

use crate::action::{Action, Move};
use crate::card::Card;
use crate::error::Illegal;
use crate::event::{Event, Watch};
use crate::hand::Hand;
use crate::ids::{Seat, Space};
use crate::moves::Effect;
use crate::spell::Spell;
use crate::state::State;
use crate::turn::{Declared, Phase, Turn};

impl State {
    /// Carries out an action of a seat. If it is not legal, nothing changes and the error names the
    /// broken rule.
    ///
    /// ```
    /// use rules::{Action, Setup, State, Seat};
    /// let mut state = rules::examples::opening();
    /// let before = state;
    /// let move_of_the_other = "w1:w1".parse::<Action>().unwrap();
    /// assert!(state.apply(Seat(1), move_of_the_other).is_err());
    /// assert_eq!(state, before);
    /// ```
    pub fn apply(&mut self, seat: Seat, action: Action) -> Result<(), Illegal> {
        self.apply_watched(seat, action, &mut ())
    }

    /// Like [`State::apply`], and tells what happened.
    pub fn apply_watched(
        &mut self,
        seat: Seat,
        action: Action,
        watch: &mut impl Watch,
    ) -> Result<(), Illegal> {
        self.check(seat, action)?;
        self.apply_unchecked(seat, action, watch);
        Ok(())
    }

    /// Carries out an action that is known to be legal, for instance because it was just listed.
    /// With an illegal one the state becomes meaningless, or this panics.
    #[inline]
    pub fn apply_unchecked(&mut self, seat: Seat, action: Action, watch: &mut impl Watch) {
        match action {
            Action::Play(card, how) if !self.rules.reactions() => {
                let rest = self.discard(card, watch);
                let ways = card.ways();
                let effect = self.act(how, ways.wizard, ways.tower.steps.number(), watch);
                self.after_action(effect, rest, false, watch);
            }
            Action::Refresh(tower) if !self.rules.reactions() => {
                self.discard_hand(watch);
                let effect = match tower {
                    Some(tower) => self.wander(self.turn.active, tower, 1, watch),
                    None => Effect::default(),
                };
                self.after_action(effect, Hand::EMPTY, true, watch);
            }
            Action::Roll(_) | Action::Reroll | Action::Accept(_) => self.apply_dice(action, watch),
            _ => self.apply_other(seat, action, watch),
        }
    }

    /// To roll, to roll again or to take what was rolled (R4.8), kept apart so that playing a card stays
    /// small.
    #[inline(never)]
    fn apply_dice(&mut self, action: Action, watch: &mut impl Watch) {
        match action {
            Action::Roll(card) => {
                self.discard(card, watch);
                self.turn.card = Some(card);
                self.turn.rolls_left = card.dice() - 1;
                self.turn.phase = Phase::Rolling;
            }
            Action::Accept(how) => {
                let steps = self.turn.rolled;
                self.turn.card = None;
                self.turn.rolled = 0;
                self.turn.rolls_left = 0;
                if self.rules.reactions() {
                    self.declare(how, steps, watch);
                } else {
                    let effect = self.act(how, steps, steps, watch);
                    self.after_action(effect, self.hand(self.turn.active), false, watch);
                }
            }
            _ => {
                self.turn.rolls_left -= 1;
                self.turn.phase = Phase::Rolling;
            }
        }
    }

    /// What is done least often, and what others may react to (R13.2), kept apart for the same reason.
    #[inline(never)]
    fn apply_other(&mut self, seat: Seat, action: Action, watch: &mut impl Watch) {
        match action {
            Action::Play(card, how) => {
                self.discard(card, watch);
                self.declare(how, card.steps_of(how), watch);
            }
            Action::Refresh(tower) => {
                self.discard_hand(watch);
                self.declare(tower.map_or(Move::Nothing, Move::Tower), 1, watch);
            }
            Action::Cast(cast) => match self.turn.phase {
                Phase::Before | Phase::After | Phase::Free => {
                    self.cast_in_window(seat, cast, watch);
                }
                _ => {
                    self.turn.cast = true;
                    let effect = self.cast(seat, cast, watch);
                    if self.is_over_after(effect, watch) {
                    } else if effect.entered || self.turn.phase == Phase::End {
                        self.end_turn(watch); // R9.3
                    }
                }
            },
            Action::End => self.end_turn(watch),
            Action::Pass
            | Action::Before(_)
            | Action::After(_)
            | Action::WithPiggyback
            | Action::Piggyback
            | Action::Done => self.react(seat, action, watch),
            Action::Ask
            | Action::Offer(_)
            | Action::AcceptOffer
            | Action::Decline
            | Action::Return(_)
            | Action::Give(_) => self.deal_with_partner(seat, action, watch),
            Action::Roll(_) | Action::Reroll | Action::Accept(_) => self.apply_dice(action, watch),
        }
    }

    /// Puts a card of the active player's hand on the discard pile: an action is used (R4.1). Returns
    /// the rest of the hand.
    #[inline]
    fn discard(&mut self, card: Card, watch: &mut impl Watch) -> Hand {
        let seat = self.turn.active;
        let hand = &mut self.hands[self.hand_owner(seat).index()];
        hand.remove(card);
        let rest = *hand;
        self.discarded += u16::from(self.discarded < u16::MAX);
        self.turn.played += 1;
        watch.see(Event::Played { seat, card });
        rest
    }

    /// Discards the whole hand instead of both actions (R4.4, R4.9).
    #[inline]
    fn discard_hand(&mut self, watch: &mut impl Watch) {
        let seat = self.turn.active;
        watch.see(Event::Refreshed { seat });
        let owner = self.hand_owner(seat).index();
        let hand = std::mem::replace(&mut self.hands[owner], Hand::EMPTY);
        self.discarded = self.discarded.saturating_add(hand.len().into());
        self.turn.played = self.actions_per_turn();
        for slot in 0..hand.len() {
            let card = hand.slot(slot.into());
            watch.see(Event::Discarded { seat, card });
        }
    }

    /// The move of a card without reactions, by so many steps for a wizard or for a tower.
    #[inline(always)]
    fn act(&mut self, how: Move, walks: u8, wanders: u8, watch: &mut impl Watch) -> Effect {
        let seat = self.turn.active;
        match how {
            Move::Tower(tower) => self.wander(seat, tower, wanders, watch),
            Move::Wizard { from, piggyback } => self.act_wizard(from, piggyback, walks, watch),
            Move::Nothing => {
                watch.see(Event::NothingMoved { seat });
                Effect::default()
            }
        }
    }

    /// A card moves a wizard, or two with Piggyback (R10.7).
    #[inline]
    fn act_wizard(
        &mut self,
        from: Space,
        piggyback: bool,
        steps: u8,
        watch: &mut impl Watch,
    ) -> Effect {
        let seat = self.turn.active;
        let owner = self.moves_wizards_of(seat);
        let surface = self.board.exposed(from);
        if piggyback {
            self.turn.cast = true;
            let cost = self.pay(seat, Spell::Piggyback);
            watch.see(Event::PiggybackCast { seat, cost });
            self.walk_together(owner, surface, from.ahead(steps), (owner, 1), watch)
        } else {
            self.walk(owner, surface, from.ahead(steps), watch)
        }
    }

    /// Goes on after an action without reactions: R5.4, then what is left to decide (R4.7).
    #[inline(always)]
    fn after_action(
        &mut self,
        effect: Effect,
        rest: Hand,
        refreshed: bool,
        watch: &mut impl Watch,
    ) {
        if self.is_over_after(effect, watch) {
            return;
        }
        // R14.6: no spell after a refresh in solo and cooperative games.
        let may_cast = || !(self.turn.cast || refreshed && self.shares_pieces());
        if effect.entered {
            self.end_turn_with(rest, watch);
        } else if self.has_actions_left() && !rest.is_empty() {
            self.turn.phase = Phase::Turn;
        } else if self.any_castable(self.turn.active) && may_cast() {
            self.turn.phase = Phase::End;
        } else {
            self.end_turn_with(rest, watch);
        }
    }

    #[inline]
    fn has_actions_left(&self) -> bool {
        self.turn.played < self.actions_per_turn()
    }

    /// Whether an action of this turn is left and a card to use it with: a position that was made up
    /// may have hands of fewer than three cards.
    #[inline]
    pub(crate) fn may_play_on(&self) -> bool {
        self.has_actions_left() && !self.hand(self.turn.active).is_empty()
    }

    /// Whether a move or a cast has ended the game (R11.6). Only an entry can, or in teams the last
    /// flask: alone, nobody fills one after the last wizard came home.
    #[inline]
    pub(crate) fn is_over_after(&mut self, effect: Effect, watch: &mut impl Watch) -> bool {
        (effect.entered || effect.filled && self.rules.teams()) && self.ends_at_once(watch)
    }

    /// The turn is over: refill, endings, next seat (§19).
    #[inline]
    pub(crate) fn end_turn(&mut self, watch: &mut impl Watch) {
        self.end_turn_with(self.hand(self.turn.active), watch);
    }

    /// The same with what is left of the hand.
    #[inline(always)]
    fn end_turn_with(&mut self, rest: Hand, watch: &mut impl Watch) {
        watch.see(Event::TurnEnded {
            seat: self.turn.active,
        });
        self.turn.owed = rest.missing();
        self.turn.phase = Phase::Refill;
        if self.turn.owed == 0 || self.draw.is_empty() {
            self.nothing_to_draw(watch);
        }
    }

    /// Goes on after a turn when no card can be drawn at once, which is seldom so.
    #[inline(never)]
    fn nothing_to_draw(&mut self, watch: &mut impl Watch) {
        self.after_card(watch);
    }

    /// After the end of a turn or a card drawn: another card, or the next turn.
    #[inline(always)]
    pub(crate) fn after_card(&mut self, watch: &mut impl Watch) {
        if self.turn.owed == 0 || self.draw.is_empty() && !self.can_renew() {
            self.next_turn(watch);
        }
    }

    /// The first turn of all, or the next one, or the end of the game.
    #[inline(always)]
    pub(crate) fn next_turn(&mut self, watch: &mut impl Watch) {
        if self.turn.phase == Phase::Deal {
            self.turn = Turn::of(self.start);
        } else {
            if self.ends_with_turn(watch) {
                return;
            }
            let next = self.next_seat(self.turn.active);
            self.round = self.round.saturating_add(u16::from(next == self.start));
            self.turn = Turn::FRESH[next.index()];
        }
        watch.see(Event::TurnBegan {
            seat: self.turn.active,
            round: self.round,
        });
    }

    /// A declared piece that is no longer on its way.
    pub(crate) fn undeclare(&mut self) {
        self.turn.declared = Declared::None;
    }
}
