//! Actions as text.

use std::fmt;
use std::str::FromStr;

use super::reader::{ParseError, TextReader};
use crate::action::{Action, Cast, Direction, Move, WizardTarget};
use crate::spell::Spell;

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Play(card, how) => write!(f, "{card}:{how}"),
            Action::Roll(card) => write!(f, "{card}"),
            Action::Reroll => f.write_str("reroll"),
            Action::Accept(how) => write!(f, ":{how}"),
            Action::Refresh(Some(tower)) => write!(f, "refresh:t{tower}"),
            Action::Refresh(None) => f.write_str("refresh:-"),
            Action::RefreshFirst => f.write_str("refresh"),
            Action::Cast(cast) => write!(f, "{cast}"),
            Action::End => f.write_str("end"),
            Action::Pass => f.write_str("pass"),
            Action::Before(cast) => write!(f, "before {cast}"),
            Action::After(spell) => write!(f, "after {spell}"),
            Action::WithPiggyback => f.write_str("with PB"),
            Action::Piggyback => f.write_str("PB"),
            Action::Done => f.write_str("done"),
            Action::Ask => f.write_str("ask"),
            Action::Offer(card) => write!(f, "offer {card}"),
            Action::AcceptOffer => f.write_str("accept"),
            Action::Decline => f.write_str("decline"),
            Action::Return(card) => write!(f, "return {card}"),
            Action::Give(flasks) => write!(f, "give {flasks}"),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Wizard { from, piggyback } => {
                write!(f, "w{from}{}", if *piggyback { "+" } else { "" })
            }
            Move::Tower(tower) => write!(f, "t{tower}"),
            Move::Nothing => f.write_str("-"),
        }
    }
}

impl fmt::Display for Cast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.spell())?;
        match self {
            Cast::AdvanceWizard(target) | Cast::HeadwindWizard(target) => write!(f, "{target}"),
            Cast::AdvanceTower(tower) | Cast::HeadwindTower(tower) => write!(f, "{tower}"),
            Cast::SwapTowers(one, other) => write!(f, "{one},{other}"),
            Cast::NudgeCastle(Direction::Clockwise) => f.write_str("+"),
            Cast::NudgeCastle(Direction::CounterClockwise) => f.write_str("-"),
            Cast::FreeWizard(tower, None) => write!(f, "{tower}"),
            Cast::FreeWizard(tower, Some(colour)) => write!(f, "{tower},{colour}"),
        }
    }
}

impl fmt::Display for WizardTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}{}",
            self.space,
            self.colour,
            if self.declared { "!" } else { "" }
        )
    }
}

impl FromStr for Action {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Action, ParseError> {
        let mut reader = TextReader::new(text);
        let action = read_action(&mut reader)?;
        reader.end()?;
        Ok(action)
    }
}

impl FromStr for Cast {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Cast, ParseError> {
        let mut reader = TextReader::new(text);
        let cast = read_cast(&mut reader)?;
        reader.end()?;
        Ok(cast)
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Move, ParseError> {
        let mut reader = TextReader::new(text);
        let how = read_move(&mut reader)?;
        reader.end()?;
        Ok(how)
    }
}

fn read_action(reader: &mut TextReader) -> Result<Action, ParseError> {
    if reader.take(":") {
        return Ok(Action::Accept(read_move(reader)?));
    }
    if reader.take("refresh:") {
        return if reader.take("-") {
            Ok(Action::Refresh(None))
        } else {
            reader.expect("t")?;
            Ok(Action::Refresh(Some(reader.tower()?)))
        };
    }
    for (word, action) in [
        ("refresh", Action::RefreshFirst),
        ("reroll", Action::Reroll),
        ("end", Action::End),
        ("pass", Action::Pass),
        ("done", Action::Done),
        ("ask", Action::Ask),
        ("accept", Action::AcceptOffer),
        ("decline", Action::Decline),
        ("with PB", Action::WithPiggyback),
        ("PB", Action::Piggyback),
    ] {
        if reader.take(word) {
            return Ok(action);
        }
    }
    if reader.take("before ") {
        return Ok(Action::Before(read_cast(reader)?));
    }
    if reader.take("after ") {
        let at = reader.column();
        return match reader.spell()? {
            Spell::Piggyback => Err(ParseError::new(
                at,
                "piggyback goes with the move: 'with PB'",
            )),
            spell => Ok(Action::After(spell)),
        };
    }
    if reader.take("offer ") {
        return Ok(Action::Offer(reader.card()?));
    }
    if reader.take("return ") {
        return Ok(Action::Return(reader.card()?));
    }
    if reader.take("give ") {
        let at = reader.column();
        return match reader.number(u16::from(u8::MAX))? {
            0 => Err(ParseError::new(at, "a gift is one flask or more")),
            flasks => Ok(Action::Give(flasks as u8)),
        };
    }
    match reader.peek() {
        Some('w' | 't') => {
            let at = reader.column();
            let card = reader.card()?;
            match (card.dice(), reader.take(":")) {
                (0, true) => Ok(Action::Play(card, read_move(reader)?)),
                (0, false) => reader.error("expected ':' and what the card moves"),
                (_, false) => Ok(Action::Roll(card)),
                (_, true) => Err(ParseError::new(
                    at,
                    "a dice card is played alone, the move comes after the roll",
                )),
            }
        }
        Some(c) if c.is_ascii_uppercase() => Ok(Action::Cast(read_cast(reader)?)),
        _ => reader.error("expected an action"),
    }
}

fn read_move(reader: &mut TextReader) -> Result<Move, ParseError> {
    if reader.take("-") {
        Ok(Move::Nothing)
    } else if reader.take("w") {
        let from = reader.space()?;
        Ok(Move::Wizard {
            from,
            piggyback: reader.take("+"),
        })
    } else if reader.take("t") {
        Ok(Move::Tower(reader.tower()?))
    } else {
        reader.error("expected what moves: w and a space, t and a tower, or -")
    }
}

fn read_cast(reader: &mut TextReader) -> Result<Cast, ParseError> {
    let at = reader.column();
    let spell = reader.spell()?;
    if spell == Spell::Piggyback {
        return Err(ParseError::new(at, "piggyback has no target"));
    }
    reader.expect(":")?;
    Ok(match spell {
        Spell::AdvanceWizard => Cast::AdvanceWizard(read_target(reader)?),
        Spell::HeadwindWizard => Cast::HeadwindWizard(read_target(reader)?),
        Spell::AdvanceTower => Cast::AdvanceTower(reader.tower()?),
        Spell::HeadwindTower => Cast::HeadwindTower(reader.tower()?),
        Spell::SwapTowers => {
            let one = reader.space()?;
            reader.expect(",")?;
            let at = reader.column();
            let other = reader.space()?;
            if one >= other {
                return Err(ParseError::new(
                    at,
                    "a swap names two different spaces, the lower number first",
                ));
            }
            Cast::SwapTowers(one, other)
        }
        Spell::NudgeCastle => {
            if reader.take("+") {
                Cast::NudgeCastle(Direction::Clockwise)
            } else if reader.take("-") {
                Cast::NudgeCastle(Direction::CounterClockwise)
            } else {
                return reader.error("expected a direction, + or -");
            }
        }
        Spell::FreeWizard | Spell::Piggyback => {
            let tower = reader.tower()?;
            let prefer = if reader.take(",") {
                Some(reader.colour()?)
            } else {
                None
            };
            Cast::FreeWizard(tower, prefer)
        }
    })
}

fn read_target(reader: &mut TextReader) -> Result<WizardTarget, ParseError> {
    let space = reader.space()?;
    let colour = reader.colour()?;
    Ok(WizardTarget {
        space,
        colour,
        declared: reader.take("!"),
    })
}
