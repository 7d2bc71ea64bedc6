//! A side view of the stack under the mouse.

use leptos::prelude::*;
use towers_art::side_view::SideView;
use towers_rules::{Memory, Space};

use crate::context::cx;
use crate::device::page::px;
use crate::session::Session;

/// The space of the stack under the mouse, and the position of the mouse.
pub type Peeked = (Space, (i32, i32));

/// The width of the side view in CSS pixels.
const PEEK_WIDTH: f64 = 150.0;

/// A side view of the stack under the mouse, with every letter and every visible wizard.
#[component]
pub fn Peek(session: Session, peek: RwSignal<Option<Peeked>>) -> impl IntoView {
    let cx = cx();
    let content = move || {
        let (space, (x, y)) = peek.get()?;
        let (svg, (w, h)) = session.model.with(|m| {
            let board = m.shown.diagram();
            let side = SideView {
                board: &board,
                space,
                marks: &[],
                show_prisoners: m.shown.options.memory == Memory::Assisted,
            };
            (side.svg(), side.size())
        });
        let (width, height) = cx.size.get_untracked();
        let tall = PEEK_WIDTH * h / w;
        // Beside the pointer, on the side where there is room.
        let x = f64::from(x);
        let left = if x < width / 2.0 {
            x + 60.0
        } else {
            x - 60.0 - PEEK_WIDTH
        };
        let top = (f64::from(y) - tall / 2.0)
            .min(height - tall - 8.0)
            .max(8.0);
        Some(view! {
            <div class="peek panel" aria-hidden="true" style:left=px(left) style:top=px(top) style:width=px(PEEK_WIDTH) inner_html=svg></div>
        })
    };
    move || content()
}
