//! One game between bots: deal, views, events, thinking time.

use std::time::Duration;

use towers_bots::{Bot, Budget, Strength};
use towers_rules::{
    Actor, Card, Chance, ChanceRequest, Event, KINDS, Outcome, Seat, Setup, State, Viewer,
};

use crate::chance::Seeded;
use crate::cpu_clock;
use crate::failure::Failure;

/// A participant of a contest: a strength with its budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The text on the command line.
    pub name: String,
    pub level: Strength,
    pub budget: Budget,
}

impl Entrant {
    /// Parses `master`, `master@200ms` or `master@500` (playouts); `usual` is the budget without `@`.
    pub fn read(text: &str, usual: Budget) -> Result<Entrant, Failure> {
        let (level, budget) = match text.split_once('@') {
            None => (text, usual),
            Some((level, budget)) => (level, read_budget(budget)?),
        };
        Ok(Entrant {
            name: text.into(),
            level: level.parse().map_err(Failure::input)?,
            budget,
        })
    }
}

/// Parses `200ms`, `1s`, or a number of playouts.
pub fn read_budget(text: &str) -> Result<Budget, Failure> {
    let wrong = || Failure::input(format!("'{text}' is not a budget such as 200ms, 1s or 500"));
    let time = |number: &str, unit: f64| {
        let seconds = number.parse::<f64>().map_err(|_| wrong())? * unit;
        Duration::try_from_secs_f64(seconds)
            .map(Budget::Time)
            .map_err(|_| wrong())
    };
    if let Some(number) = text.strip_suffix("ms") {
        time(number, 0.001)
    } else if let Some(number) = text.strip_suffix('s') {
        time(number, 1.0)
    } else {
        text.parse().map(Budget::Iterations).map_err(|_| wrong())
    }
}

/// Chance of one deal. The order of the cards and the rolls are fixed independently, so that all participants get the
/// same luck as far as their actions allow.
pub struct ContestDeal {
    cards: Vec<Card>,
    shuffles: Seeded,
    dice: Seeded,
}

impl ContestDeal {
    pub fn new(seed: u64, number: u64) -> ContestDeal {
        let mut shuffles = Seeded::game(seed, 2 * number);
        let mut cards: Vec<Card> = (0..KINDS as u8)
            .filter_map(Card::new)
            .flat_map(|card| std::iter::repeat_n(card, card.copies().into()))
            .collect();
        shuffle(&mut cards, &mut shuffles);
        ContestDeal {
            cards,
            shuffles,
            dice: Seeded::game(seed, 2 * number + 1),
        }
    }

    /// The cards still to come, the next one last.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    pub fn rolls(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| 1 + self.dice.below(6) as u8).collect()
    }

    /// The next outcome of chance.
    pub fn answer(&mut self, state: &State) -> Option<Chance> {
        match state.chance()? {
            ChanceRequest::Draw(seat) => {
                let card = self.cards.pop()?;
                Some(Chance::Draw(state.hand_colour(seat), card))
            }
            ChanceRequest::Shuffle => {
                let pile = state.discard_pile();
                let copies = |(card, n): (Card, u8)| std::iter::repeat_n(card, n.into());
                self.cards = pile.iter().flat_map(copies).collect();
                shuffle(&mut self.cards, &mut self.shuffles);
                Some(Chance::Shuffle)
            }
            ChanceRequest::Roll => state.sample_chance(|n| self.dice.below(n)),
            _ => state.sample_chance(|n| self.shuffles.below(n)),
        }
    }
}

fn shuffle(cards: &mut [Card], chance: &mut Seeded) {
    for i in (1..cards.len()).rev() {
        cards.swap(i, chance.below(i as u32 + 1) as usize);
    }
}

/// The total thinking time of a participant.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecisionTimes {
    pub decisions: u64,
    pub time: Duration,
    pub longest: Duration,
}

impl DecisionTimes {
    pub fn add(&mut self, other: DecisionTimes) {
        self.decisions += other.decisions;
        self.time += other.time;
        self.longest = self.longest.max(other.longest);
    }
}

pub struct ContestResult {
    pub outcome: Outcome,
    pub times: Vec<DecisionTimes>,
}

/// Plays a deal with an entrant per seat.
pub fn play(
    setup: &Setup,
    seats: &[&Entrant],
    mut deal: ContestDeal,
    seed: u64,
) -> Result<ContestResult, Failure> {
    let mut state = State::new(setup).map_err(Failure::input)?;
    let mut events = Vec::new();
    settle(&mut state, &mut deal, &mut events)?;
    let mut bots: Vec<Bot> = state
        .seats()
        .map(|seat| {
            let view = state.view(Viewer::Seat(seat));
            let seed = seed.wrapping_mul(31).wrapping_add(u64::from(seat.0));
            Bot::new(seats[seat.index()].level, seat, seed, &view)
        })
        .collect();
    let mut times = vec![DecisionTimes::default(); seats.len()];
    events.clear();
    loop {
        if let Some(outcome) = state.outcome() {
            return Ok(ContestResult { outcome, times });
        }
        let Actor::Player(actor) = state.actor() else {
            return Err(Failure::Outside("a game did not end".into()));
        };
        let before = cpu_clock::now();
        let (seat, action) = if let Some(offer) = offer(&state, &mut bots) {
            offer
        } else {
            let view = state.view(Viewer::Seat(actor));
            let action =
                bots[actor.index()].act(&view, seats[actor.index()].budget, &cpu_clock::now);
            let none = || Failure::Outside("a bot returned no action".into());
            (actor, action.ok_or_else(none)?)
        };
        let time = cpu_clock::now().saturating_sub(before);
        times[seat.index()].add(DecisionTimes {
            decisions: 1,
            time,
            longest: time,
        });
        state
            .apply_observed(seat, action, &mut events)
            .map_err(|e| Failure::Outside(format!("a bot played {action}: {e}")))?;
        settle(&mut state, &mut deal, &mut events)?;
        for bot in &mut bots {
            let viewer = Viewer::Seat(bot.seat());
            for &event in &events {
                bot.observe(&state.event_seen_by(event, viewer));
            }
        }
        events.clear();
    }
}

/// The action of the active player's partner out of turn (R12.2).
fn offer(state: &State, bots: &mut [Bot]) -> Option<(Seat, towers_rules::Action)> {
    let partner = state.partner(state.active())?;
    if state.phase() != towers_rules::Phase::Turn {
        return None;
    }
    let view = state.view(Viewer::Seat(partner));
    Some((partner, bots[partner.index()].offer(&view)?))
}

fn settle(
    state: &mut State,
    deal: &mut ContestDeal,
    events: &mut Vec<Event>,
) -> Result<(), Failure> {
    while let Some(chance) = deal.answer(state) {
        state
            .apply_chance_observed(chance, events)
            .map_err(|e| Failure::Outside(format!("chance gave {chance}: {e}")))?;
    }
    Ok(())
}
