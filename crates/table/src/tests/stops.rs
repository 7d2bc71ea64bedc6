//! Where people are asked in reaction windows, and where the table passes for them (R13.2, R13.3).

use towers_rules::{Action, Actor, Event as GameEvent, Phase, Seat, State};

use super::play::reacting;
use super::{ANN, Club, act};
use crate::{AnyEvent, Command, PersonId, Who};

const BEN: Who = Who::Person(PersonId(1));

/// A game between Ann (blue) and Ben (yellow). Blue's turn begins with an opening window, and both have full flasks.
fn club(board: &str, spells: &str) -> Club {
    let mut club = Club::playing(reacting(2), 7);
    let text = format!(
        "{board} seats=b,y reactions spells={spells} hands=b:t1,t2,w3;y:t3,t4,w5 discard=t5 \
         flasks=b:3/3/0;y:3/3/0 phase=opening"
    );
    club.table
        .set_state(text.parse::<State>().expect("a position"));
    club
}

fn usual() -> Club {
    club("*/A/B/C/D/E/F/G/H/I/bbbbb/yyyyy/-/-/-/-", "AW,AT")
}

fn phase(club: &Club) -> (Phase, Actor) {
    let state = club.table.state().expect("a game");
    (state.phase(), state.actor())
}

fn passes(club: &Club) -> Vec<Seat> {
    let seen = club.table.seen(None).expect("something happened");
    let passed = seen.events.into_iter().filter_map(|event| match event {
        AnyEvent::Game(GameEvent::Passed { seat }) => Some(seat),
        _ => None,
    });
    passed.collect()
}

#[test]
fn r13_2_choosing_a_card_in_the_own_opening_window_passes_and_plays_it() {
    let mut club = usual();
    let legal = club.table.legal(Seat(0));
    let has = |text: &str| legal.contains(&text.parse::<Action>().expect("an action"));
    assert!(has("AT:C") && has("t1:tC") && has("pass"));
    club.ok(ANN, act("t1:tC"));
    // Ben is not asked before the action, but he is once it is declared.
    assert_eq!(passes(&club), [Seat(0), Seat(1), Seat(0)]);
    assert_eq!(phase(&club), (Phase::Window, Actor::Player(Seat(1))));
    club.ok(BEN, act("pass"));
    let state = club.table.state().expect("a game");
    assert_eq!(state.tower_space("C".parse().expect("a tower")).number(), 4);
}

#[test]
fn r13_2_players_with_all_stops_are_asked_before_and_after_every_action() {
    let mut club = usual();
    club.ok(BEN, Command::Stops { everywhere: true });
    assert!(club.table.you(Some(PersonId(1))).stops_everywhere);
    assert!(!club.table.you(Some(PersonId(0))).stops_everywhere);
    club.ok(ANN, act("t1:tC"));
    assert_eq!(phase(&club), (Phase::Opening, Actor::Player(Seat(1))));
    club.ok(BEN, act("pass"));
    // Ann's choice is declared without asking her again.
    assert_eq!(phase(&club), (Phase::Window, Actor::Player(Seat(1))));
    club.ok(BEN, act("pass"));
    assert_eq!(phase(&club), (Phase::Closing, Actor::Player(Seat(1))));
    club.ok(BEN, Command::Stops { everywhere: false });
    club.ok(BEN, act("pass"));
    assert_eq!(phase(&club), (Phase::Opening, Actor::Player(Seat(0))));
}

#[test]
fn r13_2_a_choice_that_became_illegal_is_made_again() {
    // Tower I would go from 14 to 15, where the castle stands after Ben's nudge.
    let mut club = club("*/A/B/C/D/E/F/G/H/-/bbbbb/yyyyy/-/-/I/-", "AT,NC");
    club.ok(BEN, Command::Stops { everywhere: true });
    club.ok(ANN, act("t1:tI"));
    club.ok(BEN, act("NC:-"));
    let state = club.table.state().expect("a game");
    assert_eq!(state.castle().number(), 15);
    assert_eq!(phase(&club), (Phase::Turn, Actor::Player(Seat(0))));
    club.ok(ANN, act("t1:tA"));
    // Ben has no reaction left, so nobody is asked, and Ann's second action begins.
    assert_eq!(phase(&club), (Phase::Opening, Actor::Player(Seat(0))));
}

#[test]
fn r13_2_absent_players_are_not_asked_before_and_after_actions() {
    let mut club = usual();
    club.ok(BEN, Command::Stops { everywhere: true });
    club.ok(Who::House, Command::Away { seat: Seat(1) });
    club.ok(ANN, act("t1:tC"));
    assert_eq!(phase(&club), (Phase::Window, Actor::Player(Seat(1))));
}

#[test]
fn r13_3_the_active_player_is_asked_after_the_last_action() {
    let mut club = usual();
    club.ok(ANN, act("t1:tC"));
    club.ok(BEN, act("pass"));
    assert_eq!(phase(&club), (Phase::Opening, Actor::Player(Seat(0))));
    club.ok(ANN, act("t2:tD"));
    club.ok(BEN, act("pass"));
    assert_eq!(phase(&club), (Phase::Closing, Actor::Player(Seat(0))));
    club.ok(ANN, act("pass"));
    assert_eq!(phase(&club).1, Actor::Player(Seat(1)));
}
