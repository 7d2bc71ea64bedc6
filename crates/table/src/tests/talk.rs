//! Chat and emotes: where, how much, how often (R12.9, R15.3).

use super::{ANN, Club};
use crate::{CHAT_CHARS, Command, Emote, ErrorCode, Rejection, Settings, Who};

fn say(text: &str) -> Command {
    Command::Chat { text: text.into() }
}

const HELLO: Command = Command::Emote {
    emote: Emote::Hello,
};

#[test]
fn partners_and_companions_are_silent_during_play_only() {
    for text in [
        r#"{"seats":4,"options":{"teams":true,"max_rounds":2}}"#,
        r#"{"seats":2,"options":{"mode":"coop","max_rounds":2}}"#,
    ] {
        let settings: Settings = serde_json::from_str(text).unwrap();
        let mut club = Club::seated(settings);
        club.ok(ANN, say("hello"));
        club.ok(ANN, Command::Start);
        assert_eq!(club.no(ANN, say("I have a w5")), Rejection::Silence);
        assert_eq!(club.no(ANN, HELLO), Rejection::Silence);
        club.play_to_the_end();
        club.ok(ANN, say("well played"));
    }
}

#[test]
fn others_talk_within_limits() {
    let mut club = Club::playing(Settings::default(), 1);
    assert_eq!(club.no(Who::Stranger, say("hi")), Rejection::NotSeated);
    assert_eq!(
        club.no(ANN, say(&"x".repeat(CHAT_CHARS + 1))).code(),
        "bad_text"
    );
    assert_eq!(club.no(ANN, say("")).code(), "bad_text");
    for i in 0..4 {
        club.ok(ANN, say(&format!("line {i}")));
    }
    club.ok(ANN, HELLO);
    let Rejection::TooFast { retry_after } = club.no(ANN, HELLO) else {
        panic!("that is too much");
    };
    assert!((1..=10_000).contains(&retry_after), "{retry_after}");
    assert_eq!(club.no(ANN, say("more")).code(), ErrorCode::TooFast);
    club.ok(Who::Person(crate::PersonId(1)), HELLO);
    club.now += 11_000;
    club.ok(ANN, say("<b>later</b>"));
    let chat = club.table.view(None).chat;
    assert_eq!(chat.len(), 5);
    assert_eq!(chat[4].text, "<b>later</b>", "texts are passed on as texts");
}
