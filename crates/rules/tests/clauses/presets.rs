//! §17: the values of a preset, and the fields in which a table departs from it.

use towers_rules::{
    Departure, Field, Mode, Options, Preset, Selection, Setup, Spell, SpellSet, Spells, State,
};

const MODES: [Mode; 3] = [Mode::Versus, Mode::Solo, Mode::Coop];

const USUAL_COSTS: &str = "AW:2,AT:1,SW:1,HW:2,HT:1,NC:2,PB:2,FW:2";
const ABACUS_COSTS: &str = "AW:2,AT:1,SW:1,HW:2,HT:1,NC:2,PB:2,FW:1";

/// The table of §17: capstone, abacus-1, abacus-2, oya. Where a preset has no value, that of capstone holds.
const PRINTED: [(Field, [&str; 4]); 19] = [
    (
        Field::Costs,
        [USUAL_COSTS, ABACUS_COSTS, ABACUS_COSTS, USUAL_COSTS],
    ),
    (Field::RefreshTower, ["must", "may", "may", "may"]),
    (Field::RefreshDraw, ["last", "first", "first", "last"]),
    (Field::RefreshSpell, ["true", "false", "false", "true"]),
    (Field::EntryEnds, ["any", "own", "own", "own"]),
    (Field::OfferAfterRefusal, ["false", "true", "true", "true"]),
    (Field::Gifts, ["both", "both", "both", "to_active"]),
    (Field::TeamEnd, ["round", "at_once", "at_once", "round"]),
    (Field::SpellRight, ["each", "shared", "shared", "shared"]),
    (Field::SpellTime, ["any", "any", "turn", "declared"]),
    (Field::RefreshWindow, ["true", "true", "true", "false"]),
    (Field::FreeAnyTime, ["false", "true", "false", "false"]),
    (Field::SoloDeck, ["lose", "lose", "lose", "renew"]),
    (Field::SoloRefresh, ["false", "false", "false", "true"]),
    (Field::SoloSpell, ["after", "after", "after", "any"]),
    (Field::CoopHands, ["shared"; 4]),
    (Field::Memory, ["strict"; 4]),
    // Beyond the presets: off, or none.
    (Field::MayDecline, ["false"; 4]),
    (Field::MaxRounds, ["null"; 4]),
];

/// Fields that are the table's choice in every edition.
const CHOSEN: [(Field, &str); 4] = [
    (Field::Teams, "false"),
    (Field::Reactions, "false"),
    (Field::SpellSetup, "chosen"),
    (Field::StartSetup, "chosen"),
];

/// Every value of a field, or a few if there are too many.
fn values(field: Field) -> Vec<&'static str> {
    match field {
        Field::Costs => vec![
            USUAL_COSTS,
            ABACUS_COSTS,
            "AW:1,AT:1,SW:1,HW:3,HT:3,NC:3,PB:3,FW:3",
        ],
        Field::MaxRounds => vec!["null", "1", "300"],
        _ => field.values().to_vec(),
    }
}

#[test]
fn r17_the_table_of_presets_cell_by_cell() {
    for mode in MODES {
        for (i, preset) in Preset::ALL.into_iter().enumerate() {
            let options = preset.options(mode);
            for (field, printed) in PRINTED {
                assert_eq!(options.get(field), printed[i], "{} {field}", preset.name());
            }
            for (field, value) in CHOSEN {
                assert_eq!(options.get(field), value, "{} {field}", preset.name());
            }
            assert_eq!(options.mode, mode);
        }
    }
    // No field is missing above.
    let mut named: Vec<_> = PRINTED.map(|(field, _)| field).to_vec();
    assert!(named.iter().all(|field| field.is_of_edition()));
    named.extend(CHOSEN.map(|(field, _)| field));
    named.push(Field::Mode);
    named.sort_unstable();
    assert_eq!(named, Field::ALL);
    let of_edition = Field::ALL.iter().filter(|field| field.is_of_edition());
    assert_eq!(of_edition.count(), PRINTED.len());
}

#[test]
fn r17_the_names_of_presets() {
    let names = ["capstone", "abacus-1", "abacus-2", "oya"];
    assert_eq!(Preset::ALL.map(Preset::name), names);
    for preset in Preset::ALL {
        assert_eq!(Preset::from_name(preset.name()), Some(preset));
        let json = serde_json::to_value(preset).expect("a name");
        assert_eq!(json, preset.name());
    }
    assert_eq!(Preset::from_name("kosmos"), None);
    assert_eq!(Preset::default(), Preset::Capstone);
    assert_eq!(Options::default(), Preset::Capstone.options(Mode::Versus));
}

#[test]
fn r17_the_numbers_of_players() {
    for preset in Preset::ALL {
        let solo = preset == Preset::Capstone || preset == Preset::Oya;
        assert_eq!(preset.has_solo(), solo);
        for players in 0..=7 {
            let plays = |mode| Setup::new(preset, mode, players).check().is_ok();
            assert_eq!(plays(Mode::Versus), (2..=6).contains(&players));
            assert_eq!(plays(Mode::Coop), solo && (2..=6).contains(&players));
            assert_eq!(plays(Mode::Solo), solo && players == 1);
        }
    }
}

#[test]
fn r17_every_edition_can_be_played_with_teams_and_reactions() {
    for preset in Preset::ALL {
        for flags in 0..4 {
            let mut setup = Setup::new(preset, Mode::Versus, 4);
            setup.options.teams = flags & 1 > 0;
            setup.options.reactions = flags & 2 > 0;
            setup.spells = Spells::usual(&setup.options);
            assert_eq!(State::new(&setup).map(|s| s.players()), Ok(4));
            assert_eq!(setup.departures(), [], "{}", preset.name());
        }
    }
}

/// The usual spells, and which ones are as printed: no spells, beginner spells, three chosen, all, three at random, four at
/// random.
#[test]
fn r17_which_spells_are_as_printed() {
    use Preset::{Abacus1, Abacus2, Capstone, Oya};
    let three = Spells::Chosen("AT,PB,FW".parse().expect("three spells"));
    let sets = [
        Spells::Chosen(SpellSet::NONE),
        Spells::Chosen(SpellSet::BEGINNER),
        three,
        Spells::Chosen(SpellSet::ALL),
        Spells::Random(3),
        Spells::Random(4),
    ];
    let printed = |preset: Preset, mode: Mode, reactions: bool| {
        let mut options = preset.options(mode);
        options.reactions = reactions;
        let usual = Spells::usual(&options);
        assert!(usual.are_printed(preset, &options), "{}", preset.name());
        (
            usual,
            sets.map(|s| u8::from(s.are_printed(preset, &options))),
        )
    };
    let [none, beginner, .., four] = sets;
    for preset in Preset::ALL {
        let plain = printed(preset, Mode::Versus, false);
        let reactions = printed(preset, Mode::Versus, true);
        let (expected, with_reactions) = match preset {
            Capstone => ([0, 1, 0, 0, 1, 1], [0, 1, 0, 0, 1, 1]),
            Abacus1 | Abacus2 => ([0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1]),
            Oya => ([0, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1]),
        };
        assert_eq!(plain, (beginner, expected), "{}", preset.name());
        assert_eq!(reactions, (four, with_reactions), "{}", preset.name());
    }
    for mode in [Mode::Solo, Mode::Coop] {
        assert_eq!(printed(Capstone, mode, false), (none, [1, 0, 1, 0, 0, 0]));
        assert_eq!(printed(Oya, mode, false), (none, [1, 0, 0, 0, 1, 0]));
    }
}

#[test]
fn r17_every_field_of_an_edition_that_is_changed_departs_from_it() {
    for preset in Preset::ALL {
        for mode in MODES {
            let printed = preset.options(mode);
            assert_eq!(printed.departures(preset), [], "{}", preset.name());
            for &field in Field::ALL {
                for value in values(field) {
                    let mut options = printed;
                    options.set(field, value).expect("a value of the field");
                    let is_choice = preset == Preset::Oya && field == Field::CoopHands;
                    let departs =
                        field.is_of_edition() && !is_choice && value != printed.get(field);
                    let expected = departs.then(|| Departure {
                        field,
                        table: value.into(),
                        printed: printed.get(field),
                    });
                    let departures = options.departures(preset);
                    assert_eq!(departures, Vec::from_iter(expected), "{field}={value}");
                    if options.mode == mode {
                        let mut setup = Setup::new(preset, mode, 4);
                        setup.options = options;
                        setup.spells = Spells::usual(&options);
                        assert_eq!(setup.departures(), departures, "{field}={value}");
                    }
                }
            }
        }
    }
}

#[test]
fn r17_departures_are_told_together_and_spells_last() {
    let mut setup = Setup::new(Preset::Abacus2, Mode::Versus, 3);
    setup.options.free_any_time = true;
    setup.options.may_decline = true;
    setup.spells = Spells::Chosen("AT,FW".parse().expect("two spells"));
    let said: Vec<_> = setup
        .departures()
        .into_iter()
        .map(|d| format!("{} {} not {}", d.field, d.table, d.printed))
        .collect();
    let expected = [
        "may_decline true not false",
        "free_any_time true not false",
        "spell_setup AT,FW not AW,AT",
    ];
    assert_eq!(said, expected);
    setup.spells = Spells::Random(2);
    assert_eq!(setup.departures()[2].table, "random2");
    setup.options.reactions = true;
    assert_eq!(
        setup.departures().len(),
        2,
        "with reactions that is as printed"
    );
    setup.spells = Spells::Chosen(SpellSet::NONE);
    assert_eq!(setup.departures()[2].table, "none");
    assert_eq!(setup.departures()[2].printed, "random4");
    // The options of one edition seen from another: exactly the cells that differ.
    for (i, here) in Preset::ALL.into_iter().enumerate() {
        for (j, there) in Preset::ALL.into_iter().enumerate() {
            let departures = here.options(Mode::Versus).departures(there);
            let differ = PRINTED.iter().filter(|(_, cells)| cells[i] != cells[j]);
            assert_eq!(departures.len(), differ.count());
        }
    }
}

#[test]
fn r17_fields_are_set_by_name_and_wrong_names_and_values_are_refused() {
    let mut options = Options::default();
    options.set_by_name("gifts", "to_active").expect("a value");
    assert_eq!(options.get(Field::Gifts), "to_active");
    let unknown = options.set_by_name("gift", "both").expect_err("no field");
    assert_eq!(unknown.to_string(), "there is no rules field 'gift'");
    let wrong = options.set_by_name("gifts", "all").expect_err("no value");
    let message = "'all' is not a value of gifts: expected both or to_active";
    assert_eq!(wrong.to_string(), message);
    for costs in ["AW:0", "AW:4", "AW", "XX:1", "AW:1,AW:2", ""] {
        let wrong = options.set(Field::Costs, costs).expect_err("no costs");
        let message = wrong.to_string();
        assert!(
            message.starts_with(&format!("'{costs}' is not a value of costs")),
            "{message}"
        );
    }
    assert_eq!(
        options.get(Field::Gifts),
        "to_active",
        "nothing else changed"
    );
    for &field in Field::ALL {
        assert!(field.clause().starts_with('R'), "{field}");
    }
}

#[test]
fn r17_whether_something_was_drawn_follows_from_the_setup() {
    for (start, spells, expected) in [
        (false, false, (Selection::Chosen, Selection::Chosen)),
        (true, true, (Selection::Random, Selection::Random)),
    ] {
        let mut setup = Setup::new(Preset::Capstone, Mode::Versus, 3);
        if start {
            setup.start = None;
        }
        if spells {
            setup.spells = Spells::Random(4);
        }
        let options = State::new(&setup).expect("a table").options();
        assert_eq!((options.start_setup, options.spell_setup), expected);
    }
}

#[test]
fn r17_the_usual_costs() {
    let expected = [
        ("AW", 2),
        ("AT", 1),
        ("SW", 1),
        ("HW", 2),
        ("HT", 1),
        ("NC", 2),
        ("PB", 2),
        ("FW", 2),
    ];
    for (spell, (code, cost)) in Spell::ALL.into_iter().zip(expected) {
        assert_eq!((spell.code(), spell.usual_cost()), (code, cost));
        assert_eq!(Spell::from_code(code), Some(spell));
    }
}
