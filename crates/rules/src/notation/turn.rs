//! The turn of a position as text.

use super::board::read_wizards;
use super::fields::{FieldWriter, Fields, join};
use super::reader::{ParseError, TextReader};
use crate::counts::Wizards;
use crate::ids::{Colour, Seat, Surface};
use crate::state::State;
use crate::turn::{Declared, EndReason, Phase, Turn};

/// Writes the fields that differ from the start of a turn.
pub(super) fn write_turn(state: &State, out: &mut FieldWriter) {
    let turn = &state.turn;
    if turn.active != state.start {
        out.put("active", state.colour(turn.active));
    }
    if turn.phase != Turn::of(turn.active).phase {
        out.put("phase", turn.phase.name());
    }
    if turn.actor != turn.active {
        out.put("to_act", state.colour(turn.actor));
    }
    for (key, number) in [
        ("played", turn.played),
        ("rolls", turn.rolls_left),
        ("roll", turn.rolled),
        ("budget", turn.budget),
        ("owed", turn.owed),
    ] {
        if number != 0 {
            out.put(key, number);
        }
    }
    for (key, flag) in [
        ("cast", turn.cast),
        ("asking_used", turn.asking_used),
        ("offering_used", turn.offering_used),
        ("ends", turn.ends),
    ] {
        if flag {
            out.flag(key);
        }
    }
    if turn.gave != 0 {
        let givers = [Some(turn.active), state.partner(turn.active)];
        let gave = (0..2)
            .filter(|i| turn.gave >> i & 1 == 1)
            .filter_map(|i| givers[i]);
        out.put("gave", join(gave.map(|s| state.colour(s)), ","));
    }
    for (key, card) in [("card", turn.card), ("offered", turn.offered)] {
        if let Some(card) = card {
            out.put(key, card);
        }
    }
    write_declared(state, out);
    if !turn.riders.is_empty() {
        out.put("riders", turn.riders);
    }
    if !turn.used.is_empty() {
        out.put("used", join(turn.used.iter().map(|s| state.colour(s)), ","));
    }
    for (key, spell) in [("claim", turn.claim), ("repeats", turn.repeats)] {
        if let Some(spell) = spell {
            out.put(key, spell);
        }
    }
    if turn.resume != Phase::Turn {
        out.put("resume", turn.resume.name());
    }
    if turn.claimant != turn.active {
        out.put("claimant", state.colour(turn.claimant));
    }
    if turn.phase == Phase::Over {
        out.put("why", turn.why.name());
    }
}

fn write_declared(state: &State, out: &mut FieldWriter) {
    match state.turn.declared {
        Declared::None => {}
        Declared::Nothing => out.put("declared", "-"),
        Declared::Wizard { on, owner, steps } => {
            let colour = state.wizard_colour(owner);
            out.put("declared", format_args!("w:{on}:{colour}:{steps}"));
        }
        Declared::Tower { tower, steps } => {
            out.put("declared", format_args!("t:{tower}:{steps}"));
        }
    }
}

/// Reads the turn; fields not mentioned are as at the start of a turn.
pub(super) fn read_turn(state: &mut State, fields: &mut Fields) -> Result<(), ParseError> {
    let seat = |colour: Option<(Colour, usize)>, usual: Seat| match colour {
        None => Ok(usual),
        Some((colour, column)) => {
            let seat = (0..state.seats)
                .map(Seat)
                .find(|&s| state.colour(s) == colour);
            seat.ok_or_else(|| ParseError::new(column, format!("nobody plays {colour}")))
        }
    };
    let mut named = |key: &str| {
        fields.take(key, |r| {
            let column = r.column();
            Ok((r.colour()?, column))
        })
    };
    let active = seat(named("active")?, state.start)?;
    let actor = seat(named("to_act")?, active)?;
    let claimant = seat(named("claimant")?, active)?;
    let mut turn = Turn {
        actor,
        claimant,
        ..Turn::of(active)
    };
    let phases: Vec<_> = Phase::DECISIONS
        .into_iter()
        .chain([Phase::Refill, Phase::Rolling, Phase::Redraw, Phase::Over])
        .map(|p| (p.name(), p))
        .collect();
    turn.phase = fields.choose("phase", &phases)?.unwrap_or(Phase::Turn);
    let mut small = |key: &str| fields.number(key, 6).map(|n| n.unwrap_or(0) as u8);
    turn.played = small("played")?;
    turn.rolls_left = small("rolls")?;
    turn.rolled = small("roll")?;
    turn.owed = small("owed")?;
    turn.budget = fields.number("budget", 12)?.unwrap_or(0) as u8;
    turn.cast = fields.flag("cast")?;
    turn.asking_used = fields.flag("asking_used")?;
    turn.offering_used = fields.flag("offering_used")?;
    turn.ends = fields.flag("ends")?;
    let giver = |r: &mut TextReader| {
        let column = r.column();
        Ok((r.colour()?, column))
    };
    for (colour, column) in fields.take("gave", |r| r.list(giver))?.unwrap_or_default() {
        let partner = state.partner(active).map(|p| state.colour(p));
        turn.gave |= match Some(colour) {
            giver if giver == partner => 2,
            giver if giver == Some(state.colour(active)) && partner.is_some() => 1,
            _ => {
                return Err(ParseError::new(
                    column,
                    format!("{colour} is neither the active player nor the partner (R12.3)"),
                ));
            }
        };
    }
    turn.card = fields.take("card", TextReader::card)?;
    turn.offered = fields.take("offered", TextReader::card)?;
    turn.declared = fields
        .take("declared", |r| read_declared(r, state))?
        .unwrap_or(Declared::None);
    turn.riders = fields
        .take("riders", read_wizards)?
        .unwrap_or(Wizards::NONE);
    for (colour, column) in fields.take("used", |r| r.list(giver))?.unwrap_or_default() {
        let seat = seat(Some((colour, column)), active)?;
        turn.used = turn.used.with(seat);
    }
    turn.claim = fields.take("claim", TextReader::spell)?;
    turn.repeats = fields.take("repeats", TextReader::spell)?;
    turn.resume = fields.choose("resume", &phases)?.unwrap_or(Phase::Turn);
    let whys = [
        EndReason::Finished,
        EndReason::Stuck,
        EndReason::Deck,
        EndReason::Rounds,
    ]
    .map(|w| (w.name(), w));
    turn.why = fields.choose("why", &whys)?.unwrap_or(EndReason::Finished);
    state.turn = turn;
    Ok(())
}

fn read_declared(reader: &mut TextReader, state: &State) -> Result<Declared, ParseError> {
    if reader.take("-") {
        Ok(Declared::Nothing)
    } else if reader.take("w:") {
        let on = match reader.peek() {
            Some('A'..='I') => reader.tower()?.top(),
            _ => Surface::ground(reader.space()?),
        };
        reader.expect(":")?;
        let column = reader.column();
        let colour = reader.colour()?;
        let owner = state.owner_of(colour);
        let owner =
            owner.ok_or_else(|| ParseError::new(column, format!("nobody plays {colour}")))?;
        reader.expect(":")?;
        Ok(Declared::Wizard {
            on,
            owner,
            steps: reader.number(6)? as u8,
        })
    } else {
        reader.expect("t:")?;
        let tower = reader.tower()?;
        reader.expect(":")?;
        Ok(Declared::Tower {
            tower,
            steps: reader.number(6)? as u8,
        })
    }
}
