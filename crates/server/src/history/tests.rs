//! History in both databases.

use std::sync::Arc;

use serde_json::Value;
use towers_table::{Digest, Record, Settings};

use super::circles::{self, CircleError};
use super::deals::{self, DailyResult};
use super::games::{GamePosition, StoredGame, companions, games_of, games_of_circle};
use super::result::tests::played;
use super::standings::standings;
use super::store::{ratings_of, ratings_of_bots, store, store_missing, without_results};
use super::{GameResult, has_missing};
use crate::clock::SteadyClock;
use crate::people::{OWNED, People, ServerKeys};
use crate::storage::tests::{meta, on_both_databases};
use crate::storage::{Meta, NewEntry, NewTable, Statement, Storage};

const NOW: u64 = 1_794_744_000_000;

fn people(storage: &Arc<dyn Storage>) -> People {
    let clock = SteadyClock::starting_at(NOW);
    People::new(Arc::clone(storage), clock, ServerKeys::random())
}

/// A new person.
async fn person(people: &People, name: &str) -> String {
    let key = Digest::digest(&[name.as_bytes()]);
    people.sign_in(&key, "").await.unwrap().person.person
}

async fn add_table(storage: &dyn Storage, id: &str) {
    let header = towers_table::Header::new(id, Settings::default(), "Ann", "", 1);
    let meta = meta(false, None);
    storage
        .create(NewTable {
            header,
            meta,
            opener: None,
        })
        .await
        .unwrap();
}

/// The result of a rated game of these people at a new table, which belongs to them.
async fn finish(
    storage: &Arc<dyn Storage>,
    people: &People,
    table: &str,
    who: &[(&str, &str)],
    seed: u8,
) -> GameResult {
    let names: Vec<&str> = who.iter().map(|(name, _)| *name).collect();
    let settings = format!(
        r#"{{"seats":{},"rated":true,"options":{{"max_rounds":400}}}}"#,
        names.len() + 1
    );
    let settings = serde_json::from_str(&settings).unwrap();
    let (_, mut results) = played(settings, &names, 1, seed);
    add_table(&**storage, table).await;
    for (name, person) in who {
        let key = format!("key {name}");
        people.link(table, &key, person, None).await.unwrap();
    }
    let mut result = results.remove(0);
    result.table = table.into();
    result.ended = NOW + u64::from(seed);
    result
}

async fn all_games(storage: &dyn Storage, person: &str) -> Vec<StoredGame> {
    let first = GamePosition::first();
    games_of(storage, person, &first, 1000).await.unwrap()
}

/// Every result is stored once, however often and wherever that is tried, and every game changes ratings once.
async fn results_are_stored_once(storage: Arc<dyn Storage>) {
    let people = people(&storage);
    let (ann, ben) = (person(&people, "ann").await, person(&people, "ben").await);
    let mut results = Vec::new();
    for i in 0..8 {
        let who = [("Ann", ann.as_str()), ("Ben", ben.as_str())];
        results.push(finish(&storage, &people, &format!("t{i}"), &who, i).await);
    }
    // All games end at once, and three servers store each of them.
    let all = results.iter().flat_map(|result| [result; 3]);
    let storing = all.map(|result| store(&*storage, &people, result));
    let stored = futures_util::future::join_all(storing).await;
    let new = stored
        .into_iter()
        .filter(|stored| *stored.as_ref().unwrap());
    assert_eq!(new.count(), 8);
    let games = all_games(&*storage, &ann).await;
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| game.rated && game.seats.len() == 3));
    assert!(games.windows(2).all(|two| two[0].ended > two[1].ended));
    for person in [&ann, &ben] {
        let rating = ratings_of(&*storage, person).await.unwrap()["versus"];
        assert_eq!(rating.games, 8);
        let own = games.iter().filter_map(|game| game.seat_of(person)?.gain);
        let sum: i64 = own.sum();
        let shown = 1500 + super::ratings::shown_gain(sum);
        assert_eq!(rating.rating, shown, "the changes add up");
    }
    let bots = ratings_of_bots(&*storage).await.unwrap();
    assert_eq!(bots["versus"]["adept"].games, 8);
    // Pages.
    let mut after = GamePosition::first();
    let mut seen = Vec::new();
    loop {
        let page = games_of(&*storage, &ann, &after, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        after = GamePosition::parse(&GamePosition::of(last).to_string()).unwrap();
        seen.extend(page);
    }
    assert_eq!(seen, games);
    // An operator removes a name from a table.
    super::remove_name(&*storage, "t7", "Ann").await.unwrap();
    let named = all_games(&*storage, &ann).await;
    let names = |table: &str| {
        let game = named.iter().find(|game| game.table == table).unwrap();
        game.seat_of(&ann).unwrap().name.clone()
    };
    assert_eq!(
        (names("t7").as_str(), names("t6").as_str()),
        ("Guest", "Ann")
    );
    assert!(storage.delete("t3").await.unwrap());
    assert_eq!(all_games(&*storage, &ann).await.len(), 7);
}

on_both_databases!(
    results_are_stored_once,
    sqlite_stores_results_once,
    postgresql_stores_results_once
);

/// Stores a finished table as servers do, but no result, as if the server had died then.
async fn crash(storage: &dyn Storage, id: &str) -> Record {
    let settings = serde_json::from_str(r#"{"seats":3,"options":{"max_rounds":3}}"#).unwrap();
    let (mut record, _) = played(settings, &["Ann", "Ben"], 1, 1);
    record.header.table = id.into();
    let new = NewTable {
        header: record.header.clone(),
        meta: meta(false, None),
        opener: None,
    };
    storage.create(new).await.unwrap();
    for entry in &record.entries {
        let over = Meta {
            stage: "over",
            ..meta(false, None)
        };
        let new = NewEntry {
            table: id.into(),
            number: entry.number,
            line: entry.to_line(),
            visited: Some(NOW),
            meta: entry.ends_game().then_some(over),
        };
        storage.append(new).await.unwrap();
    }
    record
}

async fn missing_results_are_stored_later(storage: Arc<dyn Storage>) {
    let people = people(&storage);
    let ann = person(&people, "ann").await;
    let record = crash(&*storage, "crashed").await;
    people.link("crashed", "key Ann", &ann, None).await.unwrap();
    let table = record.rebuild().unwrap();
    assert!(has_missing(&*storage, &table).await.unwrap());
    let found = without_results(&*storage, NOW - 1, 10).await.unwrap();
    assert_eq!(found, ["crashed"]);
    for missing in [1, 0] {
        let stored = store_missing(&*storage, &people, "crashed").await.unwrap();
        assert_eq!(stored, missing);
    }
    assert!(!has_missing(&*storage, &table).await.unwrap());
    assert!(without_results(&*storage, 0, 10).await.unwrap().is_empty());
    let games = all_games(&*storage, &ann).await;
    let names: Vec<&str> = games[0].seats.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["Ann", "Ben", "adept"]);
    assert!(!games[0].rated, "the table is not rated");
}

on_both_databases!(
    missing_results_are_stored_later,
    sqlite_stores_missing_results_later,
    postgresql_stores_missing_results_later
);

async fn circles_have_standings(storage: Arc<dyn Storage>) {
    let people = people(&storage);
    let mut ids = Vec::new();
    for name in ["ann", "ben", "cem", "dan"] {
        ids.push(person(&people, name).await);
    }
    let [ann, ben, cem, dan] = [0, 1, 2, 3].map(|i| ids[i].as_str());
    for (i, who) in [
        &[("Ann", ann), ("Ben", ben)][..],
        &[("Ann", ann), ("Ben", ben), ("Cem", cem)],
        &[("Ann", ann), ("Dan", dan)],
    ]
    .into_iter()
    .enumerate()
    {
        let table = format!("t{i}");
        let result = finish(&storage, &people, &table, who, i as u8).await;
        store(&*storage, &people, &result).await.unwrap();
    }
    let storage = &*storage;
    assert_eq!(companions(storage, ann).await.unwrap().len(), 3);
    assert_eq!(companions(storage, ben).await.unwrap()[ann], "Ann");
    let circle = circles::create(storage, ann, " Friday ", NOW)
        .await
        .unwrap();
    let unnamed = circles::create(storage, ann, " ", NOW).await;
    assert!(matches!(unnamed, Err(CircleError::Name)));
    circles::invite(storage, ann, &circle, ben, NOW)
        .await
        .unwrap();
    circles::invite(storage, ann, &circle, cem, NOW)
        .await
        .unwrap();
    let unknown = circles::invite(storage, ben, &circle, dan, NOW).await;
    assert!(
        matches!(unknown, Err(CircleError::NoCircle)),
        "not accepted"
    );
    circles::accept(storage, ben, &circle, NOW).await.unwrap();
    let unknown = circles::invite(storage, ben, &circle, dan, NOW).await;
    assert!(matches!(unknown, Err(CircleError::NotKnown)));
    let stranger = circles::accept(storage, dan, &circle, NOW).await;
    assert!(matches!(stranger, Err(CircleError::NoCircle)));
    circles::rename(storage, ben, &circle, "Evening")
        .await
        .unwrap();
    let of_cem = circles::circles_of(storage, cem).await.unwrap();
    assert_eq!(
        (of_cem[0].name.as_str(), of_cem[0].accepted),
        ("Evening", false)
    );
    let count = async |since| {
        let members = circles::members(storage, &circle).await.unwrap();
        let members = members.into_iter().filter(|m| m.accepted);
        let members: Vec<String> = members.map(|m| m.person).collect();
        let games = games_of_circle(storage, &circle, since).await.unwrap();
        standings(&games, &members).games
    };
    assert_eq!(count(0).await, 1, "Cem is not a member yet");
    circles::accept(storage, cem, &circle, NOW).await.unwrap();
    assert_eq!(count(0).await, 2);
    assert_eq!(count(i64::try_from(NOW).unwrap() + 1).await, 1);
    circles::leave(storage, ann, &circle).await.unwrap();
    circles::leave(storage, ben, &circle).await.unwrap();
    circles::leave(storage, cem, &circle).await.unwrap();
    let rows = storage.query(Statement::new("SELECT id FROM circles"));
    assert!(
        rows.await.unwrap().is_empty(),
        "it goes with its last member"
    );
}

on_both_databases!(
    circles_have_standings,
    sqlite_has_circles_with_standings,
    postgresql_has_circles_with_standings
);

async fn the_best_deal_counts(storage: Arc<dyn Storage>) {
    let people = people(&storage);
    let (ann, ben) = (person(&people, "ann").await, person(&people, "ben").await);
    let storage = &*storage;
    let day = deals::tests::DAY;
    let result = |won, score| DailyResult { won, score };
    let wish = async |person: &str, statistics| {
        let wishes = deals::ScoreWishes {
            keeps_deals: true,
            statistics,
        };
        deals::set_wishes(storage, person, wishes).await.unwrap();
    };
    deals::store_deal(storage, &ann, day, result(true, 5), NOW)
        .await
        .unwrap();
    let kept = deals::deal_of(storage, &ann, day).await.unwrap();
    assert_eq!(kept, None, "she has not asked for it");
    wish(&ann, false).await;
    wish(&ben, false).await;
    for (sent, best) in [
        (result(false, 40), result(false, 40)),
        (result(true, 31), result(true, 31)),
        (result(false, 10), result(true, 31)),
        (result(true, 33), result(true, 31)),
        (result(true, 27), result(true, 27)),
    ] {
        let stored = deals::store_deal(storage, &ann, day, sent, NOW).await;
        assert_eq!(stored.unwrap(), best);
    }
    let lost = result(false, 50);
    deals::store_deal(storage, &ben, day, lost, NOW)
        .await
        .unwrap();
    assert!(
        deals::board(storage, day).await.unwrap().is_empty(),
        "nobody takes part"
    );
    wish(&ann, true).await;
    wish(&ben, true).await;
    let board = deals::board(storage, day).await.unwrap();
    let board: Vec<(bool, i64, i64)> = board.iter().map(|s| (s.won, s.score, s.people)).collect();
    assert_eq!(board, [(true, 27, 1), (false, 50, 1)]);
    let totals = deals::daily_totals(storage, &ann, "2026-11-16")
        .await
        .unwrap();
    assert_eq!((totals.days, totals.won, totals.best), (1, 1, Some(27)));
    assert_eq!(totals.streak.current, 1);
    assert!(
        deals::solo_board(storage, "capstone")
            .await
            .unwrap()
            .is_empty()
    );
    let cem = person(&people, "cem").await;
    add_table(storage, "solo").await;
    let mut games = 0_u32;
    for (person, preset, as_printed, won, score) in [
        (&ann, "capstone", true, true, 31),
        (&ann, "capstone", true, true, 27),
        (&ann, "capstone", false, true, 12),
        (&ann, "capstone", true, false, 9),
        (&ann, "oya", true, true, 8),
        (&ben, "capstone", true, true, 40),
        // He takes no part.
        (&cem, "capstone", true, true, 20),
    ] {
        games += 1;
        let insert = "INSERT INTO results (table_id, game, seat, ended, mode, teams, preset, as_printed, players, rated, \
                      agreed, score, person_id, name, place, won) VALUES ('solo', $1, 0, 1, 'solo', FALSE, $2, $3, 1, \
                      FALSE, FALSE, $4, $5, 'name', 1, $6)";
        let insert = Statement::new(insert).with(games).with(preset);
        let insert = insert.with(as_printed).with(i64::from(score));
        let insert = insert.with(person).with(won);
        storage.transact(vec![insert]).await.unwrap();
    }
    let board = deals::solo_board(storage, "capstone").await.unwrap();
    let board: Vec<(bool, i64, i64)> = board.iter().map(|s| (s.won, s.score, s.people)).collect();
    assert_eq!(board, [(true, 27, 1), (true, 40, 1)]);
}

on_both_databases!(
    the_best_deal_counts,
    sqlite_keeps_the_best_deal,
    postgresql_keeps_the_best_deal
);

/// Two people become one; then everything about them is deleted.
async fn people_move_and_go(storage: Arc<dyn Storage>) {
    let people = people(&storage);
    let (ann, ben) = (person(&people, "ann").await, person(&people, "ben").await);
    let phone = person(&people, "ann's phone").await;
    for (i, own) in [&ann, &phone].into_iter().enumerate() {
        let who = [("Ann", own.as_str()), ("Ben", ben.as_str())];
        let result = finish(&storage, &people, &format!("t{i}"), &who, i as u8).await;
        store(&*storage, &people, &result).await.unwrap();
        let circle = circles::create(&*storage, own, "Friday", NOW)
            .await
            .unwrap();
        circles::invite(&*storage, own, &circle, &ben, NOW)
            .await
            .unwrap();
        let result = DailyResult {
            won: true,
            score: 30,
        };
        let day = format!("2026-11-1{i}");
        let wishes = deals::ScoreWishes {
            keeps_deals: true,
            statistics: false,
        };
        deals::set_wishes(&*storage, own, wishes).await.unwrap();
        deals::store_deal(&*storage, own, &day, result, NOW)
            .await
            .unwrap();
    }
    let merge = OWNED.iter().flat_map(|owned| owned.merge);
    let merge = merge.map(|sql| Statement::new(sql).with(&ann).with(&phone));
    storage.transact(merge.collect()).await.unwrap();
    people.delete_rows(&phone).await.unwrap();
    assert_eq!(all_games(&*storage, &ann).await.len(), 2);
    assert_eq!(circles::circles_of(&*storage, &ann).await.unwrap().len(), 2);
    let totals = deals::daily_totals(&*storage, &ann, "2026-11-11")
        .await
        .unwrap();
    assert_eq!((totals.days, totals.streak.current), (2, 2));
    assert_eq!(
        ratings_of(&*storage, &ann).await.unwrap()["versus"].games,
        1
    );
    let export: Value = people.export(&ann).await.unwrap();
    let text = export.to_string();
    for part in ["results", "ratings", "deals_of_the_day", "memberships"] {
        let rows = export[part].as_array().map_or(0, Vec::len);
        assert!(rows > 0, "{part} of {text}");
    }
    assert!(!text.contains(&ben), "nothing about others' ids");
    people.delete_rows(&ann).await.unwrap();
    let games = all_games(&*storage, &ben).await;
    assert_eq!(games.len(), 2, "the others keep their games");
    for game in games {
        assert_eq!(game.seats[0].name, "Somebody");
        assert_eq!((&game.seats[0].person, game.seats[0].gain), (&None, None));
    }
    let rows = storage.query(Statement::new("SELECT id FROM circles"));
    assert!(rows.await.unwrap().is_empty());
}

on_both_databases!(
    people_move_and_go,
    sqlite_moves_and_deletes_history,
    postgresql_moves_and_deletes_history
);
