//! Groups the people who wait for a game: a pure function.

use serde::{Deserialize, Serialize};
use towers_rules::{Mode, Preset};
use towers_table::{Clock, Settings};

/// The kind of game that a group plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairingKind {
    #[default]
    Versus,
    Teams,
    Coop,
}

/// The pace of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Five minutes each, and five seconds for every turn.
    Quick,
    /// Fifteen minutes each, and ten seconds for every turn.
    #[default]
    Normal,
    /// Three days for every decision.
    Days,
}

impl Pace {
    fn clock(self) -> Clock {
        let bank = |seconds, increment| Clock::Bank { seconds, increment };
        match self {
            Pace::Quick => bank(5 * 60, 5),
            Pace::Normal => bank(15 * 60, 10),
            Pace::Days => Clock::Days { days: 3 },
        }
    }
}

/// What a person wants to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairingWish {
    #[serde(default)]
    pub kind: PairingKind,
    /// The acceptable editions, the preferred one first; empty: all.
    #[serde(default)]
    pub editions: Vec<Preset>,
    #[serde(default)]
    pub pace: Pace,
    /// The acceptable numbers of players, the preferred one first.
    pub players: Vec<u8>,
    #[serde(default)]
    pub rated: bool,
}

/// The maximum number of players of a game, and so of different numbers of players in a wish.
const MAX_PLAYERS: usize = 6;

/// A game that a person accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PossibleGame {
    pub edition: Preset,
    pub players: u8,
}

impl PairingWish {
    /// Whether the lists are not longer than if everything was named once. Everybody who waits is compared with all others
    /// by all their games.
    pub fn is_short(&self) -> bool {
        self.editions.len() <= Preset::ALL.len() && self.players.len() <= MAX_PLAYERS
    }

    /// The games that fulfil the wish, the preferred one first. Those that cannot be played are left out.
    pub fn games(&self) -> Vec<PossibleGame> {
        let editions = if self.editions.is_empty() {
            &Preset::ALL[..]
        } else {
            &self.editions
        };
        let all = self.players.iter().flat_map(|&players| {
            let game = move |&edition| PossibleGame { edition, players };
            editions.iter().map(game)
        });
        all.filter(|game| game.players > 1 && self.settings(*game).check().is_ok())
            .collect()
    }

    /// The settings of a table for such a game.
    pub fn settings(&self, game: PossibleGame) -> Settings {
        let mode = match self.kind {
            PairingKind::Versus | PairingKind::Teams => Mode::Versus,
            PairingKind::Coop => Mode::Coop,
        };
        let mut settings = Settings::new(game.edition, mode, game.players);
        settings.options.teams = self.kind == PairingKind::Teams;
        settings.clock = self.pace.clock();
        settings.rated = self.rated;
        settings
    }

    fn is_like(&self, other: &PairingWish) -> bool {
        let same = |wish: &PairingWish| (wish.kind, wish.pace, wish.rated);
        same(self) == same(other)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPerson {
    pub person: String,
    pub name: String,
    pub wish: PairingWish,
    /// Whether bots may take the open seats.
    pub bots: bool,
}

/// People who play together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedGroup {
    /// Positions in the list of those who wait; the first one is the host.
    pub people: Vec<usize>,
    pub game: PossibleGame,
}

/// The first group that can play, of people in the order in which they came. A group is full, or bots fill it up and all
/// its people accept that.
pub fn find_group(waiting: &[WaitingPerson]) -> Option<PairedGroup> {
    let games: Vec<Vec<PossibleGame>> = waiting.iter().map(|w| w.wish.games()).collect();
    let leaders = || (0..waiting.len()).flat_map(|i| games[i].iter().map(move |game| (i, *game)));
    let join = |leader: usize, game: PossibleGame, with_bots: bool| {
        let fits = |i: &usize| {
            let (own, other) = (&waiting[leader], &waiting[*i]);
            *i != leader
                && own.wish.is_like(&other.wish)
                && own.person != other.person
                && games[*i].contains(&game)
                && (!with_bots || other.bots)
        };
        let others = (0..waiting.len()).filter(fits);
        let mut people = vec![leader];
        people.extend(others.take(usize::from(game.players) - 1));
        PairedGroup { people, game }
    };
    let is_full = |group: &PairedGroup| group.people.len() == usize::from(group.game.players);
    let full = leaders()
        .map(|(i, game)| join(i, game, false))
        .find(is_full);
    let mut with_bots = leaders().filter(|(i, _)| waiting[*i].bots);
    full.or_else(|| with_bots.next().map(|(i, game)| join(i, game, true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> PairingWish {
        serde_json::from_str(text).unwrap()
    }

    fn waits(person: &str, text: &str) -> WaitingPerson {
        WaitingPerson {
            person: person.into(),
            name: person.into(),
            wish: wish(text),
            bots: false,
        }
    }

    fn people(waiting: &[WaitingPerson]) -> Option<Vec<String>> {
        let group = find_group(waiting)?;
        let name = |i: &usize| waiting[*i].person.clone();
        Some(group.people.iter().map(name).collect())
    }

    #[test]
    fn people_who_wait_for_the_same_are_paired_in_the_order_in_which_they_came() {
        let two = r#"{"players":[2]}"#;
        assert_eq!(people(&[]), None);
        assert_eq!(people(&[waits("a", two)]), None);
        let all = ["a", "b", "c"].map(|p| waits(p, two));
        assert_eq!(people(&all).unwrap(), ["a", "b"]);
        let four = r#"{"players":[4],"kind":"teams"}"#;
        let mut all: Vec<_> = ["a", "b", "c"].map(|p| waits(p, four)).into();
        all.insert(1, waits("x", two));
        assert_eq!(people(&all), None);
        all.push(waits("d", four));
        assert_eq!(people(&all).unwrap(), ["a", "b", "c", "d"]);
    }

    #[test]
    fn wishes_have_to_agree_in_everything() {
        let two = r#"{"players":[2]}"#;
        for other in [
            r#"{"players":[3]}"#,
            r#"{"players":[2],"pace":"quick"}"#,
            r#"{"players":[2],"rated":true}"#,
            r#"{"players":[2],"kind":"coop"}"#,
        ] {
            assert_eq!(
                people(&[waits("a", two), waits("b", other)]),
                None,
                "{other}"
            );
        }
        let oya = waits("a", r#"{"players":[3,2],"editions":["oya","capstone"]}"#);
        let capstone = waits(
            "b",
            r#"{"players":[2,4],"editions":["abacus-1","capstone"]}"#,
        );
        let group = find_group(&[oya, capstone]).unwrap();
        let edition = Preset::Capstone;
        assert_eq!(
            group.game,
            PossibleGame {
                edition,
                players: 2
            }
        );
    }

    #[test]
    fn nobody_is_paired_with_themselves() {
        let two = r#"{"players":[2]}"#;
        assert_eq!(people(&[waits("a", two), waits("a", two)]), None);
    }

    #[test]
    fn bots_fill_up_for_those_who_accept_them() {
        let three = r#"{"players":[3]}"#;
        let mut all = ["a", "b", "c"].map(|p| waits(p, three));
        all[2].wish.pace = Pace::Days;
        assert_eq!(people(&all), None);
        all[1].bots = true;
        assert_eq!(people(&all).unwrap(), ["b"]);
        all[0].bots = true;
        assert_eq!(people(&all).unwrap(), ["a", "b"]);
    }

    #[test]
    fn games_that_cannot_be_played_are_left_out() {
        assert!(wish(r#"{"players":[3],"kind":"teams"}"#).games().is_empty());
        assert!(wish(r#"{"players":[0,1,7]}"#).games().is_empty());
        assert_eq!(wish(r#"{"players":[2]}"#).games().len(), 4);
        let wish = wish(r#"{"players":[4],"kind":"teams","pace":"quick","rated":true}"#);
        let settings = wish.settings(wish.games()[0]);
        assert!(settings.options.teams && settings.rated);
        assert!(matches!(settings.clock, Clock::Bank { seconds: 300, .. }));
    }
}
