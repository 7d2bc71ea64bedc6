//! A simple model of a table: the owners of the seats, and which commands have to be accepted or refused.

use towers_rules::{Action, Seat};
use towers_table::{BotLevel, Command, PersonId, Stage, TableView, Taken, Who};

/// The owner of a seat.
#[derive(Clone, Debug, PartialEq)]
enum Holder {
    Nobody,
    Person(PersonId),
    Bot(BotLevel),
}

/// The required result of a command.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExpectedResult {
    Accept,
    Refuse,
    Either,
}

/// The seats as they have to be after all accepted commands.
pub struct ExpectedSeats {
    seats: Vec<Holder>,
}

fn holders(view: &TableView) -> Vec<Holder> {
    let seats = view.seats.iter();
    seats
        .map(|seat| match &seat.taken {
            Taken::Open => Holder::Nobody,
            Taken::Person { person, .. } => Holder::Person(*person),
            Taken::Bot { level } => Holder::Bot(*level),
        })
        .collect()
}

impl ExpectedSeats {
    /// The model of a table in its present state.
    pub fn of(view: &TableView) -> ExpectedSeats {
        ExpectedSeats {
            seats: holders(view),
        }
    }

    /// The required result of a command, as far as the model knows it. The view is the sender's.
    pub fn due(&self, view: &TableView, by: Who, command: &Command) -> ExpectedResult {
        let playing = view.stage == Stage::Playing;
        // While numbers are drawn, the seats are fixed as well.
        let fixed = playing || view.draw.is_some();
        let Who::Person(_) = by else {
            return match command {
                Command::Sit { .. } if !fixed => ExpectedResult::Either,
                _ => ExpectedResult::Refuse,
            };
        };
        match command {
            Command::Tick | Command::Reopen | Command::Away { .. } => ExpectedResult::Refuse,
            Command::Sit { .. } | Command::Ready { .. } | Command::Commit { .. } if fixed => {
                ExpectedResult::Refuse
            }
            Command::Reveal { .. } if view.draw.is_none() => ExpectedResult::Refuse,
            Command::Mute { .. } | Command::HandOver { .. } if !view.you.host => {
                ExpectedResult::Refuse
            }
            Command::Configure { .. }
            | Command::AddBot { .. }
            | Command::Remove { .. }
            | Command::Ban { .. }
                if fixed || !view.you.host =>
            {
                ExpectedResult::Refuse
            }
            Command::Start if fixed || !view.you.host => ExpectedResult::Refuse,
            Command::Start if self.seats.contains(&Holder::Nobody) => ExpectedResult::Refuse,
            Command::Rematch if fixed || view.stage != Stage::Over => ExpectedResult::Refuse,
            Command::End { .. } | Command::PassAhead { .. } | Command::Replace { .. }
                if !playing =>
            {
                ExpectedResult::Refuse
            }
            Command::Act { action, decision } => due_act(view, *action, *decision),
            _ => ExpectedResult::Either,
        }
    }

    /// Applies an accepted command to the seats. `person` is its sender.
    pub fn learn(&mut self, person: Option<PersonId>, command: &Command, before: &TableView) {
        let own = person.and_then(|p| self.seats.iter().position(|s| *s == Holder::Person(p)));
        let open = self.seats.iter().position(|s| *s == Holder::Nobody);
        match (command, person) {
            (Command::Sit { seat, .. }, Some(person)) => {
                let seat = seat.map(Seat::index).or(own).or(open);
                let seat = seat.expect("there is one");
                if let Some(own) = own {
                    self.seats[own] = Holder::Nobody;
                }
                self.seats[seat] = Holder::Person(person);
            }
            (Command::Leave, _) if before.stage != Stage::Playing && before.draw.is_none() => {
                if let Some(own) = own {
                    self.seats[own] = Holder::Nobody;
                }
            }
            (Command::AddBot { seat, level }, _) => {
                let seat = seat.map(Seat::index).or(open).expect("there is one");
                self.seats[seat] = Holder::Bot(*level);
            }
            (Command::Remove { seat } | Command::Ban { seat }, _) => {
                self.seats[seat.index()] = Holder::Nobody;
            }
            (Command::Configure { settings }, _) => {
                self.seats
                    .resize(usize::from(settings.seats), Holder::Nobody);
            }
            _ => {}
        }
    }

    /// Checks the seats; `leaver` is the person who has just left, if any.
    pub fn check(&mut self, before: &TableView, after: &TableView, leaver: Option<PersonId>) {
        // A person who left during a game is removed some time after its end.
        for (i, seat) in after.seats.iter().enumerate() {
            let leaves = leaver.is_some_and(|p| self.seats[i] == Holder::Person(p));
            let left = leaves || before.seats.get(i).is_some_and(|s| s.left);
            if left && seat.taken == Taken::Open && after.stage != Stage::Playing {
                self.seats[i] = Holder::Nobody;
            }
        }
        assert_eq!(
            holders(after),
            self.seats,
            "after number {}, before {before:?}",
            after.number
        );
    }
}

fn due_act(view: &TableView, action: Action, decision: Option<u64>) -> ExpectedResult {
    let Some(game) = &view.game else {
        return ExpectedResult::Refuse;
    };
    let open = game.waiting.map(|w| w.decision);
    if open.is_none() || decision.is_some_and(|d| Some(d) != open) {
        return ExpectedResult::Refuse;
    }
    if game.legal.contains(&action) || game.optional.contains(&action) {
        return ExpectedResult::Accept;
    }
    ExpectedResult::Refuse
}
