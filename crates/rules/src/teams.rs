//! Partners: exchange of cards and gifts of flasks (§12).

use crate::action::Action;
use crate::card::Card;
use crate::error::Illegal;
use crate::event::{Event, Watch};
use crate::ids::Seat;
use crate::state::State;
use crate::turn::Phase;

impl State {
    /// Whether a request, an answer, an exchange or a gift is legal now.
    pub(crate) fn check_partners(&self, seat: Seat, action: Action) -> Result<(), Illegal> {
        let Some(partner) = self.partner(self.turn.active) else {
            return Err(Illegal::NoTeams);
        };
        let is_active = seat == self.turn.active;
        let phase = self.turn.phase;
        match action {
            Action::Ask | Action::Offer(_) | Action::Give(_) if phase == Phase::Turn => {
                match action {
                    Action::Give(flasks) => {
                        if self.turn.gave >> u8::from(!is_active) & 1 == 1 {
                            Err(Illegal::GiftUsed)
                        } else if flasks == 0 || flasks > self.flasks(seat).full {
                            Err(Illegal::GiftSize)
                        } else {
                            Ok(())
                        }
                    }
                    Action::Ask if !is_active => Err(Illegal::NotYourDecision(seat)),
                    Action::Offer(_) if is_active => Err(Illegal::WrongMoment),
                    _ if self.turn.exchanged => Err(Illegal::ExchangeUsed),
                    Action::Offer(card) => self.check_has(partner, card),
                    _ => Ok(()),
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

    /// Carries out a request, an answer, an exchange or a gift.
    pub(crate) fn deal_with_partner(&mut self, seat: Seat, action: Action, watch: &mut impl Watch) {
        let active = self.turn.active;
        let Some(partner) = self.partner(active) else {
            return;
        };
        let (phase, to_act) = match action {
            Action::Ask => {
                watch.see(Event::Asked { seat });
                (Phase::Asked, partner)
            }
            Action::Offer(card) if self.turn.phase == Phase::Asked => {
                self.hand_over(partner, active, card, watch);
                (Phase::Return, active)
            }
            Action::Offer(card) => {
                self.turn.offered = Some(card);
                watch.see(Event::Offered {
                    seat,
                    card: Some(card),
                });
                (Phase::Offered, active)
            }
            Action::AcceptOffer => {
                if let Some(card) = self.turn.offered.take() {
                    self.hand_over(partner, active, card, watch);
                }
                (Phase::Return, active)
            }
            Action::Decline => {
                self.turn.offered = None;
                self.turn.exchanged = true;
                watch.see(Event::Declined { seat });
                (Phase::Turn, active)
            }
            Action::Return(card) => {
                self.turn.exchanged = true;
                self.hand_over(active, partner, card, watch);
                (Phase::Turn, active)
            }
            Action::Give(flasks) => {
                let to = if seat == active { partner } else { active };
                self.turn.gave |= 1 << u8::from(seat != active);
                self.flasks[seat.index()].full -= flasks;
                self.flasks[to.index()].full += flasks;
                watch.see(Event::Gave {
                    from: seat,
                    to,
                    flasks,
                });
                (Phase::Turn, active)
            }
            _ => return,
        };
        self.turn.phase = phase;
        self.turn.actor = to_act;
    }

    fn hand_over(&mut self, from: Seat, to: Seat, card: Card, watch: &mut impl Watch) {
        self.hands[from.index()].remove(card);
        self.hands[to.index()].add(card);
        watch.see(Event::HandedOver {
            from,
            to,
            card: Some(card),
        });
    }
}
