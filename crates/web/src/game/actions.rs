//! Buttons for what can be done now.

use client::words::say;
use client::{Intent, Model, Pick};
use leptos::prelude::*;
use rules::{Action, Direction, Move};

use super::session::Session;
use super::targets::label;
use crate::context::cx;
use crate::device::page::px;
use crate::live::Memo;
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Show, button};

/// What a button for an intent says; none if it has its own place.
fn intent_text(intent: Intent) -> Option<client::Message> {
    Some(match intent {
        Intent::Reroll => say("act.reroll"),
        Intent::Refresh => say("act.refresh"),
        Intent::End => say("act.end"),
        Intent::Pass => say("act.pass"),
        Intent::Done => say("act.done"),
        Intent::Ask => say("act.ask"),
        Intent::Offer => say("act.offer"),
        Intent::Accept => say("act.accept"),
        Intent::Decline => say("act.decline"),
        Intent::Give => say("act.give"),
        Intent::With => say("act.with"),
        Intent::More => say("act.more"),
        Intent::Spell(spell) => say("act.cast").with("spell", client::labels::spell(spell)),
        Intent::Card(_) | Intent::Roll | Intent::Return | Intent::Before(_) | Intent::After(_) => {
            return None;
        }
    })
}

/// A short name of an intent in the page, such as `cast AW`.
fn intent_code(intent: Intent) -> String {
    let spell = |what: &str, spell: rules::Spell| format!("{what} {}", spell.code());
    let name = match intent {
        Intent::Reroll => "reroll",
        Intent::Refresh => "refresh",
        Intent::End => "end",
        Intent::Pass => "pass",
        Intent::Done => "done",
        Intent::Ask => "ask",
        Intent::Offer => "offer",
        Intent::Accept => "accept",
        Intent::Decline => "decline",
        Intent::Give => "give",
        Intent::With => "with",
        Intent::More => "more",
        Intent::Before(s) => return spell("before", s),
        Intent::After(s) => return spell("after", s),
        Intent::Spell(s) => return spell("cast", s),
        Intent::Card(_) | Intent::Roll | Intent::Return => "card",
    };
    name.into()
}

/// What the button that confirms says.
fn confirm_key(action: Action) -> &'static str {
    match action {
        Action::Roll(_) => "act.roll",
        Action::Play(_, Move::Nothing) | Action::Accept(Move::Nothing) => "act.discard",
        Action::Cast(_)
        | Action::Before(_)
        | Action::After(_)
        | Action::WithPiggyback
        | Action::Piggyback => "act.cast_now",
        Action::Refresh(_) => "act.refresh_now",
        Action::Offer(_) | Action::Return(_) | Action::Give(_) => "act.hand_over",
        _ => "act.confirm",
    }
}

/// Names the variant of an action: with Piggyback or without, whose wizard is meant.
fn variant_text(action: Action) -> client::Message {
    match action {
        Action::Play(_, Move::Wizard { piggyback, .. })
        | Action::Accept(Move::Wizard { piggyback, .. }) => {
            say(if piggyback { "act.two" } else { "act.alone" })
        }
        Action::Cast(rules::Cast::FreeWizard(_, Some(c)))
        | Action::Before(rules::Cast::FreeWizard(_, Some(c))) => {
            say("act.prefer").with("colour", client::labels::colour(c))
        }
        Action::Cast(rules::Cast::AdvanceWizard(w) | rules::Cast::HeadwindWizard(w))
        | Action::Before(rules::Cast::AdvanceWizard(w) | rules::Cast::HeadwindWizard(w)) => {
            say(if w.declared {
                "act.declared"
            } else {
                "act.other"
            })
        }
        _ => say("act.confirm"),
    }
}

/// Buttons for what can be done now.
#[component]
pub fn Actions(session: Session, sides: Memo<[(f64, f64); 2]>) -> Markup {
    let cx = cx();
    let intents = Memo::new(move || {
        session.model.with(|m| {
            if m.is_mine() {
                m.choice.intents()
            } else {
                Vec::new()
            }
        })
    });
    let pending = Memo::new(move || {
        session
            .model
            .with(|m| m.choice.pending().filter(|_| m.is_mine()))
    });
    let begun = Memo::new(move || session.model.with(|m| m.choice.intent()));
    let picked = Memo::new(move || session.model.with(|m| m.choice.picks().to_vec()));
    let variants = Memo::new(move || session.model.with(|m| m.choice.variants()));
    // Picks without a place on the board.
    let loose = Memo::new(move || {
        session.model.with(|m| {
            let list = if m.is_mine() {
                m.choice.alternatives()
            } else {
                Vec::new()
            };
            let on_board = |p: &Pick| {
                matches!(
                    p,
                    Pick::Wizard(..) | Pick::Tower(_) | Pick::Space(_) | Pick::Dice
                )
            };
            let only = list.len() == 1;
            list.into_iter()
                .filter(|p| !(on_board(p) || only && *p == Pick::Nothing))
                .collect::<Vec<_>>()
        })
    });
    let for_intent = move |intent: Intent| {
        let text = intent_text(intent)?;
        // Spells without reactions are cast from the tiles; these buttons are for keyboards.
        let class = if matches!(intent, Intent::Spell(_)) {
            "plain spell-button"
        } else {
            "plain"
        };
        let id = match intent {
            Intent::End => "end-turn",
            Intent::Refresh => "refresh",
            Intent::Reroll => "reroll",
            Intent::Pass => "pass",
            _ => "",
        };
        Some(view! {
            <button
                class=class
                class:hinted=move || session.hinted() == Some(intent) && begun.get().is_none()
                data-intent=intent_code(intent)
                id=(!id.is_empty()).then_some(id)
                aria-pressed=move || if begun.get() == Some(intent) { "true" } else { "false" }
                on:click=move |_| session.begin(intent)
            >
                {move || cx.say(&text)}
            </button>
        })
    };
    let before = move || {
        claims(session, "act.before_move", &intents.get(), |i| {
            matches!(i, Intent::Before(_))
        })
    };
    let after = move || {
        claims(session, "act.after_move", &intents.get(), |i| {
            matches!(i, Intent::After(_))
        })
    };
    let show_intents = move || begun.get().is_none() || pending.get().is_none();
    let can_cancel = move || {
        session.model.with(|m| {
            m.is_mine()
                && m.choice.intent().is_some()
                && !matches!(m.choice.intent(), Some(Intent::Roll | Intent::Return))
        }) || (picked.with(|p| !p.is_empty()) && pending.get().is_some())
    };
    let cancel = move |_| session.take_back();
    let partner = move || {
        let waits = session.model.with(|m| !m.is_busy());
        waits.then(|| session.partner_here()).flatten()
    };
    view! {
        <div class="actions" style:left=move || px(sides.get()[1].0) style:width=move || px(sides.get()[1].1)>
            <Show when=move || variants.with(Vec::len) .gt(&1)>
                <div class="variants" role="group" aria-label=cx.text("act.variant")>
                    {move || {
                        variants
                            .get()
                            .into_iter()
                            .enumerate()
                            .map(|(i, action)| {
                                let on = move || session.model.with(|m| m.choice.variant() == i);
                                view! {
                                    <button
                                        class="segment"
                                        aria-pressed=move || if on() { "true" } else { "false" }
                                        on:click=move |_| {
                                            session.choose(|c| {
                                                c.vary(i);
                                                true
                                            });
                                        }
                                    >
                                        {move || cx.say(&variant_text(action))}
                                    </button>
                                }
                            })
                            .collect_view()
                    }}
                </div>
            </Show>
            <Show when=move || !loose.with(Vec::is_empty)>
                <div class="loose">
                    {move || {
                        loose
                            .get()
                            .into_iter()
                            .map(|pick| {
                                let on = move || picked.with(|p| p.contains(&pick));
                                let text = move || session.model.with(|m| match pick {
                                    Pick::Direction(Direction::Clockwise) => format!("↻ {}", cx.say(&label(&m.shown, pick))),
                                    Pick::Direction(_) => format!("↺ {}", cx.say(&label(&m.shown, pick))),
                                    _ => cx.say(&label(&m.shown, pick)),
                                });
                                view! {
                                    <button class="segment" aria-pressed=move || if on() { "true" } else { "false" } on:click=move |_| session.pick(pick)>
                                        {move || text()}
                                    </button>
                                }
                            })
                            .collect_view()
                    }}
                </div>
            </Show>
            <Show when=show_intents>{before}{after}</Show>
            <div class="buttons">
                {move || pending.get().map(|action| view! {
                    <button class="primary" id="confirm" on:click=move |_| session.confirm()>
                        {move || cx.t(confirm_key(action))}
                    </button>
                })}
                <Show when=can_cancel>
                    <button class="plain" id="cancel" on:click=cancel>{cx.text("act.cancel")}</button>
                </Show>
                <Show when=show_intents>
                    {move || intents.get().into_iter().filter_map(for_intent).collect_view()}
                    <Show when=move || intents.with(|i| i.contains(&Intent::Pass))>
                        {button(cx, "plain", "pass-turn", "act.pass_turn", move || session.pass_turn())}
                    </Show>
                </Show>
                {move || optional_buttons(session)}
                {move || partner().map(|(person, name)| view! {
                    <button class="plain" on:click=move |_| session.hand_to(person)>
                        {move || cx.say(&say("act.hand_to").with("who", name.as_str()))}
                    </button>
                })}
            </div>
        </div>
    }
}

/// The spells that can be claimed before or after a move (R13.3), as tiles in a row.
fn claims(
    session: Session,
    title: &'static str,
    intents: &[Intent],
    wanted: fn(&Intent) -> bool,
) -> Option<Markup> {
    let cx = cx();
    let tile = move |intent: Intent| {
        let (Intent::Before(spell) | Intent::After(spell)) = intent else {
            return None;
        };
        let cost = session.model.with(|m| m.shown.options.costs.of(spell));
        let picture = art::pieces::spell::tile(client::picture::spell(spell), cost);
        let name = move || cx.say(&super::reference::intent_name(intent));
        Some(view! {
            <button
                class="claim"
                class:hinted=move || session.hinted() == Some(intent)
                data-intent=intent_code(intent)
                aria-label=name
                title=name
                aria-pressed=move || if session.model.with(|m| m.choice.intent()) == Some(intent) { "true" } else { "false" }
                on:click=move |_| session.begin(intent)
            >
                <span aria-hidden="true" inner_html=picture></span>
                <small aria-hidden="true">{move || cx.say(&client::labels::spell(spell))}</small>
            </button>
        })
    };
    let tiles: Vec<_> = intents
        .iter()
        .copied()
        .filter(wanted)
        .filter_map(tile)
        .collect();
    (!tiles.is_empty()).then(|| {
        view! {
            <div class="claims panel" role="group" aria-label=move || cx.t(title)>
                <b aria-hidden="true">{move || cx.t(title)}</b>
                <div>{tiles}</div>
            </div>
        }
    })
}

/// What a partner may do out of turn: offer a card, give flasks (R12.2, R12.3).
fn optional_buttons(session: Session) -> Markup {
    let cx = cx();
    let actions = session.model.with(|m: &Model| m.optional().to_vec());
    actions
        .into_iter()
        .map(|action| {
            let text = match action {
                Action::Offer(card) => say("act.offer_card").with("card", client::labels::card(card)),
                Action::Give(n) => say("act.give_flasks").with("n", n),
                _ => say("act.confirm"),
            };
            view! { <button class="plain" on:click=move |_| session.act(action)>{move || cx.say(&text)}</button> }
        })
        .collect_view()
}
