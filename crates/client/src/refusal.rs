//! Refusals of the table in the client's words.

use towers_table::Refusal;

use crate::words::{Message, say};

/// Why a command was refused. Refusals that this client cannot cause use the table's own text.
pub fn words(why: &Refusal) -> Message {
    let key = match why.code.as_str() {
        "bad_text" => "refused.bad_text",
        "bot_plays" => "refused.bot_plays",
        "colour_taken" => "refused.colour_taken",
        "full" => "refused.full",
        "game_on" => "refused.game_on",
        "muted" => "refused.muted",
        "name_taken" => "refused.name_taken",
        "no_game" => "refused.no_game",
        "not_host" => "refused.not_host",
        "open_seats" => "refused.open_seats",
        "removed" => "refused.removed",
        "seat_in_use" => "refused.seat_in_use",
        "seat_taken" => "refused.seat_taken",
        "silence" => "refused.silence",
        "stale" => "refused.stale",
        "too_fast" => "refused.too_fast",
        "worn_out" => "refused.worn_out",
        _ => return say("why.refused").with("why", why.message.clone()),
    };
    say(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_table::Rejection;

    #[test]
    fn refusals_are_translated() {
        let met = [
            Rejection::NotHost,
            Rejection::GameOn,
            Rejection::NoGame,
            Rejection::SeatTaken,
            Rejection::Full,
            Rejection::OpenSeats,
            Rejection::ColourTaken,
            Rejection::SeatInUse,
            Rejection::NameTaken,
            Rejection::Text(towers_table::BadText::Empty),
            Rejection::Stale,
            Rejection::BotPlays,
            Rejection::Silence,
            Rejection::Muted,
            Rejection::Banned,
            Rejection::TooFast { retry_after: 1 },
            Rejection::WornOut,
        ];
        for rejection in met {
            let key = words(&rejection.refusal()).key;
            assert_eq!(key, format!("refused.{}", rejection.code()));
        }
        let odd = words(&Rejection::NotDue.refusal());
        assert_eq!(odd.key, "why.refused");
    }
}
