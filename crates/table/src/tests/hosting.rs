//! Host commands about people, and agreements to end a game.

use towers_rules::Seat;

use super::{ANN, Club, sit};
use crate::{
    AnyEvent, Command, Ending, PersonId, Record, Rejection, Settings, Stage, TableEvent, Who,
    verify_text,
};

const BEN: Who = Who::Person(PersonId(1));
const END: Command = Command::End { agree: true };

fn three() -> Settings {
    serde_json::from_str(r#"{"seats":3}"#).unwrap()
}

fn wishes(club: &Club) -> Vec<bool> {
    let seats = club.table.view(None).seats;
    seats.iter().map(|seat| seat.wants_end).collect()
}

#[test]
fn an_agreement_to_end_lapses_when_somebody_acts() {
    let mut club = Club::playing(Settings::default(), 5);
    let actor = club.waiting().seat;
    let (by, other) = (club.hand_of(actor), club.hand_of(Seat(1 - actor.0)));
    club.ok(other, END);
    club.act_somehow();
    assert_eq!(wishes(&club), [false, false]);
    let seen = club.table.seen(None).unwrap();
    let other_seat = Seat(1 - actor.0);
    let told = AnyEvent::Table(TableEvent::EndWished {
        seat: other_seat,
        agree: false,
    });
    assert!(seen.events.contains(&told), "everybody is told");
    if club.table.stage() == Stage::Playing {
        club.ok(by, END);
        assert_eq!(
            club.table.stage(),
            Stage::Playing,
            "the other has to agree again"
        );
        assert_eq!(club.ok(other, END).over, Some(Ending::Agreed));
    }
}

#[test]
fn nobody_agrees_for_a_player_who_is_absent() {
    let away = Command::Away { seat: Seat(2) };
    let leave = Command::Leave;
    for (by, go) in [(Who::House, away), (Who::Person(PersonId(2)), leave)] {
        let mut club = Club::playing(three(), 5);
        club.ok(ANN, END);
        club.ok(BEN, END);
        club.ok(by, go.clone());
        assert_eq!(
            club.table.stage(),
            Stage::Playing,
            "{go:?} does not end the game"
        );
        assert_eq!(wishes(&club), [false; 3]);
        club.ok(ANN, END);
        club.ok(BEN, END);
        // People who left are not asked; people who are away may come back and win.
        let is_over = club.table.stage() == Stage::Over;
        assert_eq!(is_over, go == Command::Leave);
    }
    let mut club = Club::playing(three(), 5);
    club.ok(Who::House, Command::Away { seat: Seat(2) });
    club.ok(
        ANN,
        Command::Replace {
            seat: Seat(2),
            level: None,
        },
    );
    club.ok(ANN, END);
    club.ok(BEN, END);
    assert_eq!(club.table.stage(), Stage::Playing, "nor does a bot agree");
    club.ok(Who::Person(PersonId(2)), Command::Back);
    assert_eq!(
        club.ok(Who::Person(PersonId(2)), END).over,
        Some(Ending::Agreed)
    );
}

#[test]
fn a_muted_person_cannot_talk_until_unmuted() {
    let mut club = Club::seated(three());
    let (ann, ben) = (PersonId(0), PersonId(1));
    let mute = |person, muted| Command::Mute { person, muted };
    let chat = || Command::Chat { text: "hi".into() };
    assert_eq!(club.no(BEN, mute(ann, true)), Rejection::NotHost);
    assert_eq!(club.no(ANN, mute(ann, true)), Rejection::NotForHost);
    assert_eq!(club.no(ANN, mute(PersonId(9), true)), Rejection::Unknown);
    club.ok(ANN, mute(ben, true));
    assert!(club.table.view(None).seats[1].muted);
    assert_eq!(club.no(BEN, chat()), Rejection::Muted);
    // Another seat or colour does not help.
    club.ok(BEN, sit("Benny"));
    assert_eq!(club.no(BEN, chat()), Rejection::Muted);
    club.ok(ANN, mute(ben, false));
    club.ok(BEN, chat());
}

#[test]
fn a_banned_person_cannot_sit_down_with_the_same_secret() {
    let mut club = Club::seated(three());
    let ban = |seat| Command::Ban { seat: Seat(seat) };
    assert_eq!(club.no(BEN, ban(0)), Rejection::NotHost);
    assert_eq!(club.no(ANN, ban(0)), Rejection::NotForHost);
    club.ok(ANN, ban(1));
    assert_eq!(club.no(Who::Stranger, sit("Ben")), Rejection::Banned);
    let renamed = Command::Sit {
        name: Some("Somebody else".into()),
        seat: None,
        colour: None,
        program: false,
        key: "key of Ben".into(),
    };
    assert_eq!(club.no(Who::Stranger, renamed), Rejection::Banned);
    let rebuilt = Record::from_text(&club.record.to_text()).unwrap().rebuild();
    assert_eq!(rebuilt.unwrap().core().banned, ["key of Ben"]);
    club.ok(Who::Stranger, sit("Di"));
    club.ok(ANN, Command::Start);
    assert_eq!(club.no(ANN, ban(1)), Rejection::GameOn);
    club.play_to_the_end();
    verify_text(&club.record.published().unwrap().to_text()).unwrap();
}

#[test]
fn a_host_who_was_replaced_while_away_can_be_given_the_role_back() {
    let mut club = Club::seated(three());
    let (ann, ben) = (PersonId(0), PersonId(1));
    let new_host = |person| Command::NewHost { person };
    assert!(!club.table.is_replaced_host(ann));
    club.ok(Who::House, new_host(ben));
    assert_eq!(club.table.view(None).host, Some(ben));
    assert!(club.table.is_replaced_host(ann) && !club.table.is_replaced_host(ben));
    club.ok(Who::House, new_host(ann));
    assert_eq!(club.table.view(None).host, Some(ann));
    // Watching does not bring back a person who left a game.
    club.ok(ANN, Command::Start);
    club.ok(ANN, Command::Leave);
    assert!(!club.table.is_replaced_host(ann));
    club.ok(ANN, Command::Back);
    assert_eq!(club.table.view(None).host, Some(ann));
}

#[test]
fn the_role_of_host_is_handed_on_and_comes_back() {
    let mut club = Club::seated(three());
    let over = |person| Command::HandOver {
        person: PersonId(person),
    };
    assert_eq!(club.no(BEN, over(2)), Rejection::NotHost);
    assert_eq!(club.no(ANN, over(9)), Rejection::Unknown);
    club.ok(ANN, Command::Start);
    // Ann leaves the game and comes back.
    club.ok(ANN, Command::Leave);
    assert_eq!(club.table.view(None).host, Some(PersonId(1)));
    club.ok(ANN, Command::Back);
    assert_eq!(club.table.view(None).host, Some(PersonId(0)));
    // After handing over, the role no longer belongs to her.
    club.ok(ANN, over(1));
    assert_eq!(club.table.view(None).host, Some(PersonId(1)));
    assert_eq!(club.no(ANN, over(0)), Rejection::NotHost);
    club.ok(BEN, Command::Leave);
    assert_eq!(club.table.view(None).host, Some(PersonId(0)));
    club.ok(BEN, Command::Back);
    assert_eq!(club.table.view(None).host, Some(PersonId(1)));
}
