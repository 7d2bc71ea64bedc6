//! A table of bots for tests: it hands out views and events, and checks every action.

#![allow(dead_code)]

use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_rules::{
    Actor, Colour, CoopHands, Event, Field, Memory, Mode, Preset, Seat, Setup, Spell, SpellSet,
    Spells, State, Viewer,
};

pub struct BotTable {
    pub state: State,
    pub bots: Vec<Bot>,
    pub record: Vec<String>,
    /// The phases in which somebody decided, and what was done.
    pub decided: Vec<(towers_rules::Phase, towers_rules::Action)>,
    rng: fastrand::Rng,
}

impl BotTable {
    pub fn new(setup: &Setup, seed: u64, level: impl Fn(usize) -> Strength) -> BotTable {
        let mut table = BotTable {
            state: State::new(setup).expect("a legal table"),
            bots: Vec::new(),
            record: Vec::new(),
            decided: Vec::new(),
            rng: fastrand::Rng::with_seed(seed),
        };
        table.chance();
        for seat in table.state.seats() {
            let view = table.state.view(Viewer::Seat(seat));
            let bot = Bot::new(level(seat.index()), seat, seed ^ u64::from(seat.0), &view);
            table.bots.push(bot);
        }
        table
    }

    /// Lets the bots play this many actions.
    pub fn play(&mut self, actions: usize, budget: Budget) {
        for _ in 0..actions {
            let Actor::Player(seat) = self.state.actor() else {
                break;
            };
            let offer = self.state.partner(self.state.active()).and_then(|partner| {
                let view = self.state.view(Viewer::Seat(partner));
                Some((partner, self.bots[partner.index()].offer(&view)?))
            });
            let (seat, action) = offer.unwrap_or_else(|| {
                let view = self.state.view(Viewer::Seat(seat));
                let bot = &mut self.bots[seat.index()];
                (
                    seat,
                    bot.act(&view, budget, &NoClock).expect("it is its turn"),
                )
            });
            let mut events = Vec::new();
            self.record.push(action.to_string());
            self.decided.push((self.state.phase(), action));
            let result = self.state.apply_observed(seat, action, &mut events);
            assert!(result.is_ok(), "{action} of {seat:?}: {result:?}");
            self.notify(&events);
            self.chance();
        }
    }

    fn chance(&mut self) {
        let mut events = Vec::new();
        while let Some(chance) = self.state.sample_chance(|n| self.rng.u32(0..n)) {
            let done = self.state.apply_chance_observed(chance, &mut events);
            done.expect("an answer to what was asked");
        }
        self.notify(&events);
    }

    fn notify(&mut self, events: &[Event]) {
        for bot in &mut self.bots {
            let viewer = Viewer::Seat(bot.seat());
            for &event in events {
                bot.observe(&self.state.event_seen_by(event, viewer));
            }
        }
    }
}

/// Every preset and mode, teams, reactions, spells, memory modes.
pub fn variants() -> Vec<Setup> {
    let mut all = Vec::new();
    for preset in Preset::ALL {
        for (players, teams, reactions) in [
            (2, false, false),
            (3, false, true),
            (4, true, false),
            (4, true, true),
            (5, false, false),
            (6, true, true),
        ] {
            let mut setup = Setup::new(preset, Mode::Versus, players);
            setup.options.teams = teams;
            setup.options.reactions = reactions;
            setup.options.max_rounds = Some(40);
            setup.options.may_decline = players == 3;
            setup.spells = Spells::Chosen(SpellSet::ALL);
            setup.options.memory = if players == 5 {
                Memory::Assisted
            } else {
                Memory::Strict
            };
            all.push(setup);
        }
        for (mode, players) in [(Mode::Solo, 1), (Mode::Coop, 2), (Mode::Coop, 4)] {
            if !preset.has_solo() {
                continue;
            }
            for spells in [Spells::Chosen(SpellSet::NONE), Spells::Random(4)] {
                let mut setup = Setup::new(preset, mode, players);
                setup.spells = spells;
                setup.options.max_rounds = Some(80);
                if players == 4 {
                    setup.options.coop_hands = CoopHands::Private;
                    setup.options.memory = Memory::Strict;
                }
                all.push(setup);
            }
        }
    }
    all
}

/// A setup with random values of all fields, of a random edition, mode and number of players; games end after a few
/// rounds.
pub fn random_setup(rng: &mut fastrand::Rng) -> Setup {
    loop {
        let preset = Preset::ALL[rng.usize(0..4)];
        let mode = [
            Mode::Versus,
            Mode::Versus,
            Mode::Versus,
            Mode::Solo,
            Mode::Coop,
        ][rng.usize(0..5)];
        let players = if mode == Mode::Solo {
            1
        } else {
            rng.usize(2..=6)
        };
        let mut setup = Setup::new(preset, mode, players);
        for &field in Field::ALL {
            let text = match field {
                Field::Mode => continue,
                Field::Costs => Spell::ALL
                    .map(|spell| format!("{spell}:{}", rng.u8(1..=3)))
                    .join(","),
                Field::MaxRounds => rng.u16(6..18).to_string(),
                _ => field.values()[rng.usize(0..field.values().len())].into(),
            };
            setup
                .options
                .set(field, &text)
                .expect("a value of the field");
        }
        setup.spells = if rng.bool() {
            Spells::Random(rng.u8(0..=8))
        } else {
            let spells = Spell::ALL.into_iter().filter(|_| rng.bool());
            Spells::Chosen(spells.collect())
        };
        setup.seats = Colour::ALL[..players].to_vec();
        setup.start = rng.bool().then(|| setup.seats[rng.usize(0..players)]);
        if setup.check().is_ok() {
            return setup;
        }
    }
}

pub fn viewer(seat: u8) -> Viewer {
    Viewer::Seat(Seat(seat))
}
