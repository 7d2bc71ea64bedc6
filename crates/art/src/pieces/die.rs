//! The die.

use crate::svg::{N, stamp};

pub const PAINTS: &str = r##"<linearGradient id="wt-bone" x2=".7" y2="1"><stop offset="0" stop-color="#fffaf0"/><stop offset=".6" stop-color="#f6e8cb"/><stop offset="1" stop-color="#dcc093"/></linearGradient>"##;

/// The six faces and a face with a question mark, each 60 by 60 around the origin.
pub fn shapes() -> String {
    let spots: [&[(i8, i8)]; 6] = [
        &[(0, 0)],
        &[(-1, -1), (1, 1)],
        &[(-1, -1), (0, 0), (1, 1)],
        &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    ];
    let mut out = String::from(
        r##"<g id="wt-die"><ellipse cx="2" cy="29" rx="33" ry="9" fill="url(#wt-shadow)"/><rect x="-28" y="-21" width="56" height="53" rx="12" fill="#a67c4c" stroke="#3a2433" stroke-width="2"/><rect x="-28" y="-29" width="56" height="53" rx="12" fill="url(#wt-bone)" stroke="#3a2433" stroke-width="2"/><rect x="-25" y="-26" width="50" height="47" rx="9.5" fill="none" stroke="#fff" stroke-width="1.6" opacity=".8"/></g>"##,
    );
    for (i, face) in spots.into_iter().enumerate() {
        out += &format!(
            r##"<g id="wt-die-{}"><use href="#wt-die"/><g fill="#43264f">"##,
            i + 1
        );
        let r = if i == 0 { 7.0 } else { 5.4 };
        for &(x, y) in face {
            out += &format!(
                r##"<circle cx="{}" cy="{}" r="{}"/>"##,
                N(f64::from(x) * 14.0),
                N(f64::from(y) * 13.5 - 2.5),
                N(r)
            );
        }
        out += "</g></g>";
    }
    out + r##"<g id="wt-die-any"><use href="#wt-die"/><path d="M-9-10C-9-19 9-19 9-9.5 9-3 0-4 0 4M0 10.5v2" fill="none" stroke="#43264f" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/></g>"##
}

/// The die showing 1 to 6, or any other number for a die not yet rolled; 60 units wide around a point.
pub fn die(face: u8, x: f64, y: f64, scale: f64) -> String {
    let id = if (1..=6).contains(&face) {
        format!("die-{face}")
    } else {
        "die-any".to_string()
    };
    stamp(&id, x, y, scale)
}
