//! Every variant that can be played, by name.

use rules::{Choice, CoopHands, Costs, Memory, Mode, Preset, Setup, SoloDeck, Spell, SpellSet};
use rules::{Spells, TeamEnd};

/// A table with a name.
pub type Variant = (String, Setup);

fn table(preset: Preset, mode: Mode, players: usize, change: impl FnOnce(&mut Setup)) -> Setup {
    let mut setup = Setup::new(preset, mode, players);
    change(&mut setup);
    setup.options.memory = setup.usual_memory();
    setup.options.start_setup = choice(setup.start.is_none());
    setup.options.spell_setup = choice(matches!(setup.spells, Spells::Random(_)));
    setup
}

fn choice(random: bool) -> Choice {
    if random {
        Choice::Random
    } else {
        Choice::Chosen
    }
}

const ALL: Spells = Spells::Chosen(SpellSet::ALL);

/// One of each kind: mode, size, option and preset.
pub fn variants() -> Vec<Variant> {
    use Mode::{Coop, Solo, Versus};
    use Preset::{Abacus1, Abacus2, Capstone, Oya};
    let mut all: Vec<Variant> = Vec::new();
    let mut add = |name: &str, setup: Setup| all.push((name.into(), setup));
    for players in 2..=6 {
        let setup = table(Capstone, Versus, players, |_| {});
        add(&format!("versus-{players}"), setup);
    }
    for preset in [Abacus1, Abacus2, Oya] {
        let setup = table(preset, Versus, 3, |s| s.spells = ALL);
        add(&format!("versus-3-{}", preset.name()), setup);
    }
    add(
        "versus-3-all-spells",
        table(Capstone, Versus, 3, |s| s.spells = ALL),
    );
    add(
        "versus-4-random",
        table(Capstone, Versus, 4, |s| {
            s.spells = Spells::Random(4);
            s.start = None;
        }),
    );
    add(
        "versus-2-may-decline",
        table(Capstone, Versus, 2, |s| {
            s.options.may_decline = true;
            s.spells = ALL;
        }),
    );
    add(
        "versus-2-capped-costs",
        table(Capstone, Versus, 2, |s| {
            s.options.max_rounds = Some(12);
            s.options.costs = Costs::usual()
                .with(Spell::AdvanceTower, 3)
                .with(Spell::AdvanceWizard, 1)
                .with(Spell::Piggyback, 1);
            s.spells = ALL;
            s.seats.reverse();
        }),
    );
    for (players, preset) in [(4, Capstone), (6, Capstone), (4, Abacus2)] {
        let setup = table(preset, Versus, players, |s| {
            s.options.teams = true;
            s.spells = ALL;
        });
        add(&format!("teams-{players}-{}", preset.name()), setup);
    }
    for players in [2, 3, 5] {
        let setup = table(Capstone, Versus, players, |s| {
            s.options.reactions = true;
            s.spells = ALL;
        });
        add(&format!("reactions-{players}"), setup);
    }
    add(
        "reactions-4-piggyback",
        table(Capstone, Versus, 4, |s| {
            s.options.reactions = true;
            s.options.costs = s.options.costs.with(Spell::Piggyback, 1);
            s.spells = Spells::Chosen(SpellSet::NONE.with(Spell::Piggyback));
        }),
    );
    add(
        "reactions-3-oya-random",
        table(Oya, Versus, 3, |s| {
            s.options.reactions = true;
            s.spells = Spells::Random(3);
            s.start = None;
        }),
    );
    add(
        "reactions-4-free-any-time",
        table(Abacus1, Versus, 4, |s| {
            s.options.reactions = true;
            s.spells = ALL;
        }),
    );
    for (players, preset) in [(4, Capstone), (6, Abacus1)] {
        let setup = table(preset, Versus, players, |s| {
            s.options.teams = true;
            s.options.reactions = true;
            s.spells = ALL;
        });
        add(
            &format!("teams-reactions-{players}-{}", preset.name()),
            setup,
        );
    }
    add("solo", table(Capstone, Solo, 1, |_| {}));
    let three = Spells::Chosen("AT,PB,FW".parse().expect("three spells"));
    add(
        "solo-spells",
        table(Capstone, Solo, 1, |s| s.spells = three),
    );
    add("solo-oya", table(Oya, Solo, 1, |_| {}));
    add(
        "solo-oya-spells",
        table(Oya, Solo, 1, |s| {
            s.spells = Spells::Random(3);
            s.options.may_decline = true;
        }),
    );
    add("coop-3", table(Capstone, Coop, 3, |_| {}));
    add(
        "coop-2-spells",
        table(Capstone, Coop, 2, |s| s.spells = ALL),
    );
    add(
        "coop-4-private",
        table(Oya, Coop, 4, |s| {
            s.options.coop_hands = CoopHands::Private;
            s.spells = Spells::Random(3);
        }),
    );
    add(
        "coop-6-private-lose",
        table(Capstone, Coop, 6, |s| {
            s.options.coop_hands = CoopHands::Private;
            s.options.solo_deck = SoloDeck::Lose;
            s.options.solo_refresh = true;
            s.start = Some(rules::Colour::Red);
        }),
    );
    all
}

/// The variant with this name.
pub fn variant(name: &str) -> Setup {
    let found = variants().into_iter().find(|(n, _)| n == name);
    found.unwrap_or_else(|| panic!("no variant {name}")).1
}

/// A setup made of bytes, as any mixture of options; it may be one that cannot be played.
pub fn setup_of(mut byte: impl FnMut() -> u8) -> Setup {
    let preset = Preset::ALL[usize::from(byte() % 4)];
    let mode = [Mode::Versus, Mode::Versus, Mode::Solo, Mode::Coop][usize::from(byte() % 4)];
    let players = match mode {
        Mode::Solo => 1,
        _ => 2 + usize::from(byte() % 5),
    };
    let flags = byte();
    let mut setup = table(preset, mode, players, |s| {
        let options = &mut s.options;
        options.teams = flags & 1 > 0;
        options.reactions = flags & 2 > 0;
        options.may_decline = flags & 4 > 0;
        options.free_any_time = flags & 8 > 0;
        options.solo_refresh = flags & 16 > 0;
        if flags & 32 > 0 {
            options.coop_hands = CoopHands::Private;
        }
        if flags & 64 > 0 {
            options.team_end = TeamEnd::AtOnce;
            options.solo_deck = SoloDeck::Renew;
        }
        s.spells = match byte() {
            k @ 0..=8 => Spells::Random(k),
            9..=99 => ALL,
            bits => Spells::Chosen(
                Spell::ALL
                    .into_iter()
                    .filter(|&s| bits >> s as u8 & 1 == 1)
                    .collect(),
            ),
        };
        let more = byte();
        for spell in Spell::ALL {
            let cost = 1 + (more >> (spell as u8 & 3)) % 3;
            options.costs = options.costs.with(spell, cost);
        }
        if more & 1 > 0 {
            options.max_rounds = Some(1 + u16::from(more));
        }
        let start = byte();
        s.start = s.seats.get(usize::from(start)).copied();
        if start & 16 > 0 {
            s.seats.reverse();
        }
    });
    setup.options.memory = if flags & 128 > 0 {
        Memory::Strict
    } else {
        Memory::Assisted
    };
    setup
}
