//! A new table with former opponents: one request opens it and invites them.

use std::net::IpAddr;

use axum::http::StatusCode;
use serde_json::Value;
use towers_client::Language;
use towers_rules::{Mode, Preset, Seat};
use towers_table::{ErrorCode, Settings};

use super::invitations;
use crate::history::{StoredGame, name_of_person};
use crate::tables::{OpenError, OtherSeats, Shared};
use crate::texts;
use crate::web::{App, Problem};

/// Refuses new tables while there is little disk space.
pub fn check_disk(shared: &Shared) -> Result<(), Problem> {
    shared.disk.check().map_err(|why| {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Problem::new(status, why.code, &why.message)
    })
}

/// Takes a table from the budget of an address.
pub fn take_table(shared: &Shared, address: IpAddr) -> Result<(), Problem> {
    shared.budgets.new_tables.take(&address).map_err(|after| {
        shared.metrics.over_limit.increment(1);
        let message = "too many tables were opened from your address: wait a while";
        Problem::too_many(message).retry_after(after)
    })
}

/// Opens a table at which the inviter has a seat, and invites others. Returns its id. An inviter without a name is a guest
/// in the language of the request.
pub async fn gather(
    app: &App,
    inviter: &str,
    (address, language): (&IpAddr, Language),
    invited: &[&str],
    settings: Settings,
) -> Result<String, Problem> {
    let shared = app.registry.shared();
    check_disk(shared)?;
    take_table(shared, *address)?;
    let storage = &*shared.storage;
    let name = name_of_person(storage, inviter).await?;
    let name = if name.is_empty() {
        texts::game_words(language).get("name.guest")
    } else {
        name
    };
    let opener = shared.people.opener(*address);
    let opened = app
        .registry
        .create_seated(settings, &[&name], OtherSeats::Open, Some(opener))
        .await;
    let (table, keys) = opened.map_err(|why| match why {
        OpenError::Storage(why) => Problem::from(why),
        OpenError::Rejected(why) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Problem::new(status, ErrorCode::BadSettings, &why.to_string())
        }
    })?;
    for key in &keys {
        let people = &shared.people;
        people.link(&table, key, inviter, Some(Seat(0))).await?;
    }
    let now = shared.clock.now();
    for person in invited {
        invitations::invite(storage, inviter, person, &table, now).await?;
    }
    Ok(table)
}

/// The settings of a table for this number of people: the edition, the mode and the rating of an earlier game.
pub fn settings_like(game: Option<&StoredGame>, people: usize) -> Settings {
    let preset = game.and_then(|game| {
        let preset = Value::String(game.preset.clone());
        serde_json::from_value(preset).ok()
    });
    let mode = match game {
        Some(game) if game.mode == "coop" => Mode::Coop,
        _ => Mode::Versus,
    };
    let seats = u8::try_from(people).unwrap_or(u8::MAX).clamp(2, 6);
    let mut settings = Settings::new(preset.unwrap_or(Preset::Capstone), mode, seats);
    settings.rated = game.is_some_and(|game| game.rated);
    if game.is_some_and(|game| game.teams) {
        let mut teams = settings.clone();
        teams.options.teams = true;
        if teams.check().is_ok() {
            return teams;
        }
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_table_is_like_the_last_game() {
        let mut game = StoredGame {
            table: "t".into(),
            game: 1,
            ended: 1,
            mode: "versus".into(),
            teams: true,
            preset: "oya".into(),
            as_printed: true,
            rated: true,
            agreed: false,
            score: None,
            seats: Vec::new(),
        };
        let four = settings_like(Some(&game), 4);
        assert!(four.options.teams && four.rated && four.preset == Preset::Oya);
        // Three cannot play in teams, and nobody can play in seven.
        let three = settings_like(Some(&game), 3);
        assert!(!three.options.teams && three.check().is_ok());
        assert_eq!(settings_like(Some(&game), 50).seats, 6);
        game.mode = "coop".into();
        assert_eq!(settings_like(Some(&game), 1).options.mode, Mode::Coop);
        assert_eq!(settings_like(None, 2).preset, Preset::Capstone);
    }
}
