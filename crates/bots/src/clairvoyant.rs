//! How few cards would do for somebody who knows the order of the cards and every roll: a bound to
//! compare solo players with. Not a player: it is given the whole state, and no [`Bot`](crate::Bot) uses it.

use std::collections::HashSet;

use rules::{Action, Actions, Actor, Card, Chance, Phase, Request, Seat, State};

use crate::net::Evaluation;

/// A position on the way, with how many rolls are used up.
#[derive(Clone, Copy)]
struct Node {
    state: State,
    rolls: usize,
    value: f32,
}

/// What chance will say.
struct Luck<'a> {
    cards: &'a [Card],
    roll: &'a dyn Fn(usize) -> u8,
}

/// From how many positions of a turn spells are tried.
const CASTERS: usize = 12;

/// The fewest cards found for a solo or cooperative game, if it can be won: a beam search that keeps
/// the best `width` positions for each number of cards used. `cards` is the order of the draw pile,
/// the next card last; `roll` tells the n-th roll of the game.
pub fn clairvoyant(
    start: &State,
    cards: &[Card],
    roll: &dyn Fn(usize) -> u8,
    width: usize,
) -> Option<u16> {
    let evaluation = Evaluation::of(start);
    let luck = Luck { cards, roll };
    let first = Node {
        state: *start,
        rolls: 0,
        value: 0.0,
    };
    let longest = cards.len() + usize::from(start.score()) + 4;
    let mut layers: Vec<Vec<Node>> = vec![Vec::new(); longest + 4];
    layers.get_mut(usize::from(start.score()))?.push(first);
    let mut next = Vec::new();
    for used in 0..longest {
        let mut layer = std::mem::take(&mut layers[used]);
        if layer.iter().any(|node| has_won(&node.state)) {
            return Some(used as u16);
        }
        layer.sort_by(|a, b| b.value.total_cmp(&a.value));
        let mut seen = HashSet::new();
        layer.retain(|node| seen.len() < width && seen.insert(node.state));
        for node in layer {
            turn(&node, &luck, &evaluation, &mut next);
            for after in next.drain(..) {
                let at = usize::from(after.state.score());
                if let Some(layer) = layers.get_mut(at.max(used + 1)) {
                    layer.push(after);
                }
            }
        }
    }
    None
}

fn has_won(state: &State) -> bool {
    state.outcome().is_some_and(|o| !o.winners.is_empty())
}

/// The positions at the end of the turn: all of them, but spells are tried only where it looks best.
fn turn(node: &Node, luck: &Luck<'_>, evaluation: &Evaluation, out: &mut Vec<Node>) {
    let mut open = vec![*node];
    while !open.is_empty() {
        let mut next = Vec::new();
        for node in &open {
            step(node, luck, evaluation, &mut next, out);
        }
        next.sort_by(|a, b| b.value.total_cmp(&a.value));
        // A roll has to be used, but whoever is at the end of a turn need not cast.
        let mut casters = 0;
        next.retain(|node| {
            let end = node.state.phase() == Phase::End;
            casters += usize::from(end);
            !end || casters <= CASTERS
        });
        open = next;
    }
}

/// One action further: to the end of the turn, or still in it.
fn step(
    node: &Node,
    luck: &Luck<'_>,
    evaluation: &Evaluation,
    open: &mut Vec<Node>,
    out: &mut Vec<Node>,
) {
    let Actor::Player(seat) = node.state.actor() else {
        return;
    };
    let mut list = Actions::new();
    node.state.legal_actions(&mut list);
    for action in list.iter() {
        let mut after = *node;
        after.state.apply_unchecked(seat, action, &mut ());
        let ended = after.state.phase() == Phase::Refill || after.state.outcome().is_some();
        // Judged before the next card comes: so it compares with positions that wait for theirs.
        after.value = evaluation.value(&after.state, Seat(0));
        if !settle(&mut after, luck) {
            continue;
        }
        if ended {
            out.push(after);
            continue;
        }
        if after.state.phase() == Phase::End {
            // The turn may end without a spell: kept even if spells are not tried from here.
            let mut quiet = after;
            quiet.state.apply_unchecked(seat, Action::End, &mut ());
            if settle(&mut quiet, luck) {
                out.push(quiet);
            }
        }
        open.push(after);
    }
}

/// Lets chance answer what is known beforehand; false if it has no answer.
fn settle(node: &mut Node, luck: &Luck<'_>) -> bool {
    while let Some(request) = node.state.chance() {
        let chance = match request {
            Request::Draw(seat) => {
                let left = usize::from(node.state.draw_len());
                match left.checked_sub(1).and_then(|next| luck.cards.get(next)) {
                    Some(&card) => Chance::Draw(node.state.hand_colour(seat), card),
                    None => return false,
                }
            }
            Request::Roll => {
                node.rolls += 1;
                Chance::Roll((luck.roll)(node.rolls - 1))
            }
            _ => return false,
        };
        if node.state.apply_chance(chance).is_err() {
            return false;
        }
    }
    true
}
