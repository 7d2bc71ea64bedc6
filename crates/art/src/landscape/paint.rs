//! The ground in four landscapes, painted in short brush strokes.

use super::{Ground, Quarter};
use crate::geometry::Point;
use crate::svg::{DrawingRng, Factor, N, whole};
use std::collections::BTreeMap;

/// The shape of a brush stroke: half its length and its bend, in units.
fn stroke(quarter: Quarter, fine: bool, rng: &mut DrawingRng) -> (f64, f64, f64) {
    let sway = rng.between(-1.0, 1.0);
    match (quarter, fine) {
        (Quarter::Meadow, true) => (2.0 * sway, -9.0, 2.0),
        (Quarter::Meadow, false) => (22.0, 5.0 * sway, -6.0),
        (Quarter::Wood, true) => (8.0, 3.0 * sway, -5.0),
        (Quarter::Wood, false) => (16.0, 8.0 * sway, -9.0),
        (Quarter::Marsh, true) => (16.0, 0.0, 2.0 * sway),
        (Quarter::Marsh, false) => (30.0, 1.0 * sway, 3.0),
        (Quarter::Rock, true) => (8.0, 6.0 * sway, 0.0),
        (Quarter::Rock, false) => (18.0, 9.0 * sway, -3.0),
    }
}

fn key(quarter: Quarter) -> &'static str {
    match quarter {
        Quarter::Meadow => "mead",
        Quarter::Wood => "wood",
        Quarter::Marsh => "marsh",
        Quarter::Rock => "rock",
    }
}

/// Brush strokes of one size, gathered by colour so that each colour is one path.
fn brush_strokes(
    ground: &Ground,
    count: usize,
    fine: bool,
    width: f64,
    opacity: &str,
    seed: u64,
) -> String {
    let mut rng = DrawingRng::new(seed);
    let mut paths: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..count {
        let p = ground.anywhere(&mut rng, 0.97);
        if ground.nearest(p, &ground.road) < 34.0 || ground.clearing.reach(p) < 0.97 {
            continue;
        }
        let quarter = ground.quarter(p, rng.between(-0.28, 0.28));
        let s = ground.scale(p.y);
        let (dx, dy, bend) = stroke(quarter, fine, &mut rng);
        let tone = 1 + rng.pick(3);
        let path = paths
            .entry(format!("--wt-{}{tone}", key(quarter)))
            .or_default();
        *path += &format!(
            "M{p}q{} {} {} {}",
            whole(dx * s * 0.5),
            whole((dy * 0.5 + bend) * s),
            whole(dx * s),
            whole(dy * s)
        );
    }
    let mut out = format!(
        r##"<g fill="none" stroke-linecap="round" stroke-width="{}" opacity="{opacity}">"##,
        N(width * ground.u)
    );
    for (colour, path) in paths {
        out += &format!(
            r##"<path d="{}" stroke="var({colour})"/>"##,
            path.replace(" -", "-")
        );
    }
    out + "</g>"
}

/// A tile of light and dark strokes that gives every ground the grain of a brush.
pub fn brush(ground: &Ground) -> String {
    let mut rng = DrawingRng::new(17);
    let (w, h) = (260.0, 150.0);
    let mut strokes = |count: usize| -> String {
        (0..count)
            .map(|_| {
                let (x, y) = (rng.between(6.0, w - 34.0), rng.between(6.0, h - 6.0));
                format!(
                    "M{}q{} {} {} {}",
                    Point { x, y },
                    whole(rng.between(4.0, 12.0)),
                    whole(rng.between(-5.0, 2.0)),
                    whole(rng.between(12.0, 28.0)),
                    whole(rng.between(-3.0, 3.0))
                )
            })
            .collect::<String>()
            .replace(" -", "-")
    };
    let (light, dark, broad) = (strokes(46), strokes(46), strokes(16));
    let id = &ground.id_suffix;
    format!(
        r##"<pattern id="wt-brush{id}" width="260" height="150" patternUnits="userSpaceOnUse" patternTransform="rotate(-7)scale({})"><g fill="none" stroke-linecap="round"><path d="{broad}" stroke="#fff" stroke-width="12" opacity=".06"/><path d="{light}" stroke="#fff" stroke-width="2.6" opacity=".13"/><path d="{dark}" stroke="var(--wt-shade)" stroke-width="2.6" opacity=".13"/></g></pattern>"##,
        Factor(ground.u)
    )
}

/// Content clipped to the island.
fn on_top(ground: &Ground, content: &str) -> String {
    format!(
        r##"<g clip-path="url(#wt-top{})">{content}</g>"##,
        ground.id_suffix
    )
}

/// The grounds of the four landscapes.
pub fn washes(ground: &Ground) -> String {
    let (c, rx, ry) = (ground.rim.centre, ground.rim.rx, ground.rim.ry);
    let wash = |name: &str, dx: f64, dy: f64, w: f64, h: f64| {
        format!(
            r##"<radialGradient id="wt-g-{name}"><stop offset=".35" stop-color="var(--wt-{name}2)"/><stop offset="1" stop-color="var(--wt-{name}2)" stop-opacity="0"/></radialGradient><ellipse cx="{}" cy="{}" rx="{}" ry="{}" fill="url(#wt-g-{name})"/>"##,
            N(c.x + dx * rx),
            N(c.y + dy * ry),
            N(w * rx),
            N(h * ry)
        )
    };
    let mut out = format!(
        r##"<use href="#wt-edge{}" fill="var(--wt-mead2)"/>"##,
        ground.id_suffix
    );
    out += &wash("rock", -0.92, 0.05, 1.0, 0.95);
    out += &wash("wood", 0.92, 0.05, 1.0, 0.95);
    out += &wash("marsh", 0.0, 0.95, 0.95, 1.0);
    out += &wash("mead", 0.0, -0.95, 0.8, 0.8);
    on_top(ground, &out)
}

/// Broad strokes of the brush.
pub fn broad(ground: &Ground) -> String {
    on_top(ground, &brush_strokes(ground, 250, false, 19.0, ".5", 3))
}

/// Medium strokes, and the grain over all.
pub fn medium(ground: &Ground) -> String {
    let id = &ground.id_suffix;
    let grain = format!(r##"<use href="#wt-edge{id}" fill="url(#wt-brush{id})"/>"##);
    on_top(
        ground,
        &(brush_strokes(ground, 300, false, 7.0, ".62", 4) + &grain),
    )
}

/// Waters, blades and stalks, and the light: the top of the island up to the road and the clearing, which come after.
pub fn fine(ground: &Ground) -> String {
    let (c, rx, ry) = (ground.rim.centre, ground.rim.rx, ground.rim.ry);
    let id = &ground.id_suffix;
    let mut out = ponds(ground) + &brush_strokes(ground, 330, true, 2.4, ".9", 6);
    // Light from the upper left, dusk at the lower right.
    out += &format!(
        r##"<radialGradient id="wt-sun" cx=".3" cy=".12" r=".95"><stop offset="0" stop-color="var(--wt-light)" stop-opacity=".34"/><stop offset=".5" stop-color="var(--wt-light)" stop-opacity="0"/><stop offset="1" stop-color="var(--wt-shade)" stop-opacity=".42"/></radialGradient><rect x="{}" y="{}" width="{}" height="{}" fill="url(#wt-sun)"/>"##,
        N(c.x - rx),
        N(c.y - ry),
        N(2.0 * rx),
        N(2.0 * ry)
    );
    on_top(ground, &out)
        + &format!(
            r##"<use href="#wt-edge{id}" fill="none" stroke="var(--wt-mead1)" stroke-width="{}" opacity=".55"/>"##,
            N(2.4 * ground.u)
        )
}

/// Still water in the marsh, with a gleam.
fn ponds(ground: &Ground) -> String {
    let u = ground.u;
    let mut out = String::new();
    for &(p, w, h) in &ground.ponds {
        out += &format!(
            r##"<path d="M{} {}c{} {} {} {} {} {}s{} {} {} {}-{} {}-{} {}-{}-{} 0-{}z" fill="var(--wt-water1)" stroke="var(--wt-marsh1)" stroke-width="{}"/><path d="M{} {}h{}m{} {}h{}m-{} {}h{}" stroke="var(--wt-gleam)" stroke-width="{}" stroke-linecap="round" opacity=".7"/>"##,
            N(p.x - w),
            N(p.y),
            N(w * 0.1),
            N(-h * 1.2),
            N(w * 0.8),
            N(-h * 1.3),
            N(w),
            N(-h),
            N(w * 0.95),
            N(h * 0.2),
            N(w),
            N(h * 0.9),
            N(w * 0.2),
            N(h * 1.2),
            N(w),
            N(h * 1.1),
            N(w),
            N(h * 0.4),
            N(h),
            N(3.0 * u),
            N(p.x - w * 0.5),
            N(p.y - h * 0.4),
            N(w * 0.5),
            N(w * 0.15),
            N(h * 0.45),
            N(w * 0.35),
            N(w * 0.9),
            N(h * 0.35),
            N(w * 0.25),
            N(1.8 * u),
        );
    }
    out
}
