//! Turns a view into a scene for the renderer.

use towers_art::scene::{Mark, Middle, Piece, Trail};
use towers_rules::{Card, Declared, Memory, Seat, Space, View};

use crate::choice::{Choice, Intent, Pick};
use crate::explain::team;
use crate::preview::Preview;

/// What is shown besides the position.
#[derive(Clone, Debug, Default)]
pub struct Look<'a> {
    /// The decision being made.
    pub choice: Option<&'a Choice>,
    pub preview: Option<&'a Preview>,
    /// The card on top of the discard pile.
    pub top: Option<Card>,
    /// The last roll.
    pub die: u8,
    /// The start and end of the last move.
    pub trail: Option<(Space, Space)>,
    /// The colour of the player who made the last move.
    pub mover: Option<towers_rules::Colour>,
    /// A label on a space where a wizard was hit.
    pub note: Option<(Space, String)>,
    /// The pieces that a hint highlights.
    pub hint: &'a [Pick],
}

/// The piece that a pick refers to.
pub fn piece(pick: Pick, view: &View) -> Option<Piece> {
    Some(match pick {
        Pick::Wizard(space, c) => Piece::Wizard(space, c),
        Pick::Tower(t) => Piece::Tower(t),
        Pick::Space(space) => Piece::Tower(view.spaces.get(space.index())?.last()?.tower?),
        Pick::Direction(_) => Piece::Castle,
        Pick::Dice => Piece::Die,
        Pick::Nothing | Pick::Card(_) | Pick::Count(_) => return None,
    })
}

fn declared_piece(view: &View) -> Option<Piece> {
    match view.turn.declared {
        Declared::Tower { tower: t, .. } => Some(Piece::Tower(t)),
        Declared::Wizard { on, owner, .. } => {
            let space = crate::shown::space_of(view, on)?;
            let whose = view.players.get(owner.index())?.colour;
            Some(Piece::Wizard(space, whose))
        }
        Declared::Nothing | Declared::None => None,
    }
}

/// The highlighted pieces: those that can be picked, and those that were.
pub fn marks(view: &View, look: &Look<'_>) -> Vec<(Piece, Mark)> {
    let mut marks = Vec::new();
    let mut add = |piece: Option<Piece>, mark| {
        if let Some(piece) = piece.filter(|p| marks.iter().all(|(q, _)| q != p)) {
            marks.push((piece, mark));
        }
    };
    if let Some(choice) = look.choice {
        for &pick in choice.picks().iter().chain(choice.held()) {
            add(piece(pick, view), Mark::Chosen);
        }
        if choice.pending().is_none() {
            for pick in choice.offers() {
                add(piece(pick, view), Mark::Legal);
            }
        }
        let intents = if choice.held().is_empty() {
            choice.intents()
        } else {
            choice.intents_for_held()
        };
        for intent in intents {
            if let Intent::Spell(s) | Intent::Before(s) | Intent::After(s) = intent {
                let chosen = choice.intent() == Some(intent);
                add(
                    Some(Piece::Spell(s)),
                    if chosen { Mark::Chosen } else { Mark::Legal },
                );
            }
        }
    }
    // R13.2: a declared piece is marked like a chosen one.
    add(declared_piece(view), Mark::Chosen);
    for &pick in look.hint {
        add(piece(pick, view), Mark::Noted);
    }
    marks
}

pub fn scene(view: &View, look: &Look<'_>) -> towers_art::Scene {
    let mut scene = towers_art::Scene::new(view.diagram());
    scene.middle = Middle {
        draw: view.draw.into(),
        discard: look.top,
        die: look.die,
        spells: view
            .spells
            .iter()
            .map(|s| (s, view.options.costs.of(s)))
            .collect(),
    };
    scene.marks = marks(view, look);
    scene.show_prisoners = view.options.memory == Memory::Assisted;
    if let Some(preview) = look.preview {
        scene.ghosts.clone_from(&preview.ghosts);
        scene.focus = preview.to;
    } else {
        scene.trail = look.trail.map(|(from, to)| Trail {
            from,
            to,
            colour: look.mover,
            clockwise: (to.number().wrapping_sub(from.number()) & 15) <= 8,
        });
    }
    scene.note.clone_from(&look.note);
    let seats = (0u8..).map(Seat).zip(&view.players);
    scene.teams = seats
        .filter_map(|(seat, player)| Some((player.colour, team(view, seat)?)))
        .collect();
    scene
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::{Tower, Viewer, examples};

    #[test]
    fn partners_wear_the_same_sash() {
        let state = examples::opening();
        let mut view = state.view(Viewer::Seat(state.active()));
        assert!(scene(&view, &Look::default()).teams.is_empty());
        view.options.teams = true;
        let one = view.players[0];
        view.players.resize(4, one);
        let teams = scene(&view, &Look::default()).teams;
        assert_eq!(teams.iter().map(|t| t.1).collect::<Vec<_>>(), [0, 1, 0, 1]);
    }

    #[test]
    fn r13_2_a_declared_piece_is_marked_like_a_chosen_one() {
        let state = examples::opening();
        let mut view = state.view(Viewer::Seat(state.active()));
        assert_eq!(marks(&view, &Look::default()), []);
        let tower = Tower::all().next().unwrap();
        view.turn.declared = Declared::Tower { tower, steps: 2 };
        let marked = [(Piece::Tower(tower), Mark::Chosen)];
        assert_eq!(marks(&view, &Look::default()), marked);
        assert_eq!(scene(&view, &Look::default()).marks, marked);
        let owner = state.active();
        view.turn.declared = Declared::Wizard {
            on: tower.top(),
            owner,
            steps: 1,
        };
        let marked = marks(&view, &Look::default());
        let colour = view.players[owner.index()].colour;
        let space = crate::shown::space_of(&view, tower.top()).unwrap();
        assert_eq!(marked, [(Piece::Wizard(space, colour), Mark::Chosen)]);
        view.turn.declared = Declared::Nothing;
        assert_eq!(marks(&view, &Look::default()), []);
    }

    #[test]
    fn possible_picks_are_highlighted() {
        let state = examples::opening();
        let view = state.view(Viewer::Seat(state.active()));
        let choice = Choice::new(
            &["refresh:tA".parse().unwrap(), "refresh:tB".parse().unwrap()],
            towers_rules::Colour::Blue,
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
