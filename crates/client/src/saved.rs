//! Games and preferences stored on this device.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use towers_rules::{Mode, Seat};
use towers_table::{PersonId, Record, SealedDeal, Settings};

use crate::fair::FairPlay;
use crate::local::{LocalTable, NotReopened};
use crate::names::{bot_name, names_in_words};
use crate::plan::{Plan, Sitter};
use crate::settings::Preferences;
use crate::words::{Message, Words, say};

/// A key-value store of texts: a browser's storage, or a map in tests.
pub trait Store {
    /// Returns the text stored under a name.
    fn get(&self, name: &str) -> Option<String>;
    /// Stores a text under a name.
    fn set(&mut self, name: &str, text: &str);
    fn remove(&mut self, name: &str);
    /// All names, in any order.
    fn names(&self) -> Vec<String>;
}

const PREFERENCES: &str = "towers.preferences";
pub(crate) const GAMES: &str = "towers.games";
/// The beginning of the name of a game's record.
pub(crate) const GAME: &str = "towers.game.";
pub(crate) const PUZZLES: &str = "towers.puzzles";
pub(crate) const DAILY: &str = "towers.daily";
pub(crate) const BEST: &str = "towers.best";
const BOARD: &str = "towers.board";
pub(crate) const PROMISED: &str = "towers.promised";
pub(crate) const TABLES: &str = "towers.tables";
const PLAN: &str = "towers.plan";
pub(crate) const FAIR: &str = "towers.fair";
pub(crate) const MUTED: &str = "towers.muted";
const CHOICES: &str = "towers.choices";
/// The maximum number of stored games; the oldest are removed first.
const MAX_GAMES: usize = 12;
/// The maximum number of stored commitments to deals of the day.
const MAX_PROMISED: usize = 3;
/// The maximum number of stored tables on servers.
const MAX_TABLES: usize = 40;

/// A stored game, as the list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedGame {
    pub id: String,
    pub plan: Plan,
    /// The time of the last action, in milliseconds since 1970.
    pub at: u64,
    pub round: u16,
    pub over: bool,
    /// The result; `None` also in games of earlier versions.
    #[serde(default)]
    pub result: Option<SavedResult>,
}

/// The result of a stored game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedResult {
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
            (winners, _) => say("over.share").with("who", names_in_words(winners.to_vec())),
        }
    }

    /// The names of the players, as a list. One person without a name is "you", not "Guest".
    pub fn who(&self, words: &Words) -> String {
        let guest = words.get("name.guest");
        let is_alone = self.plan.persons() == 1;
        let name = |(colour, sitter): &(towers_rules::Colour, Sitter)| match sitter {
            Sitter::Person { name } if is_alone && *name == guest => words.get("name.you"),
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

/// How a puzzle was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Solved {
    /// Without help.
    Alone,
    /// With a hint, or after the solution was shown.
    Helped,
}

/// All data stored on this device.
#[derive(Clone, Debug)]
pub struct Shelf<S>(pub S);

impl<S: Store> Shelf<S> {
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

    pub fn game(&self, id: &str) -> Result<(SavedGame, LocalTable), NotReopened> {
        let saved = self.games().into_iter().find(|g| g.id == id);
        let (saved, text) = saved
            .zip(self.0.get(&key(id)))
            .ok_or(NotReopened::Missing)?;
        Ok((saved, LocalTable::reopen(&text)?))
    }

    /// The record of a stored game, also of one that cannot be played on.
    pub fn record(&self, id: &str) -> Option<Record> {
        Record::from_text(&self.0.get(&key(id))?).ok()
    }

    /// Stores the current state of a game.
    pub fn keep(&mut self, saved: SavedGame, table: &LocalTable) {
        self.0.set(&key(&saved.id), &table.record().to_text());
        let mut games = self.games();
        games.retain(|g| g.id != saved.id);
        games.insert(0, saved);
        self.keep_latest(games);
    }

    /// Stores the list of games, latest first, and removes the records of the oldest.
    pub(crate) fn keep_latest(&mut self, mut games: Vec<SavedGame>) {
        for old in games.drain(MAX_GAMES.min(games.len())..) {
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

    /// The solved puzzles, by key.
    pub fn solved_puzzles(&self) -> HashMap<String, Solved> {
        self.read(PUZZLES).unwrap_or_default()
    }

    /// Stores that a puzzle was solved. A solution without help is never overwritten.
    pub fn keep_solved(&mut self, key: &str, solved: Solved) {
        let mut all = self.solved_puzzles();
        if all.get(key) != Some(&Solved::Alone) {
            all.insert(key.into(), solved);
        }
        self.keep_solved_puzzles(&all);
    }

    pub(crate) fn keep_solved_puzzles(&mut self, all: &HashMap<String, Solved>) {
        self.write(PUZZLES, all);
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
        let kept = self.latest_daily()?;
        (kept.0 == day).then_some(kept.1)
    }

    /// The day of the last deal of a day that was won, and its best result.
    pub(crate) fn latest_daily(&self) -> Option<(String, u16)> {
        self.read(DAILY)
    }

    /// Stores a result of the deal of a day if it is the best.
    pub fn keep_daily(&mut self, day: &str, score: u16) {
        if self.daily(day).is_none_or(|best| score < best) {
            self.write(DAILY, &(day, score));
        }
    }

    /// The best result of solo or cooperative games with these settings: the number of cards used.
    pub fn best(&self, settings: &Settings) -> Option<u16> {
        self.bests().get(&kind(settings)).copied()
    }

    /// All best results, by kind of game.
    pub(crate) fn bests(&self) -> HashMap<String, u16> {
        self.read(BEST).unwrap_or_default()
    }

    /// Stores a result of a solo or cooperative game if it is the best.
    pub fn keep_best(&mut self, settings: &Settings, score: u16) {
        self.keep_bests(HashMap::from([(kind(settings), score)]));
    }

    pub(crate) fn keep_bests(&mut self, results: HashMap<String, u16>) {
        if results.is_empty() {
            return;
        }
        let mut all = self.bests();
        for (kind, score) in results {
            let best = all.entry(kind).or_insert(score);
            *best = score.min(*best);
        }
        self.write(BEST, &all);
    }

    /// Whether finished deals of the day are sent to the board of the server. The page of scores sets it.
    pub fn takes_part(&self) -> bool {
        self.read(BOARD).unwrap_or(false)
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
        self.write_promised(deals);
    }

    pub(crate) fn write_promised(&mut self, mut deals: Vec<SealedDeal>) {
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
        tables.truncate(MAX_TABLES);
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
        self.write_fair_play(all);
    }

    pub(crate) fn write_fair_play(&mut self, mut all: Vec<(String, FairPlay)>) {
        all.truncate(MAX_TABLES);
        self.write(FAIR, &all);
    }

    /// The people muted at a table.
    pub fn muted(&self, table: &str) -> Vec<PersonId> {
        let own = self.all_muted().into_iter().find(|(id, _)| id == table);
        own.map(|(_, people)| people).unwrap_or_default()
    }

    /// Stores the people muted at a table.
    pub fn keep_muted(&mut self, table: &str, people: &[PersonId]) {
        let mut all = self.all_muted();
        all.retain(|(id, _)| id != table);
        if !people.is_empty() {
            all.insert(0, (table.into(), people.to_vec()));
        }
        self.write_muted(all);
    }

    /// Whether the player made a choice in a game, such as to play it without the memory aid.
    pub fn has_chosen(&self, what: &str, game: &str) -> bool {
        let all: Vec<String> = self.read(CHOICES).unwrap_or_default();
        all.contains(&format!("{what} {game}"))
    }

    /// Stores or removes a choice in a game; games without an id are not stored.
    pub fn keep_choice(&mut self, what: &str, game: &str, on: bool) {
        let mut all: Vec<String> = self.read(CHOICES).unwrap_or_default();
        let choice = format!("{what} {game}");
        all.retain(|kept| *kept != choice);
        if on && !game.is_empty() {
            all.insert(0, choice);
        }
        all.truncate(MAX_TABLES);
        self.write(CHOICES, &all);
    }

    pub(crate) fn all_muted(&self) -> Vec<(String, Vec<PersonId>)> {
        self.read(MUTED).unwrap_or_default()
    }

    pub(crate) fn write_muted(&mut self, mut all: Vec<(String, Vec<PersonId>)>) {
        all.truncate(MAX_TABLES);
        self.write(MUTED, &all);
    }

    pub(crate) fn all_fair_play(&self) -> Vec<(String, FairPlay)> {
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

/// Games of one kind have results that can be compared.
fn kind(settings: &Settings) -> String {
    let kind = (settings.preset, settings.options.mode, settings.seats);
    serde_json::to_string(&(kind, &settings.spells)).unwrap_or_default()
}

/// The name of a game's record.
pub(crate) fn key(id: &str) -> String {
    format!("{GAME}{id}")
}

#[cfg(test)]
mod tests;
