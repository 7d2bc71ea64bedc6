//! Games kept on this device, and preferences.

use rules::Seat;
use serde::Serialize;
use wire::Deserialize;

use crate::local::LocalTable;
use crate::names::bot_name;
use crate::plan::{Plan, Sitter};
use crate::settings::Preferences;

/// Where texts are kept by name: a browser's storage, or a map in tests.
pub trait Store {
    /// What is kept under a name.
    fn get(&self, name: &str) -> Option<String>;
    /// Keeps a text under a name.
    fn set(&mut self, name: &str, text: &str);
    /// Forgets a name.
    fn remove(&mut self, name: &str);
}

const PREFERENCES: &str = "towers.preferences";
const GAMES: &str = "towers.games";
const DAILY: &str = "towers.daily";
const TABLES: &str = "towers.tables";
/// How many games are kept; the oldest go first.
const MOST: usize = 12;
/// How many tables on servers are remembered.
const MOST_TABLES: usize = 40;

/// A kept game, as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedGame {
    /// Its name.
    pub id: String,
    /// How it was set up.
    pub plan: Plan,
    /// When it was last played, in milliseconds since 1970.
    pub at: u64,
    /// The round it is in.
    pub round: u16,
    /// Whether it is over.
    pub over: bool,
}

impl SavedGame {
    /// Who plays, one after the other.
    pub fn who(&self) -> String {
        let name = |(colour, sitter): &(rules::Colour, Sitter)| match sitter {
            Sitter::Person { name } => name.clone(),
            Sitter::Bot { .. } => bot_name(*colour).to_string(),
        };
        let all: Vec<String> = self.plan.seats.iter().map(name).collect();
        all.join(", ")
    }
}

/// A table on a server where somebody at this device is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MyTable {
    /// Its name in links.
    pub table: String,
    /// The secret by which the server knows who is there.
    pub token: String,
    /// When it was last visited, in milliseconds since 1970.
    pub at: u64,
    /// Where they sit, as far as is known.
    #[serde(default)]
    pub seat: Option<Seat>,
}

/// Everything kept on this device.
#[derive(Clone, Debug)]
pub struct Shelf<S>(pub S);

impl<S: Store> Shelf<S> {
    /// The preferences.
    pub fn preferences(&self) -> Preferences {
        self.read(PREFERENCES).unwrap_or_default()
    }

    /// Keeps the preferences.
    pub fn keep_preferences(&mut self, preferences: &Preferences) {
        self.write(PREFERENCES, preferences);
    }

    /// The kept games, the latest first.
    pub fn games(&self) -> Vec<SavedGame> {
        self.read(GAMES).unwrap_or_default()
    }

    /// A kept game.
    pub fn game(&self, id: &str) -> Option<(SavedGame, LocalTable)> {
        let saved = self.games().into_iter().find(|g| g.id == id)?;
        let text = self.0.get(&key(id))?;
        Some((saved, LocalTable::reopen(&text)?))
    }

    /// Keeps a game as it is now.
    pub fn keep(&mut self, saved: SavedGame, table: &LocalTable) {
        self.0.set(&key(&saved.id), &table.record().to_text());
        let mut games = self.games();
        games.retain(|g| g.id != saved.id);
        games.insert(0, saved);
        for old in games.drain(MOST.min(games.len())..) {
            self.0.remove(&key(&old.id));
        }
        self.write(GAMES, &games);
    }

    /// Forgets a game.
    pub fn forget(&mut self, id: &str) {
        self.0.remove(&key(id));
        let mut games = self.games();
        games.retain(|g| g.id != id);
        self.write(GAMES, &games);
    }

    /// The best result of a day's deal: cards used.
    pub fn daily(&self, day: &str) -> Option<u16> {
        let kept: (String, u16) = self.read(DAILY)?;
        (kept.0 == day).then_some(kept.1)
    }

    /// Keeps a result of a day's deal if it is the best.
    pub fn keep_daily(&mut self, day: &str, score: u16) {
        if self.daily(day).is_none_or(|best| score < best) {
            self.write(DAILY, &(day, score));
        }
    }

    /// The tables on a server, those visited last first.
    pub fn tables(&self) -> Vec<MyTable> {
        self.read(TABLES).unwrap_or_default()
    }

    /// Keeps who one is at a table.
    pub fn keep_table(&mut self, mine: MyTable) {
        let mut tables = self.tables();
        tables.retain(|t| t.table != mine.table);
        tables.insert(0, mine);
        tables.truncate(MOST_TABLES);
        self.write(TABLES, &tables);
    }

    /// Keeps where one sits at a table.
    pub fn keep_seat(&mut self, table: &str, seat: Option<Seat>) {
        let mut tables = self.tables();
        if let Some(mine) = tables.iter_mut().find(|t| t.table == table)
            && mine.seat != seat
        {
            mine.seat = seat;
            self.write(TABLES, &tables);
        }
    }

    /// Forgets a table.
    pub fn forget_table(&mut self, table: &str) {
        let mut tables = self.tables();
        tables.retain(|t| t.table != table);
        self.write(TABLES, &tables);
    }

    fn read<T: for<'a> Deserialize<'a>>(&self, name: &str) -> Option<T> {
        table::read(&self.0.get(name)?).ok()
    }

    fn write<T: Serialize>(&mut self, name: &str, value: &T) {
        if let Ok(text) = serde_json::to_string(value) {
            self.0.set(name, &text);
        }
    }
}

fn key(id: &str) -> String {
    format!("towers.game.{id}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use table::{BotLevel, Hex};

    #[derive(Default)]
    struct Map(HashMap<String, String>);

    impl Store for Map {
        fn get(&self, name: &str) -> Option<String> {
            self.0.get(name).cloned()
        }
        fn set(&mut self, name: &str, text: &str) {
            self.0.insert(name.into(), text.into());
        }
        fn remove(&mut self, name: &str) {
            self.0.remove(name);
        }
    }

    #[test]
    fn the_latest_games_are_kept_and_the_oldest_go() {
        let mut shelf = Shelf(Map::default());
        let plan = Plan::against_bots("Ann", 1, BotLevel::Adept);
        let table = LocalTable::open("t", &plan, 0, &Hex([1; 32])).unwrap();
        for i in 0..15 {
            let saved = SavedGame {
                id: format!("g{i}"),
                plan: plan.clone(),
                at: i,
                round: 1,
                over: false,
            };
            shelf.keep(saved, &table);
        }
        let games = shelf.games();
        assert_eq!((games.len(), games[0].id.as_str()), (MOST, "g14"));
        assert!(shelf.game("g14").is_some() && shelf.game("g0").is_none());
        assert_eq!(shelf.0.0.len(), MOST + 1);
        shelf.forget("g14");
        assert_eq!(shelf.games().len(), MOST - 1);
    }

    #[test]
    fn one_is_known_at_a_table_until_it_is_forgotten() {
        let mut shelf = Shelf(Map::default());
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
    fn only_the_best_result_of_a_day_counts() {
        let mut shelf = Shelf(Map::default());
        shelf.keep_daily("2026-11-15", 33);
        shelf.keep_daily("2026-11-15", 40);
        assert_eq!(shelf.daily("2026-11-15"), Some(33));
        assert_eq!(shelf.daily("2026-11-16"), None);
    }
}
