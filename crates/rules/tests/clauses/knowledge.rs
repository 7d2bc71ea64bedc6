//! §16: who knows what.

use crate::common::*;
use towers_rules::{Event, Field, Memory, Mode, Preset, Seat, Setup, State, Viewer};

#[test]
fn r16_1_hands_of_others_and_the_draw_pile_are_hidden() {
    let state = Scenario::of("byr")
        .at(9, "byr")
        .hand('y', "w3,w3,t??")
        .with("discard=t4,w5")
        .state();
    let view = state.view(Viewer::Seat(Seat(0)));
    let json = serde_json::to_value(&view).expect("a view travels");
    assert_eq!(json["hand"], serde_json::json!(["w1t5", "w2t4", "w4t2"]));
    assert_eq!(json["discard"], serde_json::json!(["t4", "w5"]));
    assert_eq!(json["draw"], 79);
    assert_eq!(json["players"][1]["cards"], 3);
    assert_eq!(json["players"][1]["flasks"]["empty"], 5);
    assert!(!json.to_string().contains("t??"), "{json}");
    assert_eq!(state.view(Viewer::Spectator).hand, None);
    assert_eq!(
        state.view(Viewer::Seat(Seat(9))).hand,
        None,
        "nobody sits there"
    );
    let shared = Scenario::coop("by")
        .at(9, "b")
        .hand('b', "w1,w2,w3")
        .state();
    for viewer in [
        Viewer::Spectator,
        Viewer::Seat(Seat(0)),
        Viewer::Seat(Seat(1)),
    ] {
        assert_eq!(
            shared.view(viewer).hand.map(|h| h.len()),
            Some(3),
            "open for everybody"
        );
    }
}

#[test]
fn r16_2_strict_memory_leaves_no_trace_of_prisoners() {
    let strict = Scenario::of("by")
        .at(3, "byAyB")
        .at(9, "y")
        .with("memory=strict");
    let seen = |table: &Scenario| {
        let view = table.state().view(Viewer::Seat(Seat(0)));
        let level = |l: &towers_rules::SurfaceView| l.wizards.map(|w| w.to_string());
        view.spaces[3].iter().map(level).collect::<Vec<_>>()
    };
    assert_eq!(seen(&strict), [None, None, Some(String::new())]);
    let moved = Scenario::of("by")
        .at(3, "byyAB")
        .at(9, "y")
        .with("memory=strict");
    assert_eq!(
        strict.state().view(Viewer::Spectator),
        moved.state().view(Viewer::Spectator)
    );
    let assisted = Scenario::of("by")
        .at(3, "byAyB")
        .at(9, "y")
        .with("memory=assisted");
    assert_eq!(
        seen(&assisted),
        [Some("by".into()), Some("y".into()), Some(String::new())]
    );
}

#[test]
fn r16_2_every_edition_asks_players_to_remember() {
    for preset in Preset::ALL {
        for mode in [Mode::Versus, Mode::Solo, Mode::Coop] {
            assert_eq!(preset.options(mode).memory, Memory::Strict);
        }
    }
    // A program may help all the same, and then says so.
    let mut setup = Setup::new(Preset::Oya, Mode::Solo, 1);
    assert_eq!(setup.departures(), []);
    setup.options.memory = Memory::Assisted;
    let said: Vec<_> = setup.departures().iter().map(|d| d.field).collect();
    assert_eq!(said, [Field::Memory]);
}

#[test]
fn r16_3_only_cards_are_blanked_out_of_events() {
    let mut state = Scenario::of("byrg")
        .at(3, "b")
        .at(9, "yrg")
        .hand('b', "w1,w2,w3")
        .hand('r', "t1,t2,t3")
        .with("teams")
        .state();
    let mut events = play_all(
        &mut state,
        &["ask", "offer t2", "return w3", "w1:w3", "w2:w4"],
    );
    events.extend(settle(&mut state));
    let hidden = |event: &Event| match *event {
        Event::Drew { seat, card } => Some((card, seat == Seat(0), seat == Seat(0))),
        Event::HandedOver { card, .. } | Event::Offered { card, .. } => Some((card, true, false)),
        _ => None,
    };
    let mut cards = 0;
    for &event in &events {
        for viewer in [0, 1, 2, 3]
            .map(|i| Viewer::Seat(Seat(i)))
            .into_iter()
            .chain([Viewer::Spectator])
        {
            let seen = state.event_seen_by(event, viewer);
            match hidden(&event) {
                None => assert_eq!(seen, event),
                Some((card, partner_too, own_only)) => {
                    let mine = viewer == Viewer::Seat(Seat(0));
                    let partners =
                        mine || (viewer == Viewer::Seat(Seat(2)) && partner_too && !own_only);
                    let (seen, ..) = hidden(&seen).expect("the same kind of event");
                    assert_eq!(seen, card.filter(|_| partners), "{event:?} for {viewer:?}");
                    cards += 1;
                }
            }
        }
    }
    assert_eq!(cards, 4 * 5, "two cards handed over and two drawn");
}

/// Who knows a card of an event, by seat, and a spectator.
fn who_knows(state: &State, event: Event) -> [bool; 5] {
    [0, 1, 2, 3, 4].map(|i| {
        let viewer = if i < 4 {
            Viewer::Seat(Seat(i))
        } else {
            Viewer::Spectator
        };
        let seen = serde_json::to_value(state.event_seen_by(event, viewer)).expect("an event");
        !seen["card"].is_null()
    })
}

#[test]
fn r16_1_an_offered_card_is_hidden_from_the_active_player_until_it_is_accepted() {
    let table = |keys: &str| {
        Scenario::of("byrg")
            .at(3, "b")
            .at(9, "yrg")
            .hand('r', "t1,t2,t3")
            .with(&format!("teams {keys}"))
    };
    for keys in ["", "memory=assisted", "reactions"] {
        let mut state = table(keys).state();
        let events = play_as(&mut state, Seat(2), "offer t2");
        assert_eq!(
            who_knows(&state, events[0]),
            [false, false, true, false, false]
        );
        for (seat, knows) in [false, false, true, false].into_iter().enumerate() {
            let view = state.view(Viewer::Seat(Seat(seat as u8)));
            assert_eq!(view.turn.offered.is_some(), knows, "seat {seat}");
            let json = serde_json::to_string(&view).expect("a view");
            assert_eq!(json.contains("\"t2\""), knows, "seat {seat}");
        }
        assert_eq!(state.view(Viewer::Spectator).turn.offered, None);
        // Whichever card is offered, the active player sees the same.
        let mut other = table(keys).state();
        play_as(&mut other, Seat(2), "offer t3");
        for viewer in [0, 1, 3].map(|i| Viewer::Seat(Seat(i))) {
            assert_eq!(state.view(viewer), other.view(viewer));
        }
        // Its two holders know it from then on.
        let mut declined = state;
        let events = play(&mut declined, "decline");
        assert!(
            events
                .iter()
                .all(|&e| who_knows(&declined, e) == [false; 5])
        );
        let events = play_all(&mut state, &["accept", "return t2"]);
        for event in events {
            assert_eq!(who_knows(&state, event), [true, false, true, false, false]);
        }
    }
}

#[test]
fn r16_1_a_card_that_was_asked_for_is_known_to_both_partners() {
    let mut state = Scenario::of("byrg")
        .at(3, "b")
        .at(9, "yrg")
        .hand('r', "t1,t2,t3")
        .with("teams")
        .state();
    let events = play_all(&mut state, &["ask", "offer t2"]);
    assert!(matches!(
        events[..],
        [Event::Asked { .. }, Event::HandedOver { .. }]
    ));
    assert_eq!(
        who_knows(&state, events[1]),
        [true, false, true, false, false]
    );
}

#[test]
fn r16_4_a_lift_shows_the_wizards_below_to_everyone_once() {
    let mut state = Scenario::of("by")
        .at(3, "byA")
        .at(9, "y")
        .with("memory=strict spells=FW flasks=b:4/2/0")
        .state();
    let events = play(&mut state, "FW:A");
    let peeked = events
        .iter()
        .find(|e| matches!(e, Event::Peeked { .. }))
        .expect("a peek");
    assert_eq!(state.event_seen_by(*peeked, Viewer::Spectator), *peeked);
    assert!(matches!(peeked, Event::Peeked { wizards, .. } if wizards.to_string() == "by"));
    assert_eq!(
        state.view(Viewer::Seat(Seat(0))).spaces[3][0].wizards,
        None,
        "covered again"
    );
}

#[test]
fn r16_5_a_client_is_sent_nothing_hidden() {
    // Yellow holds the only w???; it is in no view but yellow's.
    let state = Scenario::of("by")
        .at(3, "byA")
        .at(9, "y")
        .hand('y', "w???,w3,w3")
        .with("memory=strict")
        .state();
    let json = |viewer| serde_json::to_string(&state.view(viewer)).expect("a view travels");
    assert!(!json(Viewer::Seat(Seat(0))).contains("w???"));
    assert!(!json(Viewer::Spectator).contains("w???"));
    assert!(json(Viewer::Seat(Seat(1))).contains("w???"));
}
