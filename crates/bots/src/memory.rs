//! Who is imprisoned where, as far as a bot has seen it and not forgotten it.
//!
//! A wizard stands on a surface, and surfaces do not change when towers or the castle move. So only
//! [`Event::WizardMoved`] changes who stands where; everything else that is seen just refreshes it.

use rules::{Card, Colour, Event, Knowledge, MAX_SEATS, SURFACES, Seat, Surface, View, Wizards};

use crate::level::Recall;

/// What a bot remembers; fed by views and events alone.
#[derive(Clone, Debug)]
pub struct Memory {
    seat: Seat,
    recall: Recall,
    /// Who stands on each surface; none: not known, or forgotten.
    wizards: [Option<Wizards>; SURFACES],
    /// The own turn in which each surface was last noticed.
    noticed: [u32; SURFACES],
    /// Surfaces out of sight when the last view was seen.
    hidden: [bool; SURFACES],
    turn: u32,
    /// Cards that went face down to somebody and were not played since (R12.2).
    hands: [Vec<Card>; MAX_SEATS],
}

impl Memory {
    pub(crate) fn new(seat: Seat, recall: Recall, view: &View) -> Memory {
        let mut memory = Memory {
            seat,
            recall,
            wizards: [None; SURFACES],
            noticed: [0; SURFACES],
            hidden: [false; SURFACES],
            turn: 0,
            hands: Default::default(),
        };
        memory.look(view);
        memory
    }

    /// Takes in everything that can be seen now.
    pub(crate) fn look(&mut self, view: &View) {
        // R3.2: before the first card nobody is imprisoned.
        let untouched = view.score == 0;
        for (surface, wizards) in surfaces(view) {
            self.hidden[surface.index()] = wizards.is_none();
            if wizards.is_some() {
                self.notice(surface, wizards);
            } else if untouched {
                self.notice(surface, Some(Wizards::default()));
            }
        }
        self.forget();
    }

    /// Takes in something that happened.
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
                self.forget();
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

    /// Who stands on a surface, if that is remembered.
    pub fn wizards(&self, surface: Surface) -> Option<Wizards> {
        self.wizards[surface.index()]
    }

    /// What there is to know beyond a view.
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

    /// Lets go of what is too long ago or too much to keep in mind.
    fn forget(&mut self) {
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

/// Every surface of a view with who can be seen there.
fn surfaces(view: &View) -> impl Iterator<Item = (Surface, Option<Wizards>)> + '_ {
    rules::Space::all()
        .zip(&view.spaces)
        .flat_map(|(space, levels)| {
            levels.iter().map(move |level| {
                let surface = level
                    .tower
                    .map_or(Surface::ground(space), rules::Tower::top);
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
