//! What a table can choose: presets and options (§17).

use serde::Serialize;
use wire::Deserialize;

use crate::spell::{Costs, Spell};

/// A printed edition; it only fills in the [`Options`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Capstone Games, English.
    #[default]
    Capstone,
    /// ABACUSSPIELE, first printing.
    #[serde(rename = "abacus-1")]
    Abacus1,
    /// ABACUSSPIELE, later printing.
    #[serde(rename = "abacus-2")]
    Abacus2,
    /// OYA, French.
    Oya,
}

impl Preset {
    /// All four.
    pub const ALL: [Preset; 4] = [
        Preset::Capstone,
        Preset::Abacus1,
        Preset::Abacus2,
        Preset::Oya,
    ];

    /// Its name, as on the command line and in traces.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Capstone => "capstone",
            Preset::Abacus1 => "abacus-1",
            Preset::Abacus2 => "abacus-2",
            Preset::Oya => "oya",
        }
    }

    /// The preset with this name.
    pub fn from_name(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|p| p.name() == name)
    }

    /// Whether the edition has solo and cooperative games.
    pub const fn has_solo(self) -> bool {
        matches!(self, Preset::Capstone | Preset::Oya)
    }

    /// The options of the edition for a mode.
    pub fn options(self, mode: Mode) -> Options {
        let abacus = !self.has_solo();
        let oya = self == Preset::Oya;
        Options {
            mode,
            teams: false,
            reactions: false,
            // R16.2: assisted where everybody plays together.
            memory: if mode == Mode::Versus {
                Memory::Strict
            } else {
                Memory::Assisted
            },
            costs: if abacus {
                Costs::usual().with(Spell::FreeWizard, 1)
            } else {
                Costs::usual()
            },
            may_decline: false,
            free_any_time: self == Preset::Abacus1,
            team_end: if abacus {
                TeamEnd::AtOnce
            } else {
                TeamEnd::Round
            },
            solo_refresh: oya,
            solo_deck: if oya { SoloDeck::Renew } else { SoloDeck::Lose },
            coop_hands: CoopHands::Shared,
            max_rounds: None,
            spell_setup: Choice::Chosen,
            start_setup: Choice::Chosen,
        }
    }
}

/// Against each other, alone, or together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// 2–6 players against each other, alone or in teams.
    #[default]
    Versus,
    /// One player, 12 wizards (§14).
    Solo,
    /// 2–6 players together, 12 wizards (§15).
    Coop,
}

/// Whether views show imprisoned wizards (R16.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// They do not: players have to remember.
    #[default]
    Strict,
    /// They do.
    Assisted,
}

/// When a team game ends once a team has finished (R12.8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TeamEnd {
    /// The round is played out.
    #[default]
    Round,
    /// At once.
    AtOnce,
}

/// What an empty draw pile means in solo and cooperative games (R14.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SoloDeck {
    /// The game is lost.
    #[default]
    Lose,
    /// The discard pile is shuffled and drawn from.
    Renew,
}

/// Whose cards they are in cooperative games (R15.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CoopHands {
    /// Three cards face up for all.
    #[default]
    Shared,
    /// Three cards each.
    Private,
}

/// Whether something was chosen by the table or drawn at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Chosen by the table.
    #[default]
    Chosen,
    /// Drawn at random.
    Random,
}

/// Every rules setting of a table. The order of the fields is that of a trace's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Options {
    /// Versus, solo or cooperative.
    pub mode: Mode,
    /// Partners sit opposite (§12).
    pub teams: bool,
    /// Everybody may cast in windows after a declaration (§13).
    pub reactions: bool,
    /// R16.2.
    pub memory: Memory,
    /// What each spell costs (§10).
    pub costs: Costs,
    /// A card may be played without moving though it could move.
    pub may_decline: bool,
    /// A second window for Free a Wizard after each action (R13.11).
    pub free_any_time: bool,
    /// R12.8.
    pub team_end: TeamEnd,
    /// R14.5.
    pub solo_refresh: bool,
    /// R14.4.
    pub solo_deck: SoloDeck,
    /// R15.2.
    pub coop_hands: CoopHands,
    /// R11.7: the game ends after so many rounds.
    pub max_rounds: Option<u16>,
    /// Whether the spells in play are chosen or drawn (R3.4).
    pub spell_setup: Choice,
    /// Whether the starting player is chosen or drawn (R3.5).
    pub start_setup: Choice,
}

impl Default for Options {
    fn default() -> Options {
        Preset::default().options(Mode::default())
    }
}
