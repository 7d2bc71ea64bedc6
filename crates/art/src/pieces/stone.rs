//! The stepping stones, their raven shields and the blue ghost lights.

use towers_rules::{GHOST_LIGHTS, Space, Surface};

use crate::svg::N;

pub const PAINTS: &str = r##"<linearGradient id="wt-slab" x2=".6" y2="1"><stop offset="0" stop-color="var(--wt-slab1)"/><stop offset=".55" stop-color="var(--wt-slab2)"/><stop offset="1" stop-color="var(--wt-slab3)"/></linearGradient>"##;

/// The number of ghost lights of a space (R2.4): those of towers A to I lie on spaces 1 to 9.
fn ghost_lights(space: Space) -> u8 {
    space
        .index()
        .checked_sub(1)
        .and_then(|i| GHOST_LIGHTS.get(i))
        .map_or(0, |&lights| lights)
}

/// Three shapes of stones, the shield in the ground, a ghost light, a glow for a space.
pub fn shapes() -> String {
    let tops = [
        "M-53-4C-52-17-32-26-8-27 18-28 44-24 53-9 58 4 44 19 20 24-6 29-40 26-52 12-56 7-55 1-53-4Z",
        "M-50-9C-42-22-18-28 8-26 34-25 54-15 54-1 53 14 33 24 8 26-18 28-46 22-54 6-55 0-54-5-50-9Z",
        "M-54 2C-54-12-40-22-20-25 6-29 36-26 49-14 57-6 55 8 44 16 28 27-8 29-32 23-47 19-55 11-54 2Z",
    ];
    let mut out = String::new();
    let marks = [
        "M-38-8q10-6 18-5M18 12q14-1 22-7M-12 18q-10 0-18-4M30-12l8 4-4 6",
        "M-34 6q8 8 20 9M12-18q14 0 22 6M36 4q-4 7-12 10M-40-4l7-6",
        "M-36 8q6 6 14 8M-22-17q12-5 24-3M34-4q4 6-2 12M10 19q10 0 16-4",
    ];
    for (i, top) in tops.into_iter().enumerate() {
        out += &format!(
            r##"<g id="wt-stone-{i}"><ellipse cy="13" rx="66" ry="30" fill="url(#wt-shadow)"/><path d="{top}" transform="translate(0 8)" fill="var(--wt-slab4)" stroke="var(--wt-ink)" stroke-width="1.6"/><path d="{top}" fill="url(#wt-slab)" stroke="var(--wt-ink)" stroke-width="1.4"/><path d="{top}" transform="translate(-1-1)scale(.93 .9)" fill="none" stroke="#fff" stroke-width="1.6" opacity=".35"/><path d="{}" fill="none" stroke="var(--wt-ink)" stroke-width="1.3" stroke-linecap="round" opacity=".34"/><path d="M-50 15q4-7 9-2 3-6 8 2 4-5 8 3 3-3 7 3-14 2-32-6zM30 22q3-6 8-3 3-6 8-2 4-4 6 0-9 5-22 5z" fill="var(--wt-moss)" opacity=".9"/></g>"##,
            marks[i]
        );
    }
    out += r##"<g id="wt-ground-shield"><use href="#wt-shield" transform="translate(0-1)scale(1.65 1.12)"/></g>
<g id="wt-ghost"><circle cy="-7" r="15" fill="url(#wt-blue-glow)"/><path d="M0 0C-5-1-6-7-3-11-2-14-3-16-1-19 0-15 5-12 5-6 5-2 3 0 0 0Z" fill="#d9f7ff" opacity=".95"/><path d="M0-1.5C-2.5-2-3-6-.5-9 2-7 2.5-2.5 0-1.5Z" fill="#4cc4ff"/></g>
<g id="wt-footprint"><circle r="15" fill="url(#wt-gold-glow)"/><path d="M-9 0C-9-4-5-5-1-4 3-6 10-5 10 0S3 6-1 4C-5 5-9 4-9 0Z" fill="var(--p, #fff3b0)" stroke="var(--pd, #8a5a10)" stroke-width="1.3"/></g>
<g id="wt-space-glow"><ellipse rx="82" ry="46" fill="url(#wt-gold-glow)"/><ellipse rx="60" ry="30" fill="none" stroke="#fff3c0" stroke-width="4.5"/></g>"##;
    out
}

/// A stone with its lights, around the origin.
pub fn stone(space: Space) -> String {
    let mut out = format!(
        r##"<use href="#wt-stone-{}"{}/>"##,
        space.index() % 3,
        if space.index() % 2 == 1 {
            r#" transform="scale(-1 1)""#
        } else {
            ""
        }
    );
    if Surface::ground(space).has_shield() {
        out += r##"<use href="#wt-ground-shield"/>"##;
    }
    out
}

/// The ghost lights of a space, along the front edge of its stone, in front of everything there.
pub fn lights(space: Space) -> String {
    let count = ghost_lights(space);
    (0..count)
        .map(|i| {
            let x = -44.0 + 13.0 * f64::from(i);
            let y = 14.0 + 5.0 * f64::from(i);
            format!(
                r##"<use href="#wt-ghost" class="wt-waver" transform="translate({} {})"/>"##,
                N(x),
                N(y)
            )
        })
        .collect()
}
