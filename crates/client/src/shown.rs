//! The view on the screen, updated event by event.
//!
//! The table sends events and the view after them. An animated screen shows the positions in between, so each event is
//! also applied to the view here. Unknown parts stay unchanged until the table's own view replaces them.

use towers_rules::{
    Card, Colour, Event, Memory, Mode, Seat, Space, Surface, SurfaceView, Tower, View, Wizards,
};

/// The space and the height of a surface; grounds have height 0.
pub fn locate(view: &View, surface: Surface) -> Option<(Space, usize)> {
    match surface.tower() {
        None => Some((Space::new(surface.index() as u8)?, 0)),
        Some(tower) => find(view, tower),
    }
}

pub fn space_of(view: &View, surface: Surface) -> Option<Space> {
    locate(view, surface).map(|(space, _)| space)
}

/// The position of a tower: its space, and the height of its top.
pub fn find(view: &View, tower: Tower) -> Option<(Space, usize)> {
    Space::all().find_map(|space| {
        let levels = view.spaces.get(space.index())?;
        let height = levels.iter().position(|l| l.tower == Some(tower))?;
        Some((space, height))
    })
}

/// The wizards on the exposed surface of a space.
pub fn exposed(view: &View, space: Space) -> Wizards {
    view.spaces
        .get(space.index())
        .and_then(|levels| levels.last())
        .and_then(|level| level.wizards)
        .unwrap_or_default()
}

/// The height of a space's stack.
pub fn height(view: &View, space: Space) -> usize {
    view.spaces
        .get(space.index())
        .map_or(0, |levels| levels.len() - 1)
}

pub fn apply(view: &mut View, event: &Event) {
    match *event {
        Event::StartDrawn { seat } => view.start = seat,
        Event::SpellsDrawn { spells } => view.spells = spells,
        Event::Reshuffled => {
            view.draw += view.discard.len() as u8;
            view.discard.clear();
        }
        Event::Drew { seat, card } => {
            view.draw = view.draw.saturating_sub(1);
            change_cards(view, seat, 1);
            if let (Some(card), Some(hand)) = (card, &mut view.hand) {
                insert(hand, card);
            }
        }
        Event::TurnBegan { seat, round } => {
            view.turn.active = seat;
            view.turn.played = 0;
            view.turn.rolled = 0;
            view.round = round;
        }
        Event::Played { seat, card } => {
            discard(view, seat, card);
            view.turn.played += 1;
        }
        Event::Discarded { seat, card } => discard(view, seat, card),
        Event::Rolled { value, .. } => view.turn.rolled = value,
        Event::SpellCast { seat, cost, .. } | Event::PiggybackCast { seat, cost } => {
            each_owner(view, seat, |flasks| {
                flasks.full = flasks.full.saturating_sub(cost);
                flasks.spent += cost;
            });
        }
        Event::WizardMoved {
            colour,
            from,
            to,
            onto,
        } => walk(view, colour, from, to, onto),
        Event::TowerMoved { tower, to, .. } => wander(view, tower, to),
        Event::Uncovered { surface, wizards } => set(view, surface, Some(wizards)),
        Event::Imprisoned { surface, .. } if view.options.memory == Memory::Strict => {
            set(view, surface, None);
        }
        Event::FlaskFilled { seat } => each_owner(view, seat, |flasks| {
            flasks.empty = flasks.empty.saturating_sub(1);
            flasks.full += 1;
        }),
        Event::TowersSwapped { one, other } => {
            swap(view, one, other);
            // R10.3: the castle moves along.
            if view.castle == one {
                view.castle = other;
            } else if view.castle == other {
                view.castle = one;
            }
        }
        Event::CastleMoved { to, .. } => view.castle = to,
        Event::HandedOver { from, to, card } => {
            change_cards(view, from, -1);
            change_cards(view, to, 1);
            hand_over(view, from, to, card);
        }
        Event::Gave { from, to, flasks } => {
            if let Some(giver) = view.players.get_mut(from.index()) {
                giver.flasks.full = giver.flasks.full.saturating_sub(flasks);
            }
            if let Some(taker) = view.players.get_mut(to.index()) {
                taker.flasks.full += flasks;
            }
        }
        Event::Over { outcome } => view.outcome = Some(outcome),
        Event::Refreshed { .. }
        | Event::Declared { .. }
        | Event::Passed { .. }
        | Event::Claimed { .. }
        | Event::Prevented { .. }
        | Event::NothingMoved { .. }
        | Event::Imprisoned { .. }
        | Event::Peeked { .. }
        | Event::NobodyFreed { .. }
        | Event::Asked { .. }
        | Event::Offered { .. }
        | Event::Declined { .. }
        | Event::TurnEnded { .. } => {}
    }
}

fn change_cards(view: &mut View, seat: Seat, by: i8) {
    let shared = view.options.mode == Mode::Coop
        && view.options.coop_hands == towers_rules::CoopHands::Shared;
    for (i, player) in view.players.iter_mut().enumerate() {
        if shared || i == seat.index() {
            player.cards = player.cards.saturating_add_signed(by);
        }
    }
}

fn discard(view: &mut View, seat: Seat, card: Card) {
    change_cards(view, seat, -1);
    view.discard.push(card);
    view.score += 1;
    let shared = view.options.mode == Mode::Coop
        && view.options.coop_hands == towers_rules::CoopHands::Shared;
    if (shared || view.seat() == Some(seat))
        && let Some(hand) = &mut view.hand
    {
        remove(hand, card);
    }
}

fn remove(hand: &mut Vec<Card>, card: Card) {
    if let Some(i) = hand.iter().position(|&c| c == card) {
        hand.remove(i);
    }
}

fn hand_over(view: &mut View, from: Seat, to: Seat, card: Option<Card>) {
    let me = view.seat();
    let (Some(card), Some(hand)) = (card, &mut view.hand) else {
        return;
    };
    if me == Some(from) {
        remove(hand, card);
    } else if me == Some(to) {
        insert(hand, card);
    }
}

/// Adds a card to a sorted hand.
fn insert(hand: &mut Vec<Card>, card: Card) {
    let place = hand.partition_point(|held| *held <= card);
    hand.insert(place, card);
}

/// Changes the flasks of a player, or of all players if flasks are shared.
fn each_owner(view: &mut View, seat: Seat, change: impl Fn(&mut towers_rules::Flasks)) {
    let shared = view.options.mode != Mode::Versus;
    for (i, player) in view.players.iter_mut().enumerate() {
        if shared || i == seat.index() {
            change(&mut player.flasks);
        }
    }
}

fn level_mut(view: &mut View, surface: Surface) -> Option<&mut SurfaceView> {
    let (space, height) = locate(view, surface)?;
    view.spaces.get_mut(space.index())?.get_mut(height)
}

fn set(view: &mut View, surface: Surface, wizards: Option<Wizards>) {
    if let Some(level) = level_mut(view, surface) {
        level.wizards = wizards;
    }
}

fn walk(view: &mut View, colour: Colour, from: Surface, to: Space, onto: Option<Surface>) {
    if let Some(SurfaceView {
        wizards: Some(left),
        ..
    }) = level_mut(view, from)
    {
        let before = *left;
        *left = Wizards::default();
        for (c, n) in before.iter() {
            let stay = n - u8::from(c == colour);
            (0..stay).for_each(|_| left.add(c));
        }
    }
    let target = onto.unwrap_or(Surface::ground(to));
    if onto.is_some() {
        if let Some(level) = level_mut(view, target) {
            level.wizards.get_or_insert_default().add(colour);
        }
        return;
    }
    let shared = view.options.mode != Mode::Versus;
    for player in &mut view.players {
        if shared || player.colour == colour {
            player.home += 1;
        }
    }
}

fn wander(view: &mut View, tower: Tower, to: Space) {
    let Some((from, height)) = find(view, tower) else {
        return;
    };
    let moving = view.spaces[from.index()].split_off(height);
    view.spaces[to.index()].extend(moving);
    if view.castle == from {
        view.castle = to;
    }
}

fn swap(view: &mut View, one: Space, other: Space) {
    let (Some(a), Some(b)) = (
        view.spaces[one.index()].pop(),
        view.spaces[other.index()].pop(),
    ) else {
        return;
    };
    view.spaces[one.index()].push(b);
    view.spaces[other.index()].push(a);
}

/// Hides imprisoned wizards, as at a table without the memory aid (R16.2).
pub fn conceal(view: &mut View) {
    view.options.memory = Memory::Strict;
    for levels in &mut view.spaces {
        if let Some((_, below)) = levels.split_last_mut() {
            for level in below {
                level.wizards = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::{Actions, Actor, Preset, Setup, SpellSet, Spells, State, Viewer};

    /// Events change a view as the rules change the state, for every viewer, in every kind of game.
    #[test]
    fn events_lead_to_the_same_view_as_the_rules() {
        for (mode, players, teams, reactions) in [
            (Mode::Versus, 3, false, false),
            (Mode::Versus, 4, true, false),
            (Mode::Versus, 4, true, true),
            (Mode::Coop, 3, false, false),
            (Mode::Solo, 1, false, false),
        ] {
            for memory in [Memory::Assisted, Memory::Strict] {
                let mut setup = Setup::new(Preset::Capstone, mode, players);
                setup.spells = Spells::Chosen(SpellSet::ALL);
                setup.options.teams = teams;
                setup.options.reactions = reactions;
                setup.options.memory = memory;
                play(&setup);
            }
        }
    }

    fn play(setup: &Setup) {
        let mut state = State::new(setup).unwrap();
        let mut dice = 99u32;
        let mut pick = move |n: u32| {
            dice = dice.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (dice >> 8) % n
        };
        let mut list = Actions::new();
        for _ in 0..400 {
            let viewer = Viewer::Seat(Seat(pick(setup.seats.len() as u32) as u8));
            let mut view = state.view(viewer);
            let mut events = Vec::new();
            match state.actor() {
                Actor::Nobody => break,
                Actor::Chance => state.settle(&mut pick, &mut events),
                Actor::Player(seat) => {
                    state.legal_actions_into(&mut list);
                    let action = list.get(pick(list.len() as u32) as usize).unwrap();
                    state.apply_observed(seat, action, &mut events).unwrap();
                }
            }
            for event in &events {
                apply(&mut view, &state.event_seen_by(*event, viewer));
            }
            let real = state.view(viewer);
            assert_eq!(view.castle, real.castle, "{events:?}");
            assert_eq!(view.players, real.players, "{events:?}");
            assert_eq!(view.hand, real.hand, "{events:?}");
            assert_eq!(view.draw, real.draw, "{events:?}");
            for (mine, theirs) in view.spaces.iter().zip(&real.spaces) {
                assert_eq!(mine.last(), theirs.last(), "{events:?}");
                let towers =
                    |levels: &[SurfaceView]| levels.iter().map(|l| l.tower).collect::<Vec<_>>();
                assert_eq!(towers(mine), towers(theirs), "{events:?}");
            }
        }
    }
}
