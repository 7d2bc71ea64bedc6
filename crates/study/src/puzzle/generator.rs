//! New puzzles from games that nobody played.
//!
//! Games are played by keen players: they like to come home, to imprison and to cast, and are otherwise as good as dice. Every
//! turn of such a game is a candidate. No number with a fraction and none of a machine's own size decides anything on the
//! way, so that a seed gives the same puzzle everywhere.

use fastrand::Rng;
use rules::notation::{BoardText, read_position, write_position};
use rules::{
    Action, Actions, Actor, Event, Mode, Phase, Preset, Seat, Setup, Spell, SpellSet, Spells, State,
};

use super::{Goal, Grade, Puzzle, goal::imprisoned};

/// What kind of puzzle is wanted; what is left open may be anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// The goal.
    pub goal: Option<Goal>,
    /// The grade.
    pub grade: Option<Grade>,
}

impl Wish {
    fn wants(self, goal: Goal) -> bool {
        self.goal.is_none_or(|g| g == goal)
    }
}

/// No more solutions than this, or it is not much of a puzzle.
const MOST_SOLUTIONS: u32 = 3;
/// Fewer endings than this are tried out rather than thought about.
const FEWEST_ENDINGS: u32 = 60;
/// Decisions in a game; a guard against playing on for ever.
const LONGEST: usize = 2000;

/// The puzzles found in one game.
pub fn generate(seed: u64, wish: Wish) -> Vec<Puzzle> {
    let mut rng = Rng::with_seed(seed);
    let Ok(mut state) = State::new(&setup(&mut rng)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut list = Actions::new();
    for _ in 0..LONGEST {
        match state.actor() {
            Actor::Nobody => break,
            Actor::Chance => state.settle(|n| rng.u32(0..n.max(1)), &mut ()),
            Actor::Player(seat) => {
                if state.phase() == Phase::Turn && state.actions_used() == 0 {
                    found.extend(puzzles_at(&state, wish, &mut rng));
                }
                let Some(action) = keen(&state, seat, &mut list, &mut rng) else {
                    break;
                };
                state.apply_unchecked(seat, action, &mut ());
            }
        }
    }
    found
}

/// The puzzle of a seed: the first one in the first game that has one.
pub fn of_seed(seed: u64, wish: Wish) -> Option<Puzzle> {
    let mut rng = Rng::with_seed(seed);
    (0..200).find_map(|_| generate(rng.u64(..), wish).into_iter().next())
}

/// A table of two to four with some spells.
fn setup(rng: &mut Rng) -> Setup {
    let mut setup = Setup::new(Preset::Capstone, Mode::Versus, rng.u32(2..=4) as usize);
    let mut spells = SpellSet::BEGINNER;
    if rng.bool() {
        // Piggyback and the rest come up now and then; a handful is enough to look through.
        spells = (0..3).map(|_| Spell::ALL[rng.u32(0..8) as usize]).collect();
    }
    setup.spells = Spells::Chosen(spells);
    setup
}

/// Everything a position could ask for.
fn puzzles_at(state: &State, wish: Wish, rng: &mut Rng) -> Vec<Puzzle> {
    let seat = state.active();
    let dice = state.hand(seat).iter().any(|c| c.dice() > 0);
    // Dice are luck; and not every turn of a game should become a puzzle.
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
        .filter(|&goal| wish.wants(goal))
        .filter_map(|goal| candidate(goal, &position, wish))
        .collect()
}

fn candidate(goal: Goal, position: &str, wish: Wish) -> Option<Puzzle> {
    let (puzzle, solved) = Puzzle::of(goal, position).ok()??;
    let fits = puzzle.solutions <= MOST_SOLUTIONS
        && solved.endings >= FEWEST_ENDINGS
        && puzzle.actions <= 4
        && wish.grade.is_none_or(|g| g == puzzle.grade);
    fits.then_some(puzzle)
}

/// The position with what matters to its turn alone: the hand of the one who is to act, everything open, and the
/// round's last turn, so that who finishes has won (R11.2).
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
    let mut hand: Vec<_> = state.hand(seat).iter().map(rules::Card::text).collect();
    let start = Seat((seat.0 + 1) % state.players());
    let mut parts = vec![
        BoardText::of(state).to_string(),
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
    // Written once more, so that there is one way to write it.
    read_position(&text).map_or(text, |state| write_position(&state))
}

/// What a keen player does.
fn keen(state: &State, seat: Seat, list: &mut Actions, rng: &mut Rng) -> Option<Action> {
    state.legal_actions(list);
    let pick = |n: usize, rng: &mut Rng| rng.u32(0..n.max(1) as u32) as usize;
    if rng.u8(0..4) == 0 {
        let any = list.get(pick(list.len(), rng));
        if any.is_some_and(|a| !super::is_spell(a)) {
            return any;
        }
    }
    let best = list.iter().map(|a| keenness(state, seat, a)).max()?;
    let keen: Vec<_> = list
        .iter()
        .filter(|&a| keenness(state, seat, a) == best)
        .collect();
    keen.get(pick(keen.len(), rng)).copied()
}

fn keenness(state: &State, seat: Seat, action: Action) -> u8 {
    let mut after = *state;
    let mut events = Vec::new();
    after.apply_unchecked(seat, action, &mut events);
    let own = state.wizard_colour(state.owner(seat));
    let liked = |event: &Event| match event {
        Event::WizardMoved {
            colour, onto: None, ..
        } if *colour == own => 5,
        Event::Imprisoned { wizards, .. } if wizards.of(own) == 0 => 4,
        Event::Uncovered { wizards, .. } if wizards.of(own) > 0 => 3,
        Event::WizardMoved { colour, .. } if *colour == own => 2,
        Event::Refreshed { .. } => 0,
        _ => 1,
    };
    let liking = events.iter().map(liked).max().unwrap_or(0);
    // Flasks are kept for coming home, so that positions have some.
    if super::is_spell(action) && liking < 5 {
        return 0;
    }
    liking
}
