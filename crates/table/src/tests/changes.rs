//! A view to which every change was applied equals a fresh one, and updates are small.

use super::{ANN, Club, bots, random_settings, sit, variants};
use crate::{
    BotLevel, Clock, Command, Emote, PassAhead, PersonId, Seen, Settings, Stage, TableView, Who,
};

/// All viewers of a table, each with the view built from updates.
struct Followers {
    club: Club,
    views: Vec<(Option<PersonId>, TableView)>,
    sent: usize,
    frames: usize,
}

impl Followers {
    fn new(club: Club) -> Followers {
        let people: Vec<PersonId> = club.table.people().map(|(id, ..)| id).collect();
        let everybody = std::iter::once(None).chain(people.into_iter().map(Some));
        let views = everybody
            .map(|person| (person, club.table.view(person)))
            .collect();
        Followers {
            club,
            views,
            sent: 0,
            frames: 0,
        }
    }

    /// Sends the last events to everybody in serialized form, and compares the views.
    fn follow(&mut self) {
        for (person, view) in &mut self.views {
            let Some(seen) = self.club.table.seen(*person) else {
                // Only another person receives the entry: the view must not change.
                assert_eq!(*view, self.club.table.view(*person), "{person:?}");
                continue;
            };
            assert_eq!(seen.number, view.number + 1, "there are no gaps");
            let text = serde_json::to_string(&seen).unwrap();
            self.sent += text.len();
            self.frames += 1;
            let read: Seen = serde_json::from_str(&text).unwrap();
            assert_eq!(read, seen);
            view.apply(&read);
            assert_eq!(*view, self.club.table.view(*person), "{person:?}: {text}");
        }
    }

    fn ok(&mut self, by: Who, command: Command) {
        self.club.ok(by, command);
        self.follow();
    }

    /// Submits a command that may be refused.
    fn perhaps(&mut self, by: Who, command: Command) {
        if self.club.try_it(by, command).is_ok() {
            self.follow();
        }
    }

    fn play_to_the_end(&mut self) {
        while self.club.table.stage() == Stage::Playing {
            self.club.act_somehow();
            self.follow();
            self.disturb();
        }
    }

    /// Occasionally submits a command outside the game.
    fn disturb(&mut self) {
        let seat = towers_rules::Seat(self.club.pick(6) as u8);
        let people = self.club.table.people().count();
        let by = Who::Person(PersonId(self.club.pick(people.max(1)) as u32));
        match self.club.pick(60) {
            0 => self.perhaps(Who::House, Command::Away { seat }),
            1 => self.perhaps(ANN, Command::Replace { seat, level: None }),
            2..=6 => self.perhaps(by, Command::Back),
            7 => self.perhaps(by, Command::Chat { text: "so".into() }),
            8 => self.perhaps(by, Command::Emote { emote: Emote::Wow }),
            9 => self.perhaps(
                by,
                Command::PassAhead {
                    until: Some(PassAhead::Turn),
                },
            ),
            10 => self.perhaps(by, Command::Stops { everywhere: true }),
            11 => self.perhaps(by, Command::End { agree: true }),
            12 => self.perhaps(by, Command::End { agree: false }),
            13 => self.perhaps(Who::House, Command::Reopen),
            _ => {}
        }
    }
}

#[test]
fn a_view_with_all_changes_applied_equals_a_fresh_one() {
    let tables = variants().into_iter().chain(random_settings(60));
    for (i, mut settings) in tables.enumerate() {
        settings.clock = match i % 3 {
            0 => Clock::Bank {
                seconds: 600,
                increment: 5,
            },
            1 => Clock::Move { seconds: 60 },
            _ => Clock::None,
        };
        let mut club = Club::seated(settings);
        for _ in 0..=i {
            club.pick(2);
        }
        let mut followers = Followers::new(club);
        followers.ok(ANN, Command::Start);
        followers.play_to_the_end();
        for _ in 0..2 {
            let people: Vec<_> = followers.club.table.people().map(|(id, ..)| id).collect();
            for person in people {
                followers.perhaps(Who::Person(person), Command::Rematch);
            }
        }
        followers.play_to_the_end();
    }
}

#[test]
fn a_view_follows_everything_around_a_game() {
    let settings = Settings {
        seats: 3,
        ..Settings::default()
    };
    let mut club = Club::open(settings.clone());
    club.ok(ANN, sit("Ann"));
    club.ok(Who::Stranger, sit("Ben"));
    let ben = Who::Person(PersonId(1));
    let mut all = Followers::new(club);
    all.ok(ben, Command::Ready { ready: true });
    all.ok(
        ANN,
        Command::AddBot {
            seat: None,
            level: BotLevel::Master,
        },
    );
    for i in 0..120 {
        // More lines than a view keeps, within the rate limit.
        all.club.now += 3_000;
        let text = format!("line {}", i % 7);
        all.ok(ben, Command::Chat { text });
    }
    all.ok(
        ANN,
        Command::Configure {
            settings: Box::new(Settings {
                title: "Friday".into(),
                ..settings
            }),
        },
    );
    all.ok(ANN, Command::Start);
    all.ok(ben, Command::Leave);
    all.ok(ben, Command::Back);
    all.ok(ben, Command::End { agree: true });
    all.ok(ANN, Command::End { agree: true });
    all.ok(
        ANN,
        Command::Remove {
            seat: towers_rules::Seat(2),
        },
    );
    all.ok(ANN, Command::Leave);
}

#[test]
fn an_update_for_an_action_is_small() {
    let mut club = Club::playing(
        Settings {
            seats: 2,
            ..Settings::default()
        },
        3,
    );
    bots(&mut club);
    let mut all = Followers::new(club);
    for _ in 0..200 {
        if all.club.table.stage() != Stage::Playing {
            break;
        }
        all.club.act_somehow();
        all.follow();
    }
    let bytes = all.sent / all.frames;
    assert!(bytes < 900, "{bytes} bytes for a player and an action");
    println!("{bytes} bytes for a player and an action");
}

#[test]
fn the_last_missed_update_contains_the_current_view() {
    let mut club = Club::playing(Settings::default(), 5);
    let before = club.table.number();
    for _ in 0..3 {
        club.act_somehow();
    }
    for person in [None, Some(PersonId(0)), Some(PersonId(1))] {
        let missed = club.table.since(person, before).unwrap();
        let (last, others) = missed.split_last().unwrap();
        assert!(
            others
                .iter()
                .all(|s| s.view.is_none() && s.changed.is_none())
        );
        assert_eq!(last.view.as_deref(), Some(&club.table.view(person)));
    }
}
