//! The targets on the board: their place, name, and effect when chosen.

use towers_rules::{Direction, Space, Tower, View};

use crate::choice::{Intent, Pick};
use crate::labels;
use crate::model::Model;
use crate::preview::preview;
use crate::shown;
use crate::words::{Message, Words, say};

pub fn place(view: &View, pick: Pick) -> Option<Space> {
    match pick {
        Pick::Wizard(space, _) | Pick::Space(space) => Some(space),
        Pick::Tower(tower) => shown::find(view, tower).map(|f| f.0),
        Pick::Direction(_) => Some(view.castle),
        _ => None,
    }
}

/// The height of a pick in its space, for sorting from the top down.
fn height(view: &View, pick: Pick) -> usize {
    match pick {
        Pick::Tower(tower) => shown::find(view, tower).map_or(0, |f| f.1),
        Pick::Space(_) => 50,
        _ => 99,
    }
}

/// The picks that belong to a space, from the top down.
pub fn picks_at(view: &View, space: Space, offers: &[Pick]) -> Vec<Pick> {
    let mut here: Vec<Pick> = offers
        .iter()
        .copied()
        .filter(|p| place(view, *p) == Some(space))
        .collect();
    here.sort_by_key(|p| std::cmp::Reverse(height(view, *p)));
    here
}

/// The picks on the board, in ring order, in each space from the top down.
pub fn around(view: &View, offers: &[Pick]) -> Vec<Pick> {
    Space::all()
        .flat_map(|space| picks_at(view, space, offers))
        .collect()
}

/// The next or previous target around the ring; the first one if `now` is not among them.
pub fn next(ring: &[Pick], now: Option<Pick>, forwards: bool) -> Option<Pick> {
    let at = now.and_then(|now| ring.iter().position(|p| *p == now));
    let next = match at {
        None => 0,
        Some(at) if forwards => at + 1,
        Some(at) => at + ring.len() - 1,
    };
    ring.get(next % ring.len().max(1)).copied()
}

/// Every pick that refers to the same piece: a topmost tower is also the top of its space, and the castle moves in two
/// directions.
pub fn standing_for(view: &View, pick: Pick) -> Vec<Pick> {
    let tower = |tower: Tower| {
        let mut picks = vec![Pick::Tower(tower)];
        if let Some((space, level)) = shown::find(view, tower)
            && level == shown::height(view, space)
        {
            picks.push(Pick::Space(space));
        }
        picks
    };
    match pick {
        Pick::Tower(t) => tower(t),
        Pick::Space(space) => {
            let top = view.spaces.get(space.index()).and_then(|s| s.last());
            top.and_then(|level| level.tower).map_or(vec![pick], tower)
        }
        Pick::Direction(_) => [Direction::Clockwise, Direction::CounterClockwise]
            .map(Pick::Direction)
            .to_vec(),
        _ => vec![pick],
    }
}

/// A pick in words.
pub fn label(view: &View, pick: Pick) -> Message {
    match pick {
        Pick::Wizard(space, colour) => say("target.wizard")
            .with("colour", labels::colour(colour))
            .with("space", space.number()),
        Pick::Tower(tower) => {
            let space = shown::find(view, tower).map_or(0, |f| f.0.number());
            say("target.tower")
                .with("tower", tower.letter())
                .with("space", space)
        }
        Pick::Space(space) => say("target.top").with("space", space.number()),
        Pick::Direction(way) => say("target.castle").with("way", labels::direction(way)),
        Pick::Nothing => say("target.nothing"),
        Pick::Dice => say("target.dice"),
        Pick::Card(card) => labels::card(card),
        Pick::Count(n) => say("count.flasks").with("n", n),
    }
}

/// The effect of choosing a target: the effects of the action or, if only the piece is chosen, what it can be moved
/// with.
pub fn outcome(model: &Model, pick: Pick) -> Vec<Message> {
    let mut choice = model.choice.clone();
    if choice.is_piece_first() {
        let ways = choice.intents_for(&standing_for(&model.shown, pick));
        return ways_line(&ways).into_iter().collect();
    }
    choice.pick(pick);
    let Some((me, action)) = model.me().zip(choice.pending()) else {
        return Vec::new();
    };
    preview(&model.shown, me, action)
        .map(|p| p.lines)
        .unwrap_or_default()
}

/// A sentence that lists what a piece can be moved with; `None` if there is nothing.
pub fn ways_line(ways: &[Intent]) -> Option<Message> {
    let names: Vec<Message> = ways.iter().map(|&i| labels::intent(i)).collect();
    (!names.is_empty()).then(|| say("target.ways").with("ways", names))
}

/// A target for screen readers: its name and the effect of choosing it, as sentences.
pub fn spoken(words: &Words, model: &Model, pick: Pick) -> String {
    let mut parts = vec![words.say(&label(&model.shown, pick))];
    parts.extend(outcome(model, pick).iter().map(|line| words.say(line)));
    sentences(&parts)
}

/// Joins parts as sentences, each with exactly one punctuation mark at its end.
pub fn sentences(parts: &[String]) -> String {
    let ended = parts.iter().map(|part| {
        let bare = part.trim_end().trim_end_matches('.');
        if bare.ends_with(['!', '?', '…', ':']) {
            bare.to_string()
        } else {
            format!("{bare}.")
        }
    });
    ended.collect::<Vec<_>>().join(" ")
}

/// A space in words: only what every player can see.
pub fn describe(view: &View, space: Space) -> Message {
    let levels = &view.spaces[space.index()];
    let towers: Vec<_> = levels
        .iter()
        .filter_map(|l| l.tower)
        .map(|t| t.to_string())
        .collect();
    let wizards = labels::wizards(shown::exposed(view, space));
    let key = match (towers.is_empty(), wizards.is_empty(), view.castle == space) {
        (true, _, true) => "board.castle",
        (false, _, true) => "board.castle_on",
        (true, true, _) => "board.empty",
        (true, false, _) => "board.wizards",
        (false, true, _) => "board.towers",
        (false, false, _) => "board.both",
    };
    let mut message = say(key).with("space", space.number());
    if matches!(key, "board.castle_on" | "board.towers" | "board.both") {
        message = message
            .with("n", towers.len() as u32)
            .with("towers", towers.join(" "));
    }
    if matches!(key, "board.wizards" | "board.both") {
        message = message.with("wizards", wizards);
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;
    use towers_rules::{Colour, Viewer, examples};

    fn view() -> View {
        let state = examples::opening();
        state.view(Viewer::Seat(state.active()))
    }

    #[test]
    fn targets_go_around_the_ring_and_down_each_stack() {
        let view = view();
        let tower = |n| Pick::Tower(Tower::new(n).unwrap());
        let ring = around(&view, &[tower(3), tower(1), Pick::Nothing, tower(0)]);
        assert_eq!(ring.len(), 3);
        let places: Vec<_> = ring.iter().map(|p| place(&view, *p)).collect();
        assert!(places.is_sorted());
        assert_eq!(next(&ring, None, true), Some(ring[0]));
        assert_eq!(next(&ring, Some(ring[2]), true), Some(ring[0]));
        assert_eq!(next(&ring, Some(ring[0]), false), Some(ring[2]));
        assert_eq!(next(&[], None, true), None);
    }

    #[test]
    fn a_topmost_tower_is_the_top_of_its_space() {
        let view = view();
        for space in Space::all() {
            let Some(top) = view.spaces[space.index()].last().unwrap().tower else {
                continue;
            };
            let picks = standing_for(&view, Pick::Tower(top));
            assert_eq!(picks, [Pick::Tower(top), Pick::Space(space)]);
            assert_eq!(standing_for(&view, Pick::Space(space)), picks);
        }
        let wizard = Pick::Wizard(Space::new(3).unwrap(), Colour::Blue);
        assert_eq!(standing_for(&view, wizard), [wizard]);
    }

    #[test]
    fn every_sentence_ends_with_one_mark() {
        let parts = ["Tower D on space 8", "Lands on space 9.", "Home!"].map(String::from);
        assert_eq!(
            sentences(&parts),
            "Tower D on space 8. Lands on space 9. Home!"
        );
        let words = Words::of(Language::German);
        let said = words.say(&describe(&view(), Space::new(1).unwrap()));
        assert!(!said.contains('{'), "{said}");
    }
}
