//! Partners: what to ask for, offer and give (§12).

use rules::{Action, Actions, Card, Event, Phase, Seat, State};

use crate::net::Evaluation;
use crate::planner::{Planner, Widths};

/// How much more a gift or an unasked card has to promise before it is worth the bother.
const WORTH: f32 = 0.02;

/// Whether to ask the partner for a card (R12.2): only with a hand that gets nothing done. Nothing is
/// lost by asking, since the card handed over may be returned; but nobody likes to be asked every turn.
pub(crate) fn asks(state: &State, seat: Seat, plan: &[Action]) -> bool {
    let mut list = Actions::new();
    state.legal_actions(&mut list);
    if state.actions_used() > 0 || !list.contains(Action::Ask) {
        return false;
    }
    let mut after = *state;
    let mut events = Vec::new();
    for &action in plan {
        if !after.is_legal(seat, action) {
            break;
        }
        after.apply_unchecked(seat, action, &mut events);
    }
    !events.iter().any(|event| {
        matches!(
            event,
            Event::WizardMoved { onto: None, .. } | Event::FlaskFilled { .. }
        )
    })
}

/// Which card to hand over when asked: the one the partner's turn gains most from, in these guesses
/// at the partner's hand.
pub(crate) fn hands_over(
    worlds: &[State],
    seat: Seat,
    evaluation: &Evaluation,
    widths: Widths,
) -> Option<Action> {
    let mut list = Actions::new();
    worlds.first()?.legal_actions(&mut list);
    let offers: Vec<Action> = list.iter().collect();
    best_of(&offers, |action| {
        mean(worlds, |world| {
            after_exchange(world, seat, action, evaluation, widths)
        })
    })
    .map(|(action, _)| action)
}

/// What to offer or give out of turn, if anything is worth it (R12.2, R12.3).
pub(crate) fn offers(
    worlds: &[State],
    seat: Seat,
    evaluation: &Evaluation,
    widths: Widths,
) -> Option<Action> {
    let first = worlds.first()?;
    let mut list = Actions::new();
    if first.partner_actions(&mut list) != Some(seat) || first.actions_used() > 0 {
        return None;
    }
    let active = first.active();
    let now = mean(worlds, |world| {
        Planner::new(evaluation, active, widths).value(world)
    });
    let most = first.flasks(seat).full;
    let tried: Vec<Action> = list
        .iter()
        .filter(|a| !matches!(a, Action::Give(n) if *n != most && *n != 1))
        .collect();
    let (action, value) = best_of(&tried, |action| {
        mean(worlds, |world| {
            after_exchange(world, seat, action, evaluation, widths)
        })
    })?;
    (value > now + WORTH).then_some(action)
}

/// What the active player makes of an offer, a card or a gift.
fn after_exchange(
    world: &State,
    seat: Seat,
    action: Action,
    evaluation: &Evaluation,
    widths: Widths,
) -> f32 {
    let mut after = *world;
    let active = world.active();
    after.apply_unchecked(seat, action, &mut ());
    if after.phase() == Phase::Offered {
        after.apply_unchecked(active, Action::AcceptOffer, &mut ());
    }
    if after.phase() == Phase::Return {
        // The planner tries every card that can be returned.
        let cards: Vec<Card> = after.hand(active).iter().collect();
        return cards
            .into_iter()
            .map(|card| {
                let mut back = after;
                back.apply_unchecked(active, Action::Return(card), &mut ());
                Planner::new(evaluation, active, widths).value(&back)
            })
            .fold(f32::NEG_INFINITY, f32::max);
    }
    Planner::new(evaluation, active, widths).value(&after)
}

fn mean(worlds: &[State], value: impl Fn(&State) -> f32) -> f32 {
    worlds.iter().map(value).sum::<f32>() / worlds.len().max(1) as f32
}

fn best_of(actions: &[Action], value: impl Fn(Action) -> f32) -> Option<(Action, f32)> {
    actions
        .iter()
        .map(|&action| (action, value(action)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
}
