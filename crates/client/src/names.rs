//! The names of players on the screen.

use towers_rules::{Colour, Seat};
use towers_table::{PersonId, SeatView, Taken};

use crate::words::{Arg, Message, say};

/// The name of a bot of this colour, with the same initial as the colour.
pub const fn bot_name(colour: Colour) -> &'static str {
    match colour {
        Colour::Blue => "Bramble",
        Colour::Yellow => "Yarrow",
        Colour::Red => "Rowan",
        Colour::Green => "Gorse",
        Colour::Orange => "Osier",
        Colour::Purple => "Periwinkle",
    }
}

/// Follows the name of a person for whom a program plays.
const PROGRAM: &str = " 🤖";

/// A person's name, marked if a program plays for them.
pub fn marked_name(name: &str, program: bool) -> String {
    format!("{name}{}", if program { PROGRAM } else { "" })
}

/// The name of the player on a seat, or of the bot that would sit there.
pub fn seat_name(seat: &SeatView) -> String {
    match &seat.taken {
        Taken::Person { name, program, .. } => marked_name(name, *program),
        Taken::Bot { .. } | Taken::Open => bot_name(seat.colour).to_string(),
    }
}

pub fn name_of_person(seats: &[SeatView], person: PersonId) -> Option<String> {
    let has =
        |seat: &&SeatView| matches!(seat.taken, Taken::Person { person: p, .. } if p == person);
    seats.iter().find(has).map(seat_name)
}

/// A name that is unique at the table: this one, or the first free one with a number from 2.
pub fn free_name(name: &str, seats: &[SeatView]) -> String {
    let is_taken = |name: &str| {
        seats.iter().any(|seat| match &seat.taken {
            Taken::Person { name: other, .. } => towers_table::looks_like(other, name),
            Taken::Bot { .. } | Taken::Open => false,
        })
    };
    if !is_taken(name) {
        return name.into();
    }
    let numbered = (2..).map(|n| format!("{name} {n}"));
    let free = numbered.take(seats.len() + 1).find(|name| !is_taken(name));
    free.unwrap_or_else(|| name.into())
}

/// The names of all seats, and which of them is the reader's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    by_seat: Vec<String>,
    /// The seat that is addressed instead of named.
    reader: Option<Seat>,
    /// The seats of people for whom a bot plays, one bit each.
    bots: u8,
}

impl Names {
    /// Names by seat, without a reader.
    pub fn new(names: Vec<String>) -> Names {
        Names {
            by_seat: names,
            ..Names::default()
        }
    }

    /// The names at a table.
    pub fn at(seats: &[SeatView], reader: Option<Seat>) -> Names {
        let bits = (0_u8..).zip(seats);
        let bots = bits.filter(|(_, seat)| seat.stand_in.is_some());
        Names {
            by_seat: seats.iter().map(seat_name).collect(),
            reader,
            bots: bots.fold(0, |bits, (i, _)| bits | (1 << i)),
        }
    }

    /// Whether a bot plays for the person of this seat. Its moves are told as the bot's, not as the person's.
    pub fn set_bot(&mut self, seat: Seat, plays: bool) {
        let bit = 1 << seat.0;
        self.bots = (self.bots & !bit) | if plays { bit } else { 0 };
    }

    /// These names, with the bots of earlier ones: what is being shown may lag behind the table.
    #[must_use]
    pub fn with_bots_of(self, earlier: &Names) -> Names {
        Names {
            bots: earlier.bots,
            ..self
        }
    }

    /// The subject of a sentence: the reader, or a player by name.
    pub fn subject(&self, seat: Seat) -> Arg {
        if self.is_reader(seat) {
            Arg::You
        } else {
            self.of(seat).into()
        }
    }

    fn has_bot(&self, seat: Seat) -> bool {
        self.bots & (1 << seat.0) != 0
    }

    /// Whether this is the reader's seat, and the reader plays it.
    pub fn is_reader(&self, seat: Seat) -> bool {
        self.reader == Some(seat) && !self.has_bot(seat)
    }

    /// The name of a seat.
    pub fn of(&self, seat: Seat) -> String {
        let mut name = self.by_seat.get(seat.index()).cloned().unwrap_or_default();
        if self.has_bot(seat) {
            name.push_str(" (bot)");
        }
        name
    }
}

/// Names as a list in a sentence: "Ann, Bob and Cleo".
pub fn names_in_words(mut names: Vec<String>) -> Message {
    let last = names.pop().unwrap_or_default();
    if names.is_empty() {
        return say("list.one").with("last", last);
    }
    say("list.and")
        .with("others", names.join(", "))
        .with("last", last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Words};

    #[test]
    fn a_guest_is_given_a_name_that_is_free() {
        let seat = |i: u32, name: &str| SeatView {
            taken: Taken::Person {
                person: PersonId(i),
                name: name.into(),
                program: false,
            },
            ..crate::staged::seat_of(Colour::Blue)
        };
        assert_eq!(free_name("Guest", &[]), "Guest");
        assert_eq!(free_name("Guest", &[seat(0, "guest")]), "Guest 2");
        let both = [seat(0, "Guest"), seat(1, "Guest 2"), seat(2, "Ann")];
        assert_eq!(free_name("Guest", &both), "Guest 3");
    }

    #[test]
    fn a_program_is_marked_wherever_it_is_named() {
        let seat = |i: u32, program: bool| SeatView {
            taken: Taken::Person {
                person: PersonId(i),
                name: "Ben".into(),
                program,
            },
            ready: true,
            ..crate::staged::seat_of(Colour::Blue)
        };
        let seats = [seat(0, false), seat(1, true)];
        assert_eq!(seat_name(&seats[0]), "Ben");
        let marked = "Ben 🤖";
        assert_eq!(seat_name(&seats[1]), marked);
        assert_eq!(Names::at(&seats, None).of(Seat(1)), marked);
        assert_eq!(name_of_person(&seats, PersonId(1)).as_deref(), Some(marked));
        assert_eq!(name_of_person(&seats, PersonId(2)), None);
    }

    #[test]
    fn shared_winners_are_listed_as_in_a_sentence() {
        let list = |names: &[&str], language| {
            let names = names.iter().map(|&name| name.into()).collect();
            Words::of(language).say(&names_in_words(names))
        };
        assert_eq!(list(&["Ann"], Language::English), "Ann");
        assert_eq!(list(&["Ann", "Bob"], Language::German), "Ann und Bob");
        let three = list(&["Ann", "Bob", "Cleo"], Language::French);
        assert_eq!(three, "Ann, Bob et Cleo");
    }
}
