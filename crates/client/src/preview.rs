//! What an action would do, before it is done.
//!
//! The action is carried out on a state that could be the real one, with somebody watching. What depends on hidden things is not
//! told: a preview never says more than the player can see.

use art::scene::Ghost;
use rules::{Action, Actor, Cast, Event, Knowledge, Memory, Move, Seat, Space, State, View};

use crate::labels;
use crate::picture;
use crate::shown::space_of;
use crate::words::{Message, say};

/// What an action would do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// In words, the most important first.
    pub lines: Vec<Message>,
    /// On the board.
    pub ghosts: Vec<Ghost>,
    /// Where the piece would land.
    pub to: Option<Space>,
    /// Whom it would imprison: how many wizards.
    pub imprisons: u8,
    /// Whether a wizard would come home.
    pub home: bool,
}

/// A state that looks like this view. Hidden things in it are made up.
pub fn imagine(view: &View) -> Option<State> {
    view.sample(&Knowledge::default(), |_| 0).ok()
}

/// What an action of a seat would do.
pub fn preview(view: &View, seat: Seat, action: Action) -> Option<Preview> {
    let mut state = imagine(view)?;
    let mut events = Vec::new();
    state.apply_watched(seat, action, &mut events).ok()?;
    if matches!(
        action,
        Action::Play(..) | Action::Accept(_) | Action::Refresh(_)
    ) {
        pass_on(&mut state, &mut events);
    }
    let mut preview = Preview::default();
    if let Some(line) = head(view, action) {
        preview.lines.push(line);
    }
    let strict = view.options.memory == Memory::Strict;
    let lifts = matches!(
        action,
        Action::Cast(Cast::FreeWizard(..)) | Action::Before(Cast::FreeWizard(..))
    );
    if !(strict && lifts) {
        for event in &events {
            preview.add(event, view, seat, strict);
        }
    }
    Some(preview)
}

/// With reactions the move comes after the window: nobody is assumed to react.
fn pass_on(state: &mut State, events: &mut Vec<Event>) {
    for _ in 0..16 {
        let Actor::Player(seat) = state.actor() else {
            break;
        };
        let quiet = [Action::Pass, Action::Done]
            .into_iter()
            .find(|&a| state.is_legal(seat, a));
        match quiet {
            Some(action) => state.apply_unchecked(seat, action, events),
            None => break,
        }
    }
}

/// What cannot be seen from events.
fn head(view: &View, action: Action) -> Option<Message> {
    let cost = |cast: Cast| view.options.costs.of(cast.spell());
    Some(match action {
        Action::Roll(card) => say("preview.roll").with("n", card.dice()),
        Action::Refresh(None) => say("preview.refresh"),
        Action::Refresh(Some(_)) => say("preview.refresh_tower"),
        Action::Play(_, Move::Nothing) | Action::Accept(Move::Nothing) => say("preview.nothing"),
        Action::Cast(cast) | Action::Before(cast) => match cast {
            Cast::FreeWizard(tower, _) => say("preview.free")
                .with("tower", tower.letter())
                .with("n", cost(cast)),
            Cast::SwapTowers(one, other) => say("preview.swap")
                .with("one", one.number())
                .with("other", other.number())
                .with("n", cost(cast)),
            _ => say("preview.cost").with("n", cost(cast)),
        },
        _ => return None,
    })
}

impl Preview {
    fn add(&mut self, event: &Event, view: &View, seat: Seat, strict: bool) {
        match *event {
            Event::WizardMoved {
                colour,
                from,
                to,
                onto,
            } => {
                let from = space_of(view, from).unwrap_or(to);
                self.ghosts.push(Ghost::Wizard {
                    from: from.index(),
                    colour: picture::colour(colour),
                    to: to.index(),
                });
                self.to = Some(to);
                self.home |= onto.is_none();
                let key = if onto.is_none() {
                    "preview.home"
                } else {
                    "preview.wizard"
                };
                self.lines.push(
                    say(key)
                        .with("to", to.number())
                        .with("colour", labels::colour(colour)),
                );
            }
            Event::TowerMoved { tower, to, .. } => {
                self.ghosts.push(Ghost::Tower {
                    tower: picture::tower(tower),
                    to: to.index(),
                });
                self.to = Some(to);
                self.lines.push(
                    say("preview.tower")
                        .with("tower", tower.letter())
                        .with("to", to.number()),
                );
            }
            Event::Imprisoned { wizards, .. } => {
                self.imprisons += wizards.total();
                self.lines
                    .push(say("preview.imprisons").with("wizards", labels::wizards(wizards)));
            }
            Event::FlaskFilled { seat: whose } => {
                let key = if whose == seat {
                    "preview.flask"
                } else {
                    "preview.partner_flask"
                };
                self.lines.push(say(key));
            }
            Event::Uncovered { wizards, .. } if !strict && !wizards.is_empty() => {
                self.lines
                    .push(say("preview.frees").with("wizards", labels::wizards(wizards)));
            }
            Event::CastleMoved { to, .. } => {
                self.ghosts.push(Ghost::Castle { to: to.index() });
                self.to = self.to.or(Some(to));
                self.lines
                    .push(say("preview.castle").with("to", to.number()));
            }
            Event::TurnEnded { .. } if self.home => self.lines.push(say("preview.ends")),
            Event::PiggybackCast { cost, .. } => {
                self.lines.push(say("preview.cost").with("n", cost));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Words};
    use rules::{Viewer, examples, notation};

    fn lines(preview: &Preview) -> Vec<&'static str> {
        preview.lines.iter().map(|l| l.key).collect()
    }

    fn opening() -> (State, View) {
        let state = examples::opening();
        let view = state.view(Viewer::Seat(state.active()));
        (state, view)
    }

    #[test]
    fn a_tower_move_tells_where_it_lands_and_whom_it_imprisons() {
        let (state, view) = opening();
        let mut list = rules::Actions::new();
        state.legal_actions(&mut list);
        let refresh = "refresh:tA".parse().unwrap();
        assert!(
            list.contains(refresh),
            "{}",
            notation::write_position(&state)
        );
        let preview = preview(&view, state.active(), refresh).unwrap();
        assert_eq!(preview.to, Space::new(2));
        assert!(preview.imprisons > 0);
        assert!(
            lines(&preview).contains(&"preview.flask"),
            "{:?}",
            lines(&preview)
        );
        assert!(matches!(preview.ghosts[..], [Ghost::Tower { to: 2, .. }]));
        let words = Words::of(Language::English);
        assert!(preview.lines.iter().all(|l| !words.say(l).contains('{')));
    }

    #[test]
    fn every_legal_action_has_a_preview_that_changes_nothing() {
        let (state, view) = opening();
        let mut list = rules::Actions::new();
        state.legal_actions(&mut list);
        for action in list.iter() {
            assert!(preview(&view, state.active(), action).is_some(), "{action}");
        }
    }
}
