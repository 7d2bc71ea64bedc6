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
    /// [default: capstone]
    #[arg(long)]
    pub preset: Option<String>,
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
            .help("Set a rules field by its name, such as spell_right=each; can be repeated, but not with another value");
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
            || preset.is_some()
            || mode.is_some()
            || *teams
            || *reactions
            || spells.is_some()
            || start.is_some()
            || seats.is_some()
            || !fields.0.is_empty()
    }

    /// Whether an argument says which spells are in play, or how they are found.
    pub fn names_spells(&self) -> bool {
        self.spells.is_some() || self.given(Field::SpellSetup).next().is_some()
    }

    /// The values given for a field by name.
    fn given(&self, wanted: Field) -> impl Iterator<Item = &str> {
        let fields = self
            .fields
            .0
            .iter()
            .filter(move |(field, _)| *field == wanted);
        fields.map(|(_, text)| text.as_str())
    }

    /// The mode by `--mode` or `--set mode=…`, if one is given.
    pub fn mode(&self) -> Result<Option<Mode>, Failure> {
        if self.mode.is_none() && self.given(Field::Mode).next().is_none() {
            return Ok(None);
        }
        Ok(Some(self.options(Preset::default())?.mode))
    }

    /// The options of an edition with all given fields. Two different values for a field are an error.
    fn options(&self, preset: Preset) -> Result<Options, Failure> {
        let flags = [
            (Field::Mode, self.mode.map(|mode| name_of(&mode))),
            (Field::Teams, self.teams.then(|| "true".into())),
            (Field::Reactions, self.reactions.then(|| "true".into())),
        ];
        let flags = flags
            .into_iter()
            .filter_map(|(field, text)| Some((field, text?)));
        let given: Vec<_> = flags.chain(self.fields.0.iter().cloned()).collect();
        let mut options = preset.options(Mode::default());
        let set = |options: &mut Options, field, text: &str| {
            let text = match field {
                Field::Costs => costs_text(text),
                _ => text.into(),
            };
            options.set(field, &text).map_err(Failure::input)
        };
        for (field, text) in &given {
            set(&mut options, *field, text)?;
        }
        for (field, text) in &given {
            let mut again = options;
            set(&mut again, *field, text)?;
            if again != options {
                let (clause, kept) = (field.clause(), options.get(*field));
                return Err(Failure::input(format!(
                    "{field} is given twice, as {text} and as {kept} ({clause})"
                )));
            }
        }
        Ok(options)
    }

    pub fn setup(&self) -> Result<Setup, Failure> {
        let name = self.preset.as_deref().unwrap_or(Preset::default().name());
        let preset = Preset::from_name(name).ok_or_else(|| {
            let names = Preset::ALL.map(Preset::name).join(", ");
            Failure::input(format!("unknown preset '{name}': choose one of {names}"))
        })?;
        let options = self.options(preset)?;
        let players = self.players.unwrap_or(match options.mode {
            Mode::Solo => 1,
            Mode::Versus | Mode::Coop => 2,
        });
        let mut setup = Setup::new(preset, options.mode, players);
        setup.options = options;
        if let Some(seats) = &self.seats {
            setup.seats = seats.split(',').map(colour).collect::<Result<_, _>>()?;
            if self.players.is_some_and(|n| n != setup.seats.len()) {
                return Err(Failure::input(
                    "--players and --seats contradict each other",
                ));
            }
        }
        setup.start = self.start(&setup)?;
        setup.spells = self.spells(&options)?;
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

    /// The starting player by `--start` and `start_setup` (R3.5).
    fn start(&self, setup: &Setup) -> Result<Option<Colour>, Failure> {
        let is_drawn = self.given(Field::StartSetup).next();
        let is_drawn = is_drawn.map(|_| setup.options.start_setup == Selection::Random);
        match (self.start.as_deref(), is_drawn) {
            (None, Some(true)) | (Some("random"), Some(true) | None) => Ok(None),
            (None, Some(false) | None) => Ok(setup.seats.first().copied()),
            (Some(name), Some(false) | None) if name != "random" => colour(name).map(Some),
            (Some(name), _) => Err(Failure::input(format!(
                "--start {name} and start_setup={} contradict each other (R3.5)",
                setup.options.get(Field::StartSetup)
            ))),
        }
    }

    /// The spells in play by `--spells` and `spell_setup` (R3.4).
    fn spells(&self, options: &Options) -> Result<Spells, Failure> {
        if self.given(Field::SpellSetup).next().is_none() {
            let usual = Ok(Spells::usual(options));
            return self.spells.as_deref().map_or(usual, read_spells);
        }
        let is_drawn = options.spell_setup == Selection::Random;
        let Some(text) = self.spells.as_deref() else {
            return Ok(match (Spells::usual(options), is_drawn) {
                (Spells::Chosen(SpellSet::NONE), true) => Spells::Random(SOLO_SPELLS),
                (Spells::Chosen(spells), true) => Spells::Random(spells.len()),
                (Spells::Random(_), false) => Spells::Chosen(SpellSet::BEGINNER),
                (usual, _) => usual,
            });
        };
        match (read_spells(text)?, is_drawn) {
            // A draw of none or of all has one result.
            (Spells::Chosen(set @ (SpellSet::NONE | SpellSet::ALL)), true) => {
                Ok(Spells::Random(set.len()))
            }
            (spells @ Spells::Random(_), true) | (spells @ Spells::Chosen(_), false) => Ok(spells),
            _ => Err(Failure::input(format!(
                "--spells {text} and spell_setup={} contradict each other (R3.4)",
                options.get(Field::SpellSetup)
            ))),
        }
    }
}

/// The number of spells in solo and cooperative games with spells (R14.6).
const SOLO_SPELLS: u8 = 3;

/// The name of a value on the command line.
fn name_of<T: ValueEnum>(value: &T) -> String {
    let name = value
        .to_possible_value()
        .map(|value| value.get_name().into());
    name.expect("no value is hidden")
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
