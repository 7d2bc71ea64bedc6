//! The road around the island, the brook with its bridge, and the paved clearing in the middle.

use towers_rules::Space;

use super::Ground;
use crate::geometry::{Layout, Point, Ring, Shape};
use crate::svg::{DrawingRng, Factor, N, soft, whole};
use std::f64::consts::TAU;

/// The brook springs in the rocks, runs round the clearing and leaves between spaces 9 and 10.
pub fn brook_course(layout: &Layout, rim: &Ring) -> Vec<Point> {
    let (c, ring) = (layout.ring.centre, layout.ring);
    let cross = layout.walk(Space::wrapping(9), Space::wrapping(10), true, 2)[1];
    let out = Point {
        x: c.x + (cross.x - c.x) * 1.06,
        y: c.y + (cross.y - c.y) * 1.2,
    };
    // The edge of the island in that direction.
    let grow = 0.985 / rim.reach(out).max(0.01);
    let end = Point {
        x: rim.centre.x + (out.x - rim.centre.x) * grow,
        y: rim.centre.y + (out.y - rim.centre.y) * grow,
    };
    let wide = layout.shape == Shape::Landscape;
    let inner = |x: f64, y: f64| Point {
        x: c.x + ring.rx * x,
        y: c.y + ring.ry * y,
    };
    let knots = if wide {
        [
            inner(-0.78, -0.3),
            inner(-0.7, 0.0),
            inner(-0.74, 0.26),
            inner(-0.6, 0.52),
            cross,
            end,
        ]
    } else {
        [
            inner(-0.62, -0.34),
            inner(-0.68, -0.05),
            inner(-0.62, 0.3),
            inner(-0.66, 0.55),
            cross,
            end,
        ]
    };
    curve(&knots, 9)
}

/// A smooth line through knots.
fn curve(knots: &[Point], steps: usize) -> Vec<Point> {
    let at = |i: isize| knots[i.clamp(0, knots.len() as isize - 1) as usize];
    let mut line = Vec::new();
    for i in 0..knots.len() as isize - 1 {
        let (a, b, c, d) = (at(i - 1), at(i), at(i + 1), at(i + 2));
        for s in 0..steps {
            let t = s as f64 / steps as f64;
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                0.5 * (2.0 * b
                    + (c - a) * t
                    + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t
                    + (3.0 * b - a - 3.0 * c + d) * t * t * t)
            };
            line.push(Point {
                x: mix(a.x, b.x, c.x, d.x),
                y: mix(a.y, b.y, c.y, d.y),
            });
        }
    }
    line.push(knots[knots.len() - 1]);
    line
}

/// An uneven loop along a ring.
fn loop_of(ring: &Ring, wobble: f64, count: usize, rng: &mut DrawingRng) -> Vec<(f64, f64)> {
    (0..count)
        .map(|i| {
            let p = ring
                .grown(
                    rng.between(-wobble, wobble),
                    rng.between(-wobble, wobble) * 0.6,
                )
                .at(i as f64 / count as f64 * TAU);
            (p.x, p.y)
        })
        .collect()
}

/// Brook, road, bridge and clearing.
pub fn ways(ground: &Ground) -> String {
    let mut rng = DrawingRng::new(31);
    brook(ground) + &road(ground, &mut rng) + &bridge(ground) + &clearing(ground, &mut rng)
}

fn brook(ground: &Ground) -> String {
    let mut path = String::new();
    for (i, p) in ground.brook.iter().enumerate() {
        path += &format!("{}{p}", if i == 0 { "M" } else { "L" });
    }
    let (u, id) = (ground.u, &ground.id_suffix);
    format!(
        r##"<defs><path id="wt-brook{id}" d="{path}"/></defs><g clip-path="url(#wt-top{id})" fill="none" stroke-linecap="round" stroke-linejoin="round"><use href="#wt-brook{id}" stroke="var(--wt-bank)" stroke-width="{}"/><use href="#wt-brook{id}" stroke="var(--wt-water1)" stroke-width="{}"/><use href="#wt-brook{id}" stroke="var(--wt-water2)" stroke-width="{}" stroke-dasharray="{} {}"/><use href="#wt-brook{id}" stroke="var(--wt-gleam)" stroke-width="{}" stroke-dasharray="{} {}"/></g>"##,
        N(30.0 * u),
        N(22.0 * u),
        N(9.0 * u),
        N(40.0 * u),
        N(20.0 * u),
        N(1.8 * u),
        N(16.0 * u),
        N(30.0 * u)
    )
}

fn road(ground: &Ground, rng: &mut DrawingRng) -> String {
    let (ring, u, flat) = (ground.layout.ring, ground.u, ground.flat + 0.14);
    let band = |out: f64, wobble: f64, rng: &mut DrawingRng| {
        soft(&loop_of(
            &ring.grown(out * u, out * flat * u),
            wobble * u,
            64,
            rng,
        )) + &soft(&loop_of(
            &ring.grown(-out * u, -out * flat * u),
            wobble * u,
            52,
            rng,
        ))
    };
    let face = band(37.0, 4.5, rng);
    let (mut light, mut dark) = (String::new(), String::new());
    for i in 0..200 {
        let p = ground.road[rng.pick(ground.road.len())];
        let s = ground.scale(p.y);
        let (x, y) = (
            p.x + rng.between(-30.0, 30.0) * s,
            p.y + rng.between(-30.0, 30.0) * flat * s,
        );
        let w = rng.between(4.0, 10.0) * s;
        let (half, high) = (whole(w / 2.0), whole(w * 0.35));
        let pebble = format!("M{}q{half}-{high} {} 0", Point { x, y }, whole(w));
        if i % 2 == 0 {
            light += &pebble
        } else {
            dark += &pebble
        }
    }
    let id = &ground.id_suffix;
    format!(
        r##"<defs><path id="wt-road{id}" d="{face}" fill-rule="evenodd"/></defs><use href="#wt-road{id}" fill="var(--wt-road2)" stroke="var(--wt-road3)" stroke-opacity=".7" stroke-width="{}"/><use href="#wt-road{id}" fill="url(#wt-brush{id})"/><g fill="none" stroke-linecap="round" stroke-width="{}"><path d="{light}" stroke="var(--wt-road1)" opacity=".8"/><path d="{dark}" stroke="var(--wt-road3)" opacity=".55"/></g>"##,
        N(5.0 * u),
        N(3.4 * u)
    )
}

fn bridge(ground: &Ground) -> String {
    // Where the brook meets the road; planks lie along the road.
    let Some(at) = ground.brook.iter().copied().min_by(|a, b| {
        ground
            .nearest(*a, &ground.road)
            .total_cmp(&ground.nearest(*b, &ground.road))
    }) else {
        return String::new();
    };
    let (ring, s) = (ground.layout.ring, ground.scale(at.y));
    let count = ground.road.len();
    let near = |ahead: usize| {
        ground
            .road
            .iter()
            .enumerate()
            .min_by(|a, b| {
                ground
                    .distance(*a.1, at)
                    .total_cmp(&ground.distance(*b.1, at))
            })
            .map_or(at, |(i, _)| ground.road[(i + ahead) % count])
    };
    let (a, b) = (near(count.saturating_sub(2)), near(2));
    let along = Point {
        x: b.x - a.x,
        y: b.y - a.y,
    };
    let (tx, ty) = (along.x / along.length(), along.y / along.length());
    let out = Point {
        x: (at.x - ring.centre.x) / ring.rx,
        y: (at.y - ring.centre.y) / ring.ry,
    };
    let long = out.length().max(0.1);
    let (ox, oy) = (
        out.x / long * 38.0 * s,
        out.y / long * 38.0 * ground.flat * 1.2 * s,
    );
    let mut planks = String::new();
    for i in -3..=3 {
        let (x, y) = (
            at.x + tx * f64::from(i) * 8.0 * s,
            at.y + ty * f64::from(i) * 8.0 * s,
        );
        planks += &format!("M{} {}L{} {}", N(x - ox), N(y - oy), N(x + ox), N(y + oy));
    }
    let rail = |side: f64| {
        let (x, y) = (at.x + ox * side, at.y + oy * side);
        format!(
            "M{} {}q{} {} {} {}",
            N(x - tx * 30.0 * s),
            N(y - ty * 30.0 * s - 4.0 * s),
            N(tx * 30.0 * s),
            N(ty * 30.0 * s - 14.0 * s),
            N(tx * 60.0 * s),
            N(ty * 60.0 * s)
        )
    };
    let rails = rail(-1.0) + &rail(1.0);
    format!(
        r##"<g fill="none" stroke-linecap="round"><path d="{planks}" stroke="#3a2430" stroke-width="{}"/><path d="{planks}" stroke="var(--wt-plank)" stroke-width="{}"/><path d="{rails}" stroke="#3a2430" stroke-width="{}"/><path d="{rails}" stroke="var(--wt-plank)" stroke-width="{}"/></g>"##,
        N(8.6 * s),
        N(6.4 * s),
        N(5.0 * s),
        N(2.8 * s)
    )
}

/// Old paving: rings of flagstones, runes along the edge, a compass star in the middle.
fn clearing(ground: &Ground, rng: &mut DrawingRng) -> String {
    let (ring, u) = (ground.clearing, ground.u);
    let part = |k: f64| Ring {
        rx: ring.rx * k,
        ry: ring.ry * k,
        ..ring
    };
    let edge = soft(&loop_of(&ring, 4.0 * u, 56, rng));
    let (mut joints, mut light, mut dark) = (String::new(), String::new(), String::new());
    for (outer, inner, count) in [(0.98, 0.82, 32), (0.82, 0.62, 26), (0.62, 0.4, 18)] {
        let cuts: Vec<(Point, Point)> = (0..count)
            .map(|i| {
                let angle = (f64::from(i) + rng.between(-0.16, 0.16)) / f64::from(count) * TAU;
                (part(outer).at(angle), part(inner).at(angle))
            })
            .collect();
        for (i, (p, q)) in cuts.iter().enumerate() {
            joints += &format!("M{p}L{q}");
            let (r, s) = cuts[(i + 1) % cuts.len()];
            let flag = format!("M{p}L{q}L{s}L{r}Z");
            match rng.pick(6) {
                0 => light += &flag,
                1 => dark += &flag,
                _ => {}
            }
        }
        joints += &soft(&loop_of(&part(inner), 1.2 * u, 26, rng));
    }
    let runes: String = (0..16)
        .map(|i| {
            let p = part(0.895).at((f64::from(i) + 0.5) / 16.0 * TAU);
            let strokes = [
                "v-12l5 4-5 4",
                "v-12M0-7l5-5M0-2l5-5",
                "v-12M-4-8l4-4 4 4",
                "l5-6-5-6",
                "v-12M-4 0l4-5 4 5",
                "l4-6-4-6-4 6zM0 0v3",
                "v-12l6 6v-6",
            ][i as usize * 3 % 7];
            format!(
                r##"<path d="M0 0{}" transform="translate({} {})scale({} {})"/>"##,
                strokes,
                N(p.x - 3.0 * u),
                N(p.y + 4.0 * u),
                Factor(u),
                Factor(u * (ground.flat + 0.2))
            )
        })
        .collect();
    let id = &ground.id_suffix;
    format!(
        r##"<radialGradient id="wt-pave"><stop offset="0" stop-color="var(--wt-pave1)"/><stop offset="1" stop-color="var(--wt-pave2)"/></radialGradient><defs><path id="wt-paving{id}" d="{edge}"/></defs><use href="#wt-paving{id}" y="{}" fill="var(--wt-pave4)"/><use href="#wt-paving{id}" fill="url(#wt-pave)" stroke="var(--wt-pave3)" stroke-width="{}"/><path d="{light}" fill="#fff" opacity=".13"/><path d="{dark}" fill="var(--wt-pave3)" opacity=".22"/><path d="{joints}" fill="none" stroke="var(--wt-pave3)" stroke-width="{}" opacity=".5"/><use href="#wt-paving{id}" fill="url(#wt-brush{id})"/><g class="wt-runes" fill="none" stroke="var(--wt-rune)" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">{runes}</g>"##,
        N(7.0 * u),
        N(2.5 * u),
        N(1.6 * u)
    )
}
