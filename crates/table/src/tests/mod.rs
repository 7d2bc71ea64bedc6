//! Unit tests with access to a table's internals, and a small club of people to play at it.

mod changes;
mod clocks;
mod decisions;
mod fair;
mod hosting;
mod lobby;
mod messages;
mod play;
mod records;
mod redaction;
mod stops;
mod talk;

use towers_rules::{
    Action, Actions, CoopHands, Field, Memory, Mode, Preset, Seat, Setup, SoloDeck, Spell,
    SpellSet, Spells,
};

use crate::{
    BotLevel, Command, Entry, Header, Hex, PersonId, Record, Rejection, Settings, Stage, Table,
    Waiting, Who,
};

/// A table whose people are all controlled by the test.
pub struct Club {
    pub table: Table,
    pub record: Record,
    pub now: u64,
    dice: u64,
}

pub const ANN: Who = Who::Person(PersonId(0));

pub fn sit(name: &str) -> Command {
    Command::Sit {
        name: Some(name.into()),
        seat: None,
        colour: None,
        key: format!("key of {name}"),
        program: false,
    }
}

pub fn act(text: &str) -> Command {
    Command::Act {
        action: text.parse().unwrap(),
        decision: None,
    }
}

impl Club {
    /// A table just opened by Ann.
    pub fn open(settings: Settings) -> Club {
        Club::of(Header::new("table", settings, "Ann", "key of Ann", 1_000))
    }

    pub fn of(header: Header) -> Club {
        Club {
            table: Table::create(&header).unwrap(),
            record: Record::new(header),
            now: 1_000,
            dice: 1,
        }
    }

    /// A table with a person on every seat, Ann first.
    pub fn seated(settings: Settings) -> Club {
        let seats = settings.seats;
        let mut club = Club::open(settings);
        club.ok(ANN, sit("Ann"));
        for i in 1..seats {
            club.ok(
                Who::Stranger,
                sit(["", "Ben", "Cy", "Di", "Ed", "Flo"][i as usize]),
            );
        }
        club
    }

    /// The same, with a game that just began.
    pub fn playing(settings: Settings, dice: u64) -> Club {
        let mut club = Club::seated(settings);
        club.dice = dice.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        club.ok(ANN, Command::Start);
        club
    }

    pub fn seed(&self) -> Hex<32> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.dice.to_le_bytes());
        Hex(bytes)
    }

    pub fn try_it(&mut self, by: Who, command: Command) -> Result<Entry, Rejection> {
        self.now += 10;
        let seed = self.seed();
        let before = self.table.view(None);
        let done = self.table.prepare(self.now, by, command, &seed);
        let done = done.map(|prepared| {
            let line = prepared.line().to_string();
            let entry = self.table.commit(prepared);
            assert_eq!(line, entry.to_line(), "the line is that of the entry");
            entry
        });
        match &done {
            Ok(entry) => self.record.entries.push(entry.clone()),
            Err(_) => assert_eq!(self.table.view(None), before, "a refusal changes nothing"),
        }
        done
    }

    pub fn ok(&mut self, by: Who, command: Command) -> Entry {
        let text = format!("{command:?}");
        self.try_it(by, command)
            .unwrap_or_else(|why| panic!("{by:?} {text}: {why}"))
    }

    pub fn no(&mut self, by: Who, command: Command) -> Rejection {
        let text = format!("{command:?}");
        match self.try_it(by, command) {
            Ok(_) => panic!("{by:?} {text} was accepted"),
            Err(why) => why,
        }
    }

    /// A number below `n`.
    pub fn pick(&mut self, n: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        ((self.dice >> 11) % n as u64) as usize
    }

    pub fn waiting(&self) -> Waiting {
        self.table.waiting_for().expect("somebody is to decide")
    }

    /// The person or bot that decides on a seat.
    pub fn hand_of(&self, seat: Seat) -> Who {
        match self.table.core().places[seat.index()].bot() {
            Some(_) => Who::Bot(seat),
            None => Who::Person(self.table.core().places[seat.index()].person().unwrap()),
        }
    }

    /// A random legal action of the player to act, or an offer or gift of their partner.
    pub fn any_action(&mut self) -> (Seat, Action) {
        let state = *self.table.state().unwrap();
        let mut list = Actions::new();
        if let Some(partner) = state.partner_actions_into(&mut list)
            && self.pick(8) == 0
        {
            let n = self.pick(list.len());
            return (partner, list.get(n).unwrap());
        }
        state.legal_actions_into(&mut list);
        let n = self.pick(list.len());
        (self.waiting().seat, list.get(n).unwrap())
    }

    pub fn act_somehow(&mut self) -> Entry {
        let (seat, action) = self.any_action();
        let by = self.hand_of(seat);
        self.ok(
            by,
            Command::Act {
                action,
                decision: None,
            },
        )
    }

    pub fn play_to_the_end(&mut self) {
        while self.table.stage() == Stage::Playing {
            self.act_somehow();
        }
    }
}

/// One table of every kind.
pub fn variants() -> Vec<Settings> {
    let mut list = Vec::new();
    let mut add = |preset, mode, seats, change: &dyn Fn(&mut Settings)| {
        let mut settings = Settings::new(preset, mode, seats);
        settings.options.max_rounds = Some(12);
        change(&mut settings);
        let mut text = serde_json::to_value(&settings).unwrap();
        text["title"] = format!("variant {}", list.len()).into();
        list.push(serde_json::from_value::<Settings>(text).unwrap());
    };
    let strict = |s: &mut Settings| s.options.memory = Memory::Strict;
    let all = |s: &mut Settings| s.spells = Spells::Chosen(SpellSet::ALL);
    for seats in 2..=6 {
        add(Preset::Capstone, Mode::Versus, seats, &|_| {});
        add(Preset::Capstone, Mode::Versus, seats, &|s| {
            strict(s);
            all(s);
        });
    }
    for seats in [4, 6] {
        for preset in [Preset::Capstone, Preset::Abacus1] {
            for reactions in [false, true] {
                add(preset, Mode::Versus, seats, &|s| {
                    s.options.teams = true;
                    s.options.reactions = reactions;
                    strict(s);
                    all(s);
                });
            }
        }
    }
    for (preset, seats) in [
        (Preset::Capstone, 2),
        (Preset::Abacus1, 3),
        (Preset::Abacus2, 4),
        (Preset::Oya, 5),
    ] {
        add(preset, Mode::Versus, seats, &|s| {
            s.options.reactions = true;
            s.spells = Spells::Random(5);
            strict(s);
        });
    }
    for preset in [Preset::Capstone, Preset::Oya] {
        add(preset, Mode::Solo, 1, &|_| {});
        add(preset, Mode::Solo, 1, &|s| {
            s.spells = Spells::Random(3);
            strict(s);
        });
        for hands in [CoopHands::Shared, CoopHands::Private] {
            add(preset, Mode::Coop, 3, &|s| {
                s.options.coop_hands = hands;
                s.options.solo_deck = SoloDeck::Lose;
                s.options.solo_refresh = true;
                all(s);
                strict(s);
            });
        }
    }
    for settings in &list {
        settings.check().unwrap();
        let _: &Setup = &settings.setup(Vec::new());
    }
    list
}

/// Tables with random values of all fields; games end after a few rounds.
pub fn random_settings(number: usize) -> Vec<Settings> {
    let mut state = 15u64;
    // SplitMix64.
    let mut below = |n: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    };
    let mut list = Vec::new();
    while list.len() < number {
        let preset = Preset::ALL[below(4)];
        let (mode, seats) = match below(6) {
            0 => (Mode::Solo, 1),
            1 => (Mode::Coop, 2 + below(5)),
            2 => (Mode::Versus, 4 + 2 * below(2)),
            _ => (Mode::Versus, 2 + below(5)),
        };
        let mut settings = Settings::new(preset, mode, seats as u8);
        for &field in Field::ALL {
            let text = match field {
                Field::Mode => continue,
                Field::Costs => Spell::ALL
                    .map(|spell| format!("{spell}:{}", 1 + below(3)))
                    .join(","),
                Field::MaxRounds => (2 + below(6)).to_string(),
                // Most tables hide something.
                Field::Memory if below(4) > 0 => "strict".into(),
                _ => field.values()[below(field.values().len())].into(),
            };
            settings.options.set(field, &text).unwrap();
        }
        let chosen = Spell::ALL.into_iter().filter(|_| below(2) == 0).collect();
        settings.spells = [Spells::Chosen(chosen), Spells::Random(below(9) as u8)][below(2)];
        settings.title = format!("random table {}", list.len());
        if settings.check().is_ok() {
            list.push(settings.settled());
        }
    }
    list
}

pub fn bots(club: &mut Club) {
    while club
        .try_it(
            ANN,
            Command::AddBot {
                seat: None,
                level: BotLevel::Novice,
            },
        )
        .is_ok()
    {}
}
