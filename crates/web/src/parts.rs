//! Components shared by several screens.

use leptos::prelude::*;
use towers_client::fair::Verdict;
use wasm_bindgen::JsCast;

use crate::context::cx;
use crate::device::paint::{self, PaintStage};
use crate::device::{focus, layers, page};

/// A button beside the board, with an icon and a text.
#[component]
pub fn ToolButton(
    id: &'static str,
    sign: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] press: Callback<()>,
) -> impl IntoView {
    view! {
        <button class="tool" id=id on:click=move |_| press.run(())>
            <span aria-hidden="true">{sign}</span>
            {label}
        </button>
    }
    .into_any()
}

/// A button that opens the system's share sheet, or copies where there is none.
#[component]
pub fn ShareButton(
    id: &'static str,
    class: &'static str,
    /// The key of its label where it copies.
    copy: &'static str,
    /// A link or a text.
    #[prop(into)]
    text: Callback<(), String>,
) -> impl IntoView {
    let cx = cx();
    let copied = RwSignal::new(false);
    let share = move |_| {
        let sharing = page::share(&text.run(()));
        leptos::task::spawn_local(async move {
            copied.try_set(sharing.await);
        });
    };
    let label = move || match (copied.get(), page::has_share_sheet()) {
        (true, _) => "daily.copied",
        (false, true) => "ui.share",
        (false, false) => copy,
    };
    view! {
        <button class=class id=id on:click=share>
            {move || cx.t(label())}
        </button>
    }
    .into_any()
}

/// A large button with a title and a description.
#[component]
pub fn LargeButton(
    class: &'static str,
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] about: Signal<String>,
    #[prop(into)] press: Callback<()>,
) -> impl IntoView {
    view! {
        <button class=class id=id on:click=move |_| press.run(())>
            <b>{label}</b>
            <span>{about}</span>
        </button>
    }
    .into_any()
}

/// Shows its children when their paint stage is reached, so that the page stays responsive while a large screen opens.
#[component]
pub fn Later(stage: PaintStage, children: ChildrenFn) -> impl IntoView {
    let due = paint::reached(stage);
    move || due.get().then(|| children())
}

/// A modal dialog with a title and a button to close it. Escape closes it as well.
#[component]
pub fn Dialog(
    #[prop(into)] title: Signal<String>,
    #[prop(into)] close: Callback<()>,
    children: Children,
) -> impl IntoView {
    let cx = cx();
    // Closing it returns the focus to where it was.
    focus::remember();
    focus::focus(".dialog button");
    on_cleanup(focus::give_back);
    layers::open(close);
    view! {
        // The second tap of a double tap on what opened the dialog does not close it.
        <div class="veil" on:click=move |e| if e.detail() < 2 { close.run(()) }></div>
        <div
            class="dialog panel"
            role="dialog"
            aria-modal="true"
            aria-labelledby="dialog-title"
            on:keydown=move |e| match e.key().as_str() {
                "Escape" => {
                    e.stop_propagation();
                    close.run(());
                }
                "Tab" if focus::turn_around(".dialog", e.shift_key()) => e.prevent_default(),
                _ => {}
            }
        >
            <div class="dialog-head">
                <h2 id="dialog-title">{title}</h2>
                <button class="round" aria-label=cx.text("ui.close") on:click=move |_| close.run(())>"×"</button>
            </div>
            <div class="dialog-body">{children()}</div>
        </div>
    }
    .into_any()
}

/// Closes an open `details` element on Escape. A dialog around it stays open.
pub fn close_details(e: &web_sys::KeyboardEvent) {
    let details = e
        .current_target()
        .and_then(|t| t.dyn_into::<web_sys::Element>().ok())
        .filter(|details| e.key() == "Escape" && details.has_attribute("open"));
    if let Some(details) = details {
        e.stop_propagation();
        // Removing an attribute does not fail.
        let _ = details.remove_attribute("open");
        focus::focus_inside(&details, "summary");
    }
}

/// A button that asks for confirmation before an action that cannot be undone.
#[component]
pub fn AskFirst(
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] question: Signal<String>,
    #[prop(into)] act: Callback<()>,
) -> impl IntoView {
    let cx = cx();
    let is_asked = RwSignal::new(false);
    let yes = format!("{id}-yes");
    let ask = move |_| {
        is_asked.set(true);
        focus::focus(".ask-first .plain");
    };
    // Escape closes only the question, not a dialog around it.
    let key = move |e: web_sys::KeyboardEvent| {
        if e.key() == "Escape" {
            e.stop_propagation();
            is_asked.set(false);
        }
    };
    view! {
        <Show
            when=move || is_asked.get()
            fallback=move || view! { <button class="plain" id=id on:click=ask>{label}</button> }
        >
            <div class="ask-first" role="alertdialog" aria-label=question on:keydown=key>
                <span>{question}</span>
                <button class="primary" id=yes.clone() on:click=move |_| {
                    is_asked.set(false);
                    act.run(());
                }>{label}</button>
                <button class="plain" on:click=move |_| is_asked.set(false)>{cx.text("act.cancel")}</button>
            </div>
        </Show>
    }
    .into_any()
}

/// Options of which one is selected, by index.
#[derive(Clone, Copy)]
pub struct Choices {
    texts: Signal<Vec<String>>,
    selected: Signal<Option<usize>>,
    select: Callback<usize>,
}

impl Choices {
    /// Creates options from values with texts, the selected value, and a handler for changes.
    pub fn new<T: Copy + PartialEq + 'static>(
        of: impl Fn() -> Vec<(T, String)> + Send + Sync + Clone + 'static,
        now: impl Fn() -> T + Send + Sync + 'static,
        set: impl Fn(T) + Send + Sync + 'static,
    ) -> Choices {
        let (values, all) = (of.clone(), of.clone());
        Choices {
            texts: Signal::derive(move || of().into_iter().map(|(_, text)| text).collect()),
            selected: Signal::derive(move || {
                let now = now();
                values().iter().position(|(value, _)| *value == now)
            }),
            select: Callback::new(move |n: usize| {
                if let Some((value, _)) = all().get(n) {
                    set(*value);
                }
            }),
        }
    }
}

/// A row of options of which one is selected.
#[component]
pub fn Alternatives(
    #[prop(into)] label: Signal<String>,
    /// A line that explains the options.
    #[prop(optional, into)]
    about: Option<Signal<String>>,
    of: Choices,
) -> impl IntoView {
    let segment = move |(n, text): (usize, String)| {
        view! {
            <button
                type="button"
                class="segment"
                aria-pressed=move || if of.selected.get() == Some(n) { "true" } else { "false" }
                on:click=move |_| of.select.run(n)
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
                {move || of.texts.get().into_iter().enumerate().map(segment).collect_view()}
            </div>
        </fieldset>
    }
    .into_any()
}

/// This device's verdict on the dice of a finished game.
#[component]
pub fn VerdictLine(verdict: Verdict) -> impl IntoView {
    let cx = cx();
    let (class, key) = match verdict {
        Verdict::Fair => ("verdict good", "fair.kept"),
        Verdict::LeftOut => ("verdict why", "fair.left_me_out"),
        Verdict::Broken => ("verdict why", "fair.broken"),
        Verdict::NotNoted => ("about", "fair.not_noted"),
    };
    view! { <p class=class data-verdict=key>{cx.text(key)}</p> }
}
