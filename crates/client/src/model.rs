//! The table on the screen.

use std::borrow::Cow;
use std::collections::VecDeque;

use towers_rules::{Action, Card, Colour, Event, Memory, Phase, Seat, Space, View};
use towers_table::{AnyEvent, Seen, TableEvent, TableView};

use crate::choice::{Choice, Hover, Intent, Pick};
use crate::labels;
use crate::log::{Detail, describe, describe_table, mover_after};
use crate::motion::Motion;
use crate::names::Names;
use crate::preview::{Preview, declared, imagine, preview};
use crate::shown;
use crate::words::{Message, say};

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub message: Message,
    /// The seat whose turn begins with this line.
    pub turn: Option<Seat>,
    /// The seat whose turn it was.
    pub whose: Option<Seat>,
    pub motion: Motion,
}

/// The next step to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub motion: Motion,
    /// The message for it, if any.
    pub said: Option<Message>,
}

/// The events since the viewer's last turn.
#[derive(Clone, Debug)]
struct Recap {
    from: View,
    events: Vec<Event>,
    line: usize,
}

/// A table on the screen: the position shown, the events still to be shown, and the decision being made.
#[derive(Clone, Debug)]
pub struct Model {
    pub table: TableView,
    /// The position on the screen, which may lag behind the table.
    pub shown: View,
    pub names: Names,
    /// The decision being made, once all events have been shown.
    pub choice: Choice,
    pub log: Vec<Line>,
    /// The card on top of the discard pile.
    pub top: Option<Card>,
    /// The last roll.
    pub die: u8,
    /// The start and end of the last move.
    pub trail: Option<(Space, Space)>,
    /// The colour of the player who made the last move.
    pub mover: Option<Colour>,
    /// Where the last move imprisoned a wizard of the viewer.
    pub hit: Option<Space>,
    queue: VecDeque<AnyEvent>,
    recap: Recap,
    replaying: bool,
    /// Whether the player turned off the memory aid that the table allows.
    unaided: bool,
    /// The seat whose card currently moves pieces.
    card_of: Option<Seat>,
    /// Whether several persons share this screen. Then no lasting text addresses a player as "you".
    is_shared: bool,
}

impl Model {
    /// The model of a table; `None` before its first game.
    pub fn new(table: TableView) -> Option<Model> {
        let shown = table.game.as_ref()?.view.clone();
        let recap = Recap {
            from: shown.clone(),
            events: Vec::new(),
            line: 0,
        };
        let mut model = Model {
            names: Names::at(&table.seats, table.you.seat),
            shown,
            table,
            choice: Choice::default(),
            log: Vec::new(),
            top: None,
            die: 0,
            trail: None,
            mover: None,
            hit: None,
            queue: VecDeque::new(),
            recap,
            replaying: false,
            unaided: false,
            card_of: None,
            is_shared: false,
        };
        model.settle();
        Some(model)
    }

    fn names_at(&self, table: &TableView) -> Names {
        let reader = table.you.seat.filter(|_| !self.is_shared);
        Names::at(&table.seats, reader)
    }

    /// Marks the screen as shared by several persons: all are called by their names.
    pub fn share(&mut self) {
        self.is_shared = true;
        self.names = self.names_at(&self.table);
    }

    /// Fills the log from past events without showing them.
    pub fn remember(&mut self, past: &[Seen]) {
        let me = self.me();
        for event in past.iter().flat_map(|seen| &seen.events) {
            if let AnyEvent::Game(event) = event {
                self.note(event);
                if matches!(event, Event::TurnEnded { seat } if Some(*seat) == me) {
                    self.recap.line = self.log.len();
                }
            }
        }
        self.trail = None;
        self.hit = None;
    }

    /// The viewer's seat.
    pub fn me(&self) -> Option<Seat> {
        self.table.you.seat
    }

    /// Applies an update. It is shown by [`Model::advance`].
    pub fn receive(&mut self, seen: &Seen) {
        self.stop_replay();
        self.table.apply(seen);
        self.names = self.names_at(&self.table).with_bots_of(&self.names);
        for event in &seen.events {
            match event {
                AnyEvent::Table(event) if !changes_players(event) => {}
                // While nothing is being shown, an event of the table does not interrupt the decision.
                AnyEvent::Table(event) if self.queue.is_empty() && !seen.changes_game() => {
                    self.note_table(event);
                }
                _ => self.queue.push_back(event.clone()),
            }
        }
        if seen.changes_game() {
            self.choice = Choice::default();
        }
        if self.queue.is_empty() && seen.changes_game() {
            self.settle();
        }
    }

    /// Applies a snapshot of the table. A snapshot without news does not interrupt the animation.
    pub fn resync(&mut self, table: TableView) {
        let is_same = self.table.games == table.games
            && self.table.you == table.you
            && self.table.number >= table.number;
        if is_same {
            let game = self.table.game.take();
            self.names = self.names_at(&table).with_bots_of(&self.names);
            self.table = TableView { game, ..table };
        } else {
            self.refresh(table);
        }
    }

    /// Replaces the table without animation.
    pub fn refresh(&mut self, table: TableView) {
        self.queue.clear();
        self.names = self.names_at(&table);
        self.table = table;
        self.settle();
    }

    /// Whether the viewer has won.
    pub fn has_won(&self) -> bool {
        match (self.table.ending, self.me()) {
            (Some(towers_table::Ending::Played(outcome)), Some(me)) => outcome.winners.contains(me),
            _ => false,
        }
    }

    /// Whether events are still to be shown.
    pub fn is_busy(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The motion of the next event, before it is shown.
    pub fn next_motion(&self) -> Option<Motion> {
        self.queue.front().map(|event| match event {
            AnyEvent::Game(event) => Motion::of(event, &self.shown),
            AnyEvent::Table(_) => Motion::None,
        })
    }

    /// Shows the next event; `None` when all have been shown.
    pub fn advance(&mut self) -> Option<Step> {
        let event = match self.queue.pop_front()? {
            AnyEvent::Game(event) => event,
            AnyEvent::Table(event) => {
                let said = self.note_table(&event);
                if self.queue.is_empty() {
                    self.settle();
                }
                return Some(Step {
                    motion: Motion::None,
                    said,
                });
            }
        };
        let motion = Motion::of(&event, &self.shown);
        self.card_of = mover_after(self.card_of, &event);
        let said = describe(&event, &self.shown, &self.names, Detail::Live, self.card_of);
        if self.replaying {
            self.mark(&event, motion);
        } else {
            self.note(&event);
            self.recap.events.push(event);
        }
        shown::apply(&mut self.shown, &event);
        if !self.replaying && matches!(event, Event::TurnEnded { seat } if Some(seat) == self.me())
        {
            self.recap = Recap {
                from: self.shown.clone(),
                events: Vec::new(),
                line: self.log.len(),
            };
        }
        if self.queue.is_empty() {
            self.settle();
        }
        Some(Step { motion, said })
    }

    /// Shows all remaining events at once.
    pub fn skip(&mut self) {
        while self.advance().is_some() {}
    }

    /// The log lines since the viewer's last turn.
    pub fn recap(&self) -> &[Line] {
        self.log.get(self.recap.line..).unwrap_or_default()
    }

    /// The log by turn, newest turn first; lines within a turn are in order.
    pub fn turns(&self) -> impl Iterator<Item = &[Line]> {
        let mut rest = self.log.as_slice();
        std::iter::from_fn(move || {
            let begin = rest.iter().rposition(|line| line.turn.is_some());
            let (before, turn) = rest.split_at(begin.unwrap_or(0));
            rest = before;
            (!turn.is_empty()).then_some(turn)
        })
    }

    /// Whether there is something to replay.
    pub fn can_replay(&self) -> bool {
        !self.is_busy()
            && self
                .recap
                .events
                .iter()
                .any(|e| Motion::of(e, &self.shown).trail().is_some())
    }

    /// Replays the events since the viewer's last turn.
    pub fn replay(&mut self) {
        if self.can_replay() {
            self.replaying = true;
            self.choice = Choice::default();
            self.shown = self.recap.from.clone();
            let events = self.recap.events.iter();
            self.queue = events.map(|event| AnyEvent::Game(*event)).collect();
        }
    }

    /// Whether a replay is running.
    pub fn is_replaying(&self) -> bool {
        self.replaying
    }

    fn stop_replay(&mut self) {
        if self.replaying {
            self.queue.clear();
            self.settle();
        }
    }

    /// Adopts the table's own view after all events have been shown.
    fn settle(&mut self) {
        self.replaying = false;
        let Some(game) = &self.table.game else { return };
        self.shown = game.view.clone();
        if self.unaided {
            shown::conceal(&mut self.shown);
        }
        let own = self.own_colour();
        self.choice = Choice::new(&game.legal, own);
    }

    /// The colour that the viewer's cards move (R12.4, R14.1).
    pub fn own_colour(&self) -> Colour {
        self.me()
            .and_then(|seat| {
                let state = imagine(&self.shown)?;
                Some(state.wizard_colour(state.moves_wizards_of(seat)))
            })
            .unwrap_or(Colour::Blue)
    }

    /// The viewer's actions out of turn.
    pub fn optional(&self) -> &[Action] {
        let game = self.table.game.as_ref().filter(|_| !self.is_busy());
        game.map_or(&[], |g| &g.optional)
    }

    /// The preview of the pending action, or else of another player's declared move.
    pub fn preview(&self) -> Option<Preview> {
        self.preview_of(&self.choice)
    }

    /// The preview of the pending action of `choice`, or else of another player's declared move.
    pub fn preview_of(&self, choice: &Choice) -> Option<Preview> {
        match (choice.pending(), self.me()) {
            (Some(action), Some(me)) => preview(&self.shown, me, action),
            _ if self.is_busy() => None,
            (_, me) => declared(&self.shown, me),
        }
    }

    /// The effects of the pending action in words; while a spell waits for its target, what it does and what it costs.
    pub fn effects(&self, hover: Option<&Hover>) -> Vec<Message> {
        let choice = self.choice_with(hover);
        let turn = &self.shown.turn;
        let claimed = turn.spell().filter(|_| turn.phase.is_series());
        let spell = match choice.intent() {
            Some(intent) => intent.spell(),
            None => claimed,
        };
        match spell.filter(|_| self.is_mine() && choice.pending().is_none()) {
            Some(spell) => {
                let cost = self.shown.options.costs.of(spell);
                let cost = say("preview.cost").with("n", cost);
                vec![labels::spell_effect(spell), cost]
            }
            None => self.preview_of(&choice).map_or(Vec::new(), |p| p.lines),
        }
    }

    /// The decision as shown, with the hovered item applied.
    pub fn choice_with(&self, hover: Option<&Hover>) -> Cow<'_, Choice> {
        let considered = hover
            .filter(|_| self.is_mine())
            .and_then(|h| self.choice.with(h));
        considered.map_or(Cow::Borrowed(&self.choice), Cow::Owned)
    }

    /// The intents by which a dragged piece lands on this space, without duplicates.
    pub fn ways_to(&self, piece: &[Pick], to: Space) -> Vec<Intent> {
        let lands = |intent: &Intent| {
            let mut choice = self.choice.clone();
            choice.hold(piece);
            choice.begin(*intent);
            let is_done = choice.pending().is_some();
            is_done && self.preview_of(&choice).and_then(|p| p.to) == Some(to)
        };
        let mut ways = self.choice.intents_for(piece);
        ways.retain(lands);
        ways
    }

    /// The number of the open decision.
    pub fn decision(&self) -> Option<u64> {
        let waiting = self.table.game.as_ref()?.waiting?;
        Some(waiting.decision)
    }

    /// Whether the table shows imprisoned wizards (R16.2).
    pub fn has_memory_aid(&self) -> bool {
        let game = self.table.game.as_ref();
        game.is_some_and(|g| g.view.options.memory == Memory::Assisted)
    }

    /// Whether the player turned off the memory aid.
    pub fn is_unaided(&self) -> bool {
        self.unaided
    }

    /// Turns the memory aid on or off on this screen.
    pub fn set_memory_aid(&mut self, on: bool) {
        self.unaided = !on;
        self.skip();
        self.settle();
    }

    /// Whether the viewer is in their own opening window: the regular moment to choose a card (R13.2).
    pub fn is_own_opening(&self) -> bool {
        let turn = &self.shown.turn;
        turn.phase == Phase::Opening && Some(turn.active) == self.me() && turn.actor == turn.active
    }

    /// Whether it is the viewer's decision and all events have been shown.
    pub fn is_mine(&self) -> bool {
        !self.is_busy() && !self.choice.is_empty()
    }

    fn note(&mut self, event: &Event) {
        let motion = Motion::of(event, &self.shown);
        self.mark(event, motion);
        self.card_of = mover_after(self.card_of, event);
        if let Some(message) = describe(event, &self.shown, &self.names, Detail::Kept, self.card_of)
        {
            let turn = match event {
                Event::TurnBegan { seat, .. } => Some(*seat),
                _ => None,
            };
            self.push(message, turn, motion);
        }
    }

    fn push(&mut self, message: Message, turn: Option<Seat>, motion: Motion) {
        let whose = turn.or_else(|| self.log.last().and_then(|line| line.whose));
        self.log.push(Line {
            message,
            turn,
            whose,
            motion,
        });
    }

    /// Tells an event of the table. The moves of a bot that plays for a person are told as the bot's.
    fn note_table(&mut self, event: &TableEvent) -> Option<Message> {
        if let TableEvent::MoveMade { seat } | TableEvent::CameBack { seat } = event {
            self.names.set_bot(*seat, false);
        }
        let said = describe_table(event, &self.table.seats, &self.names);
        if let TableEvent::StoodIn { seat, .. } = event {
            self.names.set_bot(*seat, true);
        }
        if let Some(message) = &said {
            self.push(message.clone(), None, Motion::None);
        }
        said
    }

    fn mark(&mut self, event: &Event, motion: Motion) {
        match *event {
            Event::Played { card, .. } | Event::Discarded { card, .. } => self.top = Some(card),
            Event::Reshuffled => self.top = None,
            Event::Rolled { value, .. } => self.die = value,
            _ => {}
        }
        if let Some(trail) = motion.trail() {
            let active = self.shown.turn.active;
            self.trail = Some(trail);
            self.mover = self.shown.players.get(active.index()).map(|p| p.colour);
            self.hit = None;
        }
        if let Event::Imprisoned { seat, wizards, .. } = *event {
            let own = self.me().filter(|me| *me != seat);
            let own = own.and_then(|me| self.shown.players.get(me.index()));
            let mine = own.is_some_and(|p| wizards.colours().any(|c| c == p.colour));
            self.hit = self.trail.filter(|_| mine).map(|(_, to)| to);
        }
    }
}

/// Whether an event of the table is told in the log, or changes whose moves are told.
fn changes_players(event: &TableEvent) -> bool {
    matches!(
        event,
        TableEvent::StoodIn { .. }
            | TableEvent::MoveMade { .. }
            | TableEvent::CameBack { .. }
            | TableEvent::PassedFor { .. }
            | TableEvent::HostIs { .. }
    )
}

#[cfg(test)]
mod tests;
