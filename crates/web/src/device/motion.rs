//! Animates pieces from their old to their new position.

use js_sys::{Array, Function, Object, Reflect};
use towers_art::N;
use towers_client::motion::Motion;
use wasm_bindgen::prelude::*;
use web_sys::{DomRect, Element, SvgGraphicsElement};

use super::page::document;

/// The positions of pieces before a motion.
pub struct Before {
    pieces: Vec<(String, DomRect)>,
}

fn find(selector: &str) -> Option<Element> {
    document()
        .query_selector(&format!(".wt-scene {selector}"))
        .ok()
        .flatten()
}

/// The selectors of the moving pieces before and after the motion.
fn places(motion: Motion) -> Vec<(String, String)> {
    match motion {
        Motion::Wizard {
            colour,
            from,
            to,
            home: false,
        } => {
            let at = |space: towers_rules::Space| {
                format!(r#"[data-wizard="{colour}"][data-space="{space}"]"#)
            };
            vec![(at(from), at(to))]
        }
        Motion::Tower { tower, .. } => {
            let at = format!(r#"[data-tower="{tower}"]"#);
            vec![(at.clone(), at)]
        }
        Motion::Swap { one, other } => [one, other]
            .map(|t| {
                let at = format!(r#"[data-tower="{t}"]"#);
                (at.clone(), at)
            })
            .to_vec(),
        Motion::Castle { .. } => vec![("[data-castle]".into(), "[data-castle]".into())],
        _ => Vec::new(),
    }
}

/// Records the positions of the pieces before the motion.
pub fn before(motion: Motion) -> Before {
    let pieces = places(motion)
        .into_iter()
        .filter_map(|(from, to)| Some((to, find(&from)?.get_bounding_client_rect())))
        .collect();
    Before { pieces }
}

/// Moves a wizard to the castle's gate and fades it out. This happens before the board changes.
pub fn go_home(motion: Motion, millis: u32) -> bool {
    let Motion::Wizard {
        colour,
        from,
        home: true,
        ..
    } = motion
    else {
        return false;
    };
    let wizard = find(&format!(r#"[data-wizard="{colour}"][data-space="{from}"]"#));
    if let (Some(wizard), Some(castle)) = (wizard, find("[data-castle]")) {
        let (a, b) = (
            wizard.get_bounding_client_rect(),
            castle.get_bounding_client_rect(),
        );
        let (dx, dy) = (
            b.x() + b.width() / 2.0 - a.x() - a.width() / 2.0,
            b.bottom() - a.bottom(),
        );
        let scale = scale_of(&wizard);
        let lift = 40.0 / scale;
        let (dx, dy) = (dx / scale, dy / scale);
        let frames = [
            frame(0.0, 0.0, 0.0, 1.0),
            frame(0.5, dx / 2.0, dy.min(0.0) - lift, 1.0),
            frame(0.9, dx, dy, 1.0),
            frame(1.0, dx, dy, 0.0),
        ];
        animate(&wizard, &frames, millis);
    }
    true
}

impl Before {
    /// Moves the pieces from their old to their new positions.
    pub fn fly(self, millis: u32) {
        for (selector, from) in self.pieces {
            let Some(piece) = find(&selector) else {
                continue;
            };
            let to = piece.get_bounding_client_rect();
            let scale = scale_of(&piece);
            let dx = (from.x() + from.width() / 2.0 - to.x() - to.width() / 2.0) / scale;
            let dy = (from.bottom() - to.bottom()) / scale;
            let lift = dy.min(0.0) - (30.0 + dx.abs() * 0.12).min(90.0);
            let frames = [
                frame(0.0, dx, dy, 1.0),
                frame(0.25, dx * 0.85, lift, 1.0),
                frame(0.75, dx * 0.12, lift, 1.0),
                frame(1.0, 0.0, 0.0, 1.0),
            ];
            animate(&piece, &frames, millis);
        }
    }
}

/// Shakes or enlarges an element briefly.
pub fn pulse(selector: &str, rolls: bool, millis: u32) {
    let Ok(Some(element)) = document().query_selector(selector) else {
        return;
    };
    let frames: Vec<Object> = if rolls {
        [
            (0.0, "0deg"),
            (0.3, "-25deg"),
            (0.6, "25deg"),
            (1.0, "0deg"),
        ]
        .map(|(offset, turn)| object(&[("offset", offset.into()), ("rotate", turn.into())]))
        .to_vec()
    } else {
        [(0.0, "1"), (0.4, "1.08"), (1.0, "1")]
            .map(|(offset, size)| object(&[("offset", offset.into()), ("scale", size.into())]))
            .to_vec()
    };
    animate(&element, &frames, millis);
}

/// Pixels per SVG unit around a piece.
fn scale_of(piece: &Element) -> f64 {
    let parent = piece.parent_element();
    let parent = parent.and_then(|parent| parent.dyn_into::<SvgGraphicsElement>().ok());
    let matrix = parent.and_then(|parent| parent.get_screen_ctm());
    let scale = matrix.map(|matrix| f64::from(matrix.a()));
    scale.filter(|s| *s > 0.01).unwrap_or(1.0)
}

fn object(entries: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in entries {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object
}

fn frame(offset: f64, x: f64, y: f64, opacity: f64) -> Object {
    object(&[
        ("offset", offset.into()),
        ("translate", format!("{}px {}px", N(x), N(y)).into()),
        ("opacity", opacity.into()),
    ])
}

/// Starts an animation. Its method is called by name, since web-sys counts it as unstable.
fn animate(element: &Element, frames: &[Object], millis: u32) {
    let list: Array = frames.iter().collect();
    let options = object(&[
        ("duration", millis.into()),
        ("easing", "ease-in-out".into()),
        ("fill", "forwards".into()),
    ]);
    let Ok(method) = Reflect::get(element, &"animate".into()) else {
        return;
    };
    if let Some(method) = method.dyn_ref::<Function>() {
        let _ = method.call2(element, &list, &options);
    }
}
