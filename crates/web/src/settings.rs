//! The settings of this device.

use client::{Language, Sound, Speed, ThemeChoice};
use leptos::prelude::*;

use crate::context::cx;
use crate::markup::{Markup, view};
use crate::parts::{Alternatives, Choices, Dialog, line};

/// The settings of this device.
#[component]
pub fn Settings() -> Markup {
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
        <Dialog title=cx.text("settings.title") close=move || cx.settings.set(false)>
            <Alternatives
                label=cx.text("settings.language")
                of=Choices::new(
                    languages,
                    move || cx.words.with(client::Words::language),
                    move |l| cx.prefer(|p| p.language = Some(l)),
                )
            />
            <Alternatives
                label=cx.text("settings.theme")
                of=Choices::new(
                    themes,
                    move || p.with(|p| p.theme),
                    move |t| cx.prefer(|p| p.theme = t),
                )
            />
            <Alternatives
                label=cx.text("settings.speed")
                about=cx.text("settings.speed_about")
                of=Choices::new(
                    speeds,
                    move || p.with(|p| p.speed),
                    move |s| cx.prefer(|p| p.speed = s),
                )
            />
            <Alternatives
                label=cx.text("settings.sound")
                of=Choices::new(
                    on_off,
                    move || p.with(|p| p.sound == Sound::On),
                    move |on| cx.prefer(|p| p.sound = if on { Sound::On } else { Sound::Off }),
                )
            />
            <Alternatives
                label=cx.text("settings.numbers")
                of=Choices::new(
                    on_off,
                    move || p.with(|p| p.numbers),
                    move |on| cx.prefer(|p| p.numbers = on),
                )
            />
            <label class="field">
                {line(cx, "span", "", "settings.name")}
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
