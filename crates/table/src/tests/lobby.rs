//! Permissions before and between games.

use towers_rules::{Colour, Seat};

use super::{ANN, Club, bots, sit};
use crate::{BotLevel, Command, PersonId, Rejection, Settings, Stage, Taken, Who};

const BEN: Who = Who::Person(PersonId(1));

fn three() -> Settings {
    serde_json::from_str(r#"{"seats":3}"#).unwrap()
}

#[test]
fn strangers_take_open_seats_by_name() {
    let mut club = Club::open(three());
    assert_eq!(
        club.no(
            Who::Stranger,
            Command::Sit {
                name: None,
                seat: None,
                colour: None,
                key: String::new(),
                program: false
            }
        ),
        Rejection::NameNeeded
    );
    club.ok(Who::Stranger, sit("Ben"));
    assert_eq!(club.no(Who::Stranger, sit("BEN")), Rejection::NameTaken);
    assert_eq!(club.no(Who::Stranger, sit("ann")), Rejection::NameTaken);
    let there = Command::Sit {
        name: Some("Cy".into()),
        seat: Some(Seat(0)),
        colour: None,
        key: String::new(),
        program: false,
    };
    assert_eq!(club.no(Who::Stranger, there), Rejection::SeatTaken);
    assert!(matches!(
        club.no(Who::Stranger, sit(" \u{200B} ")),
        Rejection::Text(_)
    ));
    assert_eq!(
        club.no(Who::Person(PersonId(9)), sit("X")),
        Rejection::Unknown
    );
    club.ok(ANN, sit("Ann"));
    club.ok(Who::Stranger, sit("Cy"));
    assert_eq!(club.no(Who::Stranger, sit("Di")), Rejection::Full);
    assert_eq!(club.table.person_by_key("key of Ben"), Some(PersonId(1)));
    assert_eq!(club.table.person_by_key(""), None);
}

#[test]
fn colours_and_seats_can_be_changed_before_the_game() {
    let mut club = Club::open(three());
    club.ok(Who::Stranger, sit("Ben"));
    let change = |seat, colour| Command::Sit {
        name: None,
        seat,
        colour,
        key: String::new(),
        program: false,
    };
    club.ok(BEN, change(None, Some(Colour::Purple)));
    club.ok(BEN, change(Some(Seat(2)), None));
    let view = club.table.view(None);
    assert_eq!(
        view.seats[2].colour,
        Colour::Purple,
        "the colour goes along"
    );
    assert_eq!(view.seats[0].taken, Taken::Open);
    club.ok(ANN, sit("Ann"));
    assert_eq!(
        club.no(ANN, change(None, Some(Colour::Purple))),
        Rejection::ColourTaken
    );
    let all: std::collections::HashSet<_> = club
        .table
        .view(None)
        .seats
        .iter()
        .map(|s| s.colour)
        .collect();
    assert_eq!(all.len(), 3, "no two seats have one colour");
}

#[test]
fn only_the_host_configures_adds_bots_removes_and_starts() {
    let mut club = Club::open(three());
    club.ok(Who::Stranger, sit("Ben"));
    let bot = Command::AddBot {
        seat: None,
        level: BotLevel::Master,
    };
    let configure = Command::Configure {
        settings: Box::new(Settings::default()),
    };
    let remove = Command::Remove { seat: Seat(0) };
    for by in [BEN, Who::Stranger, Who::House, Who::Bot(Seat(1))] {
        for command in [&bot, &configure, &remove, &Command::Start] {
            assert_eq!(club.no(by, command.clone()), Rejection::NotHost);
        }
    }
    assert_eq!(club.no(ANN, Command::Start), Rejection::OpenSeats);
    club.ok(ANN, bot);
    club.ok(ANN, remove);
    assert_eq!(club.table.view(None).seats[0].taken, Taken::Open);
    assert_eq!(
        club.table.person_by_key("key of Ben"),
        None,
        "the key is gone"
    );
    assert_eq!(
        club.no(ANN, Command::Remove { seat: Seat(0) }),
        Rejection::NobodyThere
    );
    assert_eq!(
        club.no(ANN, Command::Remove { seat: Seat(7) }),
        Rejection::NoSuchSeat
    );
    bots(&mut club);
    club.ok(ANN, Command::Start);
    assert_eq!(club.table.stage(), Stage::Playing, "a host may only watch");
}

#[test]
fn seats_with_people_cannot_be_configured_away() {
    let mut club = Club::seated(three());
    let two = Command::Configure {
        settings: Box::new(Settings::default()),
    };
    assert_eq!(club.no(ANN, two.clone()), Rejection::SeatInUse);
    club.ok(ANN, Command::Remove { seat: Seat(2) });
    club.ok(ANN, two);
    assert_eq!(club.table.view(None).seats.len(), 2);
    let mut bad = Settings::default();
    bad.options.teams = true;
    assert!(matches!(
        club.no(
            ANN,
            Command::Configure {
                settings: Box::new(bad)
            }
        ),
        Rejection::Settings(_)
    ));
}

#[test]
fn when_the_host_leaves_another_is_host() {
    let mut club = Club::seated(three());
    club.ok(ANN, Command::Leave);
    assert_eq!(club.table.view(None).host, Some(PersonId(1)));
    club.ok(BEN, Command::Leave);
    club.ok(Who::Person(PersonId(2)), Command::Leave);
    assert_eq!(club.table.view(None).host, None);
    club.ok(Who::Stranger, sit("Eve"));
    assert_eq!(club.table.view(None).host, Some(PersonId(3)));
}

#[test]
fn lobby_commands_are_refused_during_a_game() {
    let mut club = Club::playing(three(), 1);
    for command in [
        sit("Ann"),
        Command::Ready { ready: true },
        Command::Remove { seat: Seat(1) },
        Command::Start,
        Command::AddBot {
            seat: None,
            level: BotLevel::Novice,
        },
    ] {
        assert_eq!(club.no(ANN, command), Rejection::GameOn);
    }
    assert_eq!(club.no(ANN, Command::Rematch), Rejection::NotOver);
}

#[test]
fn readiness_is_for_the_settings_as_they_are() {
    let mut club = Club::seated(three());
    club.ok(BEN, Command::Ready { ready: true });
    assert!(club.table.view(None).seats[1].ready);
    club.ok(
        ANN,
        Command::Configure {
            settings: Box::new(three()),
        },
    );
    assert!(!club.table.view(None).seats[1].ready);
}

#[test]
fn a_persons_seat_is_marked_while_a_program_plays() {
    let mut club = Club::open(Settings::default());
    let sit = |program| Command::Sit {
        name: None,
        seat: None,
        colour: None,
        key: String::new(),
        program,
    };
    let is_marked = |club: &Club| {
        let taken = &club.table.view(None).seats[0].taken;
        matches!(taken, Taken::Person { program: true, .. })
    };
    club.ok(ANN, sit(true));
    assert!(is_marked(&club));
    let rebuilt = club.record.rebuild().unwrap();
    assert_eq!(rebuilt.view(None), club.table.view(None));
    club.ok(ANN, sit(false));
    assert!(!is_marked(&club));
}
