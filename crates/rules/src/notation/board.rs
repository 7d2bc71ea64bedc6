//! Boards as text: sixteen fields, space 0 first.

use std::fmt;
use std::str::FromStr;

use super::reader::{ParseError, TextReader};
use crate::counts::Wizards;
use crate::ids::{CAPACITY, Colour, SPACES, Space, Surface, TOWERS, Tower};
use crate::state::State;
use crate::view::View;

impl fmt::Display for Wizards {
    /// Letters in the order `b y r g o p`.
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

    fn from_str(text: &str) -> Result<Wizards, ParseError> {
        let mut reader = TextReader::new(text);
        let wizards = read_wizards(&mut reader)?;
        reader.end()?;
        Ok(wizards)
    }
}

impl FromStr for Surface {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Surface, ParseError> {
        let mut reader = TextReader::new(text);
        let surface = match reader.peek() {
            Some('A'..='I') => reader.tower()?.top(),
            _ => Surface::ground(reader.space()?),
        };
        reader.end()?;
        Ok(surface)
    }
}

/// A board on its own, without the rest of a position. Parses from and prints as the board notation.
///
/// ```
/// use towers_rules::{Diagram, Space};
/// let text = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-";
/// let diagram: Diagram = text.parse()?;
/// assert_eq!(diagram.castle, Space::wrapping(0));
/// assert_eq!(diagram.to_string(), text);
/// # Ok::<(), towers_rules::notation::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The sixteen spaces, 0 first.
    pub stacks: [Stack; SPACES],
    /// The castle's space; it stands on top of everything there (R6.1).
    pub castle: Space,
}

/// What stands on one space of a [`Diagram`], except for the castle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// The wizards on the ground.
    pub ground: Wizards,
    /// The towers from bottom to top, each with the wizards on it.
    pub towers: Vec<(Tower, Wizards)>,
}

impl Stack {
    /// The number of towers.
    pub fn height(&self) -> usize {
        self.towers.len()
    }

    /// The wizards on the surface at `level`: 0 is the ground, 1 the top of the lowest tower.
    pub fn wizards(&self, level: usize) -> Wizards {
        match level.checked_sub(1) {
            None => self.ground,
            Some(i) => self.towers.get(i).map_or(Wizards::NONE, |&(_, w)| w),
        }
    }

    /// The wizards on the exposed surface.
    pub fn exposed(&self) -> Wizards {
        self.wizards(self.height())
    }
}

impl Diagram {
    /// The stack on a space.
    pub fn stack(&self, space: Space) -> &Stack {
        &self.stacks[space.index()]
    }

    /// The position of a tower: its space, and how many towers are below it.
    pub fn find(&self, tower: Tower) -> Option<(Space, usize)> {
        Space::all().find_map(|space| {
            let level = self
                .stack(space)
                .towers
                .iter()
                .position(|&(t, _)| t == tower)?;
            Some((space, level))
        })
    }

    /// All surfaces with wizards, and the wizards there.
    pub fn wizards(&self) -> impl Iterator<Item = (Surface, Wizards)> + '_ {
        self.stacks
            .iter()
            .zip(Space::all())
            .flat_map(|(stack, space)| {
                std::iter::once((Surface::ground(space), stack.ground))
                    .chain(
                        stack
                            .towers
                            .iter()
                            .map(|&(tower, wizards)| (tower.top(), wizards)),
                    )
                    .filter(|(_, wizards)| !wizards.is_empty())
            })
    }
}

impl State {
    /// The board as a diagram, hidden wizards included.
    pub fn diagram(&self) -> Diagram {
        let stack = |i: usize| {
            let space = Space::wrapping(i as u8);
            Stack {
                ground: self.wizards(Surface::ground(space)),
                towers: self
                    .towers(space)
                    .map(|t| (t, self.wizards(t.top())))
                    .collect(),
            }
        };
        Diagram {
            stacks: std::array::from_fn(stack),
            castle: self.castle(),
        }
    }
}

impl View {
    /// The board as a diagram, without the wizards out of the viewer's sight (R16.2).
    pub fn diagram(&self) -> Diagram {
        let stack = |i: usize| {
            let levels = self.spaces.get(i).map_or(&[][..], Vec::as_slice);
            let ground = levels.first().and_then(|level| level.wizards);
            Stack {
                ground: ground.unwrap_or_default(),
                towers: levels
                    .iter()
                    .filter_map(|level| Some((level.tower?, level.wizards.unwrap_or_default())))
                    .collect(),
            }
        };
        Diagram {
            stacks: std::array::from_fn(stack),
            castle: self.castle,
        }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (space, stack) in Space::all().zip(&self.stacks) {
            if space.number() > 0 {
                f.write_str("/")?;
            }
            let castle = space == self.castle;
            if stack.ground.is_empty() && stack.towers.is_empty() && !castle {
                f.write_str("-")?;
                continue;
            }
            write!(f, "{}", stack.ground)?;
            for (tower, wizards) in &stack.towers {
                write!(f, "{tower}{wizards}")?;
            }
            if castle {
                f.write_str("*")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Diagram {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Diagram, ParseError> {
        let mut reader = TextReader::new(text);
        let board = read_board(&mut reader)?;
        reader.end()?;
        Ok(board)
    }
}

pub(super) fn read_wizards(reader: &mut TextReader) -> Result<Wizards, ParseError> {
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
pub(crate) fn read_board(reader: &mut TextReader) -> Result<Diagram, ParseError> {
    let mut stacks: [Stack; SPACES] = Default::default();
    let mut castle = None;
    let mut seen = [false; TOWERS];
    for space in Space::all() {
        if space.number() > 0 {
            if reader.peek() != Some('/') {
                return reader.error(format!(
                    "expected '/': a board has 16 fields, this is number {space}"
                ));
            }
            reader.next();
        }
        let stack = &mut stacks[space.index()];
        if reader.take("-") {
            continue;
        }
        let at = reader.column();
        stack.ground = read_wizards(reader)?;
        while let Some('A'..='I') = reader.peek() {
            let at = reader.column();
            let tower = reader.tower()?;
            if std::mem::replace(&mut seen[tower.index()], true) {
                return Err(ParseError::new(
                    at,
                    format!("tower {tower} occurs twice (R18.3)"),
                ));
            }
            stack.towers.push((tower, read_wizards(reader)?));
        }
        if reader.peek() == Some('*') {
            let top = stack
                .towers
                .last()
                .map_or(stack.ground, |&(_, wizards)| wizards);
            if castle.is_some() {
                return reader.error("there is only one castle");
            }
            if !top.is_empty() {
                return reader.error("the castle cannot stand on wizards (R6.1)");
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
    Ok(Diagram { stacks, castle })
}
