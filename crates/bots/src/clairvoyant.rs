//! How few cards would do for somebody who knows the order of the cards and every roll: a bound to
//! compare solo players with. Not a player: it is given the whole state, and no [`Bot`](crate::Bot) uses it.

use std::collections::HashSet;

use rules::{Actions, Actor, Card, Chance, Phase, Request, Seat, State};

use crate::net::Evaluation;

/// A position on the way, with how many rolls are used up.
#[derive(Clone, Copy)]
struct Node {
    state: State,
    rolls: usize,
    value: f32,
}

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
    let first = Node {
        state: *start,
        rolls: 0,
        value: 0.0,
    };
    let longest = cards.len() + usize::from(start.score()) + 4;
    let mut layers: Vec<Vec<Node>> = vec![Vec::new(); longest + 4];
    layers.get_mut(usize::from(start.score()))?.push(first);
    for used in 0..longest {
        let mut layer = std::mem::take(&mut layers[used]);
        if layer.iter().any(|node| has_won(&node.state)) {
            return Some(used as u16);
        }
        layer.sort_by(|a, b| b.value.total_cmp(&a.value));
        let mut seen = HashSet::new();
        layer.retain(|node| seen.insert(node.state));
        layer.truncate(width);
        for node in layer {
            let mut next = Vec::new();
            turn(&node, cards, roll, &mut next);
            for mut after in next {
                after.value = evaluation.value(&after.state, Seat(0));
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

/// Every position at the end of the turn.
fn turn(node: &Node, cards: &[Card], roll: &dyn Fn(usize) -> u8, out: &mut Vec<Node>) {
    let mut list = Actions::new();
    let mut open = vec![*node];
    while let Some(node) = open.pop() {
        let Actor::Player(seat) = node.state.actor() else {
            continue;
        };
        node.state.legal_actions(&mut list);
        for action in list.iter() {
            let mut after = node;
            after.state.apply_unchecked(seat, action, &mut ());
            let ended = after.state.phase() == Phase::Refill || after.state.outcome().is_some();
            if !settle(&mut after, cards, roll) {
                continue;
            }
            if ended {
                out.push(after);
            } else {
                open.push(after);
            }
        }
    }
}

/// Lets chance answer what is known beforehand; false if it has no answer.
fn settle(node: &mut Node, cards: &[Card], roll: &dyn Fn(usize) -> u8) -> bool {
    while let Some(request) = node.state.chance() {
        let chance = match request {
            Request::Draw(seat) => {
                let left = usize::from(node.state.draw_len());
                match left.checked_sub(1).and_then(|next| cards.get(next)) {
                    Some(&card) => Chance::Draw(node.state.hand_colour(seat), card),
                    None => return false,
                }
            }
            Request::Roll => {
                node.rolls += 1;
                Chance::Roll(roll(node.rolls - 1))
            }
            _ => return false,
        };
        if node.state.apply_chance(chance).is_err() {
            return false;
        }
    }
    true
}
