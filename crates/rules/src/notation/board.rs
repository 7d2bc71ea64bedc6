//! Boards as text: sixteen fields, space 0 first.

use std::fmt;
use std::str::FromStr;

use super::reader::{ParseError, Reader};
use crate::counts::Wizards;
use crate::ids::{CAPACITY, Colour, Space, Surface, Tower};
use crate::state::State;

impl fmt::Display for Wizards {
    /// Letters in the order `b y r g o p`.
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (colour, n) in self.iter() {
            for _ in 0..n {
                write!(f, "{colour}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Wizards {
    type Err = ParseError;

    #[inline]
    fn from_str(text: &str) -> Result<Wizards, ParseError> {
        let mut reader = Reader::new(text);
        let wizards = read_wizards(&mut reader)?;
        reader.end()?;
        Ok(wizards)
    }
}

impl FromStr for Surface {
    type Err = ParseError;

    #[inline]
    fn from_str(text: &str) -> Result<Surface, ParseError> {
        let mut reader = Reader::new(text);
        let surface = match reader.peek() {
            Some('A'..='I') => reader.tower()?.top(),
            _ => Surface::ground(reader.space()?),
        };
        reader.end()?;
        Ok(surface)
    }
}

/// A board without rules: who stands where. Parses from and prints as the board notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardText {
    /// Per space, from the ground up: each tower's letter comes with the wizards on its top.
    pub fields: [Field; 16],
    /// The castle's space.
    pub castle: Space,
}

/// One space of a [`BoardText`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// The wizards on the ground.
    pub ground: Wizards,
    /// The towers from bottom to top, each with the wizards on it.
    pub towers: Vec<(Tower, Wizards)>,
}

impl BoardText {
    /// The board of a state.
    #[inline]
    pub fn of(state: &State) -> BoardText {
        let field = |i: usize| {
            let space = Space::wrapping(i as u8);
            Field {
                ground: state.wizards(Surface::ground(space)),
                towers: state
                    .towers(space)
                    .map(|t| (t, state.wizards(t.top())))
                    .collect(),
            }
        };
        BoardText {
            fields: std::array::from_fn(field),
            castle: state.castle(),
        }
    }

    /// All surfaces with wizards, and who stands there.
    #[inline]
    pub fn wizards(&self) -> impl Iterator<Item = (Surface, Wizards)> + '_ {
        self.fields
            .iter()
            .zip(Space::all())
            .flat_map(|(field, space)| {
                std::iter::once((Surface::ground(space), field.ground))
                    .chain(
                        field
                            .towers
                            .iter()
                            .map(|&(tower, wizards)| (tower.top(), wizards)),
                    )
                    .filter(|(_, wizards)| !wizards.is_empty())
            })
    }
}

impl fmt::Display for BoardText {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (space, field) in Space::all().zip(&self.fields) {
            if space.number() > 0 {
                f.write_str("/")?;
            }
            let castle = space == self.castle;
            if field.ground.is_empty() && field.towers.is_empty() && !castle {
                f.write_str("-")?;
                continue;
            }
            write!(f, "{}", field.ground)?;
            for (tower, wizards) in &field.towers {
                write!(f, "{tower}{wizards}")?;
            }
            if castle {
                f.write_str("*")?;
            }
        }
        Ok(())
    }
}

impl FromStr for BoardText {
    type Err = ParseError;

    #[inline]
    fn from_str(text: &str) -> Result<BoardText, ParseError> {
        let mut reader = Reader::new(text);
        let board = read_board(&mut reader)?;
        reader.end()?;
        Ok(board)
    }
}

#[inline]
fn read_wizards(reader: &mut Reader) -> Result<Wizards, ParseError> {
    let mut wizards = Wizards::default();
    let mut last = Colour::Blue;
    while reader.peek().and_then(Colour::from_letter).is_some() {
        let at = reader.column();
        let colour = reader.colour()?;
        if colour < last {
            return Err(ParseError::new(
                at,
                "wizards of one surface are written in the order b y r g o p",
            ));
        }
        last = colour;
        wizards.add(colour);
        if wizards.total() > CAPACITY {
            return Err(ParseError::new(
                at,
                "a surface holds at most 6 wizards (R5.3)",
            ));
        }
    }
    Ok(wizards)
}

/// Reads a board: 16 fields, every tower once, one castle, no wizards below it.
#[inline]
pub(crate) fn read_board(reader: &mut Reader) -> Result<BoardText, ParseError> {
    let mut fields: [Field; 16] = Default::default();
    let mut castle = None;
    let mut seen = [false; 9];
    for space in Space::all() {
        if space.number() > 0 {
            if reader.peek() != Some('/') {
                return reader.error(format!(
                    "expected '/': a board has 16 fields, this is number {space}"
                ));
            }
            reader.next();
        }
        let field = &mut fields[space.index()];
        if reader.take("-") {
            continue;
        }
        let at = reader.column();
        field.ground = read_wizards(reader)?;
        while let Some('A'..='I') = reader.peek() {
            let at = reader.column();
            let tower = reader.tower()?;
            if std::mem::replace(&mut seen[tower.index()], true) {
                return Err(ParseError::new(
                    at,
                    format!("tower {tower} is on the board twice (R18.3)"),
                ));
            }
            field.towers.push((tower, read_wizards(reader)?));
        }
        if reader.peek() == Some('*') {
            let top = field
                .towers
                .last()
                .map_or(field.ground, |&(_, wizards)| wizards);
            if castle.is_some() {
                return reader.error("there is only one castle");
            }
            if !top.is_empty() {
                return reader.error("the castle stands where no wizard stands (R6.1)");
            }
            reader.next();
            castle = Some(space);
        }
        if reader.column() == at {
            return reader.error("expected wizards, towers, '*' or '-' for an empty space");
        }
    }
    if let Some(missing) = Tower::all().find(|t| !seen[t.index()]) {
        return reader.error(format!("tower {missing} is not on the board (R18.3)"));
    }
    let Some(castle) = castle else {
        return reader.error("the castle '*' is not on the board (R18.4)");
    };
    Ok(BoardText { fields, castle })
}
