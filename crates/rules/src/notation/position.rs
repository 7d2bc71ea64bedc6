//! Whole positions as one line of text: a board, then `key=value` pairs (`docs/notation.md`).

use std::fmt;
use std::str::FromStr;

use super::board::{Diagram, read_board};
use super::chance::read_spells;
use super::fields::{FieldWriter, Fields, join};
use super::options::{read_options, write_options};
use super::reader::{ParseError, TextReader};
use super::turn::{read_turn, write_turn};
use crate::board::Board;
use crate::card::Card;
use crate::counts::Flasks;
use crate::hand::Hand;
use crate::ids::{Colour, Seat};
use crate::options::{Packed, Preset};
use crate::pile::Pile;
use crate::setup::{Setup, Spells};
use crate::spell::SpellSet;
use crate::state::State;

impl fmt::Display for State {
    /// The position in notation, on one line; parsing it gives the same state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.diagram().to_string();
        let out = &mut FieldWriter(&mut text);
        out.put("seats", join(self.seats().map(|s| self.colour(s)), ","));
        write_options(&self.options(), out);
        if self.start.0 != 0 {
            out.put("start", self.colour(self.start));
        }
        if !self.spells.is_empty() {
            out.put("spells", self.spells);
        }
        write_cards(self, out);
        write_flasks(self, out);
        if self.round != 1 {
            out.put("round", self.round);
        }
        write_turn(self, out);
        f.pad(&text)
    }
}

/// Writes hands and discard pile; the remaining cards are the draw pile.
fn write_cards(state: &State, out: &mut FieldWriter) {
    let hands = (0..state.hand_count())
        .map(Seat)
        .filter(|s| !state.hands[s.index()].is_empty())
        .map(|s| {
            let cards = join(state.hands[s.index()].iter(), ",");
            format!("{}:{cards}", state.hand_colour(s))
        });
    out.list("hands", hands);
    let discard = state.discard_pile();
    let cards = discard
        .iter()
        .flat_map(|(card, n)| std::iter::repeat_n(card, n.into()));
    if !discard.is_empty() {
        out.put("discard", join(cards, ","));
    }
    if state.discarded != u16::from(discard.len()) {
        out.put("discarded", state.discarded);
    }
}

/// Writes the flasks of the owners who have filled some.
fn write_flasks(state: &State, out: &mut FieldWriter) {
    let fresh = Flasks {
        empty: state.flasks_each(),
        full: 0,
        spent: 0,
    };
    let flasks = state
        .owners()
        .map(|s| (state.wizard_colour(s), state.flasks[s.index()]))
        .filter(|&(_, f)| f != fresh)
        .map(|(colour, f)| format!("{colour}:{}/{}/{}", f.empty, f.full, f.spent));
    out.list("flasks", flasks);
}

impl FromStr for State {
    type Err = ParseError;

    /// Parses a position and checks it as a whole; an error names the problem and its column.
    ///
    /// ```
    /// use towers_rules::State;
    /// let text = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/- seats=b,y spells=AW,AT hands=b:t5,w1,w3;y:w2";
    /// let state: State = text.parse()?;
    /// assert_eq!(state.to_string(), text);
    /// assert_eq!("*/Abby".parse::<State>().unwrap_err().column, 7);
    /// # Ok::<(), towers_rules::notation::ParseError>(())
    /// ```
    fn from_str(text: &str) -> Result<State, ParseError> {
        read_position(text)
    }
}

fn read_position(text: &str) -> Result<State, ParseError> {
    let mut reader = TextReader::new(text);
    let board = read_board(&mut reader)?;
    let mut fields = Fields::read(reader)?;

    let options = read_options(&mut fields)?;
    let seats = fields
        .take("seats", |r| r.list(TextReader::colour))?
        .ok_or_else(|| {
            ParseError::new(fields.end, "expected seats=…, the colours of the players")
        })?;
    let start = fields
        .take("start", TextReader::colour)?
        .unwrap_or(seats[0]);
    let spells = fields
        .take("spells", read_spells)?
        .unwrap_or(SpellSet::NONE);
    let setup = Setup {
        preset: Preset::Capstone,
        options,
        seats,
        start: Some(start),
        spells: Spells::Chosen(spells),
    };
    let whole = |message: String| ParseError::new(1, message);
    let mut state = State::unplaced(&setup).map_err(|e| whole(e.to_string()))?;
    state.rules = Packed::new(&options);
    place(&mut state, &board)?;
    for owner in state.owners() {
        state.flasks[owner.index()].empty = state.flasks_each();
    }

    let mut hands = Vec::new();
    fields.take("hands", |r| read_hands(r, &mut hands))?;
    for (colour, cards, column) in hands {
        let seat = (0..state.hand_count())
            .map(Seat)
            .find(|&s| state.hand_colour(s) == colour);
        let seat =
            seat.ok_or_else(|| ParseError::new(column, format!("there is no hand {colour}")))?;
        if cards.len() > 4 {
            return Err(ParseError::new(
                column,
                "a hand has at most 3 cards, 4 during an exchange (R4.5, R12.2)",
            ));
        }
        state.hands[seat.index()] = cards.into_iter().collect::<Hand>();
    }
    let discard: Pile = fields
        .take("discard", |r| r.list(TextReader::card))?
        .unwrap_or_default()
        .into_iter()
        .collect();
    take_out(&mut state, &discard).map_err(whole)?;
    state.discarded = fields
        .number("discarded", u16::MAX)?
        .unwrap_or(u16::from(discard.len()));
    let mut flasks = Vec::new();
    fields.take("flasks", |r| read_flasks(r, &mut flasks))?;
    for (colour, given, column) in flasks {
        let owner = state.owner_of(colour);
        let owner =
            owner.ok_or_else(|| ParseError::new(column, format!("nobody plays {colour}")))?;
        state.flasks[owner.index()] = given;
    }
    state.round = fields
        .take("round", |r| {
            let at = r.column();
            match r.number(u16::MAX)? {
                0 => Err(ParseError::new(at, "rounds are counted from 1")),
                round => Ok(round),
            }
        })?
        .unwrap_or(1);
    read_turn(&mut state, &mut fields)?;
    fields.all_used()?;
    state.check_invariants().map_err(whole)?;
    Ok(state)
}

fn place(state: &mut State, text: &Diagram) -> Result<(), ParseError> {
    let owners = state.owners().count() as u8;
    let mut board = Board::bare(owners);
    for (space, stack) in crate::Space::all().zip(&text.stacks) {
        for &(tower, _) in &stack.towers {
            board.put_tower(tower, space);
        }
    }
    board.put_castle(text.castle);
    let mut out = [0u8; 6];
    for (surface, wizards) in text.wizards() {
        for (colour, n) in wizards.iter() {
            let whose = state.owner_of(colour);
            let owner = whose
                .ok_or_else(|| ParseError::new(1, format!("nobody plays {colour} (R18.2)")))?;
            out[owner.index()] += n;
            if out[owner.index()] > state.wizards_each() {
                return Err(ParseError::new(
                    1,
                    format!("{colour} has only {} wizards (R18.2)", state.wizards_each()),
                ));
            }
            for _ in 0..n {
                board.add_wizard(surface, owner);
            }
        }
    }
    for owner in state.owners() {
        let home = state.wizards_each() - out[owner.index()];
        state.home.set(owner, home);
    }
    state.board = board;
    Ok(())
}

/// Removes hands and discard pile from the deck; the remaining cards are the draw pile (R18.1).
fn take_out(state: &mut State, discard: &Pile) -> Result<(), String> {
    let mut draw = Pile::full_deck();
    let in_hands = state.hands.iter().flat_map(|h| h.iter());
    let discarded = discard
        .iter()
        .flat_map(|(card, n)| std::iter::repeat_n(card, n.into()));
    for card in in_hands.chain(discarded) {
        if !draw.take(card) {
            return Err(format!(
                "there are only {} cards {card} (R18.1)",
                card.copies()
            ));
        }
    }
    state.draw = draw;
    Ok(())
}

fn read_hands(
    reader: &mut TextReader,
    hands: &mut Vec<(Colour, Vec<Card>, usize)>,
) -> Result<(), ParseError> {
    loop {
        let column = reader.column();
        let colour = reader.colour()?;
        if hands.iter().any(|&(c, ..)| c == colour) {
            return Err(ParseError::new(
                column,
                format!("the hand of {colour} occurs twice"),
            ));
        }
        reader.expect(":")?;
        hands.push((colour, reader.list(TextReader::card)?, column));
        if !reader.take(";") {
            return Ok(());
        }
    }
}

fn read_flasks(
    reader: &mut TextReader,
    flasks: &mut Vec<(Colour, Flasks, usize)>,
) -> Result<(), ParseError> {
    loop {
        let column = reader.column();
        let colour = reader.colour()?;
        if flasks.iter().any(|&(c, ..)| c == colour) {
            return Err(ParseError::new(
                column,
                format!("the flasks of {colour} occur twice"),
            ));
        }
        reader.expect(":")?;
        let empty = reader.number(12)? as u8;
        reader.expect("/")?;
        let full = reader.number(12)? as u8;
        reader.expect("/")?;
        let spent = reader.number(12)? as u8;
        flasks.push((colour, Flasks { empty, full, spent }, column));
        if !reader.take(";") {
            return Ok(());
        }
    }
}
