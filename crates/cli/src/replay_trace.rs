//! `towers replay --trace`: the games of a table's record as traces.

use std::io::Write;

use serde::Serialize;
use towers_rules::trace::Tracer;
use towers_rules::{Action, Actor, Phase, Seat};
use towers_table::{Command, Entry, Record, Table, Who, verify};

use crate::failure::Failure;
use crate::replay::RecordedChance;

/// A game being replayed, with its lines so far.
struct TracedGame {
    tracer: Tracer,
    lines: Vec<String>,
    /// An action chosen in the player's own opening window, kept until everybody was asked.
    waiting: Option<(Seat, Action)>,
}

/// The maximum number of consecutive passes.
const MAX_PASSES: usize = 64;

/// Writes a trace for every game of a record that was played to its end.
pub fn write(name: &str, text: &str, out: &mut impl Write) -> Result<(), Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::input(format!("{name}: {why}"));
    let record = Record::from_text(text).map_err(|e| wrong(&e))?;
    verify(&record).map_err(|e| wrong(&e))?;
    let mut table = Table::create(&record.header).map_err(|e| wrong(&e))?;
    let mut game: Option<TracedGame> = None;
    for entry in &record.entries {
        let at = |why: &dyn std::fmt::Display| wrong(&format!("entry {}: {why}", entry.number));
        let before = table.clone();
        table.replay(entry).map_err(|e| at(&e))?;
        let mut chance = RecordedChance(entry.chance.iter().copied().collect());
        if let Some(seed) = &entry.seed {
            let colours = table.view(None).seats.iter().map(|s| s.colour).collect();
            let setup = table.settings().setup(colours);
            let begun = Tracer::begin(&setup, &seed.to_string(), &mut chance);
            let (tracer, header, opening) = begun.map_err(|e| at(&e))?;
            let lines = vec![line(&header), line(&opening)];
            game = Some(TracedGame {
                tracer,
                lines,
                waiting: None,
            });
        }
        if let Some(followed) = &mut game {
            follow(followed, &before, &table, entry, &mut chance).map_err(|e| at(&e))?;
        }
        // Skip a game that ended by agreement: a trace cannot express that.
        if entry.over.is_some()
            && let Some(TracedGame {
                tracer, mut lines, ..
            }) = game.take()
            && let Some(ending) = tracer.ending()
        {
            lines.push(line(&ending));
            for line in lines {
                writeln!(out, "{line}").map_err(|e| Failure::file("standard output", &e))?;
            }
        }
    }
    out.flush()
        .map_err(|e| Failure::file("standard output", &e))
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("traces are plain data")
}

/// Applies an entry: an action, then everything that follows without a decision. That is automatic passes, and an
/// action chosen in the player's own opening window that waited until everybody was asked.
fn follow(
    game: &mut TracedGame,
    before: &Table,
    after: &Table,
    entry: &Entry,
    chance: &mut RecordedChance,
) -> Result<(), String> {
    if let Command::Act { action, .. } = entry.command {
        let seat = match entry.by {
            Who::Bot(seat) => Some(seat),
            Who::Person(person) => before.you(Some(person)).seat,
            Who::Stranger | Who::House => None,
        };
        let seat = seat.ok_or("the entry has no acting seat")?;
        let state = game.tracer.state();
        if state.phase() == Phase::Opening && state.check(seat, action).is_err() {
            game.waiting = Some((seat, action));
            game.act(seat, Action::Pass, chance)?;
        } else {
            game.act(seat, action, chance)?;
        }
    }
    for _ in 0..MAX_PASSES {
        let state = game.tracer.state();
        let Actor::Player(seat) = state.actor() else {
            return Ok(());
        };
        if Some(state) == after.state() {
            return Ok(());
        }
        let chosen = game
            .waiting
            .filter(|(by, action)| *by == seat && state.check(seat, *action).is_ok());
        if let Some((_, action)) = chosen {
            game.waiting = None;
            game.act(seat, action, chance)?;
        } else {
            game.act(seat, Action::Pass, chance)?;
        }
    }
    Err("the record cannot be replayed as a trace".into())
}

impl TracedGame {
    fn act(
        &mut self,
        seat: Seat,
        action: Action,
        chance: &mut RecordedChance,
    ) -> Result<(), String> {
        let step = self.tracer.act(seat, action, chance);
        self.lines.push(line(&step.map_err(|e| e.to_string())?));
        Ok(())
    }
}
