//! The table on the screen.

use std::collections::VecDeque;

use rules::{Action, Card, Colour, Event, Seat, Space, View};
use table::{Seen, TableView};

use crate::choice::Choice;
use crate::log::{Detail, tell};
use crate::motion::Motion;
use crate::names::Names;
use crate::preview::{Preview, imagine, preview};
use crate::shown;
use crate::words::Message;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is said.
    pub message: Message,
    /// Whether a turn begins with it.
    pub turn: Option<Seat>,
}

/// What to show next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// How it moves.
    pub motion: Motion,
    /// What is said of it.
    pub said: Option<Message>,
}

/// What happened since the viewer's last turn.
#[derive(Clone, Debug)]
struct Recap {
    from: View,
    events: Vec<Event>,
    line: usize,
}

/// A table on the screen: what is shown, what is still to be shown, and the decision being made.
#[derive(Clone, Debug)]
pub struct Model {
    /// The table as it is.
    pub table: TableView,
    /// The game as it is shown.
    pub shown: View,
    /// What players are called.
    pub names: Names,
    /// The decision being made, once everything has been shown.
    pub choice: Choice,
    /// The log.
    pub log: Vec<Line>,
    /// The card on top of the discard pile.
    pub top: Option<Card>,
    /// The last roll.
    pub die: u8,
    /// The way of the last move.
    pub trail: Option<(Space, Space)>,
    queue: VecDeque<Event>,
    recap: Recap,
    replaying: bool,
}

impl Model {
    /// A table as it is now; none before its first game.
    pub fn new(table: TableView) -> Option<Model> {
        let shown = table.game.as_ref()?.view.clone();
        let recap = Recap {
            from: shown.clone(),
            events: Vec::new(),
            line: 0,
        };
        let mut model = Model {
            names: Names::at(&table.seats),
            shown,
            table,
            choice: Choice::default(),
            log: Vec::new(),
            top: None,
            die: 0,
            trail: None,
            queue: VecDeque::new(),
            recap,
            replaying: false,
        };
        model.settle();
        Some(model)
    }

    /// Writes the log of what happened before, without showing it.
    pub fn remember(&mut self, past: &[Seen]) {
        let me = self.me();
        for event in past.iter().flat_map(|seen| &seen.events) {
            if let table::Event::Game(event) = event {
                self.note(event);
                if matches!(event, Event::TurnEnded { seat } if Some(*seat) == me) {
                    self.recap.line = self.log.len();
                }
            }
        }
        self.trail = None;
    }

    /// The seat of the one who looks.
    pub fn me(&self) -> Option<Seat> {
        self.table.you.seat
    }

    /// Takes in what happened. It is shown by [`Model::advance`].
    pub fn receive(&mut self, seen: &Seen) {
        self.stop_replay();
        crate::room::follow(&mut self.table, seen);
        self.names = Names::at(&self.table.seats);
        for event in &seen.events {
            if let table::Event::Game(event) = event {
                self.queue.push_back(*event);
            }
        }
        if seen.game.is_some() {
            self.choice = Choice::default();
        }
        if self.queue.is_empty() && seen.game.is_some() {
            self.settle();
        }
    }

    /// Takes in the table as it is, without showing how it came about.
    pub fn refresh(&mut self, table: TableView) {
        self.queue.clear();
        self.names = Names::at(&table.seats);
        self.table = table;
        self.settle();
    }

    /// Whether something is still to be shown.
    pub fn is_busy(&self) -> bool {
        !self.queue.is_empty()
    }

    /// How the next thing that happened moves, before it is shown.
    pub fn next_motion(&self) -> Option<Motion> {
        self.queue
            .front()
            .map(|event| Motion::of(event, &self.shown))
    }

    /// Shows the next thing that happened; none when all was shown.
    pub fn advance(&mut self) -> Option<Step> {
        let event = self.queue.pop_front()?;
        let motion = Motion::of(&event, &self.shown);
        let said = tell(&event, &self.shown, &self.names, Detail::Live);
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

    /// Shows everything at once.
    pub fn skip(&mut self) {
        while self.advance().is_some() {}
    }

    /// What happened since the viewer's last turn, in words.
    pub fn recap(&self) -> &[Line] {
        self.log.get(self.recap.line..).unwrap_or_default()
    }

    /// The log turn by turn: the newest turn first, what happened in it in its order.
    pub fn turns(&self) -> impl Iterator<Item = &[Line]> {
        let mut rest = self.log.as_slice();
        std::iter::from_fn(move || {
            let begin = rest.iter().rposition(|line| line.turn.is_some());
            let (before, turn) = rest.split_at(begin.unwrap_or(0));
            rest = before;
            (!turn.is_empty()).then_some(turn)
        })
    }

    /// Whether there is something to show again.
    pub fn can_replay(&self) -> bool {
        !self.is_busy()
            && self
                .recap
                .events
                .iter()
                .any(|e| Motion::of(e, &self.shown).trail().is_some())
    }

    /// Shows again what happened since the viewer's last turn.
    pub fn replay(&mut self) {
        if self.can_replay() {
            self.replaying = true;
            self.choice = Choice::default();
            self.shown = self.recap.from.clone();
            self.queue = self.recap.events.iter().copied().collect();
        }
    }

    fn stop_replay(&mut self) {
        if self.replaying {
            self.queue.clear();
            self.settle();
        }
    }

    /// Everything was shown: what the table says counts.
    fn settle(&mut self) {
        self.replaying = false;
        let Some(game) = &self.table.game else { return };
        self.shown = game.view.clone();
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

    /// What the viewer may do out of turn.
    pub fn optional(&self) -> &[Action] {
        let game = self.table.game.as_ref().filter(|_| !self.is_busy());
        game.map_or(&[], |g| &g.optional)
    }

    /// What the pending action would do.
    pub fn preview(&self) -> Option<Preview> {
        preview(&self.shown, self.me()?, self.choice.pending()?)
    }

    /// Whether the decision is the viewer's, and everything was shown.
    pub fn is_mine(&self) -> bool {
        !self.is_busy() && !self.choice.is_empty()
    }

    fn note(&mut self, event: &Event) {
        let motion = Motion::of(event, &self.shown);
        self.mark(event, motion);
        if let Some(message) = tell(event, &self.shown, &self.names, Detail::Kept) {
            let turn = match event {
                Event::TurnBegan { seat, .. } => Some(*seat),
                _ => None,
            };
            self.log.push(Line { message, turn });
        }
    }

    fn mark(&mut self, event: &Event, motion: Motion) {
        match *event {
            Event::Played { card, .. } | Event::Discarded { card, .. } => self.top = Some(card),
            Event::Reshuffled => self.top = None,
            Event::Rolled { value, .. } => self.die = value,
            _ => {}
        }
        self.trail = motion.trail().or(self.trail);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Intent, Language, LocalTable, Need, Plan, Transport, Words};
    use rules::Actions;
    use table::{BotLevel, ClientMessage, Command, Hex, ServerMessage};

    fn open(bots: usize) -> (LocalTable, Model) {
        let plan = Plan::against_bots("Ann", bots, BotLevel::Novice);
        let local = LocalTable::open("t", &plan, 0, &Hex([9; 32])).unwrap();
        let model = Model::new(local.view()).unwrap();
        (local, model)
    }

    /// Plays `most` actions; after each, the model has to end up where the table is.
    fn play(local: &mut LocalTable, model: &mut Model, most: usize) {
        for i in 0..most {
            let (Need::Person(_, seat) | Need::Bot { seat, .. }) = local.need() else {
                return;
            };
            let mut list = Actions::new();
            let (view, _) = local.bot_view(seat, u64::MAX).unwrap();
            view.legal_actions(&mut list).unwrap();
            let action = list.get(i * 5 % list.len()).unwrap();
            if matches!(local.need(), Need::Bot { .. }) {
                local.bot_acts(1, seat, action, None).unwrap();
            } else {
                local.send(
                    1,
                    ClientMessage::Do {
                        id: 1,
                        command: Command::Act {
                            action,
                            decision: None,
                        },
                    },
                );
            }
            while let Some(message) = local.receive() {
                if let ServerMessage::Happened { seen, .. } = message {
                    model.receive(&seen);
                }
            }
            model.skip();
            assert_eq!(model.shown, local.view().game.unwrap().view);
        }
    }

    #[test]
    fn the_model_follows_the_table_and_tells_what_happened() {
        let (mut local, mut model) = open(2);
        while local.receive().is_some() {}
        play(&mut local, &mut model, 120);
        assert!(model.log.len() > 60);
        for language in Language::ALL {
            let words = Words::of(language);
            for line in &model.log {
                let text = words.say(&line.message);
                assert!(!text.contains('{') && text != line.message.key, "{text}");
            }
        }
    }

    #[test]
    fn the_log_is_read_turn_by_turn_the_newest_first() {
        let (mut local, mut model) = open(2);
        while local.receive().is_some() {}
        play(&mut local, &mut model, 40);
        let mut turns: Vec<&[Line]> = model.turns().collect();
        assert!(turns.len() > 3);
        assert!(
            turns
                .iter()
                .all(|t| t[1..].iter().all(|l| l.turn.is_none()))
        );
        turns.reverse();
        assert_eq!(turns.concat(), model.log);
    }

    #[test]
    fn the_recap_begins_after_ones_own_last_turn_and_can_be_replayed() {
        let (mut local, mut model) = open(1);
        while local.receive().is_some() {}
        play(&mut local, &mut model, 30);
        while !model.is_mine() {
            play(&mut local, &mut model, 1);
        }
        let before = model.shown.clone();
        let lines = model.log.len();
        assert!(model.recap().len() < lines);
        model.replay();
        model.skip();
        assert_eq!((&model.shown, model.log.len()), (&before, lines));
        assert!(model.is_mine());
    }

    #[test]
    fn a_decision_is_previewed_before_it_is_made() {
        let (mut local, mut model) = open(1);
        while local.receive().is_some() {}
        while !model.is_mine() {
            play(&mut local, &mut model, 1);
        }
        assert!(model.choice.begin(Intent::Refresh));
        let tower = model.choice.offers()[1];
        assert!(model.choice.pick(tower));
        let preview = model.preview().unwrap();
        assert!(!preview.lines.is_empty());
    }
}
