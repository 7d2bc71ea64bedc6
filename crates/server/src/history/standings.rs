//! The standings of a circle: points, wins, and every member against every other.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::games::{StoredGame, StoredSeat};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberStanding {
    pub games: u32,
    pub won: u32,
    /// Two for every opponent behind, one for every opponent who is tied. Bots are opponents, too.
    pub half_points: u32,
}

/// Two members against each other; the first has the smaller id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadToHead {
    /// Games in which the first had the better place.
    pub first: u32,
    pub second: u32,
    pub tied: u32,
}

/// The standings of a circle, by the ids of members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CircleStandings {
    pub games: u32,
    pub members: BTreeMap<String, MemberStanding>,
    pub pairs: BTreeMap<(String, String), HeadToHead>,
}

/// Games that end within this time after another belong to the same evening.
const EVENING_GAP: i64 = 6 * 3600 * 1000;

/// Games of a circle without a long pause between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CircleEvening {
    /// When its first game ended.
    pub first: i64,
    pub last: i64,
    pub games: u32,
}

/// The evenings of a circle, latest first. The games are given latest first.
pub fn evenings(games: &[StoredGame], members: &[String]) -> Vec<CircleEvening> {
    let mut evenings: Vec<CircleEvening> = Vec::new();
    for game in counted(games, members) {
        match evenings.last_mut() {
            Some(evening) if evening.first - game.ended <= EVENING_GAP => {
                evening.first = game.ended;
                evening.games += 1;
            }
            _ => evenings.push(CircleEvening {
                first: game.ended,
                last: game.ended,
                games: 1,
            }),
        }
    }
    evenings
}

/// The games that count.
pub fn counted<'a>(
    games: &'a [StoredGame],
    members: &'a [String],
) -> impl Iterator<Item = &'a StoredGame> {
    let is_member = move |person: &str| members.iter().any(|member| member == person);
    games.iter().filter(move |game| counts(game, is_member))
}

/// Whether a game counts: with a result, at least two members, and nobody else but bots.
fn counts(game: &StoredGame, is_member: impl Fn(&str) -> bool) -> bool {
    let ours = |seat: &StoredSeat| seat.person.as_deref().is_some_and(&is_member);
    let people = game.seats.iter().filter(|seat| seat.bot.is_none());
    let mut members: Vec<&Option<String>> = people.clone().map(|seat| &seat.person).collect();
    members.sort();
    members.dedup();
    game.mode == "versus" && !game.agreed && members.len() >= 2 && people.into_iter().all(ours)
}

pub fn standings(games: &[StoredGame], members: &[String]) -> CircleStandings {
    let mut all = CircleStandings {
        members: members
            .iter()
            .map(|member| (member.clone(), MemberStanding::default()))
            .collect(),
        ..CircleStandings::default()
    };
    for game in counted(games, members) {
        all.games += 1;
        for own in &game.seats {
            let Some(person) = &own.person else { continue };
            let standing = all.members.entry(person.clone()).or_default();
            standing.games += 1;
            standing.won += u32::from(own.won);
            for other in game.seats.iter().filter(|other| are_opponents(own, other)) {
                let order = own.place.cmp(&other.place);
                standing.half_points += match order {
                    Ordering::Less => 2,
                    Ordering::Equal => 1,
                    Ordering::Greater => 0,
                };
                let Some(other) = other.person.as_ref().filter(|id| *id > person) else {
                    continue;
                };
                let pair = all.pairs.entry((person.clone(), other.clone()));
                let pair = pair.or_default();
                match order {
                    Ordering::Less => pair.first += 1,
                    Ordering::Equal => pair.tied += 1,
                    Ordering::Greater => pair.second += 1,
                }
            }
        }
    }
    all
}

fn are_opponents(own: &StoredSeat, other: &StoredSeat) -> bool {
    let partners = own.team.is_some() && own.team == other.team;
    let same = own.person.is_some() && own.person == other.person;
    own.seat != other.seat && !partners && !same
}

#[cfg(test)]
mod tests {
    use super::super::totals::tests::game;
    use super::*;

    #[test]
    fn a_long_pause_separates_evenings() {
        let members = ["a", "b"].map(String::from);
        let at = |hours: i64| {
            let mut game = game(hours, &[("a", 1), ("b", 2)]);
            game.ended = hours * 3600 * 1000;
            game
        };
        let mut games = [30, 29, 26, 25, 3, 2].map(at);
        // A game with a stranger connects nothing.
        games[2].seats[1].person = Some("x".into());
        let hours = |evening: &CircleEvening| {
            let [first, last] = [evening.first, evening.last].map(|at| at / 3_600_000);
            (first, last, evening.games)
        };
        let evenings: Vec<_> = evenings(&games, &members).iter().map(hours).collect();
        assert_eq!(evenings, [(25, 30, 3), (2, 3, 2)]);
    }

    #[test]
    fn an_evening_adds_up() {
        let members = ["a", "b", "c"].map(String::from);
        let mut unknown = game(5, &[("a", 1), ("b", 2)]);
        unknown.seats[1].person = None;
        let games = [
            game(1, &[("a", 1), ("b", 2), ("c", 3)]),
            game(2, &[("a", 2), ("b", 1), ("c", 2)]),
            game(3, &[("a", 1), ("b", 2), ("bot adept", 3)]),
            // These do not count: with a stranger, and against bots only.
            game(4, &[("a", 1), ("x", 2)]),
            unknown,
            game(6, &[("a", 1), ("bot adept", 2)]),
        ];
        let all = standings(&games, &members);
        assert_eq!(all.games, 3);
        let standing = |games, won, half_points| MemberStanding {
            games,
            won,
            half_points,
        };
        assert_eq!(all.members["a"], standing(3, 2, 4 + 1 + 4));
        assert_eq!(all.members["b"], standing(3, 1, 2 + 4 + 2));
        assert_eq!(all.members["c"], standing(2, 0, 1));
        let pair = |a: &str, b: &str| all.pairs[&(a.into(), b.into())];
        let (first, second, tied) = (2, 1, 0);
        let expected = HeadToHead {
            first,
            second,
            tied,
        };
        assert_eq!(pair("a", "b"), expected);
        assert_eq!(pair("a", "c").tied, 1);
        assert!(!all.pairs.contains_key(&("b".into(), "a".into())));
    }

    #[test]
    fn partners_are_no_opponents() {
        let members = ["a", "b", "c", "d"].map(String::from);
        let mut teams = game(1, &[("a", 1), ("b", 2), ("c", 1), ("d", 2)]);
        for (i, seat) in (0..).zip(&mut teams.seats) {
            seat.team = Some(i % 2);
        }
        let all = standings(&[teams], &members);
        assert_eq!(all.members["a"].half_points, 4);
        assert_eq!(all.pairs.len(), 4);
    }
}
