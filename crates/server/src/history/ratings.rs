//! Ratings by Weng and Lin's method, with their uncertainty.
//!
//! There are two kinds. Versus games share one rating for all numbers of players: the method compares players in pairs,
//! so that a game of six is five comparisons for each player, and one shared rating becomes certain sooner. Team games
//! have a rating of their own, since playing with a partner in silence is another skill.

use std::collections::BTreeMap;

use serde::Serialize;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use towers_rules::Mode;
use towers_table::BotLevel;

use super::result::GameResult;

/// Added to the uncertainty before every game, so that ratings follow people who learn.
const UNCERTAINTY_PER_GAME: f64 = 25.0 / 300.0;
/// Shown ratings are those of the method, which begin at 25, times this.
const POINTS_PER_UNIT: f64 = 60.0;
/// A rating is provisional while its uncertainty, in units of the method, is above this.
const PROVISIONAL_UNCERTAINTY: f64 = 4.0;
/// The precision of stored numbers.
const MILLION: f64 = 1_000_000.0;

/// What a rating measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingKind {
    Versus,
    Teams,
}

impl RatingKind {
    pub const ALL: [RatingKind; 2] = [RatingKind::Versus, RatingKind::Teams];

    /// The kind of a game; `None` if such games are not rated.
    pub fn of(result: &GameResult) -> Option<RatingKind> {
        let kind = match (result.mode, result.teams) {
            (Mode::Versus, false) => RatingKind::Versus,
            (Mode::Versus, true) => RatingKind::Teams,
            (Mode::Solo | Mode::Coop, _) => return None,
        };
        (result.rated && !result.agreed).then_some(kind)
    }

    pub fn name(self) -> &'static str {
        match self {
            RatingKind::Versus => "versus",
            RatingKind::Teams => "teams",
        }
    }
}

/// Who has a rating: a person, by id, or a level of bots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RatedPlayer {
    Person(String),
    Bot(BotLevel),
}

impl RatedPlayer {
    pub fn key(&self) -> String {
        match self {
            RatedPlayer::Person(id) => format!("person {id}"),
            RatedPlayer::Bot(level) => format!("bot {}", level.name()),
        }
    }
}

/// A rating as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkillRating {
    pub rating: f64,
    pub uncertainty: f64,
    pub games: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ShownRating {
    pub rating: i64,
    /// With a probability of 95 %, the skill is within this distance of the rating.
    pub uncertainty: i64,
    pub games: u32,
    /// Whether there were too few games for a reliable rating.
    pub provisional: bool,
}

impl Default for SkillRating {
    fn default() -> SkillRating {
        let new = WengLinRating::new();
        SkillRating {
            rating: new.rating,
            uncertainty: new.uncertainty,
            games: 0,
        }
    }
}

impl SkillRating {
    /// The rating before the first game. That of a bot follows from the arena (`docs/experiments.md`), so that a
    /// newcomer has somebody to measure against; it is provisional until bots have played people.
    pub fn initial(player: &RatedPlayer) -> SkillRating {
        let new = SkillRating::default();
        let RatedPlayer::Bot(level) = player else {
            return new;
        };
        let rating = match level {
            BotLevel::Novice => 5.0,
            BotLevel::Apprentice => 25.0,
            BotLevel::Adept => 32.5,
            BotLevel::Master => 41.0,
        };
        SkillRating {
            rating,
            uncertainty: new.uncertainty / 2.0,
            ..new
        }
    }

    pub fn shown(&self) -> ShownRating {
        ShownRating {
            rating: (self.rating * POINTS_PER_UNIT).round() as i64,
            uncertainty: (2.0 * self.uncertainty * POINTS_PER_UNIT).round() as i64,
            games: self.games,
            provisional: self.uncertainty > PROVISIONAL_UNCERTAINTY,
        }
    }

    /// The numbers for the database: rating and uncertainty in millionths.
    pub fn stored(&self) -> (i64, i64) {
        let millionths = |number: f64| (number * MILLION).round() as i64;
        (millionths(self.rating), millionths(self.uncertainty))
    }

    pub fn from_stored(rating: i64, uncertainty: i64, games: i64) -> SkillRating {
        SkillRating {
            rating: rating as f64 / MILLION,
            uncertainty: uncertainty as f64 / MILLION,
            games: u32::try_from(games).unwrap_or(u32::MAX),
        }
    }

    fn before_game(&self) -> WengLinRating {
        WengLinRating {
            rating: self.rating,
            uncertainty: self.uncertainty.hypot(UNCERTAINTY_PER_GAME),
        }
    }
}

/// A change of a rating as it is shown, from millionths.
pub fn shown_gain(gain: i64) -> i64 {
    (gain as f64 / MILLION * POINTS_PER_UNIT).round() as i64
}

/// The new ratings after a game. `players` has who can be rated, by seat; `None` if there are fewer than two of them on
/// different sides.
///
/// A person without an identity is left out, but a partner of one plays with somebody of average skill. A person who
/// did not play to the end gains nothing.
pub fn rate(
    result: &GameResult,
    players: &[Option<RatedPlayer>],
    ratings: &BTreeMap<RatedPlayer, SkillRating>,
) -> Option<BTreeMap<RatedPlayer, SkillRating>> {
    let known = |player: &RatedPlayer| {
        let known = ratings.get(player).copied();
        known.unwrap_or_else(|| SkillRating::initial(player))
    };
    // The seats of each side that has somebody to rate, with its place.
    let mut sides: BTreeMap<u8, (u8, Vec<usize>)> = BTreeMap::new();
    for (seat, of_seat) in result.seats.iter().enumerate() {
        let first = of_seat.team.unwrap_or(seat as u8);
        let side = sides.entry(first).or_insert((of_seat.place?, Vec::new()));
        side.1.push(seat);
    }
    let has_player = |seat: &usize| players.get(*seat).is_some_and(Option::is_some);
    sides.retain(|_, (_, seats)| seats.iter().any(has_player));
    let rated: Vec<&RatedPlayer> = players.iter().flatten().collect();
    let is_alone = rated.iter().all(|player| *player == rated[0]);
    if sides.len() < 2 || is_alone {
        return None;
    }
    let before: Vec<(MultiTeamOutcome, Vec<WengLinRating>)> = sides
        .values()
        .map(|(place, seats)| {
            let of_seat = |seat: &usize| match &players[*seat] {
                Some(player) => known(player).before_game(),
                None => SkillRating::default().before_game(),
            };
            let place = MultiTeamOutcome::new(usize::from(*place));
            (place, seats.iter().map(of_seat).collect())
        })
        .collect();
    let teams: Vec<_> = before
        .iter()
        .map(|(place, team)| (&team[..], *place))
        .collect();
    let after = weng_lin_multi_team(&teams, &WengLinConfig::new());
    let mut new: BTreeMap<RatedPlayer, SkillRating> = BTreeMap::new();
    for (((_, seats), (_, old)), now) in sides.values().zip(&before).zip(&after) {
        for ((seat, old), now) in seats.iter().zip(old).zip(now) {
            let Some(player) = &players[*seat] else {
                continue;
            };
            // Several bots of one level add up: changes of a rating are sums, those of an uncertainty are factors.
            let entry = new.entry(player.clone()).or_insert_with(|| {
                let old = known(player);
                SkillRating {
                    uncertainty: old.before_game().uncertainty,
                    games: old.games + 1,
                    ..old
                }
            });
            let gain = now.rating - old.rating;
            let counts = result.seats[*seat].stayed || gain < 0.0;
            entry.rating += if counts { gain } else { 0.0 };
            entry.uncertainty *= now.uncertainty / old.uncertainty;
        }
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::result::SeatResult;
    use towers_rules::Preset;

    fn seat(team: Option<u8>, place: u8) -> SeatResult {
        SeatResult {
            name: "N".into(),
            bot: None,
            key: None,
            team,
            place: Some(place),
            won: place == 1,
            stayed: true,
        }
    }

    fn game(seats: Vec<SeatResult>) -> GameResult {
        GameResult {
            table: "t".into(),
            game: 1,
            ended: 1,
            mode: Mode::Versus,
            teams: seats[0].team.is_some(),
            preset: Preset::Capstone,
            as_printed: true,
            rated: true,
            agreed: false,
            score: None,
            seats,
        }
    }

    fn person(id: &str) -> RatedPlayer {
        RatedPlayer::Person(id.into())
    }

    fn people(ids: &[&str]) -> Vec<Option<RatedPlayer>> {
        ids.iter().map(|id| Some(person(id))).collect()
    }

    fn rated(
        game: &GameResult,
        players: &[Option<RatedPlayer>],
    ) -> BTreeMap<RatedPlayer, SkillRating> {
        rate(game, players, &BTreeMap::new()).unwrap()
    }

    #[test]
    fn the_better_place_has_the_better_rating_for_any_number_of_players() {
        for players in 2..=6 {
            let ids: Vec<String> = (0..players).map(|i| format!("p{i}")).collect();
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let game = game((1..=players).map(|place| seat(None, place)).collect());
            let new = rated(&game, &people(&ids));
            let list: Vec<SkillRating> = ids.iter().map(|id| new[&person(id)]).collect();
            assert!(list.windows(2).all(|two| two[0].rating > two[1].rating));
            let start = SkillRating::default();
            assert!(list[0].rating > start.rating && list[0].games == 1);
            assert!(list.iter().all(|r| r.uncertainty < start.uncertainty));
        }
    }

    #[test]
    fn a_tie_of_equals_changes_nothing_but_the_uncertainty() {
        let new = rated(
            &game(vec![seat(None, 1), seat(None, 1)]),
            &people(&["a", "b"]),
        );
        assert!((new[&person("a")].rating - 25.0).abs() < 1e-9);
        assert!(new[&person("a")].uncertainty < 25.0 / 3.0);
    }

    #[test]
    fn partners_win_together_and_a_stranger_counts_as_average() {
        let seats = vec![
            seat(Some(0), 1),
            seat(Some(1), 2),
            seat(Some(0), 1),
            seat(Some(1), 2),
        ];
        let game = game(seats);
        assert_eq!(RatingKind::of(&game), Some(RatingKind::Teams));
        let new = rated(&game, &people(&["a", "b", "c", "d"]));
        assert_eq!(new[&person("a")], new[&person("c")]);
        assert!(new[&person("a")].rating > new[&person("b")].rating);
        let mut players = people(&["a", "b", "c", "d"]);
        players[2] = None;
        let without = rated(&game, &players);
        assert_eq!(without.len(), 3);
        assert_eq!(without[&person("a")], new[&person("a")]);
    }

    #[test]
    fn somebody_who_left_can_lose_and_not_gain() {
        let mut left = seat(None, 1);
        left.stayed = false;
        let new = rated(&game(vec![left, seat(None, 2)]), &people(&["a", "b"]));
        assert!((new[&person("a")].rating - 25.0).abs() < 1e-9);
        let mut left = seat(None, 2);
        left.stayed = false;
        let new = rated(&game(vec![seat(None, 1), left]), &people(&["a", "b"]));
        assert!(new[&person("b")].rating < 25.0);
    }

    #[test]
    fn bots_of_one_level_add_up_and_alone_they_are_not_rated() {
        let bot = || Some(RatedPlayer::Bot(BotLevel::Adept));
        let result = game(vec![seat(None, 1), seat(None, 2), seat(None, 3)]);
        let new = rated(&result, &[Some(person("a")), bot(), bot()]);
        assert_eq!(new.len(), 2);
        let adept = new[&RatedPlayer::Bot(BotLevel::Adept)];
        assert_eq!(adept.games, 1);
        let bot_at_first = SkillRating::initial(&RatedPlayer::Bot(BotLevel::Adept));
        assert!(adept.rating < bot_at_first.rating);
        let none = BTreeMap::new();
        assert!(rate(&result, &[None, bot(), bot()], &none).is_none());
        assert!(rate(&result, &[None, None, bot()], &none).is_none());
        assert!(rate(&result, &[Some(person("a")), bot(), None], &none).is_some());
    }

    #[test]
    fn bots_begin_in_the_order_of_their_levels_and_are_provisional() {
        let levels = BotLevel::ALL.map(|level| SkillRating::initial(&RatedPlayer::Bot(level)));
        assert!(levels.windows(2).all(|two| two[0].rating < two[1].rating));
        assert!(levels.iter().all(|rating| rating.shown().provisional));
        assert_eq!(SkillRating::initial(&person("a")), SkillRating::default());
    }

    #[test]
    fn a_strong_player_converges_above_a_weak_one() {
        let mut ratings = BTreeMap::new();
        let players = people(&["strong", "weak"]);
        for i in 0..60 {
            let (a, b) = if i % 4 == 3 { (2, 1) } else { (1, 2) };
            let result = game(vec![seat(None, a), seat(None, b)]);
            let new = rate(&result, &players, &ratings).unwrap();
            ratings.extend(new);
        }
        let (strong, weak) = (ratings[&person("strong")], ratings[&person("weak")]);
        assert!(strong.rating - weak.rating > 2.0 * (strong.uncertainty));
        assert!(!strong.shown().provisional);
        assert_eq!(strong.games, 60);
        let (rating, uncertainty) = strong.stored();
        let read = SkillRating::from_stored(rating, uncertainty, 60);
        assert_eq!(read.shown(), strong.shown());
        assert_eq!(SkillRating::default().shown().rating, 1500);
    }
}
