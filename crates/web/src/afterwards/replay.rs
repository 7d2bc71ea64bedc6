//! Stepping through a game on the board.

use leptos::prelude::*;
use towers_art::Layout;
use towers_client::Route;
use towers_client::log::{Detail, describe, mover_after};
use towers_client::names::{Names, bot_name};
use towers_client::words::say;
use towers_client::{labels, staged};
use towers_rules::{Event, Seat};
use towers_study::replay::{Eyes, Replay};
use towers_study::review::{Curve, Opinion};

use super::curve::ReviewBox;
use super::fairness::FairnessBox;
use super::numbers::NumbersBox;
use super::open::{OpenScreen, OpenedRecord, find};
use crate::context::{Cx, cx};
use crate::device::page;
use crate::device::storage::shelf;
use crate::game::{arrangement, placed, zone};
use crate::learn::stage::Stage;
use crate::parts::{Dialog, ShareButton, ToolButton};
use crate::session::Session;
use crate::transport::script::Script;

/// The panel that is open besides the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Nothing,
    Hands,
    Numbers,
    Review,
    Fairness,
}

/// A game in review.
#[derive(Clone, Copy)]
pub struct Viewing {
    cx: Cx,
    pub opened: StoredValue<OpenedRecord>,
    /// The step that is shown.
    pub step: RwSignal<usize>,
    /// The point of view.
    pub eyes: RwSignal<Eyes>,
    /// The estimate after every step, once the worker has answered.
    pub curve: RwSignal<Option<Curve>>,
    /// The bot's choices, for the steps analysed so far.
    pub opinions: RwSignal<Vec<Option<Opinion>>>,
    session: StoredValue<Option<Session>>,
}

impl Viewing {
    fn new(cx: Cx, opened: OpenedRecord, number: Option<u64>) -> Option<Viewing> {
        let step = number.map_or(0, |n| opened.replay.step_of(n));
        let viewing = Viewing {
            cx,
            opened: StoredValue::new(opened),
            step: RwSignal::new(step),
            eyes: RwSignal::new(Eyes::All),
            curve: RwSignal::new(None),
            opinions: RwSignal::new(Vec::new()),
            session: StoredValue::new(None),
        };
        let model = viewing.model()?;
        let session = Session::new(cx, Script::silent(), model);
        viewing.session.set_value(Some(session));
        Some(viewing)
    }

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

    fn game(self) -> (towers_table::GameView, Seat) {
        let (step, eyes) = (self.step.get_untracked(), self.eyes.get_untracked());
        self.opened.with_value(|o| {
            let view = o.replay.view(step, eyes);
            let me = match eyes {
                Eyes::Seat(seat) => seat,
                Eyes::All => view.turn.active,
            };
            (staged::without_actions(view), me)
        })
    }

    fn model(self) -> Option<towers_client::Model> {
        let (game, me) = self.game();
        staged::model(game, me, &self.names())
    }

    /// The last step.
    pub fn last(self) -> usize {
        self.opened.with_value(|o| o.replay.steps.len() - 1)
    }

    /// Goes to a step. A single step forward is animated if everything is visible.
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
            let seen = session
                .model
                .with_untracked(|m| staged::seen(events, &m.table, game));
            session.receive(&seen);
        } else {
            self.refresh();
        }
        let address = self.opened.with_value(|o| {
            let number = o.replay.steps[to].number;
            (!o.id.is_empty()).then(|| Route::Replay(o.id.clone(), Some(number)).to_string())
        });
        if let Some(address) = address {
            page::replace_hash(&address);
        }
    }

    /// The link to the current step.
    fn link(self) -> String {
        self.opened.with_value(|o| {
            let number = o.replay.steps[self.step.get_untracked()].number;
            page::link(&Route::Replay(o.id.clone(), Some(number)))
        })
    }

    /// Redraws the current step.
    fn refresh(self) {
        if let (Some(session), Some(model)) = (self.session.get_value(), self.model()) {
            session.model.set(model);
        }
    }

    /// The action of a step, in words.
    pub fn in_words(self, step: usize) -> String {
        let names = Names::new(self.names());
        self.opened.with_value(|o| {
            let Some(now) = o.replay.steps.get(step) else {
                return String::new();
            };
            let view = o.replay.view(step.saturating_sub(1), Eyes::All);
            let mut mover = None;
            let mut words: Vec<String> = now
                .events
                .iter()
                .filter(|e| !matches!(e, Event::Drew { .. } | Event::TurnBegan { .. }))
                .filter_map(|e| {
                    mover = mover_after(mover, e);
                    describe(e, &view, &names, Detail::Kept, mover)
                })
                .map(|m| self.cx.say(&m))
                .collect();
            if step == 0 {
                words = vec![self.cx.t("replay.deal")];
            } else if let (true, Some(action)) = (words.is_empty(), now.action) {
                let (intent, _) = towers_client::choice::parts(action, towers_rules::Colour::Blue);
                words = vec![self.cx.say(&labels::intent(intent))];
            }
            words.join(" · ")
        })
    }
}

/// A finished game; without an id, a form to open one.
#[component]
pub fn ReplayScreen(
    id: Option<String>,
    /// The first entry to show.
    entry: Option<u64>,
) -> impl IntoView {
    let cx = cx();
    let opened: RwSignal<Option<OpenedRecord>> = RwSignal::new(None);
    let problem = RwSignal::new(None);
    let looks = RwSignal::new(id.is_some());
    if let Some(id) = id {
        leptos::task::spawn_local(async move {
            let text = find(&id).await;
            let read = text.map_or_else(
                || Err(id.clone()),
                |text| OpenedRecord::read(cx, &id, &text, entry),
            );
            match read {
                Ok(record) => drop(opened.try_set(Some(record))),
                Err(why) => drop(problem.try_set(Some(why))),
            }
            looks.try_set(false);
        });
    }
    move || {
        if let Some(record) = opened.get() {
            return match Viewing::new(cx, record, entry) {
                Some(viewing) => view! { <Watch viewing/> }.into_any(),
                None => ().into_any(),
            };
        }
        if looks.get() {
            return view! { <div class="reading"><p class="sheet" role="status">{cx.t("ui.loading")}</p></div> }.into_any();
        }
        view! { <OpenScreen opened problem/> }.into_any()
    }
}

#[component]
fn Watch(viewing: Viewing) -> impl IntoView {
    let cx = cx();
    let Some(session) = viewing.session.get_value() else {
        return ().into_any();
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
    let told = move || viewing.in_words(step.get());
    Effect::new(move |_| session.live.set(told()));
    let (text, name) = viewing
        .opened
        .with_value(|o| (page::data_link(&o.text), file_name(o)));
    let layout = Memo::new(move |_| {
        let (w, h) = cx.size.get();
        Layout::with_coach(w, h)
    });
    // Others cannot open a game of this device.
    let shareable = viewing
        .opened
        .with_value(|o| !o.id.is_empty() && shelf().record(&o.id).is_none());
    let key = move |e: web_sys::KeyboardEvent| match e.key().as_str() {
        "ArrowRight" => viewing.go(step.get_untracked() + 1),
        "ArrowLeft" => viewing.go(step.get_untracked().saturating_sub(1)),
        _ => {}
    };
    view! {
        <div class=move || arrangement(layout) on:keydown=key>
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
            <nav class="tools replay-tools" use:placed=zone(layout, |l| l.zones.tools) aria-label=cx.text("tool.title")>
                <ToolButton id="show-hands" sign="▤" label=cx.text("replay.hands") press=move || toggle(Open::Hands)/>
                <ToolButton id="show-numbers" sign="Σ" label=cx.text("stats.title") press=move || toggle(Open::Numbers)/>
                <ToolButton id="show-review" sign="≈" label=cx.text("review.title") press=move || toggle(Open::Review)/>
                <ToolButton id="show-fairness" sign="✓" label=cx.text("tool.fair") press=move || toggle(Open::Fairness)/>
                <a class="button tool" id="record-download" download=name href=text><span aria-hidden="true">"↓"</span>{cx.text("replay.download")}</a>
                <Show when=move || shareable>
                    <ShareButton id="replay-share" class="tool" copy="room.copy" text=move |()| viewing.link()/>
                </Show>
                <ToolButton id="replay-leave" sign="⌂" label=cx.text("tool.leave") press=move || cx.go(Route::Start)/>
            </nav>
            <Show when=move || shown.get() == Open::Hands>
                <Dialog title=cx.text("replay.hands") close><div class="hands">{move || hands()}</div></Dialog>
            </Show>
            <Show when=move || shown.get() == Open::Numbers><NumbersBox viewing close/></Show>
            <Show when=move || shown.get() == Open::Review><ReviewBox viewing close/></Show>
            <Show when=move || shown.get() == Open::Fairness><FairnessBox viewing close/></Show>
        </div>
    }
    .into_any()
}

fn file_name(opened: &OpenedRecord) -> String {
    format!(
        "wandering-towers-{}.jsonl",
        if opened.id.is_empty() {
            "game"
        } else {
            &opened.id
        }
    )
}

/// The hands that are visible from this point of view.
fn hands(viewing: Viewing) -> impl IntoView {
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
