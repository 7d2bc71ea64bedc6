//! Before a game: seats and settings.

use std::sync::Arc;

use towers_rules::{Colour, Seat};

use crate::command::Who;
use crate::core::{Core, Log, Origin, Stage};
use crate::event::{StandInReason, TableEvent};
use crate::ids::PersonId;
use crate::level::BotLevel;
use crate::rejection::Rejection;
use crate::seat::{Occupant, Person, Place, seats};
use crate::settings::Settings;
use crate::text::{NAME_CHARS, TITLE_CHARS, clean, looks_like};

impl Core {
    pub(crate) fn sit(
        &mut self,
        by: Who,
        name: Option<&str>,
        seat: Option<Seat>,
        colour: Option<Colour>,
        key: &str,
        log: &mut Log,
    ) -> Result<PersonId, Rejection> {
        self.check_no_game()?;
        let known = match by {
            Who::Stranger => None,
            _ => Some(self.check_person(by)?),
        };
        let old = known.and_then(|id| self.seat_of(id));
        let seat = match seat.or(old) {
            Some(seat) => seat,
            None => self.first_open().ok_or(Rejection::Full)?,
        };
        let place = self.place(seat)?;
        if place.occupant != Occupant::Nobody && old != Some(seat) {
            return Err(Rejection::SeatTaken);
        }
        let name = match name {
            Some(name) => Some(self.free_name(name, known)?),
            None => None,
        };
        let id = match (known, name) {
            (Some(id), name) => {
                if let (Some(name), Some(person)) = (name, self.person_mut(id)) {
                    person.name = name;
                }
                id
            }
            (None, Some(name)) => self.admit(name, key),
            (None, None) => return Err(Rejection::NameNeeded),
        };
        if let Some(old) = old.filter(|&old| old != seat) {
            // The person keeps their colour.
            let (was, is) = (self.place(old)?.colour, self.place(seat)?.colour);
            *self.place_mut(old)? = Place::empty(is);
            *self.place_mut(seat)? = Place::empty(was);
        }
        if let Some(colour) = colour {
            self.set_colour(seat, colour)?;
        }
        let colour = self.place(seat)?.colour;
        *self.place_mut(seat)? = Place::with(colour, Occupant::Person(id));
        let name = self.person(id).map(|p| p.name.clone()).unwrap_or_default();
        log.tell(TableEvent::Sat {
            person: id,
            name,
            seat,
            colour,
        });
        self.find_host(log);
        Ok(id)
    }

    /// Records whether a program plays for a person.
    pub(crate) fn mark_program(&mut self, id: PersonId, program: bool, log: &mut Log) {
        let person = self.person_mut(id);
        if let Some(person) = person.filter(|p| p.program != program) {
            person.program = program;
            log.tell(TableEvent::ProgramIs {
                person: id,
                program,
            });
        }
    }

    /// Adds a person to the table.
    pub(crate) fn admit(&mut self, name: String, key: &str) -> PersonId {
        let id = PersonId(self.next_person);
        self.next_person += 1;
        Arc::make_mut(&mut self.people).push(Person {
            id,
            name,
            key: key.into(),
            talked: std::collections::VecDeque::new(),
            program: false,
            muted: false,
            commitment: None,
            number: None,
            private_entries: 0,
            private_at: 0,
        });
        id
    }

    /// The cleaned name; an error if another person has it or a similar one.
    pub(crate) fn free_name(&self, name: &str, of: Option<PersonId>) -> Result<String, Rejection> {
        let name = clean(name, NAME_CHARS)?;
        let mut others = self.people.iter().filter(|p| Some(p.id) != of);
        // Skip this in a replay: the name was checked when it was taken, possibly with another comparison.
        if !self.is_replayed && others.any(|p| looks_like(&p.name, &name)) {
            return Err(Rejection::NameTaken);
        }
        Ok(name)
    }

    fn first_open(&self) -> Option<Seat> {
        seats(&self.places)
            .find(|(_, p)| p.occupant == Occupant::Nobody)
            .map(|(seat, _)| seat)
    }

    /// Gives a seat a colour. An empty seat that had it gets the old one.
    fn set_colour(&mut self, seat: Seat, colour: Colour) -> Result<(), Rejection> {
        let old = self.place(seat)?.colour;
        let holder = seats(&self.places)
            .find(|(s, p)| *s != seat && p.colour == colour)
            .map(|(s, _)| s);
        if let Some(holder) = holder {
            let place = self.place_mut(holder)?;
            if place.occupant != Occupant::Nobody {
                return Err(Rejection::ColourTaken);
            }
            place.colour = old;
        }
        self.place_mut(seat)?.colour = colour;
        Ok(())
    }

    pub(crate) fn leave(
        &mut self,
        by: Who,
        origin: Origin,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let id = self.check_person(by)?;
        // Once numbers are asked for, the seats are fixed: nobody can force another draw by leaving.
        let is_begun = self.stage() == Stage::Playing || self.drawing_since.is_some();
        match self.seat_of(id) {
            Some(seat) if is_begun => {
                let level = self.settings.stand_in;
                let place = self.place_mut(seat)?;
                if place.left {
                    return Err(Rejection::NotSeated);
                }
                place.left = true;
                place.wants_end = false;
                self.stand_in(seat, level, StandInReason::Left, log)?;
                self.forget_end_wishes(log);
            }
            seat => self.remove_person(id, seat, false, log),
        }
        self.find_host(log);
        self.leave_draw(origin, log)
    }

    /// Removes a person from the table.
    pub(crate) fn remove_person(
        &mut self,
        person: PersonId,
        seat: Option<Seat>,
        removed: bool,
        log: &mut Log,
    ) {
        if let Some(place) = seat.and_then(|s| self.places.get_mut(s.index())) {
            *place = Place::empty(place.colour);
        }
        Arc::make_mut(&mut self.people).retain(|p| p.id != person);
        log.tell(TableEvent::Left {
            person,
            seat,
            removed,
        });
    }

    pub(crate) fn remove(&mut self, by: Who, seat: Seat, log: &mut Log) -> Result<(), Rejection> {
        self.check_host(by)?;
        self.check_no_game()?;
        match self.place(seat)?.occupant {
            Occupant::Nobody => return Err(Rejection::NobodyThere),
            Occupant::Person(id) => self.remove_person(id, Some(seat), true, log),
            Occupant::Bot(_) => {
                let place = self.place_mut(seat)?;
                *place = Place::empty(place.colour);
                log.tell(TableEvent::BotLeft { seat });
            }
        }
        self.find_host(log);
        Ok(())
    }

    pub(crate) fn add_bot(
        &mut self,
        by: Who,
        seat: Option<Seat>,
        level: BotLevel,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        self.check_host(by)?;
        self.check_no_game()?;
        let seat = seat.or_else(|| self.first_open()).ok_or(Rejection::Full)?;
        let place = self.place_mut(seat)?;
        if place.person().is_some() {
            return Err(Rejection::SeatTaken);
        }
        *place = Place::with(place.colour, Occupant::Bot(level));
        log.tell(TableEvent::BotSat { seat, level });
        Ok(())
    }

    pub(crate) fn ready(&mut self, by: Who, ready: bool, log: &mut Log) -> Result<(), Rejection> {
        self.check_no_game()?;
        let (_, seat) = self.check_seated(by)?;
        self.place_mut(seat)?.ready = ready;
        log.tell(TableEvent::ReadyIs { seat, ready });
        Ok(())
    }

    pub(crate) fn configure(
        &mut self,
        by: Who,
        settings: &Settings,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        self.check_host(by)?;
        self.check_no_game()?;
        settings.check()?;
        let mut settings = settings.clone();
        settings.title = clean_title(&settings.title)?;
        self.resize(usize::from(settings.seats))?;
        self.settings = Arc::new(settings);
        for place in &mut self.places {
            // The settings that they were ready for have changed.
            place.ready = false;
            place.wants_rematch = false;
        }
        log.tell(TableEvent::Configured {
            settings: Box::new(Settings::clone(&self.settings)),
        });
        Ok(())
    }

    /// Adds or removes seats to reach a number. Only empty seats and bots can be removed.
    pub(crate) fn resize(&mut self, seats: usize) -> Result<(), Rejection> {
        let gone = self.places.iter().skip(seats);
        if gone.into_iter().any(|p| p.person().is_some()) {
            return Err(Rejection::SeatInUse);
        }
        self.places.truncate(seats);
        while self.places.len() < seats {
            let free = Colour::ALL
                .into_iter()
                .find(|&c| self.places.iter().all(|p| p.colour != c));
            self.places
                .push(Place::empty(free.ok_or(Rejection::NoSuchSeat)?));
        }
        Ok(())
    }
}

/// Cleans a title, which may be empty.
pub(crate) fn clean_title(title: &str) -> Result<String, Rejection> {
    if title.trim().is_empty() {
        Ok(String::new())
    } else {
        Ok(clean(title, TITLE_CHARS)?)
    }
}
