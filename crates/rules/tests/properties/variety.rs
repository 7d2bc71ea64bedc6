//! Random games reach every phase and event, so that the other properties cover them.

use std::collections::BTreeMap;

use crate::common::Rng;
use crate::common::policy::{random_tables, step};
use crate::common::variants::{setup_of, variants};
use towers_rules::{Event, Field, Preset, Setup, State};

#[test]
fn random_tables_have_every_value_of_every_field() {
    let tables: Vec<Setup> = random_tables(400, "fields").collect();
    for &field in Field::ALL {
        for value in field.values() {
            let with = |s: &&Setup| State::new(s).is_ok_and(|s| s.options().get(field) == *value);
            assert!(tables.iter().filter(with).count() > 20, "{field}={value}");
        }
    }
    for preset in Preset::ALL {
        assert!(tables.iter().any(|s| s.preset == preset));
    }
    for players in 1..=6 {
        assert!(tables.iter().any(|s| s.seats.len() == players));
    }
    let both = |s: &&Setup| s.options.teams && s.options.reactions;
    assert!(tables.iter().filter(both).count() > 20);
    let capped = |s: &&Setup| s.options.max_rounds.is_some();
    assert!((20..380).contains(&tables.iter().filter(capped).count()));
}

#[test]
fn some_random_tables_cannot_be_played() {
    let mut rng = Rng(23);
    let mut reasons = std::collections::BTreeSet::new();
    let mut playable = 0;
    for _ in 0..1000 {
        match setup_of(|| rng.below(256) as u8).check() {
            Ok(()) => playable += 1,
            Err(reason) => _ = reasons.insert(reason.to_string()),
        }
    }
    assert!(playable > 700, "{playable}");
    assert!(reasons.len() >= 6, "{reasons:?}");
}

#[test]
fn every_kind_of_event_and_every_ending_comes_up() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (name, setup) in variants() {
        for seed in 0..6 {
            let mut rng = Rng::named(16 + seed, &name);
            let mut state = State::new(&setup).expect("a variant can be played");
            for _ in 0..3000 {
                let Some(events) = step(&mut state, &mut rng, true) else {
                    break;
                };
                for event in events {
                    let text = format!("{event:?}");
                    let kind = text.split([' ', '{']).next().unwrap_or_default();
                    *seen.entry(kind.into()).or_default() += 1;
                    if let Event::Over { outcome } = event {
                        *seen.entry(format!("{:?}", outcome.why)).or_default() += 1;
                    }
                    if let Event::Claimed { when, .. } = event {
                        *seen.entry(format!("{when:?}")).or_default() += 1;
                    }
                }
            }
        }
    }
    let kinds = "StartDrawn SpellsDrawn Reshuffled Drew TurnBegan Played Rolled Refreshed Discarded Declared \
        Passed Claimed Prevented NothingMoved SpellCast PiggybackCast WizardMoved TowerMoved Uncovered \
        Imprisoned FlaskFilled Peeked NobodyFreed TowersSwapped CastleMoved Asked Offered Declined \
        HandedOver Gave TurnEnded Over Finished Deck Rounds Before After With";
    for kind in kinds.split_whitespace() {
        assert!(seen.contains_key(kind), "no {kind} in all these games");
    }
}
