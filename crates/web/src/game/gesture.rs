//! Pointer input on the board: tap, drag, hover.

use leptos::prelude::*;
use towers_client::touch::{self, HitRank};
use towers_client::{Hover, Intent, Model, Pick, Thing, shown, target};
use towers_rules::{Direction, Space, Spell};
use wasm_bindgen::JsCast;
use web_sys::{Element, MouseEvent, PointerEvent};

use super::peek::Peeked;
use super::under::{HitTest, is_occupied, place, under, under_point};
use crate::session::Session;

/// The distance in CSS pixels after which a press becomes a drag. It exceeds the movement that browsers accept in a tap
/// (up to 15), so that a touch drag is never followed by a click on an element that the drag brought to the screen.
const DRAG_DISTANCE: i32 = 24;

/// The state of a pointer gesture. A tap is handled on `click`, its last event, so that no event of the tap can hit an
/// element that the tap opens. A drag is handled when the pointer is released.
#[derive(Clone, Copy, Debug)]
enum Gesture {
    None,
    Pressed {
        pointer: i32,
        on: HitTest,
        spot: (i32, i32),
        precise: bool,
        /// Whether the pointer has moved far enough for a drag.
        is_drag: bool,
    },
    /// A following click is part of the drag.
    Dragged,
}

/// Starts casting a spell, or explains it.
fn spell(session: Session, spell: Spell) {
    let intents = session.model.with_untracked(|m| m.choice.intents());
    let of_spell = intents
        .iter()
        .copied()
        .find(|i| matches!(i, Intent::Spell(s) | Intent::Before(s) if *s == spell));
    let later = intents.iter().copied().find(|i| {
        *i == Intent::After(spell)
            || (spell == Spell::Piggyback && matches!(i, Intent::With | Intent::More))
    });
    match of_spell.or(later) {
        Some(intent) => session.begin(intent),
        None => session.look_at(Thing::Spell(spell)),
    }
}

/// The space where the pending action would end.
fn landing(session: Session) -> Option<Space> {
    session.model.with_untracked(|m| {
        let to = m.preview().and_then(|p| p.to);
        to.filter(|_| m.choice.pending().is_some())
    })
}

/// A tap or click somewhere on the board; `is_second` if it is the second one of a double tap.
fn tap(session: Session, on: HitTest, precise: bool, is_second: bool) {
    let (is_busy, is_others_turn) = session
        .model
        .with_untracked(|m| (m.is_busy(), m.me() != Some(m.shown.turn.active)));
    if is_busy {
        // A second tap on the player's own move is not meant for the piece that has just arrived there.
        if is_others_turn {
            explain(session, on);
        }
        return;
    }
    let at = place(session, on);
    // A tap where the piece would land confirms.
    if at.is_some() && at == landing(session) {
        session.confirm();
        return;
    }
    // So does another tap on the chosen piece. A double tap only chooses it.
    if let Some(TapTarget::Pick(pick)) = meaning(session, on, precise)
        && is_chosen(session, pick)
    {
        let is_pending = session
            .model
            .with_untracked(|m| m.choice.pending().is_some());
        if is_second {
            return;
        }
        if is_pending {
            session.confirm();
            return;
        }
    }
    match on {
        HitTest::Spell(kind) => spell(session, kind),
        HitTest::Die => {
            if session
                .model
                .with_untracked(|m| m.choice.can(Intent::Reroll))
            {
                session.begin(Intent::Reroll);
            } else {
                explain(session, on);
            }
        }
        HitTest::DrawPile | HitTest::DiscardPile => explain(session, on),
        _ => {
            select(session, on, precise);
        }
    }
}

/// Explains the item under the pointer.
fn explain(session: Session, on: HitTest) {
    match on {
        HitTest::Spell(kind) => session.look_at(Thing::Spell(kind)),
        HitTest::Die => session.look_at(Thing::Die),
        HitTest::DrawPile => session.look_at(Thing::DrawPile),
        HitTest::DiscardPile => session.look_at(Thing::DiscardPile),
        HitTest::Castle(_) => session.look_at(Thing::Castle),
        _ => {
            if let Some(at) = place(session, on).filter(|at| is_occupied(session, *at)) {
                session.look_at_space(at);
            }
        }
    }
}

/// Handles a drag across the board. Dropping a piece on its destination moves it; anywhere else picks it.
fn drag(session: Session, from: HitTest, to: HitTest, precise: bool) {
    if session.model.with_untracked(Model::is_busy) {
        return;
    }
    // The piece is already picked if the drag started on it; otherwise pick it now.
    let is_picked = match meaning(session, from, precise) {
        Some(TapTarget::Pick(pick)) if is_chosen(session, pick) => true,
        _ => select(session, from, precise),
    };
    let Some(to) = place(session, to).filter(|_| is_picked) else {
        return;
    };
    if landing(session) == Some(to) {
        session.confirm();
        return;
    }
    // With no card chosen, play the card that moves the piece there if there is exactly one.
    let ways = session.model.with_untracked(|m| {
        let held = m.choice.held();
        m.ways_to(held, to)
    });
    if let [only @ Intent::Card(_)] = ways[..] {
        session.begin(only);
        session.confirm();
    }
}

/// The interpretation of a tap or drag.
enum TapTarget {
    Pick(Pick),
    /// The piece is ambiguous.
    Open(Space),
    Explain(Pick),
    Look,
}

fn meaning(session: Session, on: HitTest, precise: bool) -> Option<TapTarget> {
    let at = place(session, on)?;
    let offers = session.model.with_untracked(|m| m.choice.targets());
    let here = session
        .model
        .with_untracked(|m| target::picks_at(&m.shown, at, &offers));
    let hit = match on {
        HitTest::Pick(pick) => here
            .iter()
            .copied()
            .find(|p| *p == pick || *p == Pick::Space(at)),
        _ => None,
    };
    let tower = |pick: Pick| matches!(pick, Pick::Tower(_));
    Some(match (hit, &here[..], on) {
        (Some(pick), ..) if precise || here.len() == 1 => TapTarget::Pick(pick),
        // A tap on one tower does not pick another.
        (None, &[only], HitTest::Pick(pick)) if tower(only) && tower(pick) => TapTarget::Open(at),
        (_, &[only], _) => TapTarget::Pick(only),
        (_, [_, ..], _) => TapTarget::Open(at),
        (_, [], HitTest::Pick(pick)) => TapTarget::Explain(pick),
        (_, [], _) => TapTarget::Look,
    })
}

/// The priority of an item for a finger.
fn rank(session: Session, on: HitTest) -> HitRank {
    let is_landing = || landing(session).is_some_and(|to| place(session, on) == Some(to));
    match (on, meaning(session, on, false)) {
        (_, Some(TapTarget::Pick(_) | TapTarget::Open(_))) => HitRank::Target,
        (HitTest::Nothing, _) => HitRank::Empty,
        (HitTest::Space(at), _) if !is_occupied(session, at) && !is_landing() => HitRank::Empty,
        _ => HitRank::Item,
    }
}

/// What is under a finger at this point, or next to it if there is nothing.
fn under_finger(session: Session, spot: (i32, i32)) -> HitTest {
    under_point(touch::adjusted(spot, |at| rank(session, under_point(at))))
}

/// Picks a piece, or opens its stack if the piece is ambiguous. Returns whether a piece was picked.
fn select(session: Session, on: HitTest, precise: bool) -> bool {
    if matches!(on, HitTest::Castle(_)) && turn_castle(session) {
        return true;
    }
    match meaning(session, on, precise) {
        Some(TapTarget::Pick(pick)) => {
            session.pick(pick);
            return true;
        }
        Some(TapTarget::Open(at)) => session.look_at(Thing::Stack(at)),
        Some(TapTarget::Explain(pick)) => session.explain(pick),
        Some(TapTarget::Look) => explain(session, on),
        None => {}
    }
    false
}

/// Chooses the castle if it can move; choosing it again switches the direction.
fn turn_castle(session: Session) -> bool {
    let [clockwise, counter] =
        [Direction::Clockwise, Direction::CounterClockwise].map(Pick::Direction);
    let (can, is_clockwise) = session.model.with_untracked(|m| {
        let can = if m.choice.is_piece_first() {
            !m.choice.intents_for(&[clockwise, counter]).is_empty()
        } else {
            m.choice.alternatives().contains(&clockwise)
        };
        (can, m.choice.picks() == [clockwise])
    });
    if can {
        session.pick(if is_clockwise { counter } else { clockwise });
    }
    can
}

/// Pointer input on the board.
#[derive(Clone, Copy)]
pub struct Pointer {
    session: Session,
    gesture: StoredValue<Gesture>,
    /// Whether the last tap carried out an action.
    has_acted: StoredValue<bool>,
    /// The stack or spell under the mouse, and the position of the mouse.
    pub peek: RwSignal<Option<Peeked>>,
}

impl Pointer {
    pub fn new(session: Session) -> Pointer {
        Pointer {
            session,
            gesture: StoredValue::new(Gesture::None),
            has_acted: StoredValue::new(false),
            peek: RwSignal::new(None),
        }
    }

    fn at(e: &MouseEvent) -> HitTest {
        let element = e.target().and_then(|t| t.dyn_into::<Element>().ok());
        element.map_or(HitTest::Nothing, |e| under(&e))
    }

    pub fn down(self, e: &PointerEvent) {
        self.peek.set(None);
        if e.button() != 0 {
            return;
        }
        let (spot, precise) = ((e.client_x(), e.client_y()), e.pointer_type() == "mouse");
        self.gesture.set_value(Gesture::Pressed {
            pointer: e.pointer_id(),
            on: if precise {
                Pointer::at(e)
            } else {
                under_finger(self.session, spot)
            },
            spot,
            precise,
            is_drag: false,
        });
    }

    /// Picks a piece when its drag starts, so that its destination is previewed.
    pub fn moved(self, e: &PointerEvent) {
        let Gesture::Pressed {
            pointer,
            on,
            spot,
            precise,
            is_drag: false,
        } = self.gesture.get_value()
        else {
            return;
        };
        if pointer != e.pointer_id() || !is_far(spot, e) {
            return;
        }
        self.gesture.set_value(Gesture::Pressed {
            pointer,
            on,
            spot,
            precise,
            is_drag: true,
        });
        let session = self.session;
        if session.model.with_untracked(Model::is_mine)
            && let Some(TapTarget::Pick(pick)) = meaning(session, on, precise)
            && !is_chosen(session, pick)
        {
            session.pick(pick);
        }
    }

    pub fn up(self, e: &PointerEvent) {
        let Gesture::Pressed {
            pointer,
            on,
            spot,
            precise,
            is_drag,
        } = self.gesture.get_value()
        else {
            return;
        };
        // A touch pointer's events keep their first target, so look up the element under it.
        let to = under_point((e.client_x(), e.client_y()));
        if pointer != e.pointer_id() || !(is_drag || is_far(spot, e)) {
            return;
        }
        if to == on {
            // Dropped where it started: the drag is cancelled.
            if is_drag {
                self.gesture.set_value(Gesture::Dragged);
            }
            return;
        }
        self.gesture.set_value(Gesture::Dragged);
        drag(self.session, on, to, precise);
    }

    pub fn click(self, e: &MouseEvent) {
        let before = self.gesture.get_value();
        self.gesture.set_value(Gesture::None);
        match before {
            // The second click of a double click belongs to the first.
            _ if e.detail() > 1 && self.has_acted.get_value() => {}
            Gesture::Pressed { on, precise, .. } => self.tap(on, precise, e.detail() > 1),
            Gesture::Dragged => {}
            // Assistive technology clicks without a pointer.
            Gesture::None => self.tap(Pointer::at(e), true, false),
        }
    }

    fn tap(self, on: HitTest, precise: bool, is_second: bool) {
        let decision = || self.session.model.with_untracked(Model::decision);
        let before = decision();
        tap(self.session, on, precise, is_second);
        self.has_acted.set_value(decision() != before);
    }

    pub fn cancel(self) {
        self.gesture.set_value(Gesture::None);
    }

    /// Previews a click while a mouse or pen hovers. Touch does not hover.
    pub fn over(self, e: &PointerEvent) {
        if e.pointer_type() == "touch" || e.buttons() != 0 {
            return;
        }
        let (session, on) = (self.session, Pointer::at(e));
        let hover = session.model.with_untracked(|m| match on {
            HitTest::Pick(pick) => Some(Hover::Piece(target::standing_for(&m.shown, pick))),
            HitTest::Spell(spell) => {
                let mut intents = m.choice.intents().into_iter();
                let of_spell =
                    |i: &Intent| matches!(i, Intent::Spell(s) | Intent::Before(s) if *s == spell);
                intents.find(of_spell).map(Hover::Intent)
            }
            _ => None,
        });
        if session.hover.with_untracked(|h| *h != hover) {
            session.hover.set(hover);
        }
        // On the board, towers of a stack hide each other; the peek shows them from the side. A spell is told in words.
        let tall = |at: &Space| {
            session
                .model
                .with_untracked(|m| shown::height(&m.shown, *at) > 1)
        };
        let thing = match on {
            HitTest::Spell(spell) => Some(Thing::Spell(spell)),
            _ => place(session, on).filter(tall).map(Thing::Stack),
        };
        let now = thing.map(|thing| (thing, (e.client_x(), e.client_y())));
        if self.peek.with_untracked(|p| p.map(|p| p.0)) != thing {
            self.peek.set(now);
        }
    }

    pub fn leave(self) {
        self.session.hover.set(None);
        self.peek.set(None);
    }
}

fn is_chosen(session: Session, pick: Pick) -> bool {
    session
        .model
        .with_untracked(|m| m.choice.picks().contains(&pick) || m.choice.held().contains(&pick))
}

/// Whether a pointer has moved far enough for a drag.
pub fn is_far((x, y): (i32, i32), e: &PointerEvent) -> bool {
    (e.client_x() - x).abs().max((e.client_y() - y).abs()) > DRAG_DISTANCE
}

/// Drops a card of the hand on the board: starts playing it and picks the piece under it.
pub fn drop_card(session: Session, intent: Intent, at: (i32, i32), precise: bool) {
    let on = under_point(at);
    if matches!(on, HitTest::Nothing) || session.model.with_untracked(Model::is_busy) {
        return;
    }
    session.choose(|c| {
        c.reset();
        c.begin(intent)
    });
    if session
        .model
        .with_untracked(|m| m.choice.pending().is_none())
    {
        select(session, on, precise);
    }
}
