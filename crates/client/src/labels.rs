//! The names of things in the game, as messages.

use rules::{Card, Colour, Direction, Spell, Wizards};

use crate::words::{Message, say};

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

/// A spell's name.
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

/// What a spell does, in a line.
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

/// A colour.
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

/// A way around the ring.
pub fn direction(direction: Direction) -> Message {
    say(match direction {
        Direction::Clockwise => "way.clockwise",
        Direction::CounterClockwise => "way.counter",
    })
}

/// Wizards by colour, such as "2× blue, 1× red".
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
