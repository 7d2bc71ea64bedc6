//! Stepping through a game on the board.

use client::log::{Detail, tell};
use client::names::{Names, bot_name};
use client::words::say;
use client::{labels, staged};
use leptos::prelude::*;
use rules::{Event, Seat};
use study::replay::{Eyes, Replay};
use study::review::Opinion;

use super::curve::ReviewBox;
use super::fairness::FairnessBox;
use super::numbers::NumbersBox;
use super::open::{OpenScreen, Opened, find};
use crate::context::{Cx, Screen, cx};
use crate::device::page;
use crate::game::reference::intent_name;
use crate::game::session::{Session, Way};
use crate::learn::page::Page;
use crate::learn::stage::Stage;
use crate::live::{RwSignal, StoredValue, follow};
use crate::markup::{IntoMarkup, Markup, view};
use crate::parts::{CollectView, Dialog, Show, tool};

/// What is open besides the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Hands,
    Numbers,
    Review,
    Fairness,
}

/// A game that is being looked at.
#[derive(Clone, Copy)]
pub struct Viewing {
    cx: Cx,
    /// The record.
    pub opened: StoredValue<Opened>,
    /// The step that is shown.
    pub step: RwSignal<usize>,
    /// Through whose eyes.
    pub eyes: RwSignal<Eyes>,
    /// What a bot would have played, as far as it has thought.
    pub opinions: RwSignal<Vec<Option<Opinion>>>,
    session: StoredValue<Option<Session>>,
}

impl Viewing {
    fn new(cx: Cx, opened: Opened, number: Option<u64>) -> Option<Viewing> {
        let step = number.map_or(0, |n| opened.replay.step_of(n));
        let viewing = Viewing {
            cx,
            opened: StoredValue::new(opened),
            step: RwSignal::new(step),
            eyes: RwSignal::new(Eyes::All),
            opinions: RwSignal::new(Vec::new()),
            session: StoredValue::new(None),
        };
        let model = viewing.model()?;
        let nothing = Callback::new(|_| ());
        let session = Session::new(cx, Way::Script(nothing), model);
        viewing.session.set_value(Some(session));
        Some(viewing)
    }

    /// What the players are called.
    pub fn names(self) -> Vec<String> {
        self.opened.with_value(|o| {
            let state = o.replay.state(0);
            let name = |seat: Seat| match o.replay.names.get(seat.index()) {
                Some(Ok(name)) => name.clone(),
                _ => bot_name(state.colour(seat)).to_string(),
            };
            state.seats().map(name).collect()
        })
    }

    fn game(self) -> (table::GameView, Seat) {
        let (step, eyes) = (self.step.get_untracked(), self.eyes.get_untracked());
        self.opened.with_value(|o| {
            let view = o.replay.view(step, eyes);
            let me = match eyes {
                Eyes::Seat(seat) => seat,
                Eyes::All => view.turn.active,
            };
            (staged::look(view), me)
        })
    }

    fn model(self) -> Option<client::Model> {
        let (game, me) = self.game();
        staged::model(game, me, &self.names())
    }

    /// How many steps there are.
    pub fn last(self) -> usize {
        self.opened.with_value(|o| o.replay.steps.len() - 1)
    }

    /// Goes to a step; one step on is shown as it happened.
    pub fn go(self, to: usize) {
        let Some(session) = self.session.get_value() else {
            return;
        };
        let (from, to) = (self.step.get_untracked(), to.min(self.last()));
        self.step.set(to);
        let animated = to == from + 1 && self.eyes.get_untracked() == Eyes::All;
        if animated {
            let events = self
                .opened
                .with_value(|o| o.replay.steps[to].events.clone());
            let (game, _) = self.game();
            session.tell(staged::seen(events, game));
        } else {
            self.refresh();
        }
        let address = self.opened.with_value(|o| {
            let number = o.replay.steps[to].number;
            (!o.id.is_empty()).then(|| Page::Replay(Some(o.id.clone()), Some(number)).address())
        });
        if let Some(address) = address {
            page::replace_hash(&address);
        }
    }

    /// Shows the step anew.
    fn refresh(self) {
        if let (Some(session), Some(model)) = (self.session.get_value(), self.model()) {
            session.model.set(model);
        }
    }

    /// Who did what at a step, in words.
    pub fn told(self, step: usize) -> String {
        let names = Names(self.names());
        self.opened.with_value(|o| {
            let Some(now) = o.replay.steps.get(step) else {
                return String::new();
            };
            let view = o.replay.view(step.saturating_sub(1), Eyes::All);
            let mut words: Vec<String> = now
                .events
                .iter()
                .filter(|e| !matches!(e, Event::Drew { .. } | Event::TurnBegan { .. }))
                .filter_map(|e| tell(e, &view, &names, Detail::Kept))
                .map(|m| self.cx.say(&m))
                .collect();
            if step == 0 {
                words = vec![self.cx.t("replay.deal")];
            } else if let (true, Some(action)) = (words.is_empty(), now.action) {
                let (intent, _) = client::choice::parts(action, rules::Colour::Blue);
                words = vec![self.cx.say(&intent_name(intent))];
            }
            words.join(" · ")
        })
    }
}

/// A game that is over; without a name, one is to be opened.
#[component]
pub fn ReplayScreen(
    /// Which one.
    id: Option<String>,
    /// The entry to begin with.
    number: Option<u64>,
) -> Markup {
    let cx = cx();
    let opened: RwSignal<Option<Opened>> = RwSignal::new(None);
    let problem = RwSignal::new(None);
    let looks = RwSignal::new(id.is_some());
    if let Some(id) = id {
        leptos::task::spawn_local(async move {
            let text = find(&id).await;
            let read = text.map_or_else(|| Err(id.clone()), |text| Opened::read(&id, &text));
            match read {
                Ok(record) => opened.set(Some(record)),
                Err(why) => problem.set(Some(why)),
            }
            looks.set(false);
        });
    }
    let shown = move || {
        if let Some(record) = opened.get() {
            return match cx.keep(|| Viewing::new(cx, record, number)) {
                Some(viewing) => view! { <Watch viewing/> },
                None => Markup::nothing(),
            };
        }
        if looks.get() {
            return view! { <div class="reading"><p class="sheet" role="status">{cx.t("ui.loading")}</p></div> };
        }
        view! { <OpenScreen opened problem/> }
    };
    shown.into_markup()
}

#[component]
fn Watch(viewing: Viewing) -> Markup {
    let cx = cx();
    let Some(session) = viewing.session.get_value() else {
        return Markup::nothing();
    };
    let shown = RwSignal::new(Open::Nothing);
    let (step, last) = (viewing.step, viewing.last());
    let close = move || shown.set(Open::Nothing);
    let toggle =
        move |which| shown.update(|b| *b = if *b == which { Open::Nothing } else { which });
    let eyes = move || {
        let one = |(i, name): (usize, String)| {
            let value = i.to_string();
            view! { <option value=value>{cx.say(&say("replay.eyes").with("who", name))}</option> }
        };
        let seats = viewing
            .names()
            .into_iter()
            .enumerate()
            .map(one)
            .collect_view();
        view! { <option value="all">{cx.t("replay.all")}</option> {seats} }
    };
    let look = move |value: String| {
        viewing
            .eyes
            .set(value.parse().map_or(Eyes::All, |n| Eyes::Seat(Seat(n))));
        viewing.refresh();
    };
    let hands = move || hands(viewing);
    let told = move || viewing.told(step.get());
    follow(move || session.live.set(told()));
    let (text, name) = viewing
        .opened
        .with_value(|o| (page::data_link(&o.text), file_name(o)));
    let key = move |e: web_sys::KeyboardEvent| match e.key().as_str() {
        "ArrowRight" => viewing.go(step.get_untracked() + 1),
        "ArrowLeft" => viewing.go(step.get_untracked().saturating_sub(1)),
        _ => {}
    };
    view! {
        <div class:upright=move || cx.size.with(|(w, h)| w < h) on:keydown=key>
            <Stage session title=cx.text("replay.title")>
                <div class="coach-head">
                    <h2>{move || cx.say(&say("replay.step").with("n", step.get() as u32).with("all", last as u32))}</h2>
                    <select aria-label=cx.text("replay.who") on:change:target=move |e| look(e.target().value())>{move || eyes()}</select>
                </div>
                <p class="coach-text" id="replay-told">{move || told()}</p>
                <div class="steps">
                    <button class="round" aria-label=cx.text("replay.first") on:click=move |_| viewing.go(0)>"«"</button>
                    <button class="round" id="replay-back" aria-label=cx.text("replay.back") on:click=move |_| viewing.go(step.get_untracked().saturating_sub(1))>"◀"</button>
                    <input
                        type="range"
                        id="replay-slider"
                        min="0"
                        max=last.to_string()
                        aria-label=cx.text("replay.slider")
                        prop:value=move || step.get().to_string()
                        on:input:target=move |e| if let Ok(n) = e.target().value().parse() { viewing.go(n) }
                    />
                    <button class="round" id="replay-on" aria-label=cx.text("replay.on") on:click=move |_| viewing.go(step.get_untracked() + 1)>"▶"</button>
                    <button class="round" aria-label=cx.text("replay.last") on:click=move |_| viewing.go(last)>"»"</button>
                </div>
            </Stage>
            <nav class="tools replay-tools" aria-label=cx.text("tool.title")>
                {tool(cx, "show-hands", "▤", "replay.hands", move || toggle(Open::Hands))}
                {tool(cx, "show-numbers", "Σ", "stats.title", move || toggle(Open::Numbers))}
                {tool(cx, "show-review", "≈", "review.title", move || toggle(Open::Review))}
                {tool(cx, "show-fairness", "✓", "tool.fair", move || toggle(Open::Fairness))}
                <a class="button tool" id="record-download" download=name href=text><span aria-hidden="true">"↓"</span>{cx.text("replay.download")}</a>
                {tool(cx, "replay-leave", "⌂", "tool.leave", move || cx.go(Screen::Start))}
            </nav>
            <Show when=move || shown.get() == Open::Hands>
                <Dialog title=cx.text("replay.hands") close><div class="hands">{move || hands()}</div></Dialog>
            </Show>
            <Show when=move || shown.get() == Open::Numbers><NumbersBox viewing close/></Show>
            <Show when=move || shown.get() == Open::Review><ReviewBox viewing close/></Show>
            <Show when=move || shown.get() == Open::Fairness><FairnessBox viewing close/></Show>
        </div>
    }
}

fn file_name(opened: &Opened) -> String {
    format!(
        "wandering-towers-{}.jsonl",
        if opened.id.is_empty() {
            "game"
        } else {
            &opened.id
        }
    )
}

/// Everybody's cards, as far as they are open to these eyes.
fn hands(viewing: Viewing) -> Markup {
    let cx = cx();
    let (step, eyes) = (viewing.step.get(), viewing.eyes.get());
    let names = viewing.names();
    let list = viewing
        .opened
        .with_value(|o| Replay::hands(&o.replay, step, eyes));
    names
        .into_iter()
        .zip(list)
        .filter_map(|(name, hand)| {
            let cards: Vec<String> = hand?
                .into_iter()
                .map(|c| cx.say(&labels::card(c)))
                .collect();
            Some(view! { <p><b>{name}</b> " " {cards.join(", ")}</p> })
        })
        .collect_view()
}
