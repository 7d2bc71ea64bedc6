//! The last update of a table for each of its viewers. It is computed by comparing the table before and after the last
//! command. Most of it is the same for everybody and is computed once.

use std::sync::OnceLock;

use towers_rules::{View, Viewer};

use crate::change::{Change, GameChange, Items, TableChange, ViewChange, changed};
use crate::core::{Core, Game};
use crate::event::{ChatLine, EventGroup, Seen};
use crate::ids::PersonId;
use crate::talk::CHAT_LINES;

/// The views of a spectator before and after the last command. They are computed when they are needed, and the later
/// one is the earlier one of the next command.
#[derive(Clone, Debug, Default)]
pub(crate) struct PublicViews {
    before: OnceLock<View>,
    after: OnceLock<View>,
}

impl PublicViews {
    /// Continues after another command.
    pub fn advance(&mut self) {
        self.before = std::mem::take(&mut self.after);
    }
}

/// The last update of a table, to be redacted for each viewer.
#[derive(Debug)]
pub struct LastUpdate<'a> {
    before: &'a Core,
    after: &'a Core,
    group: &'a EventGroup,
    /// The changes of a spectator's view outside the game; `None` if everybody is sent a whole view instead: another
    /// game, or other settings.
    public: Option<TableChange>,
    /// The changes of a spectator's game.
    public_game: GameChange,
}

impl<'a> LastUpdate<'a> {
    pub(crate) fn new(
        before: &'a Core,
        after: &'a Core,
        group: &'a EventGroup,
        views: &PublicViews,
    ) -> Self {
        // An entry without events of the table changes only the game.
        let public = if group.is_in_game() {
            Some(TableChange::default())
        } else {
            public_change(before, after)
        };
        LastUpdate {
            before,
            after,
            group,
            public,
            public_game: public_game_change(before, after, views),
        }
    }

    /// The update, redacted for a person; `None` if only another person receives it.
    pub fn seen(&self, person: Option<PersonId>) -> Option<Seen> {
        if !self.group.is_told_to(person) {
            return None;
        }
        let state = self.after.game.as_ref().map(|game| &game.state);
        let mut seen = self.group.seen_by(state, self.after.viewer(person));
        seen.number = self.after.number_for(person);
        match self.change_for(person) {
            Some(change) if change == TableChange::default() => {}
            Some(change) => seen.changed = Some(Box::new(change)),
            None => seen.view = Some(Box::new(self.after.view(person))),
        }
        Some(seen)
    }

    /// The changes of a person's view; `None` if they are sent the whole view instead.
    fn change_for(&self, person: Option<PersonId>) -> Option<TableChange> {
        let (before, after) = (self.before, self.after);
        let viewer = after.viewer(person);
        let public = self.public.as_ref()?;
        if before.viewer(person) != viewer {
            return None;
        }
        Some(TableChange {
            you: changed(&before.you(person), &after.you(person)),
            game: self.game_change(viewer),
            ..public.clone()
        })
    }

    fn game_change(&self, viewer: Viewer) -> Option<Box<GameChange>> {
        let (Some(old), Some(new)) = (&self.before.game, &self.after.game) else {
            return None;
        };
        let mut change = self.public_game.clone();
        let old = old.state.personal_view(viewer);
        let new = new.state.personal_view(viewer);
        let view = ViewChange {
            hand: changed(&old.hand, &new.hand),
            turn: Change::between(&old.turn, &new.turn),
            ..change.view.take().map(|view| *view).unwrap_or_default()
        };
        change.view = (view != ViewChange::default()).then(|| Box::new(view));
        let (legal, optional) = self.after.choices(viewer);
        // Choices are complete whenever the decision is sent.
        let is_new = change.waiting.is_some()
            || self.before.choices(viewer) != (legal.clone(), optional.clone());
        if is_new {
            change.waiting = Some(self.after.waiting());
            (change.legal, change.optional) = (legal, optional);
        }
        (change != GameChange::default()).then(|| Box::new(change))
    }
}

/// The changes of a spectator's view, besides `you` and the game; `None` if the whole view should be sent instead.
fn public_change(before: &Core, after: &Core) -> Option<TableChange> {
    let is_same = before.id == after.id
        && before.games == after.games
        && before.settings == after.settings
        && before.game.is_some() == after.game.is_some();
    if !is_same {
        return None;
    }
    Some(TableChange {
        stage: changed(&before.stage(), &after.stage()),
        host: changed(&before.host, &after.host),
        seats: Items::between(&before.seat_views(), &after.seat_views()).unwrap_or_default(),
        you: None,
        commitment: changed(&before.commitment(), &after.commitment()),
        next_commitment: changed(&before.next_commitment(), &after.next_commitment()),
        secret: changed(&before.revealed_secret(), &after.revealed_secret()),
        devices: changed(&before.devices(), &after.devices()),
        draw: changed(&before.draw(), &after.draw()),
        seed: changed(&before.revealed_seed(), &after.revealed_seed()),
        ending: changed(&before.ending(), &after.ending()),
        game: None,
        chat: new_lines(before, after)?,
    })
}

/// The changes of a spectator's game.
fn public_game_change(before: &Core, after: &Core, views: &PublicViews) -> GameChange {
    let (Some(old), Some(new)) = (&before.game, &after.game) else {
        return GameChange::default();
    };
    let view = |game: &Game| game.state.view(Viewer::Spectator);
    let old = views.before.get_or_init(|| view(old));
    let new = views.after.get_or_init(|| view(new));
    GameChange {
        view: ViewChange::between(old, new).map(Box::new),
        waiting: changed(&before.waiting(), &after.waiting()),
        banks: changed(&before.banks(), &after.banks()),
        ..GameChange::default()
    }
}

/// The new chat lines; `None` if the chat was replaced.
fn new_lines(before: &Core, after: &Core) -> Option<Vec<ChatLine>> {
    let (old, new) = (before.chat.len(), after.chat.len());
    (0..=new)
        .filter(|added| new == (old + added).min(CHAT_LINES))
        .find(|added| {
            let kept = before.chat.iter().skip(old + added - new);
            kept.eq(after.chat.iter().take(new - added))
        })
        .map(|added| after.chat.iter().skip(new - added).cloned().collect())
}
