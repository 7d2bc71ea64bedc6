//! Offers and gifts of bots to their partner out of turn (R12.2, R12.3).

use towers_rules::{Action, Seat, State};
use towers_table::{BotLevel, Command, Decider, Taken, Waiting, Who};

use super::task::{BotAnswer, TableTask};

impl TableTask {
    /// The bot that may make an offer at this decision and was not asked yet.
    pub(super) fn may_offer(&self, waiting: Waiting) -> Option<(Seat, BotLevel)> {
        if self.offered == Some((self.table.games(), waiting.decision)) {
            return None;
        }
        let (seat, _) = self.table.state()?.partner_actions()?;
        if seat == waiting.seat || self.offers().is_empty() {
            return None;
        }
        let view = self.table.view(None);
        let place = view.seats.get(seat.index())?;
        let own = match place.taken {
            Taken::Bot { level } => Some(level),
            Taken::Open | Taken::Person { .. } => None,
        };
        place.stand_in.or(own).map(|level| (seat, level))
    }

    /// The actions of the active player's partner out of turn.
    pub(super) fn offers(&self) -> Vec<Action> {
        let partner = self.table.state().and_then(State::partner_actions);
        partner.map_or(Vec::new(), |(_, actions)| actions.iter().collect())
    }

    /// Submits a bot's offer, unless its partner has already acted.
    pub(super) async fn bot_offers(&mut self, answer: BotAnswer) {
        let decision = Some((answer.game, answer.decision));
        let open = self
            .table
            .waiting_for()
            .map(|w| (self.table.games(), w.decision));
        if open != decision {
            return;
        }
        self.offered = decision;
        if let Some(mind) = answer.mind {
            let heard = self.table.number();
            self.minds
                .insert((answer.seat, answer.level), (heard, mind));
        }
        if let Some(action) = answer.action {
            let act = Command::Act {
                action,
                decision: Some(answer.decision),
            };
            // A refusal changes nothing, and nobody waits for it.
            let _ = self.submit(Who::Bot(answer.seat), act).await;
        }
    }

    /// The level of the bot that is to decide, if any.
    pub(super) fn decides(waiting: Waiting) -> Option<BotLevel> {
        match waiting.by {
            Decider::Bot(level) => Some(level),
            Decider::Person(_) => None,
        }
    }
}
