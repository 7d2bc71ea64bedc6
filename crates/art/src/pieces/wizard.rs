//! The wizards: a robe, a beard and a pointed hat. Colour, hat pattern and letter each identify the player.

use towers_rules::Colour;

use crate::svg::{N, stamp};

/// The outline of a hat.
const HAT: &str = "M-11.5-32.5C-8.5-43-4-54 2.5-63.5 4.5-66.5 9-66 10-62 7.6-61.5 6.8-59.5 7-57 8.5-48 10-40 11.5-32.5Q0-27.5-11.5-32.5Z";

/// The pattern of the hat, in white or ink, clipped to it.
fn pattern(colour: Colour) -> &'static str {
    match colour {
        Colour::Blue => {
            r##"<path d="M-.5-50l2.3 5.2 5.7.5-4.3 3.7 1.3 5.5-5-2.9-5 2.9 1.3-5.5-4.3-3.7 5.7-.5zM3.5-61l1 2.3 2.5.2-1.9 1.6.6 2.5-2.2-1.3-2.2 1.3.6-2.5-1.9-1.6 2.5-.2z" fill="#fff"/>"##
        }
        Colour::Yellow => {
            r##"<path d="M-13-36Q0-31 13-36M-10-44.5Q2-39.5 12-45M-7-53Q3-48.5 11-54M-3-60.5Q4-57 9-61" fill="none" stroke="#4a3510" stroke-width="3.6"/>"##
        }
        Colour::Red => {
            r##"<g fill="#fff"><circle cx="-5" cy="-37.5" r="2.7"/><circle cx="4" cy="-36.5" r="2.7"/><circle cx="-.5" cy="-44.5" r="2.6"/><circle cx="6" cy="-46" r="2"/><circle cx="1.5" cy="-53" r="2.3"/><circle cx="4.5" cy="-60" r="1.9"/></g>"##
        }
        Colour::Green => {
            r##"<path d="M-13-37l4.5 4 4.5-6 4.5 6 4.5-6 4.5 5 3-4M-9-47l4 3.5 4-5.5 4 5.5 4-5.5 4 3M-5-56l3.5 2.5 3.5-4.5 3.5 4 4-4" fill="none" stroke="#fff" stroke-width="2.8" stroke-linejoin="round"/>"##
        }
        Colour::Orange => {
            r##"<path d="M-5.5-43l4.5 5.5-4.5 5.5-4.5-5.5zM5.5-43l4.5 5.5-4.5 5.5-4.5-5.5zM0-51l4 5-4 5-4-5zM7.5-51l3.5 5-3.5 5-3.5-5zM3.5-60l3.3 4.5-3.3 4.5-3.3-4.5z" fill="#3a1c08"/>"##
        }
        Colour::Purple => {
            r##"<path d="M3.5-50.5a7.5 7.5 0 1 0 3 10.5 6.2 6.2 0 1 1-3-10.5z" fill="#ffeeb0"/><circle cx="4.3" cy="-57" r="1.9" fill="#ffeeb0"/><circle cx="6" cy="-46" r="1.3" fill="#ffeeb0"/>"##
        }
    }
}

/// The clip paths of hat patterns.
pub fn paints() -> String {
    format!(r#"<clipPath id="wt-hat-clip"><path d="{HAT}"/></clipPath>"#)
}

/// The wizards of the six players, and a plain hat for small marks.
pub fn shapes() -> String {
    let robe = "M-14.5-1C-15-11-12-22-7.5-28H7.5C12-22 15-11 14.5-1Q8 4 0 4T-14.5-1Z";
    let mut out = format!(
        r##"<g id="wt-robe"><ellipse cy="1" rx="19" ry="6.5" fill="url(#wt-shadow)"/><path d="{robe}" fill="var(--p)" stroke="var(--wt-ink)" stroke-width="2" stroke-linejoin="round"/><path d="M-14.5-1Q-8 4 0 4T14.5-1L14.2-5Q8 0 0 0T-14.2-5Z" fill="var(--pl)"/><path d="{robe}" fill="url(#wt-round)" opacity=".8"/>
<path d="M-9.5-25C-14-20-16-14-14.5-9.5-12-8-9-10-7-14M9.5-25C14-20 16-14 14.5-9.5 12-8 9-10 7-14" fill="var(--p)" stroke="var(--wt-ink)" stroke-width="1.4" stroke-linejoin="round"/>
<ellipse cy="-27" rx="8.6" ry="7.4" fill="#f6cfa8" stroke="var(--wt-ink)" stroke-width="1.2"/><path d="M-9-26.5C-11-18-6-11.5 0-9 6-11.5 11-18 9-26.5 7.5-22.5 3-22 0-23-3-22-7.5-22.5-9-26.5Z" fill="#fffdf6" stroke="var(--wt-ink)" stroke-width="1.2" stroke-linejoin="round"/><path d="M-3.5-18Q-2-14 0-12.5M3.5-19Q3-16 1.5-14" fill="none" stroke="#b9b2c8" stroke-width="1"/><circle cx="-3.3" cy="-27.3" r="1.3" fill="#2c2036"/><circle cx="3.3" cy="-27.3" r="1.3" fill="#2c2036"/><ellipse cy="-24" rx="2.4" ry="1.9" fill="#ee9f80"/></g>
<g id="wt-hat-brim"><ellipse cy="-32" rx="17" ry="5.6" fill="var(--pd)" stroke="var(--wt-ink)" stroke-width="1.8"/><path d="M-15-32.5A15.5 4.5 0 0 1 15-32.5 16 3 0 0 0-15-32.5Z" fill="var(--p)" opacity=".8"/></g>
<path id="wt-hat-cone" d="{HAT}" fill="var(--p)" stroke="var(--wt-ink)" stroke-width="2" stroke-linejoin="round"/>
<g id="wt-hat-light"><path d="{HAT}" fill="url(#wt-round)" opacity=".9"/><path d="M-11.5-32.5Q0-27.5 11.5-32.5L10.9-35.5Q0-31-10.6-35.5Z" fill="var(--pl)" stroke="var(--wt-ink)" stroke-width=".8"/></g>
<path id="wt-wizard-halo" transform="scale(1.03)" d="M-14.5-1C-15-11-12-20-11-27H-17C-18-33-12-35-10-37-7-47-3-56 2.5-63.5 4.5-66.5 9-66 10-62 8-58 10-45 11-37 15-35 18-33 17-27H11C12-20 15-11 14.5-1Q8 4 0 4T-14.5-1Z"/>"##
    );
    for colour in Colour::ALL {
        let letter = colour.letter();
        out += &format!(
            r##"<g id="wt-hat-{letter}"><use href="#wt-hat-brim"/><use href="#wt-hat-cone"/><g clip-path="url(#wt-hat-clip)">{}</g><use href="#wt-hat-light"/></g>
<g id="wt-wizard-{letter}"><use href="#wt-robe"/><use href="#wt-hat-{letter}" transform="translate(0-3.5)"/><text class="wt-initial" y="1.5">{}</text></g>"##,
            pattern(colour),
            letter.to_ascii_uppercase()
        );
    }
    out += r##"<g id="wt-wizard-any"><use href="#wt-robe"/><g transform="translate(0-3.5)"><use href="#wt-hat-brim"/><use href="#wt-hat-cone"/><use href="#wt-hat-light"/></g></g>"##;
    out
}

/// A wizard whose feet are at the origin of its `<use>`, about 34 wide and 68 high.
pub fn wizard(colour: Colour, x: f64, y: f64, scale: f64) -> String {
    let letter = colour.letter();
    stamp(&format!("wizard-{letter}"), x, y, scale).replacen(
        "<use ",
        &format!(r#"<use class="wt-{letter}" "#),
        1,
    )
}

/// Only the hat, its brim around the origin, for counters and prisoners.
pub fn hat(colour: Colour, x: f64, y: f64, scale: f64) -> String {
    let letter = colour.letter();
    format!(
        r##"<use class="wt-{letter}" href="#wt-hat-{letter}" transform="translate({} {})scale({})"/>"##,
        N(x),
        N(y + 32.0 * scale),
        crate::svg::Factor(scale)
    )
}
