//! The element under a pointer on the board.

use leptos::prelude::*;
use towers_client::{Pick, shown};
use towers_rules::{Colour, Space, Spell, Tower};
use web_sys::Element;

use crate::device::page;
use crate::session::Session;

/// What is under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitTest {
    Pick(Pick),
    Space(Space),
    Castle(Space),
    Spell(Spell),
    Die,
    DrawPile,
    DiscardPile,
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

/// What an element of the scene represents.
pub fn under(element: &Element) -> HitTest {
    let letter = |name| attribute(element, name).and_then(|(e, v)| Some((e, v.chars().next()?)));
    if let Some((found, l)) = letter("data-wizard")
        && let (Some(at), Some(colour)) = (space(&found), Colour::from_letter(l))
    {
        return HitTest::Pick(Pick::Wizard(at, colour));
    }
    if let Some((found, _)) = attribute(element, "data-castle")
        && let Some(at) = space(&found)
    {
        return HitTest::Castle(at);
    }
    if let Some((_, l)) = letter("data-tower")
        && let Some(tower) = Tower::from_letter(l)
    {
        return HitTest::Pick(Pick::Tower(tower));
    }
    if let Some((_, code)) = attribute(element, "data-spell")
        && let Some(spell) = Spell::from_code(&code)
    {
        return HitTest::Spell(spell);
    }
    if attribute(element, "data-die").is_some() {
        return HitTest::Die;
    }
    match attribute(element, "data-pile") {
        Some((_, name)) if name == "draw" => HitTest::DrawPile,
        Some(_) => HitTest::DiscardPile,
        None => space(element).map_or(HitTest::Nothing, HitTest::Space),
    }
}

/// What is visible at a point of the page.
pub fn under_point((x, y): (i32, i32)) -> HitTest {
    let element = page::document().element_from_point(x as f32, y as f32);
    element.map_or(HitTest::Nothing, |e| under(&e))
}

/// The space of what is under the pointer.
pub fn place(session: Session, on: HitTest) -> Option<Space> {
    match on {
        HitTest::Pick(Pick::Wizard(at, _)) | HitTest::Castle(at) | HitTest::Space(at) => Some(at),
        HitTest::Pick(Pick::Tower(tower)) => session
            .model
            .with_untracked(|m| shown::find(&m.shown, tower).map(|f| f.0)),
        _ => None,
    }
}

pub fn is_occupied(session: Session, at: Space) -> bool {
    session.model.with_untracked(|m| {
        let view = &m.shown;
        shown::height(view, at) > 0 || !shown::exposed(view, at).is_empty() || view.castle == at
    })
}
