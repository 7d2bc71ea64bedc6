//! §17: what a preset fills in.

use rules::{
    Choice, CoopHands, Memory, Mode, Options, Preset, Setup, SoloDeck, Spell, SpellSet, Spells,
    TeamEnd,
};

#[test]
fn the_table_of_presets() {
    let expected = [
        (Preset::Capstone, "capstone", 2, TeamEnd::Round, false),
        (Preset::Abacus1, "abacus-1", 1, TeamEnd::AtOnce, true),
        (Preset::Abacus2, "abacus-2", 1, TeamEnd::AtOnce, false),
        (Preset::Oya, "oya", 2, TeamEnd::Round, false),
    ];
    for (preset, name, free, team_end, any_time) in expected {
        assert_eq!(
            (preset.name(), Preset::from_name(name)),
            (name, Some(preset))
        );
        let options = preset.options(Mode::Versus);
        assert_eq!(options.costs.of(Spell::FreeWizard), free, "{name}");
        assert_eq!(options.team_end, team_end, "{name}");
        assert_eq!(options.free_any_time, any_time, "{name}");
        assert_eq!(options.memory, Memory::Strict, "{name}");
        let plain = (options.teams, options.reactions, options.may_decline);
        assert_eq!(plain, (false, false, false), "{name}");
        assert_eq!(options.max_rounds, None, "{name}");
        let choices = (options.spell_setup, options.start_setup);
        assert_eq!(choices, (Choice::Chosen, Choice::Chosen), "{name}");
        for spell in Spell::ALL.into_iter().filter(|&s| s != Spell::FreeWizard) {
            assert_eq!(
                options.costs.of(spell),
                spell.usual_cost(),
                "{name} {spell}"
            );
        }
        let six = Setup::new(preset, Mode::Versus, 6);
        assert_eq!(six.check(), Ok(()), "{name}");
        assert_eq!(six.spells, Spells::Chosen(SpellSet::BEGINNER), "{name}");
    }
    assert_eq!(Preset::from_name("kosmos"), None);
    assert_eq!(Preset::default(), Preset::Capstone);
    assert_eq!(Options::default(), Preset::Capstone.options(Mode::Versus));
}

#[test]
fn solo_and_cooperative_games_by_preset() {
    for mode in [Mode::Solo, Mode::Coop] {
        let capstone = Preset::Capstone.options(mode);
        let oya = Preset::Oya.options(mode);
        assert_eq!((capstone.solo_refresh, oya.solo_refresh), (false, true));
        let decks = (capstone.solo_deck, oya.solo_deck);
        assert_eq!(decks, (SoloDeck::Lose, SoloDeck::Renew));
        let hands = (capstone.coop_hands, oya.coop_hands);
        assert_eq!(hands, (CoopHands::Shared, CoopHands::Shared));
        assert_eq!(capstone.memory, Memory::Assisted);
        for preset in Preset::ALL {
            let setup = Setup::new(preset, mode, if mode == Mode::Solo { 1 } else { 3 });
            assert_eq!(
                setup.check().is_ok(),
                preset.has_solo(),
                "{}",
                preset.name()
            );
            assert_eq!(setup.spells, Spells::Chosen(SpellSet::NONE));
        }
    }
}

#[test]
fn the_usual_costs() {
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
