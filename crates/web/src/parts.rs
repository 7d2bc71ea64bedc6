//! What many screens are made of. Nothing here is generic inside, so that it is in the program once, however often it is used.

use std::rc::Rc;

use leptos::prelude::*;

use crate::context::{Cx, cx};
use crate::device::{focus, turns};
use crate::markup::{Inside, IntoMarkup, Markup, Once, Row, view};

/// A text in an element of its own.
pub fn line(cx: Cx, tag: &'static str, class: &'static str, key: &'static str) -> Markup {
    Markup::element(tag, class, cx.text(key).into_markup())
}

/// A button with a text.
pub fn button(
    cx: Cx,
    class: &'static str,
    id: &'static str,
    key: &'static str,
    press: impl Into<Deed>,
) -> Markup {
    pressed(class, id, cx.text(key).into_markup(), press.into())
}

/// A button beside the board: a sign and a text.
pub fn tool(
    cx: Cx,
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
pub fn keyed<T: Clone + 'static, K: PartialEq + 'static>(
    each: impl Fn() -> Vec<T> + 'static,
    key: impl Fn(&T) -> K + 'static,
    row: impl Fn(T) -> Markup + Clone + 'static,
) -> Markup {
    // The keys that were there the last time, with the numbers they got.
    let mut known: Vec<(K, u32)> = Vec::new();
    let mut next = 0;
    Markup::Keyed(Box::new(move || {
        let mut now = Vec::new();
        let with_number = |item: T| -> (u32, Row) {
            let (key, row) = (key(&item), row.clone());
            let number = known.iter().find(|(k, _)| *k == key).map_or(next, |k| k.1);
            next = next.max(number + 1);
            now.push((key, number));
            (number, Box::new(move || row(item.clone())))
        };
        let rows = each().into_iter().map(with_number).collect();
        known = now;
        rows
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
pub struct Condition(Box<dyn Holds + Send + Sync>);

trait Holds {
    fn holds(&self) -> bool;
}

impl<F: Fn() -> bool> Holds for F {
    fn holds(&self) -> bool {
        self()
    }
}

impl<F: Fn() -> bool + Send + Sync + 'static> From<F> for Condition {
    fn from(ask: F) -> Condition {
        Condition(Box::new(ask))
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
    let holds = ArcMemo::new(move |_| when.0.holds());
    (move || {
        if holds.get() {
            children.show()
        } else {
            fallback.show()
        }
    })
    .into_markup()
}

/// Shows something a moment later, for a screen that is much at once: the page can answer in between.
#[component]
pub fn Later(
    /// Those with lower numbers come first.
    turn: u32,
    /// What is shown.
    children: Inside,
) -> Markup {
    let due = turns::after(turn);
    (move || due.get().then(|| children.show())).into_markup()
}

/// Something to be done.
#[derive(Clone)]
pub struct Deed(Rc<Box<dyn Act>>);

trait Act {
    fn act(&self);
}

impl<F: Fn()> Act for F {
    fn act(&self) {
        self();
    }
}

impl Deed {
    #[inline(never)]
    fn new(deed: Box<dyn Act>) -> Deed {
        Deed(Rc::new(deed))
    }

    fn be_done(&self) {
        self.0.act();
    }
}

impl<F: Fn() + 'static> From<F> for Deed {
    fn from(deed: F) -> Deed {
        Deed::new(Box::new(deed))
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
pub struct Choices(Rc<dyn Choose>);

trait Choose {
    /// The texts of the alternatives.
    fn texts(&self) -> Vec<String>;
    /// The one that is chosen.
    fn now(&self) -> Option<usize>;
    /// Another one is chosen.
    fn set(&self, n: usize);
}

struct Between<Of, Now, Set> {
    of: Of,
    now: Now,
    set: Set,
}

impl<T, Of, Now, Set> Choose for Between<Of, Now, Set>
where
    T: Copy + PartialEq,
    Of: Fn() -> Vec<(T, String)>,
    Now: Fn() -> T,
    Set: Fn(T),
{
    fn texts(&self) -> Vec<String> {
        (self.of)().into_iter().map(|(_, text)| text).collect()
    }

    fn now(&self) -> Option<usize> {
        let now = (self.now)();
        (self.of)().iter().position(|(value, _)| *value == now)
    }

    fn set(&self, n: usize) {
        if let Some((value, _)) = (self.of)().get(n) {
            (self.set)(*value);
        }
    }
}

impl Choices {
    /// From the alternatives with their texts, the one that is chosen, and what to do when another one is.
    pub fn new<T: Copy + PartialEq>(
        of: impl Fn() -> Vec<(T, String)> + 'static,
        now: impl Fn() -> T + 'static,
        set: impl Fn(T) + 'static,
    ) -> Choices {
        Choices(Rc::new(Between { of, now, set }))
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
    let texts = of.clone();
    let segment = move |(n, text): (usize, String)| {
        let (now, set) = (of.clone(), of.clone());
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=move || if now.0.now() == Some(n) { "true" } else { "false" }
                on:click=move |_| set.0.set(n)
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
                {move || texts.0.texts().into_iter().enumerate().map(&segment).collect_view()}
            </div>
        </fieldset>
    }
}
