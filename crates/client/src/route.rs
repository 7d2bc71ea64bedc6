//! Routes: every screen, and the URL fragment that leads to it.

use std::fmt;

/// A screen of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// The first page.
    Start,
    /// A new game against bots, started at once. Other pages and the installed app link to it.
    PlayNow,
    /// The deal of the day, started at once.
    PlayDaily,
    /// Setting up a game or a table.
    Setup,
    /// A game on this device, by its id.
    Game(String),
    /// The tables on the server.
    Lobby,
    /// A table on the server, by its id.
    Table(String),
    /// The board view of a table on the server, by its id: large and without hands, for a shared screen.
    Board(String),
    /// Using this person on another device: offering it, or accepting the words of another device.
    Device(Option<String>),
    Lesson,
    /// The rules, at a clause or topic.
    Rules(Option<String>),
    Puzzles,
    /// A puzzle by its key, or `today`.
    Puzzle(String),
    /// The list of records.
    Records,
    /// A finished game by the id of its record, optionally at one of its entries.
    Replay(String, Option<u64>),
}

impl Route {
    /// Parses a fragment, with or without `#`. Unknown fragments lead to the first page.
    pub fn parse(fragment: &str) -> Route {
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        let mut parts = fragment
            .split('/')
            .map(|part| Some(part).filter(|p| !p.is_empty()));
        let (first, second, third) = (
            parts.next().flatten(),
            parts.next().flatten().map(String::from),
            parts.next().flatten(),
        );
        match (first, second) {
            (Some("play"), _) => Route::PlayNow,
            (Some("daily"), _) => Route::PlayDaily,
            (Some("new"), _) => Route::Setup,
            (Some("game"), Some(id)) => Route::Game(id),
            (Some("tables"), _) => Route::Lobby,
            (Some("t"), Some(id)) => Route::Table(id),
            (Some("board"), Some(id)) => Route::Board(id),
            (Some("device"), words) => Route::Device(words),
            (Some("learn"), _) => Route::Lesson,
            (Some("rules"), anchor) => Route::Rules(anchor),
            (Some("puzzles"), _) => Route::Puzzles,
            (Some("puzzle"), Some(key)) => Route::Puzzle(key),
            (Some("replay"), None) => Route::Records,
            (Some("replay"), Some(id)) => Route::Replay(id, third.and_then(|n| n.parse().ok())),
            _ => Route::Start,
        }
    }

    /// The route of a path. Every fragment is also a path, as in `/t/ID`: links to share use it, since a server sees no
    /// fragments.
    pub fn of_path(path: &str) -> Option<Route> {
        let path = path.trim_matches('/');
        let route = Route::parse(path);
        (route != Route::Start && route.to_string() == path).then_some(route)
    }

    /// The fragment with its `#`, for links; empty for the first page.
    pub fn href(&self) -> String {
        format!("#{self}")
    }
}

/// The fragment without `#`.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Route::Start => Ok(()),
            Route::PlayNow => f.write_str("play"),
            Route::PlayDaily => f.write_str("daily"),
            Route::Setup => f.write_str("new"),
            Route::Game(id) => write!(f, "game/{id}"),
            Route::Lobby => f.write_str("tables"),
            Route::Table(id) => write!(f, "t/{id}"),
            Route::Board(id) => write!(f, "board/{id}"),
            Route::Device(None) => f.write_str("device"),
            Route::Device(Some(words)) => write!(f, "device/{words}"),
            Route::Lesson => f.write_str("learn"),
            Route::Rules(None) => f.write_str("rules"),
            Route::Rules(Some(anchor)) => write!(f, "rules/{anchor}"),
            Route::Puzzles => f.write_str("puzzles"),
            Route::Puzzle(key) => write!(f, "puzzle/{key}"),
            Route::Records => f.write_str("replay"),
            Route::Replay(id, None) => write!(f, "replay/{id}"),
            Route::Replay(id, Some(entry)) => write!(f, "replay/{id}/{entry}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_read_back_from_its_fragment() {
        let id = || String::from("18f2a");
        let routes = [
            Route::Start,
            Route::PlayNow,
            Route::PlayDaily,
            Route::Setup,
            Route::Game(id()),
            Route::Lobby,
            Route::Table(id()),
            Route::Board(id()),
            Route::Device(None),
            Route::Device(Some("abandon-zoo".into())),
            Route::Lesson,
            Route::Rules(None),
            Route::Rules(Some("R7.3".into())),
            Route::Puzzles,
            Route::Puzzle("today".into()),
            Route::Records,
            Route::Replay(id(), None),
            Route::Replay(id(), Some(17)),
        ];
        for route in routes {
            assert_eq!(Route::parse(&route.to_string()), route);
            assert_eq!(Route::parse(&route.href()), route);
        }
    }

    #[test]
    fn kept_links_lead_where_they_did() {
        assert_eq!(Route::parse("#rules/R7.3").to_string(), "rules/R7.3");
        assert_eq!(Route::parse("#t/abc"), Route::Table("abc".into()));
        assert_eq!(Route::parse("#game/abc"), Route::Game("abc".into()));
        assert_eq!(
            Route::parse("#replay/abc/x"),
            Route::Replay("abc".into(), None)
        );
        assert_eq!(Route::of_path("/t/abc/"), Some(Route::Table("abc".into())));
        let replay = Route::Replay("abc".into(), Some(17));
        assert_eq!(Route::of_path("/replay/abc/17"), Some(replay));
        assert_eq!(Route::of_path("/daily"), Some(Route::PlayDaily));
    }

    #[test]
    fn an_unknown_or_incomplete_address_leads_to_the_first_page() {
        for fragment in ["", "#", "nowhere", "game", "game/", "#t/", "puzzle", "/"] {
            assert_eq!(Route::parse(fragment), Route::Start, "{fragment}");
        }
        for path in ["/", "/t/", "/t/a/b", "/x/abc"] {
            assert_eq!(Route::of_path(path), None, "{path}");
        }
    }
}
