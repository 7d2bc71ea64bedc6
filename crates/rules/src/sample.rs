//! Sampling a full state that fits a view, for searches to play on.

use crate::actions::Actions;
use crate::board::Board;
use crate::card::{Card, DECK};
use crate::counts::Wizards;
use crate::hand::Hand;
use crate::ids::{CAPACITY, Colour, MAX_SEATS, SURFACES, Seat, Space, Surface};
use crate::options::Packed;
use crate::pile::Pile;
use crate::setup::{Setup, Spells};
use crate::state::State;
use crate::turn::{Declared, Phase};
use crate::view::{View, Viewer};
use crate::{Flasks, Preset};

/// What a viewer remembers or assumes beyond the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// The wizards on surfaces out of sight; `None` where they are unknown.
    pub imprisoned: [Option<Wizards>; SURFACES],
    /// Cards known to be in a hand.
    pub hands: [Vec<Card>; MAX_SEATS],
}

impl Default for Knowledge {
    fn default() -> Knowledge {
        Knowledge {
            imprisoned: [None; SURFACES],
            hands: Default::default(),
        }
    }
}

/// No state fits the view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this view contradicts itself: {0}")]
pub struct SampleError(pub String);

impl SampleError {
    fn because(reason: impl std::fmt::Display) -> SampleError {
        SampleError(reason.to_string())
    }
}

impl View {
    /// A random full state that looks like this to the viewer; `pick(n)` returns a number below `n`. `known` is
    /// respected as far as possible.
    ///
    /// ```
    /// use towers_rules::{Knowledge, Seat, Viewer};
    /// let state = towers_rules::examples::opening();
    /// let view = state.view(Viewer::Seat(Seat(0)));
    /// let guess = view.sample(&Knowledge::default(), |n| n - 1)?;
    /// assert_eq!(guess.view(Viewer::Seat(Seat(0))), view);
    /// # Ok::<(), towers_rules::SampleError>(())
    /// ```
    pub fn sample(
        &self,
        known: &Knowledge,
        mut pick: impl FnMut(u32) -> u32,
    ) -> Result<State, SampleError> {
        let mut state = self.public_state()?;
        self.place(&mut state, known, &mut pick)?;
        self.deal(&mut state, known, &mut pick)?;
        state.check_invariants().map_err(SampleError)?;
        Ok(state)
    }

    /// The legal actions of the player to act. They never depend on what is hidden.
    pub fn legal_actions(&self) -> Result<Actions, SampleError> {
        Ok(self.sample(&Knowledge::default(), |_| 0)?.legal_actions())
    }

    /// The public part of the state, without pieces on the board and without cards.
    fn public_state(&self) -> Result<State, SampleError> {
        let seats: Vec<Colour> = self.players.iter().map(|p| p.colour).collect();
        let start = self.players.get(self.start.index()).map(|p| p.colour);
        let setup = Setup {
            preset: Preset::Capstone,
            options: self.options,
            seats,
            start,
            spells: Spells::Chosen(self.spells),
        };
        let mut state = State::unplaced(&setup).map_err(SampleError::because)?;
        state.rules = Packed::new(&self.options);
        let turn = &self.turn;
        let claimant = turn.claim.map_or(turn.active, |claim| claim.seat);
        if [turn.active, turn.actor, claimant]
            .iter()
            .any(|seat| seat.0 >= state.seats)
        {
            return Err(SampleError::because("it names a seat that does not exist"));
        }
        let why = self.outcome.map(|outcome| outcome.why);
        state.turn = turn.turn(state.partner(turn.active), why);
        state.round = self.round;
        state.discarded = self.score;
        for owner in state.owners() {
            let player = &self.players[owner.index()];
            state.flasks[owner.index()] = player.flasks;
            state.home.set(owner, player.home);
        }
        for flasks in &mut state.flasks[state.seats as usize..] {
            *flasks = Flasks::default();
        }
        Ok(state)
    }

    /// Places towers, castle and wizards. Wizards out of sight go where they are known to be, or else anywhere out of
    /// sight.
    fn place(
        &self,
        state: &mut State,
        known: &Knowledge,
        pick: &mut impl FnMut(u32) -> u32,
    ) -> Result<(), SampleError> {
        if self.spaces.len() != 16 {
            return Err(SampleError::because("the board must have sixteen spaces"));
        }
        let mut board = Board::bare(state.owners().count() as u8);
        let mut standing = Vec::new();
        let mut seen = [false; 9];
        for (space, levels) in Space::all().zip(&self.spaces) {
            for level in levels {
                let surface = match level.tower {
                    None => Surface::ground(space),
                    Some(tower) if !std::mem::replace(&mut seen[tower.index()], true) => {
                        board.put_tower(tower, space);
                        tower.top()
                    }
                    Some(_) => return Err(SampleError::because("a tower occurs twice")),
                };
                standing.push((surface, level.wizards));
            }
        }
        board.put_castle(self.castle);
        let mut missing = [0u8; MAX_SEATS];
        // R3.2: no wizard is on the board before the starting player is known.
        let owners = state
            .owners()
            .filter(|_| self.turn.phase != Phase::DrawStart);
        for owner in owners {
            missing[owner.index()] = state.wizards_each().saturating_sub(state.home(owner));
        }
        let hidden: Vec<Surface> = standing
            .iter()
            .filter(|(_, w)| w.is_none())
            .map(|&(s, _)| s)
            .collect();
        let in_sight = standing
            .iter()
            .filter_map(|&(surface, wizards)| Some((surface, wizards?)));
        for (surface, wizards) in in_sight {
            put(state, &mut board, surface, wizards, &mut missing, true)?;
        }
        // R13.6: everybody saw where the declared wizard went, even if it is covered now.
        let declared = match self.turn.declared {
            Declared::Wizard { on, owner, .. }
                if hidden.contains(&on) && owner.0 < state.seats && missing[owner.index()] > 0 =>
            {
                missing[owner.index()] -= 1;
                board.add_wizard(on, owner);
                Some((on, state.wizard_colour(owner)))
            }
            _ => None,
        };
        for &surface in &hidden {
            if let Some(mut wizards) = known.imprisoned[surface.index()] {
                if let Some((on, colour)) = declared
                    && on == surface
                {
                    // It is already there.
                    wizards.set(colour, wizards.of(colour).saturating_sub(1));
                }
                put(state, &mut board, surface, wizards, &mut missing, false)?;
            }
        }
        for owner in state.owners() {
            for _ in 0..missing[owner.index()] {
                let room = |s: &Surface| board.total(*s) < CAPACITY;
                // Prefer surfaces about which nothing is known; only then override the memory, which must be wrong.
                let unknown = |s: &Surface| known.imprisoned[s.index()].is_none();
                let mut places: Vec<_> = hidden
                    .iter()
                    .copied()
                    .filter(|s| room(s) && unknown(s))
                    .collect();
                if places.is_empty() {
                    places = hidden.iter().copied().filter(room).collect();
                }
                if places.is_empty() {
                    return Err(SampleError::because("a wizard is nowhere (R18.2)"));
                }
                board.add_wizard(
                    places[pick(places.len() as u32) as usize % places.len()],
                    owner,
                );
            }
        }
        state.board = board;
        Ok(())
    }

    /// Fills the hands: visible cards, known cards, and the rest from the unseen cards.
    fn deal(
        &self,
        state: &mut State,
        known: &Knowledge,
        pick: &mut impl FnMut(u32) -> u32,
    ) -> Result<(), SampleError> {
        let mut unseen = Pile::full_deck();
        let mut take = |card: Card| {
            if unseen.take(card) {
                Ok(())
            } else {
                Err(SampleError(format!(
                    "there are too many cards {card} (R18.1)"
                )))
            }
        };
        for &card in &self.discard {
            take(card)?;
        }
        let own = match self.viewer {
            Viewer::Seat(seat) if seat.0 < state.seats => Some(state.hand_owner(seat)),
            Viewer::Seat(_) | Viewer::Spectator => state.shares_hand().then_some(Seat(0)),
        };
        if let Some(seat) = own {
            let cards = self.hand.as_deref().unwrap_or_default();
            if cards.len() > 4 {
                return Err(SampleError::because("a hand has more than four cards"));
            }
            for &card in cards {
                take(card)?;
            }
            state.hands[seat.index()] = cards.iter().copied().collect();
        }
        let offered = self.turn.offered.zip(state.partner(self.turn.active));
        let others: Vec<Seat> = (0..state.hand_count())
            .map(Seat)
            .filter(|&s| Some(s) != own)
            .collect();
        for &seat in &others {
            let size = self.players[seat.index()].cards;
            if size > 4 {
                return Err(SampleError::because("a hand has more than four cards"));
            }
            let mut hand = Hand::EMPTY;
            let given = offered
                .filter(|&(_, partner)| partner == seat)
                .map(|(card, _)| card);
            for &card in given.iter().chain(&known.hands[seat.index()]) {
                let again = given == Some(card) && hand.contains(card);
                if hand.len() < size && !again && unseen.take(card) {
                    hand.add(card);
                }
            }
            state.hands[seat.index()] = hand;
        }
        for &seat in &others {
            while state.hands[seat.index()].len() < self.players[seat.index()].cards {
                let left = u32::from(unseen.len()).max(1);
                let card = unseen.nth((pick(left) % left) as u8);
                let card =
                    card.ok_or_else(|| SampleError::because("there are too few cards (R18.1)"))?;
                unseen.take(card);
                state.hands[seat.index()].add(card);
            }
        }
        // R12.2: others know that a card is offered, but not which one.
        if self.turn.phase == Phase::Offered
            && self.turn.offered.is_none()
            && let Some(partner) = state.partner(self.turn.active)
        {
            let hand = state.hands[partner.index()];
            let n = pick(u32::from(hand.len()).max(1)) as usize;
            state.turn.offered = hand.iter().nth(n % usize::from(hand.len()).max(1));
        }
        if unseen.len() != self.draw || self.draw > DECK {
            return Err(SampleError::because(
                "the cards do not add up to 90 (R18.1)",
            ));
        }
        state.draw = unseen;
        Ok(())
    }
}

/// Puts wizards on a surface; wizards that are only remembered are dropped where they do not fit.
fn put(
    state: &State,
    board: &mut Board,
    surface: Surface,
    wizards: Wizards,
    missing: &mut [u8; MAX_SEATS],
    certain: bool,
) -> Result<(), SampleError> {
    for (colour, n) in wizards.iter() {
        let owner = state
            .owner_of(colour)
            .ok_or_else(|| SampleError(format!("nobody plays {colour}")))?;
        for _ in 0..n {
            if missing[owner.index()] > 0 && board.total(surface) < CAPACITY {
                missing[owner.index()] -= 1;
                board.add_wizard(surface, owner);
            } else if certain {
                return Err(SampleError(format!(
                    "{colour} has too many wizards (R18.2)"
                )));
            }
        }
    }
    Ok(())
}
