//! Summaries of tables on a server.

use towers_table::{SeatSummary, Settings, Summary, is_table_id};

use crate::editions::{edition, house_rules};
use crate::names::{bot_name, marked_name};
use crate::words::{Words, say};

/// The differences of a table from the edition's rulebook, in words.
pub fn rules_in_words(summary: &Summary, words: &Words) -> Vec<String> {
    let Some(rules) = &summary.rules else {
        return Vec::new();
    };
    let mut settings = Settings::new(summary.preset, summary.mode, summary.seats.len() as u8);
    settings.options = rules.options;
    settings.spells = rules.spells;
    house_rules(words, &settings)
}

/// The edition of a table, and whether it is played as printed. House rules without effect do not count.
pub fn edition_in_words(summary: &Summary, words: &Words) -> String {
    let has_no_effect = || summary.rules.is_some() && rules_in_words(summary, words).is_empty();
    let line = if summary.as_printed || has_no_effect() {
        "edition.printed"
    } else {
        "edition.changed"
    };
    words.say(&say(line).with("edition", words.get(edition(summary.preset))))
}

pub fn player(seat: &SeatSummary) -> Option<String> {
    match seat {
        SeatSummary::Open { .. } => None,
        SeatSummary::Person { name, program, .. } => Some(marked_name(name, *program)),
        SeatSummary::Bot { colour, .. } => Some(bot_name(*colour).to_string()),
    }
}

pub fn players(summary: &Summary) -> Vec<String> {
    summary.seats.iter().filter_map(player).collect()
}

/// The name of the player to act.
pub fn awaited(summary: &Summary) -> Option<String> {
    player(summary.seats.get(summary.waiting?.seat.index())?)
}

/// Extracts a table id from pasted text: a link, the end of one, or the id itself.
pub fn table_in(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches('/');
    let name = text.rsplit(['/', '#']).next()?;
    is_table_id(name).then(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::{Mode, Preset, Seat};

    #[test]
    fn a_summary_of_the_protocol_is_understood() {
        let text = r#"{"at":1794782953629,"clock":{"kind":"none"},"games":1,"mode":"versus","number":4,"preset":"capstone","public":false,"reactions":false,"seats":[{"colour":"b","kind":"person","name":"Ann"},{"colour":"y","kind":"bot","level":"adept"},{"colour":"r","kind":"open"}],"stage":"playing","table":"cw78kngv6zz37g62jehf","teams":false,"title":"Friday","waiting":{"deadline":null,"seat":0,"since":1794782953629}}"#;
        let summary: Summary = serde_json::from_str(text).unwrap();
        assert_eq!(players(&summary), ["Ann", "Yarrow"]);
        assert_eq!(awaited(&summary).as_deref(), Some("Ann"));
        assert!(summary.waits_for(Some(Seat(0))));
        assert!(!summary.waits_for(Some(Seat(1))) && !summary.waits_for(None));
        assert_eq!(summary.open_seats(), 1);
    }

    #[test]
    fn a_summary_tells_the_house_rules_in_words() {
        let mut settings = Settings::new(Preset::Oya, Mode::Versus, 2);
        settings.options.gifts = towers_rules::Gifts::Both;
        let summary = |settings: &Settings| -> Summary {
            let rules = serde_json::json!({"options": settings.options, "spells": settings.spells});
            let text = format!(
                r#"{{"at":1,"clock":{{"kind":"none"}},"mode":"versus","preset":"oya","as_printed":false,"rules":{rules},"reactions":false,"seats":[{{"colour":"b","kind":"open"}},{{"colour":"y","kind":"open"}}],"stage":"lobby","table":"t","teams":false,"title":"","waiting":null}}"#
            );
            serde_json::from_str(&text).unwrap()
        };
        let words = Words::of(crate::Language::English);
        // Gifts have no effect without teams.
        let without_effect = summary(&settings);
        assert_eq!(rules_in_words(&without_effect, &words), [""; 0]);
        let line = edition_in_words(&without_effect, &words);
        assert_eq!(line, "OYA, as printed");
        settings.options.may_decline = true;
        let summary = summary(&settings);
        let rules = rules_in_words(&summary, &words);
        assert_eq!(rules, house_rules(&words, &settings));
        assert_eq!(rules.len(), 1);
        let line = edition_in_words(&summary, &words);
        assert_eq!(line, "OYA, with house rules");
    }

    #[test]
    fn a_table_is_found_in_a_link() {
        for text in [
            "https://club.example/t/3k9x7m2qh5v8w0abcdef",
            " http://localhost:8080/#t/3k9x7m2qh5v8w0abcdef/ ",
            "3k9x7m2qh5v8w0abcdef",
        ] {
            assert_eq!(
                table_in(text).as_deref(),
                Some("3k9x7m2qh5v8w0abcdef"),
                "{text}"
            );
        }
        assert_eq!(table_in("hello"), None);
        assert_eq!(table_in("3k9x7m2qh5v8w0abcdel"), None, "no such digit");
        assert_eq!(table_in("https://example.org/<script>"), None);
    }
}
