//! A position on the screen without a table, for lessons, puzzles and replays.

use towers_rules::{Actions, Actor, Event, Mode, Preset, Seat, State, View, Viewer};
use towers_table::{GameView, PersonId, SeatView, Seen, Settings, Stage, TableView, Taken, You};

use crate::model::Model;
use crate::names::bot_name;

/// The view of a seat, with its legal actions.
pub fn game(state: &State, me: Seat) -> GameView {
    let mut list = Actions::new();
    if state.actor() == Actor::Player(me) {
        state.legal_actions_into(&mut list);
    }
    GameView {
        view: state.view(Viewer::Seat(me)),
        waiting: None,
        legal: list.iter().collect(),
        optional: Vec::new(),
        banks: None,
    }
}

/// A position without legal actions, for viewing only.
pub fn without_actions(view: View) -> GameView {
    GameView {
        view,
        waiting: None,
        legal: Vec::new(),
        optional: Vec::new(),
        banks: None,
    }
}

/// The model of a position. Seats without a name get the names of bots.
pub fn model(game: GameView, me: Seat, names: &[String]) -> Option<Model> {
    let view = &game.view;
    let mode = view.options.mode;
    let players = view.players.len() as u8;
    let mut settings = Settings::new(
        Preset::Capstone,
        mode,
        if mode == Mode::Solo { 1 } else { players },
    );
    settings.options = view.options;
    let seats = view
        .players
        .iter()
        .zip(
            names
                .iter()
                .map(String::as_str)
                .chain(std::iter::repeat("")),
        )
        .enumerate()
        .map(|(i, (player, name))| SeatView {
            taken: Taken::Person {
                person: PersonId(i as u32),
                name: if name.is_empty() {
                    bot_name(player.colour).into()
                } else {
                    name.into()
                },
                program: false,
            },
            ready: true,
            ..seat_of(player.colour)
        })
        .collect();
    Model::new(TableView {
        table: String::new(),
        number: 0,
        at: 0,
        stage: Stage::Playing,
        settings,
        host: None,
        seats,
        you: You {
            person: Some(PersonId(me.0.into())),
            seat: Some(me),
            host: false,
            pass_ahead: None,
            stops_everywhere: false,
        },
        games: 1,
        commitment: None,
        next_commitment: None,
        secret: None,
        devices: Vec::new(),
        draw: None,
        seed: None,
        ending: None,
        game: Some(Box::new(game)),
        chat: Vec::new(),
    })
}

/// An open seat.
pub fn seat_of(colour: towers_rules::Colour) -> SeatView {
    SeatView {
        colour,
        taken: Taken::Open,
        muted: false,
        commitment: None,
        ready: false,
        away: false,
        away_since: None,
        left: false,
        stand_in: None,
        wants_end: false,
        wants_rematch: false,
    }
}

/// An update with these events and the position after them.
pub fn seen(events: Vec<Event>, table: &TableView, game: GameView) -> Seen {
    Seen {
        number: 0,
        at: 0,
        by: None,
        events: events
            .into_iter()
            .map(towers_table::AnyEvent::Game)
            .collect(),
        changed: None,
        view: Some(Box::new(TableView {
            game: Some(Box::new(game)),
            ..table.clone()
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_shown_played_on_and_shown_again() {
        let mut state = towers_rules::examples::opening();
        let me = state.active();
        let mut model = model(game(&state, me), me, &["Ann".into()]).unwrap();
        assert!(model.is_mine());
        assert_eq!(model.names.of(me), "Ann");
        assert_ne!(model.names.of(Seat(1)), "");
        let mut events = Vec::new();
        let action = model.table.game.as_ref().unwrap().legal[0];
        state.apply_observed(me, action, &mut events).unwrap();
        let seen = seen(events, &model.table, game(&state, me));
        model.receive(&seen);
        assert!(model.is_busy());
        model.skip();
        assert_eq!(model.shown, state.view(Viewer::Seat(me)));
    }

    #[test]
    fn a_position_for_viewing_offers_no_actions() {
        let state = towers_rules::examples::opening();
        let me = state.active();
        let model = model(without_actions(state.view(Viewer::Seat(me))), me, &[]).unwrap();
        assert!(!model.is_mine() && model.choice.is_empty());
    }
}
