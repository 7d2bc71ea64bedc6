//! A bot's memory of imprisoned wizards.
//!
//! A wizard stands on a surface, and a surface keeps its wizards when towers or the castle move. So only
//! [`Event::WizardMoved`] changes the wizards of a surface; other observations confirm them.

use towers_rules::{
    Card, Colour, Event, Knowledge, MAX_SEATS, SURFACES, Seat, Surface, View, Wizards,
};

use crate::strength::Recall;

/// What a bot remembers of the views and events it received.
#[derive(Clone, Debug)]
pub struct BotMemory {
    seat: Seat,
    recall: Recall,
    /// The wizards on each surface; `None` if unknown or forgotten.
    wizards: [Option<Wizards>; SURFACES],
    /// The bot's own turn in which each surface was last seen.
    noticed: [u32; SURFACES],
    /// The surfaces out of sight in the last view.
    hidden: [bool; SURFACES],
    turn: u32,
    /// Cards that a player received face down and has not played since (R12.2).
    hands: [Vec<Card>; MAX_SEATS],
}

impl BotMemory {
    pub(crate) fn new(seat: Seat, recall: Recall, view: &View) -> BotMemory {
        let mut memory = BotMemory {
            seat,
            recall,
            wizards: [None; SURFACES],
            noticed: [0; SURFACES],
            hidden: [false; SURFACES],
            turn: 0,
            hands: Default::default(),
        };
        memory.record(view);
        memory
    }

    /// Records everything visible in a view.
    pub(crate) fn record(&mut self, view: &View) {
        // R3.2: nobody is imprisoned before the first card.
        let untouched = view.score == 0;
        for (surface, wizards) in surfaces(view) {
            self.hidden[surface.index()] = wizards.is_none();
            if wizards.is_some() {
                self.notice(surface, wizards);
            } else if untouched {
                self.notice(surface, Some(Wizards::default()));
            }
        }
        self.forget_old();
    }

    /// Records an event.
    pub(crate) fn observe(&mut self, event: &Event) {
        match *event {
            Event::WizardMoved {
                colour, from, onto, ..
            } => {
                self.change(from, |wizards| without(wizards, colour));
                if let Some(onto) = onto {
                    self.change(onto, |mut wizards| {
                        wizards.add(colour);
                        wizards
                    });
                }
            }
            Event::Imprisoned {
                surface, wizards, ..
            } => {
                self.hidden[surface.index()] = true;
                self.notice(surface, Some(wizards));
            }
            Event::Uncovered { surface, wizards } => {
                self.hidden[surface.index()] = false;
                self.notice(surface, Some(wizards));
            }
            Event::Peeked { surface, wizards } => self.notice(surface, Some(wizards)),
            Event::TurnBegan { seat, .. } if seat == self.seat => {
                self.turn += 1;
                self.forget_old();
            }
            Event::HandedOver {
                from,
                to,
                card: Some(card),
            } => {
                self.drop_card(from, card);
                if let Some(hand) = self.hands.get_mut(to.index()) {
                    hand.push(card);
                }
            }
            Event::Played { seat, card } | Event::Discarded { seat, card } => {
                self.drop_card(seat, card);
            }
            _ => {}
        }
    }

    /// The wizards on a surface, if remembered.
    pub fn wizards(&self, surface: Surface) -> Option<Wizards> {
        self.wizards[surface.index()]
    }

    /// The remembered facts that a view does not show.
    pub(crate) fn knowledge(&self) -> Knowledge {
        Knowledge {
            imprisoned: self.wizards,
            hands: self.hands.clone(),
        }
    }

    fn notice(&mut self, surface: Surface, wizards: Option<Wizards>) {
        self.wizards[surface.index()] = wizards;
        self.noticed[surface.index()] = self.turn;
    }

    fn change(&mut self, surface: Surface, how: impl Fn(Wizards) -> Wizards) {
        let slot = &mut self.wizards[surface.index()];
        *slot = slot.map(how);
    }

    fn drop_card(&mut self, seat: Seat, card: Card) {
        if let Some(hand) = self.hands.get_mut(seat.index())
            && let Some(at) = hand.iter().position(|&c| c == card)
        {
            hand.swap_remove(at);
        }
    }

    /// Forgets what is too old or exceeds the capacity.
    fn forget_old(&mut self) {
        let Recall { turns, places } = self.recall;
        let mut kept: Vec<usize> = (0..SURFACES).filter(|&s| self.hidden[s]).collect();
        kept.retain(|&s| {
            let fresh = self.turn - self.noticed[s] <= turns;
            if !fresh {
                self.wizards[s] = None;
            }
            fresh && self.wizards[s].is_some_and(|w| !w.is_empty())
        });
        kept.sort_by_key(|&s| std::cmp::Reverse(self.noticed[s]));
        for &s in kept.iter().skip(places) {
            self.wizards[s] = None;
        }
    }
}

/// Every surface of a view with the wizards visible there.
fn surfaces(view: &View) -> impl Iterator<Item = (Surface, Option<Wizards>)> + '_ {
    towers_rules::Space::all()
        .zip(&view.spaces)
        .flat_map(|(space, levels)| {
            levels.iter().map(move |level| {
                let surface = level
                    .tower
                    .map_or(Surface::ground(space), towers_rules::Tower::top);
                (surface, level.wizards)
            })
        })
}

fn without(wizards: Wizards, colour: Colour) -> Wizards {
    let mut left = Wizards::default();
    for (other, n) in wizards.iter() {
        for _ in 0..n - u8::from(other == colour) {
            left.add(other);
        }
    }
    left
}
