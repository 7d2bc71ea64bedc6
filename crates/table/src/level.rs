//! The levels of bots, as tables and messages name them. Who plays at a level is for the driver of
//! the table to say.

use serde::{Deserialize, Serialize};

/// How well a bot plays.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BotLevel {
    /// For beginners.
    Novice,
    /// For those who have played before.
    #[default]
    Apprentice,
    /// For those who play often.
    Adept,
    /// As well as there is time for.
    Master,
}

impl BotLevel {
    /// All four, the weakest first.
    pub const ALL: [BotLevel; 4] = [
        BotLevel::Novice,
        BotLevel::Apprentice,
        BotLevel::Adept,
        BotLevel::Master,
    ];

    /// Its name in lower case, as in messages.
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
