//! Events in words.

use towers_rules::{Cast, Direction, Event, Move, Seat, State, Timing, Wizards};

fn who(state: &State, seat: Seat) -> String {
    state.colour(seat).to_string()
}

fn list(wizards: Wizards) -> String {
    if wizards.is_empty() {
        "nobody".into()
    } else {
        wizards.to_string()
    }
}

fn moving(what: Move, steps: u8) -> String {
    match what {
        Move::Wizard { from, .. } => format!("the wizard on {from}, {steps} on"),
        Move::Tower(tower) => format!("tower {tower}, {steps} on"),
        Move::Nothing => "nothing".into(),
    }
}

fn casting(cast: Cast) -> String {
    match cast {
        Cast::AdvanceWizard(t) => format!("Advance a Wizard on {t}"),
        Cast::HeadwindWizard(t) => format!("Headwind for a Wizard on {t}"),
        Cast::AdvanceTower(t) => format!("Advance a Tower on {t}"),
        Cast::HeadwindTower(t) => format!("Headwind for a Tower on {t}"),
        Cast::SwapTowers(a, b) => format!("Swap Towers on {a} and {b}"),
        Cast::NudgeCastle(Direction::Clockwise) => "Nudge the Castle clockwise".into(),
        Cast::NudgeCastle(Direction::CounterClockwise) => {
            "Nudge the Castle counter-clockwise".into()
        }
        Cast::FreeWizard(t, None) => format!("Free a Wizard under {t}"),
        Cast::FreeWizard(t, Some(c)) => format!("Free a Wizard under {t}, rather {c}"),
    }
}

/// One event in one line.
pub fn words(state: &State, event: Event) -> String {
    let who = |seat| who(state, seat);
    let card = |card: Option<towers_rules::Card>| card.map_or("a card", towers_rules::Card::text);
    match event {
        Event::StartDrawn { seat } => format!("{} is drawn to start", who(seat)),
        Event::SpellsDrawn { spells } => format!("the spells {spells} are drawn"),
        Event::Reshuffled => "the discard pile is shuffled".into(),
        Event::Drew { seat, card: c } => format!("{} draws {}", who(seat), card(c)),
        Event::TurnBegan { seat, round } => format!("turn of {}, round {round}", who(seat)),
        Event::Played { seat, card } => format!("{} plays {card}", who(seat)),
        Event::Rolled { seat, value } => format!("{} rolls {value}", who(seat)),
        Event::Refreshed { seat } => format!("{} refreshes", who(seat)),
        Event::Discarded { seat, card } => format!("{} discards {card}", who(seat)),
        Event::Declared { seat, what, steps } => {
            format!("{} declares {}", who(seat), moving(what, steps))
        }
        Event::Passed { seat } => format!("{} passes", who(seat)),
        Event::Claimed { seat, spell, when } => {
            let when = match when {
                Timing::Before => "before",
                Timing::After => "after",
                Timing::With => "with",
            };
            format!("{} claims {spell} for {when} the move", who(seat))
        }
        Event::Prevented { seat } => format!("the move of {} cannot be made any more", who(seat)),
        Event::NothingMoved { seat } => format!("nothing moves for {}", who(seat)),
        Event::SpellCast { seat, cast, cost } => {
            format!("{} casts {} for {cost}", who(seat), casting(cast))
        }
        Event::PiggybackCast { seat, cost } => format!("{} casts Piggyback for {cost}", who(seat)),
        Event::WizardMoved {
            colour,
            from,
            to,
            onto,
        } => match onto {
            Some(onto) => format!("a wizard {colour} goes from {from} to space {to}, onto {onto}"),
            None => format!("a wizard {colour} goes from {from} to space {to} and is home"),
        },
        Event::TowerMoved { tower, from, to } => format!("tower {tower} goes from {from} to {to}"),
        Event::Uncovered { surface, wizards } => {
            format!("{surface} comes to light with {}", list(wizards))
        }
        Event::Imprisoned {
            seat,
            surface,
            wizards,
        } => format!("{} imprisons {} on {surface}", who(seat), list(wizards)),
        Event::FlaskFilled { seat } => format!("{} fills a flask", who(seat)),
        Event::Peeked { surface, wizards } => {
            format!("all see {} on {surface}", list(wizards))
        }
        Event::NobodyFreed { seat } => format!("{} frees nobody", who(seat)),
        Event::TowersSwapped { one, other } => format!("the towers on {one} and {other} swap"),
        Event::CastleMoved { from, to } => format!("the castle goes from {from} to {to}"),
        Event::Asked { seat } => format!("{} asks for a card", who(seat)),
        Event::Offered { seat, card: c } => format!("{} offers {}", who(seat), card(c)),
        Event::Declined { seat } => format!("{} declines", who(seat)),
        Event::HandedOver { from, to, card: c } => {
            format!("{} hands {} over to {}", who(from), card(c), who(to))
        }
        Event::Gave { from, to, flasks } => {
            format!("{} gives {} {flasks} full flasks", who(from), who(to))
        }
        Event::TurnEnded { seat } => format!("end of the turn of {}", who(seat)),
        Event::Over { outcome } => {
            let winners: Vec<_> = outcome.winners.iter().map(who).collect();
            let score = outcome
                .score
                .map_or(String::new(), |s| format!(", score {s}"));
            format!(
                "the game is over ({}), winners: {}{score}",
                outcome.why.name(),
                if winners.is_empty() {
                    "none".into()
                } else {
                    winners.join(" ")
                }
            )
        }
    }
}
