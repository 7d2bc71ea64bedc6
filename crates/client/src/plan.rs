//! A game setup. Changes keep the settings consistent.

use serde::{Deserialize, Serialize};
use towers_rules::{
    Colour, Field, Memory, Mode, Preset, Selection, Spell, SpellRight, SpellSet, SpellTime, Spells,
};
use towers_table::{BotLevel, Settings};

use crate::daily::DealSource;

/// The player on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sitter {
    /// A person at this device.
    Person {
        /// The person's name.
        name: String,
    },
    Bot {
        /// The strength of the bot.
        level: BotLevel,
    },
}

impl Sitter {
    pub fn is_person(&self) -> bool {
        matches!(self, Sitter::Person { .. })
    }
}

/// A game setup. After every change, dependent settings are adjusted so that it stays playable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The settings of the table.
    pub settings: Settings,
    /// The players by seat.
    pub seats: Vec<(Colour, Sitter)>,
    /// Whether players may ask for hints.
    pub hints: bool,
    /// The day, if this is a deal of the day.
    #[serde(default)]
    pub daily: Option<String>,
    /// The source of the seed of that deal; `None` in games of earlier versions.
    #[serde(default)]
    pub deal_source: Option<DealSource>,
}

impl Plan {
    /// A first game: one person against bots, with the spells for beginners and the memory aid.
    pub fn against_bots(name: &str, bots: usize, level: BotLevel) -> Plan {
        let mut plan = Plan {
            settings: local(Settings::new(Preset::Capstone, Mode::Versus, 2)),
            seats: vec![(Colour::Blue, Sitter::Person { name: name.into() })],
            hints: true,
            daily: None,
            deal_source: None,
        };
        plan.set_players(bots + 1, level, &[]);
        plan.settings.options.memory = Memory::Assisted;
        plan
    }

    /// The same setup with the default memory rule.
    #[must_use]
    pub fn with_usual_memory(mut self) -> Plan {
        self.settings.options.memory = self.usual_memory();
        self
    }

    /// A game of several persons at one device.
    pub fn hot_seat(names: &[String]) -> Plan {
        let mut plan = Plan::against_bots("", names.len().saturating_sub(1), BotLevel::default());
        for (seat, name) in plan.seats.iter_mut().zip(names) {
            seat.1 = Sitter::Person { name: name.clone() };
        }
        plan
    }

    /// A solo game, with or without spells.
    pub fn solo(name: &str, spells: bool) -> Plan {
        let mut plan = Plan::against_bots(name, 1, BotLevel::default());
        plan.set_mode(Mode::Solo);
        if spells {
            let three = [Spell::AdvanceWizard, Spell::AdvanceTower, Spell::FreeWizard];
            plan.settings.spells = Spells::Chosen(three.into_iter().collect());
        }
        plan.repair();
        plan
    }

    /// Changes the mode and adjusts the number of players.
    pub fn set_mode(&mut self, mode: Mode) {
        let players = match mode {
            Mode::Solo => 1,
            Mode::Versus | Mode::Coop => self.seats.len().max(2),
        };
        let preset = self.settings.preset;
        let preset = if mode == Mode::Versus || preset.has_solo() {
            preset
        } else {
            Preset::Capstone
        };
        self.renew(preset, mode, players);
        self.set_players(players, BotLevel::default(), &[]);
    }

    /// Resets to the defaults of an edition, except settings of the table itself.
    fn renew(&mut self, preset: Preset, mode: Mode, players: usize) {
        let old = std::mem::replace(
            &mut self.settings,
            local(Settings::new(preset, mode, players as u8)),
        );
        self.settings.title = old.title;
        self.settings.public = old.public;
        self.settings.clock = old.clock;
        self.settings.reaction_seconds = old.reaction_seconds;
        self.settings.stand_in = old.stand_in;
        self.settings.options.memory = self.usual_memory();
    }

    /// Changes the edition and its options.
    pub fn set_preset(&mut self, preset: Preset) {
        if self.settings.options.mode != Mode::Versus && !preset.has_solo() {
            self.set_mode(Mode::Versus);
        }
        let old = self.settings.options;
        self.renew(preset, old.mode, self.seats.len());
        self.settings.options.teams = old.teams;
        self.settings.options.reactions = old.reactions;
        self.settings.spells = Spells::usual(&self.settings.options);
        self.repair();
    }

    /// Changes the number of players. New players are bots of this level, or persons with these names if there are only
    /// persons.
    pub fn set_players(&mut self, players: usize, level: BotLevel, names: &[String]) {
        let players = match self.settings.options.mode {
            Mode::Solo => 1,
            Mode::Versus | Mode::Coop => players.clamp(2, 6),
        };
        let persons = self.persons();
        let all = persons > 1 && persons == self.seats.len();
        // Removing players never removes the only person.
        let first = self.seats.iter().position(|(_, s)| s.is_person());
        if let Some(first) = first.filter(|&first| first >= players) {
            self.seats[players - 1].1 = self.seats[first].1.clone();
        }
        self.seats.truncate(players);
        while self.seats.len() < players {
            let free = Colour::ALL
                .into_iter()
                .find(|c| self.seats.iter().all(|(d, _)| d != c));
            let sitter = match names.get(self.seats.len()) {
                Some(name) if all => Sitter::Person { name: name.clone() },
                _ => Sitter::Bot { level },
            };
            self.seats.push((free.unwrap_or(Colour::Blue), sitter));
        }
        self.settings.seats = players as u8;
        self.repair();
    }

    /// Sets the colour of a seat; a seat that already has it swaps with this one.
    pub fn set_colour(&mut self, seat: usize, colour: Colour) {
        let old = self.seats[seat].0;
        if let Some(other) = self.seats.iter_mut().find(|(c, _)| *c == colour) {
            other.0 = old;
        }
        self.seats[seat].0 = colour;
    }

    /// Whether teams are available.
    pub fn may_have_teams(&self) -> bool {
        self.settings.options.mode == Mode::Versus && matches!(self.seats.len(), 4 | 6)
    }

    /// Whether reactions are available.
    pub fn may_have_reactions(&self) -> bool {
        self.settings.options.mode == Mode::Versus
    }

    /// The modes of the edition.
    pub fn modes(&self) -> Vec<Mode> {
        if self.settings.preset.has_solo() {
            vec![Mode::Versus, Mode::Solo, Mode::Coop]
        } else {
            vec![Mode::Versus]
        }
    }

    /// The chosen spells; `None` if they are drawn.
    pub fn chosen_spells(&self) -> Option<SpellSet> {
        match self.settings.spells {
            Spells::Chosen(set) => Some(set),
            Spells::Random(_) => None,
        }
    }

    /// Adds a spell to the chosen ones, or removes it.
    pub fn toggle_spell(&mut self, spell: Spell) {
        let set = self.chosen_spells().unwrap_or(SpellSet::NONE);
        let others: SpellSet = set.iter().filter(|&s| s != spell).collect();
        let new = if set.contains(spell) {
            others
        } else {
            set.with(spell)
        };
        self.settings.spells = Spells::Chosen(new);
        self.repair();
    }

    /// The default memory rule: as printed, players remember (R16.2). Solo and cooperative games start with the memory
    /// aid, and the screen says so.
    fn usual_memory(&self) -> Memory {
        match self.settings.options.mode {
            Mode::Versus => Memory::Strict,
            Mode::Solo | Mode::Coop => Memory::Assisted,
        }
    }

    /// Sets a field of the rules and adjusts the fields that depend on it (R13.11, R13.12).
    pub fn set_field(&mut self, field: Field, value: &str) {
        let options = &mut self.settings.options;
        if options.set(field, value).is_err() {
            return;
        }
        match field {
            Field::SpellTime if options.spell_time != SpellTime::Any => {
                options.spell_right = SpellRight::Shared;
                options.free_any_time = false;
            }
            Field::SpellRight if options.spell_right == SpellRight::Each => {
                options.spell_time = SpellTime::Any;
            }
            Field::FreeAnyTime if options.free_any_time => options.spell_time = SpellTime::Any,
            _ => {}
        }
        self.repair();
    }

    /// Turns reactions on or off, with the usual spells unless others were chosen.
    pub fn set_reactions(&mut self, on: bool) {
        let was_usual = self.settings.spells == Spells::usual(&self.settings.options);
        self.settings.options.reactions = on;
        if was_usual {
            self.settings.spells = Spells::usual(&self.settings.options);
        }
        self.repair();
    }

    /// The number of persons at this device.
    pub fn persons(&self) -> usize {
        self.seats.iter().filter(|(_, s)| s.is_person()).count()
    }

    /// The first person.
    pub fn host_mut(&mut self) -> Option<&mut Sitter> {
        let mut sitters = self.seats.iter_mut().map(|(_, sitter)| sitter);
        sitters.find(|sitter| sitter.is_person())
    }

    /// The first person, who opens the table: seat and name.
    pub fn host(&self) -> Option<(usize, &str)> {
        let mut seats = self.seats.iter().enumerate();
        seats.find_map(|(seat, (_, sitter))| match sitter {
            Sitter::Person { name } => Some((seat, name.as_str())),
            Sitter::Bot { .. } => None,
        })
    }

    /// Whether a game can start with this setup.
    pub fn is_playable(&self) -> bool {
        self.persons() > 0 && self.settings.check().is_ok() && self.names_differ()
    }

    /// Whether a table on a server can be opened with this setup. The other persons choose their own names.
    pub fn can_be_opened(&self) -> bool {
        let named = |(_, name): (usize, &str)| !name.trim().is_empty();
        self.host().is_some_and(named) && self.settings.check().is_ok()
    }

    fn names_differ(&self) -> bool {
        let names: Vec<String> = self
            .seats
            .iter()
            .filter_map(|(_, s)| match s {
                Sitter::Person { name } => Some(towers_table::folded(name.trim())),
                Sitter::Bot { .. } => None,
            })
            .collect();
        (0..names.len()).all(|i| !names[i].is_empty() && !names[..i].contains(&names[i]))
    }

    /// Resets settings that are not allowed together.
    pub fn repair(&mut self) {
        self.settings.seats = self.seats.len() as u8;
        if !self.may_have_teams() {
            self.settings.options.teams = false;
        }
        if !self.may_have_reactions() {
            self.settings.options.reactions = false;
        }
        self.settings.options.spell_setup = match self.settings.spells {
            Spells::Random(_) => Selection::Random,
            Spells::Chosen(_) => Selection::Chosen,
        };
        if let towers_table::Start::Seat(seat) = self.settings.start
            && seat.index() >= self.seats.len()
        {
            self.settings.start = towers_table::Start::Random;
        }
    }
}

/// Removes the limit on reaction time; it is for tables on a server.
fn local(mut settings: Settings) -> Settings {
    settings.reaction_seconds = None;
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_person_opens_the_table_and_others_bring_their_names() {
        let same = ["Ann", "Ann"].map(String::from);
        let mut plan = Plan::hot_seat(&same);
        assert!(!plan.is_playable() && plan.can_be_opened());
        plan.seats[0].1 = Sitter::Bot {
            level: BotLevel::Novice,
        };
        assert_eq!(plan.host(), Some((1, "Ann")));
        plan.seats[1].1 = Sitter::Person { name: " ".into() };
        assert!(!plan.can_be_opened());
    }

    #[test]
    fn every_choice_leaves_a_playable_plan() {
        for mode in [Mode::Versus, Mode::Solo, Mode::Coop] {
            for preset in Preset::ALL {
                for players in 1..=6 {
                    let mut plan = Plan::against_bots("Ann", 3, BotLevel::Adept);
                    plan.settings.options.teams = true;
                    plan.settings.options.reactions = true;
                    plan.set_mode(mode);
                    plan.set_preset(preset);
                    plan.set_players(players, BotLevel::Novice, &[]);
                    plan.toggle_spell(Spell::Piggyback);
                    assert_eq!(
                        plan.settings.check(),
                        Ok(()),
                        "{mode:?} {preset:?} {players}"
                    );
                    assert!(plan.is_playable());
                    assert_eq!(plan.settings.preset, preset);
                    assert!(plan.modes().contains(&plan.settings.options.mode));
                }
            }
        }
    }

    #[test]
    fn every_single_rule_leaves_a_playable_table() {
        for preset in Preset::ALL {
            for &field in Field::ALL.iter().filter(|f| f.is_of_edition()) {
                for value in field.values() {
                    let mut plan = Plan::against_bots("Ann", 3, BotLevel::Adept);
                    plan.set_preset(preset);
                    plan.set_reactions(true);
                    plan.set_field(field, value);
                    assert_eq!(plan.settings.options.get(field), *value);
                    assert_eq!(plan.settings.check(), Ok(()), "{preset:?} {field}={value}");
                }
            }
        }
    }

    #[test]
    fn reactions_keep_spells_that_were_chosen() {
        let mut plan = Plan::against_bots("Ann", 2, BotLevel::Novice);
        let usual = plan.settings.spells;
        plan.set_reactions(true);
        assert_ne!(plan.settings.spells, usual);
        plan.set_reactions(false);
        assert_eq!(plan.settings.spells, usual);
        plan.settings.spells = Spells::Chosen(SpellSet::ALL);
        plan.repair();
        plan.set_reactions(true);
        assert_eq!(plan.settings.spells, Spells::Chosen(SpellSet::ALL));
        assert_eq!(plan.settings.check(), Ok(()));
    }

    #[test]
    fn r16_2_games_that_are_set_up_start_as_printed_and_first_games_with_the_memory_aid() {
        let mut plan = Plan::against_bots("Ann", 2, BotLevel::Novice);
        assert_eq!(plan.settings.options.memory, Memory::Assisted);
        plan = plan.with_usual_memory();
        for preset in Preset::ALL {
            plan.set_preset(preset);
            assert_eq!(plan.settings.options.memory, Memory::Strict, "{preset:?}");
        }
        for mode in [Mode::Solo, Mode::Coop] {
            plan.set_mode(mode);
            assert_eq!(plan.settings.options.memory, Memory::Assisted, "{mode:?}");
        }
        plan.set_mode(Mode::Versus);
        assert_eq!(plan.settings.options.memory, Memory::Strict);
    }

    #[test]
    fn persons_need_names_of_their_own() {
        let mut plan = Plan::hot_seat(&["Ann".into(), "ann ".into()]);
        assert!(!plan.is_playable());
        plan.seats[1].1 = Sitter::Person { name: "Ben".into() };
        assert!(plan.is_playable());
    }

    #[test]
    fn a_table_of_persons_grows_by_persons() {
        let names = ["Ann", "Ben", "Cleo", "Dan"].map(String::from);
        let mut plan = Plan::hot_seat(&names[..2]);
        plan.set_players(4, BotLevel::Adept, &names);
        assert_eq!(plan, {
            let mut same = Plan::hot_seat(&names);
            same.settings = plan.settings.clone();
            same
        });
        plan.seats[2].1 = Sitter::Bot {
            level: BotLevel::Adept,
        };
        plan.set_players(5, BotLevel::Adept, &names);
        assert_eq!(plan.persons(), 3);
    }

    #[test]
    fn the_last_person_stays_at_a_smaller_table() {
        for (mode, players) in [(Mode::Versus, 2), (Mode::Solo, 1)] {
            let mut plan = Plan::against_bots("Ann", 2, BotLevel::Adept);
            let last = plan.seats.len() - 1;
            (plan.seats[0].1, plan.seats[last].1) =
                (plan.seats[last].1.clone(), plan.seats[0].1.clone());
            plan.set_mode(mode);
            plan.set_players(players, BotLevel::Adept, &[]);
            let person = Sitter::Person { name: "Ann".into() };
            assert_eq!(plan.seats[players - 1].1, person);
            assert_eq!(plan.persons(), 1);
        }
    }

    #[test]
    fn colours_are_exchanged() {
        let mut plan = Plan::hot_seat(&["Ann".into(), "Ben".into()]);
        plan.set_colour(0, Colour::Yellow);
        assert_eq!(plan.seats[0].0, Colour::Yellow);
        assert_eq!(plan.seats[1].0, Colour::Blue);
    }
}
