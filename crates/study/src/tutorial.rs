//! The first game: a scripted deal of about five minutes in which everything happens once.
//!
//! The learner is blue and does every step on the real board; yellow and chance follow the script. What is said is in the texts,
//! under the name of the step.

use rules::notation::read_position;
use rules::{Action, Chance, Event, Seat, State};

use crate::texts::Texts;

/// The learner's seat.
pub const LEARNER: Seat = Seat(0);

/// The position in which the lesson begins: the middle of a game, with the castle within reach. Yellow is the starting player, so that the
/// learner's turn is the last of its round and finishing wins at once (R11.2).
pub const POSITION: &str = "-/A/By/b/H/E/Cy/D/I/G/F/-/*/b/-/y seats=b,y memory=assisted start=y spells=AW hands=b:t3,w2,w?t?;y:t1,t3,w1 flasks=b:2/1/3;y:4/0/2 round=6 active=b";

/// Something in the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// Something is told; the learner goes on when it was read. The name is that of its texts.
    Tell(&'static str),
    /// The learner does this; with the name of its texts.
    Do(&'static str, &'static str),
    /// Yellow does this.
    Yellow(&'static str),
    /// Chance does this.
    Chance(&'static str),
}

use Beat::{Do, Tell, Yellow};

/// The script.
pub const SCRIPT: &[Beat] = &[
    Tell("welcome"),
    Do("walk", "w2:w3"),
    Do("ride", "t3:tE"),
    Beat::Chance("draw b t2"),
    Beat::Chance("draw b w3"),
    Tell("yellow"),
    Yellow("t3:tF"),
    Yellow("w1:w2"),
    Beat::Chance("draw y w2"),
    Beat::Chance("draw y w4"),
    Do("free", "t2:tF"),
    Do("roll", "w?t?"),
    Beat::Chance("roll 3"),
    Do("use", ":w8"),
    Do("spell", "AW:11b"),
    Beat::Chance("draw b t2"),
    Beat::Chance("draw b w1"),
    Tell("castle"),
    Yellow("w2:w3"),
    Yellow("t1:tD"),
    Beat::Chance("draw y w5"),
    Beat::Chance("draw y t4"),
    Do("last", "t2:tH"),
    Do("home", "w3:w13"),
    Beat::Chance("draw b w4"),
    Beat::Chance("draw b t5"),
    Tell("won"),
];

/// The names of all steps that have texts, in order.
pub fn steps() -> impl Iterator<Item = &'static str> {
    SCRIPT.iter().filter_map(|beat| match beat {
        Tell(name) | Do(name, _) => Some(*name),
        Yellow(_) | Beat::Chance(_) => None,
    })
}

/// What an action of the learner leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// That was it.
    Right,
    /// It was something else: the texts say what was meant, under this name.
    Wrong(&'static str),
    /// There is nothing to do now but to read.
    NotNow,
}

/// A lesson that is going on.
#[derive(Clone, Debug)]
pub struct Lesson {
    state: State,
    beat: usize,
    events: Vec<Event>,
}

impl Default for Lesson {
    fn default() -> Lesson {
        Lesson::new()
    }
}

impl Lesson {
    /// The lesson from its beginning.
    pub fn new() -> Lesson {
        Lesson {
            state: read_position(POSITION).expect("the script begins with a legal position"),
            beat: 0,
            events: Vec::new(),
        }
    }

    /// The lesson at a step, to go on where one stopped; the first if there is no such step.
    pub fn at(step: usize) -> Lesson {
        let mut lesson = Lesson::new();
        while lesson.step() < step && lesson.go_on() {}
        if lesson.step() != step {
            return Lesson::new();
        }
        lesson.events.clear();
        lesson
    }

    /// The position.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Which step it is, counted from 0.
    pub fn step(&self) -> usize {
        let told = SCRIPT[..self.beat].iter();
        told.filter(|b| matches!(b, Tell(_) | Do(..))).count()
    }

    /// How many steps there are.
    pub fn steps() -> usize {
        steps().count()
    }

    /// The name of the step, under which its texts are; none after the end.
    pub fn name(&self) -> Option<&'static str> {
        match SCRIPT.get(self.beat)? {
            Tell(name) | Do(name, _) => Some(name),
            Yellow(_) | Beat::Chance(_) => None,
        }
    }

    /// What the learner is to do, if anything but reading.
    pub fn expected(&self) -> Option<Action> {
        match SCRIPT.get(self.beat)? {
            Do(_, action) => action.parse().ok(),
            _ => None,
        }
    }

    /// Whether all is told and done.
    pub fn is_over(&self) -> bool {
        self.beat >= SCRIPT.len()
    }

    /// What happened since this was asked last, to be shown.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The learner has read what is told.
    pub fn read_on(&mut self) {
        if matches!(SCRIPT.get(self.beat), Some(Tell(_))) {
            self.beat += 1;
            self.follow();
        }
    }

    /// The learner does something.
    pub fn act(&mut self, action: Action) -> Answer {
        let Some(&Do(name, _)) = SCRIPT.get(self.beat) else {
            return Answer::NotNow;
        };
        if self.expected() != Some(action) {
            return Answer::Wrong(name);
        }
        self.go_on();
        Answer::Right
    }

    /// Does or reads the step; whether there was one.
    pub fn go_on(&mut self) -> bool {
        if let Some(action) = self.expected() {
            self.apply(LEARNER, action);
            self.beat += 1;
            self.follow();
        } else if self.name().is_some() {
            self.read_on();
        } else {
            return false;
        }
        true
    }

    /// Yellow and chance do what the script says.
    fn follow(&mut self) {
        loop {
            match SCRIPT.get(self.beat) {
                Some(Yellow(action)) => {
                    if let Ok(action) = action.parse() {
                        self.apply(Seat(1), action);
                    }
                }
                Some(Beat::Chance(chance)) => {
                    if let Ok(chance) = chance.parse::<Chance>() {
                        let done = self.state.apply_chance_watched(chance, &mut self.events);
                        debug_assert!(done.is_ok(), "{chance}: {done:?}");
                    }
                }
                _ => return,
            }
            self.beat += 1;
        }
    }

    fn apply(&mut self, seat: Seat, action: Action) {
        let done = self.state.apply_watched(seat, action, &mut self.events);
        debug_assert!(done.is_ok(), "{action}: {done:?}");
    }
}

/// What is said of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepText<'a> {
    /// Its heading.
    pub title: &'a str,
    /// What is told, and what to do.
    pub text: &'a str,
    /// What is said when something else is done; none where there is nothing to do.
    pub wrong: Option<&'a str>,
}

/// The texts of a step.
pub fn text<'a>(texts: &'a Texts, name: &str) -> Option<StepText<'a>> {
    Some(StepText {
        title: texts.get(&format!("{name}.title"))?,
        text: texts.get(&format!("{name}.text"))?,
        wrong: texts.get(&format!("{name}.wrong")),
    })
}
