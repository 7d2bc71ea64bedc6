//! What a table shows: views and events, redacted for a person or a bot.

use towers_rules::{Action, Event as GameEvent, Memory, Phase, Seat, SpellSet, View, Viewer};

use super::Table;
use crate::event::{AnyEvent, EventGroup, Seen};
use crate::ids::PersonId;
use crate::update::LastUpdate;
use crate::view::{GameView, SeatView, TableView, You};

impl Table {
    /// The view of a bot on a seat, and the events after a number, as far as they are kept. A bot that plays for a
    /// person does not spend their flasks: it sees no spells, unless the person has claimed one that has to be cast.
    pub fn bot_view(&self, seat: Seat, after: u64) -> Option<(View, Vec<GameEvent>)> {
        let state = self.state()?;
        let viewer = Viewer::Seat(seat);
        let heard = self.history.iter().filter(|g| g.number > after);
        let events = heard
            .flat_map(|g| &g.events)
            .filter_map(|event| match event {
                AnyEvent::Game(event) => Some(state.event_seen_by(*event, viewer)),
                AnyEvent::Table(_) => None,
            });
        let mut view = state.view(viewer);
        let plays_for_person = self
            .core
            .place(seat)
            .is_ok_and(|place| place.person().is_some() && place.stand_in.is_some());
        let has_to_cast = state.phase() == Phase::After && !state.is_legal(seat, Action::Done);
        if plays_for_person && !has_to_cast {
            view.spells = SpellSet::NONE;
        }
        Some((view, events.collect()))
    }

    /// The unredacted last events of the game, for replaying a finished game.
    pub fn last_events(&self) -> impl Iterator<Item = GameEvent> + '_ {
        let last = self.history.back().map_or(&[][..], |g| &g.events);
        last.iter().filter_map(|event| match event {
            AnyEvent::Game(event) => Some(*event),
            AnyEvent::Table(_) => None,
        })
    }

    /// The viewer that a person is in the rules: a seat, or a spectator.
    pub fn viewer(&self, person: Option<PersonId>) -> Viewer {
        self.core.viewer(person)
    }

    /// The identity of a person at this table.
    pub fn you(&self, person: Option<PersonId>) -> You {
        self.core.you(person)
    }

    /// The whole table, redacted for a person.
    pub fn view(&self, person: Option<PersonId>) -> TableView {
        self.core.view(person)
    }

    /// The seats as everybody sees them, in order.
    pub fn seat_views(&self) -> Vec<SeatView> {
        self.core.seat_views()
    }

    /// The game, redacted for a person.
    pub fn game_view(&self, person: Option<PersonId>) -> Option<GameView> {
        self.core.game_view(self.core.viewer(person))
    }

    /// The last update; `None` after a table was created or loaded. For one viewer see [`Table::seen`].
    pub fn last_update(&self) -> Option<LastUpdate<'_>> {
        let (before, group) = (self.before.as_ref()?, self.history.back()?);
        let views = &self.public_views;
        Some(LastUpdate::new(before, &self.core, group, views))
    }

    /// Whether the last update concerns only the game, and not seats or settings.
    pub fn last_is_in_game(&self) -> bool {
        self.history.back().is_some_and(EventGroup::is_in_game)
    }

    /// The last update, redacted for a person; `None` if only another person receives it.
    pub fn seen(&self, person: Option<PersonId>) -> Option<Seen> {
        self.last_update()?.seen(person)
    }

    /// The events that a person missed after a number; the last group includes the current view. `None` if they need
    /// a fresh [view](Table::view).
    ///
    /// While a game in which imprisoned wizards have to be remembered (R16.2) is running, the log goes back one round
    /// only: a reconnect must not reveal what was forgotten.
    pub fn since(&self, person: Option<PersonId>, number: u64) -> Option<Vec<Seen>> {
        if person.is_none() && self.core.private_entries > 0 {
            // They may have been a person at the table before, with a higher count.
            return None;
        }
        let last = self.core.number_for(person);
        let missed = usize::try_from(last.checked_sub(number)?).ok()?; // else it was another table
        let oldest = self.history.front()?.number;
        let round_ago = match &self.core.game {
            Some(game)
                if game.ending.is_none()
                    && game.state.options().memory == Memory::Strict
                    && self.turns.len() > self.core.places.len() =>
            {
                self.turns.front().copied().unwrap_or(oldest)
            }
            _ => oldest,
        };
        let groups = self.history.iter().rev();
        let told = groups.take_while(|g| g.number >= round_ago);
        let told = told.filter(|g| g.is_told_to(person));
        let viewer = self.core.viewer(person);
        let mut list: Vec<Seen> = (0..missed as u64)
            .zip(told)
            .map(|(i, group)| Seen {
                number: last - i,
                ..group.seen_by(self.state(), viewer)
            })
            .collect();
        if list.len() < missed {
            return None;
        }
        list.reverse();
        if let Some(last) = list.last_mut() {
            last.view = Some(Box::new(self.core.view(person)));
        }
        Some(list)
    }
}
