//! The cards in the hand.

use client::{Intent, Pick};
use leptos::prelude::*;
use rules::Card;

use super::session::Session;
use crate::context::cx;
use crate::device::page::px;
use crate::live::Memo;
use crate::markup::{Markup, view};
use crate::parts::CollectView;

/// A card was chosen: to be played, handed over or given back, whatever is asked.
pub fn choose(session: Session, card: Card) {
    let (intent, can) = session
        .model
        .with_untracked(|m| (m.choice.intent(), m.choice.can(Intent::Card(card))));
    match intent {
        Some(Intent::Return | Intent::Offer) => session.pick(Pick::Card(card)),
        _ if can => session.begin(Intent::Card(card)),
        _ => {
            let offers = session
                .model
                .with_untracked(|m| m.choice.can(Intent::Offer));
            if offers {
                session.begin(Intent::Offer);
                session.pick(Pick::Card(card));
            }
        }
    }
}

/// The cards in the hand.
#[component]
pub fn Hand(session: Session, layout: Memo<art::Layout>) -> Markup {
    let cx = cx();
    let cards = Memo::new(move || {
        session
            .model
            .with(|m| m.shown.hand.clone().unwrap_or_default())
    });
    let rows = move || {
        let hand = cards.get();
        let rects = layout.with(|l| l.hand_cards(hand.len()));
        let mut before = Vec::new();
        hand.into_iter()
            .zip(rects)
            .map(|(card, rect)| {
                // Two cards of a kind are told apart by their place.
                let copy = before.iter().filter(|c| **c == card).count();
                before.push(card);
                let chosen = move || {
                    session.model.with(|m| {
                        let played = m.choice.intent() == Some(Intent::Card(card));
                        (played || m.choice.picks().contains(&Pick::Card(card))) && copy == 0
                    })
                };
                let usable = move || {
                    session.model.with(|m| {
                        m.choice.can(Intent::Card(card))
                            || m.choice.can(Intent::Return)
                            || m.choice.can(Intent::Offer)
                    })
                };
                // The picture lies beside the button, not in it: its numerals are no words.
                view! {
                    <div
                        class="card-slot"
                        class:chosen=move || chosen()
                        class:hinted=move || !chosen() && copy == 0 && session.hinted() == Some(Intent::Card(card))
                        style:left=px(rect.x)
                        style:top=px(rect.y)
                        style:width=px(rect.w)
                        style:height=px(rect.h)
                    >
                        <div aria-hidden="true" inner_html=art::pieces::book::card(client::picture::card(card))></div>
                        <button
                            class="card"
                            data-card=card.text()
                            disabled=move || !usable()
                            aria-pressed=move || if chosen() { "true" } else { "false" }
                            aria-label=move || cx.say(&client::labels::card(card))
                            on:click=move |_| choose(session, card)
                        ></button>
                    </div>
                }
            })
            .collect_view()
    };
    view! { <section class="hand" aria-label=cx.text("hand.title")>{move || rows()}</section> }
}
