//! The end of a game: standings and rating.

use towers_rules::{Flasks, Mode, Rating, Seat, View};

use crate::names::Names;

/// A line of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub seat: Seat,
    pub name: String,
    pub winner: bool,
    /// Wizards at home.
    pub home: u8,
    pub flasks: Flasks,
}

/// The standings, best first; empty before the end.
pub fn standings(view: &View, names: &Names) -> Vec<Standing> {
    let Some(outcome) = view.outcome else {
        return Vec::new();
    };
    let mut list: Vec<Standing> = view
        .players
        .iter()
        .enumerate()
        .map(|(i, player)| {
            let seat = Seat(i as u8);
            Standing {
                seat,
                name: names.of(seat),
                winner: outcome.winners.contains(seat),
                home: player.home,
                flasks: player.flasks,
            }
        })
        .collect();
    list.sort_unstable_by_key(|s| {
        let filled = s.flasks.full + s.flasks.spent;
        (
            !s.winner,
            255 - s.home,
            255 - filled,
            255 - s.flasks.full,
            s.seat,
        )
    });
    list
}

/// The rating of a won solo or cooperative game (R14.3).
pub fn rating(view: &View) -> Option<Rating> {
    let outcome = view.outcome.filter(|_| view.options.mode != Mode::Versus)?;
    (!outcome.winners.is_empty()).then(|| Rating::of(outcome.score.unwrap_or(0)))
}

pub const fn rating_key(rating: Rating) -> &'static str {
    match rating {
        Rating::Under20 => "rating.under20",
        Rating::To23 => "rating.to23",
        Rating::To27 => "rating.to27",
        Rating::To30 => "rating.to30",
        Rating::To35 => "rating.to35",
        Rating::To40 => "rating.to40",
        Rating::To45 => "rating.to45",
        Rating::Over45 => "rating.over45",
    }
}

/// The number of cards that earns a rating.
pub const fn rating_range(rating: Rating) -> &'static str {
    match rating {
        Rating::Under20 => "< 20",
        Rating::To23 => "20–23",
        Rating::To27 => "24–27",
        Rating::To30 => "28–30",
        Rating::To35 => "31–35",
        Rating::To40 => "36–40",
        Rating::To45 => "41–45",
        Rating::Over45 => "> 45",
    }
}
