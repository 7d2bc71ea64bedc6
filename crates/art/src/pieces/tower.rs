//! The towers: stone drums, a little wider at the top, with battlements.

use towers_rules::Tower;

use crate::svg::{Factor, N};
use std::f64::consts::{PI, TAU};

/// Outer and inner half width of the battlements, and how flat circles look.
const OUTER: f64 = 42.0;
const INNER: f64 = 36.5;
const ASPECT: f64 = 0.345;
/// Height of the floor, of the notches and of the merlons.
const FLOOR: f64 = -48.0;
const NOTCH: f64 = -51.0;
const MERLON: f64 = -60.0;

fn on(radius: f64, angle: f64, y: f64) -> String {
    let (sin, cos) = angle.sin_cos();
    format!("{} {}", N(radius * cos), N(y + radius * ASPECT * sin))
}

/// One merlon: the face towards the viewer, and its top.
fn merlon(middle: f64, back: bool) -> (String, String) {
    let (a, b) = (middle - 0.155, middle + 0.155);
    let radius = if back { INNER } else { OUTER };
    let base = if back { FLOOR - 2.0 } else { NOTCH + 3.0 };
    let face = format!(
        "M{}L{}L{}L{}Z",
        on(radius, a, base),
        on(radius, a, MERLON),
        on(radius, b, MERLON),
        on(radius, b, base)
    );
    let top = format!(
        "M{}L{}L{}L{}Z",
        on(INNER, a, MERLON),
        on(OUTER, a, MERLON),
        on(OUTER, b, MERLON),
        on(INNER, b, MERLON)
    );
    (face, top)
}

fn merlons(back: bool) -> (String, String) {
    let count = 14;
    let (mut faces, mut tops) = (String::new(), String::new());
    for i in 0..count {
        let angle = (f64::from(i) + 0.5) / f64::from(count) * TAU;
        if (angle > PI) == back {
            let (face, top) = merlon(angle, back);
            faces += &face;
            tops += &top;
        }
    }
    (faces, tops)
}

/// Courses of stone: arcs around the drum, and the joints between.
fn masonry() -> String {
    let mut path = String::new();
    let radius = |y: f64| 34.0 + 1.4 * (-y / 36.0);
    for (row, y) in [-9.0, -18.0, -27.0].into_iter().enumerate() {
        let r = radius(y);
        path += &format!(
            "M{} {}A{} {} 0 0 0 {} {1}",
            N(-r),
            N(y),
            N(r),
            N(r * ASPECT),
            N(r)
        );
        for joint in 0..6 {
            let angle =
                PI * (0.12 + (f64::from(joint) + if row % 2 == 0 { 0.0 } else { 0.5 }) * 0.155);
            path += &format!("M{}v8.6", on(r, angle, y));
        }
    }
    path
}

/// The drawings of a tower: the drum with its floor, the battlements in front of the wizards on it, and a halo.
pub fn shapes() -> String {
    let (back_faces, back_tops) = merlons(true);
    let (faces, tops) = merlons(false);
    let body = "M-34 0C-34.5-14-35-24-35.5-31L-42-40V-51A42 14.5 0 0 1 42-51V-40L35.5-31C35-24 34.5-14 34 0A34 11.8 0 0 1-34 0Z";
    let wall = "M-34 0C-34.5-14-35-24-35.5-31A35.5 12.2 0 0 0 35.5-31C35-24 34.5-14 34 0A34 11.8 0 0 1-34 0Z";
    let parapet = "M-42-40V-51A42 14.5 0 0 0 42-51V-40L35.5-31A35.5 12.2 0 0 1-35.5-31Z";
    format!(
        r##"<g id="wt-tower"><path d="{body}" fill="var(--ts)" stroke="var(--wt-ink)" stroke-width="2" stroke-linejoin="round"/>
<path d="M-25-2l9 3v7l-9-3zM14-4l10-1.5v8.5l-10 2zM-33-12l8 5v8l-8-5zM-5-16h10v8.5h-10zM25-22l8-4v8l-8 5zM-27-26l9 4v8l-9-4z" fill="#fff" opacity=".2"/><path d="M-12 2.5l11 1v7l-11-1zM3-7h9v8.5h-9zM24 1l8-4v8l-8 5zM-20-11l8 2v8l-8-2zM12-19l10-3v8l-10 3z" fill="#2b1d44" opacity=".13"/>
<path d="{}" fill="none" stroke="var(--wt-ink)" stroke-width=".9" opacity=".38"/>
<path d="{wall}" fill="url(#wt-round)"/><path d="{wall}" fill="url(#wt-foot)"/>
<ellipse cy="-51" rx="42" ry="14.5" fill="var(--tsd)"/><ellipse cy="-48" rx="36.5" ry="12.6" fill="var(--tsf)"/><path d="M-36.5-48A36.5 12.6 0 0 1 36.5-48 36 9 0 0 0-36.5-48Z" fill="#1b1238" opacity=".4"/>
<path d="M-30-48h22M-2-44h24M4-51h26M-22-43h14M-14-53h20" stroke="var(--wt-ink)" stroke-width=".8" opacity=".3"/>
<path d="{back_faces}" fill="var(--tsd)" stroke="var(--wt-ink)" stroke-width=".9" stroke-linejoin="round"/><path d="{back_tops}" fill="var(--tsl)" stroke="var(--wt-ink)" stroke-width=".9" stroke-linejoin="round"/></g>
<g id="wt-tower-front"><path d="{faces}" fill="var(--ts)" stroke="var(--wt-ink)" stroke-width="1.6" stroke-linejoin="round"/><path d="{parapet}" fill="var(--ts)"/><path d="M-42-51A42 14.5 0 0 0 42-51" fill="none" stroke="var(--tsl)" stroke-width="1.4" opacity=".8"/>
<path d="{faces}{parapet}" fill="url(#wt-round)"/><path d="M-35.5-31A35.5 12.2 0 0 0 35.5-31" fill="none" stroke="#1b1238" stroke-width="3" opacity=".35"/><path d="M-42-40V-51M42-40V-51M-42-40L-35.5-31A35.5 12.2 0 0 0 35.5-31L42-40M-42-40A42 14.5 0 0 0 42-40" fill="none" stroke="var(--wt-ink)" stroke-width="1.1" opacity=".65"/>
<path d="{tops}" fill="var(--tsl)" stroke="var(--wt-ink)" stroke-width="1.1" stroke-linejoin="round"/></g>
<g id="wt-tower-window"><path d="M-3.6 5V-3A3.6 4.4 0 0 1 3.6-3V5Z" fill="var(--wt-window)" stroke="var(--wt-ink)" stroke-width="1.8"/><path d="M0-7V5M-3.6-.5H3.6" stroke="var(--wt-ink)" stroke-width=".9"/></g>
<path id="wt-tower-halo" d="M-34 0C-34.5-14-35-24-35.5-31L-42-40V-58C-42-70-20-76 0-76S42-70 42-58V-40L35.5-31C35-24 34.5-14 34 0A34 11.8 0 0 1-34 0Z"/>
<g id="wt-boots" fill="none" stroke-linejoin="round"><path d="M-14 8L-19 27M13 8L21 24" stroke="var(--wt-ink)" stroke-width="13"/><path d="M-14 8L-19 27M13 8L21 24" stroke="#fff3dc" stroke-width="9.5"/><path d="M-14 8L-19 27M13 8L21 24" stroke="#d8473f" stroke-width="9.5" stroke-dasharray="4 4"/><path d="M-27 38C-28 29-24 24-16 25-12 30-6 31-1 26 2 33-2 38-8 38ZM14 33C13 25 18 20 25 22 29 27 35 27 39 21 43 28 39 33 33 34Z" fill="#5b3b98" stroke="var(--wt-ink)" stroke-width="2.6"/></g>"##,
        masonry()
    )
}

/// The drum of a tower whose base is at the origin, `squash` times its full height. It is followed by [`tower_letter`],
/// the pieces on the tower, and [`tower_front`].
pub fn tower(tower: Tower, squash: f64, banner: bool) -> String {
    let raven = tower.has_shield();
    let kind = if raven { "wt-t-raven" } else { "wt-t-plain" };
    let flat = if squash < 0.999 {
        format!(r#" transform="scale(1 {})""#, Factor(squash))
    } else {
        String::new()
    };
    let mut out = format!(r##"<use href="#wt-tower" class="{kind}"{flat}/>"##);
    if banner && raven {
        out += r##"<use href="#wt-banner" transform="translate(31-58)"/>"##;
    }
    out
}

/// The battlements in front of the wizards on the tower.
pub fn tower_front(tower: Tower, squash: f64) -> String {
    let raven = tower.has_shield();
    let kind = if raven { "wt-t-raven" } else { "wt-t-plain" };
    let flat = if squash < 0.999 {
        format!(r#" transform="scale(1 {})""#, Factor(squash))
    } else {
        String::new()
    };
    format!(r##"<use href="#wt-tower-front" class="{kind}"{flat}/>"##)
}

/// Letter, windows and shield on the wall, kept upright and readable when the drum is squashed.
pub fn tower_letter(tower: Tower, squash: f64) -> String {
    // Between the battlements of the tower below and its own, the wall of a squashed drum is about twenty units high.
    let size = (25.0 * squash).clamp(13.0, 24.0);
    let middle = -9.5 * squash;
    let small = Factor(squash.clamp(0.42, 1.0));
    let y = N(middle - 2.5 * squash);
    let right = if tower.has_shield() {
        format!(
            r##"<use href="#wt-shield" transform="translate(21.5 {y})scale({})"/>"##,
            Factor(0.7 * squash.clamp(0.5, 1.0))
        )
    } else {
        format!(r##"<use href="#wt-tower-window" transform="translate(22 {y})scale({small})"/>"##)
    };
    format!(
        r##"<use href="#wt-tower-window" transform="translate(-22 {y})scale({small})"/>{right}<text class="wt-letter" y="{}" font-size="{}">{}</text>"##,
        N(middle + size * 0.34),
        N(size),
        tower.letter()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{BACK_BATTLEMENTS, PITCH};

    #[test]
    fn the_silhouette_has_the_battlements_at_the_back() {
        let (half, up) = BACK_BATTLEMENTS;
        let round = (1.0 - (half / OUTER).powi(2)).sqrt();
        let drawn = -(MERLON - OUTER * ASPECT * round) - PITCH;
        assert!((drawn - up).abs() < 1.0, "{drawn}");
    }
}
