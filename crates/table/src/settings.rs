//! Settings of a table: the rules of the game, and the conduct of the table.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use towers_rules::{
    Colour, MAX_SEATS, Mode, Options, Preset, Seat, Selection, Setup, SetupError, Spells,
};

use crate::command::is_false;
use crate::level::BotLevel;
use crate::record_v1::OptionsV1;

/// The time limits of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Clock {
    /// No limit.
    #[default]
    None,
    /// A limit for each decision.
    Move {
        /// The limit in seconds.
        seconds: u32,
    },
    /// A limit for the whole game, with an increment after each turn of the player.
    Bank {
        /// Seconds at the start.
        seconds: u32,
        /// Seconds added after each turn.
        increment: u32,
    },
    /// A limit in days for each decision, for tables that are played over weeks.
    Days {
        /// The limit in days.
        days: u32,
    },
}

/// The starting player (R3.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// A random seat.
    #[default]
    Random,
    /// A chosen seat.
    Seat(Seat),
}

/// All settings of a table. When read, missing fields get the defaults of the edition, the mode and the number of
/// seats; so `{"seats":4,"options":{"teams":true}}` is enough.
//
// `remote = "Self"` derives inherent functions instead of the traits. The implementations below call them after
// filling in missing fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self")]
pub struct Settings {
    /// The title in the lobby; may be empty.
    pub title: String,
    /// Whether the lobby lists it.
    pub public: bool,
    /// The number of seats, all of which have to be taken before a game.
    pub seats: u8,
    /// The edition.
    pub preset: Preset,
    /// Every rules setting; `spell_setup` and `start_setup` follow from the fields below.
    pub options: Options,
    /// The spells in play (R3.4).
    pub spells: Spells,
    /// The starting player.
    pub start: Start,
    /// The time limits of players.
    pub clock: Clock,
    /// Seconds for each answer in a reaction window, before the table passes for the player; `None` if the clock runs
    /// there as elsewhere. Without either, the table still passes for players who are away.
    pub reaction_seconds: Option<u32>,
    /// The bot that plays for people who are away.
    pub stand_in: BotLevel,
    /// The number of timeouts in a row after which a bot takes the seat. After earlier ones, it makes one move.
    #[serde(skip_serializing_if = "is_first")]
    pub time_outs: u8,
    /// Whether the games change the ratings of the players. It has no effect in solo and cooperative games.
    #[serde(skip_serializing_if = "is_false")]
    pub rated: bool,
}

/// The value of tables from before this setting existed: the first timeout gives the seat to a bot.
const FIRST_TIME_OUT: u8 = 1;

/// Whether to omit the field when writing, so that the checksums of such settings stay the same.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_first(time_outs: &u8) -> bool {
    *time_outs == FIRST_TIME_OUT
}

impl Settings {
    /// The default settings of an edition.
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
            time_outs: 3,
            rated: false,
        }
        .settled()
    }

    /// The setup of a game with these colours.
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

    /// Whether all rules are those of the edition's rulebook (§17).
    pub fn is_as_printed(&self) -> bool {
        let colours = Colour::ALL.into_iter().take(self.seats.into()).collect();
        self.setup(colours).departures().is_empty()
    }

    /// Checks that a game can be played with these settings.
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
        let fits = fits && (1..=100).contains(&self.time_outs);
        if !fits || matches!(self.reaction_seconds, Some(s) if !(1..=3600).contains(&s)) {
            return Err(SettingsError::Clock);
        }
        let colours = Colour::ALL.into_iter().take(seats).collect();
        self.setup(colours).check().map_err(SettingsError::Rules)
    }

    /// Whether partners and companions must not talk during a game (R12.9, R15.3).
    pub fn is_silent(&self) -> bool {
        self.options.teams || self.options.mode == Mode::Coop
    }

    /// Sets the fields that follow from others.
    pub(crate) fn settled(mut self) -> Settings {
        self.options.start_setup = match self.start {
            Start::Random => Selection::Random,
            Start::Seat(_) => Selection::Chosen,
        };
        self.options.spell_setup = match self.spells {
            Spells::Random(_) => Selection::Random,
            Spells::Chosen(_) => Selection::Chosen,
        };
        self
    }

    /// Reads settings with missing fields.
    fn from_partial(given: Value) -> Result<Settings, serde_json::Error> {
        let preset = match given.get("preset") {
            Some(name) => Preset::deserialize(name)?,
            None => Preset::default(),
        };
        let options = given.get("options");
        let mode = match options.and_then(|o| o.get("mode")) {
            Some(name) => Mode::deserialize(name)?,
            None => Mode::default(),
        };
        let default_seats = if mode == Mode::Solo { 1 } else { 2 };
        let seats = match given.get("seats").and_then(Value::as_u64) {
            Some(seats) => seats.min(255) as u8,
            None => default_seats,
        };
        let mut defaults = Settings::new(preset, mode, seats);
        if let Some(options) = options.filter(|o| OptionsV1::wrote(o)) {
            defaults.options = Options::deserialize(options)?;
        }
        // Complete settings of an earlier version have `stand_in`, but not this field.
        if given.get("stand_in").is_some() {
            defaults.time_outs = FIRST_TIME_OUT;
        }
        let has_spells = given.get("spells").is_some();
        let time_outs = defaults.time_outs;
        let mut all = serde_json::to_value(defaults)?;
        all["time_outs"] = time_outs.into();
        all["rated"] = false.into();
        merge(&mut all, given)?;
        // The derived function, which requires every field.
        let mut settings = Settings::deserialize(all)?;
        if !has_spells {
            settings.spells = Spells::usual(&settings.options);
        }
        Ok(settings.settled())
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Settings, D::Error> {
        let given = Value::deserialize(from)?;
        Settings::from_partial(given).map_err(D::Error::custom)
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Settings::serialize(self, to)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::new(Preset::default(), Mode::default(), 2)
    }
}

/// Overrides defaults with given values. `options` and their `costs` are merged; any other value is replaced as a
/// whole.
fn merge(defaults: &mut Value, given: Value) -> Result<(), serde_json::Error> {
    let (Value::Object(defaults), Value::Object(given)) = (defaults, given) else {
        return Err(Error::custom("settings are an object"));
    };
    for (key, value) in given {
        match defaults.get_mut(&key) {
            None => return Err(Error::custom(format!("there is no setting '{key}'"))),
            Some(old) if matches!(key.as_str(), "options" | "costs") => merge(old, value)?,
            Some(old) => *old = value,
        }
    }
    Ok(())
}

/// Why settings cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The rules do not allow them.
    #[error("{0}")]
    Rules(#[from] SetupError),
    /// A time limit is out of range.
    #[error("a time limit is out of range")]
    Clock,
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::Memory;

    #[test]
    fn missing_settings_have_the_defaults_of_edition_and_mode() {
        let read = |text: &str| serde_json::from_str::<Settings>(text).unwrap();
        assert_eq!(read("{}"), Settings::default());
        let teams = read(r#"{"seats":4,"options":{"teams":true,"costs":{"FW":1}}}"#);
        assert!(teams.options.teams && teams.is_silent());
        assert_eq!(teams.options.costs.of(towers_rules::Spell::FreeWizard), 1);
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

    /// Earlier versions did not know the setting; the checksums of their records stay the same.
    #[test]
    fn only_rated_tables_are_written_as_such() {
        let text = serde_json::to_string(&Settings::default()).unwrap();
        assert!(!text.contains("rated"), "{text}");
        let rated: Settings = serde_json::from_str(r#"{"rated":true}"#).unwrap();
        assert!(rated.rated);
        let text = serde_json::to_string(&rated).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), rated);
    }

    #[test]
    fn unknown_and_impossible_settings_are_refused() {
        for (text, field) in [
            (r#"{"seets":4}"#, "seets"),
            (r#"{"options":{"team":true}}"#, "team"),
        ] {
            let error = serde_json::from_str::<Settings>(text)
                .unwrap_err()
                .to_string();
            assert!(error.contains(field), "{text}: {error}");
        }
        for text in ["7", "[]", "null", r#"{"options":[]}"#, r#"{"seats":300}"#] {
            assert!(serde_json::from_str::<Settings>(text).is_err(), "{text}");
        }
        let check = |text: &str| serde_json::from_str::<Settings>(text).unwrap().check();
        for (text, reason) in [
            (r#"{"seats":3,"options":{"teams":true}}"#, "R12.1"),
            (r#"{"seats":0}"#, "players"),
            (r#"{"seats":2,"start":{"seat":2}}"#, "R3.5"),
            (r#"{"clock":{"kind":"move","seconds":0}}"#, "time limit"),
        ] {
            let error = check(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert!(check(r#"{"clock":{"kind":"days","days":3}}"#).is_ok());
    }
}
