//! The options of a table as text.

use super::fields::{Fields, Written, join};
use super::reader::{ParseError, Reader};
use crate::options::{Choice, CoopHands, Memory, Mode, Options, Preset, SoloDeck, TeamEnd};
use crate::spell::{Costs, Spell, SpellSet};

/// Writes the options of a table that are not the usual ones.
#[inline]
pub(super) fn write_options(options: &Options, out: &mut Written) {
    let usual = Preset::Capstone.options(options.mode);
    match options.mode {
        Mode::Versus => {}
        Mode::Solo => out.put("mode", "solo"),
        Mode::Coop => out.put("mode", "coop"),
    }
    for (key, flag) in [
        ("teams", options.teams),
        ("reactions", options.reactions),
        ("may_decline", options.may_decline),
        ("free_any_time", options.free_any_time),
        ("solo_refresh", options.solo_refresh),
    ] {
        if flag {
            out.flag(key);
        }
    }
    if options.memory != usual.memory {
        out.put(
            "memory",
            if options.memory == Memory::Strict {
                "strict"
            } else {
                "assisted"
            },
        );
    }
    let costs = Spell::ALL
        .iter()
        .filter(|&&s| options.costs.of(s) != usual.costs.of(s));
    let costs = join(costs.map(|&s| format!("{s}:{}", options.costs.of(s))), ",");
    if !costs.is_empty() {
        out.put("costs", costs);
    }
    if options.team_end == TeamEnd::AtOnce {
        out.put("team_end", "at_once");
    }
    if options.solo_deck == SoloDeck::Renew {
        out.put("solo_deck", "renew");
    }
    if options.coop_hands == CoopHands::Private {
        out.put("coop_hands", "private");
    }
    if let Some(cap) = options.max_rounds {
        out.put("max_rounds", cap);
    }
    if options.spell_setup == Choice::Random {
        out.put("spell_setup", "random");
    }
    if options.start_setup == Choice::Random {
        out.put("start_setup", "random");
    }
}

/// Reads the options of a table; what is not said is as usual.
#[inline]
pub(super) fn read_options(mode: Mode, fields: &mut Fields) -> Result<Options, ParseError> {
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

#[inline]
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
