//! The arguments that describe a game, shared by all commands that play.

use std::collections::BTreeMap;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use towers_rules::{
    Colour, Field, Mode, OptionError, Options, Preset, Selection, Setup, Spell, SpellSet, Spells,
};

use crate::failure::Failure;

/// The game to play.
#[derive(Args, Clone, Debug)]
pub struct TableArgs {
    /// Number of players, 1 to 6 [default: 2, or 1 in solo]
    #[arg(long)]
    pub players: Option<usize>,
    /// The printed edition whose rules apply: capstone, abacus-1, abacus-2 or oya
    #[arg(long, default_value = "capstone")]
    pub preset: String,
    /// Against each other, solo, or cooperative [default: versus]
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    /// Partners sit opposite (4 or 6 players)
    #[arg(long)]
    pub teams: bool,
    /// Players may also cast on other players' turns
    #[arg(long)]
    pub reactions: bool,
    /// Spells in play: codes (AW,AT,…), all, none, beginner, or random3 for three drawn at random
    /// [default: beginner; random4 with reactions; none in solo and coop]
    #[arg(long)]
    pub spells: Option<String>,
    /// The starting player: a colour (b y r g o p) or random [default: the first seat]
    #[arg(long)]
    pub start: Option<String>,
    /// The colours of the seats, for instance r,g,b [default: the first of b,y,r,g,o,p]
    #[arg(long)]
    pub seats: Option<String>,
    #[command(flatten)]
    pub fields: FieldArgs,
}

/// A flag for every rules field, and `--set FIELD=VALUE` for any of them by its name in a trace's header.
#[derive(Clone, Debug, Default)]
pub struct FieldArgs(Vec<(Field, String)>);

/// Fields that other arguments set.
const ELSEWHERE: [Field; 5] = [
    Field::Mode,
    Field::Teams,
    Field::Reactions,
    Field::SpellSetup,
    Field::StartSetup,
];

fn flags() -> impl Iterator<Item = (Field, String)> {
    let own = Field::ALL.iter().filter(|field| !ELSEWHERE.contains(field));
    own.map(|&field| (field, field.name().replace('_', "-")))
}

impl Args for FieldArgs {
    fn augment_args(mut command: clap::Command) -> clap::Command {
        for (field, flag) in flags() {
            let help = format!("{} ({})", field.about(), field.clause());
            let arg = Arg::new(field.name()).long(flag).help(help);
            command = command.arg(match field.values() {
                [] if field == Field::Costs => arg.value_name("AW:2,FW:1"),
                [] => arg.value_name("N"),
                values => {
                    let arg = arg.value_parser(values.to_vec());
                    if values == ["false", "true"] {
                        arg.num_args(0..=1).default_missing_value("true")
                    } else {
                        arg
                    }
                }
            });
        }
        let set = Arg::new("set")
            .long("set")
            .value_name("FIELD=VALUE")
            .action(ArgAction::Append)
            .help("Set a rules field by its name, such as spell_right=each; can be repeated");
        command.arg(set)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        FieldArgs::augment_args(command)
    }
}

impl FromArgMatches for FieldArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FieldArgs, clap::Error> {
        let mut fields = FieldArgs::default();
        fields.update_from_arg_matches(matches)?;
        Ok(fields)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for (field, _) in flags() {
            if let Some(text) = matches.get_one::<String>(field.name()) {
                self.0.push((field, text.clone()));
            }
        }
        for assignment in matches.get_many::<String>("set").into_iter().flatten() {
            let wrong = |why: String| clap::Error::raw(ErrorKind::ValueValidation, why + "\n");
            let (name, text) = assignment
                .split_once('=')
                .ok_or_else(|| wrong(format!("'{assignment}': write FIELD=VALUE")))?;
            let field = name
                .parse()
                .map_err(|e: OptionError| wrong(e.to_string()))?;
            self.0.push((field, text.into()));
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeArg {
    Versus,
    Solo,
    Coop,
}

impl From<ModeArg> for Mode {
    fn from(arg: ModeArg) -> Mode {
        match arg {
            ModeArg::Versus => Mode::Versus,
            ModeArg::Solo => Mode::Solo,
            ModeArg::Coop => Mode::Coop,
        }
    }
}

impl TableArgs {
    /// Whether any argument about the rules was given.
    pub fn says_something(&self) -> bool {
        let TableArgs {
            players,
            preset,
            mode,
            teams,
            reactions,
            spells,
            start,
            seats,
            fields,
        } = self;
        players.is_some()
            || preset != "capstone"
            || mode.is_some()
            || *teams
            || *reactions
            || spells.is_some()
            || start.is_some()
            || seats.is_some()
            || !fields.0.is_empty()
    }

    /// The mode by `--mode` or `--set mode=…`, if one is given.
    pub fn mode(&self) -> Result<Option<Mode>, Failure> {
        let mut given = self.mode.map(Mode::from);
        for (_, text) in self.fields.0.iter().filter(|(f, _)| *f == Field::Mode) {
            let mut options = Options::default();
            options.set(Field::Mode, text).map_err(Failure::input)?;
            if *given.get_or_insert(options.mode) != options.mode {
                return Err(Failure::input("two different modes are given"));
            }
        }
        Ok(given)
    }

    /// The checked setup.
    pub fn setup(&self) -> Result<Setup, Failure> {
        let mode = self.mode()?.unwrap_or_default();
        let preset = Preset::from_name(&self.preset).ok_or_else(|| {
            let names = Preset::ALL.map(Preset::name).join(", ");
            Failure::input(format!(
                "unknown preset '{}': choose one of {names}",
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
                return Err(Failure::input(
                    "--players and --seats contradict each other",
                ));
            }
        }
        setup.start = match self.start.as_deref() {
            None => setup.seats.first().copied(),
            Some("random") => None,
            Some(name) => Some(colour(name)?),
        };
        setup.options.teams = self.teams;
        setup.options.reactions = self.reactions;
        for (field, text) in &self.fields.0 {
            let text = match field {
                Field::Costs => costs_text(text),
                _ => text.clone(),
            };
            setup.options.set(*field, &text).map_err(Failure::input)?;
        }
        setup.spells = match &self.spells {
            Some(spells) => read_spells(spells)?,
            None => Spells::usual(&setup.options),
        };
        if setup.options.start_setup == Selection::Random && self.start.is_none() {
            setup.start = None;
        }
        if let (Selection::Random, Spells::Chosen(spells)) =
            (setup.options.spell_setup, setup.spells)
        {
            setup.spells = Spells::Random(spells.len());
        }
        let choice = |random: bool| {
            if random {
                Selection::Random
            } else {
                Selection::Chosen
            }
        };
        setup.options.start_setup = choice(setup.start.is_none());
        setup.options.spell_setup = choice(matches!(setup.spells, Spells::Random(_)));
        setup.check().map_err(Failure::input)?;
        Ok(setup)
    }
}

/// Costs in notation, `FW:1`. They may also be given as `FW=1`, or as the header of a trace has them: `{"FW":1}`.
fn costs_text(text: &str) -> String {
    match serde_json::from_str::<BTreeMap<String, u8>>(text) {
        Ok(costs) => {
            let costs = costs.iter().map(|(spell, cost)| format!("{spell}:{cost}"));
            costs.collect::<Vec<_>>().join(",")
        }
        Err(_) => text.replace('=', ":"),
    }
}

fn colour(name: &str) -> Result<Colour, Failure> {
    name.parse()
        .map_err(|_| Failure::input(format!("'{name}' is not a colour: use b, y, r, g, o or p")))
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
        _ => text.split(',').try_fold(SpellSet::NONE, |set, code| {
            let spell = Spell::from_code(code).ok_or_else(|| {
                Failure::input(format!("'{code}' is not a spell: AW AT SW HW HT NC PB FW"))
            })?;
            if set.contains(spell) {
                return Err(Failure::input(format!("the spell {code} is named twice")));
            }
            Ok(set.with(spell))
        })?,
    };
    Ok(Spells::Chosen(set))
}
