//! Data of a table that is stored outside its log: for the lobby, and for finding due tables.

use serde_json::{Value, json};
use towers_table::{Decider, Millis, Prepared, Stage, Table, Taken};

use crate::storage::Meta;

/// The searchable data of a new table. `offset` is how far the table's time is ahead of the server's.
pub fn meta(table: &Table, offset: Millis) -> Meta {
    Meta {
        stage: stage(table.stage()),
        listed: table.settings().public,
        summary: summary(table).to_string(),
        wake: wake(table).map(|at| at.saturating_sub(offset)),
    }
}

/// The searchable data after a prepared entry; `None` if it is unchanged. Every server compares the same two states,
/// so it does not matter which of them wrote the entry before.
pub fn changed_meta(before: &Table, prepared: &Prepared, offset: Millis) -> Option<Meta> {
    let after = prepared.preview();
    let in_game = |table: &Table| {
        let waiting = table.waiting_for().map(|w| (w.seat, w.deadline));
        (table.stage(), table.games(), waiting, wake(table))
    };
    let around = |table: &Table| (table.settings().clone(), table.seat_views());
    let same = in_game(before) == in_game(after)
        && (prepared.is_in_game() || around(before) == around(after));
    (!same).then(|| meta(after, offset))
}

/// When a server has to load the table, in the table's time.
pub fn wake(table: &Table) -> Option<Millis> {
    if let Some(draw) = table.draw() {
        return Some(draw.until);
    }
    let waiting = table.waiting_for()?;
    match waiting.by {
        Decider::Person(_) => waiting.deadline,
        // A game of bots only can wait until somebody connects.
        Decider::Bot(_) => (!table.is_abandoned()).then_some(table.at()),
    }
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Lobby => "lobby",
        Stage::Playing => "playing",
        Stage::Over => "over",
    }
}

/// The public summary of a table.
fn summary(table: &Table) -> Value {
    let settings = table.settings();
    let seats: Vec<Value> = table
        .seat_views()
        .iter()
        .map(|seat| match &seat.taken {
            Taken::Open => json!({ "colour": seat.colour, "kind": "open" }),
            Taken::Person { name, program, .. } => {
                let mut seat = json!({ "colour": seat.colour, "kind": "person", "name": name });
                if *program {
                    seat["program"] = true.into();
                }
                seat
            }
            Taken::Bot { level } => {
                json!({ "colour": seat.colour, "kind": "bot", "level": level })
            }
        })
        .collect();
    let waiting = table.waiting_for();
    let as_printed = settings.is_as_printed();
    let mut summary = json!({
        "table": table.id(),
        "title": settings.title,
        "stage": table.stage(),
        "public": settings.public,
        "preset": settings.preset,
        "as_printed": as_printed,
        "mode": settings.options.mode,
        "teams": settings.options.teams,
        "reactions": settings.options.reactions,
        "rated": settings.rated,
        "clock": settings.clock,
        "seats": seats,
        "full": table.seat_views().iter().all(|seat| seat.taken != Taken::Open),
        "games": table.games(),
        "at": table.at(),
        "waiting": waiting.map(|w| json!({ "seat": w.seat, "deadline": w.deadline })),
    });
    if !as_printed {
        summary["rules"] = json!({ "options": settings.options, "spells": settings.spells });
    }
    summary
}
