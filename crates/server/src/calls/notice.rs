//! The content of push messages, and of messages to a webhook.

use serde::Serialize;
use serde_json::{Value, json};
use towers_client::settings::Language;
use towers_client::words::{Message, Words, say};
use towers_table::Millis;

use super::plan::MINUTE;
use crate::texts;

/// The maximum number of names in a notification.
const NAMES: usize = 5;

/// The table and the players that a call is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSubject {
    pub table: String,
    /// The title of the table; it may be empty.
    pub title: String,
    /// The names of the other players.
    pub others: Vec<String>,
}

/// The occasion of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// A decision has opened.
    Turn,
    /// The time for a decision runs out.
    Reminder { left: Millis },
}

/// A push message, as the service worker reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PushMessage {
    /// Shows a notification. It replaces one with the same tag.
    Call {
        tag: String,
        title: String,
        body: String,
        lang: &'static str,
        /// The address of the table's page, relative to the server's.
        place: String,
        /// The number of tables that wait for the person.
        waiting: u32,
    },
    /// Closes the notification with this tag: the decision was taken.
    Gone { tag: String, waiting: u32 },
}

/// The tag of a table's notifications, the same as the page uses.
fn tag(table: &str) -> String {
    format!("turn t/{table}")
}

impl PushMessage {
    pub fn call(
        subject: &CallSubject,
        occasion: Occasion,
        language: Language,
        waiting: u32,
    ) -> PushMessage {
        let words = texts::words(language);
        let title = match occasion {
            Occasion::Turn => say("call.turn"),
            Occasion::Reminder { left } => say("call.reminder").with("left", time_left(left)),
        };
        PushMessage::Call {
            tag: tag(&subject.table),
            title: words.say(&title),
            body: table_and_names(words, subject),
            lang: language.code(),
            place: format!("#t/{}", subject.table),
            waiting,
        }
    }

    pub fn gone(table: &str, waiting: u32) -> PushMessage {
        PushMessage::Gone {
            tag: tag(table),
            waiting,
        }
    }
}

fn time_left(left: Millis) -> Message {
    let minutes = u32::try_from(left / MINUTE).unwrap_or(u32::MAX).max(1);
    let rounded = |unit: u32| (minutes + unit / 2) / unit;
    match minutes {
        0..=90 => say("call.minutes_left").with("n", minutes),
        91..=2880 => say("call.hours_left").with("n", rounded(60)),
        _ => say("call.days_left").with("n", rounded(24 * 60)),
    }
}

fn table_and_names(words: &Words, subject: &CallSubject) -> String {
    let mut names: Vec<&str> = subject.others.iter().map(String::as_str).collect();
    if names.len() > NAMES {
        names.truncate(NAMES);
        names.push("…");
    }
    let names = names.join(", ");
    match (subject.title.is_empty(), names.is_empty()) {
        (true, true) => words.get("call.name"),
        (true, false) => words.say(&say("call.with").with("names", names)),
        (false, true) => subject.title.clone(),
        (false, false) => words.say(
            &say("call.table_with")
                .with("table", &*subject.title)
                .with("names", names),
        ),
    }
}

/// The title of a table for a text.
pub fn table_name(words: &Words, title: &str) -> String {
    match title {
        "" => words.get("call.name"),
        title => title.into(),
    }
}

/// The form of the notes that a webhook expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WebhookForm {
    /// Our own fields.
    Json,
    /// The form of Discord's webhooks.
    Discord,
}

impl WebhookForm {
    pub const fn name(self) -> &'static str {
        match self {
            WebhookForm::Json => "json",
            WebhookForm::Discord => "discord",
        }
    }

    pub fn from_name(name: &str) -> Option<WebhookForm> {
        [WebhookForm::Json, WebhookForm::Discord]
            .into_iter()
            .find(|form| form.name() == name)
    }
}

/// A decision of a player, for a webhook.
#[derive(Clone, Debug)]
pub struct WebhookNote<'a> {
    pub occasion: Occasion,
    pub title: &'a str,
    pub name: &'a str,
    pub seat: u8,
    pub game: u32,
    pub decision: u64,
    pub deadline: Option<Millis>,
    pub link: &'a str,
    pub language: Language,
}

impl WebhookNote<'_> {
    pub fn body(&self, form: WebhookForm) -> Value {
        let words = texts::words(self.language);
        let text = |name: String, table: String| {
            let text = match self.occasion {
                Occasion::Turn => say("call.turn_of"),
                Occasion::Reminder { left } => {
                    say("call.reminder_of").with("left", time_left(left))
                }
            };
            let text = text.with("name", name).with("table", table);
            words.say(&text.with("link", self.link))
        };
        let event = match self.occasion {
            Occasion::Turn => "turn",
            Occasion::Reminder { .. } => "reminder",
        };
        let table = table_name(words, self.title);
        match form {
            WebhookForm::Json => json!({
                "event": event,
                "text": text(self.name.into(), table),
                "title": self.title,
                "player": self.name,
                "seat": self.seat,
                "game": self.game,
                "decision": self.decision,
                "deadline": self.deadline,
                "link": self.link,
            }),
            // Names are written by players: they must not mention anybody or format the message.
            WebhookForm::Discord => json!({
                "content": text(without_markup(self.name), without_markup(&table)),
                "allowed_mentions": { "parse": [] },
            }),
        }
    }
}

/// The body of a request that tests a webhook.
pub fn test_body(form: WebhookForm, language: Language, link: &str) -> Value {
    let text = texts::words(language).say(&say("call.test").with("link", link));
    match form {
        WebhookForm::Json => json!({ "event": "test", "text": text, "link": link }),
        WebhookForm::Discord => json!({ "content": text, "allowed_mentions": { "parse": [] } }),
    }
}

/// Escapes what Discord would read as formatting, a link or a mention.
fn without_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::plan::DAY_MINUTES;
    use super::*;

    fn subject(title: &str, others: &[&str]) -> CallSubject {
        CallSubject {
            table: "abc".into(),
            title: title.into(),
            others: others.iter().map(ToString::to_string).collect(),
        }
    }

    fn shown(subject: &CallSubject, occasion: Occasion, language: Language) -> (String, String) {
        match PushMessage::call(subject, occasion, language, 1) {
            PushMessage::Call { title, body, .. } => (title, body),
            PushMessage::Gone { .. } => unreachable!(),
        }
    }

    #[test]
    fn a_call_names_table_and_players_in_the_persons_language() {
        let evening = subject("Evening", &["Ben", "Cleo"]);
        let turn = |language| shown(&evening, Occasion::Turn, language);
        let (title, body) = turn(Language::English);
        assert_eq!(title, "It is your turn");
        assert_eq!(body, "Evening, with Ben, Cleo");
        let (title, body) = turn(Language::German);
        assert_eq!(
            (title.as_str(), body.as_str()),
            ("Du bist dran", "Evening, mit Ben, Cleo")
        );
        assert_eq!(turn(Language::French).1, "Evening, avec Ben, Cleo");
        let body =
            |title, others| shown(&subject(title, others), Occasion::Turn, Language::English).1;
        assert_eq!(body("", &["Ben"]), "With Ben");
        assert_eq!(body("Evening", &[]), "Evening");
        assert_eq!(body("", &[]), "Wandering Towers");
    }

    #[test]
    fn a_reminder_says_how_much_time_is_left() {
        let title = |left| {
            let occasion = Occasion::Reminder { left };
            shown(&subject("", &[]), occasion, Language::English).0
        };
        assert!(title(15 * MINUTE).ends_with("15 minutes left"));
        assert!(title(MINUTE).ends_with("1 minute left"));
        assert!(title(239 * MINUTE).ends_with("4 hours left"));
        assert!(title(3 * DAY_MINUTES * MINUTE).ends_with("3 days left"));
    }

    #[test]
    fn messages_have_the_form_that_the_service_worker_reads() {
        let call = PushMessage::call(&subject("", &[]), Occasion::Turn, Language::French, 3);
        let call = serde_json::to_value(&call).unwrap();
        assert_eq!(call["kind"], "call");
        assert_eq!(call["tag"], "turn t/abc");
        assert_eq!(call["place"], "#t/abc");
        assert_eq!(call["lang"], "fr");
        assert_eq!(call["waiting"], 3);
        let gone = serde_json::to_value(PushMessage::gone("abc", 0)).unwrap();
        assert_eq!(
            gone,
            json!({"kind": "gone", "tag": "turn t/abc", "waiting": 0})
        );
    }

    #[test]
    fn the_longest_names_fit_into_a_push_message() {
        use super::super::encryption::MAX_MESSAGE;
        let name = "\u{1f9d9}".repeat(towers_table::NAME_CHARS);
        let title = "\u{1f9d9}".repeat(towers_table::TITLE_CHARS);
        let subject = subject(&title, &[&*name; 6]);
        let message = PushMessage::call(&subject, Occasion::Turn, Language::German, 999);
        assert!(serde_json::to_vec(&message).unwrap().len() < MAX_MESSAGE);
    }

    #[test]
    fn a_webhook_gets_its_form_and_no_mentions() {
        let note = WebhookNote {
            occasion: Occasion::Turn,
            title: "",
            name: "@everyone *Ann*",
            seat: 1,
            game: 1,
            decision: 7,
            deadline: Some(5),
            link: "https://towers.example/t/abc",
            language: Language::English,
        };
        let json = note.body(WebhookForm::Json);
        assert_eq!(json["player"], "@everyone *Ann*");
        assert_eq!(json["deadline"], 5);
        let discord = note.body(WebhookForm::Discord);
        assert_eq!(
            discord["content"],
            "\\@everyone \\*Ann\\*, it is your turn (Wandering Towers): https://towers.example/t/abc"
        );
        assert_eq!(discord["allowed_mentions"], json!({ "parse": [] }));
    }
}
