//! Previews of actions.
//!
//! The action is applied to a state that fits the view, with an observer. Effects that depend on hidden information are
//! left out: a preview never reveals more than the player can see.

use towers_art::scene::Ghost;
use towers_rules::{
    Action, Actor, Cast, Declared, Event, Knowledge, Memory, Mode, Move, Seat, Space, State, View,
};

use crate::labels;
use crate::shown::space_of;
use crate::words::{Message, say};

/// The effects of an action.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// The effects in words, most important first.
    pub lines: Vec<Message>,
    /// The effects on the board.
    pub ghosts: Vec<Ghost>,
    /// Where the piece would land.
    pub to: Option<Space>,
    /// The number of wizards it would imprison.
    pub imprisons: u8,
    /// Whether a wizard would come home.
    pub home: bool,
}

/// A state consistent with this view; its hidden information is arbitrary.
pub fn imagine(view: &View) -> Option<State> {
    view.sample(&Knowledge::default(), |_| 0).ok()
}

pub fn preview(view: &View, seat: Seat, action: Action) -> Option<Preview> {
    let mut state = imagine(view)?;
    if !state.is_legal(seat, action) {
        // In the player's own opening window a card can be chosen at once (R13.2).
        state = state.after_opening();
    }
    let mut events = Vec::new();
    state.apply_observed(seat, action, &mut events).ok()?;
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
            preview.add(event, view, seat, Some(seat), strict);
        }
    }
    Some(preview)
}

/// The preview of another player's declared move if nobody reacts; `None` if nothing is declared (R13.2).
pub fn declared(view: &View, me: Option<Seat>) -> Option<Preview> {
    let active = view.turn.active;
    if view.turn.declared == Declared::None || Some(active) == me {
        return None;
    }
    let mut state = imagine(view)?;
    let mut events = Vec::new();
    pass_on(&mut state, &mut events);
    let mut preview = Preview::default();
    let strict = view.options.memory == Memory::Strict;
    for event in &events {
        match event {
            Event::Imprisoned { .. }
            | Event::WizardMoved { .. }
            | Event::TowerMoved { .. }
            | Event::CastleMoved { .. } => preview.add(event, view, active, me, strict),
            _ => {}
        }
    }
    Some(preview)
}

/// Passes all windows, assuming that nobody reacts. With reactions, the move comes after the window.
fn pass_on(state: &mut State, events: &mut Vec<Event>) {
    for _ in 0..16 {
        let Actor::Player(seat) = state.actor() else {
            break;
        };
        let passed = [Action::Pass, Action::Done]
            .into_iter()
            .any(|quiet| state.apply_observed(seat, quiet, events).is_ok());
        if !passed {
            break;
        }
    }
}

/// Effects that events do not show.
fn head(view: &View, action: Action) -> Option<Message> {
    let cost = |cast: Cast| view.options.costs.of(cast.spell());
    Some(match action {
        Action::Roll(card) => say("preview.roll").with("n", card.dice()),
        Action::Refresh(None) => say("preview.refresh"),
        Action::Refresh(Some(_)) => say("preview.refresh_tower"),
        Action::RefreshFirst => say("preview.refresh_first"),
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
    /// Adds the effect of an event of this seat's action, as `me` reads it.
    fn add(&mut self, event: &Event, view: &View, seat: Seat, me: Option<Seat>, strict: bool) {
        // Where all players move the same wizards, nobody has their own.
        let own = me
            .filter(|_| view.options.mode == Mode::Versus)
            .and_then(|me| Some(view.players.get(me.index())?.colour));
        match *event {
            Event::WizardMoved {
                colour,
                from,
                to,
                onto,
            } => {
                let from = space_of(view, from).unwrap_or(to);
                self.ghosts.push(Ghost::Wizard { from, colour, to });
                self.to = Some(to);
                self.home |= onto.is_none();
                let key = match (onto.is_none(), own == Some(colour)) {
                    (true, true) => "preview.your_home",
                    (true, false) => "preview.home",
                    (false, true) => "preview.your_wizard",
                    (false, false) => "preview.wizard",
                };
                self.lines.push(
                    say(key)
                        .with("to", to.number())
                        .with("colour", labels::colour(colour)),
                );
            }
            Event::TowerMoved { tower, to, .. } => {
                self.ghosts.push(Ghost::Tower { tower, to });
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
                if own.is_some_and(|own| wizards.of(own) > 0) {
                    self.lines.push(say("preview.hits_you"));
                }
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
                self.ghosts.push(Ghost::Castle { to });
                self.to = self.to.or(Some(to));
                self.lines
                    .push(say("preview.castle").with("to", to.number()));
            }
            Event::TurnEnded { seat } if self.home && me.is_none_or(|me| me == seat) => {
                self.lines.push(say("preview.ends"));
            }
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
    use towers_rules::{Viewer, examples};

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
        let list = state.legal_actions();
        let refresh = "refresh:tA".parse().unwrap();
        assert!(list.contains(refresh), "{}", state.to_string());
        let preview = preview(&view, state.active(), refresh).unwrap();
        assert_eq!(preview.to, Space::new(2));
        assert!(preview.imprisons > 0);
        assert!(
            lines(&preview).contains(&"preview.flask"),
            "{:?}",
            lines(&preview)
        );
        assert!(
            matches!(preview.ghosts[..], [Ghost::Tower { to, .. }] if Some(to) == Space::new(2))
        );
        let words = Words::of(Language::English);
        assert!(preview.lines.iter().all(|l| !words.say(l).contains('{')));
    }

    #[test]
    fn a_declared_move_is_previewed_with_its_victims() {
        let text = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/- seats=b,y reactions spells=AT \
            hands=b:t1,w3;y:t3,t4,w5 discard=t2 flasks=b:6/0/0;y:5/1/0 phase=window to_act=y \
            played=1 declared=t:A:1";
        let state = text.parse::<State>().unwrap();
        let me = Some(Seat(1));
        let seen = declared(&state.view(Viewer::Seat(Seat(1))), me).unwrap();
        assert_eq!(seen.to, Space::new(2));
        assert!(matches!(seen.ghosts[..], [Ghost::Tower { to, .. }] if Some(to) == Space::new(2)));
        assert_eq!(
            lines(&seen),
            ["preview.tower", "preview.imprisons", "preview.hits_you"]
        );
        assert_eq!(
            declared(&state.view(Viewer::Seat(Seat(0))), Some(Seat(0))),
            None
        );
    }

    #[test]
    fn the_reader_is_addressed_in_a_preview() {
        let (state, view) = opening();
        let seat = state.active();
        let own = view.players[seat.index()].colour;
        let other = view.players.iter().position(|p| p.colour != own).unwrap();
        let moves = |a: &Action| matches!(a, Action::Play(_, Move::Wizard { .. }));
        let list = state.legal_actions();
        let action = list.iter().find(moves).expect("a wizard can move");
        let mut mine = Preview::default();
        let mut theirs = Preview::default();
        let mut after = imagine(&view).unwrap();
        let mut events = Vec::new();
        after.apply_observed(seat, action, &mut events).unwrap();
        for event in &events {
            mine.add(event, &view, seat, Some(seat), false);
            theirs.add(event, &view, seat, Some(Seat(other as u8)), false);
        }
        assert!(lines(&mine).contains(&"preview.your_wizard"), "{mine:?}");
        assert!(lines(&theirs).contains(&"preview.wizard"), "{theirs:?}");
    }

    #[test]
    fn every_legal_action_has_a_preview_that_changes_nothing() {
        let (state, view) = opening();
        let list = state.legal_actions();
        assert!(list.len() > 10);
        let before = view.clone();
        for action in &list {
            let preview = preview(&view, state.active(), action).expect("a preview");
            assert!(!preview.lines.is_empty(), "{action}");
            assert_eq!(view, before, "{action}");
        }
    }
}
