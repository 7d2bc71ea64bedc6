//! Applying an action: the flow of a turn (§4, §19).

use crate::action::{Action, Move};
use crate::card::{Card, HAND};
use crate::error::Illegal;
use crate::event::{Event, Observer};
use crate::hand::Hand;
use crate::ids::{Seat, Space, Tower};
use crate::moves::Effect;
use crate::spell::Spell;
use crate::state::State;
use crate::turn::{Phase, Turn};

impl State {
    /// Applies an action of a seat. An illegal action changes nothing, and the error names the broken rule.
    ///
    /// ```
    /// use towers_rules::{Action, Setup, State, Seat};
    /// let mut state = towers_rules::examples::opening();
    /// let before = state;
    /// let move_of_the_other = "w1:w1".parse::<Action>().unwrap();
    /// assert!(state.apply(Seat(1), move_of_the_other).is_err());
    /// assert_eq!(state, before);
    /// ```
    pub fn apply(&mut self, seat: Seat, action: Action) -> Result<(), Illegal> {
        self.apply_observed(seat, action, &mut ())
    }

    /// Like [`State::apply`]; the observer receives the events.
    pub fn apply_observed(
        &mut self,
        seat: Seat,
        action: Action,
        observer: &mut impl Observer,
    ) -> Result<(), Illegal> {
        self.check(seat, action)?;
        self.apply_unchecked(seat, action, observer);
        Ok(())
    }

    /// Applies an action that is known to be legal, for instance one that was just listed. An illegal action corrupts
    /// the state or panics.
    #[inline]
    pub fn apply_unchecked(&mut self, seat: Seat, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Play(card, how) if !self.rules.reactions() => {
                let rest = self.discard(card, observer);
                let ways = card.moves();
                let effect = self.act(how, ways.wizard, ways.tower.steps.number(), observer);
                self.after_action(effect, rest, false, observer);
            }
            Action::Refresh(tower) if !self.rules.reactions() => {
                self.discard_hand(observer);
                self.finish_refresh(tower, Hand::EMPTY, observer);
            }
            Action::Roll(_) | Action::Reroll | Action::Accept(_) => {
                self.apply_dice(action, observer);
            }
            _ => self.apply_other(seat, action, observer),
        }
    }

    /// Rolls, rerolls, accepts a roll (R4.8) or chooses the tower of a refresh (R4.5). A separate function, so that the
    /// code for playing a card stays small.
    #[inline(never)]
    fn apply_dice(&mut self, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Roll(card) => {
                self.discard(card, observer);
                self.turn.card = Some(card);
                self.turn.rolls_left = card.dice() - 1;
                self.turn.phase = Phase::Rolling;
            }
            Action::Accept(how) if self.turn.phase == Phase::Refreshed => {
                let tower = match how {
                    Move::Tower(tower) => Some(tower),
                    _ => None,
                };
                if self.rules.reactions() {
                    self.declare_refresh(tower, observer);
                } else {
                    self.finish_refresh(tower, self.hand(self.turn.active), observer);
                }
            }
            Action::Accept(how) => {
                let steps = self.turn.rolled;
                self.forget_roll();
                if self.rules.reactions() {
                    self.declare(how, steps, observer);
                } else {
                    let effect = self.act(how, steps, steps, observer);
                    self.after_action(effect, self.hand(self.turn.active), false, observer);
                }
            }
            _ => {
                self.turn.rolls_left -= 1;
                self.turn.phase = Phase::Rolling;
            }
        }
    }

    /// The rarest actions, and those with reactions (R13.2); separate for the same reason.
    #[inline(never)]
    fn apply_other(&mut self, seat: Seat, action: Action, observer: &mut impl Observer) {
        match action {
            Action::Play(card, how) => {
                self.discard(card, observer);
                self.declare(how, card.steps_of(how), observer);
            }
            Action::Refresh(tower) => {
                self.discard_hand(observer);
                self.declare_refresh(tower, observer);
            }
            Action::RefreshFirst => {
                self.discard_hand(observer);
                self.turn.owed = HAND;
                self.turn.phase = Phase::Redraw;
                self.after_card(observer);
            }
            Action::Cast(cast) if self.rules.reactions() => {
                self.cast_in_series(seat, cast, observer);
            }
            Action::Cast(cast) => {
                self.turn.cast = true;
                let own = self.own_home(seat);
                let effect = self.cast(seat, cast, observer);
                let over = self.is_over_after(effect, observer);
                if !over && (self.turn.phase == Phase::End || self.cast_ends_turn(effect, own)) {
                    self.forget_roll();
                    self.end_turn(observer); // R9.3
                }
            }
            Action::End => self.end_turn(observer),
            Action::Pass
            | Action::Before(_)
            | Action::After(_)
            | Action::WithPiggyback
            | Action::Piggyback
            | Action::Done => self.react(seat, action, observer),
            Action::Ask
            | Action::Offer(_)
            | Action::AcceptOffer
            | Action::Decline
            | Action::Return(_)
            | Action::Give(_) => self.deal_with_partner(seat, action, observer),
            Action::Roll(_) | Action::Reroll | Action::Accept(_) => {
                self.apply_dice(action, observer);
            }
        }
    }

    /// Puts a card of the active player's hand on the discard pile and uses an action (R4.1). Returns the rest of the
    /// hand.
    #[inline]
    fn discard(&mut self, card: Card, observer: &mut impl Observer) -> Hand {
        let seat = self.turn.active;
        let hand = &mut self.hands[self.hand_owner(seat).index()];
        hand.remove(card);
        let rest = *hand;
        self.discarded += u16::from(self.discarded < u16::MAX);
        self.turn.played += 1;
        observer.record(Event::Played { seat, card });
        rest
    }

    /// Discards the whole hand instead of both actions (R4.4, R4.9).
    #[inline]
    fn discard_hand(&mut self, observer: &mut impl Observer) {
        let seat = self.turn.active;
        observer.record(Event::Refreshed { seat });
        let owner = self.hand_owner(seat).index();
        let hand = std::mem::replace(&mut self.hands[owner], Hand::EMPTY);
        self.discarded = self.discarded.saturating_add(hand.len().into());
        self.turn.played = self.actions_per_turn();
        for slot in 0..hand.len() {
            let card = hand.slot(slot.into());
            observer.record(Event::Discarded { seat, card });
        }
    }

    /// Makes the move of a card without reactions: a wizard goes `walks` steps or a tower `wanders` steps.
    #[inline(always)]
    fn act(&mut self, how: Move, walks: u8, wanders: u8, observer: &mut impl Observer) -> Effect {
        let seat = self.turn.active;
        match how {
            Move::Tower(tower) => self.wander(seat, tower, wanders, observer),
            Move::Wizard { from, piggyback } => self.act_wizard(from, piggyback, walks, observer),
            Move::Nothing => {
                observer.record(Event::NothingMoved { seat });
                Effect::default()
            }
        }
    }

    /// Moves a wizard by a card, or two with Piggyback (R10.7).
    #[inline]
    fn act_wizard(
        &mut self,
        from: Space,
        piggyback: bool,
        steps: u8,
        observer: &mut impl Observer,
    ) -> Effect {
        let seat = self.turn.active;
        let owner = self.moves_wizards_of(seat);
        let surface = self.board.exposed(from);
        if piggyback {
            self.turn.cast = true;
            let cost = self.pay(seat, Spell::Piggyback);
            observer.record(Event::PiggybackCast { seat, cost });
            self.walk_in_pair(owner, surface, from.ahead(steps), observer)
        } else {
            self.walk(owner, surface, from.ahead(steps), observer)
        }
    }

    /// Continues after an action without reactions: R5.4, then the remaining decisions (R4.7).
    #[inline(always)]
    fn after_action(
        &mut self,
        effect: Effect,
        rest: Hand,
        refreshed: bool,
        observer: &mut impl Observer,
    ) {
        if self.is_over_after(effect, observer) {
            return;
        }
        let may_cast = || !(self.turn.cast || refreshed && !self.casts_after_refresh());
        if effect.entered {
            self.end_turn_with(rest, observer);
        } else if self.has_actions_left() && !rest.is_empty() {
            self.turn.phase = Phase::Turn;
        } else if self.any_castable(self.turn.active) && may_cast() {
            self.turn.phase = Phase::End;
        } else {
            self.end_turn_with(rest, observer);
        }
    }

    /// Whether a spell may be cast after a refresh (R9.1); never in solo and cooperative games (R14.6).
    fn casts_after_refresh(&self) -> bool {
        self.rules.refresh_spell() && !self.shares_pieces()
    }

    /// Moves the tower of a refresh, if any, where nobody can react.
    #[inline]
    fn finish_refresh(&mut self, tower: Option<Tower>, rest: Hand, observer: &mut impl Observer) {
        let effect = match tower {
            Some(tower) => self.wander(self.turn.active, tower, 1, observer),
            None => Effect::default(),
        };
        self.after_action(effect, rest, true, observer);
    }

    /// Declares the tower of a refresh where others can react to it (R13.2).
    fn declare_refresh(&mut self, tower: Option<Tower>, observer: &mut impl Observer) {
        let how = tower.map_or(Move::Nothing, Move::Tower);
        if self.rules.refresh_window() {
            self.declare(how, 1, observer);
        } else {
            self.refresh_unseen(how, observer);
        }
    }

    /// Clears the roll once it is accepted, or lost with the end of the turn.
    pub(crate) fn forget_roll(&mut self) {
        self.turn.card = None;
        self.turn.rolled = 0;
        self.turn.rolls_left = 0;
    }

    #[inline]
    fn has_actions_left(&self) -> bool {
        self.turn.played < self.actions_per_turn()
    }

    /// Whether the turn has an action left and a card to use it with: a constructed position may have hands of fewer
    /// than three cards.
    #[inline]
    pub(crate) fn may_play_on(&self) -> bool {
        self.has_actions_left() && !self.hand(self.turn.active).is_empty()
    }

    /// Whether a move or a cast has ended the game (R11.6). Only an entry can, or in teams the last flask: without
    /// teams, nobody fills a flask after their last wizard is home.
    #[inline]
    pub(crate) fn is_over_after(&mut self, effect: Effect, observer: &mut impl Observer) -> bool {
        (effect.entered || effect.filled && self.rules.teams()) && self.ends_at_once(observer)
    }

    /// Ends the turn: refill, endings, next seat (§19).
    #[inline]
    pub(crate) fn end_turn(&mut self, observer: &mut impl Observer) {
        self.end_turn_with(self.hand(self.turn.active), observer);
    }

    /// Ends the turn with the given rest of the hand.
    #[inline(always)]
    fn end_turn_with(&mut self, rest: Hand, observer: &mut impl Observer) {
        observer.record(Event::TurnEnded {
            seat: self.turn.active,
        });
        self.turn.owed = rest.missing();
        self.turn.phase = Phase::Refill;
        if self.turn.owed == 0 || self.draw.is_empty() {
            self.nothing_to_draw(observer);
        }
    }

    /// Continues after a turn in which no card can be drawn at once, which is rare.
    #[inline(never)]
    fn nothing_to_draw(&mut self, observer: &mut impl Observer) {
        self.after_card(observer);
    }

    /// Draws another card or moves on, after the end of a turn or a drawn card.
    #[inline(always)]
    pub(crate) fn after_card(&mut self, observer: &mut impl Observer) {
        if self.turn.owed == 0 || self.draw.is_empty() && !self.can_renew() {
            if self.turn.phase == Phase::Redraw {
                self.turn.owed = 0;
                self.turn.phase = Phase::Refreshed; // R4.5
            } else {
                self.next_turn(observer);
            }
        }
    }

    /// Starts the first turn or the next one, or ends the game.
    #[inline(always)]
    pub(crate) fn next_turn(&mut self, observer: &mut impl Observer) {
        if self.turn.phase == Phase::Deal {
            self.turn = Turn::of(self.start);
        } else {
            if self.ends_with_turn(observer) {
                return;
            }
            let next = self.next_seat(self.turn.active);
            self.round = self.round.saturating_add(u16::from(next == self.start));
            self.turn = Turn::FRESH[next.index()];
        }
        observer.record(Event::TurnBegan {
            seat: self.turn.active,
            round: self.round,
        });
        if self.rules.opens_actions() {
            self.begin_action(observer);
        }
    }
}
