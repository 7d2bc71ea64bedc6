//! The body of the island: its outline, and the cliff hanging below it.

use super::Ground;
use crate::geometry::Point;
use crate::svg::{DrawingRng, N, soft, whole};
use std::f64::consts::TAU;

/// The edge of the grass, a little uneven.
fn outline(ground: &Ground) -> Vec<(f64, f64)> {
    let mut rng = DrawingRng::new(21);
    let count = 72;
    (0..count)
        .map(|i| {
            let angle = (i as f64 + rng.between(-0.25, 0.25)) / f64::from(count) * TAU;
            let p = ground
                .rim
                .grown(
                    rng.between(-7.0, 7.0) * ground.u,
                    rng.between(-5.0, 5.0) * ground.u,
                )
                .at(angle);
            (p.x, p.y)
        })
        .collect()
}

/// The outline as a clip path and as a shape, and the colours of the rock.
pub fn defs(ground: &Ground) -> String {
    let (edge, id) = (soft(&outline(ground)), &ground.id_suffix);
    format!(
        r##"<path id="wt-edge{id}" d="{edge}"/><clipPath id="wt-top{id}"><use href="#wt-edge{id}"/></clipPath>
<linearGradient id="wt-cliff" x2="0" y2="1"><stop offset=".3" stop-color="var(--wt-cliff1)"/><stop offset=".75" stop-color="var(--wt-cliff2)"/><stop offset="1" stop-color="var(--wt-cliff3)"/></linearGradient>
<linearGradient id="wt-fall" x2="0" y2="1"><stop offset="0" stop-color="var(--wt-water2)"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>"##
    )
}

/// How far the rock hangs down below a point of the front edge.
fn rock_depth(ground: &Ground, x: f64, rng: &mut DrawingRng) -> f64 {
    let side = ((x - ground.rim.centre.x) / ground.rim.rx).abs().min(1.0);
    let deep = (ground.layout.height * 0.2).max(120.0 * ground.u);
    deep * (1.0 - side.powf(2.6)).max(0.0).powf(0.75) * rng.between(0.6, 1.1) + 34.0 * ground.u
}

/// The cliff with its facets, grass hanging over the edge, roots, crystals and the waterfall.
pub fn cliff(ground: &Ground) -> String {
    let u = ground.u;
    let mut rng = DrawingRng::new(8);
    let count = 34;
    let front: Vec<Point> = (0..=count)
        .map(|i| {
            ground
                .rim
                .at(TAU * (0.762 - 0.524 * f64::from(i) / f64::from(count)))
        })
        .collect();
    let foot: Vec<Point> = front
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let depth = rock_depth(ground, p.x, &mut rng) * if i % 3 == 1 { 1.16 } else { 0.9 };
            let pull =
                (ground.rim.centre.x - p.x) * (0.05 + 0.13 * depth / (ground.layout.height * 0.2));
            Point {
                x: p.x + pull,
                y: p.y + depth,
            }
        })
        .collect();
    let mut body = String::from("M");
    for p in &front {
        body += &format!("{} {} ", whole(p.x), whole(p.y - 3.0));
    }
    for p in foot.iter().rev() {
        body += &format!("{p} ");
    }
    let id = &ground.id_suffix;
    let mut out = format!(
        r##"<defs><path id="wt-body{id}" d="{}Z"/></defs><use href="#wt-body{id}" fill="url(#wt-cliff)" stroke="var(--wt-cliff3)" stroke-width="2" stroke-linejoin="round"/><use href="#wt-body{id}" fill="url(#wt-brush{id})"/>"##,
        body.trim_end()
    );
    let (mut light, mut dark, mut cracks) = (String::new(), String::new(), String::new());
    for i in 0..front.len() - 1 {
        let (a, b, c, d) = (front[i], front[i + 1], foot[i + 1], foot[i]);
        let cut = rng.between(0.25, 0.75);
        let mid = Point {
            x: b.x + (c.x - b.x) * cut,
            y: b.y + (c.y - b.y) * cut,
        };
        let facet = format!("M{a}L{b}L{mid}L{d}Z");
        match i % 3 {
            0 => light += &facet,
            1 => dark += &facet,
            _ => dark += &format!("M{mid}L{c}L{d}Z"),
        }
        let at = rng.between(0.2, 0.55);
        if !(8..front.len() - 9).contains(&i) {
            continue;
        }
        cracks += &format!(
            "M{} {}l{} {}",
            whole(a.x + (d.x - a.x) * at),
            whole(a.y + (d.y - a.y) * at),
            whole((b.x - a.x) * 0.9),
            whole((b.y - a.y) * 0.6 + rng.between(-4.0, 4.0) * u)
        );
    }
    out += &format!(
        r##"<path d="{light}" fill="#fff" opacity=".11"/><path d="{dark}" fill="#0a0620" opacity=".2"/><path d="{cracks}" fill="none" stroke="var(--wt-cliff3)" stroke-width="{}" opacity=".5"/>"##,
        N(1.4 * u)
    );
    out += &crystals(ground, &front, &mut rng);
    out += &waterfall(ground);
    // Grass that hangs over the edge.
    let mut fringe = format!("M{} {}", whole(front[0].x), whole(front[0].y + 2.0 * u));
    for i in 0..front.len() - 1 {
        let (a, b) = (front[i], front[i + 1]);
        let (dx, dy) = ((b.x - a.x) / 3.0, (b.y - a.y) / 3.0);
        for _ in 0..3 {
            fringe += &format!(
                "q{} {} {} {}",
                whole(dx * 0.5),
                whole(dy * 0.5 + rng.between(6.0, 21.0) * u),
                N(dx),
                N(dy)
            );
        }
    }
    out + &format!(
        r##"<path d="{}" fill="var(--wt-fringe)"/>"##,
        fringe.replace(" -", "-")
    )
}

/// Violet crystals in the rock, glowing at night.
fn crystals(ground: &Ground, front: &[Point], rng: &mut DrawingRng) -> String {
    let u = ground.u;
    [10, 14, 20, 24]
        .iter()
        .map(|&i| {
            let p = front[i];
            let (x, y) = (p.x, p.y + rng.between(40.0, 70.0) * u);
            format!(
                r##"<g transform="translate({} {})scale({})"><circle class="wt-n" r="46" fill="url(#wt-crystal)"/><path d="M-14 8L-18-8-11-17-6-6ZM-6 10L-8-16 1-28 8-15 6 10ZM8 9L12-9 20-14 22-3 15 9Z" fill="#9a7bea" stroke="#3a2470" stroke-width="1.5" stroke-linejoin="round"/><path d="M-11-17L-6-6-10 6ZM1-28L8-15 3 8ZM20-14L22-3 14 6Z" fill="#e2d2ff" opacity=".7"/></g>"##,
                N(x), N(y), N(u * rng.between(0.7, 1.0))
            )
        })
        .collect::<String>()
        + r##"<radialGradient id="wt-crystal"><stop offset="0" stop-color="#b48cff" stop-opacity=".6"/><stop offset="1" stop-color="#b48cff" stop-opacity="0"/></radialGradient>"##
}

/// Where the brook leaves the island.
fn waterfall(ground: &Ground) -> String {
    let Some(&end) = ground.brook.last() else {
        return String::new();
    };
    let u = ground.u;
    let (x, y, drop) = (end.x, end.y - 4.0 * u, ground.layout.height * 0.17);
    format!(
        r##"<path d="M{} {}q{} {} {} {}h{}q{} {} {} {}z" fill="url(#wt-fall)"/><path d="M{} {}q{a} {b} {a} {c}m{d}-{c}q{a} {b} {a} {c}m{d}-{c}q{a} {b} {a} {c}" fill="none" stroke="#fff" stroke-width="{}" opacity=".5" stroke-linecap="round"/><ellipse cx="{}" cy="{}" rx="{}" ry="{}" fill="url(#wt-soft)" opacity=".6"/>"##,
        N(x - 17.0 * u),
        N(y),
        N(-8.0 * u),
        N(drop * 0.4),
        N(-10.0 * u),
        N(drop),
        N(50.0 * u),
        N(0.0),
        N(-drop * 0.6),
        N(-6.0 * u),
        N(-drop),
        N(x - 10.0 * u),
        N(y + 6.0 * u),
        N(1.8 * u),
        N(x),
        N(y + drop * 0.95),
        N(64.0 * u),
        N(22.0 * u),
        a = N(-4.0 * u),
        b = N(drop * 0.2),
        c = N(drop * 0.62),
        d = N(15.0 * u),
    )
}
