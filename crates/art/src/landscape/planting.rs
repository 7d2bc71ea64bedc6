//! Placing plants: by landscape, off the road, and never in front of a stone.

use towers_rules::Space;

use super::{Ground, Quarter};
use crate::geometry::{Point, Rect, STONE, Shape};
use crate::svg::{DrawingRng, Factor};
use std::f64::consts::TAU;

/// A kind of growth: its drawing, half its width and its height in units.
type Growth = (&'static str, f64, f64);

const PINE: Growth = ("pine", 22.0, 76.0);
const TREE: Growth = ("tree", 26.0, 70.0);
const BUSH: Growth = ("bush", 19.0, 22.0);
const ROCK: Growth = ("rock", 22.0, 26.0);
const SPIRE: Growth = ("spire", 29.0, 78.0);
const REED: Growth = ("reed", 15.0, 40.0);
const LILY: Growth = ("lily", 14.0, 8.0);
const TUFT: Growth = ("tuft", 11.0, 14.0);
const BLOOM: Growth = ("bloom", 12.0, 14.0);
const TOADSTOOL: Growth = ("toadstool", 14.0, 16.0);

fn kinds(quarter: Quarter) -> &'static [Growth] {
    match quarter {
        Quarter::Meadow => &[TREE, BLOOM, TUFT, BLOOM, BUSH, BLOOM],
        Quarter::Wood => &[PINE, PINE, TREE, PINE, BUSH, TOADSTOOL],
        Quarter::Marsh => &[REED, LILY, REED, TUFT, BUSH],
        Quarter::Rock => &[SPIRE, SPIRE, ROCK, PINE, ROCK, TUFT],
    }
}

/// All plants, rocks and lanterns, back to front.
pub fn plants(ground: &Ground) -> String {
    let layout = &ground.layout;
    let mut rng = DrawingRng::new(77);
    let mut placed = lanterns(ground);
    placed.extend(waterside(ground, &mut rng));
    let stones: Vec<Rect> = layout
        .spaces
        .iter()
        .map(|p| {
            Rect::around(
                p.at.x,
                p.at.y + 4.0 * p.scale,
                2.1 * STONE.0 * p.scale,
                2.5 * STONE.1 * p.scale,
            )
        })
        .collect();
    let wide = layout.shape == Shape::Landscape;
    // Tall plants are placed first.
    for (low, high, wish) in [
        (50.0, 99.0, if wide { 40 } else { 28 }),
        (20.0, 50.0, if wide { 30 } else { 22 }),
        (0.0, 20.0, if wide { 52 } else { 34 }),
    ] {
        let goal = placed.len() + wish;
        for _ in 0..1600 {
            if placed.len() >= goal {
                break;
            }
            let p = ground.anywhere(&mut rng, 0.96);
            let fitting: Vec<Growth> = kinds(ground.quarter(p, rng.between(-0.15, 0.15)))
                .iter()
                .copied()
                .filter(|k| (low..high).contains(&k.2))
                .collect();
            if fitting.is_empty() {
                continue;
            }
            let kind = fitting[rng.pick(fitting.len())];
            let scale = ground.scale(p.y) * rng.between(0.7, 1.04);
            let body = Rect {
                x: p.x - kind.1 * scale,
                y: p.y - kind.2 * scale,
                w: 2.0 * kind.1 * scale,
                h: kind.2 * scale,
            };
            let stands_free = ground.nearest(p, &ground.road) > 40.0 + kind.1 * 0.6
                && ground.nearest(p, &ground.brook) > 18.0 + kind.1 * 0.5
                && [-0.8, 0.8].iter().all(|side| {
                    ground.clearing.reach(Point {
                        x: p.x + side * kind.1 * scale,
                        y: p.y,
                    }) > 1.03
                })
                && !stones
                    .iter()
                    .any(|s| s.overlaps(&body) && s.y + s.h * 0.6 < p.y)
                && !(kind.2 > 30.0 && ground.clearing.reach(Point { x: p.x, y: body.y }) < 0.95)
                && placed.iter().all(|(q, other, s)| {
                    ground.distance(p, *q) * ground.u > (kind.1 * scale + other.1 * s) * 0.6
                });
            if stands_free {
                placed.push((p, kind, scale));
            }
        }
    }
    // Grass between the outer flagstones.
    for i in 0..18 {
        let p = ground
            .clearing
            .grown(2.0, 2.0)
            .at((f64::from(i) + rng.unit()) / 18.0 * TAU);
        placed.push((p, TUFT, ground.scale(p.y) * rng.between(0.6, 1.0)));
    }
    placed.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
    placed
        .into_iter()
        .map(|(p, kind, scale)| {
            format!(
                r##"<use href="#wt-{}" transform="translate({p})scale({})"/>"##,
                kind.0,
                Factor(scale)
            )
        })
        .collect()
}

/// Reeds at the ends of the ponds, lilies on them.
fn waterside(ground: &Ground, rng: &mut DrawingRng) -> Vec<(Point, Growth, f64)> {
    let mut found = Vec::new();
    for &(p, w, h) in &ground.ponds {
        for (x, y, kind) in [
            (-0.92, 0.1, REED),
            (0.95, 0.05, REED),
            (-0.5, 0.35, LILY),
            (0.3, -0.2, LILY),
            (0.62, 0.4, LILY),
        ] {
            let at = Point {
                x: p.x + w * (x + rng.between(-0.06, 0.06)),
                y: p.y + h * y,
            };
            found.push((at, kind, ground.scale(at.y) * rng.between(0.62, 0.85)));
        }
    }
    found
}

/// Lanterns beside the road: behind it at the back, on its inner side at the front.
fn lanterns(ground: &Ground) -> Vec<(Point, Growth, f64)> {
    let c = ground.layout.ring.centre;
    let inside = if ground.layout.shape == Shape::Landscape {
        60.0
    } else {
        74.0
    };
    [(1, -46.0), (5, inside), (10, inside), (14, -46.0)]
        .into_iter()
        .filter_map(|(number, inward)| {
            let space = Space::wrapping(number);
            let p = *ground.layout.walk(space, space.ahead(1), true, 2).get(1)?;
            let from = Point {
                x: p.x - c.x,
                y: (p.y - c.y) / ground.flat,
            };
            let part = inward * ground.u / from.length();
            let at = Point {
                x: p.x + (c.x - p.x) * part,
                y: p.y + (c.y - p.y) * part,
            };
            Some((at, ("lantern", 12.0, 46.0), ground.scale(at.y)))
        })
        .collect()
}
