//! The names of game items, as messages.

use towers_rules::{Action, Card, Cast, Colour, Direction, Move, Spell, Wizards};
use towers_study::puzzle::{Goal, Grade};
use towers_table::BotLevel;

use crate::choice::Intent;
use crate::words::{Message, say};

pub fn level_key(level: BotLevel) -> &'static str {
    match level {
        BotLevel::Novice => "level.novice",
        BotLevel::Apprentice => "level.apprentice",
        BotLevel::Adept => "level.adept",
        BotLevel::Master => "level.master",
    }
}

pub fn goal(goal: Goal) -> Message {
    match goal {
        Goal::Home(n) => say("puzzle.home").with("n", n),
        Goal::Imprison(n) => say("puzzle.imprison").with("n", n),
        Goal::Free => say("puzzle.free"),
        Goal::Win => say("puzzle.win"),
    }
}

/// The key of a puzzle's difficulty.
pub fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Easy => "puzzle.easy",
        Grade::Medium => "puzzle.medium",
        Grade::Hard => "puzzle.hard",
    }
}

/// A movement card.
pub fn card(card: Card) -> Message {
    let dice = card.dice();
    match (card.wizard_steps(1), card.tower_steps(1)) {
        _ if dice > 0 => {
            let key = match (
                card.wizard_steps(1).is_some(),
                card.tower_steps(1).is_some(),
            ) {
                (true, true) => "card.dice_any",
                (true, false) => "card.dice_wizard",
                _ => "card.dice_tower",
            };
            say(key).with("n", dice)
        }
        (Some(w), Some(t)) => say("card.both").with("w", w).with("t", t),
        (Some(w), None) => say("card.wizard").with("n", w),
        (_, t) => say("card.tower").with("n", t.unwrap_or(0)),
    }
}

pub fn spell(spell: Spell) -> Message {
    say(match spell {
        Spell::AdvanceWizard => "spell.aw",
        Spell::AdvanceTower => "spell.at",
        Spell::SwapTowers => "spell.sw",
        Spell::HeadwindWizard => "spell.hw",
        Spell::HeadwindTower => "spell.ht",
        Spell::NudgeCastle => "spell.nc",
        Spell::Piggyback => "spell.pb",
        Spell::FreeWizard => "spell.fw",
    })
}

/// The effect of a spell, in one line.
pub fn spell_effect(spell: Spell) -> Message {
    say(match spell {
        Spell::AdvanceWizard => "effect.aw",
        Spell::AdvanceTower => "effect.at",
        Spell::SwapTowers => "effect.sw",
        Spell::HeadwindWizard => "effect.hw",
        Spell::HeadwindTower => "effect.ht",
        Spell::NudgeCastle => "effect.nc",
        Spell::Piggyback => "effect.pb",
        Spell::FreeWizard => "effect.fw",
    })
}

pub fn colour(colour: Colour) -> Message {
    say(match colour {
        Colour::Blue => "colour.blue",
        Colour::Yellow => "colour.yellow",
        Colour::Red => "colour.red",
        Colour::Green => "colour.green",
        Colour::Orange => "colour.orange",
        Colour::Purple => "colour.purple",
    })
}

/// A direction around the ring.
pub fn direction(direction: Direction) -> Message {
    say(match direction {
        Direction::Clockwise => "way.clockwise",
        Direction::CounterClockwise => "way.counter",
    })
}

/// An intent in a word or two.
pub fn intent(intent: Intent) -> Message {
    match intent {
        Intent::Card(it) => card(it),
        Intent::Roll => say("act.use_roll"),
        Intent::Spell(it) => spell(it),
        Intent::Before(it) => say("act.before").with("spell", spell(it)),
        Intent::After(it) => say("act.after").with("spell", spell(it)),
        Intent::Reroll => say("act.reroll_name"),
        Intent::Refresh => say("act.refresh"),
        Intent::End => say("act.end"),
        Intent::Pass => say("act.pass"),
        Intent::Done => say("act.done"),
        Intent::Ask => say("act.ask"),
        Intent::Offer => say("act.offer"),
        Intent::Accept => say("act.accept"),
        Intent::Decline => say("act.decline"),
        Intent::Return => say("act.hand_over"),
        Intent::Give => say("act.give"),
        Intent::With => say("act.with"),
        Intent::More => say("act.more"),
    }
}

/// The text of the confirm button: the move itself if it is short.
pub fn confirm(action: Action) -> Message {
    match action {
        Action::Roll(_) => say("act.roll"),
        Action::Play(_, Move::Nothing) | Action::Accept(Move::Nothing) => say("act.discard"),
        Action::Play(_, Move::Tower(tower)) | Action::Accept(Move::Tower(tower)) => {
            say("act.move_tower").with("tower", tower.letter())
        }
        Action::Play(_, Move::Wizard { piggyback, .. })
        | Action::Accept(Move::Wizard { piggyback, .. }) => say(if piggyback {
            "act.move_wizards"
        } else {
            "act.move_wizard"
        }),
        Action::Cast(_)
        | Action::Before(_)
        | Action::After(_)
        | Action::WithPiggyback
        | Action::Piggyback => say("act.cast_now"),
        Action::Refresh(_) | Action::RefreshFirst => say("act.refresh_now"),
        Action::Offer(_) | Action::Return(_) | Action::Give(_) => say("act.hand_over"),
        // A hint may have prepared any of these.
        Action::Reroll => intent(Intent::Reroll),
        Action::End => intent(Intent::End),
        Action::Pass => intent(Intent::Pass),
        Action::Done => intent(Intent::Done),
        Action::Ask => intent(Intent::Ask),
        Action::AcceptOffer => intent(Intent::Accept),
        Action::Decline => intent(Intent::Decline),
    }
}

/// Distinguishes the variants of an action: with or without Piggyback, or whose wizard.
pub fn variant(action: Action) -> Message {
    match action {
        Action::Play(_, Move::Wizard { piggyback, .. })
        | Action::Accept(Move::Wizard { piggyback, .. }) => {
            say(if piggyback { "act.two" } else { "act.alone" })
        }
        Action::Cast(Cast::FreeWizard(_, Some(c)))
        | Action::Before(Cast::FreeWizard(_, Some(c))) => {
            say("act.prefer").with("colour", colour(c))
        }
        Action::Cast(Cast::AdvanceWizard(w) | Cast::HeadwindWizard(w))
        | Action::Before(Cast::AdvanceWizard(w) | Cast::HeadwindWizard(w)) => say(if w.declared {
            "act.declared"
        } else {
            "act.other"
        }),
        _ => say("act.confirm"),
    }
}

/// Wizards by colour, such as "2 blue, 1 red".
pub fn wizards(wizards: Wizards) -> Vec<Message> {
    wizards
        .iter()
        .map(|(c, n)| {
            say("count.of_colour")
                .with("n", n)
                .with("colour", colour(c))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Words};

    #[test]
    fn the_confirm_button_says_what_it_does() {
        for action in [
            Action::Reroll,
            Action::End,
            Action::Pass,
            Action::Done,
            Action::Ask,
            Action::AcceptOffer,
            Action::Decline,
        ] {
            assert_ne!(confirm(action).key, "act.confirm", "{action}");
        }
    }

    #[test]
    fn all_cards_have_different_names_in_every_language() {
        for language in Language::ALL {
            let words = Words::of(language);
            let mut names: Vec<_> = Card::all().map(|c| words.say(&card(c))).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), 23, "{names:?}");
        }
    }
}
