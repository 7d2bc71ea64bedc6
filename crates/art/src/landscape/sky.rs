//! Sky, moon and sun, clouds, distant islands; and in front of everything mist and fireflies.

use super::Ground;
use crate::geometry::{Layout, Shape};
use crate::svg::{DrawingRng, Factor, N, whole};

/// Gradients and shapes of the sky.
pub fn defs() -> String {
    r##"<linearGradient id="wt-sky" x2="0" y2="1"><stop offset="0" stop-color="var(--wt-sky1)"/><stop offset=".34" stop-color="var(--wt-sky2)"/><stop offset=".66" stop-color="var(--wt-sky3)"/><stop offset="1" stop-color="var(--wt-sky4)"/></linearGradient>
<radialGradient id="wt-soft"><stop offset="0" stop-color="#fff"/><stop offset=".5" stop-color="#fff" stop-opacity=".42"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
<radialGradient id="wt-lamp"><stop offset="0" stop-color="#ffe6a0"/><stop offset=".25" stop-color="#ffc25a" stop-opacity=".55"/><stop offset="1" stop-color="#ff9a3a" stop-opacity="0"/></radialGradient>
<radialGradient id="wt-halo"><stop offset=".2" stop-color="var(--wt-orb-glow)" stop-opacity=".75"/><stop offset=".5" stop-color="var(--wt-orb-glow)" stop-opacity=".22"/><stop offset="1" stop-color="var(--wt-orb-glow)" stop-opacity="0"/></radialGradient>
<linearGradient id="wt-cloud-fill" x2="0" y2="1"><stop offset="0" stop-color="var(--wt-cloud1)"/><stop offset="1" stop-color="var(--wt-cloud2)" stop-opacity="0"/></linearGradient>
<path id="wt-cloud" d="M-100 30C-118 28-116 8-96 8-98-12-66-20-56-4-50-36-4-40 6-12 22-30 58-20 56 4 78-6 100 8 92 24 112 22 116 32 104 34-20 46-80 38-100 30Z" fill="url(#wt-cloud-fill)"/>
<g id="wt-islet"><path d="M-40 0C-30 8-22 30-8 44-4 58 2 62 4 46 14 30 30 18 40 0Z" fill="var(--wt-far2)"/><path d="M-42 0C-36-10-18-8-10-12 0-20 14-10 22-11 34-10 44-4 42 1 20 7-24 6-42 0Z" fill="var(--wt-far1)"/><path d="M-14-11l6-20 6 20zM-4-13l7-26 7 26zM14-11l5-14 5 14z" fill="var(--wt-far2)"/></g>"##
        .to_string()
}

fn dots(rng: &mut DrawingRng, count: usize, layout: &Layout) -> String {
    (0..count)
        .map(|_| {
            format!(
                "M{} {}h0",
                whole(rng.unit() * layout.width),
                whole(rng.unit().powf(1.3) * layout.height * 0.8)
            )
        })
        .collect()
}

fn cloud(x: f64, y: f64, scale: f64, opacity: f64) -> String {
    format!(
        r##"<use href="#wt-cloud" opacity="{}" transform="translate({} {})scale({})"/>"##,
        Factor(opacity),
        N(x),
        N(y),
        Factor(scale)
    )
}

/// Everything behind the island.
pub fn behind(layout: &Layout) -> String {
    let (w, h) = (layout.width, layout.height);
    let mut rng = DrawingRng::new(11);
    let wide = layout.shape == Shape::Landscape;
    let u = if wide {
        (w / 1440.0).min(h / 900.0)
    } else {
        (w / 390.0) * 0.5
    };
    let (ox, oy, r) = if wide {
        (w * 0.285, h * 0.125, 58.0 * u)
    } else {
        (w * 0.2, h * 0.135, 56.0 * u)
    };
    let mut out = format!(
        r##"<rect width="{}" height="{}" fill="url(#wt-sky)"/>"##,
        N(w),
        N(h)
    );
    out += &format!(
        r##"<g class="wt-n"><ellipse cx="{}" cy="{}" rx="{}" ry="{}" transform="rotate(-24 {0} {1})" fill="url(#wt-soft)" opacity=".13"/><path d="{}" stroke="#fff" stroke-width="{}" stroke-linecap="round" opacity=".55"/><path d="{}" stroke="#fff3d0" stroke-width="{}" stroke-linecap="round"/></g>"##,
        N(w * 0.6),
        N(h * 0.18),
        N(w * 0.62),
        N(h * 0.16),
        dots(&mut rng, if wide { 105 } else { 50 }, layout),
        Factor(1.5 * u.max(0.8)),
        dots(&mut rng, if wide { 26 } else { 14 }, layout),
        Factor(2.7 * u.max(0.7)),
    );
    // The moon, or the sun.
    out += &format!(
        r##"<circle cx="{x}" cy="{y}" r="{}" fill="url(#wt-halo)"/><circle cx="{x}" cy="{y}" r="{}" fill="var(--wt-orb)"/><g class="wt-n" fill="#d9c79a" opacity=".55"><circle cx="{}" cy="{}" r="{}"/><circle cx="{}" cy="{}" r="{}"/><circle cx="{}" cy="{}" r="{}"/></g>"##,
        N(r * 5.2),
        N(r),
        N(ox - r * 0.32),
        N(oy - r * 0.2),
        N(r * 0.24),
        N(ox + r * 0.3),
        N(oy + r * 0.32),
        N(r * 0.17),
        N(ox + r * 0.25),
        N(oy - r * 0.42),
        N(r * 0.11),
        x = N(ox),
        y = N(oy),
    );
    for (x, y, s) in [(0.06, 0.43, 1.0), (0.945, 0.36, 0.8), (0.83, 0.13, 0.42)] {
        out += &format!(
            r##"<use href="#wt-islet" transform="translate({} {})scale({})"/>"##,
            N(w * x),
            N(h * y),
            Factor(s * u * 1.15)
        );
    }
    out += &cloud(w * 0.12, h * 0.3, 1.25 * u, 0.75);
    out += &cloud(w * 0.36, h * 0.2, 0.8 * u, 0.5);
    out += &cloud(w * 0.66, h * 0.1, 1.0 * u, 0.55);
    out += &cloud(w * 0.9, h * 0.25, 1.5 * u, 0.8);
    out += &format!(
        r##"<path class="wt-d" d="{}" fill="none" stroke="#4a5a78" stroke-width="{}" stroke-linecap="round"/>"##,
        [
            (0.44, 0.1),
            (0.47, 0.075),
            (0.485, 0.115),
            (0.76, 0.16),
            (0.78, 0.14)
        ]
        .map(|(x, y)| format!(
            "M{} {}q{s}-{s} {t} 0q{s}-{s} {t} 0",
            whole(w * x),
            whole(h * y),
            s = whole(5.0 * u),
            t = whole(11.0 * u)
        ))
        .concat(),
        Factor(1.8 * u),
    );
    // A sea of clouds far below.
    for (row, (y, size, opacity)) in [(0.8, 2.0, 0.5), (0.9, 2.6, 0.75), (1.0, 3.0, 0.95)]
        .into_iter()
        .enumerate()
    {
        let count = 5 + row;
        for i in 0..count {
            let x = (i as f64 + if row % 2 == 0 { 0.1 } else { 0.5 }) / (count as f64 - 0.6) * w;
            out += &cloud(
                x + rng.between(-30.0, 30.0) * u,
                h * y + rng.between(-20.0, 20.0) * u,
                size * u * rng.between(0.85, 1.2),
                opacity,
            );
        }
    }
    out
}

/// Mist over the marsh.
pub fn mist(ground: &Ground) -> String {
    let (c, rim) = (ground.layout.ring.centre, ground.rim);
    let mut out = String::from(r#"<g class="wt-mist">"#);
    for (x, y, rx, ry) in [
        (-0.1, 0.78, 0.46, 0.09),
        (0.3, 0.9, 0.4, 0.08),
        (-0.42, 0.95, 0.36, 0.07),
        (0.62, 0.5, 0.26, 0.06),
        (0.1, 1.12, 0.6, 0.1),
    ] {
        out += &format!(
            r##"<ellipse cx="{}" cy="{}" rx="{}" ry="{}" fill="url(#wt-soft)"/>"##,
            N(c.x + x * rim.rx),
            N(c.y + y * rim.ry),
            N(rx * rim.rx),
            N(ry * rim.rx.min(rim.ry * 2.0))
        );
    }
    out + "</g>"
}

/// Fireflies over wood and marsh.
pub fn fireflies(ground: &Ground) -> String {
    let mut rng = DrawingRng::new(5);
    let (rim, u) = (ground.rim, ground.u);
    let mut out = String::from(
        r##"<radialGradient id="wt-firefly"><stop offset="0" stop-color="#fff6b8"/><stop offset=".25" stop-color="#ffe06a" stop-opacity=".7"/><stop offset="1" stop-color="#d8ff5a" stop-opacity="0"/></radialGradient><g class="wt-n">"##,
    );
    for i in 0..26 {
        let angle = rng.between(0.9, 3.6);
        let p = rim
            .grown(-rng.between(30.0, 200.0) * u, -rng.between(20.0, 110.0) * u)
            .at(angle);
        out += &format!(
            r##"<circle class="wt-fly wt-fly{}" cx="{}" cy="{}" r="{}" fill="url(#wt-firefly)"/>"##,
            i % 4,
            N(p.x),
            N(p.y),
            N(rng.between(6.0, 11.0) * u.max(0.6))
        );
    }
    out + "</g>"
}
