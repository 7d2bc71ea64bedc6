//! The settings of this device.

use leptos::prelude::*;
use towers_client::{Language, Sound, Speed, ThemeChoice};
use towers_table::NAME_CHARS;

use crate::context::cx;
use crate::parts::{Alternatives, Choices, Dialog};

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
            (Speed::Slow, cx.t("settings.slow")),
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
                    move || cx.words.with(towers_client::Words::language),
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
                    move |on| cx.set_sound(on),
                )
            />
            <Show when=move || p.with(|p| p.sound == Sound::On)>
                <label class="field">
                    <span>{cx.text("settings.volume")}</span>
                    <input
                        type="range" min="5" max="100" step="5" id="volume"
                        prop:value=move || p.with(|p| p.volume.to_string())
                        on:change:target=move |e| {
                            if let Ok(volume) = e.target().value().parse() {
                                cx.prefer(|p| p.volume = volume);
                                cx.sample_sound();
                            }
                        }
                    />
                </label>
            </Show>
            <Alternatives
                label=cx.text("settings.numbers")
                of=Choices::new(
                    on_off,
                    move || p.with(|p| p.numbers),
                    move |on| cx.prefer(|p| p.numbers = on),
                )
            />
            <Alternatives
                label=cx.text("stops.everywhere")
                about=cx.text("stops.about")
                of=Choices::new(
                    on_off,
                    move || p.with(|p| p.stops_everywhere),
                    move |on| cx.prefer(|p| p.stops_everywhere = on),
                )
            />
            <label class="field">
                <span>{cx.text("settings.name")}</span>
                <input
                    type="text"
                    maxlength=NAME_CHARS
                    autocomplete="nickname"
                    prop:value=move || p.with(|p| p.name.clone())
                    on:input:target=move |e| cx.prefer(|p| p.name = e.target().value())
                />
            </label>
        </Dialog>
    }
}
