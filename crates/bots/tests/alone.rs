//! Solo and cooperative games (§14, §15): every level above the Novice brings all wizards home and, with spells, fills
//! the flasks in time (R14.7); the clairvoyant search finds a solution.

mod common;

use common::BotTable;
use towers_bots::{Budget, Strength, clairvoyant};
use towers_rules::{
    Actor, Card, Chance, ChanceRequest, CoopHands, Mode, Preset, Setup, SpellSet, Spells, State,
};

const DEALS: u64 = 6;
/// The goal of the printed table (R14.3).
const GOAL: u64 = 30;

/// The mean number of cards used.
fn mean(setup: &Setup, level: Strength, budget: Budget) -> u64 {
    let mut cards = 0;
    for seed in 0..DEALS {
        let mut table = BotTable::new(setup, seed, |_| level);
        table.play(1000, budget);
        let outcome = table.state.outcome().expect("it ends");
        assert!(!outcome.winners.is_empty(), "{level}, deal {seed}: lost");
        cards += u64::from(outcome.score.expect("R14.3"));
    }
    cards / DEALS
}

#[test]
fn an_adept_reaches_the_goal_with_and_without_spells() {
    for spells in [Spells::Chosen(SpellSet::NONE), Spells::Random(3)] {
        for (mode, players, hands) in [
            (Mode::Solo, 1, CoopHands::Shared),
            (Mode::Coop, 3, CoopHands::Shared),
            (Mode::Coop, 4, CoopHands::Private),
        ] {
            let mut setup = Setup::new(Preset::Capstone, mode, players);
            setup.spells = spells;
            setup.options.coop_hands = hands;
            let cards = mean(&setup, Strength::Adept, Budget::Iterations(1));
            assert!(cards <= GOAL, "{mode:?} {hands:?} {spells:?}: {cards}");
        }
    }
}

#[test]
fn a_master_reaches_the_goal_with_spells() {
    let mut setup = Setup::new(Preset::Capstone, Mode::Solo, 1);
    setup.spells = Spells::Random(3);
    let cards = mean(&setup, Strength::Master, Budget::Iterations(60));
    assert!(cards < GOAL, "{cards}");
}

#[test]
fn the_clairvoyant_search_finds_a_solution() {
    for spells in [Spells::Chosen(SpellSet::NONE), Spells::Random(3)] {
        let mut setup = Setup::new(Preset::Capstone, Mode::Solo, 1);
        setup.spells = spells;
        let (state, cards) = dealt(&setup);
        let found = clairvoyant(&state, &cards, &|n| 1 + (n % 6) as u8, 6);
        assert!(found.is_some_and(|n| (12..30).contains(&n)), "{found:?}");
    }
}

/// A state with its first hand dealt, and the order of the other cards.
fn dealt(setup: &Setup) -> (State, Vec<Card>) {
    let mut rng = fastrand::Rng::with_seed(9);
    let mut state = State::new(setup).expect("a legal table");
    let mut cards: Vec<Card> = Card::all()
        .flat_map(|card| std::iter::repeat_n(card, card.copies().into()))
        .collect();
    rng.shuffle(&mut cards);
    while state.actor() == Actor::Chance {
        let chance = match state.chance() {
            Some(ChanceRequest::Draw(seat)) => {
                Chance::Draw(state.hand_colour(seat), cards.pop().expect("90 cards"))
            }
            _ => state.sample_chance(|n| rng.u32(0..n)).expect("chance"),
        };
        state.apply_chance(chance).expect("an answer");
    }
    (state, cards)
}
