//! What many screens are made of. Nothing here is generic inside, so that it is in the program once, however often it is used.

use std::sync::Arc;

use leptos::html::custom;
use leptos::prelude::*;

use crate::context::{Cx, cx};
use crate::device::focus;

/// A text in an element of its own.
pub fn line(cx: &Cx, tag: &'static str, class: &'static str, key: &'static str) -> AnyView {
    let element = custom(tag).child(cx.text(key));
    if class.is_empty() {
        element.into_any()
    } else {
        element.class(class).into_any()
    }
}

/// A button with a text.
pub fn button(
    cx: &Cx,
    class: &'static str,
    id: &'static str,
    key: &'static str,
    press: impl Into<Deed>,
) -> AnyView {
    pressed(class, id, cx.text(key).into_any(), press.into())
}

/// A button beside the board: a sign and a text.
pub fn tool(
    cx: &Cx,
    id: &'static str,
    sign: &'static str,
    key: &'static str,
    press: impl Into<Deed>,
) -> AnyView {
    let text = cx.text(key);
    let inside = view! { <span aria-hidden="true">{sign}</span> {text} };
    pressed("tool", id, inside.into_any(), press.into())
}

/// A large button: what it does, and a line about it.
pub fn big(
    class: &'static str,
    id: &'static str,
    what: Signal<String>,
    about: Signal<String>,
    press: impl Into<Deed>,
) -> AnyView {
    let inside = view! { <b>{what}</b> <span>{about}</span> };
    pressed(class, id, inside.into_any(), press.into())
}

fn pressed(class: &'static str, id: &'static str, inside: AnyView, press: Deed) -> AnyView {
    let id = (!id.is_empty()).then_some(id);
    view! { <button class=class id=id on:click=move |_| press.be_done()>{inside}</button> }
        .into_any()
}

/// A row of a list that is made when it is needed.
type Row = Arc<dyn Fn() -> AnyView + Send + Sync>;

/// A list whose rows stay as long as their keys do.
pub fn keyed<T: Clone + Send + Sync + 'static, V: IntoView>(
    each: impl Fn() -> Vec<T> + Send + Sync + 'static,
    key: impl Fn(&T) -> String + Send + Sync + 'static,
    row: impl Fn(T) -> V + Clone + Send + Sync + 'static,
) -> AnyView {
    keyed_rows(Arc::new(move || {
        let with_key = |item: T| -> (String, Row) {
            let (name, row) = (key(&item), row.clone());
            (
                name,
                Arc::new(move || row(item.clone()).into_view().into_any()),
            )
        };
        each().into_iter().map(with_key).collect()
    }))
}

fn keyed_rows(each: Arc<dyn Fn() -> Vec<(String, Row)> + Send + Sync>) -> AnyView {
    view! { <For each=move || each() key=|(key, _)| key.clone() children=|(_, row)| row()/> }
        .into_any()
}

/// Rows of a list.
pub trait CollectView {
    /// The rows as one view, whatever they are made of.
    fn collect_view(self) -> Vec<AnyView>;
}

impl<I: Iterator<Item: IntoView>> CollectView for I {
    fn collect_view(self) -> Vec<AnyView> {
        self.map(|row| row.into_view().into_any()).collect()
    }
}

/// A question with the answer yes or no, asked again whenever the answer may have changed.
pub struct Condition(Arc<dyn Fn() -> bool + Send + Sync>);

impl<F: Fn() -> bool + Send + Sync + 'static> From<F> for Condition {
    fn from(ask: F) -> Condition {
        Condition(Arc::new(ask))
    }
}

/// Shows something while a condition holds, and something else or nothing while it does not.
#[component]
pub fn Show(
    /// The condition.
    #[prop(into)]
    when: Condition,
    /// What is shown instead.
    #[prop(optional, into)]
    fallback: ViewFn,
    /// What is shown.
    children: ChildrenFn,
) -> impl IntoView {
    let holds = ArcMemo::new(move |_| (when.0)());
    view! { {move || if holds.get() { children() } else { fallback.run() }} }
}

/// Something to be done.
#[derive(Clone)]
pub struct Deed(Arc<dyn Fn() + Send + Sync>);

impl Deed {
    fn be_done(&self) {
        (self.0)();
    }
}

impl<F: Fn() + Send + Sync + 'static> From<F> for Deed {
    fn from(deed: F) -> Deed {
        Deed(Arc::new(deed))
    }
}

/// A box over the page, with a title and a button to close it. Escape closes it as well.
#[component]
pub fn Dialog(
    /// The title.
    #[prop(into)]
    title: Signal<String>,
    /// What to do when it is closed.
    #[prop(into)]
    close: Deed,
    /// What is in it.
    children: Children,
) -> impl IntoView {
    let cx = cx();
    // Whoever closes it is where they were before.
    focus::remember();
    focus::focus(".dialog button");
    on_cleanup(focus::give_back);
    let (by_veil, by_key) = (close.clone(), close.clone());
    view! {
        <div class="veil" on:click=move |_| by_veil.be_done()></div>
        <div
            class="dialog panel"
            role="dialog"
            aria-modal="true"
            aria-labelledby="dialog-title"
            on:keydown=move |e| match e.key().as_str() {
                "Escape" => {
                    e.stop_propagation();
                    by_key.be_done();
                }
                "Tab" if focus::turn_around(".dialog", e.shift_key()) => e.prevent_default(),
                _ => {}
            }
        >
            <div class="dialog-head">
                <h2 id="dialog-title">{title}</h2>
                <button class="round" aria-label=cx.text("ui.close") on:click=move |_| close.be_done()>"×"</button>
            </div>
            <div class="dialog-body">{children()}</div>
        </div>
    }
}

/// Alternatives of which one is chosen, by their numbers.
#[derive(Clone)]
pub struct Choices {
    texts: Arc<dyn Fn() -> Vec<String> + Send + Sync>,
    now: Arc<dyn Fn() -> Option<usize> + Send + Sync>,
    set: Arc<dyn Fn(usize) + Send + Sync>,
}

impl Choices {
    /// From the alternatives with their texts, the one that is chosen, and what to do when another one is.
    pub fn new<T: Copy + PartialEq>(
        of: impl Fn() -> Vec<(T, String)> + Copy + Send + Sync + 'static,
        now: impl Fn() -> T + Send + Sync + 'static,
        set: impl Fn(T) + Send + Sync + 'static,
    ) -> Choices {
        Choices {
            texts: Arc::new(move || of().into_iter().map(|(_, text)| text).collect()),
            now: Arc::new(move || of().iter().position(|(value, _)| *value == now())),
            set: Arc::new(move |n| {
                if let Some((value, _)) = of().get(n) {
                    set(*value);
                }
            }),
        }
    }
}

/// A row of alternatives of which one is chosen.
#[component]
pub fn Alternatives(
    /// What is chosen between.
    #[prop(into)]
    label: Signal<String>,
    /// A line that explains it.
    #[prop(optional, into)]
    about: Option<Signal<String>>,
    /// The alternatives.
    of: Choices,
) -> impl IntoView {
    let texts = of.texts.clone();
    let segment = move |(n, text): (usize, String)| {
        let (now, set) = (of.now.clone(), of.set.clone());
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=move || if now() == Some(n) { "true" } else { "false" }
                on:click=move |_| set(n)
            >
                {text}
            </button>
        }
    };
    view! {
        <fieldset class="alternatives">
            <legend>{label}</legend>
            {about.map(|about| view! { <p class="about">{about}</p> })}
            <div class="segments">
                {move || texts().into_iter().enumerate().map(&segment).collect_view()}
            </div>
        </fieldset>
    }
}
