//! Whole positions as one line of text: a board, then `key=value` pairs (`docs/notation.md`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::board::{BoardText, read_board};
use super::chance::read_spells;
use super::reader::{ParseError, Reader};
use crate::board::Board;
use crate::card::Card;
use crate::hand::Hand;
use crate::ids::{Colour, Seat, Surface};
use crate::options::{Choice, CoopHands, Memory, Mode, Options, Preset, SoloDeck, TeamEnd};
use crate::packed::Packed;
use crate::pile::Pile;
use crate::setup::{Setup, Spells};
use crate::spell::{Costs, Spell, SpellSet};
use crate::state::{Declared, Flasks, Phase, State, Turn, Why};

/// Writes a position as one line; [`read_position`] gives the same state back.
pub fn write_position(state: &State) -> String {
    let mut out = BoardText::of(state).to_string();
    let turn = &state.turn;
    let mut put = |key: &str, value: String| {
        out.push(' ');
        out.push_str(key);
        if !value.is_empty() {
            out.push('=');
            out.push_str(&value);
        }
    };
    let colours = |seats: &mut dyn Iterator<Item = Seat>| join(seats.map(|s| state.colour(s)), ",");
    put("seats", colours(&mut state.seats()));
    write_options(&state.options(), &mut put);
    if state.start.0 != 0 {
        put("start", state.colour(state.start).to_string());
    }
    if !state.spells.is_empty() {
        put("spells", state.spells.to_string());
    }
    let hands = (0..state.hand_count())
        .map(Seat)
        .filter(|s| !state.hands[s.index()].is_empty())
        .map(|s| {
            format!(
                "{}:{}",
                state.hand_colour(s),
                join(state.hands[s.index()].iter(), ",")
            )
        });
    put_list("hands", hands, &mut put);
    let discard = state.discard_pile();
    let cards = discard
        .iter()
        .flat_map(|(card, n)| std::iter::repeat_n(card, n.into()));
    if !discard.is_empty() {
        put("discard", join(cards, ","));
    }
    if state.discarded != u16::from(discard.len()) {
        put("discarded", state.discarded.to_string());
    }
    let fresh = Flasks {
        empty: state.flasks_each(),
        full: 0,
        spent: 0,
    };
    let flasks = state
        .owners()
        .map(|s| (s, state.flasks[s.index()]))
        .filter(|&(_, f)| f != fresh)
        .map(|(s, f)| {
            format!(
                "{}:{}/{}/{}",
                state.wizard_colour(s),
                f.empty,
                f.full,
                f.spent
            )
        });
    put_list("flasks", flasks, &mut put);
    if state.round != 1 {
        put("round", state.round.to_string());
    }
    let usual = Turn::of(turn.active);
    if turn.active != state.start {
        put("active", state.colour(turn.active).to_string());
    }
    if turn.phase != usual.phase {
        put("phase", turn.phase.name().into());
    }
    if turn.actor != turn.active {
        put("to_act", state.colour(turn.actor).to_string());
    }
    for (key, number) in [
        ("played", turn.played),
        ("rolls", turn.rolls_left),
        ("roll", turn.rolled),
        ("riders", turn.riders),
        ("owed", turn.owed),
    ] {
        if number != 0 {
            put(key, number.to_string());
        }
    }
    for (key, flag) in [
        ("cast", turn.cast),
        ("exchanged", turn.exchanged),
        ("claim_cast", turn.claim_cast),
        ("ends", turn.ends),
    ] {
        if flag {
            put(key, String::new());
        }
    }
    if turn.gave != 0 {
        let givers = [Some(turn.active), state.partner(turn.active)];
        let mut gave = (0..2)
            .filter(|i| turn.gave >> i & 1 == 1)
            .filter_map(|i| givers[i]);
        put("gave", colours(&mut gave));
    }
    for (key, card) in [("card", turn.card), ("offered", turn.offered)] {
        if let Some(card) = card {
            put(key, card.to_string());
        }
    }
    match turn.declared {
        Declared::None => {}
        Declared::Nothing => put("declared", "-".into()),
        Declared::Wizard { on, owner, steps } => {
            put(
                "declared",
                format!("w:{on}:{}:{steps}", state.wizard_colour(owner)),
            );
        }
        Declared::Tower { tower, steps } => put("declared", format!("t:{tower}:{steps}")),
    }
    if let Some(spell) = turn.claim {
        put("claim", spell.to_string());
    }
    if turn.claimant != turn.active {
        put("claimant", state.colour(turn.claimant).to_string());
    }
    if turn.phase == Phase::Over {
        put("why", turn.why.name().into());
    }
    out
}

fn put_list(key: &str, items: impl Iterator<Item = String>, put: &mut impl FnMut(&str, String)) {
    let items = join(items, ";");
    if !items.is_empty() {
        put(key, items);
    }
}

fn join<T: std::fmt::Display>(items: impl Iterator<Item = T>, separator: &str) -> String {
    let mut out = String::new();
    for (i, item) in items.enumerate() {
        let _ = write!(out, "{}{item}", if i > 0 { separator } else { "" });
    }
    out
}

fn write_options(options: &Options, put: &mut impl FnMut(&str, String)) {
    let usual = Preset::Capstone.options(options.mode);
    match options.mode {
        Mode::Versus => {}
        Mode::Solo => put("mode", "solo".into()),
        Mode::Coop => put("mode", "coop".into()),
    }
    for (key, flag) in [
        ("teams", options.teams),
        ("reactions", options.reactions),
        ("may_decline", options.may_decline),
        ("free_any_time", options.free_any_time),
        ("solo_refresh", options.solo_refresh),
    ] {
        if flag {
            put(key, String::new());
        }
    }
    if options.memory != usual.memory {
        put(
            "memory",
            if options.memory == Memory::Strict {
                "strict"
            } else {
                "assisted"
            }
            .into(),
        );
    }
    let costs = Spell::ALL
        .iter()
        .filter(|&&s| options.costs.of(s) != usual.costs.of(s));
    let costs = join(costs.map(|&s| format!("{s}:{}", options.costs.of(s))), ",");
    if !costs.is_empty() {
        put("costs", costs);
    }
    if options.team_end == TeamEnd::AtOnce {
        put("team_end", "at_once".into());
    }
    if options.solo_deck == SoloDeck::Renew {
        put("solo_deck", "renew".into());
    }
    if options.coop_hands == CoopHands::Private {
        put("coop_hands", "private".into());
    }
    if let Some(cap) = options.max_rounds {
        put("max_rounds", cap.to_string());
    }
    if options.spell_setup == Choice::Random {
        put("spell_setup", "random".into());
    }
    if options.start_setup == Choice::Random {
        put("start_setup", "random".into());
    }
}

/// Reads a position and checks it as a whole; an error says what is wrong and where.
///
/// ```
/// use rules::notation::{read_position, write_position};
/// let text = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/- seats=b,y spells=AW,AT hands=b:t5,w1,w3;y:w2";
/// let state = read_position(text)?;
/// assert_eq!(write_position(&state), text);
/// assert_eq!(read_position("*/Abby").unwrap_err().column, 7);
/// # Ok::<(), rules::notation::ParseError>(())
/// ```
pub fn read_position(text: &str) -> Result<State, ParseError> {
    let mut reader = Reader::new(text);
    let board = read_board(&mut reader)?;
    let mut fields = Fields::read(reader)?;

    let mode = fields.choose(
        "mode",
        &[
            ("versus", Mode::Versus),
            ("solo", Mode::Solo),
            ("coop", Mode::Coop),
        ],
    )?;
    let options = read_options(mode.unwrap_or_default(), &mut fields)?;
    let seats = fields
        .take("seats", |r| r.list(Reader::colour))?
        .ok_or_else(|| {
            ParseError::new(fields.end, "expected seats=…, the colours of the players")
        })?;
    let start = fields.take("start", Reader::colour)?.unwrap_or(seats[0]);
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
        let seat = seat.ok_or_else(|| {
            ParseError::new(column, format!("nobody holds a hand called {colour}"))
        })?;
        if cards.len() > 4 {
            return Err(ParseError::new(
                column,
                "a hand has at most 3 cards, 4 during an exchange (R4.5, R12.2)",
            ));
        }
        state.hands[seat.index()] = cards.into_iter().collect::<Hand>();
    }
    let discard: Pile = fields
        .take("discard", |r| r.list(Reader::card))?
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

fn place(state: &mut State, text: &BoardText) -> Result<(), ParseError> {
    let owners = state.owners().count() as u8;
    let mut board = Board::bare(owners);
    for (space, field) in crate::Space::all().zip(&text.fields) {
        for &(tower, _) in &field.towers {
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
            if out[owner.index()] > state.each {
                return Err(ParseError::new(
                    1,
                    format!("{colour} has only {} wizards (R18.2)", state.each),
                ));
            }
            for _ in 0..n {
                board.add_wizard(surface, owner);
            }
        }
    }
    for owner in state.owners() {
        state.home[owner.index()] = state.each - out[owner.index()];
    }
    state.board = board;
    Ok(())
}

/// Takes hands and discard pile out of the deck; what is left is the draw pile (R18.1).
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
    reader: &mut Reader,
    hands: &mut Vec<(Colour, Vec<Card>, usize)>,
) -> Result<(), ParseError> {
    loop {
        let column = reader.column();
        let colour = reader.colour()?;
        if hands.iter().any(|&(c, ..)| c == colour) {
            return Err(ParseError::new(
                column,
                format!("the hand of {colour} is there twice"),
            ));
        }
        reader.expect(":")?;
        hands.push((colour, reader.list(Reader::card)?, column));
        if !reader.take(";") {
            return Ok(());
        }
    }
}

fn read_flasks(
    reader: &mut Reader,
    flasks: &mut Vec<(Colour, Flasks, usize)>,
) -> Result<(), ParseError> {
    loop {
        let column = reader.column();
        let colour = reader.colour()?;
        if flasks.iter().any(|&(c, ..)| c == colour) {
            return Err(ParseError::new(
                column,
                format!("the flasks of {colour} are there twice"),
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

fn read_options(mode: Mode, fields: &mut Fields) -> Result<Options, ParseError> {
    let mut options = Preset::Capstone.options(mode);
    options.teams = fields.flag("teams")?;
    options.reactions = fields.flag("reactions")?;
    options.may_decline = fields.flag("may_decline")?;
    options.free_any_time = fields.flag("free_any_time")?;
    options.solo_refresh = fields.flag("solo_refresh")?;
    let memory = fields.choose(
        "memory",
        &[("strict", Memory::Strict), ("assisted", Memory::Assisted)],
    )?;
    options.memory = memory.unwrap_or(options.memory);
    options.costs = fields
        .take("costs", |r| read_costs(r, options.costs))?
        .unwrap_or(options.costs);
    let end = fields.choose(
        "team_end",
        &[("round", TeamEnd::Round), ("at_once", TeamEnd::AtOnce)],
    )?;
    options.team_end = end.unwrap_or(options.team_end);
    let deck = fields.choose(
        "solo_deck",
        &[("lose", SoloDeck::Lose), ("renew", SoloDeck::Renew)],
    )?;
    options.solo_deck = deck.unwrap_or(options.solo_deck);
    let hands = fields.choose(
        "coop_hands",
        &[
            ("shared", CoopHands::Shared),
            ("private", CoopHands::Private),
        ],
    )?;
    options.coop_hands = hands.unwrap_or(options.coop_hands);
    options.max_rounds = fields.number("max_rounds", u16::MAX)?;
    let choices = [("chosen", Choice::Chosen), ("random", Choice::Random)];
    options.spell_setup = fields.choose("spell_setup", &choices)?.unwrap_or_default();
    options.start_setup = fields.choose("start_setup", &choices)?.unwrap_or_default();
    Ok(options)
}

fn read_costs(reader: &mut Reader, mut costs: Costs) -> Result<Costs, ParseError> {
    let mut given = SpellSet::NONE;
    reader.list(|r| {
        let column = r.column();
        let spell = r.spell()?;
        if given.contains(spell) {
            return Err(ParseError::new(
                column,
                format!("spell {spell} has two costs"),
            ));
        }
        given = given.with(spell);
        r.expect(":")?;
        costs = costs.with(spell, r.number(3)? as u8);
        Ok(())
    })?;
    Ok(costs)
}

fn read_turn(state: &mut State, fields: &mut Fields) -> Result<(), ParseError> {
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
        .chain([Phase::Refill, Phase::Rolling, Phase::Over])
        .map(|p| (p.name(), p))
        .collect();
    turn.phase = fields.choose("phase", &phases)?.unwrap_or(Phase::Turn);
    let mut small = |key: &str| fields.number(key, 6).map(|n| n.unwrap_or(0) as u8);
    turn.played = small("played")?;
    turn.rolls_left = small("rolls")?;
    turn.rolled = small("roll")?;
    turn.riders = small("riders")?;
    turn.owed = small("owed")?;
    turn.cast = fields.flag("cast")?;
    turn.exchanged = fields.flag("exchanged")?;
    turn.claim_cast = fields.flag("claim_cast")?;
    turn.ends = fields.flag("ends")?;
    let giver = |r: &mut Reader| {
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
                    format!("{colour} is not a partner of this turn (R12.3)"),
                ));
            }
        };
    }
    turn.card = fields.take("card", Reader::card)?;
    turn.offered = fields.take("offered", Reader::card)?;
    turn.declared = fields
        .take("declared", |r| read_declared(r, state))?
        .unwrap_or(Declared::None);
    turn.claim = fields.take("claim", Reader::spell)?;
    let whys = [Why::Finished, Why::Stuck, Why::Deck, Why::Rounds].map(|w| (w.name(), w));
    turn.why = fields.choose("why", &whys)?.unwrap_or(Why::Finished);
    state.turn = turn;
    Ok(())
}

fn read_declared(reader: &mut Reader, state: &State) -> Result<Declared, ParseError> {
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

/// The `key=value` pairs after the board; each is used once.
struct Fields<'a> {
    values: BTreeMap<&'a str, (&'a str, usize)>,
    end: usize,
}

impl<'a> Fields<'a> {
    fn read(mut reader: Reader<'a>) -> Result<Fields<'a>, ParseError> {
        let mut values = BTreeMap::new();
        while !reader.rest().is_empty() {
            reader.expect(" ")?;
            let column = reader.column();
            let key = reader.take_while(|c| c.is_ascii_lowercase() || c == '_');
            if key.is_empty() {
                return reader.error("expected a key");
            }
            let has_value = reader.take("=");
            let at = reader.column();
            let value = reader.take_while(|c| c != ' ');
            if has_value == value.is_empty() {
                return reader.error("expected '=' and a value");
            }
            if values.insert(key, (value, at)).is_some() {
                return Err(ParseError::new(column, format!("'{key}' is there twice")));
            }
        }
        Ok(Fields {
            values,
            end: reader.column(),
        })
    }

    fn take<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, ParseError>,
    ) -> Result<Option<T>, ParseError> {
        let Some((value, column)) = self.values.remove(key) else {
            return Ok(None);
        };
        let mut reader = Reader::at(value, column);
        let result = read(&mut reader)?;
        reader.end()?;
        Ok(Some(result))
    }

    fn number(&mut self, key: &str, most: u16) -> Result<Option<u16>, ParseError> {
        self.take(key, |r| r.number(most))
    }

    fn flag(&mut self, key: &str) -> Result<bool, ParseError> {
        match self.values.remove(key) {
            None => Ok(false),
            Some(("", _)) => Ok(true),
            Some((_, column)) => Err(ParseError::new(
                column,
                format!("'{key}' has no value: it is there or not"),
            )),
        }
    }

    fn choose<T: Copy>(
        &mut self,
        key: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, ParseError> {
        let Some((value, column)) = self.values.remove(key) else {
            return Ok(None);
        };
        if let Some(&(_, choice)) = choices.iter().find(|(name, _)| *name == value) {
            Ok(Some(choice))
        } else {
            let names = join(choices.iter().map(|(name, _)| name), ", ");
            Err(ParseError::new(
                column,
                format!("'{value}' is not one of {names}"),
            ))
        }
    }

    fn all_used(&self) -> Result<(), ParseError> {
        match self.values.iter().next() {
            None => Ok(()),
            Some((key, &(_, column))) => {
                Err(ParseError::new(column, format!("unknown key '{key}'")))
            }
        }
    }
}
