//! Buttons for the available actions.

use leptos::prelude::*;
use towers_client::target::label;
use towers_client::words::say;
use towers_client::{Intent, Model, Pick, Speed, labels};
use towers_rules::{Action, Direction};
use web_sys::MouseEvent;

use super::{placed, zone};
use crate::context::cx;
use crate::session::Session;

/// The text of an intent's button; `None` if the intent has its own control.
fn intent_text(intent: Intent, rolls: u8) -> Option<towers_client::Message> {
    Some(match intent {
        Intent::Reroll => say("act.reroll").with("n", rolls),
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
        Intent::Spell(spell) => say("act.cast").with("spell", labels::spell(spell)),
        Intent::Card(_) | Intent::Roll | Intent::Return | Intent::Before(_) | Intent::After(_) => {
            return None;
        }
    })
}

/// A short id of an intent in the page, such as `cast AW`.
fn intent_code(intent: Intent) -> String {
    let spell = |what: &str, spell: towers_rules::Spell| format!("{what} {}", spell.code());
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

/// Whether a click is the second one of a double click, which belongs to the first.
pub fn is_second(e: &MouseEvent) -> bool {
    e.detail() > 1
}

#[component]
pub fn Actions(session: Session, layout: Memo<towers_art::Layout>) -> impl IntoView {
    let cx = cx();
    let intents = Memo::new(move |_| {
        session.model.with(|m| {
            let mut intents = if m.is_mine() {
                m.choice.intents()
            } else {
                Vec::new()
            };
            // In the player's own opening window, choosing a card passes.
            intents.retain(|&intent| intent != Intent::Pass || !m.is_own_opening());
            intents
        })
    });
    let pending = Memo::new(move |_| {
        session
            .model
            .with(|m| m.choice.pending().filter(|_| m.is_mine()))
    });
    let begun = Memo::new(move |_| session.model.with(|m| m.choice.intent()));
    let picked = Memo::new(move |_| session.model.with(|m| m.choice.picks().to_vec()));
    let variants = Memo::new(move |_| session.model.with(|m| m.choice.variants()));
    // Picks without a place on the board.
    let loose = Memo::new(move |_| {
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
        let rolls = session.model.with(|m| m.shown.turn.rolls_left);
        let text = intent_text(intent, rolls)?;
        // Without reactions, spells are cast from the tiles; these buttons are for keyboards.
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
                on:click=move |e| if !is_second(&e) { session.begin(intent) }
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
            || session.model.with(|m| !m.choice.held().is_empty())
    };
    let cancel = move |_| session.take_back();
    // Tell at the start of a turn that the memory aid is on (R16.2). Lessons and puzzles are made for it.
    let is_recorded = !session.record_id().is_empty();
    let aided = move || {
        session.model.with(|m| {
            is_recorded
                && m.is_mine()
                && m.has_memory_aid()
                && !m.is_unaided()
                && m.shown.turn.played == 0
        })
    };
    let partner = move || {
        let waits = session.model.with(|m| !m.is_busy());
        waits.then(|| session.partner_here()).flatten()
    };
    view! {
        <div class="actions-zone" use:placed=zone(layout, |l| l.zones.actions)>
        <div class="actions">
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
                                        {move || cx.say(&labels::variant(action))}
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
            <Show when=show_intents>
                <div class="claims-zone" use:placed=zone(layout, |l| l.zones.hand)>{before}{after}</div>
            </Show>
            <div class="buttons">
                {move || pending.get().map(|action| view! {
                    <button class="primary" id="confirm" on:click=move |e| if !is_second(&e) { session.confirm() }>
                        {move || cx.say(&labels::confirm(action))}
                    </button>
                })}
                <Show when=can_cancel>
                    <button class="plain" id="cancel" on:click=cancel>{cx.text("act.cancel")}</button>
                </Show>
                <Show when=show_intents>
                    {move || intents.get().into_iter().filter_map(for_intent).collect_view()}
                    <Show when=move || intents.with(|i| i.contains(&Intent::Pass))>
                        <button class="plain" id="pass-turn" on:click=move |_| session.pass_turn()>{cx.text("act.pass_turn")}</button>
                        <StopsSwitch session/>
                    </Show>
                </Show>
                <Show when=move || aided() && begun.get().is_none()>
                    <button class="plain" id="memory-off" on:click=move |_| session.set_memory_aid(false)>{cx.text("memory.turn_off")}</button>
                </Show>
                {move || optional_buttons(session)}
                <ShowControls session/>
                {move || partner().map(|(person, name)| view! {
                    <button class="plain" on:click=move |_| session.hand_to(person)>
                        {move || cx.say(&say("act.hand_to").with("who", name.as_str()))}
                    </button>
                })}
            </div>
        </div>
        </div>
    }
}

/// Controls while the actions of others are shown: pause, step, resume, skip. They appear where the button of the own
/// move was, so the second tap of a double tap on that is none on them.
#[component]
fn ShowControls(session: Session) -> impl IntoView {
    let cx = cx();
    let paused = move || session.paused.get();
    let is_shown = Memo::new(move |_| {
        let others = session.model.with(|m| {
            let over = m.shown.outcome.is_some() || m.table.ending.is_some();
            !m.is_mine() && (m.is_busy() || !over)
        });
        let quick = cx.preferences.with(|p| p.speed == Speed::Instant);
        others && (!quick || paused()) && session.has_show()
    });
    let busy = Memo::new(move |_| session.model.with(Model::is_busy));
    view! {
        <Show when=move || is_shown.get()>
            <button class="plain" id="pause" on:click=move |e| if !is_second(&e) { session.set_paused(!paused()) }>
                {move || cx.t(if paused() { "show.go_on" } else { "show.pause" })}
            </button>
            <Show when=move || paused() && busy.get()>
                <button class="plain" id="next-step" disabled=move || !session.awaits_step.get() on:click=move |_| session.show_next()>
                    {cx.text("show.step")}
                </button>
            </Show>
            <Show when=move || busy.get()>
                <button class="plain" id="skip" on:click=move |e| if !is_second(&e) { session.skip() }>
                    {cx.text("show.skip")}
                </button>
            </Show>
        </Show>
    }
}

/// Switches whether to be asked before and after every action (R13.2).
#[component]
pub fn StopsSwitch(session: Session) -> impl IntoView {
    let cx = cx();
    let on = move || session.model.with(|m| m.table.you.stops_everywhere);
    view! {
        <button
            class="plain"
            id="stops"
            title=cx.text("stops.about")
            aria-pressed=move || if on() { "true" } else { "false" }
            on:click=move |_| session.set_stops(!on())
        >
            {cx.text("stops.everywhere")}
        </button>
    }
}

/// The spells that can be claimed before or after a move (R13.3), as a row of tiles.
fn claims(
    session: Session,
    title: &'static str,
    intents: &[Intent],
    wanted: fn(&Intent) -> bool,
) -> Option<impl IntoView + use<>> {
    let cx = cx();
    let tile = move |intent: Intent| {
        let (Intent::Before(spell) | Intent::After(spell)) = intent else {
            return None;
        };
        let cost = session.model.with(|m| m.shown.options.costs.of(spell));
        let picture = towers_art::pieces::spell::tile(spell, cost);
        let name = move || cx.say(&labels::intent(intent));
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
                <small aria-hidden="true">{move || cx.say(&labels::spell(spell))}</small>
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

/// The player's actions out of turn: offer a card, give flasks (R12.2, R12.3).
fn optional_buttons(session: Session) -> impl IntoView {
    let cx = cx();
    let actions = session.model.with(|m: &Model| m.optional().to_vec());
    actions
        .into_iter()
        .map(|action| {
            let text = match action {
                Action::Offer(card) => say("act.offer_card").with("card", labels::card(card)),
                Action::Give(n) => say("act.give_flasks").with("n", n),
                _ => say("act.confirm"),
            };
            view! { <button class="plain" on:click=move |_| session.act(action)>{move || cx.say(&text)}</button> }
        })
        .collect_view()
}
