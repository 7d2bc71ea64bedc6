//! The number of a decision changes exactly when what may be decided changes.

use towers_rules::{Action, Actor, Seat};

use super::{ANN, Club, variants};
use crate::{Command, Emote, PassAhead, PersonId, Stage, Who};

/// The open decision: its number, and what may be decided by whom.
fn open(club: &Club) -> Option<(u64, (Seat, Vec<Action>))> {
    let waiting = club.table.waiting_for()?;
    Some((
        waiting.decision,
        (waiting.seat, club.table.legal(waiting.seat)),
    ))
}

/// Something that people do besides deciding.
fn aside(club: &mut Club) -> (Who, Command) {
    let seats = usize::from(club.table.settings().seats);
    let seat = Seat(club.pick(seats) as u8);
    let person = Who::Person(PersonId(u32::from(seat.0)));
    match club.pick(8) {
        0 => (person, Command::Chat { text: "hm".into() }),
        1 => (person, Command::Emote { emote: Emote::Wow }),
        2 => (Who::House, Command::Away { seat }),
        3 | 4 => (person, Command::Back),
        5 => (ANN, Command::End { agree: true }),
        6 => (ANN, Command::End { agree: false }),
        _ => (
            person,
            Command::PassAhead {
                until: None::<PassAhead>,
            },
        ),
    }
}

#[test]
fn a_decisions_number_changes_with_its_choices() {
    let (mut asides, mut gifts, mut acts) = (0, 0, 0);
    for (i, settings) in variants().into_iter().enumerate() {
        let has_partner = settings.seats > 1;
        for dice in 0..4 {
            let mut club = Club::playing(settings.clone(), 100 * i as u64 + dice);
            while club.table.stage() == Stage::Playing {
                club.now += 5_000;
                let before = open(&club).expect("a game waits for somebody");
                let (by, command) = aside(&mut club);
                // A solo player's wish would end the game.
                let ends = matches!(command, Command::End { .. }) && !has_partner;
                if !ends && club.try_it(by, command.clone()).is_ok() {
                    let after = open(&club).expect("nobody has acted");
                    let is_same = before.1 == after.1;
                    assert_eq!(
                        is_same,
                        before.0 == after.0,
                        "{command:?}: {before:?}, {after:?}"
                    );
                    asides += 1;
                }
                let before = open(&club).expect("nobody has acted");
                let (seat, action) = club.any_action();
                let actor = club.table.state().unwrap().actor();
                let by = club.hand_of(seat);
                let decision = None;
                club.ok(by, Command::Act { action, decision });
                let Some(after) = open(&club) else { continue };
                if actor == Actor::Player(seat) {
                    assert!(after.0 > before.0, "the decision was made");
                    acts += 1;
                } else {
                    // A partner has given or offered something out of turn.
                    let is_same = before.1 == after.1;
                    assert_eq!(
                        is_same,
                        before.0 == after.0,
                        "{action}: {before:?}, {after:?}"
                    );
                    gifts += 1;
                }
            }
        }
    }
    assert!(
        asides > 1000 && gifts > 20 && acts > 5000,
        "{asides} {gifts} {acts}"
    );
}
