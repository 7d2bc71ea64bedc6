//! Messages to a viewer do not depend on information hidden from that viewer (§16).
//!
//! In random games of all variants, the hidden part of the position is replaced by another one that looks the same to a
//! viewer: other cards in hands and in the draw pile, other wizards out of sight. The same action is then carried out
//! at both tables, and every byte sent to the viewer has to be the same.

use std::collections::VecDeque;

use towers_rules::{Action, Chance, Event, Knowledge, Phase, Seat, State, Surface, Viewer};

use super::{Club, random_settings, variants};
use crate::{Command, PersonId, Settings, Stage, Table};

/// The corresponding action at the other table: cards that the viewer does not see may differ.
fn counterpart(state: &State, seat: Seat, action: Action, viewer: Viewer) -> Option<Action> {
    let wanted = match action {
        _ if is_partner(state, seat, viewer) => action,
        Action::Offer(_) => Action::Offer(state.hand(seat).iter().next()?),
        Action::Return(_) => Action::Return(state.hand(seat).iter().next()?),
        other => other,
    };
    let mut list = state.legal_actions();
    if list.contains(wanted) {
        return Some(wanted);
    }
    state.partner_actions_into(&mut list);
    list.contains(wanted).then_some(wanted)
}

fn is_partner(state: &State, seat: Seat, viewer: Viewer) -> bool {
    match viewer {
        Viewer::Seat(looks) => state.partner(looks) == Some(seat) || looks == seat,
        Viewer::Spectator => false,
    }
}

/// Information that an action reveals, so that the other table needs it, too.
fn shown(
    state: &State,
    seat: Seat,
    action: Action,
    viewer: Viewer,
    light: &[Surface],
) -> Knowledge {
    let mut known = Knowledge::default();
    let partner = is_partner(state, seat, viewer);
    let cards = match action {
        Action::Play(card, _) | Action::Roll(card) => vec![card],
        Action::Refresh(_) | Action::RefreshFirst => state.hand(seat).iter().collect(),
        Action::Offer(card) | Action::Return(card) if partner => vec![card],
        _ => Vec::new(),
    };
    known.hands[state.hand_owner(seat).index()] = cards;
    if action == Action::AcceptOffer && partner {
        let from = state.partner(seat).unwrap_or(seat);
        known.hands[from.index()] = state.turn().offered.into_iter().collect();
    }
    // Uncovered wizards are visible from then on.
    for &surface in light {
        known.imprisoned[surface.index()] = Some(state.wizards(surface));
    }
    known
}

/// The surfaces that the last command revealed to everybody, also by a move after windows in which nobody is asked.
fn brought_to_light(table: &Table) -> Vec<Surface> {
    let shown = |event: Event| match event {
        Event::Uncovered { surface, .. } | Event::Peeked { surface, .. } => Some(surface),
        _ => None,
    };
    table.last_events().filter_map(shown).collect()
}

/// Chance at the other table: visible outcomes are the same, hidden ones may differ.
fn counterpart_chance(state: &State, viewer: Viewer, given: &[Chance]) -> Option<VecDeque<Chance>> {
    let mut state = *state;
    let mut script = VecDeque::new();
    for &chance in given {
        let chance = match chance {
            Chance::Draw(colour, card) => {
                let seat = state.seat_of(colour)?;
                let sees = state.shares_hand() || viewer == Viewer::Seat(seat);
                let other = state.draw_pile().iter().next().map(|(card, _)| card)?;
                Chance::Draw(colour, if sees { card } else { other })
            }
            other => other,
        };
        state.apply_chance(chance).ok()?;
        script.push_back(chance);
    }
    Some(script)
}

struct Trial {
    compared: usize,
    skipped: usize,
}

fn sent(table: &Table, person: Option<PersonId>, before: u64) -> String {
    let all = (
        table.seen(person),
        table.view(person),
        table.since(person, before),
    );
    serde_json::to_string(&all).unwrap()
}

/// Carries out one action at the real table and at one that looks the same to a viewer.
fn compare(
    club: &mut Club,
    seat: Seat,
    action: Action,
    looks: Option<PersonId>,
    trial: &mut Trial,
) {
    let viewer = club.table.viewer(looks);
    let state = *club.table.state().unwrap();
    let by = club.hand_of(seat);
    let act = |action| Command::Act {
        action,
        decision: None,
    };
    let before = club.table.number();
    let mut real = club.table.clone();
    // Earlier events were compared when they occurred.
    real.drop_history();
    let mut other = real.clone();
    let seed = club.seed();
    let now = club.now + 10;
    let entry = real.submit(now, by, act(action), &seed).unwrap();
    let light = brought_to_light(&real);
    let known = shown(&state, seat, action, viewer, &light);
    let sampled = state
        .view(viewer)
        .sample(&known, |n| club.pick(n as usize) as u32);
    let Ok(other_state) = sampled else {
        trial.skipped += 1;
        return;
    };
    // R12.2: accepting shows the offered card to the one who takes it.
    let takes = action == Action::AcceptOffer && viewer == Viewer::Seat(seat);
    if takes && state.turn().offered != other_state.turn().offered {
        trial.skipped += 1;
        return;
    }
    if light
        .iter()
        .any(|&s| state.wizards(s) != other_state.wizards(s))
    {
        trial.skipped += 1;
        return;
    }
    let Some(other_action) = counterpart(&other_state, seat, action, viewer) else {
        trial.skipped += 1;
        return;
    };
    other.set_state(other_state);
    assert_eq!(
        serde_json::to_string(&club.table.view(looks)).unwrap(),
        serde_json::to_string(&other.view(looks)).unwrap(),
    );
    let mut after = other_state;
    let applied = after.apply(seat, other_action);
    let script = applied
        .ok()
        .and_then(|()| counterpart_chance(&after, viewer, &entry.chance));
    let Some(script) = script else {
        trial.skipped += 1;
        return;
    };
    other.set_chance(script);
    if other.submit(now, by, act(other_action), &seed).is_err() {
        trial.skipped += 1;
        return;
    }
    let (a, b) = (sent(&real, looks, before), sent(&other, looks, before));
    assert!(
        a == b,
        "{a}\n{b}\n{action} of seat {}, seen by {viewer:?}",
        seat.0
    );
    trial.compared += 1;
}

#[test]
fn what_is_sent_does_not_depend_on_what_is_hidden() {
    let mut total = 0;
    for (i, settings) in variants().into_iter().enumerate() {
        let title = settings.title.clone();
        let trial = compare_at(settings, 77 + i as u64);
        assert!(
            trial.compared > trial.skipped * 3,
            "{title}: too few trials worked, {} of {}",
            trial.compared,
            trial.compared + trial.skipped
        );
        total += trial.compared;
    }
    assert!(total > 10_000, "{total} trials");
}

#[test]
fn with_any_values_of_the_fields_what_is_sent_does_not_depend_on_what_is_hidden() {
    let (mut compared, mut skipped) = (0, 0);
    for (i, settings) in random_settings(60).into_iter().enumerate() {
        let trial = compare_at(settings, 15 + i as u64);
        compared += trial.compared;
        skipped += trial.skipped;
    }
    assert!(compared > 5_000, "{compared} trials");
    assert!(compared > skipped * 3, "{compared} and {skipped} trials");
}

/// Plays a game at a table and compares what everybody is sent after every action.
fn compare_at(settings: Settings, seed: u64) -> Trial {
    let mut trial = Trial {
        compared: 0,
        skipped: 0,
    };
    let mut club = Club::playing(settings, seed);
    while club.table.stage() == Stage::Playing {
        let (seat, action) = club.any_action();
        let people: Vec<_> = club.table.people().map(|(id, _, _)| id).collect();
        for looks in people.into_iter().map(Some).chain([None]) {
            compare(&mut club, seat, action, looks, &mut trial);
        }
        let by = club.hand_of(seat);
        club.ok(
            by,
            Command::Act {
                action,
                decision: None,
            },
        );
    }
    trial
}

#[test]
fn with_strict_memory_missed_events_go_back_one_round() {
    let settings = variants().into_iter().find(|s| {
        s.seats == 3 && s.options.memory == towers_rules::Memory::Strict && !s.options.reactions
    });
    let mut club = Club::playing(settings.unwrap(), 5);
    let begun = club.table.number();
    while club.table.state().unwrap().round() < 4 {
        club.act_somehow();
    }
    let looks = Some(PersonId(1));
    assert!(club.table.since(looks, begun).is_none());
    let recent = club.table.number() - 3;
    assert_eq!(club.table.since(looks, recent).unwrap().len(), 3);
    club.play_to_the_end();
    assert!(
        club.table.since(looks, begun).is_some(),
        "nothing to hide any more"
    );
}

#[test]
fn a_window_shows_nobody_elses_hand() {
    let mut club = Club::playing(super::play::reacting(3), 2);
    let seat = super::play::until_window(&mut club);
    assert_eq!(club.table.state().unwrap().phase(), Phase::Window);
    for (id, _, sits) in club.table.people() {
        let view = club.table.game_view(Some(id)).unwrap();
        let own = club.table.state().unwrap().hand(sits.unwrap());
        assert_eq!(view.view.hand, Some(own.iter().collect::<Vec<_>>()));
        assert_eq!(view.legal.is_empty(), sits != Some(seat));
    }
    assert_eq!(club.table.game_view(None).unwrap().view.hand, None);
}
