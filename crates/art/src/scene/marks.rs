//! Marks: the trail of a move, ghosts of wizards and castle, prisoners.

use towers_rules::{Colour, Space};

use super::{Ghost, Scene, Trail, stacks};
use crate::geometry::Layout;
use crate::pieces;
use crate::svg::{Factor, N};

/// Golden footprints along the road, brighter towards the end, and a ring where it ended.
pub fn trail(layout: &Layout, trail: Trail) -> String {
    let walk = layout.walk(trail.from, trail.to, trail.clockwise, 6);
    let last = walk.len().saturating_sub(1);
    let colour = trail
        .colour
        .map_or(String::new(), |c| format!(" wt-{}", c.letter()));
    let end = layout.place(trail.to);
    let mut out = format!(
        r#"<g class="wt-trail{colour}" data-from="{}" data-to="{}"><ellipse class="wt-landing" cx="{}" cy="{}" rx="{}" ry="{}"/>"#,
        trail.from,
        trail.to,
        N(end.at.x),
        N(end.at.y),
        N(62.0 * end.scale),
        N(31.0 * end.scale),
    );
    for i in 2..last.saturating_sub(1) {
        let (a, b) = (walk[i - 1], walk[i + 1]);
        let turn = (b.y - a.y).atan2(b.x - a.x);
        let (sin, cos) = turn.sin_cos();
        let side = if i % 2 == 0 { 1.0 } else { -1.0 } * 7.0 * layout.unit;
        let (x, y) = (walk[i].x - sin * side, walk[i].y + cos * side * 0.7);
        out += &format!(
            r##"<use href="#wt-footprint" opacity="{}" transform="translate({} {})scale({s} {})rotate({})"/>"##,
            Factor(0.35 + 0.65 * i as f64 / last as f64),
            N(x),
            N(y),
            Factor(layout.unit * 0.75),
            N(turn.to_degrees()),
            s = Factor(layout.unit),
        );
    }
    out + "</g>"
}

/// Ghosts of a wizard or the castle on their way to `space`, in the units of its stack.
pub fn ghosts(scene: &Scene, layout: &Layout, space: Space) -> String {
    let lift = stacks::exposed(scene, layout, space);
    let (stack, castle_here) = (scene.board.stack(space), scene.has_castle(space));
    let mut out = String::new();
    for ghost in &scene.ghosts {
        match *ghost {
            Ghost::Wizard { colour, to, .. } if to == space => {
                let letter = colour.letter();
                // At the castle's gate, or beside the wizards already there.
                let (x, y) = if castle_here {
                    (0.0, 12.0 - lift)
                } else {
                    (
                        if stack.exposed().is_empty() {
                            0.0
                        } else {
                            30.0
                        },
                        6.0 - lift,
                    )
                };
                let scale = if castle_here { 0.8 } else { 1.0 };
                out += &format!(
                    r##"<g class="wt-ghost wt-{letter}" data-ghost="wizard" transform="translate({} {})scale({})"><use href="#wt-wizard-halo" class="wt-halo"/><use href="#wt-wizard-{letter}"/></g>"##,
                    N(x),
                    N(y),
                    Factor(scale)
                );
            }
            Ghost::Castle { to } if to == space => {
                out += &format!(
                    r##"<g class="wt-ghost" data-ghost="castle" transform="translate(0 {})scale({})"><use href="#wt-castle-halo" class="wt-halo"/><use href="#wt-castle"/></g>"##,
                    N(-lift),
                    Factor(if lift > 0.0 { 0.86 } else { 1.0 })
                );
            }
            _ => {}
        }
    }
    out
}

/// Hats of the wizards beneath a tower, on a plaque at its left or right foot.
pub fn prisoners(wizards: &[Colour], left: bool, raise: f64) -> String {
    let columns = wizards.len().min(3);
    let rows = wizards.len().div_ceil(3);
    let (w, h) = (columns as f64 * 17.0 + 6.0, rows as f64 * 21.0 + 6.0);
    let x = if left { -40.0 - w } else { 40.0 };
    let mut out = format!(
        r##"<g class="wt-prisoners" transform="translate({} {})"><rect width="{}" height="{}" rx="5"/><path d="{}"/>"##,
        N(x),
        N(12.0 - raise - h),
        N(w),
        N(h),
        (0..columns)
            .map(|i| format!("M{} 0V{}", N(3.0 + 17.0 * i as f64), N(h)))
            .collect::<String>()
    );
    for (i, &colour) in wizards.iter().enumerate() {
        out += &pieces::hat(
            colour,
            11.5 + 17.0 * (i % 3) as f64,
            20.0 + 21.0 * (i / 3) as f64,
            0.48,
        );
    }
    out + "</g>"
}

/// A cage around `count` wizards who would be imprisoned.
pub fn cage(count: usize) -> String {
    let half = if count > 3 {
        50.0
    } else {
        13.0 + 11.0 * count as f64
    };
    let top = if count > 3 { -74.0 } else { -56.0 };
    let gaps = (half / 7.5_f64).round();
    let mut bars = String::new();
    for i in 0..=gaps as usize {
        let x = -half + 2.0 * half * i as f64 / gaps;
        let bow = 9.0 * (1.0 - (x / half).powi(2));
        bars += &format!("M{} {}V{}", N(x), N(4.0 + bow), N(top - bow * 0.6));
    }
    bars += &format!(
        "M{a} 3Q0 22 {b} 3M{a} {c}Q0 {d} {b} {c}",
        a = N(-half),
        b = N(half),
        c = N(top + 8.0),
        d = N(top + 18.0)
    );
    format!(r#"<g class="wt-cage"><path d="{bars}"/><path d="{bars}"/></g>"#)
}
