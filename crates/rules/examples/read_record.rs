//! Reads recorded games (traces, see `docs/notation.md`) and checks every legal action and every position in them.
//!
//!     towers trace --players 3 --seed 7 > game.jsonl
//!     cargo run --example read_record -- game.jsonl

use std::error::Error;
use std::{env, fs};

use towers_rules::State;
use towers_rules::trace::{TraceEnding, TraceHeader, TraceOpening, TraceStep, Tracer};

fn main() -> Result<(), Box<dyn Error>> {
    for path in env::args().skip(1) {
        let text = fs::read_to_string(&path)?;
        // A file may hold several games; each begins with its header.
        let mut games: Vec<Vec<&str>> = Vec::new();
        for line in text.lines() {
            match games.last_mut() {
                Some(game) if !line.starts_with("{\"trace\"") => game.push(line),
                _ => games.push(vec![line]),
            }
        }
        let mut decisions = 0;
        for (number, game) in (1..).zip(&games) {
            decisions += replay(game).map_err(|e| format!("{path}, game {number}: {e}"))?;
        }
        println!("{path}: {decisions} decisions, all correct");
    }
    Ok(())
}

fn replay(game: &[&str]) -> Result<usize, Box<dyn Error>> {
    let mut lines = game.iter();
    let header: TraceHeader = serde_json::from_str(lines.next().ok_or("the file is empty")?)?;
    let opening: TraceOpening = serde_json::from_str(lines.next().ok_or("there is no deal")?)?;
    let mut recorded = opening.chance.clone().into_iter();
    let mut dealer = |_: &State| recorded.next();
    let (mut tracer, _, start) = Tracer::begin(&header.setup(), &header.seed, &mut dealer)?;
    if start != opening {
        return Err("the deal differs".into());
    }
    let mut decisions = 0;
    for (number, line) in (3..).zip(lines) {
        if let Ok(ending) = serde_json::from_str::<TraceEnding>(line) {
            let over = tracer.ending().ok_or("the game is not over")?;
            if over != ending {
                return Err(format!("line {number}: it ends differently, {over:?}").into());
            }
            continue;
        }
        let step: TraceStep = serde_json::from_str(line)?;
        let seat = tracer
            .state()
            .seat_of(step.act)
            .ok_or("nobody sits there")?;
        let before = tracer.state().to_owned();
        let mut recorded = step.chance.clone().into_iter();
        let mut dealer = |_: &State| recorded.next();
        let ours = tracer
            .act(seat, step.r#do, &mut dealer)
            .map_err(|e| format!("line {number}: {e}\n  at {before:?}"))?;
        if ours != step {
            let extra: Vec<_> = ours
                .legal
                .iter()
                .filter(|a| !step.legal.contains(a))
                .collect();
            let missing: Vec<_> = step
                .legal
                .iter()
                .filter(|a| !ours.legal.contains(a))
                .collect();
            return Err(format!(
                "line {number}: only here {extra:?}, only there {missing:?}, partner {:?} {:?}\n  at {before:?}\n here {:?}\nthere {:?}",
                ours.partner_legal, step.partner_legal, ours.state, step.state
            )
            .into());
        }
        decisions += 1;
    }
    Ok(decisions)
}

#[cfg(test)]
mod tests {
    use super::replay;
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use towers_rules::trace::Tracer;
    use towers_rules::{Actor, Mode, Preset, Setup, State};

    /// A random game of two players as the lines of a trace.
    fn record() -> Vec<String> {
        let mut rng = SmallRng::seed_from_u64(3);
        let mut chance = SmallRng::seed_from_u64(4);
        let mut dealer = move |state: &State| {
            use rand::RngExt;
            state.sample_chance(|n| chance.random_range(0..n))
        };
        let setup = Setup::new(Preset::Oya, Mode::Versus, 2);
        let (mut tracer, header, opening) = Tracer::begin(&setup, "", &mut dealer).unwrap();
        let mut lines = vec![
            serde_json::to_string(&header).unwrap(),
            serde_json::to_string(&opening).unwrap(),
        ];
        while let Actor::Player(seat) = tracer.state().actor() {
            let action = tracer.state().legal_actions().choose(&mut rng).unwrap();
            let step = tracer.act(seat, action, &mut dealer).unwrap();
            lines.push(serde_json::to_string(&step).unwrap());
        }
        lines.push(serde_json::to_string(&tracer.ending()).unwrap());
        lines
    }

    #[test]
    fn a_record_is_followed_to_its_end_and_a_false_line_is_refused() {
        let lines = record();
        let mut game: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(replay(&game).unwrap(), lines.len() - 3);
        let forged = game[4].replacen("\"round\":", "\"round\":9", 1);
        assert_ne!(forged, game[4]);
        game[4] = &forged;
        assert!(replay(&game).unwrap_err().to_string().starts_with("line 5"));
    }
}
