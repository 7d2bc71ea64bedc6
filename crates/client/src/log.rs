//! What happened, as messages: for the log, and for the live narration.
//!
//! The narration tells all that everybody at the table sees at that moment. The log stays, so where imprisoned wizards have to
//! be remembered (R16.2), it leaves out who they were.

use rules::{Event, Memory, Mode, Move, Timing, View};

use crate::labels;
use crate::names::Names;
use crate::shown::space_of;
use crate::words::{Message, say};

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// All that is seen at this moment.
    Live,
    /// What may stay in the log.
    Kept,
}

/// An event in words; none if it goes without saying. `view` is the position before it.
pub fn tell(event: &Event, view: &View, names: &Names, detail: Detail) -> Option<Message> {
    let who = |key: &'static str, seat| say(key).with("who", names.of(seat));
    let hidden = detail == Detail::Kept && view.options.memory == Memory::Strict;
    let number = |space: rules::Space| space.number();
    Some(match *event {
        Event::StartDrawn { seat } => who("log.start", seat),
        Event::SpellsDrawn { spells } => say("log.spells").with(
            "spells",
            spells.iter().map(labels::spell).collect::<Vec<_>>(),
        ),
        Event::Reshuffled => say("log.reshuffled"),
        Event::Drew { .. } | Event::TurnEnded { .. } => return None,
        Event::TurnBegan { seat, .. } => who("log.turn", seat),
        Event::Played { seat, card } => who("log.played", seat).with("card", labels::card(card)),
        Event::Rolled { seat, value } => who("log.rolled", seat).with("n", value),
        Event::Refreshed { seat } => who("log.refreshed", seat),
        Event::Discarded { .. } => return None,
        Event::Declared { seat, what, steps } => match what {
            Move::Wizard { from, .. } => who("log.declared_wizard", seat)
                .with("from", number(from))
                .with("n", steps),
            Move::Tower(tower) => who("log.declared_tower", seat)
                .with("tower", tower.letter())
                .with("n", steps),
            Move::Nothing => who("log.declared_nothing", seat),
        },
        Event::Passed { seat } => who("log.passed", seat),
        Event::Claimed { seat, spell, when } => {
            let key = match when {
                Timing::Before => "log.claimed_before",
                Timing::After => "log.claimed_after",
                Timing::With => "log.claimed_with",
            };
            who(key, seat).with("spell", labels::spell(spell))
        }
        Event::Prevented { seat } => who("log.prevented", seat),
        Event::NothingMoved { seat } => who("log.nothing", seat),
        Event::SpellCast { seat, cast, cost } => who("log.cast", seat)
            .with("spell", labels::spell(cast.spell()))
            .with("n", cost),
        Event::PiggybackCast { seat, cost } => who("log.cast", seat)
            .with("spell", labels::spell(rules::Spell::Piggyback))
            .with("n", cost),
        Event::WizardMoved {
            colour,
            from,
            to,
            onto,
        } => {
            let from = space_of(view, from).map_or(0, number);
            match onto {
                Some(_) if from == to.number() => say("log.freed")
                    .with("colour", labels::colour(colour))
                    .with("to", to.number()),
                Some(_) => say("log.wizard")
                    .with("colour", labels::colour(colour))
                    .with("from", from)
                    .with("to", to.number()),
                None => say("log.home")
                    .with("colour", labels::colour(colour))
                    .with("from", from),
            }
        }
        Event::TowerMoved { tower, from, to } => say("log.tower")
            .with("tower", tower.letter())
            .with("from", from.number())
            .with("to", to.number()),
        Event::Uncovered { wizards, .. } if hidden || wizards.is_empty() => return None,
        Event::Uncovered { wizards, .. } => {
            say("log.uncovered").with("wizards", labels::wizards(wizards))
        }
        Event::Imprisoned { seat, .. } if hidden => who("log.imprisoned_hidden", seat),
        Event::Imprisoned { seat, wizards, .. } => {
            who("log.imprisoned", seat).with("wizards", labels::wizards(wizards))
        }
        Event::FlaskFilled { seat } => who("log.flask", seat),
        Event::Peeked { .. } if hidden => return None,
        Event::Peeked { wizards, .. } if wizards.is_empty() => say("log.peeked_nobody"),
        Event::Peeked { wizards, .. } => {
            say("log.peeked").with("wizards", labels::wizards(wizards))
        }
        Event::NobodyFreed { seat } => who("log.nobody_freed", seat),
        Event::TowersSwapped { one, other } => say("log.swapped")
            .with("one", one.number())
            .with("other", other.number()),
        Event::CastleMoved { from, to } => say("log.castle")
            .with("from", from.number())
            .with("to", to.number()),
        Event::Asked { seat } => who("log.asked", seat),
        Event::Offered { seat, .. } => who("log.offered", seat),
        Event::Declined { seat } => who("log.declined", seat),
        Event::HandedOver { from, to, .. } => who("log.handed", from).with("to", names.of(to)),
        Event::Gave { from, to, flasks } => who("log.gave", from)
            .with("to", names.of(to))
            .with("n", flasks),
        Event::Over { outcome } => over(&outcome, view, names),
    })
}

/// How the game ended, in a sentence.
pub fn over(outcome: &rules::Outcome, view: &View, names: &Names) -> Message {
    let winners: Vec<_> = outcome.winners.iter().map(|s| names.of(s)).collect();
    if view.options.mode == Mode::Versus {
        match winners.len() {
            0 => say("over.nobody"),
            1 => say("over.wins").with("who", winners.join("")),
            _ => say("over.share").with("who", winners.join(", ")),
        }
    } else if winners.is_empty() {
        say("over.lost").with("n", outcome.score.unwrap_or(0))
    } else {
        say("over.won").with("n", outcome.score.unwrap_or(0))
    }
}
