//! The fairness check: everything in the record is derived again.

use client::words::say;
use leptos::prelude::*;
use table::verify_text;

use super::replay::Viewing;
use crate::context::cx;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Dialog, line};

/// Whether every card and roll follows from the seed that was committed to.
#[component]
pub fn FairnessBox(viewing: Viewing, close: impl Fn() + Copy + Send + Sync + 'static) -> Markup {
    let cx = cx();
    let verified = viewing.opened.with_value(|o| verify_text(&o.text));
    let result = match verified {
        Ok(verified) => {
            let entries = verified.entries as u32;
            let games = verified
                .games
                .into_iter()
                .map(|game| {
                    let outcomes = game.outcomes as u32;
                    view! {
                        <dl class="fair">
                            <dt>{cx.text("fair.commitment")}</dt>
                            <dd><code>{game.commitment.to_string()}</code></dd>
                            <dt>{cx.text("fair.seed")}</dt>
                            <dd><code>{game.seed.to_string()}</code></dd>
                            <dt>{cx.text("fair.outcomes")}</dt>
                            <dd>{outcomes}</dd>
                        </dl>
                    }
                })
                .collect_view();
            view! {
                <p class="verdict good" id="fair-result">{move || cx.say(&say("fair.right").with("n", entries))}</p>
                {games}
            }
        }
        Err(difference) => {
            let why = difference.to_string();
            view! { <p class="verdict why" id="fair-result">{move || cx.say(&say("fair.wrong").with("why", why.as_str()))}</p> }
        }
    };
    view! {
        <Dialog title=cx.text("fair.title") close>
            {result}
            {line(cx, "p", "about", "fair.about")}
        </Dialog>
    }
}
