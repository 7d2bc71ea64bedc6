//! A table kept up to date by what happens around the game.

use table::{Seen, Stage, StandInReason, TableEvent, TableView, Taken};

/// How many lines of talk are kept.
const LINES: usize = 50;

/// Brings a table up to date with what happened. What only a fresh view can tell is left: whether it is needed is the answer.
pub fn follow(table: &mut TableView, seen: &Seen) -> bool {
    let mut stale = false;
    table.number = seen.number;
    table.at = seen.at;
    for event in &seen.events {
        if let table::Event::Table(event) = event {
            stale |= apply(table, event);
        }
    }
    if let Some(game) = &seen.game {
        table.game = Some(game.clone());
    }
    stale
}

fn apply(table: &mut TableView, event: &TableEvent) -> bool {
    let me = table.you.person;
    match event {
        // Whoever takes or loses a seat sees the table anew; the server sends that view.
        TableEvent::Sat {
            person,
            name,
            seat,
            colour,
        } => {
            if let Some(old) = table.seats.iter().position(|s| is(&s.taken, *person)) {
                table.seats[old].taken = Taken::Open;
                table.seats[old].ready = false;
            }
            // A colour that was somewhere else is exchanged there.
            let Some(was) = table.seats.get(seat.index()).map(|s| s.colour) else {
                return true;
            };
            if let Some(other) = table.seats.iter_mut().find(|s| s.colour == *colour) {
                other.colour = was;
            }
            let place = &mut table.seats[seat.index()];
            place.colour = *colour;
            place.taken = Taken::Person {
                person: *person,
                name: name.clone(),
            };
            place.ready = false;
            return me == Some(*person) || table.you.person.is_none();
        }
        TableEvent::BotSat { seat, level } => {
            if let Some(place) = table.seats.get_mut(seat.index()) {
                place.taken = Taken::Bot { level: *level };
            }
        }
        TableEvent::Left { person, seat, .. } => {
            if let Some(place) = seat.and_then(|s| table.seats.get_mut(s.index())) {
                place.taken = Taken::Open;
                place.ready = false;
            }
            return me == Some(*person);
        }
        TableEvent::BotLeft { seat } => {
            if let Some(place) = table.seats.get_mut(seat.index()) {
                place.taken = Taken::Open;
            }
        }
        TableEvent::HostIs { person } => {
            table.host = *person;
            table.you.host = person.is_some() && *person == me;
        }
        // The number of seats and who is ready follow from the settings.
        TableEvent::Configured { settings } => {
            table.settings = (**settings).clone();
            return true;
        }
        TableEvent::ReadyIs { seat, ready } => {
            if let Some(place) = table.seats.get_mut(seat.index()) {
                place.ready = *ready;
            }
        }
        TableEvent::Started {
            game,
            commitment,
            colours,
        } => {
            table.stage = Stage::Playing;
            table.games = *game;
            table.commitment = Some(*commitment);
            table.seed = None;
            table.ending = None;
            for (place, colour) in table.seats.iter_mut().zip(colours) {
                place.colour = *colour;
                place.ready = false;
                place.wants_end = false;
                place.wants_rematch = false;
                place.stand_in = None;
                place.away = false;
            }
            table.you.pass_ahead = None;
        }
        TableEvent::WentAway { seat } => with(table, *seat, |p| {
            p.away = true;
            p.wants_end = false;
        }),
        TableEvent::StoodIn { seat, level, why } => with(table, *seat, |p| {
            p.stand_in = Some(*level);
            p.wants_end = false;
            p.left |= *why == StandInReason::Left;
        }),
        TableEvent::CameBack { seat } => with(table, *seat, |p| {
            p.away = false;
            p.left = false;
            p.stand_in = None;
        }),
        TableEvent::PassAheadIs { until, .. } => table.you.pass_ahead = *until,
        TableEvent::Said(line) => {
            table.chat.push(line.clone());
            let extra = table.chat.len().saturating_sub(LINES);
            table.chat.drain(..extra);
        }
        TableEvent::EndWished { seat, agree } => with(table, *seat, |p| p.wants_end = *agree),
        TableEvent::RematchWished { seat } => with(table, *seat, |p| p.wants_rematch = true),
        TableEvent::GameOver { ending, seed } => {
            table.stage = Stage::Over;
            table.ending = Some(*ending);
            table.seed = Some(*seed);
            for place in &mut table.seats {
                place.stand_in = None;
                place.away = false;
                place.wants_end = false;
            }
        }
        TableEvent::PassedFor { .. } | TableEvent::Emoted { .. } | TableEvent::Reopened => {}
    }
    false
}

fn is(taken: &Taken, who: table::PersonId) -> bool {
    matches!(taken, Taken::Person { person, .. } if *person == who)
}

fn with(table: &mut TableView, seat: rules::Seat, change: impl FnOnce(&mut table::SeatView)) {
    if let Some(place) = table.seats.get_mut(seat.index()) {
        change(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Colour, Seat};
    use table::{BotLevel, Command, Header, Hex, PersonId, Settings, Table, Who};

    /// A table, what Ann at it has been told, and what she made of it.
    struct Told {
        table: Table,
        ann: TableView,
    }

    impl Told {
        fn does(&mut self, by: Who, command: Command) {
            let seed = Hex([7; 32]);
            let what = format!("{command:?}");
            self.table
                .submit(1000, by, command, &seed)
                .unwrap_or_else(|why| panic!("{what}: {why}"));
            let Some(seen) = self.table.seen(Some(PersonId(0))) else {
                return;
            };
            let fresh = self.table.view(Some(PersonId(0)));
            if follow(&mut self.ann, &seen) {
                self.ann = fresh.clone();
            }
            assert_eq!(self.ann, fresh, "{what}");
        }
    }

    fn sit(name: &str, seat: Option<u8>, colour: Option<Colour>) -> Command {
        Command::Sit {
            name: Some(name.into()),
            seat: seat.map(Seat),
            colour,
            key: String::new(),
        }
    }

    #[test]
    fn a_table_is_followed_through_everything_that_happens_around_a_game() {
        let settings = Settings {
            seats: 3,
            ..Settings::new(rules::Preset::Capstone, rules::Mode::Versus, 3)
        };
        let header = Header::new("t", settings.clone(), "Ann", "", 0);
        let table = Table::create(&header).unwrap();
        let ann = table.view(Some(PersonId(0)));
        let mut told = Told { table, ann };
        let (a, b) = (Who::Person(PersonId(0)), Who::Person(PersonId(1)));
        told.does(a, sit("Ann", None, None));
        told.does(Who::Stranger, sit("Ben", Some(2), Some(Colour::Red)));
        told.does(b, Command::Ready { ready: true });
        told.does(b, sit("Ben", Some(1), None));
        told.does(
            a,
            Command::AddBot {
                seat: None,
                level: BotLevel::Novice,
            },
        );
        told.does(a, Command::Remove { seat: Seat(2) });
        let title = Settings {
            title: "Friday".into(),
            ..settings
        };
        told.does(
            a,
            Command::Configure {
                settings: Box::new(title),
            },
        );
        told.does(
            a,
            Command::AddBot {
                seat: None,
                level: BotLevel::Adept,
            },
        );
        told.does(
            b,
            Command::Chat {
                text: "hello".into(),
            },
        );
        told.does(a, Command::Start);
        told.does(Who::House, Command::Away { seat: Seat(1) });
        told.does(
            a,
            Command::Replace {
                seat: Seat(1),
                level: None,
            },
        );
        told.does(b, Command::Back);
        told.does(b, Command::Leave);
        told.does(b, Command::Back);
        told.does(a, Command::End { agree: true });
        told.does(b, Command::End { agree: true });
        told.does(b, Command::Rematch);
        told.does(a, Command::Rematch);
        assert_eq!(told.ann.games, 2);
    }
}
