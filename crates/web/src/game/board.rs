//! The board: scenery, pieces, and what a pointer does to them.

use art::scene::{Change, Drawing};
use client::picture::{self, Look};
use client::{Intent, Pick};
use leptos::prelude::*;
use rules::{Colour, Direction, Space, Spell, Tower};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};

use super::session::Session;
use super::targets::picks_at;
use crate::backdrop::Valley;
use crate::device::{page, turns};
use crate::live::{Memo, RwSignal, StoredValue, follow};
use crate::markup::{Markup, view};
use crate::parts::Later;

/// What a pointer is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Under {
    Pick(Pick),
    Space(Space),
    Castle(Space),
    Spell(Spell),
    Die,
    Nothing,
}

fn attribute(element: &Element, name: &str) -> Option<(Element, String)> {
    let found = element.closest(&format!("[{name}]")).ok()??;
    let value = found.get_attribute(name)?;
    Some((found, value))
}

fn space(element: &Element) -> Option<Space> {
    Space::new(attribute(element, "data-space")?.1.parse().ok()?)
}

fn under(element: &Element) -> Under {
    let letter = |name| attribute(element, name).and_then(|(e, v)| Some((e, v.chars().next()?)));
    if let Some((found, l)) = letter("data-wizard")
        && let (Some(at), Some(colour)) = (space(&found), Colour::from_letter(l))
    {
        return Under::Pick(Pick::Wizard(at, colour));
    }
    if let Some((found, _)) = attribute(element, "data-castle")
        && let Some(at) = space(&found)
    {
        return Under::Castle(at);
    }
    if let Some((_, l)) = letter("data-tower")
        && let Some(tower) = Tower::from_letter(l)
    {
        return Under::Pick(Pick::Tower(tower));
    }
    if let Some((_, code)) = attribute(element, "data-spell")
        && let Some(spell) = Spell::from_code(&code)
    {
        return Under::Spell(spell);
    }
    if attribute(element, "data-die").is_some() {
        return Under::Die;
    }
    space(element).map_or(Under::Nothing, Under::Space)
}

/// Sets out to cast a spell, or says why that is not possible.
pub fn spell(session: Session, spell: Spell) {
    let intents = session.model.with_untracked(|m| m.choice.intents());
    let of_spell = intents
        .iter()
        .copied()
        .find(|i| matches!(i, Intent::Spell(s) | Intent::Before(s) if *s == spell));
    let later = intents.iter().copied().find(|i| {
        *i == Intent::After(spell)
            || (spell == Spell::Piggyback && matches!(i, Intent::With | Intent::More))
    });
    if let Some(intent) = of_spell.or(later) {
        session.begin(intent);
    } else {
        let why = session.model.with_untracked(|m| {
            let mine = m.is_mine();
            m.me()
                .filter(|_| mine)
                .and_then(|me| client::reason::why_not_cast(&m.shown, me, spell))
        });
        session.say_why(why);
    }
}

/// A tap or click somewhere on the board.
fn tap(session: Session, on: Under, precise: bool) {
    if session.model.with_untracked(client::Model::is_busy) {
        return;
    }
    let (landing, offers) = session.model.with_untracked(|m| {
        let landing = m
            .preview()
            .and_then(|p| p.to)
            .filter(|_| m.choice.pending().is_some());
        (landing, m.choice.alternatives())
    });
    let at = match on {
        Under::Pick(Pick::Wizard(at, _)) | Under::Castle(at) | Under::Space(at) => Some(at),
        Under::Pick(Pick::Tower(tower)) => session
            .model
            .with_untracked(|m| client::shown::find(&m.shown, tower).map(|f| f.0)),
        _ => None,
    };
    // A tap where the piece would land confirms.
    if at.is_some() && at == landing {
        session.confirm();
        return;
    }
    match on {
        Under::Spell(kind) => spell(session, kind),
        Under::Die => {
            if session
                .model
                .with_untracked(|m| m.choice.can(Intent::Reroll))
            {
                session.begin(Intent::Reroll);
            }
        }
        Under::Nothing => {}
        Under::Castle(_) if offers.iter().any(|p| matches!(p, Pick::Direction(_))) => {
            let clockwise = session
                .model
                .with_untracked(|m| m.choice.picks() == [Pick::Direction(Direction::Clockwise)]);
            let way = if clockwise {
                Direction::CounterClockwise
            } else {
                Direction::Clockwise
            };
            session.pick(Pick::Direction(way));
        }
        _ => piece(session, on, at, &offers, precise),
    }
}

/// A tap on a stack: the piece itself if that is clear, the only one that can be picked there, or the opened stack.
fn piece(session: Session, on: Under, at: Option<Space>, offers: &[Pick], precise: bool) {
    let Some(at) = at else { return };
    let here = session
        .model
        .with_untracked(|m| picks_at(&m.shown, at, offers));
    let hit = match on {
        Under::Pick(pick) => here
            .iter()
            .copied()
            .find(|p| *p == pick || *p == Pick::Space(at)),
        _ => None,
    };
    match (hit, &here[..]) {
        (Some(pick), _) if precise || here.len() == 1 => session.pick(pick),
        (_, [only]) => session.pick(*only),
        (_, [_, ..]) => session.opened.set(Some(at)),
        (None, []) => {
            if let Under::Pick(pick) = on {
                session.explain(pick);
            } else if session
                .model
                .with_untracked(|m| client::shown::height(&m.shown, at) > 0)
            {
                session.opened.set(Some(at));
            }
        }
        _ => {}
    }
}

/// Draws what changed since it was last drawn.
fn redraw(place: &Element, old: Option<&Drawing>, new: &Drawing) {
    let changed = |changes: Vec<Change>| {
        let groups = place.first_element_child()?.children();
        for change in changes {
            let group = groups.item(change.group as u32)?;
            match change.part {
                None => group.set_inner_html(&change.svg),
                Some(part) => {
                    let part = group.children().item(part as u32)?;
                    part.set_outer_html(&change.svg);
                }
            }
        }
        Some(())
    };
    let changes = old.and_then(|old| new.since(old));
    if changes.and_then(changed).is_none() {
        place.set_inner_html(&new.svg());
    }
}

/// The board. For those who do not see it there are [`Targets`](super::targets::Targets).
#[component]
pub fn Board(session: Session, layout: Memo<art::Layout>) -> Markup {
    let air = move || layout.with(art::landscape::air);
    // A portion at a time: the page can answer in between.
    let begun = RwSignal::new(0);
    leptos::task::spawn_local(async move {
        for parts in [1, 9, 17, 25, 33, usize::MAX] {
            turns::turn(2).await;
            if begun.try_update(|b| *b = parts).is_none() {
                return;
            }
        }
    });
    let drawn = StoredValue::new(None);
    follow(move || {
        let parts = begun.get();
        if parts == 0 {
            return;
        }
        let hint: Vec<Pick> = session.hints.with(|hints| {
            let first = hints.as_ref().and_then(|h| h.first());
            let own = session.model.with_untracked(client::Model::own_colour);
            first
                .map(|h| client::choice::parts(h.action, own).1)
                .unwrap_or_default()
        });
        let drawing = session.model.with(|m| {
            let preview = m.preview();
            let look = Look {
                choice: m.is_mine().then_some(&m.choice),
                preview: preview.as_ref(),
                top: m.top,
                die: if m.shown.turn.rolled > 0 {
                    m.shown.turn.rolled
                } else {
                    m.die
                },
                trail: m.trail,
                hint: &hint,
            };
            layout.with(|layout| picture::scene(&m.shown, &look).draw(layout))
        });
        if let Ok(Some(place)) = page::document().query_selector(".scene") {
            let drawing = drawing.begun(parts);
            drawn.with_value(|drawn: &Option<Drawing>| redraw(&place, drawn.as_ref(), &drawing));
            drawn.set_value(Some(drawing));
        }
    });
    let pressed = StoredValue::new(Under::Nothing);
    let at = |e: &PointerEvent| {
        let element = e.target().and_then(|t| t.dyn_into::<Element>().ok());
        element.map_or(Under::Nothing, |e| under(&e))
    };
    let down = move |e: PointerEvent| {
        pressed.set_value(at(&e));
        // Fingers hold on to what they touched; a drag has to end where the finger is.
        if let Some(element) = e.target().and_then(|t| t.dyn_into::<Element>().ok()) {
            let _ = element.release_pointer_capture(e.pointer_id());
        }
    };
    let up = move |e: PointerEvent| {
        let (from, to) = (pressed.get_value(), at(&e));
        let precise = e.pointer_type() == "mouse";
        pressed.set_value(Under::Nothing);
        if from == Under::Nothing {
            return;
        }
        tap(session, from, precise);
        // Dragged to where it lands: that confirms.
        if to != from
            && session
                .model
                .with_untracked(|m| m.choice.pending().is_some())
        {
            let spot = match to {
                Under::Space(s) | Under::Castle(s) | Under::Pick(Pick::Wizard(s, _)) => Some(s),
                Under::Pick(Pick::Tower(t)) => session
                    .model
                    .with_untracked(|m| client::shown::find(&m.shown, t).map(|f| f.0)),
                _ => None,
            };
            let lands = session
                .model
                .with_untracked(|m| m.preview().and_then(|p| p.to));
            if spot.is_some() && spot == lands {
                session.confirm();
            }
        }
    };
    view! {
        <Valley layout class="backdrop"/>
        <div class="scene" aria-hidden="true" on:pointerdown=down on:pointerup=up></div>
        <Later turn=10><div class="air" aria-hidden="true" inner_html=move || air()></div></Later>
    }
}
