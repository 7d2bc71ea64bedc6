//! The arguments that describe a table, shared by all commands that play games.

use clap::{Args, ValueEnum};
use rules::{
    Choice, Colour, CoopHands, Memory, Mode, Preset, Setup, SoloDeck, Spell, SpellSet, Spells,
    TeamEnd,
};

use crate::failure::Failure;

/// What is played.
#[derive(Args, Clone, Debug)]
pub struct TableArgs {
    /// How many players, 1 to 6 [default: 2, or 1 in solo]
    #[arg(long)]
    pub players: Option<usize>,
    /// The printed edition whose rules apply: capstone, abacus-1, abacus-2 or oya
    #[arg(long, default_value = "capstone")]
    pub preset: String,
    /// Against each other, alone, or together
    #[arg(long, value_enum, default_value_t = ModeArg::Versus)]
    pub mode: ModeArg,
    /// Partners sit opposite (4 or 6 players)
    #[arg(long)]
    pub teams: bool,
    /// Everybody may react to every action with spells
    #[arg(long)]
    pub reactions: bool,
    /// Spells in play: codes (AW,AT,…), all, none, beginner, or random3 for three drawn at random
    /// [default: beginner; none in solo and coop]
    #[arg(long)]
    pub spells: Option<String>,
    /// What spells cost, for instance FW=1,AW=3
    #[arg(long)]
    pub costs: Option<String>,
    /// Who starts: a colour (b y r g o p) or random [default: the first seat]
    #[arg(long)]
    pub start: Option<String>,
    /// The colours of the seats, for instance r,g,b [default: b,y,r,g,o,p as far as needed]
    #[arg(long)]
    pub seats: Option<String>,
    /// Whether imprisoned wizards are shown
    #[arg(long, value_enum)]
    pub memory: Option<MemoryArg>,
    /// A card may be played without moving though it could move
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    pub may_decline: Option<bool>,
    /// A second window for Free a Wizard after each action (R13.11)
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    pub free_any_time: Option<bool>,
    /// When a team game ends once a team has finished (R12.8)
    #[arg(long, value_enum)]
    pub team_end: Option<TeamEndArg>,
    /// Refresh is allowed in solo and coop (R14.5)
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    pub solo_refresh: Option<bool>,
    /// What an empty draw pile means in solo and coop (R14.4)
    #[arg(long, value_enum)]
    pub solo_deck: Option<SoloDeckArg>,
    /// Shared or private hands in coop (R15.2)
    #[arg(long, value_enum)]
    pub coop_hands: Option<CoopHandsArg>,
    /// End the game after so many rounds (R11.7)
    #[arg(long)]
    pub max_rounds: Option<u16>,
}

macro_rules! value_enum {
    ($name:ident => $target:ident { $($variant:ident = $text:literal),* }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum $name {
            $(#[value(name = $text)] $variant,)*
        }

        impl From<$name> for $target {
            fn from(arg: $name) -> $target {
                match arg {
                    $($name::$variant => $target::$variant,)*
                }
            }
        }
    };
}

value_enum!(ModeArg => Mode { Versus = "versus", Solo = "solo", Coop = "coop" });
value_enum!(MemoryArg => Memory { Strict = "strict", Assisted = "assisted" });
value_enum!(TeamEndArg => TeamEnd { Round = "round", AtOnce = "at_once" });
value_enum!(SoloDeckArg => SoloDeck { Lose = "lose", Renew = "renew" });
value_enum!(CoopHandsArg => CoopHands { Shared = "shared", Private = "private" });

impl TableArgs {
    /// The table that is asked for, checked.
    pub fn setup(&self) -> Result<Setup, Failure> {
        let mode = Mode::from(self.mode);
        let preset = Preset::from_name(&self.preset).ok_or_else(|| {
            let names = Preset::ALL.map(Preset::name).join(", ");
            Failure::input(format!(
                "there is no preset '{}': choose one of {names}",
                self.preset
            ))
        })?;
        let players = self
            .players
            .unwrap_or(if mode == Mode::Solo { 1 } else { 2 });
        let mut setup = Setup::new(preset, mode, players);
        if let Some(seats) = &self.seats {
            setup.seats = seats.split(',').map(colour).collect::<Result<_, _>>()?;
            if self.players.is_some_and(|n| n != setup.seats.len()) {
                return Err(Failure::input("--players and --seats do not fit together"));
            }
        }
        setup.start = match self.start.as_deref() {
            None => setup.seats.first().copied(),
            Some("random") => None,
            Some(name) => Some(colour(name)?),
        };
        let options = &mut setup.options;
        options.teams = self.teams;
        options.reactions = self.reactions;
        options.may_decline = self.may_decline.unwrap_or(options.may_decline);
        options.free_any_time = self.free_any_time.unwrap_or(options.free_any_time);
        options.team_end = self.team_end.map_or(options.team_end, Into::into);
        options.solo_refresh = self.solo_refresh.unwrap_or(options.solo_refresh);
        options.solo_deck = self.solo_deck.map_or(options.solo_deck, Into::into);
        options.coop_hands = self.coop_hands.map_or(options.coop_hands, Into::into);
        options.max_rounds = self.max_rounds.or(options.max_rounds);
        if let Some(costs) = &self.costs {
            for part in costs.split(',') {
                let (spell, cost) = part
                    .split_once('=')
                    .and_then(|(s, c)| Some((s.parse().ok()?, c.parse().ok()?)))
                    .ok_or_else(|| Failure::input(format!("'{part}' is not a cost: write FW=1")))?;
                let spell: Spell = spell;
                options.costs = options.costs.with(spell, cost);
            }
        }
        if let Some(spells) = &self.spells {
            setup.spells = read_spells(spells)?;
        }
        setup.options.memory = self.memory.map_or_else(|| setup.usual_memory(), Into::into);
        let choice = |random: bool| {
            if random {
                Choice::Random
            } else {
                Choice::Chosen
            }
        };
        setup.options.start_setup = choice(setup.start.is_none());
        setup.options.spell_setup = choice(matches!(setup.spells, Spells::Random(_)));
        setup.check().map_err(Failure::input)?;
        Ok(setup)
    }
}

fn colour(name: &str) -> Result<Colour, Failure> {
    name.parse()
        .map_err(|_| Failure::input(format!("'{name}' is not a colour: one of b y r g o p")))
}

/// `AW,AT`, `all`, `none`, `beginner`, `random3`.
fn read_spells(text: &str) -> Result<Spells, Failure> {
    if let Some(k) = text.strip_prefix("random") {
        return match k.parse() {
            Ok(k @ 0..=8) => Ok(Spells::Random(k)),
            _ => Err(Failure::input(format!(
                "'{text}': write random0 to random8"
            ))),
        };
    }
    let set = match text {
        "all" => SpellSet::ALL,
        "none" | "" => SpellSet::NONE,
        "beginner" => SpellSet::BEGINNER,
        _ => text
            .split(',')
            .map(|code| {
                Spell::from_code(code).ok_or_else(|| {
                    Failure::input(format!("'{code}' is not a spell: AW AT SW HW HT NC PB FW"))
                })
            })
            .collect::<Result<_, _>>()?,
    };
    Ok(Spells::Chosen(set))
}
