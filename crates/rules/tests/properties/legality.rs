//! The list of legal actions, the predicate and `apply` agree.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::LazyLock;

use crate::common::Rng;
use crate::common::policy::{random_tables, walk};
use crate::common::universe::universe;
use crate::common::variants::{setup_of, variants};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use towers_rules::{Action, Actions, Actor, State};

/// Everything that is listed is legal, and everything that is legal is listed.
fn list_and_predicate_agree(state: &State, all: &[Action]) {
    let list = state.legal_actions();
    let listed: HashSet<_> = list.iter().collect();
    assert_eq!(
        listed.len(),
        list.len(),
        "nothing is listed twice in {state:?}"
    );
    assert_eq!(list.is_empty(), listed.is_empty());
    let nth: Vec<_> = (0..list.len()).filter_map(|n| list.get(n)).collect();
    assert_eq!(nth, list.iter().collect::<Vec<_>>());
    assert_eq!(list.get(list.len()), None);
    let mut partner_list = Actions::new();
    let partner = state.partner_actions_into(&mut partner_list);
    let out_of_turn: HashSet<_> = partner_list.iter().collect();
    assert_eq!(partner.is_none(), out_of_turn.is_empty());
    for seat in state.seats() {
        let expected: HashSet<Action> = if state.actor() == Actor::Player(seat) {
            listed.clone()
        } else if partner == Some(seat) {
            out_of_turn.clone()
        } else {
            HashSet::new()
        };
        let legal = all.iter().filter(|&&a| state.is_legal(seat, a)).count();
        assert_eq!(legal, expected.len(), "for seat {} in {state:?}", seat.0);
        for &action in &expected {
            assert!(state.is_legal(seat, action), "{action} in {state:?}");
            assert!(
                partner != Some(seat) || partner_list.contains(action) || list.contains(action)
            );
        }
    }
}

/// The clauses (`R7.3`) and sections (`R19`) of `docs/rules.md`.
static CLAUSES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let text = std::fs::read_to_string(path).expect("docs/rules.md");
    let clause = |line: &str| Some(line.strip_prefix("- **")?.split_once("**")?.0.to_string());
    let section = |line: &str| {
        let number = line.strip_prefix("## §")?.split(' ').next()?;
        Some(format!("R{number}"))
    };
    text.lines()
        .filter_map(|line| clause(line).or_else(|| section(line)))
        .collect()
});

fn is_clause(id: &str) -> bool {
    CLAUSES.contains(id)
}

/// An illegal action changes nothing and names a clause.
fn illegal_actions_change_nothing(state: &State, all: &[Action], rng: &mut Rng) {
    for _ in 0..30 {
        let action = *rng.pick(all);
        let seat = towers_rules::Seat(rng.below(8) as u8);
        let mut after = *state;
        if let Err(why) = after.apply(seat, action) {
            assert_eq!(after, *state, "{action} was refused and changed something");
            let clause = why.clause();
            assert!(
                is_clause(clause),
                "{why} names {clause}, which docs/rules.md does not have"
            );
        } else {
            assert!(state.is_legal(seat, action));
            after
                .check_invariants()
                .expect("what is applied keeps the rules");
        }
    }
}

/// Chance accepts what it lists and nothing else.
fn chance_agrees(state: &State, rng: &mut Rng) {
    let outcomes = state.chance_outcomes();
    assert_eq!(outcomes.is_empty(), state.actor() != Actor::Chance);
    assert_eq!(state.chance().is_some(), state.actor() == Actor::Chance);
    let others = [
        "start b",
        "start p",
        "spells AW",
        "spells AT,SW",
        "shuffle",
        "draw b w1",
        "draw y w???",
        "roll 2",
    ];
    for text in others {
        let chance = text.parse().expect("chance");
        let listed = outcomes.iter().any(|(c, _)| *c == chance);
        let mut after = *state;
        let result = after.apply_chance(chance);
        assert_eq!(result.is_ok(), listed, "{text} in {state:?}");
        if result.is_err() {
            assert_eq!(after, *state);
        }
    }
    if let Some(sampled) = state.sample_chance(|n| rng.below(n)) {
        assert!(outcomes.iter().any(|(c, w)| *c == sampled && *w > 0));
    }
}

#[test]
fn in_all_variants_list_predicate_and_apply_agree() {
    let all = universe();
    for (name, setup) in variants() {
        let mut rng = Rng::named(1, &name);
        let mut look = Rng::named(2, &name);
        for _ in 0..3 {
            walk(&setup, &mut rng, 90, |state| {
                state
                    .check_invariants()
                    .unwrap_or_else(|e| panic!("{name}: {e} in {state:?}"));
                list_and_predicate_agree(state, &all);
                illegal_actions_change_nothing(state, &all, &mut look);
                chance_agrees(state, &mut look);
            });
        }
    }
}

#[test]
fn at_random_tables_list_predicate_and_apply_agree() {
    let all = universe();
    let mut rng = Rng(20);
    let mut look = Rng(21);
    for setup in random_tables(150, "legality") {
        walk(&setup, &mut rng, 60, |state| {
            state
                .check_invariants()
                .unwrap_or_else(|e| panic!("{e} in {state:?}"));
            if look.one_in(3) {
                list_and_predicate_agree(state, &all);
                illegal_actions_change_nothing(state, &all, &mut look);
                chance_agrees(state, &mut look);
            }
        });
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 150,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2022),
        ..Config::default()
    })]

    /// Any mixture of options is either refused with a reason or can be played to its end.
    #[test]
    fn any_table_can_be_played_or_says_why_not(bytes in prop::collection::vec(any::<u8>(), 48), seed: u64) {
        let mut bytes = bytes.into_iter().cycle();
        let setup = setup_of(|| bytes.next().unwrap_or_default());
        if let Err(error) = State::new(&setup) {
            prop_assert!(error.to_string().contains("(R"));
        } else {
            let mut last = None;
            walk(&setup, &mut Rng(seed), 400, |state| {
                state.check_invariants().unwrap_or_else(|e| panic!("{e} in {state:?}"));
                last = Some(*state);
            });
            prop_assert!(last.is_some());
        }
    }
}
