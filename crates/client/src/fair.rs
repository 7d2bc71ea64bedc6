//! The device's part in fair dice. It notes the server's commitment, contributes a random number, and verifies both
//! when the game is over. [`towers_table::Device`] is the table's part.

use serde::{Deserialize, Serialize};
use towers_rules::Seat;
use towers_table::{
    Command, Device, Digest, Seed, Stage, TableView, commitment_to_number, seed_of_game,
};

/// The number of games remembered per table.
const MAX_NOTES: usize = 30;

/// What this device noted before a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct GameNote {
    game: u32,
    /// The server's commitment.
    commitment: Digest,
    /// The number that this device has sent a commitment to, whether or not the server took it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<Seed>,
    /// What all devices had committed to when this one revealed its number. Who knows the number could choose another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promised: Option<Vec<(Seat, Digest)>>,
}

/// The stored state of fair play at one table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FairPlay {
    /// The number for the next game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<Seed>,
    #[serde(default)]
    notes: Vec<GameNote>,
    /// The last message sent on this connection.
    #[serde(skip)]
    sent: Option<Command>,
}

/// The verdict of this device on the dice of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The server kept its commitment and used this device's number, if there was one.
    Fair,
    /// The server kept its commitment but did not use this device's number.
    LeftOut,
    /// Before the game, the server or a device had committed to something else.
    Broken,
    /// This device was not told the commitment before the game, so it has nothing to compare with.
    NotNoted,
}

impl FairPlay {
    /// Handles a new connection. The last message on the old one may be lost.
    pub fn reconnected(&mut self) {
        self.sent = None;
    }

    /// Notes the commitment for the next game, until devices start to reveal their numbers: a commitment that is first
    /// told later proves nothing. Returns the message to send: a commitment before a game, the number when it starts. `is_snapshot` marks a full snapshot: if another device of the same person has committed meanwhile, this
    /// device takes over.
    pub fn follow(
        &mut self,
        table: &TableView,
        is_snapshot: bool,
        random: impl FnOnce() -> Seed,
    ) -> Option<Command> {
        if table.draw.is_none()
            && let Some(commitment) = table.next_commitment
        {
            self.note(table.games + 1, commitment);
        }
        if table.stage == Stage::Playing {
            // The number has been used.
            self.number = None;
            return None;
        }
        table.next_commitment?;
        let seat = table.you.seat?;
        let known = table.seats.get(seat.index())?.commitment;
        let own = self.number.as_ref().map(commitment_to_number);
        let command = match &table.draw {
            Some(draw) if draw.awaited.contains(&seat) && known == own => Command::Reveal {
                number: self.number?,
            },
            None if known.is_none() || (is_snapshot && known != own) => Command::Commit {
                commitment: commitment_to_number(self.number.get_or_insert_with(random)),
            },
            _ => return None,
        };
        // Noted before the server confirms it: a server that takes no numbers has drawn the dice alone.
        let (number, next) = (self.number, table.games + 1);
        if let Some(note) = self.notes.iter_mut().find(|note| note.game == next) {
            note.number = number;
            if table.draw.is_some() {
                note.promised.get_or_insert_with(|| promised(table));
            }
        }
        if self.sent.as_ref() == Some(&command) {
            return None;
        }
        self.sent = Some(command.clone());
        Some(command)
    }

    /// Notes the first commitment for a game; later ones are ignored.
    fn note(&mut self, game: u32, commitment: Digest) {
        if self.notes.iter().any(|note| note.game == game) {
            return;
        }
        self.notes.push(GameNote {
            game,
            commitment,
            number: None,
            promised: None,
        });
        let extra = self.notes.len().saturating_sub(MAX_NOTES);
        self.notes.drain(..extra);
    }

    /// Compares the notes with the record of a game, counted from 1.
    pub fn judge(&self, game: u32, commitment: &Digest, devices: &[Device]) -> Verdict {
        let Some(note) = self.notes.iter().find(|note| note.game == game) else {
            return Verdict::NotNoted;
        };
        let is_used = |number: Seed| devices.iter().any(|d| d.number == Some(number));
        let is_promised = |device: &Device| match (device.number, &note.promised) {
            (Some(number), Some(promised)) => {
                promised.contains(&(device.seat, commitment_to_number(&number)))
            }
            _ => true,
        };
        if note.commitment != *commitment || !devices.iter().all(is_promised) {
            Verdict::Broken
        } else if note.number.is_some_and(|number| !is_used(number)) {
            Verdict::LeftOut
        } else {
            Verdict::Fair
        }
    }

    /// Compares the notes with the table at the end of a game. `None` at a table without secrets and before the end.
    /// Whether every card follows from the seed is checked with the record.
    pub fn judge_end(&self, table: &TableView) -> Option<Verdict> {
        let (secret, seed) = (table.secret?, table.seed?);
        let is_consistent = seed == seed_of_game(&secret, &table.devices);
        Some(if is_consistent {
            self.judge(table.games, &secret.commitment(), &table.devices)
        } else {
            Verdict::Broken
        })
    }
}

/// What the devices at a table have committed to.
fn promised(table: &TableView) -> Vec<(Seat, Digest)> {
    let seats = (0..).map(Seat).zip(&table.seats);
    let promised = seats.filter_map(|(seat, shown)| Some((seat, shown.commitment?)));
    promised.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_table::{Header, Hex, PersonId, Settings, Table, Who};

    const ANN: Who = Who::Person(PersonId(0));

    fn number() -> Seed {
        Hex([9; 32])
    }

    fn table() -> Table {
        table_for(1)
    }

    fn table_for(seats: u8) -> Table {
        let mode = if seats == 1 {
            towers_rules::Mode::Solo
        } else {
            towers_rules::Mode::Versus
        };
        let mut settings = Settings::new(towers_rules::Preset::Capstone, mode, seats);
        settings.options.max_rounds = Some(1);
        let header = Header::new("t", settings, "Ann", "", 0).with_secret(Hex([4; 32]));
        let mut table = Table::create(&header).unwrap();
        submit(
            &mut table,
            Command::Sit {
                name: None,
                seat: None,
                colour: None,
                program: false,
                key: String::new(),
            },
        );
        table
    }

    fn submit(table: &mut Table, command: Command) {
        table.submit(1, ANN, command, &Hex([0; 32])).unwrap();
    }

    fn view(table: &Table) -> TableView {
        table.view(Some(PersonId(0)))
    }

    /// Sends what the device has to send until nothing is left.
    fn follow(fair: &mut FairPlay, table: &mut Table) {
        while let Some(command) = fair.follow(&view(table), false, number) {
            submit(table, command);
        }
    }

    /// Plays a game with a device that contributes, and ends it.
    fn played(fair: &mut FairPlay) -> Table {
        let mut table = table();
        follow(fair, &mut table);
        submit(&mut table, Command::Start);
        assert_eq!(table.stage(), Stage::Lobby);
        follow(fair, &mut table);
        assert_eq!(table.stage(), Stage::Playing);
        assert_eq!(fair.follow(&view(&table), true, number), None);
        submit(&mut table, Command::End { agree: true });
        table
    }

    #[test]
    fn a_device_commits_reveals_and_finds_the_game_fair() {
        let mut fair = FairPlay::default();
        let mut table = played(&mut fair);
        assert_eq!(table.devices()[0].number, Some(number()));
        assert_eq!(fair.judge_end(&view(&table)), Some(Verdict::Fair));
        // The next game needs another number.
        let next = fair.follow(&view(&table), false, || Hex([8; 32]));
        let commitment = commitment_to_number(&Hex([8; 32]));
        assert_eq!(next, Some(Command::Commit { commitment }));
        submit(&mut table, next.unwrap());
        submit(&mut table, Command::Rematch);
        follow(&mut fair, &mut table);
        submit(&mut table, Command::End { agree: true });
        assert_eq!(table.games(), 2);
        assert_eq!(fair.judge_end(&view(&table)), Some(Verdict::Fair));
    }

    #[test]
    fn notes_are_stored_on_the_device() {
        let mut fair = FairPlay::default();
        let table = played(&mut fair);
        let text = serde_json::to_string(&fair).unwrap();
        let kept: FairPlay = serde_json::from_str(&text).unwrap();
        assert_eq!(kept.judge_end(&view(&table)), Some(Verdict::Fair));
        assert_eq!(
            FairPlay::default().judge_end(&view(&table)),
            Some(Verdict::NotNoted)
        );
    }

    /// The commitment that a view reveals together with the secret, or after the numbers, is no commitment.
    #[test]
    fn a_device_that_joins_later_cannot_compare() {
        let mut table = table();
        let mut fair = FairPlay::default();
        follow(&mut fair, &mut table);
        submit(&mut table, Command::Start);
        let during_the_draw = view(&table);
        follow(&mut fair, &mut table);
        let during_the_game = view(&table);
        submit(&mut table, Command::End { agree: true });
        let end = view(&table);
        assert!(during_the_draw.draw.is_some() && during_the_game.commitment.is_some());
        for first_view in [during_the_draw, during_the_game, end.clone()] {
            let mut late = FairPlay::default();
            late.follow(&first_view, true, number);
            late.follow(&end, true, number);
            assert_eq!(late.judge_end(&end), Some(Verdict::NotNoted));
        }
        assert_eq!(fair.judge_end(&end), Some(Verdict::Fair));
    }

    #[test]
    fn a_changed_commitment_is_detected() {
        let mut fair = FairPlay::default();
        let table = played(&mut fair);
        let honest = view(&table);
        // A later commitment does not replace the first.
        let mut other = honest.clone();
        other.commitment = Some(Hex([1; 32]));
        fair.follow(&other, false, number);
        let mut another_secret = honest.clone();
        another_secret.secret = Some(Hex([1; 32]));
        another_secret.seed = Some(seed_of_game(&Hex([1; 32]), &honest.devices));
        assert_eq!(fair.judge_end(&another_secret), Some(Verdict::Broken));
        let mut another_seed = honest.clone();
        another_seed.seed = Some(Hex([1; 32]));
        assert_eq!(fair.judge_end(&another_seed), Some(Verdict::Broken));
        let mut without_us = honest.clone();
        without_us.devices[0].number = None;
        let secret = honest.secret.unwrap();
        without_us.seed = Some(seed_of_game(&secret, &without_us.devices));
        assert_eq!(fair.judge_end(&without_us), Some(Verdict::LeftOut));
        assert_eq!(fair.judge_end(&honest), Some(Verdict::Fair));
    }

    /// Such a server knows the seed before the game.
    #[test]
    fn a_server_that_takes_no_numbers_is_not_called_fair() {
        let mut fair = FairPlay::default();
        let mut table = table();
        // The commitment of the device gets lost, as often as it is sent.
        for is_snapshot in [true, false, true] {
            fair.follow(&view(&table), is_snapshot, number);
            fair.reconnected();
        }
        submit(&mut table, Command::Start);
        assert_eq!(table.stage(), Stage::Playing);
        fair.follow(&view(&table), false, number);
        submit(&mut table, Command::End { agree: true });
        assert_eq!(fair.judge_end(&view(&table)), Some(Verdict::LeftOut));
    }

    /// An operator who plays could wait for the numbers of the others, and choose the own one then.
    #[test]
    fn a_number_that_was_chosen_afterwards_is_detected() {
        let mut table = table_for(2);
        let ben = Who::Person(PersonId(1));
        let sit = Command::Sit {
            name: Some("Ben".into()),
            seat: None,
            colour: None,
            program: false,
            key: String::new(),
        };
        table.submit(1, Who::Stranger, sit, &Hex([0; 32])).unwrap();
        let mut fair = FairPlay::default();
        follow(&mut fair, &mut table);
        let commitment = commitment_to_number(&Hex([3; 32]));
        let commit = Command::Commit { commitment };
        table.submit(1, ben, commit, &Hex([0; 32])).unwrap();
        follow(&mut fair, &mut table);
        submit(&mut table, Command::Start);
        follow(&mut fair, &mut table);
        let reveal = Command::Reveal {
            number: Hex([3; 32]),
        };
        table.submit(1, ben, reveal, &Hex([0; 32])).unwrap();
        for by in [ANN, ben] {
            let end = Command::End { agree: true };
            table.submit(1, by, end, &Hex([0; 32])).unwrap();
        }
        let honest = view(&table);
        assert_eq!(fair.judge_end(&honest), Some(Verdict::Fair));
        let mut chosen = honest.clone();
        chosen.devices[1].number = Some(Hex([7; 32]));
        chosen.devices[1].commitment = Some(commitment_to_number(&Hex([7; 32])));
        chosen.seed = Some(seed_of_game(&honest.secret.unwrap(), &chosen.devices));
        assert_eq!(fair.judge_end(&chosen), Some(Verdict::Broken));
        let text = serde_json::to_string(&fair).unwrap();
        let kept: FairPlay = serde_json::from_str(&text).unwrap();
        assert_eq!(kept.judge_end(&chosen), Some(Verdict::Broken));
    }

    #[test]
    fn two_devices_of_one_person_do_not_replace_each_others_numbers_endlessly() {
        let (mut phone, mut laptop) = (FairPlay::default(), FairPlay::default());
        let mut table = table();
        follow(&mut phone, &mut table);
        let take_over = laptop.follow(&view(&table), true, || Hex([3; 32]));
        submit(&mut table, take_over.unwrap());
        assert_eq!(phone.follow(&view(&table), false, number), None);
        submit(&mut table, Command::Start);
        assert_eq!(phone.follow(&view(&table), true, number), None);
        let reveal = laptop.follow(&view(&table), false, number);
        submit(&mut table, reveal.unwrap());
        assert_eq!(table.devices()[0].number, Some(Hex([3; 32])));
    }

    #[test]
    fn the_same_is_sent_once_per_connection() {
        let mut fair = FairPlay::default();
        let table = table();
        assert!(fair.follow(&view(&table), true, number).is_some());
        assert_eq!(fair.follow(&view(&table), true, number), None);
        fair.reconnected();
        assert!(fair.follow(&view(&table), true, number).is_some());
    }
}
