//! What stands where, as far as a viewer knows: sixteen stacks and the castle.

use crate::kinds::{Colour, Tower};

/// One tower of a stack and the wizards on its top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// The tower.
    pub tower: Tower,
    /// The wizards on top of it; imprisoned ones only if the viewer may see them.
    pub wizards: Vec<Colour>,
}

/// Everything on one space, from the ground up.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stack {
    /// The wizards on the ground.
    pub ground: Vec<Colour>,
    /// The towers, the lowest first.
    pub levels: Vec<Level>,
    /// Whether the castle stands on top.
    pub castle: bool,
}

impl Stack {
    /// Reads one field of the notation, such as `brAyBr*`.
    pub fn parse(field: &str) -> Option<Stack> {
        let mut stack = Stack::default();
        if field == "-" {
            return Some(stack);
        }
        for mark in field.chars() {
            if stack.castle {
                return None;
            }
            if let Some(colour) = Colour::from_letter(mark) {
                stack
                    .levels
                    .last_mut()
                    .map_or(&mut stack.ground, |level| &mut level.wizards)
                    .push(colour);
            } else if let Some(tower) = Tower::from_letter(mark) {
                stack.levels.push(Level {
                    tower,
                    wizards: Vec::new(),
                });
            } else if mark == '*' {
                stack.castle = true;
            } else {
                return None;
            }
        }
        (!field.is_empty()).then_some(stack)
    }

    /// The wizards on surface `level`: 0 is the ground, 1 the top of the lowest tower.
    pub fn wizards(&self, level: usize) -> &[Colour] {
        match level.checked_sub(1) {
            None => &self.ground,
            Some(i) => self.levels.get(i).map_or(&[], |l| &l.wizards),
        }
    }

    /// How many towers there are.
    pub fn height(&self) -> usize {
        self.levels.len()
    }
}

/// The whole board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// The stacks of spaces 0 to 15.
    pub spaces: [Stack; 16],
}

impl Board {
    /// Reads the notation: sixteen fields separated by `/`.
    pub fn parse(text: &str) -> Option<Board> {
        let stacks: Vec<Stack> = text.split('/').map(Stack::parse).collect::<Option<_>>()?;
        Some(Board {
            spaces: stacks.try_into().ok()?,
        })
    }

    /// The space the castle stands on.
    pub fn castle(&self) -> Option<usize> {
        self.spaces.iter().position(|s| s.castle)
    }

    /// Where a tower stands: its space, and how many towers are below it.
    pub fn find(&self, tower: Tower) -> Option<(usize, usize)> {
        self.spaces.iter().enumerate().find_map(|(space, stack)| {
            stack
                .levels
                .iter()
                .position(|l| l.tower == tower)
                .map(|level| (space, level))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_notation() {
        let board = Board::parse("-/-/brAyBr*/C/-/-/-/-/-/-/-/-/-/-/-/y").unwrap();
        assert_eq!(board.castle(), Some(2));
        assert_eq!(board.spaces[2].wizards(0), [Colour::Blue, Colour::Red]);
        assert_eq!(board.spaces[2].wizards(2), [Colour::Red]);
        assert_eq!(board.find(Tower::from_letter('B').unwrap()), Some((2, 1)));
        for wrong in ["", "-/-", "Z", "*A"] {
            assert!(
                Board::parse(wrong).is_none()
                    && Stack::parse(wrong).is_none_or(|s| s == Stack::default() || wrong == "-/-")
            );
        }
    }
}
