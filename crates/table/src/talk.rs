//! Chat and emotes, where they are allowed.

use std::sync::Arc;

use crate::command::{Emote, Who};
use crate::core::{Core, Log, Origin, Stage};
use crate::event::{ChatLine, TableEvent};
use crate::ids::{Millis, PersonId};
use crate::rejection::Rejection;
use crate::text::{CHAT_CHARS, clean};

/// The number of chat lines sent to a new client.
pub const CHAT_LINES: usize = 50;
/// The maximum number of messages and emotes within [`WINDOW_MILLIS`].
const MAX_MESSAGES: usize = 5;
/// The time window of the rate limit.
const WINDOW_MILLIS: Millis = 10_000;

impl Core {
    pub(crate) fn say(
        &mut self,
        by: Who,
        text: &str,
        origin: Origin,
        log: &mut Log,
    ) -> Result<(), Rejection> {
        let person = self.may_talk(by)?;
        let left_out = text.is_empty() && matches!(origin, Origin::Recorded { .. });
        let text = if left_out {
            String::new()
        } else {
            clean(text, CHAT_CHARS)?
        };
        let name = self.person(person).map(|p| p.name.clone());
        let line = ChatLine {
            person,
            name: name.unwrap_or_default(),
            text,
            at: self.at,
        };
        let chat = Arc::make_mut(&mut self.chat);
        if chat.len() >= CHAT_LINES {
            chat.pop_front();
        }
        chat.push_back(line.clone());
        log.tell(TableEvent::Said(line));
        Ok(())
    }

    pub(crate) fn emote(&mut self, by: Who, emote: Emote, log: &mut Log) -> Result<(), Rejection> {
        let person = self.may_talk(by)?;
        log.tell(TableEvent::Emoted { person, emote });
        Ok(())
    }

    /// Checks that a person may talk now, and counts the message.
    fn may_talk(&mut self, by: Who) -> Result<PersonId, Rejection> {
        let id = self.check_person(by)?;
        // R12.9, R15.3: spectators must not talk either, since they might see what a player may not say.
        if self.settings.is_silent() && self.stage() == Stage::Playing {
            return Err(Rejection::Silence);
        }
        let at = self.at;
        let person = self.person_mut(id).ok_or(Rejection::Unknown)?;
        if person.muted {
            return Err(Rejection::Muted);
        }
        let talked = &mut person.talked;
        talked.retain(|&then| then + WINDOW_MILLIS > at);
        if talked.len() >= MAX_MESSAGES {
            let first = talked.front().copied().unwrap_or(at);
            let retry_after = (first + WINDOW_MILLIS).saturating_sub(at);
            return Err(Rejection::TooFast { retry_after });
        }
        talked.push_back(at);
        Ok(id)
    }
}
