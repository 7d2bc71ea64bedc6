//! Bots that offer or give something to their partner without being asked (R12.2, R12.3).

use rules::{Action, Actions, Seat};
use table::{BotLevel, Command, Decider, Taken, Waiting, Who};

use super::task::{Answer, TableTask};

impl TableTask {
    /// The bot whose offer is possible now and was not asked for yet, if a decision is open.
    pub(super) fn may_offer(&self, waiting: Waiting) -> Option<(Seat, BotLevel)> {
        if self.offered == Some((self.table.games(), waiting.decision)) {
            return None;
        }
        let seat = self.table.state()?.partner_actions(&mut Actions::new())?;
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

    /// What the partner of the active player may do out of turn.
    pub(super) fn offers(&self) -> Vec<Action> {
        let mut list = Actions::new();
        if let Some(state) = self.table.state() {
            state.partner_actions(&mut list);
        }
        list.iter().collect()
    }

    /// A bot has thought about an offer. Meanwhile its partner may have gone on: then it is too late.
    pub(super) async fn bot_offers(&mut self, answer: Answer) {
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
            // A refusal changes nothing, and nobody has waited for it.
            let _ = self.submit(Who::Bot(answer.seat), act).await;
        }
    }

    /// Whether a bot is to decide.
    pub(super) fn decides(waiting: Waiting) -> Option<BotLevel> {
        match waiting.by {
            Decider::Bot(level) => Some(level),
            Decider::Person(_) => None,
        }
    }
}
