//! The castle of the ravens: taller than any tower, black, with violet light in its windows.

use crate::svg::{Factor, N};
use std::f64::consts::{PI, TAU};

pub const PAINTS: &str = r##"<linearGradient id="wt-keep-shade"><stop offset="0" stop-color="#000" stop-opacity=".3"/><stop offset=".2" stop-color="#b9a4ff" stop-opacity=".38"/><stop offset=".5" stop-color="#8a6fd8" stop-opacity=".04"/><stop offset="1" stop-color="#000" stop-opacity=".55"/></linearGradient>
<linearGradient id="wt-gate" x2="0" y2="1"><stop offset="0" stop-color="#8a4cf0"/><stop offset="1" stop-color="#f0d0ff"/></linearGradient>"##;

/// Pointed merlons around an ellipse; those behind or those before.
fn spikes(rx: f64, y: f64, back: bool) -> String {
    let (count, ry) = (13, rx * 0.34);
    (0..count)
        .map(|i| (f64::from(i) + 0.5) / f64::from(count) * TAU)
        .filter(|&angle| (angle > PI) == back)
        .map(|angle| {
            let at = |angle: f64, lift: f64| {
                let (sin, cos) = angle.sin_cos();
                format!("{} {}", N(rx * cos), N(y + ry * sin - lift))
            };
            format!(
                "M{}L{}L{}L{}L{}Z",
                at(angle - 0.16, -2.0),
                at(angle - 0.16, 7.0),
                at(angle, 13.0),
                at(angle + 0.16, 7.0),
                at(angle + 0.16, -2.0)
            )
        })
        .collect()
}

/// A small round turret with a pointed roof.
fn turret(x: f64, y: f64) -> String {
    format!(
        r##"<g transform="translate({} {})"><path d="M-9-26V0L-3 12H3L9 0V-26Z" fill="var(--wt-keep)" stroke="var(--wt-keep-ink)" stroke-width="1.8" stroke-linejoin="round"/><path d="M-9-26V0L-3 12H3L9 0V-26Z" fill="url(#wt-keep-shade)"/><path d="M-12-25Q0-20 12-25L0-57Z" fill="var(--wt-keep-roof)" stroke="var(--wt-keep-ink)" stroke-width="1.8" stroke-linejoin="round"/><path d="M-12-25Q-7-22.5-4-22.3L0-57Z" fill="#fff" opacity=".16"/><circle cy="-58.5" r="2.3" fill="#f3cf6e" stroke="var(--wt-keep-ink)"/><path d="M-2.5-9V-14A2.5 3 0 0 1 2.5-14V-9Z" fill="var(--wt-keep-light)"/></g>"##,
        N(x),
        N(y)
    )
}

/// The castle, its light, and a halo for highlights.
pub fn shapes() -> String {
    let body = "M-41 0C-38-22-34-40-33-66L-44-80V-92A44 15 0 0 1 44-92V-80L33-66C34-40 38-22 41 0A41 14 0 0 1-41 0Z";
    let wall = "M-41 0C-38-22-34-40-33-66A33 11 0 0 0 33-66C34-40 38-22 41 0A41 14 0 0 1-41 0Z";
    let parapet = "M-44-80V-92A44 15 0 0 0 44-92V-80L33-66A33 11 0 0 1-33-66Z";
    let window = |x: f64, y: f64, s: f64| {
        format!(
            r##"<g transform="translate({} {})scale({})"><circle r="15" cy="-2" fill="url(#wt-violet-glow)"/><path d="M-4.5 8V-4A4.5 6 0 0 1 4.5-4V8Z" fill="var(--wt-keep-light)" stroke="var(--wt-keep-ink)" stroke-width="2"/><path d="M0-10V8M-4.5 0H4.5" stroke="var(--wt-keep-ink)" stroke-width="1.2"/></g>"##,
            N(x),
            N(y),
            Factor(s)
        )
    };
    format!(
        r##"<g id="wt-castle"><ellipse class="wt-keep-aura" cy="-58" rx="84" ry="96" fill="url(#wt-violet-glow)"/><ellipse cy="3" rx="54" ry="19" fill="url(#wt-shadow)"/>
<path d="{body}" fill="var(--wt-keep)" stroke="var(--wt-keep-ink)" stroke-width="2.2" stroke-linejoin="round"/>
<path d="M-39-14A39 13 0 0 0 39-14M-36.5-30A36.5 12 0 0 0 36.5-30M-35-47A35 11.5 0 0 0 35-47M-22-2v10M6-1v14M26-5v10M-30-20v11M-10-16v11M20-16v11M-24-35v12M10-33v12M-14-52v12M24-52v12" fill="none" stroke="#cbb8ff" stroke-width=".9" opacity=".2"/>
<path d="{wall}" fill="url(#wt-keep-shade)"/><path d="{wall}" fill="url(#wt-foot)"/>
<ellipse cy="-92" rx="44" ry="15" fill="#120c22"/><path d="{}" fill="var(--wt-keep)" stroke="var(--wt-keep-ink)"/>
<path d="M-26-92Q0-84 26-92L0-132Z" fill="var(--wt-keep-roof)" stroke="var(--wt-keep-ink)" stroke-width="2" stroke-linejoin="round"/><path d="M-26-92Q-14-88-8-87.5L0-132Z" fill="#fff" opacity=".15"/><path d="M-19-101Q0-94 19-101M-12-112Q0-107 12-112" fill="none" stroke="#cbb8ff" opacity=".35"/>
<path d="{}{parapet}" fill="var(--wt-keep)" stroke="var(--wt-keep-ink)" stroke-width="1.5" stroke-linejoin="round"/><path d="{parapet}" fill="url(#wt-keep-shade)"/><path d="M-44-80A44 15 0 0 0 44-80" fill="none" stroke="#cbb8ff" stroke-width="1.2" opacity=".4"/>
{}{}
{}{}
<path d="M-13 13V-8A13 15 0 0 1 13-8V13A41 14 0 0 1-13 13Z" fill="#120c22" stroke="#8f74d8" stroke-width="2.4"/><path d="M-9 13V-7A9 11 0 0 1 9-7V13A41 14 0 0 1-9 13Z" fill="url(#wt-gate)"/><path d="M-4.5-15V13.5M0-18V14M4.5-15V13.5M-9-8H9M-9 1H9" stroke="#120c22" stroke-width="1.3" opacity=".7"/>
<use href="#wt-shield" transform="translate(0-70)scale(.86)"/>
<use href="#wt-raven" transform="translate(1-131)scale(1.05)" fill="#0c0816" stroke="#a58ee6" stroke-width="1" paint-order="stroke"/><circle cx="6.5" cy="-152.5" r="1.3" fill="#ffd76a"/></g>
<path id="wt-castle-halo" d="M-41 0C-38-22-36-40-35-56L-48-66V-100L-38-134-28-106 0-134 28-106 38-134 48-100V-66L35-56C36-40 38-22 41 0A41 14 0 0 1-41 0Z"/>"##,
        spikes(44.0, -92.0, true),
        spikes(44.0, -92.0, false),
        turret(-39.0, -76.0),
        turret(39.0, -76.0),
        window(-18.0, -40.0, 1.0),
        window(18.0, -40.0, 1.0),
    )
}
