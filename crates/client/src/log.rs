//! Events as messages, for the log and the live narration.
//!
//! The narration contains everything that is visible at that moment. The log is permanent, so it omits the colours of
//! imprisoned wizards where players must remember them (R16.2).

use towers_rules::{Event, Memory, Mode, Move, Seat, Space, Timing, View};
use towers_table::{SeatView, StandInReason, TableEvent, Taken};

use crate::labels;
use crate::names::{Names, names_in_words};
use crate::shown::space_of;
use crate::words::{Message, say};

/// The level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Everything visible at this moment.
    Live,
    /// Only what may stay in the log.
    Kept,
}

/// Describes an event; `None` if it needs no message. `view` is the position before it. `mover` is the seat whose card
/// moves the pieces, see [`mover_after`].
pub fn describe(
    event: &Event,
    view: &View,
    names: &Names,
    detail: Detail,
    mover: Option<Seat>,
) -> Option<Message> {
    let who = |key: &'static str, seat| say(key).with("who", names.subject(seat));
    // Describes a move by card: who moved, and how far.
    let by_card = |key: &'static str, from: Space, to: Space| {
        let steps = (to.number() + 16 - from.number()) % 16;
        mover.map(|seat| who(key, seat).with("n", steps).with("to", to.number()))
    };
    let hidden = detail == Detail::Kept && view.options.memory == Memory::Strict;
    let number = |space: Space| space.number();
    Some(match *event {
        Event::StartDrawn { seat } => who("log.start", seat),
        Event::SpellsDrawn { spells } => say("log.spells").with(
            "spells",
            spells.iter().map(labels::spell).collect::<Vec<_>>(),
        ),
        Event::Reshuffled => say("log.reshuffled"),
        Event::Drew { .. } | Event::TurnEnded { .. } => return None,
        Event::TurnBegan { seat, .. } if names.is_reader(seat) => say("log.your_turn"),
        Event::TurnBegan { seat, .. } => who("log.turn", seat),
        // The effect of the card is described; the card itself is visible on the discard pile.
        Event::Played { .. } => return None,
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
        Event::Prevented { seat } if names.is_reader(seat) => say("log.prevented_you"),
        Event::Prevented { seat } => who("log.prevented", seat),
        Event::NothingMoved { seat } => who("log.nothing", seat),
        Event::SpellCast { seat, cast, cost } => who("log.cast", seat)
            .with("spell", labels::spell(cast.spell()))
            .with("n", cost),
        Event::PiggybackCast { seat, cost } => who("log.cast", seat)
            .with("spell", labels::spell(towers_rules::Spell::Piggyback))
            .with("n", cost),
        Event::WizardMoved {
            colour,
            from,
            to,
            onto,
        } => {
            let start = space_of(view, from).unwrap_or(to);
            let from = start.number();
            match onto {
                Some(_) if from == to.number() => say("log.freed")
                    .with("colour", labels::colour(colour))
                    .with("to", to.number()),
                Some(_) => by_card("log.wizard_moved", start, to)
                    .unwrap_or_else(|| say("log.wizard").with("from", from).with("to", to.number()))
                    .with("colour", labels::colour(colour)),
                None => say("log.home")
                    .with("colour", labels::colour(colour))
                    .with("from", from),
            }
        }
        Event::TowerMoved { tower, from, to } => by_card("log.tower_moved", from, to)
            .unwrap_or_else(|| {
                say("log.tower")
                    .with("from", number(from))
                    .with("to", number(to))
            })
            .with("tower", tower.letter()),
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
        Event::HandedOver { from, to, .. } if names.is_reader(to) => who("log.handed_you", from),
        Event::HandedOver { from, to, .. } => who("log.handed", from).with("to", names.of(to)),
        Event::Gave { from, to, flasks } if names.is_reader(to) => {
            who("log.gave_you", from).with("n", flasks)
        }
        Event::Gave { from, to, flasks } => who("log.gave", from)
            .with("to", names.of(to))
            .with("n", flasks),
        Event::Over { outcome } => over(&outcome, view, names),
    })
}

/// Describes an event of the table that changes who plays; `None` for all others.
pub fn describe_table(event: &TableEvent, seats: &[SeatView], names: &Names) -> Option<Message> {
    let is_host = |seat: &SeatView| match (event, &seat.taken) {
        (TableEvent::HostIs { person: host }, Taken::Person { person, .. }) => {
            *host == Some(*person)
        }
        _ => false,
    };
    let (key, seat) = match *event {
        TableEvent::StoodIn { seat, why, .. } => {
            let key = match why {
                StandInReason::OneMove => "log.bot_moves",
                StandInReason::TimeUp => "log.bot_plays",
                StandInReason::Left => "log.left",
                StandInReason::Away => "log.bot_replaces",
            };
            (key, seat)
        }
        TableEvent::CameBack { seat } => ("log.back", seat),
        TableEvent::PassedFor { seat } => ("log.too_late", seat),
        TableEvent::HostIs { .. } => ("log.host", Seat(seats.iter().position(is_host)? as u8)),
        _ => return None,
    };
    Some(say(key).with("who", names.subject(seat)))
}

/// The seat whose card moves pieces after this event; `None` while a spell does. `mover` is the seat before it.
pub fn mover_after(mover: Option<Seat>, event: &Event) -> Option<Seat> {
    match *event {
        Event::Played { seat, .. }
        | Event::Refreshed { seat }
        | Event::Rolled { seat, .. }
        | Event::Declared { seat, .. }
        | Event::PiggybackCast { seat, .. } => Some(seat),
        Event::SpellCast { .. } | Event::TurnBegan { .. } | Event::TurnEnded { .. } => None,
        _ => mover,
    }
}

/// How the game ended, in a sentence.
pub fn over(outcome: &towers_rules::Outcome, view: &View, names: &Names) -> Message {
    let winners: Vec<_> = outcome.winners.iter().map(|s| names.of(s)).collect();
    if view.options.mode == Mode::Versus {
        match winners.len() {
            1 if outcome.winners.iter().any(|s| names.is_reader(s)) => say("over.you_win"),
            0 => say("over.nobody"),
            2.. if outcome.winners.iter().any(|s| names.is_reader(s)) => {
                let others = outcome.winners.iter().filter(|s| !names.is_reader(*s));
                let others: Vec<_> = others.map(|s| names.of(s)).collect();
                say("over.share_you").with("who", names_in_words(others))
            }
            1 => say("over.wins").with("who", winners.join("")),
            _ => say("over.share").with("who", names_in_words(winners)),
        }
    } else if winners.is_empty() {
        say("over.lost").with("n", outcome.score.unwrap_or(0))
    } else {
        say("over.won").with("n", outcome.score.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, LocalTable, Plan, Words};
    use towers_rules::{Tower, examples};
    use towers_table::{BotLevel, Hex};

    fn told(event: &Event, mover: Option<Seat>) -> String {
        let plan = Plan::against_bots("Guest", 1, BotLevel::Novice);
        let local = LocalTable::open("t", &plan, 0, &Hex([9; 32])).unwrap();
        let names = Names::at(&local.view().seats, Some(Seat(0)));
        let state = examples::opening();
        let view = state.view(towers_rules::Viewer::Seat(state.active()));
        let message = describe(event, &view, &names, Detail::Kept, mover).unwrap();
        Words::of(Language::English).say(&message)
    }

    #[test]
    fn moves_are_described_and_the_reader_is_addressed_as_you() {
        let moved = Event::TowerMoved {
            tower: Tower::from_letter('D').unwrap(),
            from: Space::new(8).unwrap(),
            to: Space::new(9).unwrap(),
        };
        let mine = Some(Seat(0));
        assert_eq!(told(&moved, mine), "You move tower D by 1 to space 9.");
        let other = told(&moved, Some(Seat(1)));
        assert!(
            other.ends_with(" moves tower D by 1 to space 9."),
            "{other}"
        );
        // The move caused by a spell is described after the spell.
        assert_eq!(told(&moved, None), "Tower D: space 8 to 9.");
        let began = Event::TurnBegan {
            seat: Seat(0),
            round: 1,
        };
        assert_eq!(told(&began, None), "Your turn");
    }

    #[test]
    fn a_spell_interrupts_whose_card_it_is() {
        let refreshed = Event::Refreshed { seat: Seat(1) };
        let mover = mover_after(None, &refreshed);
        assert_eq!(mover, Some(Seat(1)));
        assert_eq!(mover_after(mover, &Event::Reshuffled), mover);
        let ended = Event::TurnEnded { seat: Seat(1) };
        assert_eq!(mover_after(mover, &ended), None);
    }
}
