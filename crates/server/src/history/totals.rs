//! Totals and streaks of a person.

use std::collections::BTreeMap;

use serde::Serialize;

use super::games::{StoredGame, StoredSeat};

/// Counts of games. Games ended by agreement are counted as games only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct GameCount {
    pub games: u32,
    pub won: u32,
    /// Games that were ended by agreement.
    pub agreed: u32,
}

/// The comparison with one opponent, or with bots of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OpponentTotals {
    /// The name in the latest game.
    pub name: String,
    /// Games at the same table.
    pub games: u32,
    /// Games in which the person had the better place.
    pub ahead: u32,
    pub behind: u32,
    pub tied: u32,
    /// Games as partners.
    pub together: u32,
}

/// The records of solo games of an edition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SoloTotals {
    pub games: u32,
    pub won: u32,
    /// The lowest number of cards in a won game.
    pub best: Option<i64>,
}

/// Winning streaks in versus games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Streaks {
    /// The number of the last games, all won.
    pub current: u32,
    pub longest: u32,
}

/// Everything that is counted for a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub all: GameCount,
    /// By mode: `versus`, `teams`, `coop`, `solo`.
    pub modes: BTreeMap<String, GameCount>,
    pub editions: BTreeMap<String, GameCount>,
    /// By the id of the person.
    pub opponents: BTreeMap<String, OpponentTotals>,
    /// By the level of the bot.
    pub bots: BTreeMap<String, OpponentTotals>,
    /// Solo games as printed, by edition.
    pub solo: BTreeMap<String, SoloTotals>,
    pub streaks: Streaks,
}

impl GameCount {
    fn add(&mut self, game: &StoredGame, own: &StoredSeat) {
        self.games += 1;
        self.won += u32::from(own.won);
        self.agreed += u32::from(game.agreed);
    }
}

impl OpponentTotals {
    fn add(&mut self, own: &StoredSeat, other: &StoredSeat) {
        if self.name.is_empty() {
            self.name.clone_from(&other.name);
        }
        self.games += 1;
        if own.team.is_some() && own.team == other.team {
            self.together += 1;
        } else if let (Some(own), Some(other)) = (own.place, other.place) {
            match own.cmp(&other) {
                std::cmp::Ordering::Less => self.ahead += 1,
                std::cmp::Ordering::Equal => self.tied += 1,
                std::cmp::Ordering::Greater => self.behind += 1,
            }
        }
    }
}

impl Totals {
    /// Counts the games of a person, given latest first.
    pub fn of(games: &[StoredGame], person: &str) -> Totals {
        let mut totals = Totals::default();
        let mut results = Vec::new();
        for game in games {
            let Some(own) = game.seat_of(person) else {
                continue;
            };
            totals.all.add(game, own);
            let mode = totals.modes.entry(game.kind().into()).or_default();
            mode.add(game, own);
            let edition = totals.editions.entry(game.preset.clone()).or_default();
            edition.add(game, own);
            if game.mode == "versus" && !game.agreed {
                results.push(own.won);
            }
            if game.mode == "solo" && game.as_printed && !game.agreed {
                let solo = totals.solo.entry(game.preset.clone()).or_default();
                solo.games += 1;
                if own.won {
                    solo.won += 1;
                    let best = solo.best.into_iter().chain(game.score).min();
                    solo.best = best;
                }
            }
            for other in game.seats.iter().filter(|s| s.seat != own.seat) {
                match (&other.person, &other.bot) {
                    (Some(id), _) if id != person => {
                        totals
                            .opponents
                            .entry(id.clone())
                            .or_default()
                            .add(own, other);
                    }
                    (None, Some(level)) => {
                        totals
                            .bots
                            .entry(level.clone())
                            .or_default()
                            .add(own, other);
                    }
                    _ => {}
                }
            }
        }
        totals.streaks = streaks(&results);
        totals
    }
}

/// The streaks in a list of results, latest first.
fn streaks(won: &[bool]) -> Streaks {
    let length = |run: &[bool]| run.len() as u32;
    let runs = won.split(|won| !won).map(length);
    Streaks {
        current: won.iter().take_while(|won| **won).count() as u32,
        longest: runs.max().unwrap_or(0),
    }
}

/// The number of days in a row with a deal of the day, up to today or yesterday. The days are those since a fixed one,
/// latest first.
pub fn daily_streak(days: &[i64], today: i64) -> Streaks {
    let mut runs: Vec<u32> = Vec::new();
    let mut last = None;
    for &day in days {
        match (last, runs.last_mut()) {
            (Some(last), Some(run)) if last - 1 == day => *run += 1,
            _ => runs.push(1),
        }
        last = Some(day);
    }
    let goes_on = days.first().is_some_and(|day| today - day <= 1);
    Streaks {
        current: runs.first().copied().filter(|_| goes_on).unwrap_or(0),
        longest: runs.into_iter().max().unwrap_or(0),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A versus game with these people on their places.
    pub fn game(number: i64, places: &[(&str, i64)]) -> StoredGame {
        let seat = |(seat, (person, place)): (i64, &(&str, i64))| StoredSeat {
            seat,
            person: (!person.starts_with("bot ")).then(|| (*person).into()),
            name: person.to_uppercase(),
            bot: person.strip_prefix("bot ").map(Into::into),
            team: None,
            place: Some(*place),
            won: *place == 1,
            gain: None,
        };
        StoredGame {
            table: "t".into(),
            game: number,
            ended: number,
            mode: "versus".into(),
            teams: false,
            preset: "capstone".into(),
            as_printed: true,
            rated: false,
            agreed: false,
            score: None,
            seats: (0..).zip(places).map(seat).collect(),
        }
    }

    #[test]
    fn games_are_counted_by_mode_edition_and_opponent() {
        let mut solo = game(4, &[("a", 1)]);
        (solo.mode, solo.score, solo.preset) = ("solo".into(), Some(27), "oya".into());
        let mut worse = solo.clone();
        worse.score = Some(31);
        let mut teams = game(3, &[("a", 1), ("c", 2), ("b", 1), ("d", 2)]);
        teams.teams = true;
        for (i, seat) in (0..).zip(&mut teams.seats) {
            seat.team = Some(i % 2);
        }
        let mut agreed = game(2, &[("a", 2), ("b", 2)]);
        agreed.agreed = true;
        for seat in &mut agreed.seats {
            (seat.place, seat.won) = (None, false);
        }
        let games = [
            worse,
            solo,
            teams,
            agreed,
            game(1, &[("a", 2), ("b", 1), ("bot adept", 2)]),
        ];
        let totals = Totals::of(&games, "a");
        let count = |games, won, agreed| GameCount { games, won, agreed };
        assert_eq!(totals.all, count(5, 3, 1));
        assert_eq!(totals.modes["versus"], count(2, 0, 1));
        assert_eq!(totals.modes["teams"], count(1, 1, 0));
        assert_eq!(totals.editions["oya"], count(2, 2, 0));
        let ben = &totals.opponents["b"];
        assert_eq!((ben.games, ben.together, ben.behind), (3, 1, 1));
        assert_eq!((ben.ahead, ben.tied, ben.name.as_str()), (0, 0, "B"));
        assert_eq!(totals.opponents["c"].ahead, 1);
        assert_eq!(totals.bots["adept"].tied, 1);
        assert_eq!(totals.solo["oya"].best, Some(27));
        assert_eq!(Totals::of(&games, "nobody"), Totals::default());
    }

    #[test]
    fn streaks_are_of_games_without_a_defeat() {
        let of = |text: &str| {
            let won: Vec<bool> = text.chars().map(|c| c == 'w').collect();
            let Streaks { current, longest } = streaks(&won);
            (current, longest)
        };
        assert_eq!(of(""), (0, 0));
        assert_eq!(of("wwl"), (2, 2));
        assert_eq!(of("lwwwlw"), (0, 3));
    }

    #[test]
    fn a_daily_streak_lasts_until_a_day_is_missed() {
        let of = |days: &[i64], today| {
            let Streaks { current, longest } = daily_streak(days, today);
            (current, longest)
        };
        assert_eq!(of(&[], 5), (0, 0));
        assert_eq!(of(&[5, 4, 3, 1], 5), (3, 3));
        assert_eq!(of(&[5, 4, 3, 1], 6), (3, 3), "today is not over yet");
        assert_eq!(of(&[5, 4, 3, 1], 7), (0, 3));
        assert_eq!(of(&[9, 5, 4], 9), (1, 2));
    }
}
