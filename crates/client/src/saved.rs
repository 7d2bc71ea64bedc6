//! Games and preferences stored on this device.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use towers_rules::{Mode, Seat};
use towers_table::{PersonId, SealedDeal};

use crate::fair::FairPlay;
use crate::local::LocalTable;
use crate::names::bot_name;
use crate::plan::{Plan, Sitter};
use crate::settings::Preferences;
use crate::words::{Message, say};

/// A key-value store of texts: a browser's storage, or a map in tests.
pub trait Store {
    /// Returns the text stored under a name.
    fn get(&self, name: &str) -> Option<String>;
    /// Stores a text under a name.
    fn set(&mut self, name: &str, text: &str);
    /// Removes a name.
    fn remove(&mut self, name: &str);
}

const PREFERENCES: &str = "towers.preferences";
const GAMES: &str = "towers.games";
const DAILY: &str = "towers.daily";
const PROMISED: &str = "towers.promised";
const TABLES: &str = "towers.tables";
const PLAN: &str = "towers.plan";
const FAIR: &str = "towers.fair";
const MUTED: &str = "towers.muted";
/// The maximum number of stored games; the oldest are removed first.
const MOST: usize = 12;
/// The maximum number of stored commitments to deals of the day.
const MAX_PROMISED: usize = 3;
/// The maximum number of stored tables on servers.
const MOST_TABLES: usize = 40;

/// A stored game, as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedGame {
    pub id: String,
    pub plan: Plan,
    /// The time of the last action, in milliseconds since 1970.
    pub at: u64,
    /// The current round.
    pub round: u16,
    /// Whether it is over.
    pub over: bool,
    /// The result; `None` also in games of earlier versions.
    #[serde(default)]
    pub result: Option<SavedResult>,
}

/// The result of a stored game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedResult {
    /// The names of the winners.
    pub winners: Vec<String>,
    /// The cards used in a solo or cooperative game.
    pub score: Option<u16>,
}

/// The kinds of game that the first page offers. The last setup is stored for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanKind {
    /// One person against bots.
    Bots,
    /// Several persons at one device.
    HotSeat,
    Solo,
    Coop,
    /// A table on a server.
    Table,
}

impl PlanKind {
    /// The kind of a game on this device.
    pub fn of(plan: &Plan) -> PlanKind {
        match plan.settings.options.mode {
            Mode::Solo => PlanKind::Solo,
            Mode::Coop => PlanKind::Coop,
            Mode::Versus if plan.persons() > 1 => PlanKind::HotSeat,
            Mode::Versus => PlanKind::Bots,
        }
    }

    const fn key(self) -> &'static str {
        match self {
            PlanKind::Bots => "bots",
            PlanKind::HotSeat => "hot_seat",
            PlanKind::Solo => "solo",
            PlanKind::Coop => "coop",
            PlanKind::Table => "table",
        }
    }
}

impl SavedGame {
    /// The result in words.
    pub fn ending(&self) -> Message {
        let Some(result) = &self.result else {
            return say("start.over");
        };
        let mut persons = self.plan.seats.iter().filter_map(|(_, s)| match s {
            Sitter::Person { name } => Some(name),
            Sitter::Bot { .. } => None,
        });
        let own = persons.next().filter(|_| persons.next().is_none());
        match (&result.winners[..], result.score) {
            (_, Some(n)) if self.plan.settings.options.mode != Mode::Versus => {
                let won = !result.winners.is_empty();
                say(if won { "over.won" } else { "over.lost" }).with("n", n)
            }
            ([], _) => say("over.agreed"),
            ([winner], _) if own == Some(winner) => say("over.you_win"),
            ([winner], _) => say("over.wins").with("who", winner.as_str()),
            (winners, _) => say("over.share").with("who", winners.join(", ")),
        }
    }

    /// The names of the players, as a list.
    pub fn who(&self) -> String {
        let name = |(colour, sitter): &(towers_rules::Colour, Sitter)| match sitter {
            Sitter::Person { name } => name.clone(),
            Sitter::Bot { .. } => bot_name(*colour).to_string(),
        };
        let all: Vec<String> = self.plan.seats.iter().map(name).collect();
        all.join(", ")
    }
}

/// A table on a server that was visited from this device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MyTable {
    /// The id used in links.
    pub table: String,
    /// The secret that identifies the person to the server.
    pub token: String,
    /// The time of the last visit, in milliseconds since 1970.
    pub at: u64,
    /// The person's seat, if known.
    #[serde(default)]
    pub seat: Option<Seat>,
}

/// All data stored on this device.
#[derive(Clone, Debug)]
pub struct Shelf<S>(pub S);

impl<S: Store> Shelf<S> {
    /// The preferences.
    pub fn preferences(&self) -> Preferences {
        self.read(PREFERENCES).unwrap_or_default()
    }

    /// Stores the preferences.
    pub fn keep_preferences(&mut self, preferences: &Preferences) {
        self.write(PREFERENCES, preferences);
    }

    /// The stored games, latest first.
    pub fn games(&self) -> Vec<SavedGame> {
        self.read(GAMES).unwrap_or_default()
    }

    /// A stored game.
    pub fn game(&self, id: &str) -> Option<(SavedGame, LocalTable)> {
        let saved = self.games().into_iter().find(|g| g.id == id)?;
        let text = self.0.get(&key(id))?;
        Some((saved, LocalTable::reopen(&text)?))
    }

    /// Stores the current state of a game.
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

    /// Removes a game.
    pub fn forget(&mut self, id: &str) {
        self.0.remove(&key(id));
        let mut games = self.games();
        games.retain(|g| g.id != id);
        self.write(GAMES, &games);
    }

    /// The setup of the last game of this kind.
    pub fn last_plan(&self, kind: PlanKind) -> Option<Plan> {
        let plan: Plan = self.read(&format!("{PLAN}.{}", kind.key()))?;
        plan.can_be_opened().then_some(plan)
    }

    /// Stores the setup of a game, without its title and deal of the day.
    pub fn keep_plan(&mut self, kind: PlanKind, plan: &Plan) {
        let mut plan = plan.clone();
        plan.daily = None;
        plan.deal_source = None;
        plan.settings.title.clear();
        self.write(&format!("{PLAN}.{}", kind.key()), &plan);
    }

    /// The best result of the deal of a day: the number of cards used.
    pub fn daily(&self, day: &str) -> Option<u16> {
        let kept: (String, u16) = self.read(DAILY)?;
        (kept.0 == day).then_some(kept.1)
    }

    /// Stores a result of the deal of a day if it is the best.
    pub fn keep_daily(&mut self, day: &str, score: u16) {
        if self.daily(day).is_none_or(|best| score < best) {
            self.write(DAILY, &(day, score));
        }
    }

    /// The server's commitments to deals of the day, latest first.
    pub fn promised_deals(&self) -> Vec<SealedDeal> {
        self.read(PROMISED).unwrap_or_default()
    }

    /// Stores a commitment to a deal. Later ones for the same day prove nothing and are ignored.
    pub fn keep_promised(&mut self, deal: &SealedDeal) {
        let mut deals = self.promised_deals();
        if deals.iter().any(|kept| kept.day == deal.day) {
            return;
        }
        deals.insert(0, deal.clone());
        deals.truncate(MAX_PROMISED);
        self.write(PROMISED, &deals);
    }

    /// The tables on a server, most recently visited first.
    pub fn tables(&self) -> Vec<MyTable> {
        self.read(TABLES).unwrap_or_default()
    }

    /// Stores the person's identity at a table.
    pub fn keep_table(&mut self, mine: MyTable) {
        let mut tables = self.tables();
        tables.retain(|t| t.table != mine.table);
        tables.insert(0, mine);
        tables.truncate(MOST_TABLES);
        self.write(TABLES, &tables);
    }

    /// Stores the person's seat at a table.
    pub fn keep_seat(&mut self, table: &str, seat: Option<Seat>) {
        let mut tables = self.tables();
        if let Some(mine) = tables.iter_mut().find(|t| t.table == table)
            && mine.seat != seat
        {
            mine.seat = seat;
            self.write(TABLES, &tables);
        }
    }

    /// Removes a table.
    pub fn forget_table(&mut self, table: &str) {
        let mut tables = self.tables();
        tables.retain(|t| t.table != table);
        self.write(TABLES, &tables);
    }

    /// The stored fair play of a table.
    pub fn fair_play(&self, table: &str) -> FairPlay {
        let all = self.all_fair_play().into_iter();
        let own = all.into_iter().find(|(id, _)| id == table);
        own.map(|(_, fair)| fair).unwrap_or_default()
    }

    /// Stores the fair play of a table.
    pub fn keep_fair_play(&mut self, table: &str, fair: &FairPlay) {
        let mut all = self.all_fair_play();
        all.retain(|(id, _)| id != table);
        all.insert(0, (table.into(), fair.clone()));
        all.truncate(MOST_TABLES);
        self.write(FAIR, &all);
    }

    /// The people muted at a table.
    pub fn muted(&self, table: &str) -> Vec<PersonId> {
        let all: Vec<(String, Vec<PersonId>)> = self.read(MUTED).unwrap_or_default();
        let own = all.into_iter().find(|(id, _)| id == table);
        own.map(|(_, people)| people).unwrap_or_default()
    }

    /// Stores the people muted at a table.
    pub fn keep_muted(&mut self, table: &str, people: &[PersonId]) {
        let mut all: Vec<(String, Vec<PersonId>)> = self.read(MUTED).unwrap_or_default();
        all.retain(|(id, _)| id != table);
        if !people.is_empty() {
            all.insert(0, (table.into(), people.to_vec()));
        }
        all.truncate(MOST_TABLES);
        self.write(MUTED, &all);
    }

    fn all_fair_play(&self) -> Vec<(String, FairPlay)> {
        self.read(FAIR).unwrap_or_default()
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(&self.0.get(name)?).ok()
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
    use towers_table::{BotLevel, Hex};

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
                result: None,
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
    fn the_settings_of_the_last_game_of_each_kind_are_kept() {
        let mut shelf = Shelf(Map::default());
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
        let words = crate::Words::of(crate::Language::English);
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
        assert_eq!(ends(&["Ann", "Rowan"]), "Ann, Rowan win together!");
        assert_eq!(ends(&[]), "Ended by agreement");
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
    fn what_earlier_versions_kept_is_still_read() {
        let mut shelf = Shelf(Map::default());
        // Data from a version without deals of the day, seats in the list of tables, and most settings.
        let games = r#"[{"id":"g1","plan":{"settings":{"title":"","public":false,"seats":2,"preset":"capstone",
            "options":{"mode":"versus","memory":"strict"},"spells":{"chosen":["AW","AT"]},"start":"random",
            "clock":{"kind":"none"},"reaction_seconds":null,"stand_in":"adept"},
            "seats":[["b",{"person":{"name":"Ann"}}],["y",{"bot":{"level":"novice"}}]],"hints":true},
            "at":1794782953629,"round":3,"over":false,"since_removed":{"x":1}}]"#;
        shelf.0.set(GAMES, games);
        let game = &shelf.games()[0];
        assert_eq!((game.id.as_str(), game.round), ("g1", 3));
        assert_eq!(game.who(), "Ann, Yarrow");
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
        assert_eq!(
            preferences.language,
            Some(crate::settings::Language::German)
        );
        assert_eq!(preferences.sound, crate::settings::Sound::On);
        shelf.0.set(PREFERENCES, "not JSON");
        assert_eq!(shelf.preferences(), Preferences::default());

        shelf.0.set(DAILY, r#"["2026-11-15",33]"#);
        assert_eq!(shelf.daily("2026-11-15"), Some(33));
    }

    #[test]
    fn who_is_muted_at_a_table_stays_muted_there() {
        let mut shelf = Shelf(Map::default());
        shelf.keep_muted("a", &[PersonId(1), PersonId(3)]);
        shelf.keep_muted("b", &[PersonId(2)]);
        assert_eq!(shelf.muted("a"), [PersonId(1), PersonId(3)]);
        shelf.keep_muted("a", &[]);
        assert!(shelf.muted("a").is_empty());
        assert_eq!(shelf.muted("b"), [PersonId(2)]);
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
