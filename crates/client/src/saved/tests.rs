use super::*;
use crate::settings::Language;
use std::collections::BTreeMap;
use towers_table::{BotLevel, Hex};

fn device() -> Shelf<BTreeMap<String, String>> {
    Shelf(BTreeMap::new())
}

#[test]
fn the_latest_games_are_kept_and_the_oldest_go() {
    let mut shelf = device();
    let plan = Plan::against_bots("Ann", 1, BotLevel::Adept);
    let table = LocalTable::open("t", &plan, 0, &Hex([1; 32])).unwrap();
    for i in 0..15 {
        let saved = SavedGame {
            id: format!("g{i}"),
            plan: plan.clone(),
            at: i,
            round: 1,
            over: false,
            result: None,
        };
        shelf.keep(saved, &table);
    }
    let games = shelf.games();
    assert_eq!((games.len(), games[0].id.as_str()), (MAX_GAMES, "g14"));
    assert!(shelf.game("g14").is_ok() && shelf.game("g0").is_err());
    assert_eq!(shelf.0.len(), MAX_GAMES + 1);
    shelf.forget("g14");
    assert_eq!(shelf.games().len(), MAX_GAMES - 1);
}

#[test]
fn a_game_of_an_earlier_version_says_so_and_stays() {
    let mut shelf = device();
    let plan = Plan::against_bots("Ann", 1, BotLevel::Adept);
    let table = LocalTable::open("t", &plan, 0, &Hex([1; 32])).unwrap();
    let saved = |id: &str| SavedGame {
        id: id.into(),
        plan: plan.clone(),
        at: 1,
        round: 1,
        over: true,
        result: None,
    };
    let old = include_str!("../../../table/tests/records/free-any-time.jsonl");
    for (id, text) in [("old", old), ("broken", "{}")] {
        shelf.keep(saved(id), &table);
        shelf.0.insert(key(id), text.into());
    }
    let opened = |shelf: &Shelf<_>, id| shelf.game(id).map(|_| ());
    assert_eq!(opened(&shelf, "old"), Err(NotReopened::Earlier));
    assert_eq!(opened(&shelf, "broken"), Err(NotReopened::Damaged));
    assert_eq!(opened(&shelf, "gone"), Err(NotReopened::Missing));
    assert_eq!(shelf.0.get(&key("old")).map(String::as_str), Some(old));
    assert_eq!(shelf.games().len(), 2);
    let record = shelf.record("old").expect("it can be read");
    assert_eq!(record.entries.len() + 1, old.lines().count());
}

#[test]
fn choices_in_a_game_are_kept_for_that_game() {
    let mut shelf = device();
    shelf.keep_choice("unaided", "a", true);
    shelf.keep_choice("unaided", "", true);
    assert!(shelf.has_chosen("unaided", "a"));
    assert!(!shelf.has_chosen("stops", "a") && !shelf.has_chosen("unaided", "b"));
    assert!(!shelf.has_chosen("unaided", ""));
    shelf.keep_choice("unaided", "a", false);
    assert!(!shelf.has_chosen("unaided", "a"));
    for n in 0..100 {
        shelf.keep_choice("stops", &n.to_string(), true);
    }
    assert!(shelf.has_chosen("stops", "99") && !shelf.has_chosen("stops", "0"));
}

#[test]
fn the_settings_of_the_last_game_of_each_kind_are_kept() {
    let mut shelf = device();
    let mut plan = Plan::hot_seat(&["Ann".into(), "Ben".into()]);
    plan.settings.title = "Friday".into();
    plan.settings.clock = towers_table::Clock::Move { seconds: 30 };
    assert_eq!(PlanKind::of(&plan), PlanKind::HotSeat);
    shelf.keep_plan(PlanKind::of(&plan), &plan);
    let kept = shelf.last_plan(PlanKind::HotSeat).unwrap();
    assert_eq!(kept.settings.clock, plan.settings.clock);
    assert_eq!(
        (kept.seats, kept.settings.title),
        (plan.seats, String::new())
    );
    assert_eq!(shelf.last_plan(PlanKind::Bots), None);
    let solo = Plan::solo("Ann", true);
    assert_eq!(PlanKind::of(&solo), PlanKind::Solo);
}

#[test]
fn the_end_of_a_kept_game_names_who_won() {
    let words = Words::of(Language::English);
    let mut game = SavedGame {
        id: "g".into(),
        plan: Plan::against_bots("Ann", 2, BotLevel::Adept),
        at: 1,
        round: 9,
        over: true,
        result: None,
    };
    assert_eq!(words.say(&game.ending()), "Finished");
    let mut ends = |winners: &[&str]| {
        let winners = winners.iter().map(ToString::to_string).collect();
        game.result = Some(SavedResult {
            winners,
            score: None,
        });
        words.say(&game.ending())
    };
    assert_eq!(ends(&["Ann"]), "You win!");
    assert_eq!(ends(&["Rowan"]), "Rowan wins!");
    assert_eq!(ends(&["Ann", "Rowan"]), "Ann and Rowan win together!");
    assert_eq!(ends(&[]), "Ended by agreement");
}

#[test]
fn a_seat_is_remembered_until_its_table_is_removed() {
    let mut shelf = device();
    for (table, at) in [("a", 1), ("b", 2), ("a", 3)] {
        shelf.keep_table(MyTable {
            table: table.into(),
            token: format!("secret{at}"),
            at,
            seat: None,
        });
    }
    shelf.keep_seat("b", Some(Seat(1)));
    shelf.keep_seat("unknown", Some(Seat(2)));
    let seats: Vec<_> = shelf.tables().into_iter().map(|t| t.seat).collect();
    assert_eq!(seats, [None, Some(Seat(1))]);
    let kept: Vec<_> = shelf.tables().into_iter().map(|t| t.token).collect();
    assert_eq!(kept, ["secret3", "secret2"]);
    shelf.forget_table("a");
    assert_eq!(shelf.tables().len(), 1);
}

#[test]
fn one_person_without_a_name_is_called_you() {
    let words = Words::of(Language::English);
    let who = |plan: Plan| {
        let game = SavedGame {
            id: "g".into(),
            plan,
            at: 0,
            round: 1,
            over: false,
            result: None,
        };
        game.who(&words)
    };
    assert_eq!(
        who(Plan::against_bots("Guest", 1, BotLevel::Adept)),
        "You, Yarrow"
    );
    assert_eq!(
        who(Plan::against_bots("Ann", 1, BotLevel::Adept)),
        "Ann, Yarrow"
    );
    // Of several persons at one device, nobody is "you".
    let both = Plan::hot_seat(&["Guest".into(), "Ben".into()]);
    assert_eq!(who(both), "Guest, Ben");
}

#[test]
fn data_of_earlier_versions_is_read() {
    let mut shelf = device();
    // Data from a version without deals of the day, seats in the list of tables, and most settings.
    let games = r#"[{"id":"g1","plan":{"settings":{"title":"","public":false,"seats":2,"preset":"capstone",
        "options":{"mode":"versus","memory":"strict"},"spells":{"chosen":["AW","AT"]},"start":"random",
        "clock":{"kind":"none"},"reaction_seconds":null,"stand_in":"adept"},
        "seats":[["b",{"person":{"name":"Ann"}}],["y",{"bot":{"level":"novice"}}]],"hints":true},
        "at":1794782953629,"round":3,"over":false,"since_removed":{"x":1}}]"#;
    shelf.0.set(GAMES, games);
    let game = &shelf.games()[0];
    assert_eq!((game.id.as_str(), game.round), ("g1", 3));
    assert_eq!(game.who(&Words::of(Language::English)), "Ann, Yarrow");
    assert_eq!(
        (game.plan.daily.clone(), game.at),
        (None, 1_794_782_953_629)
    );
    assert_eq!(
        game.plan.settings.options.memory,
        towers_rules::Memory::Strict
    );
    assert!(game.plan.is_playable());

    let tables = r#"[{"table":"3k9x7m2qh5v8","token":"secret","at":18446744073709551615}]"#;
    shelf.0.set(TABLES, tables);
    let table = &shelf.tables()[0];
    assert_eq!((table.seat, table.at), (None, u64::MAX));

    shelf
        .0
        .set(PREFERENCES, r#"{"language":"de","sound":"on"}"#);
    let preferences = shelf.preferences();
    assert_eq!(preferences.language, Some(Language::German));
    assert_eq!(preferences.sound, crate::settings::Sound::On);
    shelf.0.set(PREFERENCES, "not JSON");
    assert_eq!(shelf.preferences(), Preferences::default());

    shelf.0.set(DAILY, r#"["2026-11-15",33]"#);
    assert_eq!(shelf.daily("2026-11-15"), Some(33));
}

#[test]
fn muted_people_stay_muted_at_their_table() {
    let mut shelf = device();
    shelf.keep_muted("a", &[PersonId(1), PersonId(3)]);
    shelf.keep_muted("b", &[PersonId(2)]);
    assert_eq!(shelf.muted("a"), [PersonId(1), PersonId(3)]);
    shelf.keep_muted("a", &[]);
    assert!(shelf.muted("a").is_empty());
    assert_eq!(shelf.muted("b"), [PersonId(2)]);
}

#[test]
fn the_best_result_of_each_kind_of_game_is_kept_and_moves_along() {
    let [alone, plain] = [true, false].map(|spells| Plan::solo("Ann", spells).settings);
    let mut shelf = device();
    assert_eq!(shelf.best(&alone), None);
    for score in [31, 28, 33] {
        shelf.keep_best(&alone, score);
    }
    assert_eq!((shelf.best(&alone), shelf.best(&plain)), (Some(28), None));
    let mut other = device();
    other.keep_best(&alone, 25);
    other.keep_best(&plain, 40);
    shelf.adopt(&other.bundle()).unwrap();
    assert_eq!(shelf.best(&alone), Some(25));
    assert_eq!(shelf.best(&plain), Some(40));
    other.keep_best(&alone, 22);
    other.adopt(&shelf.bundle()).unwrap();
    assert_eq!(other.best(&alone), Some(22));
}

#[test]
fn only_the_best_result_of_a_day_counts() {
    let mut shelf = device();
    shelf.keep_daily("2026-11-15", 33);
    shelf.keep_daily("2026-11-15", 40);
    assert_eq!(shelf.daily("2026-11-15"), Some(33));
    assert_eq!(shelf.daily("2026-11-16"), None);
}
