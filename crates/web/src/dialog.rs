//! Boxes over the page: settings, and a frame for others.

use client::{Language, Sound, Speed, ThemeChoice};
use leptos::prelude::*;

use crate::context::cx;

/// A box over the page, with a title and a button to close it. Escape closes it as well.
#[component]
pub fn Dialog(
    /// The title.
    #[prop(into)]
    title: Signal<String>,
    /// What to do when it is closed.
    close: impl Fn() + Copy + 'static,
    /// What is in it.
    children: Children,
) -> impl IntoView {
    let cx = cx();
    crate::device::page::focus(".dialog button");
    view! {
        <div class="veil" on:click=move |_| close()></div>
        <div
            class="dialog panel"
            role="dialog"
            aria-modal="true"
            aria-labelledby="dialog-title"
            on:keydown=move |e| if e.key() == "Escape" { close() }
        >
            <div class="dialog-head">
                <h2 id="dialog-title">{move || title.get()}</h2>
                <button class="round" aria-label=move || cx.t("ui.close") on:click=move |_| close()>"×"</button>
            </div>
            <div class="dialog-body">{children()}</div>
        </div>
    }
}

/// A row of alternatives of which one is chosen.
#[component]
pub fn Alternatives<T: Copy + PartialEq + Send + Sync + 'static>(
    /// What is chosen between.
    #[prop(into)]
    label: Signal<String>,
    /// A line that explains it.
    #[prop(optional, into)]
    about: Option<Signal<String>>,
    /// The alternatives with their texts.
    #[prop(into)]
    of: Signal<Vec<(T, String)>>,
    /// Which one is chosen.
    #[prop(into)]
    now: Signal<T>,
    /// What to do when another one is chosen.
    set: impl Fn(T) + Copy + Send + Sync + 'static,
) -> impl IntoView {
    view! {
        <fieldset class="alternatives">
            <legend>{move || label.get()}</legend>
            {about.map(|about| view! { <p class="about">{move || about.get()}</p> })}
            <div class="segments">
                {move || {
                    of.get()
                        .into_iter()
                        .map(|(value, text)| {
                            view! {
                                <button
                                    type="button"
                                    class="segment"
                                    aria-pressed=move || if now.get() == value { "true" } else { "false" }
                                    on:click=move |_| set(value)
                                >
                                    {text}
                                </button>
                            }
                        })
                        .collect_view()
                }}
            </div>
        </fieldset>
    }
}

/// The settings of this device.
#[component]
pub fn Settings() -> impl IntoView {
    let cx = cx();
    let p = cx.preferences;
    let languages = move || Language::ALL.map(|l| (l, l.name().to_string())).to_vec();
    let themes = move || {
        vec![
            (ThemeChoice::System, cx.t("settings.system")),
            (ThemeChoice::Day, cx.t("settings.day")),
            (ThemeChoice::Night, cx.t("settings.night")),
        ]
    };
    let speeds = move || {
        vec![
            (Speed::Normal, cx.t("settings.normal")),
            (Speed::Double, cx.t("settings.double")),
            (Speed::Instant, cx.t("settings.instant")),
        ]
    };
    let on_off = move || vec![(true, cx.t("ui.on")), (false, cx.t("ui.off"))];
    view! {
        <Dialog title=Signal::derive(move || cx.t("settings.title")) close=move || cx.settings.set(false)>
            <Alternatives
                label=Signal::derive(move || cx.t("settings.language"))
                of=Signal::derive(languages)
                now=Signal::derive(move || cx.words.with(client::Words::language))
                set=move |l| cx.prefer(|p| p.language = Some(l))
            />
            <Alternatives
                label=Signal::derive(move || cx.t("settings.theme"))
                of=Signal::derive(themes)
                now=Signal::derive(move || p.with(|p| p.theme))
                set=move |t| cx.prefer(|p| p.theme = t)
            />
            <Alternatives
                label=Signal::derive(move || cx.t("settings.speed"))
                about=Signal::derive(move || cx.t("settings.speed_about"))
                of=Signal::derive(speeds)
                now=Signal::derive(move || p.with(|p| p.speed))
                set=move |s| cx.prefer(|p| p.speed = s)
            />
            <Alternatives
                label=Signal::derive(move || cx.t("settings.sound"))
                of=Signal::derive(on_off)
                now=Signal::derive(move || p.with(|p| p.sound == Sound::On))
                set=move |on| cx.prefer(|p| p.sound = if on { Sound::On } else { Sound::Off })
            />
            <Alternatives
                label=Signal::derive(move || cx.t("settings.numbers"))
                of=Signal::derive(on_off)
                now=Signal::derive(move || p.with(|p| p.numbers))
                set=move |on| cx.prefer(|p| p.numbers = on)
            />
            <label class="field">
                <span>{move || cx.t("settings.name")}</span>
                <input
                    type="text"
                    maxlength="20"
                    autocomplete="nickname"
                    prop:value=move || p.with(|p| p.name.clone())
                    on:change:target=move |e| cx.prefer(|p| p.name = e.target().value())
                />
            </label>
        </Dialog>
    }
}
