//! A side view of the stack under the mouse, or the spell there in words.

use leptos::prelude::*;
use towers_art::side_view::SideView;
use towers_client::{Thing, labels};
use towers_rules::Memory;

use crate::context::cx;
use crate::device::page::px;
use crate::session::Session;

/// The stack or spell under the mouse, and the position of the mouse.
pub type Peeked = (Thing, (i32, i32));

/// The width in CSS pixels.
const PEEK_WIDTH: f64 = 170.0;
/// The height in CSS pixels that words need.
const WORDS_HEIGHT: f64 = 110.0;

/// A side view of the stack under the mouse, with every letter and every visible wizard; or what the spell there does.
#[component]
pub fn Peek(session: Session, peek: RwSignal<Option<Peeked>>) -> impl IntoView {
    let cx = cx();
    let content = move || {
        let (thing, (x, y)) = peek.get()?;
        let (html, tall) = match thing {
            Thing::Stack(space) => session.model.with(|m| {
                let board = m.shown.diagram();
                let side = SideView {
                    board: &board,
                    space,
                    marks: &[],
                    show_prisoners: m.shown.options.memory == Memory::Assisted,
                };
                let (w, h) = side.size();
                (side.svg(), PEEK_WIDTH * h / w)
            }),
            Thing::Spell(spell) => {
                let [name, effect] =
                    [labels::spell(spell), labels::spell_effect(spell)].map(|text| cx.say(&text));
                (format!("<b>{name}</b><p>{effect}</p>"), WORDS_HEIGHT)
            }
            _ => return None,
        };
        let (width, height) = cx.size.get_untracked();
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
            <div class="peek panel" aria-hidden="true" style:left=px(left) style:top=px(top) style:width=px(PEEK_WIDTH) inner_html=html></div>
        })
    };
    move || content()
}
