//! Random games come everywhere: otherwise the other properties would say little.

use std::collections::BTreeMap;

use crate::common::Rng;
use crate::common::policy::step;
use crate::common::variants::variants;
use rules::{Event, State};

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
