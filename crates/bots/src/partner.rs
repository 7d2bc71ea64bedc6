//! Partners: what to ask for, offer and give (§12).

use towers_rules::{Action, Actions, Card, Event, Phase, Seat, State, View};

use crate::flow::{follow, settle_observed};
use crate::net::Evaluation;
use crate::planner::{Planner, Widths};

/// The least gain in the chance to win for which flasks or a card are offered.
const MIN_GAIN: f32 = 0.02;

/// Whether to ask the partner for a card (R12.2): only with a hand that achieves nothing. Asking costs nothing, since
/// the card may be returned, but a human partner does not want to be asked every turn.
pub(crate) fn asks(state: &State, seat: Seat, plan: &[Action]) -> bool {
    let list = state.legal_actions();
    if state.actions_used() > 0 || !list.contains(Action::Ask) {
        return false;
    }
    let mut after = *state;
    let mut events = Vec::new();
    follow(&mut after, seat, plan, &mut events);
    settle_observed(&mut after, &mut events);
    !events.iter().any(|event| {
        matches!(
            event,
            Event::WizardMoved { onto: None, .. } | Event::FlaskFilled { .. }
        )
    })
}

/// The card to hand over when asked: the one that improves the partner's turn most, averaged over guesses at the
/// partner's hand.
pub(crate) fn hands_over(
    worlds: &[State],
    seat: Seat,
    evaluation: &Evaluation,
    widths: Widths,
) -> Option<Action> {
    let mut list = Actions::new();
    worlds.first()?.legal_actions_into(&mut list);
    let offers: Vec<Action> = list.iter().collect();
    best_of(&offers, |action| {
        mean(worlds, |world| {
            after_exchange(world, seat, action, evaluation, widths)
        })
    })
    .map(|(action, _)| action)
}

/// Whether an offer or a gift can be useful now: a card or flasks before the first card, later only flasks that make a
/// spell affordable (R12.2, R12.3).
pub(crate) fn may_help(view: &View, seat: Seat) -> bool {
    let (turn, players) = (&view.turn, &view.players);
    let (Some(active), Some(own)) = (players.get(turn.active.index()), players.get(seat.index()))
    else {
        return false;
    };
    let partner = (usize::from(seat.0) + players.len() / 2) % players.len();
    if !view.options.teams || view.outcome.is_some() || partner != turn.active.index() {
        return false;
    }
    let (before, after) = (active.flasks.full, active.flasks.full + own.flasks.full);
    let pays = |spell| (before + 1..=after).contains(&view.options.costs.of(spell));
    let gives = !turn.gave.contains(seat) && (view.options.reactions || !turn.cast);
    match turn.phase {
        Phase::Turn if turn.played == 0 => true,
        Phase::Turn | Phase::Rolled | Phase::Refreshed | Phase::End => {
            gives && view.spells.iter().any(pays)
        }
        _ => false,
    }
}

/// The offer or gift to make out of turn, if one is worth it (R12.2, R12.3).
pub(crate) fn offers(
    worlds: &[State],
    seat: Seat,
    evaluation: &Evaluation,
    widths: Widths,
) -> Option<Action> {
    let first = worlds.first()?;
    let mut list = Actions::new();
    if first.partner_actions_into(&mut list) != Some(seat) {
        return None;
    }
    // With one action left, a new card rarely matters.
    let early = first.actions_used() == 0;
    let active = first.active();
    let now = mean(worlds, |world| {
        Planner::new(evaluation, active, widths).value(world)
    });
    let most = first.flasks(seat).full;
    let tried: Vec<Action> = list
        .iter()
        .filter(|a| match a {
            Action::Give(n) => *n == most || *n == 1,
            _ => early,
        })
        .collect();
    let (action, value) = best_of(&tried, |action| {
        mean(worlds, |world| {
            after_exchange(world, seat, action, evaluation, widths)
        })
    })?;
    (value > now + MIN_GAIN).then_some(action)
}

/// The value of the active player's turn after an offer, an exchange or a gift.
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
