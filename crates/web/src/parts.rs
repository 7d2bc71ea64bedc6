//! What many screens are made of. Nothing here is generic inside, so that it is in the program once, however often it is used.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;

use crate::context::{Cx, cx};
use crate::device::focus;
use crate::markup::{Inside, IntoMarkup, Markup, Once, Row, view};

/// A text in an element of its own.
pub fn line(cx: &Cx, tag: &'static str, class: &'static str, key: &'static str) -> Markup {
    Markup::element(tag, class, cx.text(key).into_markup())
}

/// A button with a text.
pub fn button(
    cx: &Cx,
    class: &'static str,
    id: &'static str,
    key: &'static str,
    press: impl Into<Deed>,
) -> Markup {
    pressed(class, id, cx.text(key).into_markup(), press.into())
}

/// A button beside the board: a sign and a text.
pub fn tool(
    cx: &Cx,
    id: &'static str,
    sign: &'static str,
    key: &'static str,
    press: impl Into<Deed>,
) -> Markup {
    let text = cx.text(key);
    let inside = view! { <span aria-hidden="true">{sign}</span> {text} };
    pressed("tool", id, inside, press.into())
}

/// A large button: what it does, and a line about it.
pub fn big(
    class: &'static str,
    id: &'static str,
    what: Signal<String>,
    about: Signal<String>,
    press: impl Into<Deed>,
) -> Markup {
    let inside = view! { <b>{what}</b> <span>{about}</span> };
    pressed(class, id, inside, press.into())
}

fn pressed(class: &'static str, id: &'static str, inside: Markup, press: Deed) -> Markup {
    let id = (!id.is_empty()).then_some(id);
    view! { <button class=class id=id on:click=move |_| press.be_done()>{inside}</button> }
}

/// A list whose rows stay as long as their keys do.
pub fn keyed<T: Clone + 'static>(
    each: impl Fn() -> Vec<T> + 'static,
    key: impl Fn(&T) -> String + 'static,
    row: impl Fn(T) -> Markup + Clone + 'static,
) -> Markup {
    Markup::Keyed(Box::new(move || {
        let with_key = |item: T| -> (String, Row) {
            let (name, row) = (key(&item), row.clone());
            (name, Rc::new(move || row(item.clone())))
        };
        each().into_iter().map(with_key).collect()
    }))
}

/// Rows of a list.
pub trait CollectView {
    /// The rows as one, whatever they are made of.
    fn collect_view(self) -> Markup;
}

impl<I: Iterator<Item: IntoMarkup>> CollectView for I {
    fn collect_view(self) -> Markup {
        Markup::Many(self.map(IntoMarkup::into_markup).collect())
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
    fallback: Inside,
    /// What is shown.
    children: Inside,
) -> Markup {
    let holds = ArcMemo::new(move |_| (when.0)());
    (move || if holds.get() { children.show() } else { fallback.show() }).into_markup()
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
    children: Once,
) -> Markup {
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
            <div class="dialog-body">{children.show()}</div>
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
) -> Markup {
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
