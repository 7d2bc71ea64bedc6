//! Host commands about people: mute, ban, hand over the role.

use towers_rules::Seat;

use crate::command::Who;
use crate::core::{Core, Log};
use crate::event::TableEvent;
use crate::ids::PersonId;
use crate::rejection::Rejection;

impl Core {
    pub(crate) fn mute(
        &mut self,
        by: Who,
        id: PersonId,
        muted: bool,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let host = self.check_host(by)?;
        if id == host {
            return Err(Rejection::NotForHost);
        }
        let person = self.person_mut(id).ok_or(Rejection::Unknown)?;
        person.muted = muted;
        log.tell(TableEvent::MutedIs { person: id, muted });
        Ok(())
    }

    /// Empties a person's seat, and refuses their secret from then on.
    pub(crate) fn ban(&mut self, by: Who, seat: Seat, log: &mut Log) -> Result<(), Rejection> {
        let host = self.check_host(by)?;
        self.check_no_game()?;
        let id = self.place(seat)?.person().ok_or(Rejection::NobodyThere)?;
        if id == host {
            return Err(Rejection::NotForHost);
        }
        let key = self.person(id).map(|p| p.key.clone());
        self.banned.extend(key.filter(|key| !key.is_empty()));
        self.remove_person(id, Some(seat), true, log);
        Ok(())
    }

    /// Refuses a stranger with the key of a banned person.
    pub(crate) fn check_not_banned(&self, key: &str) -> Result<(), Rejection> {
        if self.banned.iter().any(|banned| banned == key) {
            Err(Rejection::Banned)
        } else {
            Ok(())
        }
    }

    pub(crate) fn hand_over(
        &mut self,
        by: Who,
        person: PersonId,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let host = self.check_host(by)?;
        self.person(person).ok_or(Rejection::Unknown)?;
        if person == host {
            return Err(Rejection::NotForHost);
        }
        // From now on it belongs to them, and returns to them.
        self.owner = Some(person);
        self.return_host(person, log);
        Ok(())
    }

    /// Returns the host role to this person if it belongs to them.
    pub(crate) fn return_host(&mut self, person: PersonId, log: &mut Log) {
        if self.owner == Some(person) && self.host != Some(person) {
            self.host = Some(person);
            let person = self.host;
            log.tell(TableEvent::HostIs { person });
        }
    }
}
