//! Everything that a device stores, as one text. It moves to another device of the same person, or into a file.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::saved::{self, Shelf, Store};

/// The beginning of the names of everything stored by this program.
const OURS: &str = "towers.";
/// Names that are merged; everything else is replaced.
const MERGED: [&str; 8] = [
    saved::GAMES,
    saved::TABLES,
    saved::PUZZLES,
    saved::DAILY,
    saved::BEST,
    saved::PROMISED,
    saved::FAIR,
    saved::MUTED,
];

/// A bundle as JSON.
#[derive(Serialize, Deserialize)]
struct Bundle {
    /// The version of the format.
    wandering_towers_bundle: u32,
    stored: BTreeMap<String, String>,
}

/// Why a text cannot be read as a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotABundle(pub String);

impl Store for BTreeMap<String, String> {
    fn get(&self, name: &str) -> Option<String> {
        self.get(name).cloned()
    }

    fn set(&mut self, name: &str, text: &str) {
        self.insert(name.into(), text.into());
    }

    fn remove(&mut self, name: &str) {
        self.remove(name);
    }

    fn names(&self) -> Vec<String> {
        self.keys().cloned().collect()
    }
}

impl<S: Store> Shelf<S> {
    /// Everything stored here.
    pub fn bundle(&self) -> String {
        let names = self.0.names().into_iter();
        let ours = names.filter(|name| name.starts_with(OURS));
        let stored = ours.filter_map(|name| Some((name.clone(), self.0.get(&name)?)));
        let bundle = Bundle {
            wandering_towers_bundle: 1,
            stored: stored.collect(),
        };
        serde_json::to_string(&bundle).unwrap_or_default()
    }

    /// Adds what another device stored. Games, tables, solved puzzles and results of both devices stay, and so do the
    /// commitments that this device noted; settings become those of the other one.
    pub fn adopt(&mut self, bundle: &str) -> Result<(), NotABundle> {
        let bundle: Bundle =
            serde_json::from_str(bundle).map_err(|why| NotABundle(why.to_string()))?;
        let theirs = Shelf(bundle.stored);
        self.adopt_games(&theirs);
        self.adopt_tables(&theirs);
        let mut puzzles = theirs.solved_puzzles();
        puzzles.extend(self.solved_puzzles());
        self.keep_solved_puzzles(&puzzles);
        self.adopt_latest_daily(&theirs);
        self.keep_bests(theirs.bests());
        self.adopt_entries(&theirs);
        for (name, text) in &theirs.0 {
            let is_game = name.starts_with(saved::GAME);
            if name.starts_with(OURS) && !is_game && !MERGED.contains(&name.as_str()) {
                self.0.set(name, text);
            }
        }
        Ok(())
    }

    fn adopt_games(&mut self, theirs: &Shelf<BTreeMap<String, String>>) {
        let mut games = self.games();
        for game in theirs.games() {
            let name = saved::key(&game.id);
            if let Some(record) = theirs.0.get(&name)
                && games.iter().all(|own| own.id != game.id)
            {
                self.0.set(&name, record);
                games.push(game);
            }
        }
        games.sort_unstable_by_key(|game| Reverse(game.at));
        self.keep_latest(games);
    }

    /// Of two results of deals of the day, that of the later day stays, or the better one.
    fn adopt_latest_daily(&mut self, theirs: &Shelf<BTreeMap<String, String>>) {
        let own = self.latest_daily();
        if let Some((day, score)) = theirs.latest_daily()
            && own.is_none_or(|(own, _)| own <= day)
        {
            self.keep_daily(&day, score);
        }
    }

    /// Entries about tables and days. The first commitment that a device received is the proof, so its own ones stay.
    fn adopt_entries(&mut self, theirs: &Shelf<BTreeMap<String, String>>) {
        let mut deals = self.promised_deals();
        let own = deals.len();
        for deal in theirs.promised_deals() {
            if deals[..own].iter().all(|kept| kept.day != deal.day) {
                deals.push(deal);
            }
        }
        deals.sort_unstable_by(|a, b| b.day.cmp(&a.day));
        self.write_promised(deals);
        self.write_fair_play(joined(self.all_fair_play(), theirs.all_fair_play()));
        self.write_muted(joined(self.all_muted(), theirs.all_muted()));
    }

    fn adopt_tables(&mut self, theirs: &Shelf<BTreeMap<String, String>>) {
        let own = self.tables();
        let mut tables = theirs.tables();
        tables.retain(|theirs| own.iter().all(|own| own.table != theirs.table));
        tables.extend(own);
        tables.sort_unstable_by_key(|table| table.at);
        for table in tables {
            self.keep_table(table);
        }
    }
}

/// Entries by table, those of this device first.
fn joined<T>(mut own: Vec<(String, T)>, theirs: Vec<(String, T)>) -> Vec<(String, T)> {
    for entry in theirs {
        if own.iter().all(|(table, _)| *table != entry.0) {
            own.push(entry);
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::LocalTable;
    use crate::plan::Plan;
    use crate::saved::{MyTable, SavedGame, Solved};
    use crate::settings::{Language, Preferences};
    use towers_table::{BotLevel, Hex, PersonId, SealedDeal};

    fn device() -> Shelf<BTreeMap<String, String>> {
        Shelf(BTreeMap::new())
    }

    fn play(shelf: &mut Shelf<BTreeMap<String, String>>, id: &str, at: u64) {
        let plan = Plan::against_bots("Ann", 1, BotLevel::Adept);
        let table = LocalTable::open(id, &plan, at, &Hex([1; 32])).unwrap();
        let saved = SavedGame {
            id: id.into(),
            plan,
            at,
            round: 1,
            over: false,
            result: None,
        };
        shelf.keep(saved, &table);
    }

    #[test]
    fn games_tables_and_puzzles_of_both_devices_stay() {
        let (mut phone, mut laptop) = (device(), device());
        play(&mut phone, "old", 1);
        play(&mut laptop, "middle", 2);
        play(&mut phone, "new", 3);
        for (shelf, table) in [(&mut phone, "a"), (&mut laptop, "b")] {
            shelf.keep_table(MyTable {
                table: table.into(),
                token: "secret".into(),
                at: 1,
                seat: None,
            });
        }
        phone.keep_solved("p1", Solved::Helped);
        laptop.keep_solved("p1", Solved::Alone);
        laptop.keep_solved("p2", Solved::Helped);
        phone.keep_preferences(&Preferences {
            language: Some(Language::French),
            ..Preferences::default()
        });
        laptop.adopt(&phone.bundle()).unwrap();
        let games: Vec<_> = laptop.games().into_iter().map(|g| g.id).collect();
        assert_eq!(games, ["new", "middle", "old"]);
        assert!(games.iter().all(|id| laptop.game(id).is_ok()));
        assert_eq!(laptop.tables().len(), 2);
        assert_eq!(laptop.solved_puzzles()["p1"], Solved::Alone);
        assert_eq!(laptop.solved_puzzles().len(), 2);
        assert_eq!(laptop.preferences().language, Some(Language::French));
    }

    #[test]
    fn the_better_result_of_a_deal_and_the_first_promises_stay() {
        let deal = |day: &str, n| SealedDeal {
            day: day.into(),
            commitment: Hex([n; 32]),
        };
        let (mut phone, mut laptop) = (device(), device());
        phone.keep_daily("2026-11-18", 20);
        laptop.keep_daily("2026-11-18", 18);
        laptop.keep_promised(&deal("2026-11-18", 1));
        phone.keep_promised(&deal("2026-11-18", 2));
        phone.keep_promised(&deal("2026-11-19", 3));
        let people = [PersonId(1)];
        laptop.keep_muted("a", &people);
        phone.keep_muted("a", &[]);
        phone.keep_muted("b", &people);
        laptop.adopt(&phone.bundle()).unwrap();
        assert_eq!(laptop.daily("2026-11-18"), Some(18));
        let promised = [deal("2026-11-19", 3), deal("2026-11-18", 1)];
        assert_eq!(laptop.promised_deals(), promised);
        assert_eq!(laptop.muted("a"), people);
        assert_eq!(laptop.muted("b"), people);
        phone.adopt(&laptop.bundle()).unwrap();
        assert_eq!(phone.daily("2026-11-18"), Some(18));
        // An earlier day's result does not replace a later one's.
        phone.keep_daily("2026-11-19", 30);
        phone.adopt(&laptop.bundle()).unwrap();
        assert_eq!(phone.daily("2026-11-19"), Some(30));
    }

    #[test]
    fn a_bundle_twice_changes_nothing() {
        let (mut phone, mut laptop) = (device(), device());
        play(&mut phone, "g", 1);
        let bundle = phone.bundle();
        laptop.adopt(&bundle).unwrap();
        let once = laptop.0.clone();
        laptop.adopt(&bundle).unwrap();
        assert_eq!(laptop.0, once);
        assert!(laptop.game("g").is_ok());
    }

    #[test]
    fn other_files_and_foreign_names_are_refused() {
        let mut shelf = device();
        assert!(shelf.adopt("{}").is_err());
        assert!(shelf.adopt("not JSON").is_err());
        let foreign =
            r#"{"wandering_towers_bundle":1,"stored":{"other":"x","towers.plan.bots":"y"}}"#;
        shelf.adopt(foreign).unwrap();
        assert_eq!(
            shelf.0.names(),
            [
                "towers.fair",
                "towers.games",
                "towers.muted",
                "towers.plan.bots",
                "towers.promised",
                "towers.puzzles"
            ]
        );
    }
}
