//! `towers replay`: replaying a recorded game and checking every line of it.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use towers_rules::trace::{TraceEnding, TraceHeader, TraceOpening, TraceStep, Tracer};
use towers_rules::{Chance, State};

use crate::failure::Failure;
use crate::{replay_record, replay_trace};

/// Prints a recorded game move by move and stops at the first line that breaks the rules.
#[derive(clap::Args)]
pub struct Args {
    /// A record of a table, or a trace, possibly of several games
    file: PathBuf,
    /// Print only the number of games and decisions
    #[arg(long)]
    quiet: bool,
    /// Write the games as traces instead
    #[arg(long, conflicts_with = "quiet")]
    trace: bool,
}

/// The output while a trace is replayed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Printed {
    Nothing,
    Moves,
    /// The trace, as this program writes it.
    Trace,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).map_err(|e| Failure::file(&name, &e))?;
    let mut out = BufWriter::new(io::stdout().lock());
    if replay_record::is_record(&text) {
        if args.trace {
            return replay_trace::write(&name, &text, &mut out);
        }
        let (games, actions) = replay_record::follow(&name, &text, args.quiet, &mut out)?;
        return sum_up(&mut out, games, actions);
    }
    let mut lines = Lines {
        name: &name,
        rest: text.lines().enumerate().peekable(),
    };
    let printed = match (args.trace, args.quiet) {
        (true, _) => Printed::Trace,
        (_, true) => Printed::Nothing,
        _ => Printed::Moves,
    };
    let (mut games, mut decisions) = (0, 0);
    while lines.rest.peek().is_some() {
        games += 1;
        decisions += follow(&mut lines, printed, &mut out)?;
    }
    if games == 0 {
        return Err(Failure::input(format!("{name}: the file is empty")));
    }
    if args.trace {
        return out
            .flush()
            .map_err(|e| Failure::file("standard output", &e));
    }
    sum_up(&mut out, games, decisions)
}

fn sum_up(out: &mut impl Write, games: usize, decisions: usize) -> Result<(), Failure> {
    let game = if games == 1 { "game" } else { "games" };
    let sum = writeln!(out, "{games} {game}, {decisions} decisions, all correct")
        .and_then(|()| out.flush());
    sum.map_err(|e| Failure::file("standard output", &e))
}

struct TraceLine<T> {
    number: usize,
    value: T,
    /// The line as parsed, including unknown fields.
    json: serde_json::Value,
}

/// The lines of a file, with their numbers for error messages.
struct Lines<'a, I: Iterator<Item = (usize, &'a str)>> {
    name: &'a str,
    rest: std::iter::Peekable<I>,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> Lines<'a, I> {
    fn next(&mut self, what: &str) -> Result<(usize, &'a str), Failure> {
        self.rest
            .next()
            .map(|(i, line)| (i + 1, line))
            .ok_or_else(|| {
                Failure::input(format!(
                    "{}: the trace ends too early: {what} is missing",
                    self.name
                ))
            })
    }

    fn parse<T: DeserializeOwned>(&mut self, what: &str) -> Result<TraceLine<T>, Failure> {
        let (number, text) = self.next(what)?;
        let wrong = |e| self.wrong(number, format!("this is not {what}: {e}"));
        Ok(TraceLine {
            number,
            value: serde_json::from_str(text).map_err(wrong)?,
            json: serde_json::from_str(text).map_err(wrong)?,
        })
    }

    fn wrong(&self, number: usize, message: impl std::fmt::Display) -> Failure {
        Failure::input(format!("{} line {number}: {message}", self.name))
    }
}

fn follow<'a, I: Iterator<Item = (usize, &'a str)>>(
    lines: &mut Lines<'a, I>,
    printed: Printed,
    out: &mut impl Write,
) -> Result<usize, Failure> {
    let stdout = |e: io::Error| Failure::file("standard output", &e);
    let first: TraceLine<TraceHeader> = lines.parse("the header of a trace")?;
    let header = &first.value;
    if header.trace != towers_rules::trace::VERSION {
        let why = if header.trace < towers_rules::trace::VERSION {
            "this trace was written by an earlier version of the program, with other rules"
        } else {
            "this trace was written by a later version of the program"
        };
        return Err(lines.wrong(first.number, why));
    }
    let second: TraceLine<TraceOpening> = lines.parse("the opening of a trace")?;
    let opening = &second.value;
    let mut given = RecordedChance(opening.chance.iter().copied().collect());
    let begun = Tracer::begin(&header.setup(), &header.seed, &mut given);
    let (mut tracer, own_header, own_opening) = begun.map_err(|e| lines.wrong(second.number, e))?;
    same(lines, &own_header, &first)?;
    same(lines, &own_opening, &second)?;
    given.all_used(lines, second.number)?;
    if printed == Printed::Trace {
        print_line(&own_header, out)?;
        print_line(&own_opening, out)?;
    }
    if printed == Printed::Moves {
        writeln!(
            out,
            "{} with {} seats: {}",
            header.preset.name(),
            header.seats.len(),
            opening.state.board
        )
        .map_err(stdout)?;
    }
    let mut decisions = 0;
    while tracer.state().outcome().is_none() {
        let line: TraceLine<TraceStep> = lines.parse("a decision")?;
        let (number, step) = (line.number, &line.value);
        let seat = tracer.state().seat_of(step.act);
        let seat = seat.ok_or_else(|| lines.wrong(number, format!("nobody plays {}", step.act)))?;
        let mut given = RecordedChance(step.chance.iter().copied().collect());
        let own = tracer
            .act(seat, step.r#do, &mut given)
            .map_err(|e| lines.wrong(number, e))?;
        same(lines, &own, &line)?;
        given.all_used(lines, number)?;
        tracer.take_events();
        decisions += 1;
        if printed == Printed::Trace {
            print_line(&own, out)?;
        }
        if printed == Printed::Moves {
            let chance = step
                .chance
                .iter()
                .fold(String::new(), |text, c| format!("{text}, {c}"));
            writeln!(
                out,
                "{:>4} {} {}{chance}  {}",
                decisions, step.act, step.r#do, step.state.board
            )
            .map_err(stdout)?;
        }
    }
    let last: TraceLine<TraceEnding> = lines.parse("the end of the game")?;
    let own = tracer
        .ending()
        .ok_or_else(|| lines.wrong(last.number, "the game is not over"))?;
    same(lines, &own, &last)?;
    let ending = &last.value;
    if printed == Printed::Trace {
        print_line(&own, out)?;
    }
    if printed == Printed::Moves {
        let winners: Vec<_> = ending
            .over
            .winners
            .iter()
            .map(ToString::to_string)
            .collect();
        let winners = if winners.is_empty() {
            "nobody".into()
        } else {
            winners.join(" and ")
        };
        writeln!(
            out,
            "{winners} won ({:?}, round {})",
            ending.over.why,
            tracer.state().round()
        )
        .map_err(stdout)?;
    }
    Ok(decisions)
}

fn print_line(line: &impl serde::Serialize, out: &mut impl Write) -> Result<(), Failure> {
    let text = serde_json::to_string(line).map_err(Failure::input)?;
    writeln!(out, "{text}").map_err(|e| Failure::file("standard output", &e))
}

/// Compares a line with the expected one, key by key: nothing may be missing, and nothing may be added. The order of
/// keys means nothing in JSON.
fn same<'a, T: serde::Serialize, I: Iterator<Item = (usize, &'a str)>>(
    lines: &Lines<'a, I>,
    own: &T,
    line: &TraceLine<T>,
) -> Result<(), Failure> {
    let json = serde_json::to_value(own).map_err(Failure::input)?;
    match first_difference("", Some(&json), Some(&line.json)) {
        None => Ok(()),
        Some(difference) => Err(lines.wrong(line.number, difference)),
    }
}

fn first_difference(
    path: &str,
    own: Option<&serde_json::Value>,
    given: Option<&serde_json::Value>,
) -> Option<String> {
    use serde_json::Value;
    match (own, given) {
        (Some(Value::Object(a)), Some(Value::Object(b))) => a
            .keys()
            .chain(b.keys().filter(|k| !a.contains_key(*k)))
            .find_map(|k| first_difference(&format!("{path}/{k}"), a.get(k), b.get(k))),
        _ if own == given => None,
        _ => {
            let text = |v: Option<&Value>| v.map_or("nothing".into(), Value::to_string);
            Some(format!(
                "{}: expected {}, found {}",
                path.trim_start_matches('/'),
                text(own),
                text(given)
            ))
        }
    }
}

/// Outcomes of chance from a file, in order.
pub struct RecordedChance(pub VecDeque<Chance>);

impl RecordedChance {
    fn all_used<'a, I: Iterator<Item = (usize, &'a str)>>(
        &self,
        lines: &Lines<'a, I>,
        number: usize,
    ) -> Result<(), Failure> {
        match self.0.front() {
            None => Ok(()),
            Some(chance) => Err(lines.wrong(number, format!("unexpected '{chance}'"))),
        }
    }
}

impl towers_rules::trace::Dealer for RecordedChance {
    fn deal(&mut self, _: &State) -> Option<Chance> {
        self.0.pop_front()
    }
}
