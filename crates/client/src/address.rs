//! Addresses of the server that the page asks or links to. Screens of the client are in [`route`](crate::route).

/// The page of the person.
pub const ME: &str = "/me";
/// The page of the person, after this device was added.
pub const ME_JOINED: &str = "/me#joined";
/// The games that the person played.
pub const GAMES: &str = "/me/games";
pub const CIRCLES: &str = "/me/circles";
/// The data of the person, after a file with seats was opened.
pub const DATA_TAKEN: &str = "/me/data#taken";
/// The data of the person, after a file could not be opened.
pub const DATA_NOT_TAKEN: &str = "/me/data#not-taken";
/// People who look for a game.
pub const MEET: &str = "/meet";
/// The scores of the deal of the day.
pub const SCORES: &str = "/scores";

/// Public tables, and new ones.
pub const TABLES: &str = "/api/tables";
/// The deal of the day.
pub const DAILY: &str = "/api/daily";
/// Results of the deal of the day.
pub const DAILY_RESULTS: &str = "/api/daily/results";
/// The tables and invitations of the person.
pub const LOBBY: &str = "/api/person/lobby";
pub const INVITATIONS: &str = "/api/person/invitations";

pub fn table(id: &str) -> String {
    format!("{TABLES}/{id}")
}

/// Where a table is removed from the person's list.
pub fn hide(table: &str) -> String {
    format!("/api/person/tables/{table}/hide")
}

pub fn record(id: &str) -> String {
    table(id) + "/record"
}

/// Where a table is reported to the operator.
pub fn report(id: &str) -> String {
    table(id) + "/report"
}

/// The WebSocket of a table.
pub fn socket(id: &str, watches: bool) -> String {
    table(id) + if watches { "/socket?watch" } else { "/socket" }
}

/// The circles of the person, to choose one for the people of a table.
pub fn circles_for(table: &str) -> String {
    format!("{CIRCLES}?table={table}")
}

/// The notifications about a table.
pub fn calls(table: &str) -> String {
    format!("/me/calls/{table}")
}

/// Rules and lesson in a language, as a code such as `en`.
pub fn texts(language: &str) -> String {
    format!("/texts/{language}.txt")
}

pub fn in_language(page: &str, language: &str) -> String {
    let separator = if page.contains('?') { '&' } else { '?' };
    format!("{page}{separator}lang={language}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_added_to_any_page() {
        assert_eq!(in_language(ME, "de"), "/me?lang=de");
        let circles = in_language(&circles_for("x"), "de");
        assert_eq!(circles, "/me/circles?table=x&lang=de");
    }

    #[test]
    fn addresses_of_a_table_contain_its_id() {
        assert_eq!(record("x"), "/api/tables/x/record");
        assert_eq!(socket("x", true), "/api/tables/x/socket?watch");
        assert_eq!(socket("x", false), "/api/tables/x/socket");
    }
}
