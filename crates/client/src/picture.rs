//! From a view to a scene for the painter.

use art::scene::{Mark, Middle, Piece, Trail};
use rules::{Card, Memory, Space, View, Wizards};

use crate::choice::{Choice, Intent, Pick};
use crate::preview::Preview;

/// What is shown besides the position.
#[derive(Clone, Debug, Default)]
pub struct Look<'a> {
    /// The decision being made.
    pub choice: Option<&'a Choice>,
    /// What it would do.
    pub preview: Option<&'a Preview>,
    /// The card on top of the discard pile.
    pub top: Option<Card>,
    /// The last roll.
    pub die: u8,
    /// The way of the last move.
    pub trail: Option<(Space, Space)>,
    /// Pieces a hint points at.
    pub hint: &'a [Pick],
}

/// A colour for the painter.
pub fn colour(colour: rules::Colour) -> art::Colour {
    art::Colour::ALL[colour as usize]
}

/// A tower for the painter.
pub fn tower(tower: rules::Tower) -> art::Tower {
    art::Tower::from_letter(tower.letter()).expect("the same nine letters")
}

/// A card for the painter.
pub fn card(card: Card) -> art::Card {
    art::Card::parse(card.text()).expect("the same 23 kinds")
}

/// A spell for the painter.
pub fn spell(spell: rules::Spell) -> art::Spell {
    art::Spell::ALL[spell as usize]
}

fn list(wizards: Option<Wizards>) -> Vec<art::Colour> {
    wizards
        .unwrap_or_default()
        .iter()
        .flat_map(|(c, n)| std::iter::repeat_n(colour(c), n.into()))
        .collect()
}

/// One stack for the painter.
pub fn stack(view: &View, space: Space) -> art::Stack {
    let levels = &view.spaces[space.index()];
    art::Stack {
        ground: levels.first().map(|l| list(l.wizards)).unwrap_or_default(),
        levels: levels
            .iter()
            .filter_map(|level| {
                Some(art::Level {
                    tower: tower(level.tower?),
                    wizards: list(level.wizards),
                })
            })
            .collect(),
        castle: view.castle == space,
    }
}

/// The whole board for the painter.
pub fn board(view: &View) -> art::Board {
    art::Board {
        spaces: std::array::from_fn(|i| stack(view, Space::wrapping(i as u8))),
    }
}

/// The piece that stands for a pick.
pub fn piece(pick: Pick, view: &View) -> Option<Piece> {
    Some(match pick {
        Pick::Wizard(space, c) => Piece::Wizard(space.index(), colour(c)),
        Pick::Tower(t) => Piece::Tower(tower(t)),
        Pick::Space(space) => Piece::Tower(tower(view.spaces.get(space.index())?.last()?.tower?)),
        Pick::Direction(_) => Piece::Castle,
        Pick::Dice => Piece::Die,
        Pick::Nothing | Pick::Card(_) | Pick::Count(_) => return None,
    })
}

/// The pieces that stand out: those that can be picked, and those that were.
pub fn marks(view: &View, look: &Look<'_>) -> Vec<(Piece, Mark)> {
    let mut marks = Vec::new();
    let mut add = |piece: Option<Piece>, mark| {
        if let Some(piece) = piece.filter(|p| marks.iter().all(|(q, _)| q != p)) {
            marks.push((piece, mark));
        }
    };
    if let Some(choice) = look.choice {
        for &pick in choice.picks() {
            add(piece(pick, view), Mark::Chosen);
        }
        if choice.pending().is_none() {
            for pick in choice.offers() {
                add(piece(pick, view), Mark::Legal);
            }
        }
        for intent in choice.intents() {
            if let Intent::Spell(s) | Intent::Before(s) | Intent::After(s) = intent {
                let chosen = choice.intent() == Some(intent);
                add(
                    Some(Piece::Spell(spell(s))),
                    if chosen { Mark::Chosen } else { Mark::Legal },
                );
            }
        }
    }
    for &pick in look.hint {
        add(piece(pick, view), Mark::Noted);
    }
    marks
}

/// The scene of a view.
pub fn scene(view: &View, look: &Look<'_>) -> art::Scene {
    let mut scene = art::Scene::new(board(view));
    scene.middle = Middle {
        draw: view.draw.into(),
        discard: look.top.map(card),
        die: look.die,
        spells: view
            .spells
            .iter()
            .map(|s| (spell(s), view.options.costs.of(s)))
            .collect(),
    };
    scene.marks = marks(view, look);
    scene.show_prisoners = view.options.memory == Memory::Assisted;
    if let Some(preview) = look.preview {
        scene.ghosts.clone_from(&preview.ghosts);
        scene.focus = preview.to.map(Space::index);
    } else {
        scene.trail = look.trail.map(|(from, to)| Trail {
            from: from.index(),
            to: to.index(),
            clockwise: (to.number().wrapping_sub(from.number()) & 15) <= 8,
        });
    }
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Viewer, examples};

    #[test]
    fn the_painter_gets_the_position_as_the_notation_writes_it() {
        let state = examples::opening();
        let view = state.view(Viewer::Spectator);
        let text = rules::notation::BoardText::of(&state).to_string();
        assert_eq!(Some(board(&view)), art::Board::parse(&text));
    }

    #[test]
    fn what_can_be_picked_stands_out() {
        let state = examples::opening();
        let view = state.view(Viewer::Seat(state.active()));
        let choice = Choice::new(
            &["refresh:tA".parse().unwrap(), "refresh:tB".parse().unwrap()],
            rules::Colour::Blue,
        );
        let mut begun = choice.clone();
        begun.begin(Intent::Refresh);
        let look = Look {
            choice: Some(&begun),
            ..Look::default()
        };
        assert_eq!(marks(&view, &look).len(), 2);
    }
}
