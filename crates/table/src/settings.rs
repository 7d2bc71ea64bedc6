//! What a table can choose: the rules of the game, and the manners of the table.

pub use bots::Level as BotLevel;
use rules::{Choice, Colour, MAX_SEATS, Mode, Options, Preset, Seat, Setup, SetupError, Spells};
use serde::{Deserializer, Serialize};
use wire::{Deserialize, Tree, Wrong};

use crate::json::read;

wire::tagged! {
    "kind";
    /// How much time players have.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Clock {
        /// As much as they like.
        None,
        /// So many seconds for each decision.
        Move {
            /// Seconds.
            seconds: u32,
        },
        /// So many seconds for the whole game, and some more after each of one's own turns.
        Bank {
            /// Seconds at the start.
            seconds: u32,
            /// Seconds added after each turn.
            increment: u32,
        },
        /// So many days for each decision: for tables that are played over weeks.
        Days {
            /// Days.
            days: u32,
        },
    }
}

#[allow(
    clippy::derivable_impls,
    reason = "the mark of a default alternative does not go through `tagged!`"
)]
impl Default for Clock {
    fn default() -> Clock {
        Clock::None
    }
}

/// Who begins (R3.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Drawn at random.
    #[default]
    Random,
    /// This seat.
    Seat(Seat),
}

/// All settings of a table. When read, what is missing is as usual for the edition, the mode and
/// the number of seats; so `{"seats":4,"options":{"teams":true}}` is enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// What the table is called in the lobby; may be empty.
    pub title: String,
    /// Whether the lobby lists it.
    pub public: bool,
    /// How many seats there are.
    pub seats: u8,
    /// The edition.
    pub preset: Preset,
    /// Every rules setting; `spell_setup` and `start_setup` follow from the fields below.
    pub options: Options,
    /// The spells in play (R3.4).
    pub spells: Spells,
    /// Who begins.
    pub start: Start,
    /// How much time players have.
    pub clock: Clock,
    /// How many seconds players have for each answer in a reaction window, before the table passes
    /// for them; none: the clock runs there as everywhere.
    pub reaction_seconds: Option<u32>,
    /// Who plays on for those who are away.
    pub stand_in: BotLevel,
}

impl Settings {
    /// The usual table of an edition.
    pub fn new(preset: Preset, mode: Mode, seats: u8) -> Settings {
        let setup = Setup::new(preset, mode, usize::from(seats));
        Settings {
            title: String::new(),
            public: false,
            seats,
            preset,
            options: setup.options,
            spells: setup.spells,
            start: Start::Random,
            clock: Clock::None,
            reaction_seconds: Some(20),
            stand_in: BotLevel::Adept,
        }
        .settled()
    }

    /// What the rules need to begin, with these colours.
    pub fn setup(&self, colours: Vec<Colour>) -> Setup {
        let start = match self.start {
            Start::Random => None,
            Start::Seat(seat) => colours.get(seat.index()).copied(),
        };
        Setup {
            preset: self.preset,
            options: self.options,
            seats: colours,
            start,
            spells: self.spells,
        }
    }

    /// Whether a game can be played like this.
    pub fn check(&self) -> Result<(), SettingsError> {
        let seats = usize::from(self.seats);
        if seats == 0 || seats > MAX_SEATS {
            return Err(SettingsError::Rules(SetupError::Players));
        }
        if matches!(self.start, Start::Seat(seat) if seat.index() >= seats) {
            return Err(SettingsError::Rules(SetupError::Start));
        }
        let longest = 365 * 24 * 3600;
        let fits = match self.clock {
            Clock::None => true,
            Clock::Move { seconds } => (5..=longest).contains(&seconds),
            Clock::Bank { seconds, increment } => {
                (10..=longest).contains(&seconds) && increment <= 3600
            }
            Clock::Days { days } => (1..=90).contains(&days),
        };
        if !fits || matches!(self.reaction_seconds, Some(s) if !(1..=3600).contains(&s)) {
            return Err(SettingsError::Clock);
        }
        let colours = Colour::ALL.into_iter().take(seats).collect();
        self.setup(colours).check().map_err(SettingsError::Rules)
    }

    /// R12.9, R15.3: partners and companions do not talk while a game is going on.
    pub fn is_silent(&self) -> bool {
        self.options.teams || self.options.mode == Mode::Coop
    }

    /// Fills in what follows from other fields.
    fn settled(mut self) -> Settings {
        self.options.start_setup = match self.start {
            Start::Random => Choice::Random,
            Start::Seat(_) => Choice::Chosen,
        };
        self.options.spell_setup = match self.spells {
            Spells::Random(_) => Choice::Random,
            Spells::Chosen(_) => Choice::Chosen,
        };
        self
    }

    /// Settings of which only some are given.
    fn from_partial(given: Tree) -> Result<Settings, String> {
        if !matches!(given, Tree::Map(_)) {
            return Err("settings are an object".into());
        }
        let preset = match given.get("preset") {
            Some(name) => Preset::deserialize(name.clone()).map_err(|e| e.to_string())?,
            None => Preset::default(),
        };
        let options = given.get("options");
        let mode = match options.and_then(|o| o.get("mode")) {
            Some(name) => Mode::deserialize(name.clone()).map_err(|e| e.to_string())?,
            None => Mode::default(),
        };
        let usual_seats = if mode == Mode::Solo { 1 } else { 2 };
        let seats = match given.get("seats") {
            Some(Tree::Whole(n)) => (*n).min(255) as u8,
            _ => usual_seats,
        };
        let remembers = options.is_some_and(|o| o.get("memory").is_some());
        let usual = Settings::new(preset, mode, seats);
        let usual = serde_json::to_string(&usual).map_err(|e| e.to_string())?;
        let mut all = read(&usual)?;
        merge(&mut all, given)?;
        let read = Settings::whole(all).map_err(|e| e.to_string())?;
        let mut settings = read.settled();
        if !remembers {
            let setup = settings.setup(Vec::new());
            settings.options.memory = setup.usual_memory();
        }
        Ok(settings)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::new(Preset::default(), Mode::default(), 2)
    }
}

/// Lays what is given over what is usual. Objects are merged, but for those that are one of several
/// alternatives: they are replaced.
fn merge(usual: &mut Tree, given: Tree) -> Result<(), String> {
    match (usual, given) {
        (Tree::Map(usual), Tree::Map(given)) => {
            for (key, value) in given {
                match usual.iter_mut().find(|(k, _)| *k == key).map(|(_, v)| v) {
                    None => return Err(format!("there is no setting '{key}'")),
                    Some(old) if matches!(key.as_str(), "options" | "costs") => merge(old, value)?,
                    Some(old) => *old = value,
                }
            }
            Ok(())
        }
        (usual, given) => {
            *usual = given;
            Ok(())
        }
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Settings, D::Error> {
        let given = Tree::deserialize(from)?;
        Settings::from_partial(given).map_err(serde::de::Error::custom)
    }
}

impl Settings {
    /// From a tree in which every field is given.
    fn whole(mut all: Tree) -> Result<Settings, Wrong> {
        Ok(Settings {
            title: all.field("title")?,
            public: all.field("public")?,
            seats: all.field("seats")?,
            preset: all.field("preset")?,
            options: all.field("options")?,
            spells: all.field("spells")?,
            start: all.field("start")?,
            clock: all.field("clock")?,
            reaction_seconds: all.field("reaction_seconds")?,
            stand_in: all.field("stand_in")?,
        })
    }
}

/// Why settings cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The rules do not allow it.
    #[error("{0}")]
    Rules(#[from] SetupError),
    /// A time is too short or too long.
    #[error("a time is too short or too long")]
    Clock,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Memory;

    #[test]
    fn what_is_missing_is_as_usual_for_edition_and_mode() {
        let read = |text: &str| serde_json::from_str::<Settings>(text).unwrap();
        assert_eq!(read("{}"), Settings::default());
        let teams = read(r#"{"seats":4,"options":{"teams":true,"costs":{"FW":1}}}"#);
        assert!(teams.options.teams && teams.is_silent());
        assert_eq!(teams.options.costs.of(rules::Spell::FreeWizard), 1);
        assert_eq!(teams.options.memory, Memory::Strict);
        let oya = read(r#"{"preset":"oya","options":{"mode":"solo"}}"#);
        assert_eq!((oya.seats, oya.options.solo_refresh), (1, true));
    }

    #[test]
    fn whole_settings_are_read_as_they_were_written() {
        let mut settings = Settings::new(Preset::Abacus1, Mode::Versus, 5);
        settings.clock = Clock::Bank {
            seconds: 600,
            increment: 10,
        };
        settings.start = Start::Seat(Seat(3));
        settings.spells = Spells::Random(4);
        settings.options.memory = Memory::Assisted;
        let settings = settings.settled();
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
    }

    #[test]
    fn unknown_and_impossible_settings_are_refused() {
        assert!(serde_json::from_str::<Settings>(r#"{"seets":4}"#).is_err());
        assert!(serde_json::from_str::<Settings>(r#"{"options":{"team":true}}"#).is_err());
        let check = |text: &str| serde_json::from_str::<Settings>(text).unwrap().check();
        assert!(check(r#"{"seats":3,"options":{"teams":true}}"#).is_err());
        assert!(check(r#"{"seats":0}"#).is_err());
        assert!(check(r#"{"seats":2,"start":{"seat":2}}"#).is_err());
        assert!(check(r#"{"clock":{"kind":"move","seconds":0}}"#).is_err());
        assert!(check(r#"{"clock":{"kind":"days","days":3}}"#).is_ok());
    }
}
