//! Explains an item on the table and what it could do now. Players may look at any time.

use towers_rules::{Card, Mode, Seat, Space, Spell, View};

use crate::labels;
use crate::model::Model;
use crate::reason::why_not_cast;
use crate::target;
use crate::words::{Message, say};

/// An item that can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A list of everything below.
    Table,
    /// A space with everything on it.
    Stack(Space),
    Castle,
    Spell(Spell),
    Die,
    DrawPile,
    DiscardPile,
    Player(Seat),
}

/// Everything on the table that can be looked at, players first.
pub fn things(view: &View) -> Vec<Thing> {
    let seats = (0..view.players.len()).map(|i| Thing::Player(Seat(i as u8)));
    let spells = view.spells.iter().map(Thing::Spell);
    let middle = [
        Thing::Die,
        Thing::DrawPile,
        Thing::DiscardPile,
        Thing::Castle,
    ];
    let spaces = Space::all().map(Thing::Stack);
    seats.chain(spells).chain(middle).chain(spaces).collect()
}

/// An explanation in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub title: Message,
    pub lines: Vec<Message>,
}

/// The total number of wizards of a player (R3.1, R14.1).
pub fn all_wizards(view: &View) -> u8 {
    match (view.options.mode, view.players.len()) {
        (Mode::Versus, 2) => 5,
        (Mode::Versus, 3 | 4) => 4,
        (Mode::Versus, _) => 3,
        _ => 12,
    }
}

/// The team of a seat, counted from 0; `None` without teams. Partners sit opposite each other (R12.1).
pub fn team(view: &View, seat: Seat) -> Option<usize> {
    let half = (view.players.len() / 2).max(1);
    view.options.teams.then(|| seat.index() % half)
}

/// Explains an item and what it could do now.
pub fn explain(model: &Model, thing: Thing) -> Explanation {
    let view = &model.shown;
    match thing {
        Thing::Table => Explanation {
            title: say("look.title"),
            lines: Vec::new(),
        },
        Thing::Stack(space) => Explanation {
            title: say("stack.title").with("space", space.number()),
            lines: stack(model, space),
        },
        Thing::Castle => {
            let mut lines = vec![say("look.castle_at").with("space", view.castle.number())];
            if crate::shown::height(view, view.castle) > 0 {
                lines.push(target::describe(view, view.castle));
            }
            lines.extend([say("help.wizard"), say("help.castle")]);
            Explanation {
                title: say("look.castle"),
                lines,
            }
        }
        Thing::Spell(spell) => Explanation {
            title: labels::spell(spell),
            lines: spell_lines(model, spell),
        },
        Thing::Die => {
            let mut lines = vec![say("look.die_about")];
            if view.turn.rolled > 0 {
                lines.insert(0, say("look.rolled").with("n", view.turn.rolled));
            }
            Explanation {
                title: say("look.die"),
                lines,
            }
        }
        Thing::DrawPile => Explanation {
            title: say("look.draw"),
            lines: vec![say("look.left").with("n", view.draw)],
        },
        Thing::DiscardPile => Explanation {
            title: say("look.discard"),
            lines: discarded(view, model.top),
        },
        Thing::Player(seat) => Explanation {
            title: say("look.player").with("who", model.names.of(seat)),
            lines: player(model, seat),
        },
    }
}

fn stack(model: &Model, space: Space) -> Vec<Message> {
    let view = &model.shown;
    let mut lines = vec![target::describe(view, space)];
    if crate::shown::height(view, space) > 0 {
        lines.push(say("help.tower"));
    }
    // What can be picked here is offered beside these lines.
    let here = target::picks_at(view, space, &model.choice.targets());
    if !model.is_mine() {
        lines.push(say("look.later"));
    } else if here.is_empty() {
        lines.push(say("look.nothing_here"));
    }
    lines
}

fn spell_lines(model: &Model, spell: Spell) -> Vec<Message> {
    let view = &model.shown;
    let cost = say("count.flasks").with("n", view.options.costs.of(spell));
    let mut lines = vec![
        say("look.cost").with("cost", cost),
        labels::spell_effect(spell),
    ];
    let why = model
        .me()
        .filter(|_| model.is_mine())
        .and_then(|me| why_not_cast(view, me, spell));
    match why {
        Some(why) => lines.push(why.message),
        None if !model.is_mine() => lines.push(say("look.later")),
        None => {}
    }
    lines
}

/// The discard pile by kind of card. Discarded cards cannot be drawn before the next shuffle.
fn discarded(view: &View, top: Option<Card>) -> Vec<Message> {
    let mut lines = vec![say("look.lie_here").with("n", view.discard.len() as u32)];
    if let Some(card) = top {
        lines.push(say("look.top").with("card", labels::card(card)));
    }
    let counted = Card::all().filter_map(|card| {
        let n = view.discard.iter().filter(|c| **c == card).count();
        (n > 0).then(|| {
            say("look.card_count")
                .with("n", n as u32)
                .with("card", labels::card(card))
        })
    });
    let counted: Vec<Message> = counted.collect();
    if !counted.is_empty() {
        lines.push(say("look.all_cards").with("cards", counted));
    }
    lines
}

fn player(model: &Model, seat: Seat) -> Vec<Message> {
    let view = &model.shown;
    let Some(p) = view.players.get(seat.index()) else {
        return Vec::new();
    };
    let mut lines = vec![
        say("look.wizards")
            .with("colour", labels::colour(p.colour))
            .with("home", p.home)
            .with("all", all_wizards(view)),
        say("look.flasks")
            .with("full", p.flasks.full)
            .with("empty", p.flasks.empty)
            .with("spent", p.flasks.spent),
        say("look.cards").with("n", p.cards),
    ];
    let mine = model.me().and_then(|me| team(view, me));
    if mine.is_some() && team(view, seat) == mine && model.me() != Some(seat) {
        lines.push(say("look.partner"));
    }
    lines.push(say("look.flasks_about"));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, LocalTable, Plan, Words};
    use towers_table::{BotLevel, Hex};

    #[test]
    fn everything_can_be_looked_at_in_every_language_and_by_everybody() {
        let plan = Plan::against_bots("Ann", 3, BotLevel::Novice);
        let local = LocalTable::open("t", &plan, 0, &Hex([9; 32])).unwrap();
        let mut model = Model::new(local.view()).unwrap();
        let mut things = vec![
            Thing::Castle,
            Thing::Die,
            Thing::DrawPile,
            Thing::DiscardPile,
        ];
        things.extend(Space::all().map(Thing::Stack));
        things.extend(Spell::ALL.map(Thing::Spell));
        things.extend((0..4).map(|n| Thing::Player(Seat(n))));
        model.shown.discard = Card::all().take(3).collect();
        // Everything is in the list of what can be looked at.
        let listed = super::things(&model.shown);
        let in_play = |thing: &&Thing| !matches!(thing, Thing::Spell(_));
        assert!(
            things
                .iter()
                .filter(in_play)
                .all(|thing| listed.contains(thing))
        );
        for spell in model.shown.spells.iter() {
            assert!(listed.contains(&Thing::Spell(spell)));
        }
        for is_mine in [true, false] {
            if !is_mine {
                model.choice = crate::Choice::default();
            }
            for &thing in &things {
                let it = explain(&model, thing);
                assert!(!it.lines.is_empty(), "{thing:?}");
                for language in Language::ALL {
                    let words = Words::of(language);
                    for message in it.lines.iter().chain([&it.title]) {
                        let text = words.say(message);
                        assert!(text != message.key && !text.contains('{'), "{text}");
                    }
                }
            }
        }
    }
}
