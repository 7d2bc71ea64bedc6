//! Generating puzzles from simulated games.
//!
//! The players of these games prefer to come home, to imprison and to cast, and are otherwise random. Every turn is a
//! candidate. Only integers of a fixed size are used, so that a seed gives the same puzzle on every machine.

use fastrand::Rng;
use towers_rules::{
    Action, Actions, Actor, Event, Mode, Phase, Preset, Seat, Setup, Spell, SpellSet, Spells, State,
};

use super::goal::imprisoned;
use super::grade::is_spell;
use super::{Goal, Grade, Puzzle};

/// The wanted kind of puzzle; fields left open match anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PuzzleFilter {
    pub goal: Option<Goal>,
    pub grade: Option<Grade>,
}

impl PuzzleFilter {
    fn wants(self, goal: Goal) -> bool {
        self.goal.is_none_or(|g| g == goal)
    }
}

/// A position with more solutions is too easy to be a puzzle.
const MAX_SOLUTIONS: u32 = 3;
/// A turn with fewer possible endings is solved by trial and error.
const MIN_ENDINGS: u32 = 60;
/// The number of decisions in a generated game, as a guard against endless games.
const MAX_DECISIONS: usize = 2000;

/// The puzzles found in one simulated game.
pub fn generate(seed: u64, filter: PuzzleFilter) -> Vec<Puzzle> {
    let mut rng = Rng::with_seed(seed);
    let Ok(mut state) = State::new(&setup(&mut rng)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut list = Actions::new();
    for _ in 0..MAX_DECISIONS {
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => state.settle(|n| rng.u32(0..n.max(1)), &mut ()),
            Actor::Player(seat) => {
                if state.phase() == Phase::Turn && state.actions_used() == 0 {
                    found.extend(puzzles_at(&state, filter, &mut rng));
                }
                let Some(action) = choose(&state, seat, &mut list, &mut rng) else {
                    break;
                };
                state.apply_unchecked(seat, action, &mut ());
            }
        }
    }
    found
}

/// The puzzle of a seed: the first one in the first game that has one.
pub fn of_seed(seed: u64, filter: PuzzleFilter) -> Option<Puzzle> {
    let mut rng = Rng::with_seed(seed);
    (0..200).find_map(|_| generate(rng.u64(..), filter).into_iter().next())
}

/// The puzzle of a day such as `2026-11-15`: derived from the date, the same for everybody.
pub fn of_the_day(day: &str) -> Option<Puzzle> {
    let sum = |n: u64, b: u8| (n ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    let seed = day.bytes().fold(0xcbf2_9ce4_8422_2325, sum);
    of_seed(seed, PuzzleFilter::default())
}

/// A random setup of two to four players with some spells.
fn setup(rng: &mut Rng) -> Setup {
    let mut setup = Setup::new(Preset::Capstone, Mode::Versus, rng.u32(2..=4) as usize);
    let mut spells = SpellSet::BEGINNER;
    if rng.bool() {
        // Few spells keep the number of lines to search small.
        spells = (0..3).map(|_| Spell::ALL[rng.u32(0..8) as usize]).collect();
    }
    setup.spells = Spells::Chosen(spells);
    setup
}

/// All puzzles of the wanted kind in a position.
fn puzzles_at(state: &State, filter: PuzzleFilter, rng: &mut Rng) -> Vec<Puzzle> {
    let seat = state.active();
    let dice = state.hand(seat).iter().any(|c| c.dice() > 0);
    // A die would make it a matter of luck, and only some turns of a game are used.
    if dice || rng.u8(0..6) != 0 {
        return Vec::new();
    }
    let position = stripped(state);
    let mut goals = vec![Goal::Imprison(4), Goal::Imprison(3), Goal::Imprison(2)];
    goals.extend([Goal::Home(2), Goal::Home(1)]);
    if imprisoned(state, seat) > 0 {
        goals.push(Goal::Free);
    }
    if state.wizards_each() - state.home(seat) <= 2 && state.flasks(seat).empty <= 2 {
        goals.push(Goal::Win);
    }
    goals
        .into_iter()
        .filter(|&goal| filter.wants(goal))
        .filter_map(|goal| candidate(goal, &position, filter))
        .collect()
}

fn candidate(goal: Goal, position: &str, filter: PuzzleFilter) -> Option<Puzzle> {
    let (puzzle, solved) = Puzzle::of(goal, position).ok()??;
    let fits = puzzle.solutions <= MAX_SOLUTIONS
        && solved.endings >= MIN_ENDINGS
        && puzzle.actions <= 4
        && filter.grade.is_none_or(|g| g == puzzle.grade);
    fits.then_some(puzzle)
}

/// The position reduced to what matters in this turn: the active player's hand, everything visible, and the last turn
/// of a round, so that finishing wins (R11.2).
fn stripped(state: &State) -> String {
    let seat = state.active();
    let colour = |s: Seat| state.colour(s).letter();
    let seats: Vec<_> = state.seats().map(|s| colour(s).to_string()).collect();
    let flasks: Vec<_> = state
        .seats()
        .map(|s| {
            let f = state.flasks(s);
            format!("{}:{}/{}/{}", colour(s), f.empty, f.full, f.spent)
        })
        .collect();
    let mut hand: Vec<_> = state
        .hand(seat)
        .iter()
        .map(towers_rules::Card::text)
        .collect();
    let start = Seat((seat.0 + 1) % state.players());
    let mut parts = vec![
        state.diagram().to_string(),
        format!("seats={}", seats.join(",")),
        "memory=assisted".into(),
    ];
    if start != Seat(0) {
        parts.push(format!("start={}", colour(start)));
    }
    if !state.spells().is_empty() {
        parts.push(format!("spells={}", state.spells()));
    }
    hand.sort_unstable();
    parts.push(format!("hands={}:{}", colour(seat), hand.join(",")));
    parts.push(format!("flasks={}", flasks.join(";")));
    parts.push(format!("active={}", colour(seat)));
    let text = parts.join(" ");
    // Parsed and printed, so that equal positions have equal texts.
    text.parse::<State>()
        .map_or(text, |state| state.to_string())
}

/// The action of a simulated player.
fn choose(state: &State, seat: Seat, list: &mut Actions, rng: &mut Rng) -> Option<Action> {
    state.legal_actions_into(list);
    let pick = |n: usize, rng: &mut Rng| rng.u32(0..n.max(1) as u32) as usize;
    if rng.u8(0..4) == 0 {
        let any = list.get(pick(list.len(), rng));
        if any.is_some_and(|a| !is_spell(a)) {
            return any;
        }
    }
    let best = list.iter().map(|a| preference(state, seat, a)).max()?;
    let preferred: Vec<_> = list
        .iter()
        .filter(|&a| preference(state, seat, a) == best)
        .collect();
    preferred.get(pick(preferred.len(), rng)).copied()
}

/// How much a simulated player prefers an action.
fn preference(state: &State, seat: Seat, action: Action) -> u8 {
    let mut after = *state;
    let mut events = Vec::new();
    after.apply_unchecked(seat, action, &mut events);
    let own = state.wizard_colour(state.owner(seat));
    let rating = |event: &Event| match event {
        Event::WizardMoved {
            colour, onto: None, ..
        } if *colour == own => 5,
        Event::Imprisoned { wizards, .. } if wizards.of(own) == 0 => 4,
        Event::Uncovered { wizards, .. } if wizards.of(own) > 0 => 3,
        Event::WizardMoved { colour, .. } if *colour == own => 2,
        Event::Refreshed { .. } => 0,
        _ => 1,
    };
    let rating = events.iter().map(rating).max().unwrap_or(0);
    // Flasks are saved for coming home, so that positions have some.
    if is_spell(action) && rating < 5 {
        return 0;
    }
    rating
}
