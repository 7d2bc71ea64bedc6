//! `towers replay --trace`: the games of a table's record as traces.

use std::collections::VecDeque;
use std::io::Write;

use rules::trace::Tracer;
use rules::{Action, Actor, Chance, State};
use serde::Serialize;
use table::{Command, Entry, Record, Table, Who, verify};

use crate::failure::Failure;

/// A game that is being followed, with its lines so far.
struct Game {
    tracer: Tracer,
    lines: Vec<String>,
}

/// Chance as it was recorded.
struct Recorded(VecDeque<Chance>);

impl rules::trace::Dealer for Recorded {
    fn deal(&mut self, _: &State) -> Option<Chance> {
        self.0.pop_front()
    }
}

/// More passes than that cannot follow each other.
const PASSES: usize = 64;

/// Writes a trace for every game of a record that was played to its end.
pub fn write(name: &str, text: &str, out: &mut impl Write) -> Result<(), Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::input(format!("{name}: {why}"));
    let record = Record::from_text(text).map_err(|e| wrong(&e))?;
    verify(&record).map_err(|e| wrong(&e))?;
    let mut table = Table::create(&record.header).map_err(|e| wrong(&e))?;
    let mut game: Option<Game> = None;
    for entry in &record.entries {
        let at = |why: &dyn std::fmt::Display| wrong(&format!("entry {}: {why}", entry.number));
        let before = table.clone();
        table.replay(entry).map_err(|e| at(&e))?;
        let mut chance = Recorded(entry.chance.iter().copied().collect());
        if let Some(seed) = &entry.seed {
            let colours = table.view(None).seats.iter().map(|s| s.colour).collect();
            let setup = table.settings().setup(colours);
            let begun = Tracer::begin(&setup, &seed.to_string(), &mut chance);
            let (tracer, header, opening) = begun.map_err(|e| at(&e))?;
            let lines = vec![line(&header), line(&opening)];
            game = Some(Game { tracer, lines });
        }
        if let Some(followed) = &mut game {
            follow(followed, &before, &table, entry, &mut chance).map_err(|e| at(&e))?;
        }
        // A game that was ended by agreement has no end that a trace could show.
        if entry.over.is_some()
            && let Some(Game { tracer, mut lines }) = game.take()
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

/// What an entry does in the game: an action, and then passes of those who pass ahead or whose time
/// is up.
fn follow(
    game: &mut Game,
    before: &Table,
    after: &Table,
    entry: &Entry,
    chance: &mut Recorded,
) -> Result<(), String> {
    if let Command::Act { action, .. } = entry.command {
        let seat = match entry.by {
            Who::Bot(seat) => Some(seat),
            Who::Person(person) => before.you(Some(person)).seat,
            Who::Stranger | Who::House => None,
        };
        let seat = seat.ok_or("nobody acts")?;
        let step = game.tracer.act(seat, action, chance);
        game.lines.push(line(&step.map_err(|e| e.to_string())?));
    }
    for _ in 0..PASSES {
        let Actor::Player(seat) = game.tracer.state().actor() else {
            return Ok(());
        };
        if Some(game.tracer.state()) == after.state() {
            return Ok(());
        }
        let step = game.tracer.act(seat, Action::Pass, chance);
        game.lines.push(line(&step.map_err(|e| e.to_string())?));
    }
    Err("this cannot be followed".into())
}
