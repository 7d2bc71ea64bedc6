//! The lesson: a scripted game of about five minutes that shows every rule once.
//!
//! The learner is blue and acts on the real board; yellow and chance follow the script. The texts are stored under the
//! names of the steps.

use towers_rules::{Action, Chance, Event, Seat, State};

use crate::texts::Texts;

pub const LEARNER: Seat = Seat(0);

/// The position in which the lesson begins: the middle of a game, with the castle within reach. The learner is the starting player, so
/// that yellow has one more turn after the learner has finished: the last round is played out (R11.2).
pub const POSITION: &str = "-/A/By/b/H/E/Cy/D/I/G/F/-/*/b/-/y seats=b,y memory=assisted start=b spells=AW hands=b:t3,w2,w??;y:t1,t3,w1 flasks=b:2/1/3;y:4/0/2 round=6 active=b";

/// An element of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// An explanation with the name of its texts; the learner continues after reading it.
    Tell(&'static str),
    /// The learner's action, with the name of its texts.
    Do(&'static str, &'static str),
    /// Yellow's action.
    Yellow(&'static str),
    /// An outcome of chance.
    Chance(&'static str),
}

use Beat::{Do, Tell, Yellow};

/// The lesson from beginning to end.
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
    Tell("remember"),
    Do("roll", "w??"),
    Beat::Chance("roll 1"),
    Do("reroll", "reroll"),
    Beat::Chance("roll 3"),
    Do("use", ":w8"),
    Do("spell", "AW:11b"),
    Beat::Chance("draw b t2"),
    Beat::Chance("draw b w???"),
    Tell("castle"),
    Yellow("w2:w3"),
    Yellow("t1:tD"),
    Beat::Chance("draw y w5"),
    Beat::Chance("draw y t4"),
    Tell("three"),
    Do("last", "t2:tH"),
    Do("home", "w3:w13"),
    Beat::Chance("draw b w4"),
    Beat::Chance("draw b t5"),
    Tell("round"),
    Yellow("t4:tD"),
    Yellow("w4:w5"),
    Beat::Chance("draw y w1"),
    Beat::Chance("draw y t1"),
    Tell("won"),
];

/// The names of all steps that have texts, in order.
pub fn steps() -> impl Iterator<Item = &'static str> {
    SCRIPT.iter().filter_map(|beat| match beat {
        Tell(name) | Do(name, _) => Some(*name),
        Yellow(_) | Beat::Chance(_) => None,
    })
}

/// The comparison of a learner's action with the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LessonVerdict {
    /// The expected action.
    Right,
    /// Another action; the texts under this name say what is expected.
    Wrong(&'static str),
    /// The script expects no action now.
    NotNow,
}

/// A lesson in progress.
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
    /// The lesson at its start.
    pub fn new() -> Lesson {
        Lesson {
            state: POSITION
                .parse::<State>()
                .expect("the script begins with a legal position"),
            beat: 0,
            events: Vec::new(),
        }
    }

    /// The lesson at a step, to resume; at the first one if there is no such step.
    pub fn at(step: usize) -> Lesson {
        let mut lesson = Lesson::new();
        while lesson.step() < step && lesson.advance() {}
        if lesson.step() != step {
            return Lesson::new();
        }
        lesson.events.clear();
        lesson
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// The current step, counted from 0.
    pub fn step(&self) -> usize {
        let told = SCRIPT[..self.beat].iter();
        told.filter(|b| matches!(b, Tell(_) | Do(..))).count()
    }

    pub fn steps() -> usize {
        steps().count()
    }

    /// The name of the step's texts; `None` after the end.
    pub fn name(&self) -> Option<&'static str> {
        match SCRIPT.get(self.beat)? {
            Tell(name) | Do(name, _) => Some(name),
            Yellow(_) | Beat::Chance(_) => None,
        }
    }

    /// The action the learner has to take, if any.
    pub fn expected(&self) -> Option<Action> {
        match SCRIPT.get(self.beat)? {
            Do(_, action) => action.parse().ok(),
            _ => None,
        }
    }

    pub fn is_over(&self) -> bool {
        self.beat >= SCRIPT.len()
    }

    /// The events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Continues after an explanation.
    pub fn read_on(&mut self) {
        if matches!(SCRIPT.get(self.beat), Some(Tell(_))) {
            self.beat += 1;
            self.follow();
        }
    }

    /// Checks and applies an action of the learner.
    pub fn act(&mut self, action: Action) -> LessonVerdict {
        let Some(&Do(name, _)) = SCRIPT.get(self.beat) else {
            return LessonVerdict::NotNow;
        };
        if self.expected() != Some(action) {
            return LessonVerdict::Wrong(name);
        }
        self.advance();
        LessonVerdict::Right
    }

    /// Completes the current step, whether action or explanation; returns whether there was one.
    pub fn advance(&mut self) -> bool {
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

    /// Plays yellow and chance as scripted.
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
                        let done = self.state.apply_chance_observed(chance, &mut self.events);
                        debug_assert!(done.is_ok(), "{chance}: {done:?}");
                    }
                }
                _ => return,
            }
            self.beat += 1;
        }
    }

    fn apply(&mut self, seat: Seat, action: Action) {
        let done = self.state.apply_observed(seat, action, &mut self.events);
        debug_assert!(done.is_ok(), "{action}: {done:?}");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepText<'a> {
    pub title: &'a str,
    /// The explanation, and what to do.
    pub text: &'a str,
    /// Shown after a wrong action; none where no action is expected.
    pub wrong: Option<&'a str>,
}

/// How the learner points at things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    Finger,
    Mouse,
}

/// A text for a pointer: of `[tap|click]`, a finger gets the first part and a mouse the second.
pub fn fit_pointer(text: &str, pointer: PointerKind) -> String {
    let mut fitted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('[') {
        let Some((choice, after)) = tail.split_once(']') else {
            break;
        };
        let (finger, mouse) = choice.split_once('|').unwrap_or((choice, choice));
        fitted += before;
        fitted += match pointer {
            PointerKind::Finger => finger,
            PointerKind::Mouse => mouse,
        };
        rest = after;
    }
    fitted + rest
}

pub fn text<'a>(texts: &'a Texts, name: &str) -> Option<StepText<'a>> {
    Some(StepText {
        title: texts.get(&format!("{name}.title"))?,
        text: texts.get(&format!("{name}.text"))?,
        wrong: texts.get(&format!("{name}.wrong")),
    })
}
