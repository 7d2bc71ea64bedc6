//! Banks, limits per decision, reaction windows and timeouts.

use towers_rules::{Phase, Seat};

use super::play::{reacting, until_window};
use super::{ANN, Club};
use crate::{
    AWAY_REACTION, AnyEvent, BotLevel, Command, Decider, RETURN_BANK, Rejection, Settings,
    StandInReason, TIME_OUT_BANK, TableEvent, Who,
};

fn timed(clock: &str) -> Settings {
    serde_json::from_str(&format!(
        r#"{{"clock":{clock},"stand_in":"novice","start":{{"seat":0}}}}"#
    ))
    .unwrap()
}

fn tick_at(club: &mut Club, now: u64) -> Result<crate::Entry, Rejection> {
    club.now = now - 10;
    club.try_it(Who::House, Command::Tick)
}

#[test]
fn a_table_without_a_clock_has_no_deadlines() {
    let mut club = Club::playing(Settings::default(), 1);
    assert_eq!(club.table.next_deadline(), None);
    assert_eq!(
        tick_at(&mut club, u64::from(u32::MAX)),
        Err(Rejection::NotDue)
    );
}

#[test]
fn when_a_move_takes_too_long_a_bot_plays_on_until_the_person_is_back() {
    let mut club = Club::playing(timed(r#"{"kind":"move","seconds":30}"#), 1);
    let waiting = club.waiting();
    assert_eq!(waiting.deadline, Some(waiting.since + 30_000));
    assert_eq!(club.no(ANN, Command::Tick), Rejection::NotForPlayers);
    let deadline = waiting.deadline.unwrap();
    assert_eq!(tick_at(&mut club, deadline - 1), Err(Rejection::NotDue));
    tick_at(&mut club, deadline).unwrap();
    assert_eq!(club.waiting().by, Decider::Bot(BotLevel::Novice));
    assert_eq!(club.table.next_deadline(), None, "bots have no deadline");
    club.act_somehow();
    // The bot continues in later turns, until the person is back.
    while club.waiting().seat != Seat(0) || club.table.state().unwrap().round() == 1 {
        club.act_somehow();
    }
    assert_eq!(club.waiting().by, Decider::Bot(BotLevel::Novice));
    club.ok(ANN, Command::Back);
    let waiting = club.waiting();
    assert!(matches!(waiting.by, Decider::Person(_)));
    assert_eq!(
        waiting.deadline,
        Some(club.now + 30_000),
        "a full move's time"
    );
}

#[test]
fn a_bank_runs_during_decisions_and_grows_with_each_turn() {
    let mut club = Club::playing(timed(r#"{"kind":"bank","seconds":60,"increment":5}"#), 1);
    let banks = |club: &Club| club.table.game_view(None).unwrap().banks.unwrap();
    assert_eq!(banks(&club), [60_000, 60_000]);
    club.now += 7_990;
    club.act_somehow();
    assert_eq!(banks(&club)[0], 52_000);
    while club.waiting().seat == Seat(0) {
        club.act_somehow();
    }
    let after = banks(&club)[0];
    assert!((56_000..57_000).contains(&after), "increment: {after}");
    assert_eq!(banks(&club)[1], 60_000);
    let deadline = club.table.next_deadline().unwrap();
    tick_at(&mut club, deadline).unwrap();
    assert_eq!(banks(&club)[1], 0);
    let ben = Who::Person(crate::PersonId(1));
    club.ok(ben, Command::Back);
    assert_eq!(banks(&club)[1], RETURN_BANK);
    assert_eq!(club.table.next_deadline(), Some(club.now + RETURN_BANK));
}

#[test]
fn slow_tables_wait_for_days() {
    let mut club = Club::playing(timed(r#"{"kind":"days","days":3}"#), 1);
    let deadline = club.table.next_deadline().unwrap();
    assert_eq!(deadline, club.waiting().since + 3 * 86_400_000);
    tick_at(&mut club, deadline).unwrap();
    assert!(matches!(club.waiting().by, Decider::Bot(_)));
}

#[test]
fn a_window_passes_for_silent_players_and_sooner_for_absent_ones() {
    let mut settings = reacting(3);
    settings.reaction_seconds = Some(20);
    let mut club = Club::playing(settings, 4);
    let seat = until_window(&mut club);
    let waiting = club.waiting();
    assert_eq!(waiting.deadline, Some(waiting.since + 20_000));
    club.ok(Who::House, Command::Away { seat });
    let sooner = waiting.since + AWAY_REACTION;
    assert_eq!(club.table.next_deadline(), Some(sooner));
    let due = sooner.max(club.now + 10);
    let entry = tick_at(&mut club, due).unwrap();
    assert_eq!(entry.by, Who::House);
    let seen = club.table.seen(None).unwrap();
    assert!(
        seen.events
            .contains(&AnyEvent::Table(TableEvent::PassedFor { seat }))
    );
    assert!(club.table.view(None).seats[seat.index()].stand_in.is_none());
}

/// Reactions without any limit: no clock, and no time for windows.
fn unlimited() -> Settings {
    let mut settings = reacting(3);
    settings.reaction_seconds = None;
    settings
}

/// The entry that the driver makes at the next deadline.
fn tick_when_due(club: &mut Club) -> crate::Entry {
    let deadline = club.table.next_deadline().expect("somebody is absent");
    let due = deadline.max(club.now + 10);
    tick_at(club, due).unwrap()
}

fn is_passed_for(club: &Club, seat: Seat) -> bool {
    let seen = club.table.seen(None).unwrap();
    let passed = AnyEvent::Table(TableEvent::PassedFor { seat });
    seen.events.contains(&passed)
}

#[test]
fn absent_players_are_passed_for_at_a_table_without_any_limit() {
    let mut club = Club::playing(unlimited(), 4);
    let seat = until_window(&mut club);
    assert_eq!(club.table.next_deadline(), None, "who is here has no limit");
    club.ok(Who::House, Command::Away { seat });
    let sooner = club.waiting().since + AWAY_REACTION;
    assert_eq!(club.waiting().deadline, Some(sooner));
    let entry = tick_when_due(&mut club);
    assert_eq!((entry.by, &entry.command), (Who::House, &Command::Tick));
    assert!(is_passed_for(&club, seat));
    assert!(club.table.view(None).seats[seat.index()].stand_in.is_none());
    // Their own turn waits for them, or for somebody who lets a bot play.
    let away = seat;
    for _ in 0..5000 {
        let (phase, waiting) = (club.table.state().unwrap().phase(), club.waiting());
        let own_turn = waiting.seat == club.table.state().unwrap().active();
        if waiting.seat == away && own_turn && matches!(phase, Phase::Turn | Phase::Opening) {
            assert_eq!(waiting.deadline, None);
            break;
        }
        if waiting.seat == away {
            tick_when_due(&mut club);
        } else {
            club.act_somehow();
        }
    }
    let record = crate::Record::from_text(&club.record.to_text()).unwrap();
    assert_eq!(record.rebuild().unwrap().view(None), club.table.view(None));
}

/// Blue declared a tower; yellow can cast Advance a Tower three times.
fn declared(settings: Settings) -> Club {
    let mut club = Club::playing(settings, 7);
    let text = "*/A/B/C/D/E/F/G/H/I/bbbb/yyyy/rrrr/-/-/- seats=b,y,r reactions spell_right=shared \
                spell_time=declared spells=AT,HT hands=b:t1,t2,w3;y:t3,t4,w5;r:t3,t4,w5 discard=t5 \
                flasks=b:5/0/0;y:2/3/0;r:5/0/0 phase=turn";
    let state = text.parse::<towers_rules::State>().expect("a position");
    club.table.set_state(state);
    club.ok(ANN, super::act("t1:tC"));
    assert_eq!(club.waiting().seat, Seat(1));
    club
}

#[test]
fn a_series_of_casts_ends_when_its_caster_is_absent() {
    let ben = Who::Person(crate::PersonId(1));
    for reaction_seconds in [None, Some(20)] {
        let mut settings = unlimited();
        settings.reaction_seconds = reaction_seconds;
        let mut club = declared(settings);
        club.ok(ben, super::act("before AT:G"));
        assert_eq!(club.table.state().unwrap().phase(), Phase::Before);
        assert_eq!(club.table.next_deadline(), None);
        club.ok(Who::House, Command::Away { seat: Seat(1) });
        tick_when_due(&mut club);
        assert!(is_passed_for(&club, Seat(1)));
        assert_eq!(club.waiting().seat, Seat(0), "the game goes on");
    }
}

#[test]
fn a_bot_casts_the_spell_that_an_absent_player_has_claimed() {
    let ben = Who::Person(crate::PersonId(1));
    let mut club = declared(unlimited());
    club.ok(ben, super::act("after AT"));
    assert_eq!(club.table.state().unwrap().phase(), Phase::After);
    club.ok(Who::House, Command::Away { seat: Seat(1) });
    tick_when_due(&mut club);
    // R13.4: a claim has to be cast. The bot may use that spell, but it saves the other flasks.
    assert!(matches!(club.waiting().by, Decider::Bot(_)));
    let (view, _) = club.table.bot_view(Seat(1), 0).unwrap();
    let list = view.legal_actions().expect("the bot can decide");
    let legal = club.table.state().unwrap().legal_actions();
    assert!(list.iter().eq(legal.iter()) && list.len() > 1);
    club.act_somehow();
    assert!(matches!(club.waiting().by, Decider::Person(_)), "one move");
    tick_when_due(&mut club);
    assert_eq!(club.waiting().seat, Seat(0));
    assert_eq!(club.table.state().unwrap().flasks(Seat(1)).spent, 1);
}

#[test]
fn a_clock_that_runs_in_windows_counts_for_absent_players_too() {
    let mut settings = unlimited();
    settings.clock = serde_json::from_str(r#"{"kind":"days","days":3}"#).unwrap();
    let mut club = Club::playing(settings, 4);
    let seat = until_window(&mut club);
    club.ok(Who::House, Command::Away { seat });
    let waiting = club.waiting();
    assert_eq!(waiting.deadline, Some(waiting.since + 3 * 86_400_000));
}

#[test]
fn the_time_in_windows_is_not_taken_from_the_bank() {
    let mut settings = reacting(2);
    settings.clock =
        serde_json::from_str(r#"{"kind":"bank","seconds":600,"increment":0}"#).unwrap();
    let mut club = Club::playing(settings, 4);
    let seat = until_window(&mut club);
    let bank = club.table.game_view(None).unwrap().banks.unwrap()[seat.index()];
    club.now += 5_000;
    let by = club.hand_of(seat);
    club.ok(by, super::act("pass"));
    let after = club.table.game_view(None).unwrap().banks.unwrap()[seat.index()];
    assert_eq!(after, bank);
}

#[test]
fn a_partners_gift_gives_no_extra_time() {
    let mut settings: Settings = serde_json::from_str(
        r#"{"seats":4,"options":{"teams":true},"clock":{"kind":"move","seconds":60}}"#,
    )
    .unwrap();
    settings.reaction_seconds = None;
    let mut club = Club::playing(settings, 11);
    for _ in 0..2000 {
        let state = *club.table.state().unwrap();
        let mut list = towers_rules::Actions::new();
        let partner = state.partner_actions_into(&mut list);
        let gift = list
            .iter()
            .find(|a| matches!(a, towers_rules::Action::Give(_)));
        if let (Some(partner), Some(action), Phase::Turn) = (partner, gift, state.phase()) {
            let deadline = club.table.next_deadline();
            let by = club.hand_of(partner);
            club.now += 5_000;
            club.ok(
                by,
                Command::Act {
                    action,
                    decision: None,
                },
            );
            assert_eq!(club.table.next_deadline(), deadline);
            return;
        }
        club.act_somehow();
    }
    panic!("nobody ever had a flask to give");
}

#[test]
fn a_reopened_table_restarts_the_clock_of_the_open_decision() {
    let mut club = Club::playing(timed(r#"{"kind":"move","seconds":30}"#), 1);
    club.now += 1_000_000;
    club.ok(Who::House, Command::Reopen);
    assert_eq!(club.table.next_deadline(), Some(club.now + 30_000));
    assert_eq!(club.no(ANN, Command::Reopen), Rejection::NotForPlayers);
}

#[test]
fn time_never_runs_backwards() {
    let mut club = Club::playing(timed(r#"{"kind":"move","seconds":30}"#), 1);
    let at = club.table.at();
    club.now = 0;
    club.act_somehow();
    assert_eq!(club.table.at(), at);
}

#[test]
fn running_out_of_time_costs_one_move_and_the_seat_only_after_three_in_a_row() {
    let settings: Settings = serde_json::from_str(
        r#"{"clock":{"kind":"move","seconds":30},"start":{"seat":0},"spells":{"chosen":["AW"]}}"#,
    )
    .unwrap();
    assert_eq!(settings.time_outs, 3);
    let mut club = Club::playing(settings, 1);
    let is_person = |club: &Club| matches!(club.waiting().by, Decider::Person(_));
    let time_out = |club: &mut Club| {
        while club.waiting().seat != Seat(0) {
            club.act_somehow();
        }
        let deadline = club.table.next_deadline().unwrap();
        tick_at(club, deadline).unwrap();
        assert!(!is_person(club), "a bot decides");
    };
    for _ in 0..2 {
        time_out(&mut club);
        let told = club.table.seen(None).unwrap();
        assert!(told.events.iter().any(|e| matches!(
            e,
            AnyEvent::Table(TableEvent::StoodIn {
                why: StandInReason::OneMove,
                ..
            })
        )));
        club.act_somehow();
        let seat = &club.table.view(None).seats[0];
        assert!(seat.stand_in.is_none(), "one move, and the person decides");
    }
    // A move by the player resets the count.
    while club.waiting().seat != Seat(0) {
        club.act_somehow();
    }
    club.act_somehow();
    for _ in 0..3 {
        time_out(&mut club);
        club.act_somehow();
    }
    let seat = &club.table.view(None).seats[0];
    assert!(seat.stand_in.is_some(), "the third in a row");
    let record = crate::Record::from_text(&club.record.to_text()).unwrap();
    assert_eq!(record.rebuild().unwrap().view(None), club.table.view(None));
}

#[test]
fn a_player_with_an_empty_bank_gets_some_seconds_for_the_next_move() {
    let settings: Settings = serde_json::from_str(
        r#"{"clock":{"kind":"bank","seconds":60,"increment":0},"start":{"seat":0}}"#,
    )
    .unwrap();
    let mut club = Club::playing(settings, 1);
    let deadline = club.table.next_deadline().unwrap();
    tick_at(&mut club, deadline).unwrap();
    club.act_somehow();
    let banks = club.table.game_view(None).unwrap().banks.unwrap();
    assert_eq!(banks[0], TIME_OUT_BANK);
}

#[test]
fn a_bot_that_plays_for_a_person_spares_spells() {
    let settings: Settings = serde_json::from_str(
        r#"{"clock":{"kind":"move","seconds":30},"start":{"seat":0},"spells":{"chosen":["AW"]}}"#,
    )
    .unwrap();
    let mut club = Club::playing(settings, 1);
    let spells = |club: &Club| club.table.bot_view(Seat(0), 0).unwrap().0.spells;
    assert!(!spells(&club).is_empty());
    let deadline = club.table.next_deadline().unwrap();
    tick_at(&mut club, deadline).unwrap();
    assert!(spells(&club).is_empty());
    let (view, _) = club.table.bot_view(Seat(0), 0).unwrap();
    let state = club.table.state().unwrap();
    for action in &view.legal_actions().unwrap() {
        assert!(state.is_legal(Seat(0), action), "{action}");
    }
}

#[test]
fn settings_of_earlier_versions_keep_their_rule_and_their_text() {
    let old = timed(r#"{"kind":"move","seconds":30}"#);
    assert_eq!(old.time_outs, 1);
    let text = serde_json::to_string(&old).unwrap();
    assert!(!text.contains("time_outs"), "{text}");
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), old);
    let new = Settings::default();
    let text = serde_json::to_string(&new).unwrap();
    assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), new);
    let none = text.replace(r#""time_outs":3"#, r#""time_outs":0"#);
    assert!(
        serde_json::from_str::<Settings>(&none)
            .unwrap()
            .check()
            .is_err()
    );
}

#[test]
fn an_absent_host_is_replaced() {
    let mut club = Club::seated(Settings::default());
    let (ann, ben) = (crate::PersonId(0), crate::PersonId(1));
    let new_host = |person| Command::NewHost { person };
    assert_eq!(club.no(ANN, new_host(ben)), Rejection::NotForPlayers);
    assert_eq!(club.no(Who::House, new_host(ann)), Rejection::NotDue);
    let nobody = crate::PersonId(9);
    assert_eq!(club.no(Who::House, new_host(nobody)), Rejection::Unknown);
    club.ok(Who::House, new_host(ben));
    assert_eq!(club.table.host(), Some(ben));
    club.ok(Who::Person(ben), Command::Start);
    club.ok(Who::House, Command::Away { seat: Seat(0) });
    let away = club.table.view(None).seats[0].away_since;
    assert_eq!(away, Some(club.now));
    club.ok(ANN, Command::Back);
    assert_eq!(club.table.view(None).seats[0].away_since, None);
}
