//! Reviewing games: replay, statistics, luck, review.

mod common;

use common::{record, settings};
use towers_rules::{Memory, Mode, Seat, State};
use towers_study::replay::{Eyes, NoReplay, Replay};
use towers_study::review::{Curve, Reviewer, curve, review, turning_points};
use towers_study::statistics::statistics;
use towers_table::{Command, Hex, PersonId, Who};

#[test]
fn a_record_is_stepped_through_and_ends_where_the_game_ended() {
    let record = record(settings(Mode::Versus, 3), 1);
    let replay = Replay::open(&record.to_text(), None).unwrap();
    let table = record.rebuild().unwrap();
    let last = replay.steps.len() - 1;
    assert_eq!(Some(replay.state(last)), table.state());
    assert_eq!(replay.names[0], Ok("Ann".into()));
    assert!(replay.names[1].is_err());
    let actions = replay.steps.iter().filter(|s| s.action.is_some()).count();
    assert_eq!(actions + 1, replay.steps.len());
    let some = &replay.steps[7];
    assert_eq!(replay.step_of(some.number), 7);
    assert_eq!(replay.decider(7), some.seat);
}

#[test]
fn a_replay_is_the_same_after_it_was_sent_to_a_worker() {
    for (mode, seats) in [(Mode::Versus, 3), (Mode::Solo, 1)] {
        let replay = Replay::of(&record(settings(mode, seats), 1), None).unwrap();
        let text = serde_json::to_string(&replay).unwrap();
        assert_eq!(serde_json::from_str::<Replay>(&text).unwrap(), replay);
    }
}

#[test]
fn a_replay_shows_the_view_of_a_seat_or_everything() {
    let mut strict = settings(Mode::Versus, 2);
    strict.options.memory = Memory::Strict;
    let replay = Replay::of(&record(strict, 2), None).unwrap();
    // R16.1, R16.2: a step at which somebody is imprisoned.
    let hidden = |step: usize, eyes| {
        let view = replay.view(step, eyes);
        let levels = view.spaces.iter().flatten();
        levels.filter(|l| l.wizards.is_none()).count()
    };
    let steps = 0..replay.steps.len();
    let dark = steps.clone().find(|&s| hidden(s, Eyes::Seat(Seat(1))) > 0);
    let step = dark.expect("a tower stood on another, or on a space");
    assert_eq!(hidden(step, Eyes::All), 0);
    let hands = replay.hands(step, Eyes::Seat(Seat(1)));
    assert!(hands[0].is_none() && hands[1].is_some());
    assert!(replay.hands(step, Eyes::All).iter().all(Option::is_some));
    let total = |step: usize| -> usize {
        let view = replay.view(step, Eyes::All);
        let levels = view.spaces.iter().flatten();
        let here: u8 = levels
            .filter_map(|l| l.wizards)
            .map(towers_rules::Wizards::total)
            .sum();
        usize::from(here)
            + view
                .players
                .iter()
                .map(|p| usize::from(p.home))
                .sum::<usize>()
    };
    assert!(steps.into_iter().all(|s| total(s) == 10));
}

#[test]
fn an_entry_selects_the_game_of_a_table() {
    let mut record = record(settings(Mode::Versus, 2), 1);
    let mut table = record.rebuild().unwrap();
    let last_of_first = table.number();
    for command in [Command::Rematch, Command::End { agree: true }] {
        let ann = Who::Person(PersonId(0));
        let entry = table.submit(2, ann, command, &Hex([2; 32])).unwrap();
        record.entries.push(entry);
    }
    assert_eq!(table.games(), 2);
    let first = |entry| Replay::of(&record, entry).unwrap().steps[0].number;
    let second = first(None);
    assert!(second > last_of_first);
    assert_eq!(first(Some(second)), second);
    assert_eq!(first(Some(u64::MAX)), second);
    for entry in [0, 1, last_of_first] {
        assert!(first(Some(entry)) < last_of_first, "{entry}");
    }
}

#[test]
fn running_games_cannot_be_replayed() {
    let mut unfinished = record(settings(Mode::Versus, 2), 3);
    unfinished.entries.truncate(12);
    assert_eq!(
        Replay::of(&unfinished, None).unwrap_err(),
        NoReplay::NotOver
    );
    unfinished.entries.truncate(1);
    assert_eq!(Replay::of(&unfinished, None).unwrap_err(), NoReplay::NoGame);
    assert!(matches!(
        Replay::open("{}", None),
        Err(NoReplay::Unreadable(_))
    ));
}

#[test]
fn a_game_with_rules_of_before_says_that_an_earlier_version_wrote_it() {
    for text in [
        include_str!("../../table/tests/records/free-any-time.jsonl"),
        include_str!("../../table/tests/records/filled-in-series.jsonl"),
    ] {
        let why = Replay::open(text, None).expect_err("the rules are others now");
        assert!(why.is_earlier(), "{why}");
    }
    let mut broken = record(settings(Mode::Versus, 2), 3);
    broken.entries.remove(3);
    let why = Replay::of(&broken, None).expect_err("an entry is missing");
    assert!(!why.is_earlier(), "{why}");
}

#[test]
fn statistics_agree_with_the_last_position() {
    for seed in 4..8 {
        let replay = Replay::of(&record(settings(Mode::Versus, 3), seed), None).unwrap();
        let counted = statistics(&replay);
        let end = &replay.steps.last().unwrap().state;
        assert_eq!(counted.rounds, end.round());
        let mut suffered = 0;
        for seat in end.seats() {
            let player = &counted.players[seat.index()];
            let flasks = end.flasks(seat);
            assert_eq!(player.home_by_round.last(), Some(&end.home(seat)));
            assert!(
                player.home_by_round.is_sorted(),
                "R18.2: home never shrinks"
            );
            assert_eq!(player.home_by_round.len(), usize::from(end.round()));
            assert_eq!(player.filled, u32::from(flasks.full + flasks.spent));
            assert_eq!(player.spent, u32::from(flasks.spent));
            suffered += player.suffered;
            // R4.5: as many as were played or discarded are drawn again; the deal is not counted.
            let used = player.cards + player.refreshed;
            assert_eq!(player.luck.draws, used);
        }
        let made: u32 = counted.players.iter().map(|p| p.imprisoned).sum();
        assert_eq!(made, suffered);
    }
}

#[test]
fn luck_is_fair_on_average_and_of_a_size_that_can_be() {
    let mut all = Vec::new();
    for seed in 10..16 {
        let replay = Replay::of(&record(settings(Mode::Versus, 2), seed), None).unwrap();
        for player in statistics(&replay).players {
            assert!(player.luck.cards.abs() < 1.5, "{:?}", player.luck);
            if let Some(dice) = player.luck.dice() {
                assert!(dice.abs() < 5.0);
            }
            all.push(player.luck.cards);
        }
    }
    let mean = all.iter().sum::<f32>() / all.len() as f32;
    assert!(mean.abs() < 0.25, "the mean luck is not near 0: {mean}");
}

#[test]
fn the_curve_adds_up_and_ends_with_the_winner() {
    let replay = Replay::of(&record(settings(Mode::Versus, 3), 20), None).unwrap();
    let curve = curve(&replay);
    assert_eq!(curve.len(), replay.steps.len());
    let Curve::Win(steps) = &curve else { panic!() };
    for chances in steps {
        assert!((chances.iter().sum::<f32>() - 1.0).abs() < 0.01);
    }
    let outcome = replay.steps.last().unwrap().state.outcome().unwrap();
    let end = steps.last().unwrap();
    for seat in replay.state(0).seats() {
        let share = if outcome.winners.contains(seat) {
            1.0 / f32::from(outcome.winners.len())
        } else {
            0.0
        };
        assert!((end[seat.index()] - share).abs() < 0.001);
    }
    let turning = turning_points(&replay, &curve, 5);
    assert!(!turning.is_empty() && turning.len() <= 5);
    assert!(turning.windows(2).all(|two| two[0].lost >= two[1].lost));
}

#[test]
fn the_bots_suggestion_was_legal_for_the_player() {
    let replay = Replay::of(&record(settings(Mode::Versus, 2), 21), None).unwrap();
    let review = review(&replay, 40);
    assert_eq!(review.advice.len(), replay.steps.len());
    let opinions = review.advice.iter().enumerate();
    let mut thought = 0;
    for (step, opinion) in opinions.filter_map(|(i, o)| o.as_ref().map(|o| (i, o))) {
        let before = replay.state(step - 1);
        assert!(before.is_legal(opinion.seat, opinion.best));
        assert_eq!(Some(opinion.played), replay.steps[step].action);
        assert!((-0.01..=1.01).contains(&opinion.promise));
        thought += 1;
    }
    assert!(thought > 10);
}

#[test]
fn a_reviewer_never_sees_more_than_the_player_did() {
    // Two games that differ only in hidden information get the same opinion: the other player's hand is changed.
    let replay = Replay::of(&record(settings(Mode::Versus, 2), 22), None).unwrap();
    let mut changed = replay.clone();
    let state = &replay.steps[0].state;
    let other = Seat(1 - state.active().0);
    let text = state.to_string();
    let letter = state.colour(other).letter();
    let hand = text.split("hands=").nth(1).unwrap();
    let hand = hand
        .split([' ', ';'])
        .find(|h| h.starts_with(letter))
        .unwrap();
    let another = format!("{letter}:t1,t2,t3");
    assert_ne!(hand, another);
    changed.steps[0].state = text.replace(hand, &another).parse::<State>().unwrap();
    let ask = |replay: &Replay| Reviewer::new(replay).next(40);
    assert_eq!(ask(&replay), ask(&changed));
    assert!(ask(&replay).flatten().is_some());
}

#[test]
fn solo_games_are_counted_in_cards() {
    let replay = Replay::of(&record(settings(Mode::Solo, 1), 30), None).unwrap();
    let counted = statistics(&replay);
    let end = &replay.steps.last().unwrap().state;
    assert_eq!(counted.players[0].cards, u32::from(end.score()));
    let Curve::Cards(cards) = curve(&replay) else {
        panic!()
    };
    assert!(*cards.last().unwrap() >= f32::from(end.score()));
}
