//! Helpers shared by the test binaries, each of which uses only some of them.
#![allow(dead_code, unused_imports)]

pub mod policy;
pub mod rng;
pub mod scenario;
pub mod universe;
pub mod variants;
pub mod words;

use towers_rules::{Action, Actions, Actor, Chance, Event, Illegal, Seat, State, Surface};

pub use rng::Rng;
pub use scenario::Scenario;

pub fn action(text: &str) -> Action {
    text.parse()
        .unwrap_or_else(|e| panic!("'{text}' is no action: {e}"))
}

pub fn to_act(state: &State) -> Seat {
    match state.actor() {
        Actor::Player(seat) => seat,
        other => panic!("{other:?} is to act in {state:?}"),
    }
}

/// The colour that is to act, as its letter; `?` for chance and `.` after the end.
pub fn turn_of(state: &State) -> char {
    match state.actor() {
        Actor::Player(seat) => state.colour(seat).letter(),
        Actor::Chance => '?',
        Actor::Nobody => '.',
    }
}

pub fn seat(state: &State, colour: char) -> Seat {
    towers_rules::Colour::from_letter(colour)
        .and_then(|c| state.seat_of(c))
        .unwrap_or_else(|| panic!("nobody plays {colour}"))
}

/// Applies a legal action of the player to act; returns the events.
pub fn play(state: &mut State, text: &str) -> Vec<Event> {
    let actor = to_act(state);
    let list = state.legal_actions();
    assert!(
        list.contains(action(text)),
        "{text} is not listed in {state:?}: {:?}",
        legal(state)
    );
    play_as(state, actor, text)
}

/// Applies a legal action of a seat, in or out of turn; returns the events.
pub fn play_as(state: &mut State, seat: Seat, text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    state
        .apply_observed(seat, action(text), &mut events)
        .unwrap_or_else(|e| panic!("{text}: {e} ({}) in {state:?}", e.clause()));
    state
        .check_invariants()
        .unwrap_or_else(|e| panic!("after {text}: {e} in {state:?}"));
    events
}

/// Plays several actions of the player to act, with chance in between where it is written
/// (`roll 3`); returns the events of all.
pub fn play_all(state: &mut State, texts: &[&str]) -> Vec<Event> {
    let mut events = Vec::new();
    for text in texts {
        match text.parse::<Chance>() {
            Ok(chance) => state
                .apply_chance_observed(chance, &mut events)
                .unwrap_or_else(|e| panic!("{text}: {e}")),
            Err(_) => events.extend(play(state, text)),
        }
    }
    events
}

/// Checks that an action of the player to act is refused and changes nothing; returns the error.
pub fn refused(state: &State, text: &str) -> Illegal {
    refused_as(state, to_act(state), text)
}

/// Checks that an action of a seat is refused and changes nothing; returns the error.
pub fn refused_as(state: &State, seat: Seat, text: &str) -> Illegal {
    let before = *state;
    let mut state = *state;
    let why = state
        .apply(seat, action(text))
        .expect_err(&format!("{text} should be refused in {before:?}"));
    assert_eq!(state, before, "a refused action changes nothing");
    assert!(
        !legal(&state).contains(&text.to_string()) || seat != to_act(&state),
        "{text} is listed though it is refused"
    );
    why
}

/// Applies the outcome of chance with this text; returns the events.
pub fn chance(state: &mut State, text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let chance = text.parse().unwrap_or_else(|e| panic!("'{text}': {e}"));
    state
        .apply_chance_observed(chance, &mut events)
        .unwrap_or_else(|e| panic!("{text}: {e} in {state:?}"));
    events
}

/// Applies the first possible outcome of chance until a player is to act; returns the events.
pub fn settle(state: &mut State) -> Vec<Event> {
    let mut events = Vec::new();
    while state.actor() == Actor::Chance {
        let (chance, _) = state.chance_outcomes()[0];
        state
            .apply_chance_observed(chance, &mut events)
            .expect("chance offers what it accepts");
    }
    events
}

/// Applies random outcomes of chance until a player is to act.
pub fn settle_randomly(state: &mut State, rng: &mut Rng, events: &mut Vec<Event>) -> Vec<Chance> {
    let mut done = Vec::new();
    while let Some(chance) = state.sample_chance(|n| rng.below(n)) {
        state
            .apply_chance_observed(chance, events)
            .expect("chance offers what it accepts");
        done.push(chance);
    }
    done
}

/// Every legal action of the player to act, sorted.
pub fn legal(state: &State) -> Vec<String> {
    let list = state.legal_actions();
    texts(&list)
}

/// Every legal action of the partner out of turn, sorted.
pub fn partner_legal(state: &State) -> Vec<String> {
    let mut list = Actions::new();
    state.partner_actions_into(&mut list);
    texts(&list)
}

fn texts(list: &Actions) -> Vec<String> {
    let mut texts: Vec<_> = list.iter().map(|a| a.to_string()).collect();
    texts.sort_unstable();
    texts
}

/// The legal actions that begin like this, sorted.
pub fn legal_like(state: &State, begin: &str) -> Vec<String> {
    let mut texts = legal(state);
    texts.retain(|t| t.starts_with(begin));
    texts
}

/// A space in board notation.
pub fn field(state: &State, space: usize) -> String {
    state
        .diagram()
        .to_string()
        .split('/')
        .nth(space)
        .expect("there are 16 spaces")
        .to_string()
}

/// Empty, full and spent flasks of a colour.
pub fn flasks(state: &State, colour: char) -> [u8; 3] {
    let flasks = state.flasks(seat(state, colour));
    [flasks.empty, flasks.full, flasks.spent]
}

/// How many wizards of a colour are home.
pub fn home(state: &State, colour: char) -> u8 {
    state.home(seat(state, colour))
}

/// The cards of a colour's hand, separated by commas.
pub fn hand(state: &State, colour: char) -> String {
    let cards: Vec<_> = state
        .hand(seat(state, colour))
        .iter()
        .map(towers_rules::Card::text)
        .collect();
    cards.join(",")
}

/// The number of the castle's space.
pub fn castle(state: &State) -> u8 {
    state.castle().number()
}

/// The letters of the winners; `-` for nobody.
pub fn winners(state: &State) -> String {
    let outcome = state.outcome().expect("the game is over");
    let letters: String = outcome
        .winners
        .iter()
        .map(|s| state.colour(s).letter())
        .collect();
    if letters.is_empty() {
        "-".into()
    } else {
        letters
    }
}

/// Whether a wizard came home in these events.
pub fn someone_entered(events: &[Event]) -> bool {
    events
        .iter()
        .any(|e| matches!(e, Event::WizardMoved { onto: None, .. }))
}

/// How often the castle moved in these events.
pub fn castle_moves(events: &[Event]) -> usize {
    let moved = |e: &&Event| matches!(e, Event::CastleMoved { .. });
    events.iter().filter(moved).count()
}

/// Who filled a flask in these events.
pub fn filled(events: &[Event]) -> Vec<Seat> {
    let filled = |e: &Event| match e {
        Event::FlaskFilled { seat } => Some(*seat),
        _ => None,
    };
    events.iter().filter_map(filled).collect()
}

/// The surface with this text, a number or a letter.
pub fn surface(text: &str) -> Surface {
    text.parse().expect("a surface")
}

/// Empty, full and spent flasks of everyone who has some.
pub fn flasks_text(state: &State) -> String {
    let one = |owner: Seat| {
        let f = state.flasks(owner);
        format!(
            "{} {}/{}/{}",
            state.wizard_colour(owner),
            f.empty,
            f.full,
            f.spent
        )
    };
    state.owners().map(one).collect::<Vec<_>>().join(", ")
}
