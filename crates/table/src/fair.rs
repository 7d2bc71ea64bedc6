//! The seed of a game, derived from a secret of the server and a number from every person's device.
//!
//! The server commits to all its secrets when the table is opened, before seats and settings are
//! known: each secret is the SHA-256 of the next one, and the table publishes the SHA-256 of the first.
//! A secret is revealed when its game is over, and is then the commitment to the next.
//!
//! Devices commit to their numbers before a game. When it starts, the seats are fixed, and devices reveal their
//! numbers. Those that do not within [`REVEAL_TIME`] are left out and named. The seed is the SHA-256 of everything.
//! So nobody can choose it: the server does not know the numbers when it draws its secrets, and nobody knows the
//! secret, or any other number, when a device commits to its own.

use serde::{Deserialize, Serialize};
use towers_rules::Seat;

use crate::command::Who;
use crate::core::{Core, Log, Origin, Stage};
use crate::event::TableEvent;
use crate::ids::{Digest, Millis, Seed};
use crate::rejection::Rejection;
use crate::seat::{Person, seats};

/// The maximum number of games at a table. This many secrets are committed to when it is opened.
pub const MAX_GAMES: u32 = 500;
/// How long a table waits for the numbers of devices, in milliseconds.
pub const REVEAL_TIME: Millis = 5_000;

/// The contribution of a device to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Device {
    /// The seat of its owner.
    pub seat: Seat,
    /// Its commitment; `None` if it did not commit before the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Digest>,
    /// Its number; `None` if it was left out, because it did not commit or did not reveal in time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<Seed>,
}

/// The phase between the start and the first turn in which devices reveal their numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Draw {
    /// The time at which the game begins at the latest.
    pub until: Millis,
    /// The seats whose devices have not revealed yet.
    pub awaited: Vec<Seat>,
}

/// The secrets of the server for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// The last secret, from which all others are derived. Published records do not contain it.
    pub last: Option<Seed>,
    /// The commitment to the secret of the next game.
    pub commitment: Digest,
}

/// The secret of a game, counted from 1, in the chain that ends with `last`. Number 0 is the commitment to the first
/// secret.
pub fn secret_of_game(last: &Seed, game: u32) -> Option<Seed> {
    let steps = MAX_GAMES.checked_sub(game)?;
    Some((0..steps).fold(*last, |secret, _| secret.commitment()))
}

/// The commitment that a device publishes before it reveals its number.
pub fn commitment_to_number(number: &Seed) -> Digest {
    Digest::digest(&[b"wandering-towers number\0", &number.0])
}

/// The seed of a game: the SHA-256 of a fixed text, the server's secret, and for each seat whose device
/// revealed a number, in order, one byte for the seat and 32 for the number.
pub fn seed_of_game(secret: &Seed, devices: &[Device]) -> Seed {
    let mut bytes = b"wandering-towers seed\0".to_vec();
    bytes.extend_from_slice(&secret.0);
    let mut given: Vec<_> = devices
        .iter()
        .filter_map(|device| Some((device.seat, device.number?)))
        .collect();
    given.sort_by_key(|(seat, _)| seat.0);
    for (seat, number) in given {
        bytes.push(seat.0);
        bytes.extend_from_slice(&number.0);
    }
    Seed::digest(&[&bytes])
}

impl Core {
    pub(crate) fn commit_number(
        &mut self,
        by: Who,
        commitment: Digest,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        self.check_no_game()?;
        let (id, seat) = self.check_seated(by)?;
        if self.chain.is_none() {
            return Err(Rejection::NoDraw);
        }
        if let Some(person) = self.person_mut(id) {
            person.commitment = Some(commitment);
        }
        log.tell(TableEvent::Committed { seat, commitment });
        Ok(())
    }

    /// Starts a game: at once if no device has committed to a number, otherwise when the numbers are revealed.
    pub(crate) fn start(&mut self, origin: Origin, log: &mut Log) -> Result<(), Rejection> {
        self.check_no_game()?;
        if !self.is_full() {
            return Err(Rejection::OpenSeats);
        }
        if self.chain.is_some() && self.games >= MAX_GAMES {
            return Err(Rejection::WornOut);
        }
        self.drawing_since = Some(self.at);
        self.draw_on(origin, log)
    }

    /// Begins the game if no number is missing; otherwise reports which seats are awaited.
    fn draw_on(&mut self, origin: Origin, log: &mut Log) -> Result<(), Rejection> {
        match self.draw() {
            Some(draw) if !draw.awaited.is_empty() => {
                log.tell(TableEvent::Drawing(draw));
                Ok(())
            }
            Some(_) => self.begin(origin, log),
            None => Err(Rejection::NoDraw),
        }
    }

    /// The running draw.
    pub(crate) fn draw(&self) -> Option<Draw> {
        let since = self.drawing_since?;
        let silent = |person: &Person| person.commitment.is_some() && person.number.is_none();
        let awaited = seats(&self.places).filter(|(_, place)| {
            let person = place.person().and_then(|id| self.person(id));
            !place.left && self.chain.is_some() && person.is_some_and(silent)
        });
        Some(Draw {
            until: since + REVEAL_TIME,
            awaited: awaited.map(|(seat, _)| seat).collect(),
        })
    }

    pub(crate) fn reveal_number(
        &mut self,
        by: Who,
        number: Seed,
        origin: Origin,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let (id, seat) = self.check_seated(by)?;
        let draw = self.draw().ok_or(Rejection::NoDraw)?;
        if !draw.awaited.contains(&seat) {
            return Err(Rejection::NoDraw);
        }
        if let Some(person) = self.person_mut(id) {
            if person.commitment != Some(commitment_to_number(&number)) {
                return Err(Rejection::WrongNumber);
            }
            person.number = Some(number);
        }
        self.draw_on(origin, log)
    }

    /// Continues the draw after somebody left, because theirs may have been the last missing number.
    pub(crate) fn leave_draw(&mut self, origin: Origin, log: &mut Log) -> Result<(), Rejection> {
        if self.drawing_since.is_some() {
            self.draw_on(origin, log)?;
        }
        Ok(())
    }

    /// Begins the game without the missing numbers, if the time is up.
    pub(crate) fn end_draw(
        &mut self,
        draw: &Draw,
        origin: Origin,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        if self.at < draw.until {
            return Err(Rejection::NotDue);
        }
        self.begin(origin, log)
    }

    /// Restarts the wait for numbers after a downtime, in which no device could reveal.
    pub(crate) fn reopen_draw(&mut self, log: &mut Log) {
        self.drawing_since = Some(self.at);
        if let Some(draw) = self.draw() {
            log.tell(TableEvent::Drawing(draw));
        }
    }

    /// The commitment, the secret and the device contributions of the game that begins.
    pub(crate) fn sources(
        &self,
        chain: Chain,
        origin: Origin,
    ) -> Result<(Seed, Vec<Device>), Rejection> {
        let secret = match origin {
            Origin::Fresh(_) => chain
                .last
                .and_then(|last| secret_of_game(&last, self.games + 1)),
            Origin::Recorded { secret, .. } => secret,
        };
        let secret = secret.ok_or(Rejection::NoGame)?;
        if secret.commitment() != chain.commitment {
            return Err(Rejection::WrongNumber);
        }
        let devices = seats(&self.places).filter_map(|(seat, place)| {
            let person = self.person(place.person()?)?;
            Some(Device {
                seat,
                commitment: person.commitment,
                number: person.number,
            })
        });
        Ok((secret, devices.collect()))
    }

    /// The commitment to the secret of the next game. It is hidden while a game is running, because it is the secret
    /// of that game.
    pub(crate) fn next_commitment(&self) -> Option<Digest> {
        let chain = self.chain.filter(|_| self.stage() != Stage::Playing)?;
        Some(chain.commitment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Hex;

    #[test]
    fn each_secret_is_the_commitment_to_the_next() {
        let last = Hex([7; 32]);
        assert_eq!(secret_of_game(&last, MAX_GAMES), Some(last));
        assert_eq!(secret_of_game(&last, MAX_GAMES + 1), None);
        for game in [0, 1, 2, MAX_GAMES - 1] {
            let next = secret_of_game(&last, game + 1).unwrap();
            assert_eq!(secret_of_game(&last, game), Some(next.commitment()));
        }
    }

    #[test]
    fn the_seed_is_the_hash_of_all_numbers_and_their_seats() {
        let device = |seat, byte: Option<u8>| Device {
            seat: Seat(seat),
            commitment: None,
            number: byte.map(|byte| Hex([byte; 32])),
        };
        let secret = Hex([1; 32]);
        let seed = seed_of_game(&secret, &[device(0, Some(2)), device(2, Some(3))]);
        let mut bytes = b"wandering-towers seed\0".to_vec();
        bytes.extend([1; 32]);
        bytes.push(0);
        bytes.extend([2; 32]);
        bytes.push(2);
        bytes.extend([3; 32]);
        assert_eq!(seed, Hex::digest(&[&bytes]));
        // The order of the list does not matter, and a device without a number counts as absent.
        let other = [device(2, Some(3)), device(1, None), device(0, Some(2))];
        assert_eq!(seed_of_game(&secret, &other), seed);
        for other in [
            vec![device(0, Some(2))],
            vec![device(0, Some(2)), device(1, Some(3))],
            vec![device(0, Some(3)), device(2, Some(2))],
        ] {
            assert_ne!(seed_of_game(&secret, &other), seed);
        }
    }
}
