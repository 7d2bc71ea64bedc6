//! Editions and house rules in words: what a table plays, and how it differs from its edition's rulebook.
//!
//! The texts follow the rules' field table: `rule.FIELD` is the name, `rule.FIELD.about` the description, and
//! `rule.FIELD.VALUE` the name of a value.

use towers_rules::{Colour, Field, Mode, Options, Preset, Spell, Spells};
use towers_table::Settings;

use crate::labels;
use crate::words::{Message, Words, say};

pub const fn edition(preset: Preset) -> &'static str {
    match preset {
        Preset::Capstone => "preset.capstone",
        Preset::Abacus1 => "preset.abacus1",
        Preset::Abacus2 => "preset.abacus2",
        Preset::Oya => "preset.oya",
    }
}

/// The short name of an edition, for lists.
const fn short_name(preset: Preset) -> &'static str {
    match preset {
        Preset::Capstone => "preset.capstone",
        Preset::Abacus1 => "preset.abacus1_short",
        Preset::Abacus2 => "preset.abacus2_short",
        Preset::Oya => "preset.oya",
    }
}

/// Three lines on what is special about an edition.
pub const fn about_edition(preset: Preset) -> [&'static str; 3] {
    match preset {
        Preset::Capstone => [
            "preset.capstone_refresh",
            "preset.capstone_reactions",
            "preset.capstone_more",
        ],
        Preset::Abacus1 => [
            "preset.abacus1_refresh",
            "preset.abacus1_reactions",
            "preset.abacus1_more",
        ],
        Preset::Abacus2 => [
            "preset.abacus2_refresh",
            "preset.abacus2_reactions",
            "preset.abacus2_more",
        ],
        Preset::Oya => [
            "preset.oya_refresh",
            "preset.oya_reactions",
            "preset.oya_more",
        ],
    }
}

/// The fields offered as house rules, except the memory aid, which has its own control on the screen.
pub fn house_rule_fields() -> impl Iterator<Item = Field> {
    let fields = Field::ALL.iter().copied().filter(|f| f.is_of_edition());
    fields.filter(|f| *f != Field::Memory)
}

/// Whether a field has an effect at a table with these options.
pub fn applies(field: Field, options: &Options) -> bool {
    let versus = options.mode == Mode::Versus;
    match field {
        Field::OfferAfterRefusal | Field::Gifts | Field::TeamEnd => options.teams,
        Field::SpellRight | Field::SpellTime | Field::RefreshWindow | Field::FreeAnyTime => {
            options.reactions
        }
        Field::RefreshSpell => versus && !options.reactions,
        Field::EntryEnds => versus,
        Field::RefreshTower | Field::RefreshDraw => versus || options.solo_refresh,
        Field::SoloDeck | Field::SoloRefresh | Field::SoloSpell => !versus,
        Field::CoopHands => options.mode == Mode::Coop,
        _ => true,
    }
}

pub fn field_name(words: &Words, field: Field) -> String {
    text(words, format!("rule.{field}"))
}

pub fn field_about(words: &Words, field: Field) -> String {
    text(words, format!("rule.{field}.about"))
}

pub fn value_name(words: &Words, field: Field, value: &str) -> String {
    match (field, value) {
        (_, "true") => words.get("rule.yes"),
        (_, "false") => words.get("rule.no"),
        (Field::MaxRounds, "null") => words.get("option.no_limit"),
        (Field::MaxRounds, rounds) => rounds.into(),
        (Field::Costs, costs) => cost_names(words, costs),
        _ => text(words, format!("rule.{field}.{value}")),
    }
}

fn cost_names(words: &Words, costs: &str) -> String {
    let name = |entry: &str| {
        let (code, cost) = entry.split_once(':')?;
        let spell = words.say(&labels::spell(Spell::from_code(code)?));
        Some(format!("{spell} {cost}"))
    };
    let names: Vec<_> = costs.split(',').filter_map(name).collect();
    names.join(", ")
}

fn text(words: &Words, key: String) -> String {
    words.raw(&key).map_or(key, Into::into)
}

/// The description of a field, and each printed value with the editions that use it.
pub fn about(words: &Words, field: Field, mode: Mode) -> String {
    let presets = Preset::ALL.into_iter();
    let mut values: Vec<(String, Vec<String>)> = Vec::new();
    for preset in presets.filter(|preset| mode == Mode::Versus || preset.has_solo()) {
        let first = preset.options(mode).get(field);
        let others = field.values().iter().map(|value| (*value).to_string());
        let others = others.filter(|value| *value != first && preset.prints(field, value));
        for value in std::iter::once(first.clone()).chain(others) {
            let name = words.get(short_name(preset));
            match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, editions)) => editions.push(name),
                None => values.push((value, vec![name])),
            }
        }
    }
    let is_one = values.len() == 1;
    let told = values.iter().map(|(value, editions)| {
        let other = values.iter().find(|(other, _)| other != value);
        let name = match (field, other) {
            (Field::Costs, Some((other, _))) => cost_names(words, &changed_costs(value, other)),
            _ => value_name(words, field, value),
        };
        let editions = if is_one {
            words.get("setup.played_by_all")
        } else {
            editions.join(", ")
        };
        let line = say("setup.played_so").with("value", name);
        words.say(&line.with("editions", editions))
    });
    let told: Vec<_> = told.collect();
    format!("{} {}.", field_about(words, field), told.join("; "))
}

/// The differences between a table and its edition's rulebook, one per line; empty if it is played as printed. Fields
/// without effect at this table are omitted.
pub fn house_rules(words: &Words, settings: &Settings) -> Vec<String> {
    let colours = Colour::ALL
        .into_iter()
        .take(settings.seats.into())
        .collect();
    let departures = settings.setup(colours).departures();
    let told = departures
        .into_iter()
        .filter(|departure| applies(departure.field, &settings.options));
    told.map(|departure| {
        let value = match departure.field {
            Field::SpellSetup => spells(words, settings.spells),
            Field::Costs => cost_names(words, &changed_costs(&departure.table, &departure.printed)),
            field => value_name(words, field, &departure.table),
        };
        format!("{}: {value}", field_name(words, departure.field))
    })
    .collect()
}

/// The costs that differ from the printed ones.
fn changed_costs(table: &str, printed: &str) -> String {
    let pairs = table.split(',').zip(printed.split(','));
    let changed: Vec<_> = pairs.filter(|(a, b)| a != b).map(|(a, _)| a).collect();
    changed.join(",")
}

pub fn spells(words: &Words, spells: Spells) -> String {
    match spells {
        Spells::Random(n) => words.say(&say("spells.drawn").with("n", n)),
        Spells::Chosen(set) if set.is_empty() => words.get("spells.none"),
        Spells::Chosen(set) => {
            let names: Vec<_> = set.iter().map(|s| words.say(&labels::spell(s))).collect();
            names.join(", ")
        }
    }
}

/// The edition of a table, and whether it is played as printed.
pub fn edition_line(words: &Words, settings: &Settings) -> String {
    let name = words.get(edition(settings.preset));
    let departures = house_rules(words, settings).len() as u32;
    let line: Message = if departures == 0 {
        say("edition.printed")
    } else {
        say("edition.house_rules").with("n", departures)
    };
    words.say(&line.with("edition", name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn every_field_and_value_has_words_in_every_language() {
        for language in Language::ALL {
            let words = Words::of(language);
            for field in Field::ALL.iter().copied().filter(|f| f.is_of_edition()) {
                assert!(!field_name(&words, field).starts_with("rule."), "{field}");
                assert!(!field_about(&words, field).starts_with("rule."), "{field}");
                for value in field.values() {
                    let name = value_name(&words, field, value);
                    assert!(!name.starts_with("rule."), "{field}={value}");
                }
            }
        }
    }

    #[test]
    fn a_table_says_truthfully_whether_it_is_played_as_printed() {
        let words = Words::of(Language::English);
        for preset in Preset::ALL {
            for reactions in [false, true] {
                let mut settings = Settings::new(preset, Mode::Versus, 4);
                settings.options.reactions = reactions;
                settings.spells = Spells::usual(&settings.options);
                assert_eq!(house_rules(&words, &settings), [""; 0], "{preset:?}");
                assert!(edition_line(&words, &settings).contains("as printed"));
            }
        }
        let mut settings = Settings::new(Preset::Capstone, Mode::Versus, 2);
        settings.options.memory = towers_rules::Memory::Assisted;
        settings.options.refresh_tower = towers_rules::RefreshTower::May;
        settings.options.costs = settings.options.costs.with(Spell::FreeWizard, 3);
        assert_eq!(
            house_rules(&words, &settings),
            [
                "Tower when taking new cards: may move",
                "Memory: memory aid on",
                "Spell costs: Free a Wizard 3",
            ]
        );
        assert!(edition_line(&words, &settings).contains("3 house rules"));
        // Reactions are off, so their fields have no effect.
        settings.options.spell_right = towers_rules::SpellRight::Shared;
        assert_eq!(house_rules(&words, &settings).len(), 3);
    }

    #[test]
    fn every_field_says_which_editions_play_it_how() {
        for language in Language::ALL {
            let words = Words::of(language);
            for mode in [Mode::Versus, Mode::Solo, Mode::Coop] {
                for field in Field::ALL.iter().copied().filter(|f| f.is_of_edition()) {
                    let told = about(&words, field, mode);
                    let rest = told.strip_prefix(&field_about(&words, field));
                    let rest = rest.expect("the description comes first");
                    let printed = |preset: Preset| preset.options(mode).get(field);
                    let by_all = rest.contains(&words.get("setup.played_by_all"));
                    let all = Preset::ALL.into_iter();
                    let mut presets = all.filter(|p| mode == Mode::Versus || p.has_solo());
                    // OYA has both kinds of cooperative hands.
                    let agree = field != Field::CoopHands
                        && presets
                            .clone()
                            .all(|p| printed(p) == printed(Preset::Capstone));
                    assert_eq!(by_all, agree, "{field}: {rest}");
                    let names = |preset| rest.contains(&words.get(short_name(preset)));
                    assert!(agree || presets.all(names), "{field}: {rest}");
                }
            }
        }
        let words = Words::of(Language::English);
        let told = |field| about(&words, field, Mode::Versus);
        assert!(
            told(Field::Costs)
                .ends_with(" Free a Wizard 2: Capstone, OYA; Free a Wizard 1: ABACUS 1, ABACUS 2.")
        );
        assert!(told(Field::MaxRounds).ends_with(": all editions."));
        assert!(
            about(&words, Field::CoopHands, Mode::Coop)
                .ends_with(" open for all: Capstone, OYA; hidden: OYA.")
        );
        assert!(told(Field::RefreshTower).contains("must move: Capstone; may move: ABACUS 1"));
    }

    #[test]
    fn editions_with_different_rules_have_different_lines() {
        let reactions = [Field::SpellRight, Field::SpellTime, Field::FreeAnyTime];
        let refresh = [Field::RefreshTower, Field::RefreshDraw, Field::RefreshSpell];
        for language in Language::ALL {
            let words = Words::of(language);
            for (i, a) in Preset::ALL.into_iter().enumerate() {
                for b in Preset::ALL.into_iter().skip(i + 1) {
                    let lines = |preset| about_edition(preset).map(|line| words.get(line));
                    let (ours, theirs) = (lines(a), lines(b));
                    let differ = |fields: &[Field]| {
                        let options = |preset: Preset| preset.options(Mode::Versus);
                        let mut fields = fields.iter().copied();
                        fields.any(|f| options(a).get(f) != options(b).get(f))
                    };
                    assert_eq!(ours[0] != theirs[0], differ(&refresh), "{a:?} {b:?}");
                    assert_eq!(ours[1] != theirs[1], differ(&reactions), "{a:?} {b:?}");
                    assert_ne!(ours[2], theirs[2], "{a:?} {b:?}");
                }
            }
        }
    }
}
