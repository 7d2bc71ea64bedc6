//! A position on the screen without a table behind it: for lessons, puzzles and replays.

use rules::{Actions, Actor, Event, Mode, Preset, Seat, State, View, Viewer};
use table::{GameView, PersonId, SeatView, Seen, Settings, Stage, TableView, Taken, You};

use crate::model::Model;
use crate::names::bot_name;

/// What a seat sees, with what it may do.
pub fn game(state: &State, me: Seat) -> GameView {
    let mut list = Actions::new();
    if state.actor() == Actor::Player(me) {
        state.legal_actions(&mut list);
    }
    GameView {
        view: state.view(Viewer::Seat(me)),
        waiting: None,
        legal: list.iter().collect(),
        optional: Vec::new(),
        banks: None,
    }
}

/// What is shown of a position, with nothing to be done about it.
pub fn look(view: View) -> GameView {
    GameView {
        view,
        waiting: None,
        legal: Vec::new(),
        optional: Vec::new(),
        banks: None,
    }
}

/// A table around a position. Seats without a name are called like bots.
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
            colour: player.colour,
            taken: Taken::Person {
                person: PersonId(i as u32),
                name: if name.is_empty() {
                    bot_name(player.colour).into()
                } else {
                    name.into()
                },
            },
            ready: true,
            away: false,
            left: false,
            stand_in: None,
            wants_end: false,
            wants_rematch: false,
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
        },
        games: 1,
        commitment: None,
        seed: None,
        ending: None,
        game: Some(Box::new(game)),
        chat: Vec::new(),
    })
}

/// Something that happened, to be shown step by step, and where it led.
pub fn seen(events: Vec<Event>, game: GameView) -> Seen {
    Seen {
        number: 0,
        at: 0,
        by: None,
        events: events.into_iter().map(table::Event::Game).collect(),
        game: Some(Box::new(game)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_shown_played_on_and_shown_again() {
        let mut state = rules::examples::opening();
        let me = state.active();
        let mut model = model(game(&state, me), me, &["Ann".into()]).unwrap();
        assert!(model.is_mine());
        assert_eq!(model.names.of(me), "Ann");
        assert_ne!(model.names.of(Seat(1)), "");
        let mut events = Vec::new();
        let action = model.table.game.as_ref().unwrap().legal[0];
        state.apply_watched(me, action, &mut events).unwrap();
        model.receive(&seen(events, game(&state, me)));
        assert!(model.is_busy());
        model.skip();
        assert_eq!(model.shown, state.view(Viewer::Seat(me)));
    }

    #[test]
    fn what_is_only_looked_at_offers_nothing() {
        let state = rules::examples::opening();
        let me = state.active();
        let model = model(look(state.view(Viewer::Seat(me))), me, &[]).unwrap();
        assert!(!model.is_mine() && model.choice.is_empty());
    }
}
