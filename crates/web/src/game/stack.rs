//! A stack opened up, so that every tower and wizard in it can be reached.

use art::scene::Mark;
use art::side_view::SideView;
use client::{Pick, picture};
use leptos::prelude::*;
use rules::Memory;

use super::session::Session;
use super::targets::{label, outcome, picks_at};
use crate::context::cx;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Dialog};

/// The opened stack, with a button for everything in it that can be picked.
#[component]
pub fn OpenedStack(session: Session) -> Markup {
    let cx = cx();
    let content = move || {
        let space = session.opened.get()?;
        let (svg, picks) = session.model.with(|m| {
            let picks = if m.is_mine() {
                picks_at(&m.shown, space, &m.choice.alternatives())
            } else {
                Vec::new()
            };
            let marks: Vec<_> = picks
                .iter()
                .filter_map(|p| Some((picture::piece(*p, &m.shown)?, Mark::Legal)))
                .collect();
            let stack = picture::stack(&m.shown, space);
            let side = SideView {
                stack: &stack,
                space: space.index(),
                marks: &marks,
                show_prisoners: m.shown.options.memory == Memory::Assisted,
            };
            (side.svg(), picks)
        });
        let button = move |pick: Pick| {
            let words = session.model.with(|m| {
                let what = cx.say(&label(&m.shown, pick));
                let then: Vec<_> = outcome(m, pick).iter().map(|l| cx.say(l)).collect();
                (what, then.join(" "))
            });
            view! {
                <button class="row" on:click=move |_| session.pick(pick)>
                    <b>{words.0}</b>
                    <small>{words.1}</small>
                </button>
            }
        };
        let title = Signal::derive(move || {
            cx.say(&client::words::say("stack.title").with("space", space.number()))
        });
        Some(view! {
            <Dialog title close=move || session.opened.set(None)>
                <div class="opened">
                    <div class="opened-look" aria-hidden="true" inner_html=svg></div>
                    <div class="opened-picks">{picks.into_iter().map(button).collect_view()}</div>
                </div>
            </Dialog>
        })
    };
    view! { {move || content()} }
}
