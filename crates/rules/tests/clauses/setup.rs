//! §2 and §3: pieces, board, setup.

use crate::common::variants::variants;
use crate::common::{Rng, settle, settle_randomly, turn_of};
use towers_rules::{
    Actor, Card, Chance, ChanceRequest, Colour, GHOST_LIGHTS, Illegal, Mode, Preset, Setup,
    SetupError, Space, Spell, SpellRight, SpellSet, SpellTime, Spells, State, Surface, Tower,
};

fn versus(players: usize) -> Setup {
    Setup::new(Preset::Capstone, Mode::Versus, players)
}

fn board(setup: &Setup) -> String {
    let mut state = State::new(setup).expect("a table that can be played");
    settle(&mut state);
    state.diagram().to_string()
}

#[test]
fn r2_1_sixteen_spaces_in_a_ring_and_the_castle_on_0() {
    assert_eq!(Space::all().count(), 16);
    let fifteen = Space::new(15).expect("there is a space 15");
    assert_eq!(Space::new(16), None);
    assert_eq!(fifteen.ahead(1).number(), 0);
    assert_eq!(Space::wrapping(0).behind(1), fifteen);
    let state = State::new(&versus(2)).expect("two can play");
    assert_eq!(state.castle().number(), 0);
}

#[test]
fn r2_2_four_grounds_have_a_shield() {
    let with: Vec<_> = Space::all()
        .filter(|&s| Surface::ground(s).has_shield())
        .map(Space::number)
        .collect();
    assert_eq!(with, [0, 4, 8, 12]);
}

#[test]
fn r2_3_towers_a_to_i_stand_on_1_to_9_and_five_have_a_shield() {
    let state = State::new(&versus(2)).expect("two can play");
    for (i, tower) in Tower::all().enumerate() {
        assert_eq!(usize::from(state.tower_space(tower).number()), i + 1);
        assert_eq!(
            state.below(tower),
            Surface::ground(state.tower_space(tower))
        );
    }
    let with: String = Tower::all()
        .filter(|t| t.has_shield())
        .map(Tower::letter)
        .collect();
    assert_eq!(with, "ACEGI");
    assert!(Tower::all().all(|t| t.has_shield() == t.top().has_shield()));
    assert_eq!(Tower::new(9), None);
}

#[test]
fn r2_4_ghost_lights() {
    assert_eq!(GHOST_LIGHTS, [3, 3, 3, 2, 2, 2, 1, 1, 1]);
}

#[test]
fn r2_5_ninety_cards_of_twenty_three_kinds() {
    let kinds = [
        ("w1 w2 w3 w4 w5 t1 t2 t3 t4 t5", 4),
        ("w1t1 w2t2 w3t3 w4t4", 3),
        ("w1t5 w2t4 w4t2 w5t1", 6),
        ("w?t?", 6),
        ("t?? w??", 3),
        ("t??? w???", 1),
    ];
    let mut cards = 0;
    let mut seen = Vec::new();
    for (texts, copies) in kinds {
        for text in texts.split(' ') {
            let card: Card = text.parse().expect("a card");
            assert_eq!(card.copies(), copies, "{text}");
            let number = |letter: char| {
                let after = text.split_once(letter)?.1;
                after.chars().next()?.to_digit(10).map(|n| n as u8)
            };
            let dice = text.matches('?').count() as u8;
            if dice == 0 {
                assert_eq!(card.dice(), 0, "{text}");
                assert_eq!(card.wizard_steps(6), number('w'), "{text}");
                assert_eq!(card.tower_steps(6), number('t'), "{text}");
            } else {
                assert_eq!(card.dice(), if text == "w?t?" { 1 } else { dice });
                let may = |letter| text.contains(letter).then_some(6);
                assert_eq!(card.wizard_steps(6), may('w'), "{text}");
                assert_eq!(card.tower_steps(6), may('t'), "{text}");
            }
            cards += copies;
            seen.push(card);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!((seen.len(), cards), (23, 90));
    assert_eq!(Card::all().count(), 23);
    assert_eq!(towers_rules::Pile::full_deck().len(), towers_rules::DECK);
}

#[test]
fn r2_6_six_colours_eight_spells_one_die() {
    assert_eq!(
        Colour::ALL.map(Colour::letter).iter().collect::<String>(),
        "byrgop"
    );
    assert_eq!(Spell::ALL.len(), 8);
    let mut state = crate::common::Scenario::of("by")
        .at(9, "by")
        .hand('b', "w?t?,w1,w2")
        .state();
    let state_before = state;
    crate::common::play(&mut state, "w?t?");
    let rolls: Vec<_> = state.chance_outcomes().into_iter().collect();
    let expected: Vec<_> = (1..=6).map(|n| (Chance::Roll(n), 1)).collect();
    assert_eq!(rolls, expected);
    for wrong in [0, 7, 255] {
        assert_eq!(
            state
                .apply_chance(Chance::Roll(wrong))
                .map_err(Illegal::clause),
            Err("R2.6")
        );
    }
    assert_eq!(state_before.chance_outcomes(), []);
}

#[test]
fn r2_7_all_flasks_begin_empty() {
    for (name, setup) in variants() {
        let mut state = State::new(&setup).expect("a variant can be played");
        settle(&mut state);
        for owner in state.owners() {
            let flasks = state.flasks(owner);
            assert_eq!((flasks.full, flasks.spent), (0, 0), "{name}");
            assert_eq!(flasks.empty, state.flasks_each(), "{name}");
        }
    }
}

#[test]
fn r3_1_wizards_and_flasks_by_number_of_players() {
    let expected = [(2, 5, 6), (3, 4, 5), (4, 4, 5), (5, 3, 4), (6, 3, 4)];
    for (players, wizards, flasks) in expected {
        let mut state = State::new(&versus(players)).expect("it can be played");
        settle(&mut state);
        assert_eq!(state.wizards_each(), wizards);
        for seat in state.seats() {
            assert_eq!(state.flasks(seat).empty, flasks);
            let out: u8 = Surface::all().map(|s| state.count(s, seat)).sum();
            assert_eq!(out, wizards);
        }
    }
    for players in [0, 1, 7, 8] {
        let error = State::new(&versus(players)).err();
        assert_eq!(error, Some(SetupError::Players), "{players} players");
    }
}

#[test]
fn r3_2_wizards_are_put_up_one_by_one_from_the_starting_player() {
    let two = versus(2);
    assert_eq!(board(&two), "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-");
    let yellow_starts = Setup {
        start: Some(Colour::Yellow),
        ..two
    };
    assert_eq!(
        board(&yellow_starts),
        "*/Abyy/Bbby/Cbyy/Db/E/F/G/H/I/-/-/-/-/-/-"
    );
    assert_eq!(
        board(&versus(3)),
        "*/Abyr/Bbyr/Cbyr/Dby/Er/F/G/H/I/-/-/-/-/-/-"
    );
    assert_eq!(
        board(&versus(4)),
        "*/Abyr/Bbyg/Cbrg/Dyr/Ebg/Fyr/Gg/H/I/-/-/-/-/-/-"
    );
    assert_eq!(
        board(&versus(5)),
        "*/Abyr/Bbgo/Cyrg/Dbo/Eyr/Fgo/G/H/I/-/-/-/-/-/-"
    );
    assert_eq!(
        board(&versus(6)),
        "*/Abyr/Bgop/Cbyr/Dgo/Ebp/Fyr/Gg/Ho/Ip/-/-/-/-/-/-"
    );
}

#[test]
fn r3_3_three_cards_each_and_the_rest_is_the_draw_pile() {
    for (name, setup) in variants() {
        let mut state = State::new(&setup).expect("a variant can be played");
        settle_randomly(&mut state, &mut Rng(3), &mut Vec::new());
        let hands = if state.shares_hand() {
            1
        } else {
            state.players()
        };
        assert_eq!(state.draw_len(), 90 - 3 * hands, "{name}");
        assert!(state.seats().all(|s| state.hand(s).len() == 3), "{name}");
        assert!(state.discard_pile().is_empty(), "{name}");
    }
}

#[test]
fn r3_3_the_deal_goes_in_turn_order_and_every_card_is_as_likely_as_it_is_frequent() {
    let mut setup = versus(3);
    setup.start = Some(Colour::Yellow);
    let mut state = State::new(&setup).expect("three can play");
    let mut order = String::new();
    while let Some(ChanceRequest::Draw(seat)) = state.chance() {
        order.push(state.colour(seat).letter());
        let outcomes = state.chance_outcomes();
        let weights: u32 = outcomes.iter().map(|(_, w)| w).sum();
        assert_eq!(weights, u32::from(state.draw_len()));
        state.apply_chance(outcomes[0].0).expect("an outcome");
    }
    assert_eq!(order, "yyyrrrbbb");
}

#[test]
fn r3_4_beginners_take_two_spells_and_any_set_can_be_drawn() {
    assert_eq!(versus(2).spells, Spells::Chosen(SpellSet::BEGINNER));
    assert_eq!(SpellSet::BEGINNER.to_string(), "AW,AT");
    let choose = [1, 8, 28, 56, 70, 56, 28, 8, 1];
    for (k, sets) in (0u8..).zip(choose) {
        let mut setup = versus(2);
        setup.spells = Spells::Random(k);
        let mut state = State::new(&setup).expect("up to eight spells");
        assert_eq!(state.chance(), Some(ChanceRequest::Spells(k)));
        let outcomes = state.chance_outcomes();
        assert_eq!(outcomes.len(), sets);
        assert!(outcomes.iter().all(|(_, weight)| *weight == 1));
        let other = Chance::Spells(if k == 8 {
            SpellSet::NONE
        } else {
            SpellSet::ALL
        });
        assert_eq!(
            state.apply_chance(other),
            Err(Illegal::OtherChance),
            "not {k} spells"
        );
        let Some((Chance::Spells(last), _)) = outcomes.last().copied() else {
            panic!("spells are drawn");
        };
        state
            .apply_chance(Chance::Spells(last))
            .expect("an outcome");
        assert_eq!(state.spells(), last);
    }
    let mut setup = versus(2);
    setup.spells = Spells::Random(9);
    assert_eq!(State::new(&setup).err(), Some(SetupError::SpellCount));
}

#[test]
fn r3_5_the_starting_player_may_be_drawn_and_turns_go_in_order_of_seats() {
    let mut setup = versus(3);
    setup.start = None;
    setup.options.refresh_tower = towers_rules::RefreshTower::May;
    let state = State::new(&setup).expect("three can play");
    let outcomes = state.chance_outcomes();
    let starts =
        ["b", "y", "r"].map(|c| (format!("start {c}").parse::<Chance>().expect("chance"), 1));
    assert_eq!(outcomes, starts);
    let mut drawn = state;
    assert_eq!(
        drawn.apply_chance(Chance::Start(Colour::Green)),
        Err(Illegal::OtherChance)
    );
    drawn
        .apply_chance(Chance::Start(Colour::Red))
        .expect("red plays");
    settle(&mut drawn);
    let mut order = String::new();
    for _ in 0..7 {
        order.push(turn_of(&drawn));
        crate::common::play(&mut drawn, "refresh:-");
        settle(&mut drawn);
    }
    assert_eq!(order, "rbyrbyr");
    assert_eq!(drawn.round(), 3);
    let chosen = Setup {
        start: Some(Colour::Green),
        ..setup
    };
    assert_eq!(State::new(&chosen).err(), Some(SetupError::Start));
}

#[test]
fn every_setup_that_cannot_be_played_says_why() {
    let check = |change: &dyn Fn(&mut Setup), expected: SetupError, clause: &str| {
        let mut setup = versus(4);
        change(&mut setup);
        assert_eq!(setup.check(), Err(expected));
        assert_eq!(State::new(&setup).err(), Some(expected));
        assert!(expected.to_string().contains(clause), "{expected}");
    };
    check(
        &|s| s.seats[3] = Colour::Blue,
        SetupError::SameColour,
        "R2.6",
    );
    check(
        &|s| {
            s.options.teams = true;
            s.seats.pop();
        },
        SetupError::TeamSize,
        "R12.1",
    );
    check(
        &|s| {
            s.options.teams = true;
            s.options.mode = Mode::Coop;
        },
        SetupError::TeamMode,
        "R12.1",
    );
    check(
        &|s| {
            s.options.reactions = true;
            s.options.mode = Mode::Coop;
        },
        SetupError::ReactionMode,
        "R13.1",
    );
    check(
        &|s| {
            s.preset = Preset::Abacus2;
            s.options.mode = Mode::Coop;
        },
        SetupError::Edition,
        "R17",
    );
    check(
        &|s| s.options.costs = s.options.costs.with(Spell::FreeWizard, 0),
        SetupError::Cost,
        "R10",
    );
    check(
        &|s| s.options.costs = s.options.costs.with(Spell::AdvanceWizard, 4),
        SetupError::Cost,
        "R10",
    );
    check(
        &|s| s.options.max_rounds = Some(0),
        SetupError::Cap,
        "R11.7",
    );
    check(
        &|s| {
            s.options.reactions = true;
            s.options.spell_right = SpellRight::Shared;
            s.options.spell_time = SpellTime::Turn;
            s.options.free_any_time = true;
        },
        SetupError::FreeAnyTime,
        "R13.11",
    );
    check(
        &|s| {
            s.options.reactions = true;
            s.options.spell_right = SpellRight::Each;
            s.options.spell_time = SpellTime::Declared;
        },
        SetupError::EachNeedsAny,
        "R13.12",
    );
    check(
        &|s| s.options.mode = Mode::Solo,
        SetupError::Players,
        "R14.1",
    );
    let mut coop = Setup::new(Preset::Capstone, Mode::Coop, 6);
    assert_eq!(coop.check(), Ok(()));
    coop.seats.truncate(1);
    assert_eq!(coop.check(), Err(SetupError::Players));
    assert_eq!(
        State::new(&Setup::new(Preset::Oya, Mode::Solo, 1)).map(|s| s.actor()),
        Ok(Actor::Chance)
    );
}
