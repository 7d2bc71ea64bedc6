//! The board: scenery and pieces, redrawn where they changed.

use leptos::html;
use leptos::prelude::*;
use towers_art::scene::{Drawing, PartChange};
use towers_client::Pick;
use towers_client::picture::{self, Look};
use towers_rules::{Colour, Space};
use web_sys::Element;

use super::gesture::Pointer;
use super::peek::Peek;
use crate::backdrop::Valley;
use crate::device::paint::{self, PaintStage};
use crate::parts::Later;
use crate::session::Session;

/// A hovered move of the log: its trail, and the colour of its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointed {
    pub trail: (Space, Space),
    pub mover: Option<Colour>,
}

/// Redraws the parts that changed.
fn redraw(place: &Element, old: Option<&Drawing>, new: &Drawing) {
    let changed = |changes: Vec<PartChange>| {
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

/// The board. Screen readers and keyboards use [`Targets`](super::targets::Targets) instead.
#[component]
pub fn Board(
    session: Session,
    layout: Memo<towers_art::Layout>,
    /// A move to show instead of the last one.
    #[prop(optional)]
    pointed: Option<RwSignal<Option<Pointed>>>,
) -> impl IntoView {
    let cx = crate::context::cx();
    let air = move || layout.with(towers_art::landscape::air);
    // Draw in portions to keep the page responsive.
    let begun = RwSignal::new(0);
    leptos::task::spawn_local(async move {
        for parts in [1, 9, 17, 25, 33, usize::MAX] {
            paint::step(PaintStage::Pieces).await;
            if begun.try_update(|b| *b = parts).is_none() {
                return;
            }
        }
    });
    let place: NodeRef<html::Div> = NodeRef::new();
    let drawn = StoredValue::new(None);
    Effect::new(move |_| {
        let parts = begun.get();
        if parts == 0 {
            return;
        }
        let hint: Vec<Pick> = session.hints.with(|hints| {
            let first = hints.as_ref().and_then(|h| h.first());
            let own = session
                .model
                .with_untracked(towers_client::Model::own_colour);
            first
                .map(|h| towers_client::choice::parts(h.action, own).1)
                .unwrap_or_default()
        });
        let pointed = pointed.and_then(|p| p.get());
        let hover = session.hover.get();
        let drawing = session.model.with(|m| {
            let choice = m.choice_with(hover.as_ref());
            let preview = m.preview_of(&choice).filter(|_| pointed.is_none());
            // The hit mark disappears with the next choice, which may be for the piece beneath it.
            let hit = m.hit.filter(|_| pointed.is_none() && !choice.is_begun());
            let look = Look {
                choice: m.is_mine().then_some(&*choice),
                preview: preview.as_ref(),
                top: m.top,
                die: if m.shown.turn.rolled > 0 {
                    m.shown.turn.rolled
                } else {
                    m.die
                },
                trail: pointed.map_or(m.trail, |p| Some(p.trail)),
                mover: pointed.map_or(m.mover, |p| p.mover),
                note: hit.map(|space| (space, cx.t("mark.you"))),
                hint: &hint,
            };
            layout.with(|layout| picture::scene(&m.shown, &look).draw(layout))
        });
        if let Some(place) = place.get_untracked() {
            let drawing = drawing.begun(parts);
            drawn.with_value(|drawn: &Option<Drawing>| redraw(&place, drawn.as_ref(), &drawing));
            drawn.set_value(Some(drawing));
        }
    });
    let pointer = Pointer::new(session);
    view! {
        <Valley layout class="backdrop"/>
        <div
            class="scene"
            aria-hidden="true"
            node_ref=place
            on:pointerdown=move |e| pointer.down(&e)
            on:pointermove=move |e| pointer.moved(&e)
            on:pointerup=move |e| pointer.up(&e)
            on:pointercancel=move |_| pointer.cancel()
            on:pointerover=move |e| pointer.over(&e)
            on:pointerleave=move |_| pointer.leave()
            on:click=move |e| pointer.click(&e)
        ></div>
        <Peek session peek=pointer.peek/>
        <Later stage=PaintStage::Air><div class="air" aria-hidden="true" inner_html=move || air()></div></Later>
    }
}
