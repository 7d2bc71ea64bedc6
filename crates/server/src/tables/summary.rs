//! What is known about a table without opening it: for the lobby, and for finding what is due.

use serde_json::{Value, json};
use table::{Decider, Stage, Table, Taken};

use crate::storage::Meta;

/// What has to be stored beside the next entry of a table.
pub fn meta(table: &Table) -> Meta {
    let settings = table.settings();
    let wake = match table.waiting_for() {
        Some(waiting) => match waiting.by {
            Decider::Person(_) => waiting.deadline,
            // Bots among themselves can wait until somebody looks.
            Decider::Bot(_) => (!table.is_abandoned()).then_some(table.at()),
        },
        None => None,
    };
    Meta {
        stage: stage(table.stage()),
        listed: settings.public,
        summary: summary(table).to_string(),
        wake,
    }
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Lobby => "lobby",
        Stage::Playing => "playing",
        Stage::Over => "over",
    }
}

/// A table in a few words, all of them public.
fn summary(table: &Table) -> Value {
    let view = table.view(None);
    let settings = &view.settings;
    let seats: Vec<Value> = view
        .seats
        .iter()
        .map(|seat| match &seat.taken {
            Taken::Open => json!({ "colour": seat.colour, "kind": "open" }),
            Taken::Person { name, .. } => {
                json!({ "colour": seat.colour, "kind": "person", "name": name })
            }
            Taken::Bot { level } => {
                json!({ "colour": seat.colour, "kind": "bot", "level": level })
            }
        })
        .collect();
    let waiting = table.waiting_for();
    json!({
        "table": view.table,
        "title": settings.title,
        "stage": view.stage,
        "public": settings.public,
        "preset": settings.preset,
        "mode": settings.options.mode,
        "teams": settings.options.teams,
        "reactions": settings.options.reactions,
        "clock": settings.clock,
        "seats": seats,
        "games": view.games,
        "number": view.number,
        "at": view.at,
        "waiting": waiting.map(|w| json!({ "seat": w.seat, "since": w.since, "deadline": w.deadline })),
    })
}
