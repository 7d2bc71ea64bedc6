//! Printing a record move by move.

use std::io::Write;

use towers_rules::Event as GameEvent;
use towers_table::{AnyEvent, Command, NotRebuilt, Record, Stage, Table, verify};

use crate::failure::Failure;

/// Whether a text is a record rather than a trace.
pub fn is_record(text: &str) -> bool {
    text.lines()
        .next()
        .and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .is_some_and(|header| header.get("record").is_some())
}

/// Prints a record; returns the number of games and actions.
pub fn follow(
    name: &str,
    text: &str,
    quiet: bool,
    out: &mut impl Write,
) -> Result<(usize, usize), Failure> {
    let wrong = |why: &dyn std::fmt::Display| Failure::input(format!("{name}: {why}"));
    let record = Record::from_text(text).map_err(|e| wrong(&e))?;
    let stdout = |e: std::io::Error| Failure::file("standard output", &e);
    let refused = |number, why| wrong(&NotRebuilt::new(&record.header, number, why));
    let mut table = Table::create(&record.header).map_err(|e| refused(0, e))?;
    let (mut games, mut actions) = (0, 0);
    for entry in &record.entries {
        table.replay(entry).map_err(|e| refused(entry.number, e))?;
        games += usize::from(entry.seed.is_some());
        let acts = matches!(entry.command, Command::Act { .. } | Command::Tick);
        actions += usize::from(acts);
        if !quiet && (acts || entry.seed.is_some()) {
            writeln!(out, "{:>4} {}", entry.number, line(&table, &entry.command))
                .map_err(stdout)?;
        }
    }
    // This only replays the record; `towers verify` checks its fairness.
    verify(&record).map_err(|e| wrong(&e))?;
    Ok((games, actions))
}

/// Formats an action, the outcomes of chance and the board.
fn line(table: &Table, command: &Command) -> String {
    let mut words = vec![match command {
        Command::Act { action, .. } => action.to_string(),
        Command::Tick => "time ran out".into(),
        _ => "a game starts".into(),
    }];
    let seen = table.seen(None);
    for event in seen.iter().flat_map(|s| &s.events) {
        match event {
            AnyEvent::Game(GameEvent::Rolled { value, .. }) => words.push(format!("roll {value}")),
            AnyEvent::Game(GameEvent::Reshuffled) => words.push("shuffle".into()),
            _ => {}
        }
    }
    let mut text = words.join(", ");
    if let Some(state) = table.state() {
        let colour = state.colour(state.active());
        text = format!("{colour}  {text}  {}", state.diagram());
    }
    if table.stage() == Stage::Over {
        text.push_str("  the game is over");
    }
    text
}
