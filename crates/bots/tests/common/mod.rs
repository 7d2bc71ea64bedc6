//! A table of bots for tests: it hands out views and events, and checks every action.

#![allow(dead_code)]

use bots::{Bot, Budget, Level, NoClock};
use rules::{
    Actor, CoopHands, Event, Memory, Mode, Preset, Seat, Setup, SpellSet, Spells, State, Viewer,
};

pub struct Table {
    pub state: State,
    pub bots: Vec<Bot>,
    pub record: Vec<String>,
    rng: fastrand::Rng,
}

impl Table {
    pub fn new(setup: &Setup, seed: u64, level: impl Fn(usize) -> Level) -> Table {
        let mut table = Table {
            state: State::new(setup).expect("a legal table"),
            bots: Vec::new(),
            record: Vec::new(),
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

    /// Lets the bots play so many actions.
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
            let result = self.state.apply_watched(seat, action, &mut events);
            assert!(result.is_ok(), "{action} of {seat:?}: {result:?}");
            self.tell(&events);
            self.chance();
        }
    }

    fn chance(&mut self) {
        let mut events = Vec::new();
        while let Some(chance) = self.state.sample_chance(|n| self.rng.u32(0..n)) {
            let done = self.state.apply_chance_watched(chance, &mut events);
            done.expect("an answer to what was asked");
        }
        self.tell(&events);
    }

    fn tell(&mut self, events: &[Event]) {
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

/// The seat as a viewer.
pub fn viewer(seat: u8) -> Viewer {
    Viewer::Seat(Seat(seat))
}
