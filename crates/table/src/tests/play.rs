//! Acting, leaving, coming back, ending, playing again.

use towers_rules::{Actor, Phase, Seat, SpellSet, Spells};

use super::{ANN, Club, act, bots, sit, variants};
use crate::{
    AnyEvent, Command, Decider, Ending, PassAhead, PersonId, Rejection, Settings, Stage,
    TableEvent, Taken, Who,
};

const BEN: Who = Who::Person(PersonId(1));

fn settings(text: &str) -> Settings {
    serde_json::from_str(text).unwrap()
}

/// Settings with reactions and all spells.
pub fn reacting(players: u8) -> Settings {
    let mut settings = settings(r#"{"options":{"reactions":true}}"#);
    settings.seats = players;
    settings.spells = Spells::Chosen(SpellSet::ALL);
    settings
}

/// Plays until somebody is asked in a window.
pub fn until_window(club: &mut Club) -> Seat {
    for _ in 0..5000 {
        let phase = club.table.state().unwrap().phase();
        if phase == Phase::Window {
            return club.waiting().seat;
        }
        if club.table.stage() != Stage::Playing {
            club.ok(ANN, Command::Start);
        }
        club.act_somehow();
    }
    panic!("there was no window");
}

#[test]
fn every_variant_can_be_played_to_its_end() {
    for (i, settings) in variants().into_iter().enumerate() {
        let mut club = Club::playing(settings, i as u64);
        club.play_to_the_end();
        let view = club.table.view(None);
        assert!(matches!(view.ending, Some(Ending::Played(_))));
        assert_eq!(
            view.seed.map(|s| s.commitment()),
            view.commitment,
            "the revealed seed is the committed one"
        );
    }
}

#[test]
fn only_players_who_are_asked_may_act_and_only_once() {
    let mut club = Club::playing(Settings::default(), 3);
    let seat = club.waiting().seat;
    let other = Seat(1 - seat.0);
    let (_, action) = club.any_action();
    let act_on = |decision| Command::Act { action, decision };
    let by = club.hand_of(seat);
    assert!(matches!(
        club.no(club.hand_of(other), act_on(None)),
        Rejection::Illegal(_)
    ));
    assert_eq!(club.no(Who::Stranger, act_on(None)), Rejection::NotSeated);
    assert_eq!(club.no(Who::House, act_on(None)), Rejection::NotSeated);
    assert_eq!(club.no(Who::Bot(seat), act_on(None)), Rejection::NoBot);
    assert_eq!(club.no(by, act_on(Some(1))), Rejection::Stale);
    club.ok(by, act_on(Some(0)));
    assert_eq!(club.no(by, act_on(Some(0))), Rejection::Stale);
}

#[test]
fn an_illegal_action_names_its_clause() {
    let mut club = Club::playing(Settings::default(), 3);
    let by = club.hand_of(club.waiting().seat);
    let why = club.no(by, act("end"));
    assert_eq!(why.code(), "illegal");
    assert!(why.clause().unwrap().starts_with('R'));
}

#[test]
fn bots_are_waited_for_by_level_and_act_as_bots() {
    let mut club = Club::open(Settings::default());
    club.ok(ANN, sit("Ann"));
    bots(&mut club);
    club.ok(ANN, Command::Start);
    while !matches!(club.waiting().by, Decider::Bot(_)) {
        club.act_somehow();
    }
    let seat = club.waiting().seat;
    assert!(club.table.bot_view(seat, 0).is_some());
    let entry = club.act_somehow();
    assert_eq!(entry.by, Who::Bot(seat));
}

#[test]
fn a_leaver_is_played_for_and_can_take_the_seat_back() {
    let mut club = Club::playing(settings(r#"{"seats":3}"#), 5);
    assert_eq!(club.no(BEN, Command::Back), Rejection::NotGone);
    club.ok(BEN, Command::Leave);
    assert_eq!(club.no(BEN, Command::Leave), Rejection::NotSeated);
    while club.waiting().seat != Seat(1) {
        club.act_somehow();
    }
    assert!(matches!(club.waiting().by, Decider::Bot(_)));
    let (_, action) = club.any_action();
    let by_hand = Command::Act {
        action,
        decision: None,
    };
    assert_eq!(club.no(BEN, by_hand.clone()), Rejection::BotPlays);
    club.ok(BEN, Command::Back);
    club.ok(BEN, by_hand);
}

#[test]
fn people_who_left_lose_their_seat_when_the_game_is_over() {
    let mut club = Club::playing(settings(r#"{"seats":3}"#), 5);
    club.ok(ANN, Command::Leave);
    assert_eq!(club.table.view(None).host, Some(PersonId(1)));
    club.play_to_the_end();
    assert_eq!(club.table.view(None).seats[0].taken, Taken::Open);
    assert_eq!(club.no(BEN, Command::Start), Rejection::OpenSeats);
    bots_by(&mut club, BEN);
    club.ok(BEN, Command::Start);
}

fn bots_by(club: &mut Club, by: Who) {
    let command = Command::AddBot {
        seat: None,
        level: crate::BotLevel::Adept,
    };
    club.ok(by, command);
}

#[test]
fn only_absent_players_can_be_replaced() {
    let mut club = Club::playing(settings(r#"{"seats":3}"#), 5);
    let replace = |seat| Command::Replace { seat, level: None };
    let away = |seat| Command::Away { seat };
    assert_eq!(club.no(ANN, replace(Seat(1))), Rejection::NotAway);
    assert_eq!(club.no(BEN, away(Seat(2))), Rejection::NotForPlayers);
    club.ok(Who::House, away(Seat(2)));
    assert_eq!(club.no(BEN, replace(Seat(2))), Rejection::NotHost);
    club.ok(ANN, replace(Seat(2)));
    club.ok(Who::House, away(Seat(0)));
    club.ok(BEN, replace(Seat(0)));
    assert!(club.table.view(None).seats[0].stand_in.is_some());
    club.ok(ANN, Command::Back);
    assert!(club.table.view(None).seats[0].stand_in.is_none());
    assert!(!club.table.is_abandoned());
}

#[test]
fn a_game_ends_when_everybody_agrees() {
    let mut club = Club::playing(settings(r#"{"seats":3}"#), 5);
    let end = |agree| Command::End { agree };
    club.ok(ANN, end(true));
    club.ok(BEN, end(true));
    club.ok(ANN, end(false));
    club.ok(Who::Person(PersonId(2)), Command::Leave);
    assert_eq!(club.table.stage(), Stage::Playing);
    // Earlier agreements lapsed when somebody left, and those who left are not asked.
    club.ok(ANN, end(true));
    assert_eq!(club.table.stage(), Stage::Playing);
    let entry = club.ok(BEN, end(true));
    assert_eq!(entry.over, Some(Ending::Agreed));
    assert_eq!(club.table.stage(), Stage::Over);
    assert_eq!(club.no(ANN, end(true)), Rejection::NoGame);
}

#[test]
fn another_game_begins_when_everybody_wishes_so() {
    let mut club = Club::playing(Settings::default(), 5);
    club.play_to_the_end();
    let first = club.table.view(None).commitment;
    let entry = club.ok(ANN, Command::Rematch);
    assert_eq!((entry.seed, club.table.stage()), (None, Stage::Over));
    let entry = club.ok(BEN, Command::Rematch);
    assert!(entry.seed.is_some());
    assert_eq!(club.table.stage(), Stage::Playing);
    let view = club.table.view(None);
    assert_eq!((view.games, view.seed, view.ending), (2, None, None));
    assert_ne!(view.commitment, first);
    assert!(
        club.table.since(None, 0).is_none(),
        "the old game is not told"
    );
    club.play_to_the_end();
}

#[test]
fn passing_ahead_leaves_no_trace_for_anybody_else() {
    let mut club = Club::playing(reacting(3), 8);
    let (ann, ben) = (PersonId(0), PersonId(1));
    let others = [None, Some(ann), Some(PersonId(2))];
    let asked = club.waiting().seat;
    assert_ne!(Some(asked), club.table.you(Some(ben)).seat);
    let all = |club: &Club| others.map(|person| club.table.view(person));
    let (before, own) = (all(&club), club.table.number_for(Some(ben)));
    let ahead = |until| Command::PassAhead { until };
    club.now += 1000;
    club.ok(Who::Person(ben), ahead(Some(PassAhead::Recalled)));
    club.ok(Who::Person(ben), Command::Stops { everywhere: true });
    assert_eq!(all(&club), before);
    for (person, view) in others.into_iter().zip(&before) {
        assert_eq!(club.table.seen(person), None);
        let missed = club.table.since(person, view.number);
        assert_eq!(missed, person.map(|_| Vec::new()), "spectators get a view");
    }
    let told = club.table.since(Some(ben), own).unwrap();
    let numbers: Vec<u64> = told.iter().map(|seen| seen.number).collect();
    assert_eq!(numbers, [own + 1, own + 2]);
    // The next events have the next number for everybody.
    club.act_somehow();
    for (person, view) in others.into_iter().zip(&before) {
        assert_eq!(
            club.table.seen(person).unwrap().number,
            view.number + 1,
            "{person:?}"
        );
        let missed = club.table.since(person, view.number);
        assert_eq!(missed.map(|list| list.len()), person.map(|_| 1));
    }
    assert_eq!(club.table.seen(Some(ben)).unwrap().number, own + 3);
    let rebuilt = club.record.rebuild().unwrap();
    for person in [None, Some(ann), Some(ben)] {
        assert_eq!(rebuilt.view(person), club.table.view(person));
    }
}

#[test]
fn passing_ahead_passes_this_turn_or_until_recalled() {
    let mut club = Club::playing(reacting(2), 8);
    let seat = until_window(&mut club);
    let by = club.hand_of(seat);
    let ahead = |until| Command::PassAhead { until };
    let before = club.waiting().decision;
    club.ok(by, ahead(Some(PassAhead::Recalled)));
    assert!(
        club.waiting().decision > before,
        "the open window is passed"
    );
    // Nobody else receives it.
    let other = match club.hand_of(Seat(1 - seat.0)) {
        Who::Person(id) => Some(id),
        _ => None,
    };
    let told = |club: &Club, who| {
        let seen = club.table.seen(who).unwrap();
        seen.events
            .iter()
            .any(|e| matches!(e, AnyEvent::Table(TableEvent::PassAheadIs { .. })))
    };
    assert!(!told(&club, other) && !told(&club, None));
    for _ in 0..300 {
        if club.table.stage() != Stage::Playing {
            break;
        }
        let state = club.table.state().unwrap();
        let asked = state.phase() == Phase::Window && state.actor() == Actor::Player(seat);
        assert!(!asked, "the window passes them by");
        club.act_somehow();
    }
    let mut club = Club::playing(reacting(2), 8);
    let seat = until_window(&mut club);
    let by = club.hand_of(seat);
    club.ok(by, ahead(Some(PassAhead::Turn)));
    let turn = |club: &Club| {
        let state = club.table.state().unwrap();
        (state.active(), state.round())
    };
    let now = turn(&club);
    while club.table.stage() == Stage::Playing && turn(&club) == now {
        let asked = club.table.state().unwrap().phase() == Phase::Window;
        assert!(!asked || club.waiting().seat != seat);
        club.act_somehow();
    }
    assert_eq!(club.table.core().places[seat.index()].pass_ahead, None);
}
