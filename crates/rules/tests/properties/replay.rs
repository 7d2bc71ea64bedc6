//! Replaying a setup with the same actions and outcomes of chance gives the same game.

use std::collections::VecDeque;

use crate::common::Rng;
use crate::common::policy::{choose, step};
use crate::common::variants::variants;
use towers_rules::trace::{TraceStep, Tracer};
use towers_rules::{Action, Chance, Event, Seat, State};

#[test]
fn replaying_a_record_reproduces_every_event_and_every_position() {
    for (name, setup) in variants() {
        let mut rng = Rng::named(9, &name);
        let mut policy = Rng::named(10, &name);
        let mut record: Vec<(Seat, Action)> = Vec::new();
        let mut recorded: VecDeque<Chance> = VecDeque::new();
        let mut lines: Vec<(TraceStep, Vec<Event>)> = Vec::new();
        let mut dealer = |state: &State| {
            let chance = state.sample_chance(|n| rng.below(n))?;
            recorded.push_back(chance);
            Some(chance)
        };
        let (mut first, header, opening) =
            Tracer::begin(&setup, "r", &mut dealer).expect("it begins");
        let begun = first.take_events();
        while let Some((seat, action)) = choose(first.state(), &mut policy, true) {
            if lines.len() == 200 {
                break;
            }
            let step = first.act(seat, action, &mut dealer).expect("it was listed");
            record.push((seat, action));
            lines.push((step, first.take_events()));
        }

        let mut from_record = |_: &State| recorded.pop_front();
        let begun_again = Tracer::begin(&header.setup(), "r", &mut from_record);
        let (mut second, same_header, same_opening) = begun_again.expect("it begins again");
        assert_eq!((&same_header, &same_opening), (&header, &opening), "{name}");
        assert_eq!(second.take_events(), begun, "{name}");
        for ((seat, action), (step, events)) in record.into_iter().zip(lines) {
            let again = second
                .act(seat, action, &mut from_record)
                .expect("it was legal");
            assert_eq!(again, step, "{name}");
            assert_eq!(second.take_events(), events, "{name}");
        }
        assert_eq!(second.state(), first.state(), "{name}");
        assert_eq!(second.ending(), first.ending(), "{name}");
        assert_eq!(recorded, [], "{name}: all of chance was used");
    }
}

/// Events are complete: applying them alone leads to the same counts.
#[test]
fn events_account_for_cards_flasks_and_wizards() {
    for (name, setup) in variants() {
        let mut rng = Rng::named(11, &name);
        let mut state = State::new(&setup).expect("a variant can be played");
        let mut drawn = 0u16;
        for _ in 0..300 {
            let before = state;
            let Some(events) = step(&mut state, &mut rng, true) else {
                break;
            };
            let count =
                |wanted: fn(&Event) -> bool| events.iter().filter(|e| wanted(e)).count() as u16;
            drawn += count(|e| matches!(e, Event::Drew { .. }));
            let discarded = count(|e| matches!(e, Event::Played { .. } | Event::Discarded { .. }));
            assert_eq!(state.score() - before.score(), discarded, "{name}");
            let entered = count(|e| matches!(e, Event::WizardMoved { onto: None, .. }));
            let home = |s: &State| s.owners().map(|o| u16::from(s.home(o))).sum::<u16>();
            let placed = before.wizards_each() > 0 && matches!(before.phase().name(), "draw_start");
            assert!(placed || home(&state) - home(&before) == entered, "{name}");
            let filled = count(|e| matches!(e, Event::FlaskFilled { .. }));
            let empty = |s: &State| {
                s.owners()
                    .map(|o| u16::from(s.flasks(o).empty))
                    .sum::<u16>()
            };
            if !before.phase().is_chance() {
                assert_eq!(empty(&before) - empty(&state), filled, "{name}");
            }
            let castle = events.iter().any(|e| match e {
                Event::CastleMoved { from, to } => from != to,
                Event::TowerMoved { from, .. } => *from == before.castle(),
                Event::TowersSwapped { one, other } => [one, other].contains(&&before.castle()),
                _ => false,
            });
            assert!(
                castle || state.castle() == before.castle(),
                "{name}: {events:?}"
            );
            let over = count(|e| matches!(e, Event::Over { .. }));
            assert_eq!(over == 1, state.outcome().is_some(), "{name}");
        }
        assert!(drawn > 0);
    }
}
