//! Every variant that can be played, by name.

use towers_rules::{
    Colour, CoopHands, Costs, Field, Memory, Mode, Preset, RefreshDraw, Selection, Setup, SoloDeck,
    Spell, SpellRight, SpellSet, SpellTime, Spells,
};

/// A table with a name.
pub type Variant = (String, Setup);

fn table(preset: Preset, mode: Mode, players: usize, change: impl FnOnce(&mut Setup)) -> Setup {
    let mut setup = Setup::new(preset, mode, players);
    change(&mut setup);
    setup.options.start_setup = choice(setup.start.is_none());
    setup.options.spell_setup = choice(matches!(setup.spells, Spells::Random(_)));
    setup
}

fn choice(random: bool) -> Selection {
    if random {
        Selection::Random
    } else {
        Selection::Chosen
    }
}

const ALL: Spells = Spells::Chosen(SpellSet::ALL);

/// Every edition in every mode it has, then one of each size and option.
pub fn variants() -> Vec<Variant> {
    let mut all = editions();
    all.extend(others());
    all
}

/// Every edition against each other, in teams, with reactions and with both, alone and together; with all spells where there
/// are spells.
fn editions() -> Vec<Variant> {
    let mut all: Vec<Variant> = Vec::new();
    for preset in Preset::ALL {
        let mut add = |kind: &str, setup: Setup| {
            all.push((format!("{kind}-{}", preset.name()), setup));
        };
        for (kind, players, teams, reactions) in [
            ("versus", 3, false, false),
            ("teams", 4, true, false),
            ("reactions", 3, false, true),
            ("teams-reactions", 4, true, true),
        ] {
            let setup = table(preset, Mode::Versus, players, |s| {
                s.options.teams = teams;
                s.options.reactions = reactions;
                s.spells = ALL;
            });
            add(kind, setup);
        }
        if preset.has_solo() {
            let spells = |s: &mut Setup| {
                s.spells = match preset {
                    Preset::Oya => Spells::Random(3),
                    _ => Spells::Chosen("AT,PB,FW".parse().expect("three spells")),
                };
            };
            add("solo", table(preset, Mode::Solo, 1, |_| {}));
            add("solo-spells", table(preset, Mode::Solo, 1, spells));
            add("coop", table(preset, Mode::Coop, 3, |_| {}));
        }
    }
    all
}

/// Every number of players, and what a table can choose in every edition.
fn others() -> Vec<Variant> {
    use Mode::{Coop, Solo, Versus};
    use Preset::{Abacus1, Capstone, Oya};
    let mut all: Vec<Variant> = Vec::new();
    let mut add = |name: &str, setup: Setup| all.push((name.into(), setup));
    for players in 2..=6 {
        let setup = table(Capstone, Versus, players, |_| {});
        add(&format!("versus-{players}"), setup);
    }
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
            s.options.memory = Memory::Assisted;
            s.spells = ALL;
            s.seats.reverse();
        }),
    );
    add(
        "teams-6",
        table(Capstone, Versus, 6, |s| {
            s.options.teams = true;
            s.spells = ALL;
        }),
    );
    for players in [2, 5] {
        let setup = table(Capstone, Versus, players, |s| {
            s.options.reactions = true;
            s.spells = ALL;
        });
        add(&format!("reactions-{players}"), setup);
    }
    for (name, preset) in [("each", Capstone), ("shared", Oya)] {
        let setup = table(preset, Versus, 4, |s| {
            s.options.reactions = true;
            s.options.costs = s.options.costs.with(Spell::Piggyback, 1);
            s.spells = Spells::Chosen(SpellSet::NONE.with(Spell::Piggyback));
        });
        add(&format!("reactions-4-piggyback-{name}"), setup);
    }
    add(
        "reactions-3-random",
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
            s.spells = Spells::Chosen("AT,FW".parse().expect("two spells"));
        }),
    );
    add(
        "teams-reactions-6",
        table(Abacus1, Versus, 6, |s| {
            s.options.teams = true;
            s.options.reactions = true;
            s.spells = ALL;
        }),
    );
    add(
        "solo-may-decline",
        table(Oya, Solo, 1, |s| {
            s.spells = Spells::Random(3);
            s.options.may_decline = true;
            s.options.refresh_draw = RefreshDraw::First;
        }),
    );
    add(
        "coop-2-spells",
        table(Capstone, Coop, 2, |s| {
            s.options.memory = Memory::Assisted;
            s.spells = ALL;
        }),
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
            s.start = Some(Colour::Red);
        }),
    );
    all
}

pub fn variant(name: &str) -> Setup {
    let found = variants().into_iter().find(|(n, _)| n == name);
    found.unwrap_or_else(|| panic!("no variant {name}")).1
}

/// A setup chosen by bytes. Every field has any of its values, so the setup may be illegal.
pub fn setup_of(mut byte: impl FnMut() -> u8) -> Setup {
    let preset = Preset::ALL[usize::from(byte() % 4)];
    let mode = [Mode::Versus, Mode::Versus, Mode::Solo, Mode::Coop][usize::from(byte() % 4)];
    let players = match mode {
        Mode::Solo => 1,
        _ => 2 + usize::from(byte() % 5),
    };
    let playable = byte() >= 32;
    table(preset, mode, players, |s| {
        for &field in Field::ALL {
            let text = match field {
                Field::Mode => continue,
                Field::Costs => {
                    let cost = |spell: Spell| format!("{spell}:{}", 1 + byte() % 3);
                    Spell::ALL.map(cost).join(",")
                }
                Field::MaxRounds => match byte() {
                    rounds @ 1..100 => rounds.to_string(),
                    _ => "null".into(),
                },
                _ => {
                    let values = field.values();
                    values[usize::from(byte()) % values.len()].into()
                }
            };
            s.options.set(field, &text).expect("a value of the field");
        }
        s.spells = match byte() {
            k @ 0..72 => Spells::Random(k % 9),
            72..128 => ALL,
            bits => Spells::Chosen(
                Spell::ALL
                    .into_iter()
                    .filter(|&s| bits >> s as u8 & 1 == 1)
                    .collect(),
            ),
        };
        let start = byte();
        let first = s.seats[usize::from(start) % s.seats.len()];
        s.start = (start & 32 > 0).then_some(first);
        if start & 16 > 0 {
            s.seats.reverse();
        }
        if playable {
            make_playable(s, byte());
        }
    })
}

/// Resolves conflicts between fields; a byte chooses which of the two is reset.
fn make_playable(setup: &mut Setup, byte: u8) {
    let options = &mut setup.options;
    let shared = options.mode != Mode::Versus;
    options.reactions &= !shared;
    options.teams &= !shared;
    if shared && !setup.preset.has_solo() {
        setup.preset = Preset::Oya;
    }
    if options.teams {
        match setup.seats.len() {
            4 | 6 => {}
            _ if byte & 1 == 0 => options.teams = false,
            _ => {
                setup.seats = Colour::ALL[..if byte & 2 == 0 { 4 } else { 6 }].to_vec();
                setup.start = None;
            }
        }
    }
    if options.spell_time != SpellTime::Any {
        if byte & 4 == 0 {
            options.spell_time = SpellTime::Any;
        } else {
            options.spell_right = SpellRight::Shared;
            options.free_any_time = false;
        }
    }
}
