//! Partners: exchanging cards and giving flasks (§12).

use crate::action::Action;
use crate::card::Card;
use crate::error::Illegal;
use crate::event::{Event, Observer};
use crate::ids::Seat;
use crate::state::State;
use crate::turn::Phase;
use crate::values::Gifts;

impl State {
    /// Checks a request, a reply, an exchange or a gift.
    pub(crate) fn check_partners(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let Some(partner) = self.partner(self.turn.active) else {
            return Err(Illegal::NoTeams);
        };
        let is_active = seat == self.turn.active;
        let phase = self.turn.phase;
        match action {
            Action::Give(flasks) if self.allows_gifts() => {
                if is_active && self.rules.gifts() == Gifts::ToActive {
                    Err(Illegal::GiftDirection)
                } else if self.turn.gave >> u8::from(!is_active) & 1 == 1 {
                    Err(Illegal::GiftUsed)
                } else if flasks == 0 || flasks > self.flasks(seat).full {
                    Err(Illegal::GiftSize)
                } else {
                    Ok(())
                }
            }
            Action::Ask if phase == Phase::Turn => {
                if !is_active {
                    Err(Illegal::NotYourDecision(seat))
                } else if self.turn.asking_used {
                    Err(Illegal::ExchangeUsed)
                } else {
                    Ok(())
                }
            }
            Action::Offer(card) if phase == Phase::Turn => {
                if is_active {
                    Err(Illegal::WrongMoment)
                } else if self.turn.offering_used {
                    Err(Illegal::ExchangeUsed)
                } else {
                    self.check_has(partner, card)
                }
            }
            Action::Offer(card) if phase == Phase::Asked => self.check_has(seat, card),
            Action::Return(card) if phase == Phase::Return => self.check_has(seat, card),
            Action::Decline if matches!(phase, Phase::Asked | Phase::Offered) => Ok(()),
            Action::AcceptOffer if phase == Phase::Offered => Ok(()),
            _ => Err(Illegal::WrongMoment),
        }
    }

    pub(crate) fn check_has(&self, seat: Seat, card: Card) -> Result<(), Illegal> {
        if self.hand(seat).contains(card) {
            Ok(())
        } else {
            Err(Illegal::NoSuchCard(card))
        }
    }

    /// Whether flasks may be given now (R12.3).
    pub(crate) fn allows_gifts(&self) -> bool {
        self.turn.phase.is_own_choice() || self.turn.phase == Phase::End
    }

    /// Applies a request, a reply, an exchange or a gift.
    pub(crate) fn deal_with_partner(
        &mut self,
        seat: Seat,
        action: Action,
        observer: &mut impl Observer,
    ) {
        let active = self.turn.active;
        let Some(partner) = self.partner(active) else {
            return;
        };
        let (phase, to_act) = match action {
            Action::Ask => {
                self.turn.asking_used = true;
                observer.record(Event::Asked { seat });
                (Phase::Asked, partner)
            }
            Action::Offer(card) if self.turn.phase == Phase::Asked => {
                self.hand_over(partner, active, card, observer);
                (Phase::Return, active)
            }
            Action::Offer(card) => {
                self.turn.offered = Some(card);
                self.turn.offering_used = true;
                observer.record(Event::Offered {
                    seat,
                    card: Some(card),
                });
                (Phase::Offered, active)
            }
            Action::AcceptOffer => {
                if let Some(card) = self.turn.offered.take() {
                    self.hand_over(partner, active, card, observer);
                }
                (Phase::Return, active)
            }
            Action::Decline => {
                self.turn.offered = None;
                if !self.rules.offer_after_refusal() {
                    self.use_exchange();
                }
                observer.record(Event::Declined { seat });
                (Phase::Turn, active)
            }
            Action::Return(card) => {
                self.use_exchange();
                self.hand_over(active, partner, card, observer);
                (Phase::Turn, active)
            }
            Action::Give(flasks) => {
                let to = if seat == active { partner } else { active };
                self.turn.gave |= 1 << u8::from(seat != active);
                self.flasks[seat.index()].full -= flasks;
                self.flasks[to.index()].full += flasks;
                observer.record(Event::Gave {
                    from: seat,
                    to,
                    flasks,
                });
                // R4.7: only a castable spell keeps a turn open.
                if self.turn.phase == Phase::End && !self.any_castable(active) {
                    self.end_turn(observer);
                }
                return;
            }
            _ => return,
        };
        self.turn.phase = phase;
        self.turn.actor = to_act;
    }

    /// Uses up the exchange of this turn (R12.2).
    fn use_exchange(&mut self) {
        self.turn.asking_used = true;
        self.turn.offering_used = true;
    }

    fn hand_over(&mut self, from: Seat, to: Seat, card: Card, observer: &mut impl Observer) {
        self.hands[from.index()].remove(card);
        self.hands[to.index()].add(card);
        observer.record(Event::HandedOver {
            from,
            to,
            card: Some(card),
        });
    }
}
