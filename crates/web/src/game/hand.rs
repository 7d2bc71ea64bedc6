//! The cards in the hand.

use leptos::prelude::*;
use towers_client::{Hover, Intent, Model, Pick, target};
use towers_rules::Card;
use web_sys::PointerEvent;

use super::card_drag::CardDrag;
use crate::context::cx;
use crate::device::page::px;
use crate::session::Session;

/// Chooses a card to play, to offer or to return, as the decision requires.
pub fn choose(session: Session, card: Card) {
    let (intent, can) = session
        .model
        .with_untracked(|m| (m.choice.intent(), m.choice.can(Intent::Card(card))));
    match intent {
        Some(Intent::Return | Intent::Offer) => session.pick(Pick::Card(card)),
        _ if can => {
            session.begin(Intent::Card(card));
            let piece_wanted = session
                .model
                .with_untracked(|m| m.choice.intent().is_some() && m.choice.pending().is_none());
            // For keyboards: move the focus to the first piece or to the confirm button.
            crate::device::focus::focus(if piece_wanted {
                ".target[tabindex='0']"
            } else {
                "#confirm"
            });
        }
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

/// Whether a card can be played, offered or returned now.
fn is_usable(m: &Model, card: Card) -> bool {
    let choice = &m.choice;
    choice.can(Intent::Card(card)) || choice.can(Intent::Return) || choice.can(Intent::Offer)
}

#[component]
pub fn Hand(session: Session, layout: Memo<towers_art::Layout>) -> impl IntoView {
    let cx = cx();
    let cards = Memo::new(move |_| {
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
                // Cards of the same kind are distinguished by their index.
                let copy = before.iter().filter(|c| **c == card).count();
                before.push(card);
                let chosen = move || {
                    session.model.with(|m| {
                        let played = m.choice.intent() == Some(Intent::Card(card));
                        (played || m.choice.picks().contains(&Pick::Card(card))) && copy == 0
                    })
                };
                let usable = move || session.model.with(|m| is_usable(m, card));
                // Whether the card moves the held piece, if there is one.
                let moves_held = move || {
                    session.model.with(|m| {
                        let held = !m.choice.held().is_empty();
                        held.then(|| m.choice.intents_for_held().contains(&Intent::Card(card)))
                    })
                };
                let point = move |e: PointerEvent| {
                    if e.pointer_type() != "touch" && e.buttons() == 0 {
                        session.hover.set(Some(Hover::Intent(Intent::Card(card))));
                    }
                };
                let drag = CardDrag::new(session, Intent::Card(card));
                // The picture is beside the button, not inside it, so that its numerals are not part of the label.
                view! {
                    <div
                        class="card-slot"
                        class:chosen=move || chosen()
                        class:lit=move || moves_held() == Some(true)
                        class:dim=move || moves_held() == Some(false)
                        class:hinted=move || !chosen() && copy == 0 && session.hinted() == Some(Intent::Card(card))
                        style:left=px(rect.x)
                        style:top=px(rect.y)
                        style:width=px(rect.w)
                        style:height=px(rect.h)
                        class:dragged=move || drag.offset.get().is_some()
                        style:transform=move || drag.transform()
                        // A disabled button gets no clicks.
                        on:click=move |_| if !session.model.with_untracked(|m| is_usable(m, card)) { session.explain_cards() }
                    >
                        <div aria-hidden="true" inner_html=towers_art::pieces::book::card(card)></div>
                        <button
                            class="card"
                            data-card=card.text()
                            disabled=move || !usable()
                            aria-pressed=move || if chosen() { "true" } else { "false" }
                            aria-label=move || target::sentences(&[cx.say(&towers_client::labels::card(card))])
                            on:pointerenter=point
                            on:pointerleave=move |_| session.hover.set(None)
                            on:pointerdown=move |e| drag.press(&e)
                            on:pointermove=move |e| drag.follow(&e)
                            on:pointerup=move |e| drag.release(&e)
                            on:pointercancel=move |_| drag.cancel()
                            on:keydown=move |e| if e.key() == "Escape" { drag.cancel() }
                            on:click=move |e| {
                                // The second tap of a double tap does not put the chosen card back.
                                let is_again = e.detail() > 1
                                    && session.model.with_untracked(|m| m.choice.intent() == Some(Intent::Card(card)));
                                if !(drag.takes_click() || is_again) {
                                    choose(session, card);
                                }
                            }
                        ></button>
                    </div>
                }
            })
            .collect_view()
    };
    view! { <section class="hand" aria-label=cx.text("hand.title")>{move || rows()}</section> }
}
