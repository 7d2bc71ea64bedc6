//! Nobody can choose the dice: the seed is derived from the server's secret and the numbers of all devices.

use super::{ANN, Club, sit};
use crate::{
    Command, Device, Difference, Header, Hex, PersonId, REVEAL_TIME, Record, Rejection, Seed,
    Settings, Stage, Table, TableEvent, Who, commitment_to_number, secret_of_game, seed_of_game,
    verify, verify_text,
};
use towers_rules::Seat;

const BEN: Who = Who::Person(PersonId(1));
const SECRET: Seed = Hex([42; 32]);

fn number(byte: u8) -> Seed {
    Hex([byte; 32])
}

fn commit(byte: u8) -> Command {
    Command::Commit {
        commitment: commitment_to_number(&number(byte)),
    }
}

fn reveal(byte: u8) -> Command {
    Command::Reveal {
        number: number(byte),
    }
}

/// A table with secrets, at which Ann and Ben sit.
fn seated() -> Club {
    let mut settings = Settings::default();
    settings.options.max_rounds = Some(3);
    let header = Header::new("private name", settings, "Ann", "key of Ann", 1_000);
    let mut club = Club::of(header.with_secret(SECRET));
    club.ok(ANN, sit("Ann"));
    club.ok(Who::Stranger, sit("Ben"));
    club
}

/// The same, with numbers 1 and 2 committed to.
fn committed() -> Club {
    let mut club = seated();
    club.ok(ANN, commit(1));
    club.ok(BEN, commit(2));
    club
}

fn devices(club: &Club) -> Vec<(u8, Option<Seed>)> {
    let all = club.table.devices().iter();
    all.map(|device| (device.seat.0, device.number)).collect()
}

fn is_rebuilt(club: &Club) {
    let rebuilt = Record::from_text(&club.record.to_text()).unwrap().rebuild();
    let rebuilt = rebuilt.unwrap();
    for person in [None, Some(PersonId(0)), Some(PersonId(1))] {
        assert_eq!(rebuilt.view(person), club.table.view(person));
    }
    assert_eq!(rebuilt.next_deadline(), club.table.next_deadline());
}

#[test]
fn the_seed_follows_from_the_servers_secret_and_the_numbers_of_all_devices() {
    let mut club = committed();
    let promised = club.table.view(None).next_commitment.unwrap();
    assert_eq!(Some(promised), secret_of_game(&SECRET, 0));
    club.ok(ANN, Command::Start);
    assert_eq!(club.table.stage(), Stage::Lobby);
    let draw = club.table.view(None).draw.unwrap();
    assert_eq!(draw.awaited, [Seat(0), Seat(1)]);
    is_rebuilt(&club);
    club.ok(BEN, reveal(2));
    is_rebuilt(&club);
    let entry = club.ok(ANN, reveal(1));
    let secret = secret_of_game(&SECRET, 1).unwrap();
    assert_eq!(
        (entry.commitment, entry.secret),
        (Some(promised), Some(secret))
    );
    assert_eq!(secret.commitment(), promised);
    let given = |seat, byte| Device {
        seat: Seat(seat),
        commitment: Some(commitment_to_number(&number(byte))),
        number: Some(number(byte)),
    };
    let all = [given(0, 1), given(1, 2)];
    assert_eq!(entry.seed, Some(seed_of_game(&secret, &all)));
    assert_eq!(club.table.devices(), all);
    is_rebuilt(&club);
    // Nothing is revealed before the end.
    let view = club.table.view(None);
    assert_eq!(
        (view.secret, view.seed, view.next_commitment),
        (None, None, None)
    );
    assert!(
        !serde_json::to_string(&view)
            .unwrap()
            .contains(&secret.to_string())
    );
    club.play_to_the_end();
    let view = club.table.view(None);
    assert_eq!(view.secret, Some(secret));
    // The revealed secret is the commitment to the next one.
    assert_eq!(view.next_commitment, Some(secret));
    let verified = verify(&club.record).unwrap();
    assert_eq!(verified.games[0].devices, all);
    assert_eq!(verified.game_of(&promised), Some(1));
    assert_eq!(verified.game_of(&secret), None);
}

#[test]
fn other_numbers_and_other_secrets_give_other_dice() {
    let seed = |secret: Seed, byte: u8| {
        let header = Header::new("t", Settings::default(), "Ann", "", 0).with_secret(secret);
        let mut club = Club::of(header);
        club.ok(ANN, sit("Ann"));
        club.ok(Who::Stranger, sit("Ben"));
        club.ok(ANN, commit(byte));
        club.ok(ANN, Command::Start);
        club.ok(ANN, reveal(byte)).seed.unwrap()
    };
    let all = [
        seed(SECRET, 1),
        seed(SECRET, 2),
        seed(number(9), 1),
        seed(number(9), 2),
    ];
    for (i, seed) in all.iter().enumerate() {
        assert!(!all[i + 1..].contains(seed));
    }
    assert_eq!(all[0], seed(SECRET, 1));
}

#[test]
fn a_device_that_keeps_silent_is_left_out_and_named_after_a_short_time() {
    let mut club = committed();
    club.ok(ANN, Command::Start);
    club.ok(ANN, reveal(1));
    assert_eq!(
        club.table.next_deadline(),
        Some(club.table.draw().unwrap().until)
    );
    assert_eq!(club.no(Who::House, Command::Tick), Rejection::NotDue);
    club.now += REVEAL_TIME;
    let entry = club.ok(Who::House, Command::Tick);
    assert!(entry.begins_game());
    assert_eq!(devices(&club), [(0, Some(number(1))), (1, None)]);
    let seen = club.table.seen(None).unwrap();
    let named = seen.events.iter().any(|event| {
        matches!(event, crate::AnyEvent::Table(TableEvent::Started { devices, .. })
            if devices[1].number.is_none() && devices[1].commitment.is_some())
    });
    assert!(named, "everybody is told who was left out");
    assert_eq!(club.no(BEN, reveal(2)), Rejection::NoDraw);
    club.play_to_the_end();
    verify_text(&club.record.published().unwrap().to_text()).unwrap();
}

#[test]
fn without_numbers_the_game_begins_at_once_and_all_are_named() {
    let mut club = seated();
    let entry = club.ok(ANN, Command::Start);
    assert!(entry.begins_game());
    assert_eq!(devices(&club), [(0, None), (1, None)]);
    assert_ne!(entry.seed, entry.secret);
    club.play_to_the_end();
    verify(&club.record).unwrap();
}

#[test]
fn a_number_must_match_its_commitment_and_is_accepted_only_during_the_draw() {
    let mut club = seated();
    assert_eq!(club.no(Who::Stranger, commit(1)), Rejection::NotSeated);
    club.ok(ANN, commit(3));
    club.ok(ANN, commit(1));
    assert_eq!(club.no(ANN, reveal(1)), Rejection::NoDraw);
    club.ok(ANN, Command::Start);
    assert_eq!(club.no(ANN, reveal(3)), Rejection::WrongNumber);
    assert_eq!(club.no(BEN, reveal(3)), Rejection::NoDraw);
    // Once numbers are revealed, their commitments and seats are fixed.
    assert_eq!(club.no(BEN, commit(2)), Rejection::GameOn);
    assert_eq!(club.no(ANN, Command::Start), Rejection::GameOn);
    assert_eq!(club.no(BEN, sit("Bob")), Rejection::GameOn);
    assert_eq!(
        club.no(ANN, Command::Remove { seat: Seat(1) }),
        Rejection::GameOn
    );
    let settings = Box::default();
    assert_eq!(
        club.no(ANN, Command::Configure { settings }),
        Rejection::GameOn
    );
    club.ok(ANN, reveal(1));
    assert_eq!(club.table.stage(), Stage::Playing);
}

#[test]
fn leaving_during_the_draw_does_not_stop_it() {
    let mut club = committed();
    club.ok(ANN, Command::Start);
    club.ok(BEN, reveal(2));
    let entry = club.ok(ANN, Command::Leave);
    assert!(entry.begins_game(), "nobody else is awaited");
    assert_eq!(devices(&club), [(0, None), (1, Some(number(2)))]);
    let seat = &club.table.view(None).seats[0];
    assert!(seat.left && seat.stand_in.is_some());
    is_rebuilt(&club);
    club.ok(ANN, Command::Back);
    club.play_to_the_end();
    verify(&club.record).unwrap();
}

#[test]
fn an_interrupted_draw_continues() {
    let mut club = committed();
    club.ok(ANN, Command::Start);
    club.now += 1_000_000;
    club.ok(Who::House, Command::Reopen);
    assert_eq!(club.table.next_deadline(), Some(club.now + REVEAL_TIME));
    club.ok(ANN, reveal(1));
    club.ok(BEN, reveal(2));
    assert_eq!(club.table.stage(), Stage::Playing);
}

#[test]
fn every_rematch_has_a_new_secret_and_new_numbers() {
    let mut club = committed();
    let mut secrets = Vec::new();
    for game in 1..=3 {
        if game == 1 {
            club.ok(ANN, Command::Start);
        } else {
            club.ok(ANN, commit(1));
            club.ok(BEN, commit(2));
            club.ok(ANN, Command::Rematch);
            club.ok(BEN, Command::Rematch);
        }
        assert_eq!(club.table.draw().unwrap().awaited.len(), 2);
        club.ok(ANN, reveal(1));
        let entry = club.ok(BEN, reveal(2));
        secrets.push((entry.secret.unwrap(), entry.seed.unwrap()));
        club.play_to_the_end();
        let seats = club.table.view(None).seats;
        assert!(
            seats.iter().all(|seat| seat.commitment.is_none()),
            "a number serves once"
        );
    }
    for pair in secrets.windows(2) {
        assert_eq!(pair[1].0.commitment(), pair[0].0);
        assert_ne!(pair[1].1, pair[0].1);
    }
    assert_eq!(verify(&club.record).unwrap().games.len(), 3);
}

#[test]
fn a_published_record_has_everything_to_check_and_no_secret_of_later_games() {
    let mut club = committed();
    club.ok(ANN, Command::Start);
    club.ok(ANN, reveal(1));
    club.ok(BEN, reveal(2));
    club.play_to_the_end();
    let published = club.record.published().unwrap();
    let text = published.to_text();
    assert!(!text.contains(&SECRET.to_string()) && !text.contains("private name"));
    assert_eq!(verify_text(&text).unwrap(), verify(&club.record).unwrap());
    assert!(
        published
            .rebuild()
            .unwrap()
            .view(None)
            .next_commitment
            .is_some()
    );
    // Another secret with a matching seed: the commitment in the header detects it.
    let begins = published
        .entries
        .iter()
        .position(crate::Entry::begins_game)
        .unwrap();
    let mut forged = published.clone();
    let entry = &mut forged.entries[begins];
    entry.secret = Some(number(8));
    assert!(matches!(
        verify(&forged),
        Err(Difference::Refused {
            why: Rejection::WrongNumber,
            ..
        })
    ));
    // Another number than the one committed to.
    let mut forged = published.clone();
    for entry in &mut forged.entries {
        if let Command::Reveal { number } = &mut entry.command {
            *number = Hex([77; 32]);
        }
    }
    assert!(matches!(
        verify(&forged),
        Err(Difference::Refused {
            why: Rejection::WrongNumber,
            ..
        })
    ));
}

#[test]
fn a_forged_record_does_not_match_the_commitment() {
    let mut club = committed();
    let noted = club.table.view(None).next_commitment.unwrap();
    club.ok(ANN, Command::Start);
    club.ok(ANN, reveal(1));
    club.ok(BEN, reveal(2));
    // The server plays the same game with another secret, and writes a consistent record of it.
    let mut header = club.record.header.clone();
    header.secret = Some(number(8));
    header.commitment = secret_of_game(&number(8), 0);
    let mut table = Table::create(&header).unwrap();
    let mut forged = Record::new(header);
    for entry in &club.record.entries {
        let (at, by, command) = (entry.at, entry.by, entry.command.clone());
        forged
            .entries
            .push(table.submit(at, by, command, &SECRET).unwrap());
    }
    let verified = verify(&forged).unwrap();
    assert_eq!(verified.game_of(&noted), None);
    assert_eq!(verify(&club.record).unwrap().game_of(&noted), Some(1));
}

#[test]
fn a_table_without_secrets_draws_its_seed_when_a_game_begins() {
    let mut club = Club::seated(Settings::default());
    assert_eq!(club.no(ANN, commit(1)), Rejection::NoDraw);
    let entry = club.ok(ANN, Command::Start);
    assert_eq!(entry.secret, None);
    assert_eq!(entry.commitment, entry.seed.map(|seed| seed.commitment()));
}
