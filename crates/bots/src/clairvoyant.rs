//! A lower bound for solo games: the fewest cards needed by a player who knows the order of the cards and every roll.
//! It reads the whole state; no [`Bot`](crate::Bot) uses it.

use std::collections::HashSet;

use towers_rules::{Action, Actor, Card, Chance, ChanceRequest, Phase, Seat, State};

use crate::net::Evaluation;

/// A position on the way, with the number of rolls used.
#[derive(Clone, Copy)]
struct Node {
    state: State,
    rolls: usize,
    value: f32,
}

/// The known outcomes of chance.
struct KnownChance<'a> {
    cards: &'a [Card],
    roll: &'a dyn Fn(usize) -> u8,
}

/// The number of positions per turn from which spells are tried.
const MAX_CASTERS: usize = 12;

/// The fewest cards found for a solo or cooperative game, if it can be won: a beam search that keeps the best `width`
/// positions for each number of cards used. `cards` is the draw pile in order, the next card last; `roll` gives the
/// n-th roll of the game.
pub fn clairvoyant(
    start: &State,
    cards: &[Card],
    roll: &dyn Fn(usize) -> u8,
    width: usize,
) -> Option<u16> {
    let evaluation = Evaluation::of(start);
    let luck = KnownChance { cards, roll };
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

/// All positions at the end of the turn. Spells are tried only from the best ones.
fn turn(node: &Node, luck: &KnownChance<'_>, evaluation: &Evaluation, out: &mut Vec<Node>) {
    let mut open = vec![*node];
    while !open.is_empty() {
        let mut next = Vec::new();
        for node in &open {
            step(node, luck, evaluation, &mut next, out);
        }
        next.sort_by(|a, b| b.value.total_cmp(&a.value));
        // A roll has to be used, but at the end of a turn nobody has to cast.
        let mut casters = 0;
        next.retain(|node| {
            let end = node.state.phase() == Phase::End;
            casters += usize::from(end);
            !end || casters <= MAX_CASTERS
        });
        open = next;
    }
}

/// Applies one action: to the end of the turn, or still in it.
fn step(
    node: &Node,
    luck: &KnownChance<'_>,
    evaluation: &Evaluation,
    open: &mut Vec<Node>,
    out: &mut Vec<Node>,
) {
    let Actor::Player(seat) = node.state.actor() else {
        return;
    };
    let list = node.state.legal_actions();
    for action in &list {
        let mut after = *node;
        after.state.apply_unchecked(seat, action, &mut ());
        let ended = after.state.phase() == Phase::Refill || after.state.outcome().is_some();
        // Rated before the next card is drawn, to be comparable with positions that wait for theirs.
        after.value = evaluation.value(&after.state, Seat(0));
        if !settle(&mut after, luck) {
            continue;
        }
        if ended {
            out.push(after);
            continue;
        }
        if after.state.phase() == Phase::End {
            // The turn may end without a spell, so the position is kept even if no spell is tried from it.
            let mut quiet = after;
            quiet.state.apply_unchecked(seat, Action::End, &mut ());
            if settle(&mut quiet, luck) {
                out.push(quiet);
            }
        }
        open.push(after);
    }
}

/// Applies the known outcomes of chance; returns `false` if there is none left.
fn settle(node: &mut Node, luck: &KnownChance<'_>) -> bool {
    while let Some(request) = node.state.chance() {
        let chance = match request {
            ChanceRequest::Draw(seat) => {
                let left = usize::from(node.state.draw_len());
                match left.checked_sub(1).and_then(|next| luck.cards.get(next)) {
                    Some(&card) => Chance::Draw(node.state.hand_colour(seat), card),
                    None => return false,
                }
            }
            ChanceRequest::Roll => {
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
