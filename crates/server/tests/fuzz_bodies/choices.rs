//! Bytes as choices: the table, the person, the command.

use towers_rules::{Action, Colour, Field, Mode, Preset, Seat, Spell, Spells};
use towers_table::{
    BotLevel, Command, Emote, GameView, Hex, PassAhead, PersonId, Seed, Settings,
    commitment_to_number,
};

/// Tables of different kinds; some games end soon.
const SETTINGS: [&str; 10] = [
    "{}",
    r#"{"seats":3,"options":{"reactions":true,"max_rounds":4},"spells":{"random":6},"reaction_seconds":5}"#,
    r#"{"seats":4,"options":{"teams":true}}"#,
    r#"{"options":{"mode":"solo"}}"#,
    r#"{"seats":2,"clock":{"kind":"move","seconds":5},"options":{"memory":"strict"}}"#,
    r#"{"seats":2,"clock":{"kind":"bank","seconds":60,"increment":2}}"#,
    r#"{"seats":3,"options":{"mode":"coop"}}"#,
    r#"{"seats":2,"options":{"max_rounds":1}}"#,
    r#"{"seats":2,"options":{"max_rounds":1,"reactions":true},"spells":{"random":6}}"#,
    r#"{"seats":4,"options":{"teams":true,"max_rounds":2}}"#,
];

/// First bytes from here on stand for a table with any values of its fields.
const RANDOM_FIELDS: usize = 200;

const TEXTS: [&str; 8] = [
    "Ann",
    "Ben",
    "<b>Cy</b>",
    "",
    "\u{202e}nnA",
    "Di\u{0}",
    "ann",
    "a name that is far too long to be called out at a table",
];

const EMOTES: [Emote; 3] = [Emote::Hello, Emote::Wow, Emote::Thanks];

/// A source of choices; when the bytes are used up, the session ends.
pub struct SessionChoices<'a>(std::slice::Iter<'a, u8>);

impl<'a> SessionChoices<'a> {
    pub fn new(bytes: &'a [u8]) -> SessionChoices<'a> {
        SessionChoices(bytes.iter())
    }

    pub fn below(&mut self, n: usize) -> Option<usize> {
        self.0.next().map(|b| usize::from(*b) % n.max(1))
    }

    /// Some raw bytes; fewer than requested at the end.
    pub fn bytes(&mut self, n: usize) -> &'a [u8] {
        let (some, rest) = self.0.as_slice().split_at(n.min(self.0.len()));
        self.0 = rest.iter();
        some
    }

    fn yes(&mut self) -> Option<bool> {
        Some(self.below(2)? == 0)
    }

    fn seat(&mut self) -> Option<Seat> {
        Some(Seat(self.below(7)? as u8))
    }

    /// A value or `None`; `None` when there are no more bytes.
    fn maybe<T>(&mut self, something: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        if self.yes()? { something(self) } else { None }
    }

    /// A predefined text, or any other.
    fn text(&mut self) -> Option<String> {
        let n = self.below(TEXTS.len() * 2)?;
        let text = TEXTS.get(n).copied().map(String::from);
        Some(text.unwrap_or_else(|| String::from_utf8_lossy(self.bytes(n)).into_owned()))
    }

    fn level(&mut self) -> Option<BotLevel> {
        let levels = BotLevel::ALL;
        Some(levels[self.below(levels.len())?])
    }

    pub fn settings(&mut self) -> Option<Settings> {
        let n = self.below(256)?;
        if n >= RANDOM_FIELDS {
            return self.any_settings();
        }
        let text = SETTINGS[n % SETTINGS.len()];
        Some(serde_json::from_str(text).expect("these are settings"))
    }

    /// A table with any values in all fields, or a usual one if they do not fit together.
    fn any_settings(&mut self) -> Option<Settings> {
        let preset = Preset::ALL[self.below(4)?];
        let modes = [Mode::Versus, Mode::Versus, Mode::Solo, Mode::Coop];
        let mode = modes[self.below(4)?];
        let seats = self.below(6)? as u8 + 1;
        let mut settings = Settings::new(preset, mode, seats);
        for &field in Field::ALL {
            let n = self.below(256)?;
            let text = match field {
                Field::Mode => continue,
                Field::Costs => format!("{}:{}", Spell::ALL[n % 8], n / 8 % 3 + 1),
                Field::MaxRounds => (n % 4 + 1).to_string(),
                _ => field.values()[n % field.values().len()].into(),
            };
            settings.options.set(field, &text).expect("a value");
        }
        let spells = self.below(256)?;
        let chosen = (0..8).filter(|i| spells >> i & 1 == 1);
        settings.spells = if self.yes()? {
            Spells::Chosen(chosen.map(|i| Spell::ALL[i]).collect())
        } else {
            Spells::Random(spells as u8 % 9)
        };
        Some(if settings.check().is_ok() {
            settings
        } else {
            Settings::new(Preset::default(), Mode::Versus, 2)
        })
    }

    /// A command for a viewer of a game, if any. `others` are actions that are or were legal for somebody else.
    pub fn command(&mut self, game: Option<&GameView>, others: &[Action]) -> Option<Command> {
        Some(match self.below(32)? {
            0 | 1 => Command::Sit {
                name: self.maybe(SessionChoices::text),
                seat: self.maybe(SessionChoices::seat),
                colour: self.maybe(|c| Some(Colour::ALL[c.below(6)?])),
                key: "mine".into(),
                program: self.yes()?,
            },
            2 => Command::Leave,
            3 => Command::Ready { ready: self.yes()? },
            4 => Command::AddBot {
                seat: self.maybe(SessionChoices::seat),
                level: self.level()?,
            },
            5 => Command::Remove { seat: self.seat()? },
            6 => Command::Start,
            7 => Command::Chat { text: self.text()? },
            8 => Command::Emote {
                emote: EMOTES[self.below(EMOTES.len())?],
            },
            9 => Command::PassAhead {
                until: [None, Some(PassAhead::Turn), Some(PassAhead::Recalled)][self.below(3)?],
            },
            10 => Command::Replace {
                seat: self.seat()?,
                level: self.maybe(SessionChoices::level),
            },
            11 => Command::Back,
            12 => Command::End { agree: self.yes()? },
            13 => Command::Rematch,
            14 => Command::Configure {
                settings: Box::new(self.settings()?),
            },
            15 => [
                Command::Tick,
                Command::Reopen,
                Command::Away { seat: Seat(0) },
            ][self.below(3)?]
            .clone(),
            16 | 17 => Command::Commit {
                commitment: commitment_to_number(&self.number()?),
            },
            18 | 19 => Command::Reveal {
                number: self.number()?,
            },
            20 => Command::Mute {
                person: PersonId(self.below(4)? as u32),
                muted: self.yes()?,
            },
            21 | 23 | 24 => Command::Ban { seat: self.seat()? },
            22 => Command::HandOver {
                person: PersonId(self.below(4)? as u32),
            },
            25 => Command::Stops {
                everywhere: self.yes()?,
            },
            // In most cases an action.
            _ => self.act(game, others)?,
        })
    }

    /// One of two numbers for the dice, so that a revealed number often matches its commitment.
    fn number(&mut self) -> Option<Seed> {
        Some(Hex([self.below(2)? as u8; 32]))
    }

    /// An action: legal, legal for somebody else, or formerly legal.
    fn act(&mut self, game: Option<&GameView>, others: &[Action]) -> Option<Command> {
        let n = self.below(256)?;
        let lists = game.map(|g| [&g.legal[..], &g.optional[..], others]);
        let list = lists.into_iter().flatten().find(|list| !list.is_empty());
        let list = list.unwrap_or_default();
        let decision = game.and_then(|g| g.waiting).map(|w| w.decision);
        Some(match list.get(n % list.len().max(1)) {
            Some(&action) => Command::Act {
                action,
                decision: if n == 255 { Some(0) } else { decision },
            },
            None => Command::Start,
        })
    }
}
