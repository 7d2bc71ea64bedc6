//! The levels of bots, as named in tables and messages. The driver of the table maps them to actual bots.

use serde::{Deserialize, Serialize};

/// The strength of a bot.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BotLevel {
    /// For beginners.
    Novice,
    /// For people who have played before.
    #[default]
    Apprentice,
    /// For people who play often.
    Adept,
    /// The strongest play that its time budget allows.
    Master,
}

impl BotLevel {
    /// All levels, weakest first.
    pub const ALL: [BotLevel; 4] = [
        BotLevel::Novice,
        BotLevel::Apprentice,
        BotLevel::Adept,
        BotLevel::Master,
    ];

    /// The name in lower case, as in messages.
    pub const fn name(self) -> &'static str {
        match self {
            BotLevel::Novice => "novice",
            BotLevel::Apprentice => "apprentice",
            BotLevel::Adept => "adept",
            BotLevel::Master => "master",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_written_by_its_name() {
        for level in BotLevel::ALL {
            let text = format!("\"{}\"", level.name());
            assert_eq!(serde_json::to_string(&level).unwrap(), text);
            assert_eq!(serde_json::from_str::<BotLevel>(&text).unwrap(), level);
        }
    }
}
