//! What players are called on the screen.

use rules::{Colour, Seat};
use table::{SeatView, Taken};

/// What a bot of this colour is called; the names begin with the colour's letter.
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

/// The names of all seats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(pub Vec<String>);

impl Names {
    /// The names at a table.
    pub fn at(seats: &[SeatView]) -> Names {
        let name = |seat: &SeatView| match &seat.taken {
            Taken::Person { name, .. } => name.clone(),
            Taken::Bot { .. } | Taken::Open => bot_name(seat.colour).to_string(),
        };
        Names(seats.iter().map(name).collect())
    }

    /// The name of a seat.
    pub fn of(&self, seat: Seat) -> String {
        self.0.get(seat.index()).cloned().unwrap_or_default()
    }
}
