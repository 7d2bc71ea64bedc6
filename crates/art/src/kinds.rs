//! What there is in the game: player colours, towers, cards, spells, themes.

use std::fmt;

/// Day or night, as a class on an element around everything drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Sunlight and clouds.
    Day,
    /// Moon, lanterns, fireflies.
    #[default]
    Night,
}

impl Theme {
    /// The class that switches the colours.
    pub fn class(self) -> &'static str {
        match self {
            Theme::Day => "wt-day",
            Theme::Night => "wt-night",
        }
    }
}

/// A player's colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Colour {
    /// Stars on the hat.
    Blue,
    /// Stripes on the hat.
    Yellow,
    /// Dots on the hat.
    Red,
    /// Zigzags on the hat.
    Green,
    /// Lozenges on the hat.
    Orange,
    /// A crescent on the hat.
    Purple,
}

impl Colour {
    /// All six, in the order of the notation.
    pub const ALL: [Colour; 6] = [
        Colour::Blue,
        Colour::Yellow,
        Colour::Red,
        Colour::Green,
        Colour::Orange,
        Colour::Purple,
    ];

    /// Its letter in the notation.
    pub fn letter(self) -> char {
        ['b', 'y', 'r', 'g', 'o', 'p'][self as usize]
    }

    /// The colour of a letter.
    pub fn from_letter(letter: char) -> Option<Colour> {
        Colour::ALL.into_iter().find(|c| c.letter() == letter)
    }
}

/// One of the nine towers, A to I.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Tower(u8);

impl Tower {
    /// The tower of a letter.
    pub fn from_letter(letter: char) -> Option<Tower> {
        ('A'..='I')
            .contains(&letter)
            .then(|| Tower(letter as u8 - b'A'))
    }

    /// Its letter.
    pub fn letter(self) -> char {
        (b'A' + self.0) as char
    }

    /// Whether it carries a raven shield (A, C, E, G, I).
    pub fn has_shield(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

/// How far a page of a movement card goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Steps {
    /// Exactly so many spaces.
    Exactly(u8),
    /// One to three dice.
    Dice(u8),
}

/// A movement card: a wizard page, a tower page, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Card {
    /// What it does to a wizard.
    pub wizard: Option<Steps>,
    /// What it does to a tower.
    pub tower: Option<Steps>,
}

impl Card {
    /// The 23 kinds.
    pub fn all() -> Vec<Card> {
        "w1 w2 w3 w4 w5 t1 t2 t3 t4 t5 w1t1 w2t2 w3t3 w4t4 w1t5 w2t4 w4t2 w5t1 w?t? w?? t?? w??? t???"
            .split(' ')
            .filter_map(Card::parse)
            .collect()
    }

    /// Reads `w3`, `t2`, `w1t5`, `w?t?`, `t??`.
    pub fn parse(text: &str) -> Option<Card> {
        let (wizard, tower) = match text.find('t') {
            Some(i) => (&text[..i], &text[i..]),
            None => (text, ""),
        };
        let steps = |part: &str, mark: char| -> Option<Option<Steps>> {
            if part.is_empty() {
                return Some(None);
            }
            let part = part.strip_prefix(mark)?;
            match part {
                "?" | "??" | "???" => Some(Some(Steps::Dice(part.len() as u8))),
                "1" | "2" | "3" | "4" | "5" => {
                    Some(Some(Steps::Exactly(part.as_bytes()[0] - b'0')))
                }
                _ => None,
            }
        };
        let card = Card {
            wizard: steps(wizard, 'w')?,
            tower: steps(tower, 't')?,
        };
        (card.wizard.is_some() || card.tower.is_some()).then_some(card)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (mark, steps) in [('w', self.wizard), ('t', self.tower)] {
            match steps {
                Some(Steps::Exactly(n)) => write!(out, "{mark}{n}")?,
                Some(Steps::Dice(n)) => write!(out, "{mark}{}", "?".repeat(n as usize))?,
                None => {}
            }
        }
        Ok(())
    }
}

/// One of the eight spells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Spell {
    /// Any wizard one space on.
    AdvanceWizard,
    /// Any tower two spaces on.
    AdvanceTower,
    /// The topmost towers of two spaces change places.
    SwapTowers,
    /// Any wizard one space back.
    HeadwindWizard,
    /// Any tower two spaces back.
    HeadwindTower,
    /// The castle goes to the next free space, either way.
    NudgeCastle,
    /// A second wizard rides along.
    Piggyback,
    /// A wizard slips out from under a tower.
    FreeWizard,
}

impl Spell {
    /// All eight, in the order of the rules.
    pub const ALL: [Spell; 8] = [
        Spell::AdvanceWizard,
        Spell::AdvanceTower,
        Spell::SwapTowers,
        Spell::HeadwindWizard,
        Spell::HeadwindTower,
        Spell::NudgeCastle,
        Spell::Piggyback,
        Spell::FreeWizard,
    ];

    /// Its code in the notation.
    pub fn code(self) -> &'static str {
        ["AW", "AT", "SW", "HW", "HT", "NC", "PB", "FW"][self as usize]
    }

    /// The spell of a code.
    pub fn from_code(code: &str) -> Option<Spell> {
        Spell::ALL.into_iter().find(|s| s.code() == code)
    }

    /// Its usual cost in full flasks.
    pub fn cost(self) -> u8 {
        [2, 1, 1, 2, 1, 2, 2, 2][self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cards_print_as_they_parse() {
        let all = Card::all();
        assert_eq!(all.len(), 23);
        for card in all {
            assert_eq!(Card::parse(&card.to_string()), Some(card));
        }
        for wrong in ["", "w", "t6", "w3w3", "t2w1", "x", "w????"] {
            assert_eq!(Card::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn letters_and_codes_lead_back() {
        assert!(
            Colour::ALL
                .iter()
                .all(|&c| Colour::from_letter(c.letter()) == Some(c))
        );
        assert!(
            Spell::ALL
                .iter()
                .all(|&s| Spell::from_code(s.code()) == Some(s))
        );
        let shields: String = ('A'..='I')
            .filter(|&l| Tower::from_letter(l).is_some_and(Tower::has_shield))
            .collect();
        assert_eq!(shields, "ACEGI");
    }
}
