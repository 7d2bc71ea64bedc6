//! How the player makes a decision: choosing, inspecting, confirming.

use leptos::prelude::*;
use towers_client::reason::{self, Reason};
use towers_client::words::say;
use towers_client::{Choice, Intent, Model, Pick, Thing, target};
use towers_rules::{Action, Space};
use towers_table::Command;

use super::Session;

impl Session {
    /// Carries out the pending action.
    pub fn confirm(self) {
        if let Some(action) = self.model.with_untracked(|m| m.choice.pending()) {
            self.act(action);
        }
    }

    /// Sends an action to the table. A decision is sent only once, even if its button is pressed repeatedly.
    pub fn act(self, action: Action) {
        let decision = self.model.with_untracked(|m| {
            let answers = m.table.game.as_ref()?.legal.contains(&action);
            m.decision().filter(|_| answers)
        });
        if decision.is_some() && self.sent.get_value() == decision {
            return;
        }
        self.sent.set_value(decision);
        self.command(Command::Act { action, decision });
    }

    /// The intent of the first hint.
    pub fn hinted(self) -> Option<Intent> {
        let action = self.hints.with(|h| h.as_ref()?.first().map(|h| h.action))?;
        let own = self.model.with(Model::own_colour);
        Some(towers_client::choice::parts(action, own).0)
    }

    /// Changes the decision being made.
    pub fn choose(self, change: impl FnOnce(&mut Choice) -> bool) -> bool {
        self.notice.set(None);
        self.hover.set(None);
        let mut done = false;
        self.model.update(|m| done = change(&mut m.choice));
        let said = self.model.with_untracked(|m| {
            let preview = m.preview().filter(|_| m.choice.pending().is_some());
            let held = m.choice.held().first().copied();
            self.cx.words.with_untracked(|words| match (preview, held) {
                (Some(preview), _) => {
                    let lines: Vec<_> = preview.lines.iter().map(|l| words.say(l)).collect();
                    Some(target::sentences(&lines))
                }
                (None, held) => held.map(|pick| target::spoken(words, m, pick)),
            })
        });
        if let Some(said) = said {
            self.live.set(said);
        }
        done
    }

    /// Resets the choice.
    pub fn take_back(self) {
        self.choose(|c| {
            c.reset();
            true
        });
    }

    /// Starts an intent. Intents without a piece are carried out at once.
    pub fn begin(self, intent: Intent) {
        let at_once = matches!(
            intent,
            Intent::Reroll
                | Intent::End
                | Intent::Pass
                | Intent::Done
                | Intent::Ask
                | Intent::Accept
                | Intent::Decline
        );
        let again = self
            .model
            .with_untracked(|m| m.choice.intent() == Some(intent));
        if again && !at_once {
            self.take_back();
        } else if self.choose(|c| c.begin(intent)) && at_once {
            self.confirm();
        }
    }

    /// Picks a piece for the current intent, or holds it. If neither is possible, explains it.
    pub fn pick(self, pick: Pick) {
        self.opened.set(None);
        if self.choose(|c| c.pick(pick)) {
            return;
        }
        let piece = self
            .model
            .with_untracked(|m| target::standing_for(&m.shown, pick));
        // Picking the held piece again releases it.
        if self.model.with_untracked(|m| m.choice.held() == piece) {
            self.take_back();
        } else if !self.choose(|c| c.hold(&piece)) {
            self.explain(pick);
        }
    }

    /// Explains why a piece cannot be picked, or shows its stack if there is no reason.
    pub fn explain(self, pick: Pick) {
        let (why, at) = self.model.with_untracked(|m| {
            let intent = m.choice.intent();
            let me = m.me().filter(|_| m.is_mine());
            let why = me.and_then(|me| reason::why_not_pick(&m.shown, me, intent, pick));
            (why, target::place(&m.shown, pick))
        });
        if why.is_some() {
            self.say_why(why);
        } else if let Some(at) = at {
            self.look_at(Thing::Stack(at));
        }
    }

    /// Explains why no card can be played now.
    pub fn explain_cards(self) {
        let is_mine = self.model.with_untracked(Model::is_mine);
        let key = if is_mine { "why.moment" } else { "look.later" };
        self.say_why(Some(Reason {
            message: say(key),
            clause: "",
        }));
    }

    /// Shows the details of an item.
    pub fn look_at(self, thing: Thing) {
        self.notice.set(None);
        self.opened.set(Some(thing));
    }

    /// Shows the details of a space.
    pub fn look_at_space(self, space: Space) {
        let is_castle = self.model.with_untracked(|m| {
            m.shown.castle == space && towers_client::shown::height(&m.shown, space) == 0
        });
        self.look_at(if is_castle {
            Thing::Castle
        } else {
            Thing::Stack(space)
        });
    }

    /// Shows a reason and announces it to screen readers.
    pub fn say_why(self, why: Option<Reason>) {
        if let Some(why) = why {
            self.live.set(self.cx.say(&why.message));
            self.notice.set(Some(why));
        }
    }
}
